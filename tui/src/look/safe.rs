//! Makes text from servers safe for terminals, which obey control characters, and for spreadsheets,
//! which evaluate formulas.

use std::borrow::Cow;
use std::fmt::Write;

use frontdesk_protocol::text::with_hidden;

use super::text::{clean, is_unsafe};

/// The text without characters that affect a terminal; line breaks are kept.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    if text
        .bytes()
        .all(|byte| (0x20..0x7f).contains(&byte) || byte == b'\n')
    {
        return Cow::Borrowed(text);
    }
    let lines: Vec<_> = text.split('\n').map(clean).collect();
    Cow::Owned(lines.join("\n"))
}

/// JSON with unsafe and hidden characters escaped. They only occur in strings, so the JSON is equivalent.
pub fn safe_json(json: &str) -> Cow<'_, str> {
    let is_escaped = |char: char| is_unsafe(char) && char != '\n';
    let shown = with_hidden(json, escape);
    if !shown.contains(is_escaped) {
        return shown;
    }
    let mut safe = String::with_capacity(shown.len() + 16);
    for char in shown.chars() {
        match is_escaped(char) {
            true => escape(&mut safe, char),
            false => safe.push(char),
        }
    }
    Cow::Owned(safe)
}

fn escape(safe: &mut String, char: char) {
    for unit in char.encode_utf16(&mut [0; 2]) {
        let _ = write!(safe, "\\u{unit:04x}");
    }
}

/// The cell, protected from evaluation by an apostrophe if it begins like a formula. Numbers are
/// unchanged.
pub(crate) fn no_formula(cell: &str) -> Cow<'_, str> {
    match is_formula(cell) {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// The inverse of [`no_formula`].
pub(crate) fn formula(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest,
        _ => cell,
    }
}

/// Whether a spreadsheet would evaluate the cell, or takes its first apostrophe for a mark of text.
fn is_formula(cell: &str) -> bool {
    let start = cell.trim_start_matches('\'');
    let begins = start.starts_with(['=', '+', '-', '@', '\t', '\r']);
    begins && start.parse::<f64>().is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_like_a_formula_is_text() {
        for (cell, safe) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+49 30 1", "'+49 30 1"),
            ("-3.5e2", "-3.5e2"),
            ("'=x", "''=x"),
            ("'x", "'x"),
            ("Zoë", "Zoë"),
            ("", ""),
        ] {
            assert_eq!(no_formula(cell), safe);
            assert_eq!(formula(safe), cell);
        }
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(lines("a\u{1b}[1m\nb\r"), "a[1m\nb ");
        assert_eq!(lines("a\nb"), "a\nb");
    }
}
