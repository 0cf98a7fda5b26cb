//! Rate limits: a number of attempts a minute for each key.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::clock::{Clock, Monotonic};

/// The number of keys above which those with their full allowance are forgotten.
pub(super) const CROWD: usize = 10_000;

/// An allowance for each key.
pub(super) struct Limit<K: Clone + Eq + Hash> {
    keyed: RateLimiter<K, DashMapStateStore<K>, Monotonic, NoOpMiddleware<Nanos>>,
    clock: Monotonic,
}

impl<K: Clone + Eq + Hash> Limit<K> {
    pub(super) fn new(a_minute: NonZeroU32, clock: Clock) -> Self {
        let clock = Monotonic::new(clock);
        let quota = Quota::per_minute(a_minute);
        Limit {
            keyed: RateLimiter::new(quota, DashMapStateStore::default(), clock.clone()),
            clock,
        }
    }

    /// Counts an attempt, or returns the time until the next one.
    pub(super) fn check(&self, key: &K) -> Result<(), Duration> {
        if self.keyed.len() > CROWD {
            self.keyed.retain_recent();
        }
        let refused = self.keyed.check_key(key);
        refused.map_err(|refused| refused.wait_time_from(self.clock.now()))
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.keyed.len()
    }
}
