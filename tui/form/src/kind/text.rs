//! What kind of text a text is.

use serde_json::{Map, Value};

use super::{Format, Text};

/// From this length on a text is likely to have several lines.
const LONG: u64 = 1000;

/// Names of texts that have several lines, where the schema does not say how long they get.
const LONG_NAMES: [&str; 14] = [
    "body",
    "code",
    "comment",
    "content",
    "contents",
    "description",
    "diff",
    "markdown",
    "message",
    "newText",
    "notes",
    "oldText",
    "prompt",
    "text",
];

impl Text {
    pub(super) fn read(words: &Map<String, Value>, name: &str) -> Text {
        let number = |keyword: &str| words.get(keyword).and_then(Value::as_u64);
        let text = |keyword: &str| words.get(keyword).and_then(Value::as_str);
        let format = text("format").map(Format::read);
        let max = number("maxLength");
        let is_marked = matches!(text("format"), Some("textarea" | "multiline" | "markdown"))
            || text("contentMediaType").is_some_and(|media| media.starts_with("text/"));
        let is_long = match (&format, max) {
            (Some(_), _) => false,
            (None, Some(max)) => max >= LONG,
            (None, None) => LONG_NAMES.contains(&name) && !words.contains_key("pattern"),
        };
        Text {
            multiline: is_marked || is_long,
            secret: text("format") == Some("password")
                || words.get("writeOnly") == Some(&Value::Bool(true)),
            format,
            min: number("minLength"),
            max,
            pattern: text("pattern").map(str::to_owned),
        }
    }
}

impl Format {
    fn read(name: &str) -> Format {
        match name {
            "date" => Format::Date,
            "date-time" => Format::DateTime,
            "time" => Format::Time,
            "uuid" => Format::Uuid,
            "uri" | "url" => Format::Uri,
            "email" => Format::Email,
            other => Format::Other(other.to_owned()),
        }
    }

    /// How it is written.
    pub fn example(&self) -> Option<&'static str> {
        match self {
            Format::Date => Some("2026-03-12"),
            Format::DateTime => Some("2026-03-12T18:30:00Z"),
            Format::Time => Some("18:30:00Z"),
            Format::Uuid => Some("0190a1b2-0000-7000-8000-000000000001"),
            Format::Uri => Some("https://example.org/photo.jpg"),
            Format::Email => Some("name@example.org"),
            Format::Other(_) => None,
        }
    }
}

/// Texts that people know how to write; what a pattern asks for is shown by the first that fits.
const KNOWN: [&str; 6] = [
    "18:30",
    "2026-03-12",
    "#1A2B3C",
    "+5511987654321",
    "a-short-name",
    "AB-12",
];

/// How a text of this pattern is written: an example, or else the pattern itself.
pub(crate) fn written(pattern: &str) -> &str {
    let checked = serde_json::json!({ "pattern": pattern });
    let Ok(checked) = jsonschema::validator_for(&checked) else {
        return pattern;
    };
    let mut known = KNOWN.into_iter();
    known
        .find(|text| checked.is_valid(&Value::from(*text)))
        .unwrap_or(pattern)
}
