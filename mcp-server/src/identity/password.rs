//! Passwords: argon2id hashes, and checks that take the same time whatever they find.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::AuthError;

/// How many checks may wait for their turn. Beyond that, people are asked to come back.
const WAITING: usize = 64;
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
    places: Arc<Semaphore>,
    running: Arc<Semaphore>,
}

/// A place in the queue for a check.
pub(super) struct Place<'a> {
    passwords: &'a Passwords,
    _place: OwnedSemaphorePermit,
}

impl Passwords {
    /// Hashes the dummy.
    pub(super) async fn new() -> Result<Self, HashError> {
        let nobodys = rand::random::<[u8; 16]>().map(|byte| char::from(b'a' + byte % 26));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let running = cores.min(MAX_RUNNING);
        Ok(Passwords {
            dummy: hash(nobodys.iter().collect()).await?.into(),
            places: Arc::new(Semaphore::new(WAITING + running)),
            running: Arc::new(Semaphore::new(running)),
        })
    }

    /// A place in the queue.
    pub(super) fn enter(&self) -> Result<Place<'_>, AuthError> {
        let place = Arc::clone(&self.places).try_acquire_owned();
        Ok(Place {
            passwords: self,
            _place: place.map_err(|_| AuthError::Busy)?,
        })
    }
}

impl Place<'_> {
    /// Whether the password is the one that was hashed. Without a hash it is not, and takes as long
    /// to say so.
    pub(super) async fn check(
        self,
        password: String,
        hash: Option<String>,
    ) -> Result<bool, AuthError> {
        const FAILED: AuthError = AuthError::Internal("a password could not be checked");
        let running = Arc::clone(&self.passwords.running);
        let running = running.acquire_owned().await.map_err(|_| FAILED)?;
        let dummy = Arc::clone(&self.passwords.dummy);
        let check = tokio::task::spawn_blocking(move || {
            // Kept by the check itself: who asked may be gone, its memory is not.
            let _running = running;
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
        check.await.map_err(|_| FAILED)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
