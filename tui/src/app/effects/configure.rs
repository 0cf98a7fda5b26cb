//! Settings that the app writes to the configuration file.

use std::sync::Arc;

use frontdesk_client::config::edit::{self, Preference};

use super::disk::on_disk;
use super::job::Job;
use super::platform::Platform;
use crate::app::cx::Cx;
use crate::app::reporter::Reporter;
use crate::look::mark::Mark;

/// Changes a setting in the configuration file.
#[derive(Debug)]
struct Configure(Preference);

impl Job for Configure {
    type Value = ();
    /// Why the setting is not kept.
    type Error = String;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), String> {
        let file = platform.config.ok_or("there is no configuration file")?;
        let set = on_disk(move || edit::set(&file, &self.0)).await;
        set.map_err(|error| error.0)
    }
}

impl Cx<'_> {
    /// Keeps a preference for the next start.
    pub(crate) fn keep_preference(&mut self, preference: Preference) {
        self.run_then(Configure(preference), |cx, ended| {
            if let Err(reason) = ended.result {
                cx.toast(Mark::Bad, format!("Not kept: {reason}"));
            }
        });
    }
}
