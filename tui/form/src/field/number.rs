//! Parses numbers as people type them.

use serde_json::{Number, Value};

/// The number in this text; `None` if JSON has no such number.
///
/// Integers keep all digits. Surrounding spaces, a leading `+`, a missing digit at the point (`.5`,
/// `5.`) and a decimal comma (`120,50`) are accepted; `1,500` is ambiguous and refused.
pub(super) fn read(text: &str) -> Option<Value> {
    let text = text.trim();
    let text = text.strip_prefix('+').unwrap_or(text);
    let pointed = match text.split_once(',') {
        Some((whole, part)) if part.len() != 3 && !whole.contains('.') => {
            Some(format!("{whole}.{part}"))
        }
        _ => None,
    };
    let text = pointed.as_deref().unwrap_or(text);
    let starts_well = text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    if !starts_well || !is_plain {
        return None;
    }
    if text != "-0"
        && let Ok(whole) = text.parse::<i64>()
    {
        return Some(whole.into());
    }
    if let Ok(whole) = text.parse::<u64>() {
        return Some(whole.into());
    }
    if is_too_long(text) {
        return None;
    }
    // The standard library rounds correctly; serde_json can be off by one unit in the last place.
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    Number::from_f64(number?).map(Value::Number)
}

/// Whether it is an integer with more digits than can be sent without rounding.
pub(super) fn is_too_long(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']);
    digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_is_read_as_it_is_meant() {
        for (text, expected) in [
            ("12", json!(12)),
            (" -3 ", json!(-3)),
            ("+5", json!(5)),
            ("1.0", json!(1.0)),
            (".5", json!(0.5)),
            ("5.", json!(5.0)),
            ("120,50", json!(120.5)),
            ("-1,5", json!(-1.5)),
            ("1e3", json!(1000.0)),
            ("18446744073709551615", json!(u64::MAX)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("0.1", json!(0.1)),
            ("007", json!(7)),
        ] {
            assert_eq!(read(text), Some(expected), "{text}");
        }
        for text in [
            "",
            " ",
            "x",
            "1,500",
            "1,2,3",
            "1.000,50",
            "1 000",
            "1e999",
            "inf",
            "NaN",
            "0x10",
            "-",
            ".",
            "++1",
            "18446744073709551616",
            "-9223372036854775809",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
