//! The first start: work before any host or server is configured.

use std::path::PathBuf;
use std::sync::Arc;

use frontdesk_client::config::edit::Addition;
use frontdesk_client::config::elsewhere::Found;

use crate::app::effects::job::{Job, Lost};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;
use crate::local::FirstOwner;

/// How the app goes on after the start screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// With the demo.
    Demo,
    /// With the configuration as it is now.
    Configured,
}

/// A step of the start screen.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Look at this machine.
    Look,
    /// Add these settings after the service or server has answered.
    Add(Addition),
    /// Serve the hosts on this machine, and add that to the settings. An empty database needs an
    /// owner.
    Serve(Option<FirstOwner>),
    /// End the start screen.
    Leave(Choice),
}

impl Job for Step {
    type Value = Done;
    /// Why it failed, as a sentence.
    type Error = String;

    /// [`crate::FirstStart`] does it: there is nothing else to work with.
    async fn run(self: Arc<Self>, _: Platform, _: Reporter) -> Result<Done, String> {
        Err(Lost.into())
    }
}

/// The result of a [`Step`].
#[derive(Debug, Clone)]
pub(crate) enum Done {
    Seen(Box<Seen>),
    Added,
    Serving,
    /// The database has no organisation yet.
    NeedsOwner,
    Left,
}

/// This machine, as the start screen needs it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// The configuration file to write.
    pub(crate) config_file: PathBuf,
    /// The hosts on this machine, as they would be configured; `None` if this build has none.
    pub(crate) local: Option<Addition>,
    /// Whether their database exists.
    pub(crate) has_database: bool,
    /// The time zone and the currency of a new organisation, unless others are chosen.
    pub(crate) place: (String, &'static str),
    /// The servers of other clients.
    pub(crate) found: Found,
}
