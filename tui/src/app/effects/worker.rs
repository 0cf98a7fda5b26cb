//! Execution of work.

use jiff::SignedDuration;

use super::job::{Outcome, Work, Working};
use super::platform::Platform;
use crate::app::reporter::Reporter;

/// Executes work.
pub(crate) trait Worker: Send + Sync + 'static {
    /// Executes a piece of work, which reports to `reporter`.
    fn run(&self, work: Work, reporter: Reporter) -> Working;

    /// How much the hosts' clock is ahead of this machine's.
    fn clock_ahead(&self) -> SignedDuration {
        SignedDuration::ZERO
    }
}

impl Worker for Platform {
    fn run(&self, work: Work, reporter: Reporter) -> Working {
        let platform = self.clone();
        match work {
            Work::Call(call) => {
                Box::pin(async move { Outcome::Call(platform.call(*call, &reporter).await) })
            }
            Work::Job(job) => job.start(platform, reporter),
        }
    }

    fn clock_ahead(&self) -> SignedDuration {
        self.client.clock_ahead().unwrap_or_default()
    }
}
