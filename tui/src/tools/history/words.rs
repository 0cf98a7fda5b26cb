//! Texts about a recorded call.

use frontdesk_client::history::{Entry, Outcome};
use serde_json::{Map, Value};

use crate::ui::mark::Mark;

/// The outcome in a word or two.
pub(crate) fn outcome(entry: &Entry) -> (Mark, String) {
    match &entry.outcome {
        Outcome::Done if entry.is_dry_run() => (Mark::Info, "dry run".to_owned()),
        Outcome::Done => (Mark::Good, "done".to_owned()),
        Outcome::Refused { code, .. } => (Mark::Bad, code.clone()),
        Outcome::Failed { .. } => (Mark::Bad, "failed".to_owned()),
        Outcome::NotKnown { .. } => (Mark::Warn, "unknown".to_owned()),
        Outcome::Cancelled => (Mark::Waiting, "cancelled".to_owned()),
    }
}

/// The error message.
pub(crate) fn message(entry: &Entry) -> Option<&str> {
    match &entry.outcome {
        Outcome::Refused { message, .. }
        | Outcome::Failed { message }
        | Outcome::NotKnown { message } => Some(message),
        Outcome::Done | Outcome::Cancelled => None,
    }
}

/// The duration: `12 ms`, `3.4 s`.
pub(crate) fn took(entry: &Entry) -> String {
    match entry.took_ms {
        ms @ 0..1000 => format!("{ms} ms"),
        ms => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}

/// The arguments in a line: `event_id=… limit=5`, without the dry-run flag, which the outcome
/// shows.
pub(crate) fn arguments(arguments: &Map<String, Value>) -> String {
    let words: Vec<String> = arguments
        .iter()
        .filter(|(name, _)| *name != "dry_run")
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name}={text}"),
            value => format!("{name}={value}"),
        })
        .collect();
    words.join(" ")
}

/// The searchable text.
pub(crate) fn searched(entry: &Entry) -> String {
    let (_, outcome) = outcome(entry);
    let arguments = arguments(&entry.arguments);
    format!("{} {} {outcome} {arguments}", entry.peer, entry.tool)
}

/// The values that were not recorded and must be entered again; `None` if all were recorded.
pub(crate) fn not_kept(entry: &Entry) -> Option<String> {
    let names = entry.not_kept();
    (!names.is_empty()).then(|| format!("Not kept, fill in again: {}", names.join(", ")))
}
