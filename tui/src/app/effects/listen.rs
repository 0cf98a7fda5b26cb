//! The job that listens to the changes that a host reports.

use std::sync::Arc;
use std::time::Duration;

use frontdesk_client::CallError;
use frontdesk_protocol::Host;

use super::job::Job;
use super::platform::Platform;
use crate::app::reporter::Reporter;

/// Hears of changes of the results at these addresses, until the host ends it.
#[derive(Debug)]
pub(crate) struct Listen {
    pub(crate) host: Host,
    pub(crate) uris: Vec<String>,
    /// The least time between two looks of the host.
    pub(crate) pause: Duration,
}

impl Job for Listen {
    type Value = ();
    type Error = CallError;
    const LASTS: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, reporter: Reporter) -> Result<(), CallError> {
        let hear = |heard| reporter.heard(heard);
        let listening = platform
            .client
            .listen(self.host, &self.uris, self.pause, hear);
        listening.await
    }
}
