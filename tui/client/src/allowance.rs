//! How many calls a host still accepts at once, as its answers say.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_protocol::Host;
use frontdesk_protocol::mcp::{ALLOWANCE_HEADER, UNLIMITED};
use http::HeaderMap;

/// The last known allowances. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allowances(Arc<Mutex<BTreeMap<Host, u32>>>);

impl Allowances {
    /// Reads the allowance in an answer of a host.
    pub(crate) fn hear(&self, host: Host, headers: &HeaderMap) {
        let told = headers.get(ALLOWANCE_HEADER);
        let told = told.and_then(|value| value.to_str().ok());
        let left = told.and_then(|told| match told {
            UNLIMITED => Some(u32::MAX),
            told => told.parse().ok(),
        });
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match left {
            Some(left) => drop(all.insert(host, left)),
            None => drop(all.remove(&host)),
        }
    }

    /// The calls that a host accepted at once after its last answer, if it says.
    pub(crate) fn of(&self, host: Host) -> Option<u32> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&host).copied()
    }
}
