//! Passwords: argon2id hashes, and checks that take the same time whatever their result.

use std::sync::Arc;

use argon2::password_hash::phc::{Output, PasswordHash};
use argon2::password_hash::{CustomizedPasswordHasher, PasswordHasher};
use argon2::{Argon2, Params};

use unicode_normalization::UnicodeNormalization;

use super::AuthError;
use super::queue::{Queue, Requester};

/// The maximum number of concurrent checks: each takes 19 MiB of memory and a core.
const MAX_RUNNING: usize = 4;

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("a password could not be hashed: {0}")]
pub struct HashError(&'static str);

/// The password as it is compared (RFC 8265, OpaqueString), so that two keyboards that compose a letter differently agree:
/// spaces of any kind are spaces, and the text is in NFC.
fn prepared(password: &str) -> String {
    let spaced = password.chars().map(|c| match c {
        c if c.is_whitespace() && !c.is_control() => ' ',
        c => c,
    });
    spaced.nfc().collect()
}

/// The minimum length of a password in characters.
pub(super) const SHORTEST: usize = 8;
/// Passwords that are guessed first, in lower case.
const COMMON: &str = include_str!("password/common.txt");

/// The reason why nobody may choose this password for the account of this e-mail address.
#[must_use]
pub fn weakness(password: &str, email: &str) -> Option<&'static str> {
    if password.chars().count() < SHORTEST {
        return Some("The password must have at least 8 characters.");
    }
    if password.contains(char::is_control) {
        return Some("The password must have no line breaks and no control characters.");
    }
    let folded = prepared(&password.to_lowercase());
    let chars: Vec<u32> = folded.chars().map(u32::from).collect();
    let steps = |by: u32| chars.windows(2).all(|two| two[0] + by == two[1]);
    let falls = || chars.windows(2).all(|two| two[0] == two[1] + 1);
    if steps(0) || steps(1) || falls() || COMMON.split_whitespace().any(|one| one == folded) {
        return Some("This password is one of the first that others try. Choose a different one.");
    }
    let email = email.to_lowercase();
    let name = email.split('@').next().unwrap_or_default();
    (folded == email || folded == name)
        .then_some("The password must not be your e-mail address. Choose a different one.")
}

/// The password's argon2id hash in PHC format, with a random salt. It takes about 20 ms and 19 MiB, so do not call it
/// on an async thread.
///
/// # Errors
/// [`HashError`] if the machine cannot provide randomness.
pub fn hash_password(password: &str) -> Result<String, HashError> {
    let hash = Argon2::default().hash_password(prepared(password).as_bytes());
    Ok(hash.map_err(|_| HashError("no randomness"))?.to_string())
}

/// As [`hash_password`], on a blocking thread. With `other`, the hash of another account with the same e-mail address,
/// the salt is reused: then one computation checks a password for all of them, and the time does not reveal their
/// number.
pub(super) async fn hash(password: String, other: Option<String>) -> Result<String, HashError> {
    let hash = move || {
        let other = other.and_then(|other| PasswordHash::new(&other).ok());
        match other.and_then(|other| other.salt) {
            Some(salt) => {
                let password = prepared(&password);
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

/// Hashes the password with the parameters of `stored`.
fn computed(password: &str, stored: &PasswordHash) -> Option<Output> {
    let hash = Argon2::default().hash_password_customized(
        prepared(password).as_bytes(),
        &stored.salt?,
        Some(stored.algorithm.as_str()),
        stored.version,
        Params::try_from(stored).ok()?,
    );
    hash.ok()?.hash
}

/// Whether both hashes have the same parameters and salt.
fn is_like(one: &PasswordHash, other: &PasswordHash) -> bool {
    let of = |hash: &PasswordHash| (hash.algorithm, hash.version, hash.salt);
    of(one) == of(other) && one.params == other.params
}

/// For each hash, whether it is of this password.
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

/// The names whose hashes are of this password.
pub(super) fn of_password(hashes: Vec<(String, String)>, password: &str) -> Vec<String> {
    let (names, hashes): (Vec<_>, Vec<_>) = (hashes.into_iter())
        .map(|(name, hash)| (name, Some(hash)))
        .unzip();
    let is_of = compare(password, &hashes, "");
    let found = names.into_iter().zip(is_of);
    found
        .filter_map(|(name, is_of)| is_of.then_some(name))
        .collect()
}

/// Checks passwords, a few at a time.
pub(super) struct Passwords {
    /// Checked if no account exists, so that the answer takes as long.
    dummy: Arc<str>,
    queue: Queue,
}

impl Passwords {
    /// Computes the dummy hash.
    pub(super) async fn new() -> Result<Self, HashError> {
        let nobodys = rand::random::<[u8; 16]>().map(|byte| char::from(b'a' + byte % 26));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Passwords {
            dummy: hash(nobodys.iter().collect(), None).await?.into(),
            queue: Queue::new(cores.min(MAX_RUNNING)),
        })
    }

    /// For each hash, whether it is of this password. The check takes as long without any hash as with one; hashes
    /// with the same salt take as long as one.
    pub(super) async fn check(
        &self,
        requester: Requester,
        password: String,
        hashes: Vec<Option<String>>,
    ) -> Result<Vec<bool>, AuthError> {
        let turn = self
            .queue
            .turn(requester)
            .await
            .map_err(|_| AuthError::Busy)?;
        let dummy = Arc::clone(&self.dummy);
        let check = tokio::task::spawn_blocking(move || {
            // Hold the turn until the check ends, even if the client has disconnected: the memory is in use.
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
