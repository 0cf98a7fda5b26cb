//! What in a text is secret or about a person, whatever the field is called: e-mail addresses, phone
//! numbers, tokens.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// One pattern, so that what is found first decides: a date or an id is no phone number.
static PATTERN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let alternatives = [
        // What is no phone number, though it looks like one.
        r"(?<plain>\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b",
        r"|\b(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?\b)",
        r"|(?<secret>-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"|\beyJ[\w-]{8,}(?:\.[\w-]*)*",
        r"|(?i:\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}",
        r"|\b(?:gh[pousr]_|github_pat_|glpat-|sk-|sk_live_|rk_live_|xox[abeprs]-|AKIA|AIza)[\w-]{8,}",
        r#"|(?i:\b(?:password|passwd|passwort|pwd|passphrase|secret|[a-z_-]{0,20}token|api[_-]?key|access[_-]?key|signature|sig)\s*[:=]\s*)[^\s&"']+)"#,
        r"|(?<phone>\+?[0-9(][0-9 ()./\u{a0}\u{2010}-\u{2013}-]{4,25}[0-9])",
    ];
    Regex::new(&alternatives.concat()).ok()
});

/// What an e-mail address has neither before nor behind its sign.
const AROUND: &str = "@<>()[]{},;:\"'`|\\/?&=";

/// The text without what is secret or about a person. `is_id`: it is an id, and digits in it are no
/// phone number.
pub(super) fn hidden(text: &str, is_id: bool) -> Cow<'_, str> {
    let Some(pattern) = PATTERN.as_ref() else {
        // The pattern does not change; a test fails where it is wrong.
        return Cow::Borrowed("[redacted]");
    };
    let left = without_addresses(&without_addresses(text, "@"), "%40");
    let left = without_others(pattern, &left, is_id);
    match left == text {
        true => Cow::Borrowed(text),
        false => Cow::Owned(left),
    }
}

/// The text without e-mail addresses, whose sign is this. By hand: an expression would look from
/// each letter on for a sign that may be far away.
fn without_addresses(text: &str, sign: &str) -> String {
    let is_end = |letter: char| letter.is_whitespace() || AROUND.contains(letter);
    let mut out = String::new();
    let mut copied = 0;
    for (at, _) in text.match_indices(sign) {
        let before = text.get(copied..at).unwrap_or_default();
        let local = before.rsplit(is_end).next().unwrap_or_default();
        let after = &text[at + sign.len()..];
        let domain = after.split(is_end).next().unwrap_or_default();
        // `left-pad@1.3.0`
        let is_version = domain
            .trim_start_matches(['^', '~', 'v'])
            .chars()
            .all(|letter| letter.is_ascii_digit() || letter == '.');
        if local.is_empty() || domain.is_empty() || is_version {
            continue;
        }
        out.push_str(&text[copied..at - local.len()]);
        out.push_str("[e-mail]");
        copied = at + sign.len() + domain.len();
    }
    out.push_str(&text[copied..]);
    out
}

fn without_others(pattern: &Regex, text: &str, is_id: bool) -> String {
    let mut out = String::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some(found) = pattern.captures_at(text, from) {
        let Some(whole) = found.get(0) else { break };
        match what(text, &found, is_id) {
            What::Hidden(word) => {
                out.push_str(&text[copied..whole.start()]);
                out.push_str(word);
                copied = whole.end();
                from = whole.end();
            }
            What::Plain => from = whole.end(),
            // What begins within a word is none, but what comes after the word may be one.
            What::Unclear => {
                let rest = &text[whole.start()..];
                let first = rest.chars().next().map_or(1, char::len_utf8);
                let word = rest.find(|letter: char| !letter.is_alphanumeric());
                from = whole.start() + word.unwrap_or(rest.len()).max(first);
            }
        }
    }
    out.push_str(&text[copied..]);
    out
}

/// What was found.
enum What {
    /// Something that is not to be kept; what stands in its place.
    Hidden(&'static str),
    /// An id, a time, an amount.
    Plain,
    /// Nothing, but something may begin in it.
    Unclear,
}

fn what(text: &str, found: &Captures<'_>, is_id: bool) -> What {
    if found.name("secret").is_some() {
        return What::Hidden("[secret]");
    }
    let Some(phone) = found.name("phone") else {
        return What::Plain;
    };
    let before = text[..phone.start()].chars().next_back();
    let after = text[phone.end()..].chars().next();
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    if is_id || is_word(before) || is_word(after) {
        return What::Unclear;
    }
    let text = phone.as_str();
    match (is_amount(text), is_phone(text)) {
        (true, _) => What::Plain,
        (false, true) => What::Hidden("[phone]"),
        (false, false) => What::Unclear,
    }
}

/// Whether it is an amount, an IP address or a day.
fn is_amount(text: &str) -> bool {
    let numbers: Vec<&str> = text.split('.').collect();
    let is_number =
        |number: &&str| !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
    if !numbers.iter().all(is_number) {
        return false;
    }
    match numbers.as_slice() {
        [whole, _] => !whole.starts_with('0'),
        [day, month, year] => day.len() <= 2 && month.len() <= 2 && year.len() == 4,
        [_, _, _, _] => numbers.iter().all(|number| number.parse::<u8>().is_ok()),
        _ => false,
    }
}

/// Whether digits with separators are likely to be a phone number.
fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit());
    match is_plain {
        true => (10..=15).contains(&digits) || (digits >= 8 && text.starts_with('0')),
        false => (7..=17).contains(&digits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_is_one() {
        assert!(PATTERN.is_some());
    }

    #[test]
    fn addresses_numbers_and_tokens_go() {
        for (text, left) in [
            (
                "Write to zoe@example.org, please",
                "Write to [e-mail], please",
            ),
            ("mailto:zoe.m+x@example.org", "mailto:[e-mail]"),
            ("?to=zoe%40example.org&x=1", "?to=[e-mail]&x=1"),
            ("Zoë <zoë@bücher.example>", "Zoë <[e-mail]>"),
            ("call +49 151 2345678 now", "call [phone] now"),
            ("(030) 1234567", "[phone]"),
            ("030/123 45-67", "[phone]"),
            ("4155550123", "[phone]"),
            ("+14155550123", "[phone]"),
            ("12345 zoe@example.org", "12345 [e-mail]"),
            ("x0151 2345678@example.org", "x0151 [e-mail]"),
            (
                "Authorization: Bearer abc.def-123456",
                "Authorization: [secret]",
            ),
            (
                "https://x.example/?access_token=s3cr3t&a=1",
                "https://x.example/?[secret]&a=1",
            ),
            ("password: hunter2", "[secret]"),
            ("eyJhbGciOiJI.eyJzdWIi.sig", "[secret]"),
        ] {
            assert_eq!(hidden(text, false), left, "{text}");
        }
    }

    #[test]
    fn ids_dates_and_amounts_stay() {
        for text in [
            "0190a1b2-0000-7000-8000-000000000001",
            "2026-03-12",
            "2026-03-12T18:30:00.25+01:00",
            "2026-03-12 10:00",
            "12.03.2026",
            "192.168.100.254",
            "1234567.89",
            "123456",
            "left-pad@1.3.0",
            "@scope/package",
            "deadbeef0123456789",
            "10:00–18:00",
            "Summer Open Day 2026",
        ] {
            assert_eq!(hidden(text, false), text);
        }
        assert_eq!(hidden("4155550123", true), "4155550123");
    }

    #[test]
    fn a_long_text_takes_no_long_time() {
        for part in ["1", "a1234567.", "@", "a@", "+", "x token"] {
            let text = format!("a{}", part.repeat(20_000 / part.len()));
            assert!(!hidden(&text, false).is_empty());
        }
    }
}
