//! Signatures that were found good, so that a token's many calls are checked once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::claims::Bearer;

/// A token's SHA-256: the cache holds no token that somebody could use.
pub(super) type Fingerprint = [u8; 32];

/// How many tokens each half holds.
const HALF: usize = 4096;

/// A size-capped map. What was not looked up for a while falls out: entries move to the younger half
/// when they are used, and when that is full the elder half is dropped and the halves change places.
#[derive(Default)]
pub(super) struct Cache(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    young: HashMap<Fingerprint, Entry>,
    old: HashMap<Fingerprint, Entry>,
}

#[derive(Clone)]
struct Entry {
    bearer: Bearer,
    /// The set of keys that the signature was checked with. A key that was withdrawn since then
    /// vouches for nothing.
    generation: u64,
}

pub(super) fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token).into()
}

impl Cache {
    /// The bearer of a token whose signature was found good with these keys.
    pub(super) fn get(&self, token: &Fingerprint, generation: u64) -> Option<Bearer> {
        let mut halves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match halves.young.get(token) {
            Some(entry) => entry.clone(),
            None => {
                let entry = halves.old.remove(token)?;
                halves.put(*token, entry.clone());
                entry
            }
        };
        (entry.generation == generation).then_some(entry.bearer)
    }

    /// Remembers that the token's signature is good.
    pub(super) fn put(&self, token: Fingerprint, bearer: Bearer, generation: u64) {
        let mut halves = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        halves.put(token, Entry { bearer, generation });
    }
}

impl Halves {
    fn put(&mut self, token: Fingerprint, entry: Entry) {
        if self.young.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, entry);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
