//! A cache of verified signatures, so that a token used in many calls is verified once.

use std::collections::HashMap;

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::claims::Bearer;

/// A token's SHA-256 hash: the cache holds no usable token.
pub(super) type Fingerprint = [u8; 32];

/// The maximum number of tokens in each half.
const HALF: usize = 4096;

/// A map with a bounded size. Entries that are not used for a while are dropped: a used entry moves to the young half,
/// and when that is full, it replaces the old half.
#[derive(Default)]
pub(super) struct Cache(Mutex<Halves>);

#[derive(Default)]
struct Halves {
    young: HashMap<Fingerprint, CachedBearer>,
    old: HashMap<Fingerprint, CachedBearer>,
}

#[derive(Clone)]
struct CachedBearer {
    bearer: Bearer,
    /// The set of keys that verified the signature. The entry is invalid after the set changes, because the key may
    /// have been withdrawn.
    generation: u64,
}

pub(super) fn fingerprint(token: &str) -> Fingerprint {
    Sha256::digest(token).into()
}

impl Cache {
    /// The bearer of a token whose signature was verified with this set of keys.
    pub(super) fn get(&self, token: &Fingerprint, generation: u64) -> Option<Bearer> {
        let mut halves = self.0.lock();
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

    /// Records that the token's signature is valid.
    pub(super) fn put(&self, token: Fingerprint, bearer: Bearer, generation: u64) {
        let mut halves = self.0.lock();
        halves.put(token, CachedBearer { bearer, generation });
    }
}

impl Halves {
    fn put(&mut self, token: Fingerprint, entry: CachedBearer) {
        if self.young.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, entry);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
