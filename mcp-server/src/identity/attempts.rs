//! Limits password attempts, to make guessing expensive.
//!
//! A device that has signed in to the account before, and a client address from which somebody has, have separate
//! allowances, so that strangers' guesses do not lock the account's owner out. Strangers have an allowance for each
//! client address, and a larger shared one.

use std::net::IpAddr;
use std::num::NonZeroU32;

use sha2::{Digest, Sha256};

use super::AuthError;
use super::limit::Limit;
use crate::clock::Clock;

/// A SHA-256 hash that identifies an allowance: addresses are not stored, and all keys have the same size.
type Key = [u8; 32];

/// The shared allowance of all strangers at an account, as a multiple of the allowance of one client address.
const STRANGERS: NonZeroU32 = NonZeroU32::new(3).unwrap();

/// Counts password attempts for an e-mail address, whether an account has it or not.
pub(super) struct Attempts {
    limiters: Option<Limiters>,
}

struct Limiters {
    each: Limit<Key>,
    strangers: Limit<Key>,
}

/// The client that tries a password, as known to the account. A stranger's attempts count for the e-mail address, with
/// all of its accounts; another client's attempts count for one account.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Client<'a> {
    /// A device that has signed in to the account before, by its id.
    Device(&'a str),
    /// A client address from which somebody has signed in to the account before.
    KnownAddress(IpAddr),
    /// Any other client.
    Stranger(IpAddr),
}

impl Attempts {
    /// Allows this many attempts a minute for each client of an account; `None` is unlimited.
    pub(super) fn new(a_minute: Option<NonZeroU32>, clock: &Clock) -> Self {
        let limiters = a_minute.map(|attempts| Limiters {
            each: Limit::new(attempts, clock.clone()),
            strangers: Limit::new(attempts.saturating_mul(STRANGERS), clock.clone()),
        });
        Attempts { limiters }
    }

    /// Counts an attempt by this client, at this account or e-mail address.
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
