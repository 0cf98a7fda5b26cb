//! The work of the engine, after which it needs upkeep.

use std::time::Duration;

/// The work and errors since the last upkeep.
#[derive(Debug, Default)]
pub(crate) struct Worked {
    pub(crate) errors: u32,
    pub(crate) since_checkpoint: Duration,
    pub(crate) since_vacuum: Duration,
}

impl Worked {
    pub(crate) fn add(&mut self, time: Duration) {
        self.since_checkpoint += time;
        self.since_vacuum += time;
    }

    pub(crate) fn erred(&mut self) {
        self.errors += 1;
    }
}
