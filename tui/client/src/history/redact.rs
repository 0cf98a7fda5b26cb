//! Takes free text out of arguments and results.
//!
//! The schema decides: numbers, yes and no, and texts that it lists or gives a format (ids, dates, times) stay, so
//! that most calls can be made again. Every other text may be secret or about a person, and so may a key that the
//! schema does not name. Where there is no schema, ids and times are known by their form.

use serde_json::{Map, Value};

use super::bounded;
use super::schema::Parts;

/// What stands in the place of a text that was taken out.
const REDACTED: &str = "[redacted]";
/// A text that was taken out is looked for in messages, if it has so many letters: a tool may repeat it. Shorter
/// ones stand in other words by chance.
const SHORTEST: usize = 4;
/// More texts than this are not looked for.
const MOST: usize = 50;

/// Takes free text out of one call.
#[derive(Debug)]
pub(super) struct Redactor {
    is_idle: bool,
    /// Texts that were taken out.
    taken: Vec<String>,
    /// Where something was taken out, as JSON pointers.
    found: Vec<String>,
}

impl Redactor {
    /// One that takes nothing out, if it is idle.
    pub(super) fn new(is_idle: bool) -> Self {
        Redactor {
            is_idle,
            taken: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Takes out of the arguments what is not to be kept; where that is, as JSON pointers.
    pub(super) fn arguments(
        &mut self,
        arguments: &mut Map<String, Value>,
        schema: &Value,
    ) -> Vec<String> {
        if !self.is_idle {
            self.object(arguments, &Parts::of(schema), "");
        }
        std::mem::take(&mut self.found)
    }

    /// Takes out of the result what is not to be kept; whether there was something.
    pub(super) fn result(&mut self, value: &mut Value, schema: &Value) -> bool {
        if !self.is_idle {
            self.value(value, &Parts::of(schema), "");
        }
        !std::mem::take(&mut self.found).is_empty()
    }

    /// What the result is, in a few words, none of which are its own.
    pub(super) fn summary(&self, value: &Value) -> String {
        match value {
            Value::String(_) if !self.is_idle => "a text".to_owned(),
            value => bounded::summary(value),
        }
    }

    /// A message without the texts that were taken out of the call.
    pub(super) fn text(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for taken in &self.taken {
            text = text.replace(taken.as_str(), REDACTED);
        }
        text
    }

    fn value(&mut self, value: &mut Value, parts: &Parts<'_>, pointer: &str) {
        match value {
            Value::Null => {}
            Value::Bool(_) | Value::Number(_) if !parts.is_secret() => {}
            Value::String(text) if text.is_empty() || is_kept(text, parts) => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let text = value.as_str().map_or(value.to_string(), str::to_owned);
                self.remember(&text);
                *value = Value::String(REDACTED.to_owned());
                self.found.push(pointer.to_owned());
            }
            Value::Array(items) => {
                let parts = parts.item();
                for (at, item) in items.iter_mut().enumerate() {
                    self.value(item, &parts, &format!("{pointer}/{at}"));
                }
            }
            Value::Object(object) => self.object(object, parts, pointer),
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, parts: &Parts<'_>, pointer: &str) {
        let entries = std::mem::take(object).into_iter().enumerate();
        for (at, (key, mut value)) in entries {
            let name = match parts.is_unknown() || parts.declares(&key) {
                true => key.clone(),
                false => {
                    self.remember(&key);
                    format!("{REDACTED} {}", at + 1)
                }
            };
            let inner = format!("{pointer}/{}", escaped(&name));
            if name != key {
                self.found.push(inner.clone());
            }
            self.value(&mut value, &parts.key(&key), &inner);
            object.insert(name, value);
        }
    }

    fn remember(&mut self, text: &str) {
        let text = text.trim();
        let is_long = text.chars().nth(SHORTEST - 1).is_some();
        if is_long && self.taken.len() < MOST {
            self.taken.push(text.to_owned());
        }
    }
}

/// Whether the text leaves no room for words.
fn is_kept(text: &str, parts: &Parts<'_>) -> bool {
    let value = Value::String(text.to_owned());
    let looks_formal = uuid::Uuid::parse_str(text).is_ok()
        || text.parse::<jiff::Timestamp>().is_ok()
        || text.parse::<jiff::civil::Date>().is_ok();
    !parts.is_secret() && (parts.offers(&value) || parts.is_formal() || looks_formal)
}

/// A step of a JSON pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
