//! Converts entries to the JSON to send.

use frontdesk_protocol::exact;
use frontdesk_protocol::number::{self, Unread};
use serde_json::{Map, Value};

use super::{Entry, Field};
use crate::check::FieldError;
use crate::kind::Kind;
use crate::path::{Path, Segment};

impl Field {
    /// The value to send; `None` if the field is left out. Unreadable input is returned as text.
    pub fn value(&self) -> Option<Value> {
        match &self.entry {
            Entry::Absent => None,
            Entry::Null => Some(Value::Null),
            Entry::Chosen(value) => Some(value.clone()),
            Entry::Json(json) => Some(match json.value() {
                Ok(value) => value.clone(),
                Err(_) => json.text().into(),
            }),
            Entry::Text(text) => Some(match &self.kind {
                Kind::Number(_) => read_number(text).unwrap_or_else(|_| text.as_str().into()),
                Kind::Text(kind) => kind.completed(text).into(),
                _ => text.as_str().into(),
            }),
            Entry::Open => self.inside(),
        }
    }

    fn inside(&self) -> Option<Value> {
        match &self.kind {
            Kind::Variant(_) => self.body()?.value(),
            // An empty list entry keeps its position.
            Kind::List(_) => {
                let entries = self.children.iter();
                Some(
                    entries
                        .map(|entry| entry.value().unwrap_or_default())
                        .collect(),
                )
            }
            _ => {
                let mut object = Map::new();
                for child in &self.children {
                    if let (Some(key), Some(value)) = (child.key(), child.value()) {
                        object.insert(key.to_owned(), value);
                    }
                }
                Some(Value::Object(object))
            }
        }
    }

    /// Reports input that cannot be converted to JSON, in this field and below.
    pub(crate) fn unreadable(&self, path: &mut Path, found: &mut Vec<FieldError>) {
        let mut report = |message: String| {
            found.push(FieldError {
                path: path.clone(),
                message,
            });
        };
        match (&self.entry, &self.kind) {
            (Entry::Json(json), _) => {
                if let Err(why) = json.value() {
                    report(format!("is not JSON: {why}"));
                }
            }
            (Entry::Text(text), Kind::Number(bounds)) => {
                let Err(why) = read_number(text) else {
                    return;
                };
                let noun = if bounds.integer {
                    "a whole number"
                } else {
                    "a number"
                };
                report(match text.trim() {
                    _ if matches!(why, Unread::Either(..)) => why.to_string(),
                    "" => format!("must be {noun}"),
                    text => format!("must be {noun}, not `{text}`"),
                });
            }
            (Entry::Open, _) => {
                if let Some(body) = self.body() {
                    return body.unreadable(path, found);
                }
                for child in &self.children {
                    let Some(segment) = child.segment.clone() else {
                        continue;
                    };
                    path.push(segment);
                    if !child.declared && child.value().is_none() {
                        found.push(FieldError {
                            path: path.clone(),
                            message: child.nothing_yet().to_owned(),
                        });
                    } else {
                        child.unreadable(path, found);
                    }
                    path.pop();
                }
            }
            _ => {}
        }
    }

    fn nothing_yet(&self) -> &'static str {
        match self.segment {
            Some(Segment::Index(_)) => "has no value yet: enter one, or remove the entry",
            _ => "has no value yet: enter one, or remove the key",
        }
    }
}

/// The number in a text, with its digits if it is written as in JSON.
pub(super) fn read_number(text: &str) -> Result<Value, Unread> {
    let written = exact::number(text.trim());
    match (number::read(text, None), written) {
        (Ok(_) | Err(Unread::Not), Some(written)) => Ok(written),
        (read, _) => read,
    }
}
