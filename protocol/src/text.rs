//! Characters that are invisible, or look like others.

use std::borrow::Cow;
use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

/// The characters that end a line.
const BREAKS: [char; 7] = [
    '\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}',
];

/// The number of a character, such as `U+200B`.
#[must_use]
pub fn number(char: char) -> String {
    format!("U+{:04X}", u32::from(char))
}

/// Whether the text has more than one line.
#[must_use]
pub fn has_break(text: &str) -> bool {
    text.contains(BREAKS)
}

/// Whether the character only formats text: it has no shape.
#[must_use]
pub fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Whether the character controls a terminal or a printer: neither a tab nor the end of a line.
fn is_control(char: char) -> bool {
    char.is_control() && char != '\t' && !BREAKS.contains(&char)
}

/// The text without control and invisible characters, apart from those that emoji and scripts need.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(|char| is_control(char) || is_invisible(char)) {
        return Cow::Borrowed(text);
    }
    let has_right_to_left = text.contains(is_right_to_left);
    let mut kept = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let is_needed = match char {
            '\u{200b}' => before.is_some_and(is_without_spaces),
            '\u{200c}' | '\u{200d}' => {
                before.is_some_and(is_joined)
                    || before.is_some_and(is_pictured)
                        && chars.peek().is_some_and(|next| is_pictured(*next))
            }
            // The letters in a flag such as that of Scotland.
            '\u{e0020}'..='\u{e007f}' => {
                before.is_some_and(|one| matches!(one, '\u{1f3f4}' | '\u{e0020}'..='\u{e007e}'))
            }
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}' => has_right_to_left,
            char => !is_control(char) && !is_invisible(char),
        };
        if is_needed {
            kept.push(char);
            before = Some(char);
        }
    }
    Cow::Owned(kept)
}

/// The first character of an address, code or login that does not look like what it is, and the reason.
#[must_use]
pub fn misleading(text: &str) -> Option<(char, &'static str)> {
    if text.bytes().all(|byte| matches!(byte, 0x20..0x7f)) {
        return None;
    }
    let unseen = |char: &char| is_invisible(*char) || char.is_control();
    if let Some(char) = text.chars().find(unseen) {
        return Some((char, "which is invisible"));
    }
    let is_wide = |char: &char| !char.is_ascii() && std::iter::once(*char).nfkc().any(is_sign);
    if let Some(char) = text.chars().find(is_wide) {
        return Some((char, "which looks like another character"));
    }
    mixed(text).map(|char| (char, "which looks like a letter of another script"))
}

/// A letter of another script than the rest of its word, as a Cyrillic `а` in a Latin word.
#[must_use]
pub fn mixed(text: &str) -> Option<char> {
    let mut words = text.split(|char: char| !char.is_alphanumeric());
    words.find_map(|word| {
        let letters = || word.chars().filter_map(|char| Some((script(char)?, char)));
        let (first, _) = letters().next()?;
        let (other, _) = letters().find(|(script, _)| *script != first)?;
        let count = |one: Script| letters().filter(|(script, _)| *script == one).count();
        let fewer = match count(first).cmp(&count(other)) {
            Ordering::Less => first,
            Ordering::Equal if other == Script::Latin => first,
            _ => other,
        };
        let (_, char) = letters().find(|(script, _)| *script == fewer)?;
        Some(char)
    })
}

/// The scripts whose letters look like those of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
}

fn script(char: char) -> Option<Script> {
    match char {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
            Some(Script::Latin)
        }
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Script::Greek),
        '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{a640}'..='\u{a69f}' => {
            Some(Script::Cyrillic)
        }
        '\u{530}'..='\u{58f}' => Some(Script::Armenian),
        '\u{13a0}'..='\u{13ff}' | '\u{ab70}'..='\u{abbf}' => Some(Script::Cherokee),
        _ => None,
    }
}

fn is_sign(char: char) -> bool {
    matches!(char, '!'..='~')
}

/// Whether letters of its script join, or have other forms beside a joiner.
fn is_joined(char: char) -> bool {
    is_right_to_left(char)
        || matches!(
            char,
            '\u{900}'..='\u{109f}' | '\u{1700}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{11000}'..='\u{11fff}'
        )
}

fn is_right_to_left(char: char) -> bool {
    matches!(char, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Whether its script writes no spaces between words.
fn is_without_spaces(char: char) -> bool {
    matches!(char, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Whether it is a part of an emoji.
fn is_pictured(char: char) -> bool {
    matches!(char, '\u{2190}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_removed_where_nothing_needs_them() {
        for (text, expected) in [
            ("Ana\u{200b} Sá\u{feff}", "Ana Sá"),
            ("\u{202e}evil\u{202c} soft\u{ad}hyphen", "evil softhyphen"),
            ("a\u{200d}b\u{200c}c\u{2066}d\u{2069}", "abcd"),
            (
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥",
                "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f}\u{200d}🔥",
            ),
            ("😀\u{200d}", "😀"),
            ("🏴\u{e0067}\u{e007f} x\u{e0067}", "🏴\u{e0067}\u{e007f} x"),
            ("می\u{200c}خواهم", "می\u{200c}خواهم"),
            ("क्\u{200d}ष", "क्\u{200d}ष"),
            ("ភាសា\u{200b}ខ្មែរ", "ភាសា\u{200b}ខ្មែរ"),
            ("שלום\u{200f} (a)\u{200b}", "שלום\u{200f} (a)"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_character_that_misleads_is_found() {
        for (text, expected) in [
            ("bia.\u{200b}melo@example.org", Some('\u{200b}')),
            ("bia\u{ff20}example.org", Some('\u{ff20}')),
            ("bia@ex\u{430}mple.org", Some('\u{430}')),
            ("\u{430}\u{441}a@example.org", Some('a')),
            ("A\u{39f}-1", Some('\u{39f}')),
            ("\u{410}B-1", Some('\u{410}')),
            ("tab\there", Some('\t')),
            ("anna@пример.рф", None),
            ("joão.straße@example.org", None),
            ("山田-1@example.org", None),
            ("α-test", None),
        ] {
            assert_eq!(misleading(text).map(|(char, _)| char), expected, "{text:?}");
        }
        assert_eq!(number('\u{200b}'), "U+200B");
        assert_eq!(number('\u{1d173}'), "U+1D173");
    }
}
