//! How often a password may be tried, since guessing is otherwise free.
//!
//! A device that has signed in to the account before, and a client address from which somebody has, have an
//! allowance of their own, so that strangers' guesses do not shut the account's owner out. Strangers have one
//! for each client address, and a larger one together.

use std::net::IpAddr;
use std::num::NonZeroU32;

use sha2::{Digest, Sha256};

use super::AuthError;
use super::limit::Limit;
use crate::clock::Clock;

/// A SHA-256 of what has an allowance: no address is kept, and each takes the same room.
type Key = [u8; 32];

/// How many times the allowance of one client address all strangers together have at an account.
const STRANGERS: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// Counts the passwords that were tried for an account's address, whether there is such an account or not.
pub(super) struct Attempts {
    limiters: Option<Limiters>,
}

struct Limiters {
    each: Limit<Key>,
    strangers: Limit<Key>,
}

/// The client that tries a password, as far as the account knows it. A stranger's attempts are counted for an address
/// with all its accounts, another client's for its account.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Client<'a> {
    /// A device that has signed in to the account before, by its id.
    Device(&'a str),
    /// A client address from which somebody has signed in to the account before.
    KnownAddress(IpAddr),
    /// Any other.
    Stranger(IpAddr),
}

impl Attempts {
    /// So many a minute for each client of an account; None is no limit.
    pub(super) fn new(a_minute: Option<NonZeroU32>, clock: &Clock) -> Self {
        let limiters = a_minute.map(|attempts| Limiters {
            each: Limit::new(attempts, clock.clone()),
            strangers: Limit::new(attempts.saturating_mul(STRANGERS), clock.clone()),
        });
        Attempts { limiters }
    }

    /// Counts an attempt of this client at this account, or at this address.
    pub(super) fn count(&self, account: &str, client: Client<'_>) -> Result<(), AuthError> {
        let Some(limiters) = &self.limiters else {
            return Ok(());
        };
        let key = Sha256::new_with_prefix(account).chain_update(format!("\0{client:?}"));
        let each = limiters.each.check(&key.finalize().into());
        each.map_err(|retry_after| AuthError::TooManyAttempts { retry_after })?;
        if let Client::Stranger(_) = client {
            let strangers = limiters.strangers.check(&Sha256::digest(account).into());
            strangers.map_err(|retry_after| AuthError::TooManyAttempts { retry_after })?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
