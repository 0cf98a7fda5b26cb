//! A call of the history in words.

use frontdesk_client::history::{Entry, Outcome};
use serde_json::{Map, Value};

use crate::ui::mark::Mark;

/// How it ended, in a word.
pub(crate) fn outcome(entry: &Entry) -> (Mark, String) {
    match &entry.outcome {
        Outcome::Done if entry.is_dry_run() => (Mark::Info, "tried".to_owned()),
        Outcome::Done => (Mark::Good, "done".to_owned()),
        Outcome::Refused { code, .. } => (Mark::Bad, code.clone()),
        Outcome::Failed { .. } => (Mark::Bad, "failed".to_owned()),
        Outcome::NotKnown { .. } => (Mark::Warn, "not known".to_owned()),
        Outcome::Cancelled => (Mark::Waiting, "cancelled".to_owned()),
    }
}

/// Why it did not end well.
pub(crate) fn message(entry: &Entry) -> Option<&str> {
    match &entry.outcome {
        Outcome::Refused { message, .. }
        | Outcome::Failed { message }
        | Outcome::NotKnown { message } => Some(message),
        Outcome::Done | Outcome::Cancelled => None,
    }
}

/// How long it took: `12 ms`, `3.4 s`.
pub(crate) fn took(entry: &Entry) -> String {
    match entry.took_ms {
        ms @ 0..1000 => format!("{ms} ms"),
        ms => format!("{}.{} s", ms / 1000, ms % 1000 / 100),
    }
}

/// What it was called with, in a line: `event_id=… limit=5`. Whether it was a dry run is said
/// elsewhere.
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

/// What a search looks into.
pub(crate) fn searched(entry: &Entry) -> String {
    let (_, outcome) = outcome(entry);
    let arguments = arguments(&entry.arguments);
    format!("{} {} {outcome} {arguments}", entry.peer, entry.tool)
}

/// What is not kept of it, and so has to be filled in again; nothing where all is kept.
pub(crate) fn not_kept(entry: &Entry) -> Option<String> {
    let names = entry.not_kept();
    (!names.is_empty()).then(|| format!("Not kept, to be filled in: {}", names.join(", ")))
}
