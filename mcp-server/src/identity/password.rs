//! Passwords: argon2id hashes, and checks that take the same time whatever they find.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

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

/// As [`hash_password`], on a thread that may block.
pub(super) async fn hash(password: String) -> Result<String, HashError> {
    tokio::task::spawn_blocking(move || hash_password(&password))
        .await
        .map_err(|_| HashError("the runtime is shutting down"))?
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
            dummy: hash(nobodys.iter().collect()).await?.into(),
            queue: Queue::new(cores.min(MAX_RUNNING)),
        })
    }

    /// Whether the password is the one that was hashed. Without a hash it is not, and takes as long
    /// to say so.
    pub(super) async fn check(
        &self,
        place: Place,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, AuthError> {
        let turn = self.queue.turn(place).await.map_err(|_| AuthError::Busy)?;
        let dummy = Arc::clone(&self.dummy);
        let check = tokio::task::spawn_blocking(move || {
            // The turn ends with the check: where the client has gone, its memory is still in use.
            let _turn = turn;
            let (stored, is_account) = match &hash {
                Some(hash) => (hash.as_str(), true),
                None => (&*dummy, false),
            };
            let Ok(stored) = PasswordHash::new(stored) else {
                return false;
            };
            let same = Argon2::default()
                .verify_password(password.as_bytes(), &stored)
                .is_ok();
            same && is_account
        });
        let failed = AuthError::Internal("a password could not be checked");
        check.await.map_err(|_| failed)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
