//! Removes secrets from arguments, and free text from results.
//!
//! Arguments are kept, so that the call can be repeated, except those that the schema marks as
//! secret (`writeOnly`, `format: password`). Without a schema nothing is known to be harmless, so
//! they are treated as results are.
//!
//! Of results, the schema decides: numbers, booleans, and texts that it lists or that have a format
//! (ids, dates, times) are kept. Any other text can be secret or personal, and so can a key that the
//! schema does not declare. Without a schema, ids and times are recognised by their format.

use serde_json::{Map, Value};

use super::bounded::{self, escaped};
use super::schema::Parts;

/// Replaces a removed text.
const REDACTED: &str = "[redacted]";
/// Removed texts of at least this length are also removed from messages, because a tool can repeat
/// them. Shorter texts occur in other words by chance.
const SHORTEST: usize = 4;
/// The maximum number of texts to search for in messages.
const MOST: usize = 50;

/// Redacts one call.
#[derive(Debug)]
pub(super) struct Redactor {
    is_idle: bool,
    /// Only what the schema marks as secret is removed.
    secrets_only: bool,
    /// The removed texts.
    taken: Vec<String>,
    /// JSON pointers to the removed values.
    found: Vec<String>,
}

impl Redactor {
    /// `is_idle`: nothing is removed.
    pub(super) fn new(is_idle: bool) -> Self {
        Redactor {
            is_idle,
            secrets_only: false,
            taken: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Redacts the arguments. Returns JSON pointers to the removed values.
    pub(super) fn arguments(
        &mut self,
        arguments: &mut Map<String, Value>,
        schema: &Value,
    ) -> Vec<String> {
        if !self.is_idle {
            let parts = Parts::of(schema);
            self.secrets_only = !parts.is_unknown();
            self.object(arguments, &parts, "");
            self.secrets_only = false;
        }
        std::mem::take(&mut self.found)
    }

    /// Redacts the result. Returns whether anything was removed.
    pub(super) fn result(&mut self, value: &mut Value, schema: &Value) -> bool {
        if !self.is_idle {
            self.value(value, &Parts::of(schema), "");
        }
        !std::mem::take(&mut self.found).is_empty()
    }

    /// The result in a few words, without its own texts.
    pub(super) fn summary(&self, value: &Value) -> String {
        match value {
            Value::String(_) if !self.is_idle => "a text".to_owned(),
            value => bounded::summary(value),
        }
    }

    /// A message without the texts that were removed from the call.
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
            Value::String(text) if text.is_empty() || self.is_kept(text, parts) => {}
            Value::Bool(_) | Value::Number(_) | Value::String(_) => self.take(value, pointer),
            Value::Array(_) | Value::Object(_) if parts.is_secret() => self.take(value, pointer),
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
            let is_plain = self.secrets_only || parts.is_unknown() || parts.declares(&key);
            let name = match is_plain {
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

    /// Whether the text is not secret, and, in a result, cannot contain words.
    fn is_kept(&self, text: &str, parts: &Parts<'_>) -> bool {
        let value = Value::String(text.to_owned());
        let looks_formal = uuid::Uuid::parse_str(text).is_ok()
            || text.parse::<jiff::Timestamp>().is_ok()
            || text.parse::<jiff::civil::Date>().is_ok();
        !parts.is_secret()
            && (self.secrets_only || parts.offers(&value) || parts.is_formal() || looks_formal)
    }

    /// Removes a value.
    fn take(&mut self, value: &mut Value, pointer: &str) {
        self.remember_all(value);
        *value = Value::String(REDACTED.to_owned());
        self.found.push(pointer.to_owned());
    }

    fn remember_all(&mut self, value: &Value) {
        match value {
            Value::Null => {}
            Value::String(text) => self.remember(text),
            Value::Bool(_) | Value::Number(_) => self.remember(&value.to_string()),
            Value::Array(items) => items.iter().for_each(|item| self.remember_all(item)),
            Value::Object(object) => object.values().for_each(|value| self.remember_all(value)),
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
