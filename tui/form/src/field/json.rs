//! JSON as it was typed: the way out where no widget fits.

use serde_json::Value;

/// JSON as it was typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    text: String,
    value: Result<Value, String>,
}

impl Json {
    /// Reads the text. Text that is no JSON stays as it is, to be mended.
    pub fn read(text: impl Into<String>) -> Json {
        let text = text.into();
        let value = serde_json::from_str(&text).map_err(|error| error.to_string());
        Json { text, value }
    }

    /// The value, as text over several lines.
    pub fn of(value: &Value) -> Json {
        Json {
            text: serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
            value: Ok(value.clone()),
        }
    }

    /// The text as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it means.
    ///
    /// # Errors
    /// Why it is no JSON, with line and column.
    pub fn value(&self) -> Result<&Value, &str> {
        self.value.as_ref().map_err(String::as_str)
    }
}
