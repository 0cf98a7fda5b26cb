//! Numbers that no 64-bit type holds digit for digit, within `serde_json::Value`.
//!
//! `serde_json` can keep the digits of all numbers (`arbitrary_precision`), but then every number of
//! the workspace is a text, and untagged enums cannot be read. Here such
//! a number is a string that begins with a mark: tables show it as it is, and the writers of this
//! module write it as a number again.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, PrettyFormatter, Serializer};
use serde_json::{Number, Value};

/// The first character of a marked number. Screens drop it, like all control characters.
const MARK: char = '\u{1a}';

/// The value of a JSON number; `None` if the text is not a number.
pub fn number(digits: &str) -> Option<Value> {
    match serde_json::from_str::<Number>(digits) {
        Ok(number) if number.to_string() == digits => Some(Value::Number(number)),
        _ if is_number(digits) => Some(Value::String(format!("{MARK}{digits}"))),
        _ => None,
    }
}

/// The digits of a marked number.
pub fn digits(value: &Value) -> Option<&str> {
    let digits = value.as_str()?.strip_prefix(MARK)?;
    is_number(digits).then_some(digits)
}

/// A number, marked or not, as the nearest float.
pub fn as_f64(value: &Value) -> Option<f64> {
    match digits(value) {
        Some(digits) => digits.parse().ok(),
        None => value.as_f64(),
    }
}

/// The same value with the nearest floats instead of marked numbers.
pub fn rounded(value: &Value) -> Value {
    match (value, digits(value)) {
        (_, Some(digits)) => {
            let nearest = digits.parse::<f64>().unwrap_or_default();
            nearest.clamp(f64::MIN, f64::MAX).into()
        }
        (Value::Array(values), _) => values.iter().map(rounded).collect(),
        (Value::Object(fields), _) => {
            let fields = fields.iter();
            Value::Object(
                fields
                    .map(|(name, value)| (name.clone(), rounded(value)))
                    .collect(),
            )
        }
        (value, _) => value.clone(),
    }
}

/// A value in a table: a text as it is, a number with its digits, otherwise JSON.
pub fn plain(value: &Value) -> String {
    match (value, digits(value)) {
        (_, Some(digits)) => digits.to_owned(),
        (Value::String(text), None) => text.clone(),
        (other, None) => text(other),
    }
}

/// Reads JSON, and keeps the digits of its numbers.
///
/// # Errors
/// The text is not JSON.
pub fn read(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(&mark(text))
}

/// The same JSON with numbers marked where needed.
pub fn mark(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut marked = String::new();
    let (mut at, mut copied) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = end_of_string(bytes, at),
            b'-' | b'0'..=b'9' => {
                let rest = &bytes[at..];
                let length = rest.iter().position(|byte| !is_digit(*byte));
                let end = at + length.unwrap_or(rest.len());
                let digits = &text[at..end];
                if let Some(Value::String(_)) = needs_mark(digits).then(|| number(digits)).flatten()
                {
                    marked.push_str(&text[copied..at]);
                    marked.push_str("\"\\u001a");
                    marked.push_str(digits);
                    marked.push('"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    match marked.is_empty() {
        true => Cow::Borrowed(text),
        false => Cow::Owned(marked + &text[copied..]),
    }
}

/// The position after a string of JSON that begins here, or the end of a text that breaks off in it.
pub fn end_of_string(bytes: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
}

/// Whether a number has to be looked at: integers of up to 18 digits are held as they are.
fn needs_mark(digits: &str) -> bool {
    digits.len() > 18
        || digits.starts_with("-0")
        || !digits[1..].bytes().all(|it| it.is_ascii_digit())
}

/// Whether this is a number as in JSON.
fn is_number(digits: &str) -> bool {
    // Reading without a type checks the syntax and not the range.
    digits.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && digits.ends_with(|last: char| last.is_ascii_digit())
        && serde_json::from_str::<serde::de::IgnoredAny>(digits).is_ok()
}

/// Writes compact JSON, with marked numbers as numbers.
///
/// # Errors
/// As for `serde_json::to_vec`.
pub fn to_vec(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut written = Vec::new();
    write(value, &mut written)?;
    Ok(written)
}

/// Writes compact JSON, with marked numbers as numbers.
///
/// # Errors
/// As for `serde_json::to_writer`.
pub fn write(value: &impl Serialize, to: impl io::Write) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(
        to,
        Exact::of(CompactFormatter),
    ))
}

/// Writes indented JSON, with marked numbers as numbers.
///
/// # Errors
/// As for `serde_json::to_writer_pretty`.
pub fn write_pretty(value: &impl Serialize, to: impl io::Write) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(
        to,
        Exact::of(PrettyFormatter::new()),
    ))
}

/// Compact JSON, with marked numbers as numbers.
pub fn text(value: &Value) -> String {
    // A value always has a text.
    String::from_utf8(to_vec(value).unwrap_or_default()).unwrap_or_default()
}

/// Indented JSON, with marked numbers as numbers.
pub fn pretty(value: &Value) -> String {
    let mut written = Vec::new();
    let _ = write_pretty(value, &mut written);
    String::from_utf8(written).unwrap_or_default()
}

/// What was written of a string.
enum Within {
    Nothing,
    Mark,
    Text,
    Number,
}

/// A format whose strings lose quotes and mark if they are marked numbers.
struct Exact<F> {
    format: F,
    within: Within,
}

impl<F> Exact<F> {
    fn of(format: F) -> Self {
        Exact {
            format,
            within: Within::Text,
        }
    }
}

impl<F: Formatter> Exact<F> {
    /// Writes the beginning of a string that is no number.
    fn begin<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        match std::mem::replace(&mut self.within, Within::Text) {
            Within::Nothing => self.format.begin_string(writer),
            Within::Mark => {
                self.format.begin_string(writer)?;
                self.format
                    .write_char_escape(writer, CharEscape::AsciiControl(MARK as u8))
            }
            Within::Text | Within::Number => Ok(()),
        }
    }
}

macro_rules! same {
    ($($name:ident($($argument:ident: $kind:ty),*);)*) => {$(
        fn $name<W: ?Sized + io::Write>(&mut self, writer: &mut W $(, $argument: $kind)*) -> io::Result<()> {
            self.format.$name(writer $(, $argument)*)
        }
    )*};
}

impl<F: Formatter> Formatter for Exact<F> {
    same! {
        begin_array(); end_array(); begin_array_value(first: bool); end_array_value();
        begin_object(); end_object(); begin_object_key(first: bool); end_object_key();
        begin_object_value(); end_object_value();
    }

    fn begin_string<W: ?Sized + io::Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.within = Within::Nothing;
        Ok(())
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        let is_mark = matches!(escape, CharEscape::AsciiControl(it) if char::from(it) == MARK);
        if is_mark && matches!(self.within, Within::Nothing) {
            self.within = Within::Mark;
            return Ok(());
        }
        self.begin(writer)?;
        self.format.write_char_escape(writer, escape)
    }

    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        if matches!(self.within, Within::Mark) && is_number(fragment) {
            self.within = Within::Number;
            return writer.write_all(fragment.as_bytes());
        }
        self.begin(writer)?;
        self.format.write_string_fragment(writer, fragment)
    }

    fn end_string<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        if matches!(self.within, Within::Number) {
            self.within = Within::Text;
            return Ok(());
        }
        self.begin(writer)?;
        self.format.end_string(writer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn digits_are_what_they_were() {
        for digits in [
            "0",
            "-1",
            "1.0",
            "1.10",
            "1e3",
            "5E-324",
            "-0",
            "-0.0",
            "9007199254740993",
            "18446744073709551615",
            "123456789012345678901234567890",
            "-98765432109876543210.5",
            "0.1234567890123456789",
            "1e400",
            "1E+2",
        ] {
            let value = number(digits).expect("a number");
            assert_eq!(text(&value), digits);
            let list = format!("{{\"a\":[{digits},\"{digits}\",\"\\\"{digits}\"]}}");
            assert_eq!(text(&read(&list).expect("JSON")), list);
        }
        assert_eq!(
            number("12"),
            Some(json!(12)),
            "no mark where none is needed"
        );
        assert_eq!(digits(&read("1.10").expect("JSON")), Some("1.10"));
        assert_eq!(as_f64(&read("1.10").expect("JSON")), Some(1.1));
    }

    #[test]
    fn texts_are_no_numbers() {
        for text in ["", "1", "\u{1a}", "\u{1a}x", "\u{1a}1,\"a\":2", "a\u{1a}1"] {
            let value = Value::from(text);
            let written = super::text(&value);
            assert_eq!(written, value.to_string());
        }
        for digits in ["", "-", "01", "1.", "NaN", " 1", "1 ", "+1"] {
            assert_eq!(number(digits), None, "{digits:?}");
        }
    }

    #[test]
    fn the_formats_are_those_of_serde_json() {
        let value = json!({ "a": [1, "b\n", null, { "c": true }], "d": [], "": {} });
        assert_eq!(text(&value), value.to_string());
        assert_eq!(
            pretty(&value),
            serde_json::to_string_pretty(&value).expect("a text")
        );
    }
}
