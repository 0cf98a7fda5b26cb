//! The time of day. Tests can advance it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use governor::nanos::Nanos;
use jiff::{SignedDuration, Timestamp};

/// The current time. Clones share their offset.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// The offset to the machine's clock, in milliseconds.
    ahead: Arc<AtomicI64>,
    /// Whether limits only count the offset.
    has_manual_limits: bool,
    /// The time instead of the machine's.
    stands_at: Option<Timestamp>,
}

impl Clock {
    /// The machine's clock.
    pub fn system() -> Self {
        Self::default()
    }

    /// The machine's clock for times, but limits only refill when [`Clock::advance`] is called: a test of a limit does not
    /// depend on how long its calls take.
    pub fn with_manual_limits() -> Self {
        Clock {
            has_manual_limits: true,
            ..Clock::default()
        }
    }

    /// A clock with manual limits that only [`Clock::advance`] moves.
    pub fn standing() -> Self {
        Clock {
            stands_at: Some(Timestamp::now()),
            ..Clock::with_manual_limits()
        }
    }

    /// The current time.
    pub fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_millis(self.ahead.load(Ordering::Relaxed));
        let time = self.stands_at.unwrap_or_else(Timestamp::now);
        time.saturating_add(ahead).unwrap_or(Timestamp::MAX)
    }

    /// The offset to the machine's clock.
    pub fn ahead(&self) -> Duration {
        let ahead = self.ahead.load(Ordering::Relaxed);
        Duration::from_millis(u64::try_from(ahead).unwrap_or(0))
    }

    /// Advances the clock, for tests.
    pub fn advance(&self, by: Duration) {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        self.ahead.fetch_add(by, Ordering::Relaxed);
    }
}

/// A clock for limits that never goes back. Tests advance it with the service's clock.
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

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        match self.clock.has_manual_limits {
            true => self.clock.ahead(),
            false => self.start.elapsed() + self.clock.ahead(),
        }
    }
}

impl governor::clock::Clock for Monotonic {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        Nanos::from(self.elapsed())
    }
}
