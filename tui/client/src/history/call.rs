//! A finished call, and the entry that records it.

use std::time::Duration;

use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::Keep;
use super::bounded;
use super::redact::Redactor;
use crate::error::CallError;
use crate::failure::shorten;

/// A finished call with all its data. It is not redacted yet and must not be written to disk.
#[derive(Debug, Clone)]
pub struct Ended {
    /// The account that called, if signed in.
    pub account: Option<UserId>,
    /// The area of a host, or the name of a server.
    pub peer: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Whether it only read or was a dry run.
    pub changes_nothing: bool,
    /// When it began.
    pub at: Timestamp,
    /// How long it took.
    pub took: Duration,
    /// How it ended.
    pub ending: Ending,
    /// The idempotency key of a write.
    pub key: Option<String>,
    /// The schema of the arguments, if known.
    pub input_schema: Value,
    /// The schema of the result, if known.
    pub output_schema: Value,
}

/// The end of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The call returned a result.
    Done(Value),
    /// The call failed.
    Failed(CallError),
    /// The user cancelled it.
    Cancelled,
}

/// The recorded parts of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedCall {
    /// Unique id; entries sort in the order of writing.
    pub id: Uuid,
    /// When the call began.
    pub at: Timestamp,
    /// Duration in milliseconds.
    pub took_ms: u64,
    /// The area of a host, or the name of a server.
    pub peer: String,
    /// The tool.
    pub tool: String,
    /// The arguments; removed values are replaced by a word in brackets.
    pub arguments: Map<String, Value>,
    /// JSON pointers to the removed arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<String>,
    /// Whether it only read or was a dry run.
    pub changes_nothing: bool,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: CallOutcome,
    /// The result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Kept>,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum CallOutcome {
    /// The call returned a result.
    Done,
    /// The tool or the host refused.
    Refused {
        /// The error code: `not_found`.
        code: String,
        /// The message for people.
        message: String,
    },
    /// The host could not be reached or failed.
    Failed {
        /// The message for people.
        message: String,
    },
    /// The call was sent, but no answer arrived: it may have been executed.
    NotKnown {
        /// The message for people.
        message: String,
        /// The idempotency key, with which the host makes it once.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// The user cancelled it.
    Cancelled,
}

/// The recorded parts of a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// A short description: `12 guests`.
    pub summary: String,
    /// The result or its first part; `None` if it is too large and cannot be cut.
    pub value: Option<Value>,
    /// Whether parts were cut off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// Whether parts were redacted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_redacted: bool,
}

impl RecordedCall {
    /// The entry for a call; `None` if calls are not recorded.
    pub fn of(ended: &Ended, keep: Keep) -> Option<RecordedCall> {
        let mut redactor = match keep {
            Keep::Off => return None,
            keep => Redactor::new(keep == Keep::All),
        };
        let (mut arguments, cut) = bounded::arguments(&ended.arguments);
        let mut redacted = redactor.arguments(&mut arguments, &ended.input_schema);
        redacted.extend(cut);
        redacted.dedup();
        let outcome = match &ended.ending {
            Ending::Done(_) => CallOutcome::Done,
            Ending::Cancelled => CallOutcome::Cancelled,
            Ending::Failed(error) => failed(error, ended, &redactor),
        };
        let result = match &ended.ending {
            Ending::Done(value) => Some(kept(value, &ended.output_schema, &mut redactor)),
            _ => None,
        };
        Some(RecordedCall {
            id: Uuid::now_v7(),
            at: ended.at,
            took_ms: u64::try_from(ended.took.as_millis()).unwrap_or(u64::MAX),
            peer: ended.peer.clone(),
            tool: ended.tool.clone(),
            arguments,
            redacted,
            changes_nothing: ended.changes_nothing,
            outcome,
            result,
        })
    }

    /// Whether it was a dry run.
    pub fn is_dry_run(&self) -> bool {
        self.arguments.get("dry_run") == Some(&Value::Bool(true))
    }

    /// The arguments that were kept, for repeating the call after the others are filled in. A list
    /// with removed values is left out completely.
    pub fn rest(&self) -> Map<String, Value> {
        let mut arguments = Value::Object(self.arguments.clone());
        for pointer in &self.redacted {
            leave_out(&mut arguments, pointer);
        }
        match arguments {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        }
    }

    /// The names of the removed arguments, as shown to people and used by forms: `guest.email`.
    pub fn not_kept(&self) -> Vec<String> {
        let arguments = Value::Object(self.arguments.clone());
        let mut names = Vec::new();
        for pointer in &self.redacted {
            let name = name_of(&arguments, &steps(pointer));
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The steps of a JSON pointer.
fn steps(pointer: &str) -> Vec<String> {
    let steps = pointer.split('/').skip(1);
    steps
        .map(|step| step.replace("~1", "/").replace("~0", "~"))
        .collect()
}

/// The field to fill in again: the innermost key, except entries of a list of texts or numbers.
fn name_of(arguments: &Value, steps: &[String]) -> String {
    let mut name = String::new();
    let mut value = Some(arguments);
    for (at, step) in steps.iter().enumerate() {
        match value {
            Some(Value::Array(items)) if at + 1 < steps.len() => {
                name.push_str(&format!("[{step}]"));
                value = step.parse().ok().and_then(|at: usize| items.get(at));
            }
            Some(Value::Array(_)) => break,
            _ => {
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(step);
                value = value.and_then(|value| value.get(step));
            }
        }
    }
    name
}

fn leave_out(arguments: &mut Value, pointer: &str) {
    let mut steps = steps(pointer);
    while let Some(last) = steps.pop() {
        let around = steps
            .iter()
            .try_fold(&mut *arguments, |value, step| match value {
                Value::Object(object) => object.get_mut(step),
                Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
                _ => None,
            });
        match around {
            Some(Value::Object(object)) => {
                object.shift_remove(&last);
                return;
            }
            // Remove the whole list from the value around it in the next step.
            Some(Value::Array(_)) => {}
            _ => return,
        }
    }
}

fn failed(error: &CallError, ended: &Ended, redactor: &Redactor) -> CallOutcome {
    let text = |text: &str| shorten(&redactor.text(text));
    let refused = |code: &str, message: &str| CallOutcome::Refused {
        code: code.to_owned(),
        message: text(message),
    };
    match error {
        CallError::Tool(error) | CallError::Forbidden(error) => {
            refused(error.code.name(), &error.message)
        }
        CallError::SignedOut(message) | CallError::AccountClosed(message) => {
            refused("unauthorized", message)
        }
        CallError::RateLimited { .. } | CallError::Busy { .. } => {
            refused("rate_limited", &error.to_string())
        }
        CallError::OutcomeUnknown(doubt) if !ended.changes_nothing => CallOutcome::NotKnown {
            message: text(&doubt.reason),
            key: ended.key.clone(),
        },
        CallError::OutcomeUnknown(_)
        | CallError::Unreachable { .. }
        | CallError::Host { .. }
        | CallError::Failed(_)
        | CallError::Protocol(_) => CallOutcome::Failed {
            message: text(&error.to_string()),
        },
    }
}

fn kept(value: &Value, schema: &Value, redactor: &mut Redactor) -> Kept {
    let summary = redactor.summary(value);
    let (mut value, is_cut) = bounded::result(value);
    let is_redacted = match &mut value {
        Some(value) => redactor.result(value, schema),
        None => false,
    };
    Kept {
        summary,
        value,
        is_cut,
        is_redacted,
    }
}
