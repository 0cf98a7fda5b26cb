//! The time of day, which tests set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// Tells the time. Clones of one clock agree.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// Milliseconds ahead of the machine's clock.
    ahead: Arc<AtomicI64>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
        Timestamp::now().saturating_add(ahead).unwrap_or(Timestamp::MAX)
    }

    /// Puts the clock forward, for tests of what happens later.
    pub fn advance(&self, by: std::time::Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.ahead.fetch_add(by, Ordering::Relaxed);
    }
}
