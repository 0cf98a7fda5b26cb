//! Numbers as people write them: `1.250,50`, `1 250.50`, `(4.50)`.

use serde_json::{Number, Value};

/// The spaces and apostrophes between groups of digits.
const BETWEEN: [char; 6] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '’'];

/// The mark before the decimal places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `1250.50`, `1,250.50`
    Point,
    /// `1250,50`, `1.250,50`
    Comma,
}

/// Why a text is not read as a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The text is no number, or one that JSON cannot hold.
    #[error("is not a number")]
    Not,
    /// The mark can be a decimal mark, or separate thousands.
    #[error("can be {0} or {1}; write one of them")]
    Either(String, String),
}

/// The decimal mark of a column: the one of all numbers that show it. `None` if none does, or they differ.
pub fn mark<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Mark> {
    let shown = texts.into_iter().filter_map(|text| {
        let body = text.contains(['.', ',']).then(|| unsigned(text))??.1;
        match [Mark::Point, Mark::Comma].map(|mark| plain(body, mark)) {
            [Some(_), None] => Some(Mark::Point),
            [None, Some(_)] => Some(Mark::Comma),
            _ => None,
        }
    });
    let mut shown = shown.peekable();
    let first = *shown.peek()?;
    shown.all(|mark| mark == first).then_some(first)
}

/// The number in this text, with all digits. `mark` is the decimal mark if it is known.
///
/// # Errors
/// [`Unread`].
pub fn read(text: &str, mark: Option<Mark>) -> Result<Value, Unread> {
    let text = text.trim();
    // As JSON writes numbers of many digits.
    if text.contains('e')
        && let Ok(number) = text.parse::<f64>()
        && let Some(number) = Number::from_f64(number).filter(|number| number.to_string() == text)
    {
        return Ok(Value::Number(number));
    }
    let (is_negative, body) = unsigned(text).ok_or(Unread::Not)?;
    let signed = |body: String| match is_negative {
        true => format!("-{body}"),
        false => body,
    };
    let body = match [Mark::Point, Mark::Comma].map(|mark| plain(body, mark)) {
        [Some(pointed), Some(grouped)] if pointed != grouped => match (mark, text.contains(',')) {
            // JSON writes no 0 at the end.
            (None, false) if !pointed.ends_with('0') => pointed,
            (None, false) => {
                let shorter = pointed.trim_end_matches('0').trim_end_matches('.');
                return Err(Unread::Either(signed(grouped), signed(shorter.to_owned())));
            }
            (None, true) => return Err(Unread::Either(signed(pointed), signed(grouped))),
            (Some(Mark::Point), _) => pointed,
            (Some(Mark::Comma), _) => grouped,
        },
        [Some(body), _] | [None, Some(body)] => body,
        [None, None] => return Err(Unread::Not),
    };
    value(&signed(body)).ok_or(Unread::Not)
}

/// Whether it is an integer with more digits than can be sent without rounding.
fn is_too_long(text: &str) -> bool {
    let digits = text.trim().trim_start_matches(['+', '-']);
    digits.len() > 18 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The JSON number of a decimal number.
fn value(text: &str) -> Option<Value> {
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

/// The text without a mark of currency before or after it: `R$ 12,50`, `12,50 €`, `CHF 12.50`.
fn without_currency(text: &str) -> &str {
    let is_edge = |char: char| char.is_ascii_digit() || "()-−+.,".contains(char);
    let (Some(start), Some(end)) = (text.find(is_edge), text.rfind(is_edge)) else {
        return text;
    };
    let end = end + text[end..].chars().next().map_or(0, char::len_utf8);
    let is_mark = |mark: &str| {
        let mark = mark.trim();
        let is_code = mark.len() == 3 && mark.bytes().all(|byte| byte.is_ascii_uppercase());
        mark.is_empty()
            || is_code
            || ["€", "R$", "$", "US$", "£", "¥", "kr", "zł", "Kč", "Fr"].contains(&mark)
    };
    match is_mark(&text[..start]) && is_mark(&text[end..]) {
        true => &text[start..end],
        false => text,
    }
}

/// Whether the number is negative, and the text without its sign and its currency.
fn unsigned(text: &str) -> Option<(bool, &str)> {
    let minus = ['-', '−'];
    let text = without_currency(text.trim());
    let inner = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    let before = || {
        text.strip_prefix(minus)
            .or_else(|| text.strip_suffix(minus))
    };
    let (is_negative, body) = match (inner.or_else(before), text.strip_prefix('+')) {
        (Some(body), _) => (true, body),
        (None, Some(body)) => (false, body),
        (None, None) => (false, text),
    };
    // The sign stands before the currency: -R$ 12,50.
    let body = without_currency(body.trim());
    body.starts_with(|char: char| char.is_ascii_digit())
        .then_some((is_negative, body))
}

/// The digits of a number with this decimal mark, and a point in place of the mark. `None` if it is not written so.
fn plain(body: &str, mark: Mark) -> Option<String> {
    let (decimal, group) = match mark {
        Mark::Point => ('.', ','),
        Mark::Comma => (',', '.'),
    };
    let (whole, part) = match body.split_once(decimal) {
        Some((whole, part)) => (whole, Some(part)),
        None => (body, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_between = |char: &char| *char == group || BETWEEN.contains(char);
    let plain = match whole.chars().find(is_between) {
        None => whole.to_owned(),
        Some(between) => {
            let mut groups = whole.split(between);
            let first = groups.next()?;
            let is_whole = first.len() <= 3 && !first.starts_with('0');
            (is_whole && groups.all(|group| group.len() == 3))
                .then(|| whole.replace(between, ""))?
        }
    };
    match part {
        _ if !is_digits(&plain) => None,
        None => Some(plain),
        Some(part) => is_digits(part).then(|| format!("{plain}.{part}")),
    }
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
            ("120,50", json!(120.5)),
            ("-1,5", json!(-1.5)),
            ("0,125", json!(0.125)),
            ("48.125", json!(48.125)),
            ("1e-7", json!(1e-7)),
            ("18446744073709551615", json!(u64::MAX)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("0.1", json!(0.1)),
            ("007", json!(7)),
            ("1.250,50", json!(1250.5)),
            ("1,250.50", json!(1250.5)),
            ("1 250,50", json!(1250.5)),
            ("1\u{202f}250", json!(1250)),
            ("1'250.50", json!(1250.5)),
            ("1.250.000", json!(1_250_000)),
            ("(4.50)", json!(-4.5)),
            ("4,50-", json!(-4.5)),
            ("−4", json!(-4)),
        ] {
            assert_eq!(read(text, None), Ok(expected), "{text}");
        }
        for text in [
            "",
            " ",
            "x",
            "1,2,3",
            "1.25,00.5",
            "12 34",
            "1e2",
            ".5",
            "5.",
            "1e999",
            "inf",
            "NaN",
            "0x10",
            "-",
            ".",
            "++1",
            "(-1)",
            "--1",
            "18446744073709551616",
            "-9223372036854775809",
        ] {
            assert_eq!(read(text, None), Err(Unread::Not), "{text}");
        }
        for (text, one, other) in [
            ("1.250", "1250", "1.25"),
            ("-10.000", "-10000", "-10"),
            ("1,500", "1500", "1.500"),
        ] {
            let found = read(text, None).expect_err(text);
            let Unread::Either(first, second) = found else {
                panic!("{text}: {found:?}");
            };
            let mut found = [first, second];
            found.sort_by_key(String::len);
            let mut expected = [one.to_owned(), other.to_owned()];
            expected.sort_by_key(String::len);
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_column_has_one_decimal_mark() {
        for (column, expected) in [
            (vec!["1.250", "1234,56", "10.000"], Some(Mark::Comma)),
            (vec!["1.250", "12.5"], Some(Mark::Point)),
            (vec!["1,250,000", "1,250"], Some(Mark::Point)),
            (vec!["1.250", "10.000", "7"], None),
            (vec!["1,5", "1.5"], None),
            (vec!["1.5", "see below, 5"], Some(Mark::Point)),
        ] {
            assert_eq!(mark(column.iter().copied()), expected, "{column:?}");
        }
        assert_eq!(read("1.250", Some(Mark::Comma)), Ok(json!(1250)));
        assert_eq!(read("1.250", Some(Mark::Point)), Ok(json!(1.25)));
    }
}
