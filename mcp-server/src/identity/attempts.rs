//! How often a password may be tried, since guessing is otherwise free.

use std::num::NonZeroU32;

use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use sha2::{Digest, Sha256};

use super::AuthError;

use crate::clock::{Clock, Monotonic};

/// An address's SHA-256: no address is kept, and each takes the same room.
type Key = [u8; 32];
type Limiter = RateLimiter<Key, DashMapStateStore<Key>, Monotonic, NoOpMiddleware<Nanos>>;

/// How many addresses may be remembered before those that have their full allowance are forgotten.
const CROWD: usize = 10_000;

/// Counts the passwords that were tried for an address, whether it is anybody's or not.
pub(super) struct Attempts {
    limiter: Option<Limiter>,
    clock: Monotonic,
}

impl Attempts {
    /// So many a minute for each address; None is no limit.
    pub(super) fn new(a_minute: Option<NonZeroU32>, clock: Clock) -> Self {
        let clock = Monotonic::new(clock);
        let limiter = a_minute.map(|attempts| {
            RateLimiter::new(
                Quota::per_minute(attempts),
                DashMapStateStore::default(),
                clock.clone(),
            )
        });
        Attempts { limiter, clock }
    }

    /// Counts one.
    pub(super) fn count(&self, address: &str) -> Result<(), AuthError> {
        let Some(limiter) = &self.limiter else {
            return Ok(());
        };
        if limiter.len() > CROWD {
            limiter.retain_recent();
        }
        let key = Sha256::digest(address).into();
        limiter
            .check_key(&key)
            .map_err(|refused| AuthError::TooManyAttempts {
                retry_after: refused.wait_time_from(self.clock.now()),
            })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
