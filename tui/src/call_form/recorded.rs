//! Texts about a recorded call.

use frontdesk_client::history::{CallOutcome, RecordedCall};
use serde_json::{Map, Value};

use crate::look::mark::Mark;

/// The history keeps nothing.
pub(crate) const IS_OFF: &str = "The history is off: [history] keep = \"off\".";

/// The outcome in a word or two.
pub(crate) fn outcome(entry: &RecordedCall) -> (Mark, String) {
    match &entry.outcome {
        CallOutcome::Done if entry.is_dry_run() => (Mark::Info, "dry run".to_owned()),
        CallOutcome::Done => (Mark::Good, "done".to_owned()),
        CallOutcome::Refused { code, .. } => (Mark::Bad, code.clone()),
        CallOutcome::Failed { .. } => (Mark::Bad, "failed".to_owned()),
        CallOutcome::NotKnown { .. } => (Mark::Warn, "unknown".to_owned()),
        CallOutcome::Cancelled => (Mark::Waiting, "cancelled".to_owned()),
    }
}

/// The error message.
pub(crate) fn message(entry: &RecordedCall) -> Option<&str> {
    match &entry.outcome {
        CallOutcome::Refused { message, .. }
        | CallOutcome::Failed { message }
        | CallOutcome::NotKnown { message, .. } => Some(message),
        CallOutcome::Done | CallOutcome::Cancelled => None,
    }
}

/// The duration: `12 ms`, `3.4 s`.
pub(crate) fn took(entry: &RecordedCall) -> String {
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
pub(crate) fn searched(entry: &RecordedCall) -> String {
    let (_, outcome) = outcome(entry);
    let arguments = arguments(&entry.arguments);
    format!("{} {} {outcome} {arguments}", entry.peer, entry.tool)
}

/// The values that were not recorded and must be entered again; `None` if all were recorded.
pub(crate) fn not_kept(entry: &RecordedCall) -> Option<String> {
    let names = entry.not_kept();
    (!names.is_empty()).then(|| format!("Not kept, fill in again: {}", names.join(", ")))
}
