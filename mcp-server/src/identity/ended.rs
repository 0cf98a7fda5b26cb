//! The sign-ins that this process has ended, so that their access tokens end with them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// The sign-ins, until their last access token has expired. Another process on the database does not know of them.
pub(super) struct Ended {
    lifetime: SignedDuration,
    at: Mutex<HashMap<Uuid, Timestamp>>,
}

impl Ended {
    /// None yet, where an access token is good for so long.
    pub(super) fn new(lifetime: std::time::Duration) -> Self {
        Ended {
            lifetime: SignedDuration::try_from(lifetime).unwrap_or(SignedDuration::MAX),
            at: Mutex::default(),
        }
    }

    pub(super) fn add(&self, session: Uuid, now: Timestamp) {
        let mut at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        at.retain(|_, ended| now.duration_since(*ended) < self.lifetime);
        at.insert(session, now);
    }

    pub(super) fn has(&self, session: Uuid) -> bool {
        let at = self.at.lock().unwrap_or_else(PoisonError::into_inner);
        at.contains_key(&session)
    }
}
