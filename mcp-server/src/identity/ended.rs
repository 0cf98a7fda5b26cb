//! The sign-ins ended by this process. Their access tokens are refused here.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// The ended sign-ins, until their last access token has expired. Other processes on the database do not know them.
pub(super) struct Ended {
    lifetime: SignedDuration,
    at: Mutex<HashMap<Uuid, Timestamp>>,
}

impl Ended {
    /// Starts empty. `lifetime` is that of access tokens.
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
