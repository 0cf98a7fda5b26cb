//! Writes whose outcome is unknown. Until one of them succeeds, the same call has the same idempotency key, on every screen and
//! after a restart, so that the host makes it once.

use std::collections::{BTreeMap, BTreeSet};

use frontdesk_client::REMEMBERED;
use frontdesk_client::history::{CallOutcome, RecordedCall};
use jiff::Timestamp;
use serde_json::Value;

use crate::app::effects::call::ToolCall;

/// Peer, tool and arguments.
type Call = (String, String, String);

/// The keys of these writes, and when each was first sent.
#[derive(Debug, Default)]
pub(crate) struct Undecided(BTreeMap<Call, (String, Timestamp)>);

impl Undecided {
    /// The key with which the same call was made, if its outcome is unknown and the host still remembers it.
    pub(super) fn key_of(&self, call: &ToolCall, now: Timestamp) -> Option<String> {
        let (key, at) = self.0.get(&written(call)?)?;
        (now.duration_since(*at) < REMEMBERED).then(|| key.clone())
    }

    /// The call is made.
    pub(super) fn sent(&mut self, call: &ToolCall, now: Timestamp) {
        if let (Some(written), Some(key)) = (written(call), &call.options.idempotency_key) {
            let made = self.0.entry(written).or_insert((String::new(), now));
            if made.0 != *key {
                *made = (key.clone(), now);
            }
        }
    }

    /// It was made: the next one is another.
    pub(super) fn decided(&mut self, call: &ToolCall) {
        if let Some(written) = written(call) {
            self.0.remove(&written);
        }
    }

    /// Adds those of the history, newest first, that no later entry calls done.
    pub(super) fn recall(&mut self, entries: &[RecordedCall]) {
        let mut seen = BTreeSet::new();
        for entry in entries.iter().filter(|entry| entry.redacted.is_empty()) {
            let arguments = Value::Object(entry.arguments.clone()).to_string();
            let call = (entry.peer.clone(), entry.tool.clone(), arguments);
            match &entry.outcome {
                CallOutcome::Done => drop(seen.insert(call)),
                CallOutcome::NotKnown { key: Some(key), .. } if !seen.contains(&call) => {
                    self.0.entry(call).or_insert((key.clone(), entry.at));
                }
                _ => {}
            }
        }
    }
}

/// A call that writes again if it is made again: the next one of the others has the same result without a key, and a key
/// would hide what others wrote between them.
fn written(call: &ToolCall) -> Option<Call> {
    let tool = call.writes_at()?.tool(&call.tool)?;
    let arguments = || Value::Object(call.arguments.clone()).to_string();
    (!tool.effect.idempotent).then(|| (call.peer.name().to_owned(), call.tool.clone(), arguments()))
}
