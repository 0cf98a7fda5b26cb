//! The first start: work before any host or server is configured.

use std::path::PathBuf;

use frontdesk_client::Secret;
use frontdesk_client::config::edit::Addition;
use frontdesk_client::config::elsewhere::Found;

/// How the app goes on after the start screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// With the demo.
    Demo,
    /// With the configuration as it is now.
    Configured,
}

/// The first owner of an organisation on this machine.
#[derive(Debug, Clone)]
pub struct FirstOwner {
    /// The organisation's name.
    pub organization: String,
    /// The time zone of its days.
    pub time_zone: String,
    /// The currency of its amounts.
    pub currency: String,
    /// The owner's name.
    pub name: String,
    /// The address to sign in with.
    pub email: String,
    /// The password to sign in with.
    pub password: Secret,
}

impl FirstOwner {
    /// Characters of a password, at least.
    pub const SHORTEST: usize = 8;
}

/// Work of the start screen.
#[derive(Debug, Clone)]
pub(crate) enum Job {
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

/// The result of a [`Job`].
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
