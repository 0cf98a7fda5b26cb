//! The time of day, which tests set.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use governor::nanos::Nanos;
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
        Timestamp::now()
            .saturating_add(ahead)
            .unwrap_or(Timestamp::MAX)
    }

    /// How far this clock is ahead of the machine's.
    pub fn ahead(&self) -> Duration {
        let ahead = self.ahead.load(Ordering::Relaxed);
        Duration::from_millis(u64::try_from(ahead).unwrap_or(0))
    }

    /// Puts the clock forward, for tests of what happens later.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.ahead.fetch_add(by, Ordering::Relaxed);
    }
}

/// A clock for limits, which never goes back; put forward together with the service's.
#[derive(Debug, Clone)]
pub(crate) struct Monotonic {
    start: Instant,
    clock: Clock,
}

impl Monotonic {
    /// Starts at zero, now.
    pub(crate) fn new(clock: Clock) -> Self {
        Monotonic {
            start: Instant::now(),
            clock,
        }
    }

    /// How long it runs.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed() + self.clock.ahead()
    }
}

impl governor::clock::Clock for Monotonic {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::from(self.elapsed())
    }
}
