//! JSON as typed: the fallback if no widget fits.

use frontdesk_protocol::exact;
use serde_json::Value;

/// JSON as it was typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    text: String,
    value: Result<Value, String>,
}

impl Json {
    /// Parses the text. Invalid text is kept for correction.
    pub fn read(text: impl Into<String>) -> Json {
        let text = text.into();
        let value = exact::read(&text).map_err(|error| error.to_string());
        Json { text, value }
    }

    /// The value as indented text.
    pub fn of(value: &Value) -> Json {
        Json {
            text: exact::pretty(value),
            value: Ok(value.clone()),
        }
    }

    /// The text as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The parsed value.
    ///
    /// # Errors
    /// The syntax error, with line and column.
    pub fn value(&self) -> Result<&Value, &str> {
        self.value.as_ref().map_err(String::as_str)
    }
}
