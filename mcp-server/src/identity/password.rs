//! Passwords: argon2id hashes, and checks that take the same time whatever they find.

use std::sync::Arc;

use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::password_hash::{CustomizedPasswordHasher, PasswordHasher};
use argon2::{Argon2, Params};

use super::AuthError;
use super::queue::{Place, Queue};

/// The most checks at once: each takes 19 MiB of memory and a core.
const MAX_RUNNING: usize = 4;

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("a password could not be hashed: {0}")]
pub struct HashError(&'static str);

/// The password's argon2id hash in PHC form, with a salt of its own. Takes some 20 ms and 19 MiB:
/// not for an async thread.
///
/// # Errors
/// [`HashError`] where the machine has no randomness to give.
pub fn hash_password(password: &str) -> Result<String, HashError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash.map_err(|_| HashError("no randomness"))?.to_string())
}

/// As [`hash_password`], on a thread that may block. With the salt of `other`, the hash of another account with the
/// same address: one computation then checks a password at all of them, so that the time tells nothing of how many
/// there are.
pub(super) async fn hash(password: String, other: Option<String>) -> Result<String, HashError> {
    let hash = move || {
        let other = other.and_then(|other| PasswordHash::new(&other).ok());
        match other.and_then(|other| other.salt) {
            Some(salt) => {
                let hash = Argon2::default().hash_password_with_salt(password.as_bytes(), &salt);
                Ok(hash
                    .map_err(|_| HashError("the salt is not fit"))?
                    .to_string())
            }
            None => hash_password(&password),
        }
    };
    tokio::task::spawn_blocking(hash)
        .await
        .map_err(|_| HashError("the runtime is shutting down"))?
}

/// The password, hashed as `stored` is.
fn computed(password: &str, stored: &PasswordHash) -> Option<Output> {
    let hash = Argon2::default().hash_password_customized(
        password.as_bytes(),
        &stored.salt?,
        Some(stored.algorithm.as_str()),
        stored.version,
        Params::try_from(stored).ok()?,
    );
    hash.ok()?.hash
}

/// Whether a password is hashed alike for both.
fn is_like(one: &PasswordHash, other: &PasswordHash) -> bool {
    let of = |hash: &PasswordHash| (hash.algorithm, hash.version, hash.salt);
    of(one) == of(other) && one.params == other.params
}

/// Which of the hashes are of this password.
fn compare(password: &str, hashes: &[Option<String>], dummy: &str) -> Vec<bool> {
    let mut done: Vec<(PasswordHash, Option<Output>)> = Vec::new();
    let mut is_of = |stored: &str| {
        let stored = PasswordHash::new(stored).ok()?;
        let known = done.iter().find(|(it, _)| is_like(it, &stored));
        let output = match known {
            Some((_, output)) => *output,
            None => {
                let output = computed(password, &stored);
                done.push((stored.clone(), output));
                output
            }
        };
        // Outputs are compared in constant time.
        Some(output? == stored.hash?)
    };
    let found = hashes
        .iter()
        .map(|hash| hash.as_deref().and_then(&mut is_of).unwrap_or(false))
        .collect();
    if done.is_empty()
        && let Ok(stored) = PasswordHash::new(dummy)
    {
        computed(password, &stored);
    }
    found
}

/// Checks passwords, few at a time.
pub(super) struct Passwords {
    /// Checked where there is no account, so that the answer takes as long.
    dummy: Arc<str>,
    queue: Queue,
}

impl Passwords {
    /// Hashes the dummy.
    pub(super) async fn new() -> Result<Self, HashError> {
        let nobodys = rand::random::<[u8; 16]>().map(|byte| char::from(b'a' + byte % 26));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Passwords {
            dummy: hash(nobodys.iter().collect(), None).await?.into(),
            queue: Queue::new(cores.min(MAX_RUNNING)),
        })
    }

    /// Whether the password is the one of each hash. Without any hash it takes as long to say so; hashes with one
    /// salt take as long as one.
    pub(super) async fn check(
        &self,
        place: Place,
        password: String,
        hashes: Vec<Option<String>>,
    ) -> Result<Vec<bool>, AuthError> {
        let turn = self.queue.turn(place).await.map_err(|_| AuthError::Busy)?;
        let dummy = Arc::clone(&self.dummy);
        let check = tokio::task::spawn_blocking(move || {
            // The turn ends with the check: where the client has gone, its memory is still in use.
            let _turn = turn;
            compare(&password, &hashes, &dummy)
        });
        let failed = AuthError::Internal("a password could not be checked");
        check.await.map_err(|_| failed)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
