//! Determines the kind of a text: format, length, secrecy.

use serde_json::{Map, Value};

use super::{Format, Text};

/// From this maximum length on, a text probably has several lines.
const LONG: u64 = 1000;

/// Names of multi-line texts, used if the schema gives no length.
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
            is_clock: text("pattern").is_some_and(|pattern| written(pattern) == KNOWN[0]),
            pattern: text("pattern").map(str::to_owned),
        }
    }
}

impl Text {
    /// The text as it is sent: a time of day with two digits of hours, and with minutes; an e-mail address without spaces
    /// around it.
    pub(crate) fn completed(&self, text: &str) -> String {
        let (hours, minutes) = text.trim().split_once(':').unwrap_or((text.trim(), "00"));
        let is_short = (1..3).contains(&hours.len()) && hours.bytes().all(|b| b.is_ascii_digit());
        match self.is_clock && is_short {
            true => format!("{hours:0>2}:{minutes}"),
            false if self.format == Some(Format::Email) => text.trim().to_owned(),
            false => text.to_owned(),
        }
    }

    /// An example of its pattern, or the pattern itself.
    pub fn like(&self) -> Option<&str> {
        self.pattern.as_deref().map(written)
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

    /// An example of the format.
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

/// Formats people know. A pattern is shown as the first of these that matches it.
const KNOWN: [&str; 6] = [
    "18:30",
    // Before the date, which is a short name too.
    "a-short-name",
    "2026-03-12",
    "#1A2B3C",
    "+5511987654321",
    "AB-12",
];

/// An example for this pattern, or the pattern itself.
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
