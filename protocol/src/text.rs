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

/// Whether the character has no shape: it only formats text, changes the one before it, or is blank without being a space.
#[must_use]
pub fn is_invisible(char: char) -> bool {
    matches!(
        char,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}'..='\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether the character changes the direction of the text around it.
#[must_use]
pub fn is_directional(char: char) -> bool {
    matches!(char, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether the character controls a terminal or a printer: neither a tab nor the end of a line.
fn is_control(char: char) -> bool {
    char.is_control() && char != '\t' && !BREAKS.contains(&char)
}

/// What follows a black flag in the three registered flags of regions: England, Scotland, Wales, in letters of tags.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];
/// The most marks of direction in a row: the end of one part, and the beginning of the next.
const MOST_MARKS: usize = 2;

/// The text without control and invisible characters, apart from those that emoji and scripts need: of several in a row,
/// the first. What is left cannot hold a hidden text.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    with_hidden(text, |_, _| {})
}

/// The text with what `replace` writes in place of each character that [`visible`] removes.
pub fn with_hidden(text: &str, mut replace: impl FnMut(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(|char| is_control(char) || is_invisible(char)) {
        return Cow::Borrowed(text);
    }
    let has_right_to_left = text.contains(is_right_to_left);
    let has_braille = text.contains(|char| matches!(char, '\u{2801}'..='\u{28ff}'));
    let mut kept = String::with_capacity(text.len());
    let (mut before, mut marks) = (None, 0);
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        let follows = |is_base: fn(char) -> bool| before.is_some_and(is_base);
        let is_needed = match char {
            '\u{200b}' => follows(is_without_spaces),
            '\u{200c}' | '\u{200d}' => {
                let next = rest.clone().next();
                follows(is_joined) || follows(is_pictured) && next.is_some_and(is_pictured)
            }
            '\u{fe0e}' | '\u{fe0f}' => follows(has_picture) || follows(is_ideograph),
            '\u{fe00}'..='\u{fe0d}' | '\u{e0100}'..='\u{e01ef}' => follows(is_ideograph),
            '\u{180b}'..='\u{180f}' => follows(is_mongolian),
            '\u{1160}' => follows(|one| matches!(one, '\u{1100}'..='\u{115e}')),
            '\u{2800}' => has_braille,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2066}'..='\u{2069}' => {
                marks += 1;
                has_right_to_left && marks <= MOST_MARKS
            }
            char => !is_control(char) && !is_invisible(char),
        };
        if !is_directional(char) {
            marks = 0;
        }
        match is_needed {
            true => {
                kept.push(char);
                before = Some(char);
            }
            false => replace(&mut kept, char),
        }
        let flag = FLAGS.iter().find(|flag| rest.as_str().starts_with(**flag));
        if let Some(flag) = flag.filter(|_| char == '\u{1f3f4}') {
            kept.push_str(flag);
            rest = rest.as_str()[flag.len()..].chars();
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

/// Whether a selector says that it is drawn as a picture or as text.
fn has_picture(char: char) -> bool {
    is_pictured(char) && char != '\u{fe0f}'
        || matches!(
            char,
            '0'..='9' | '#' | '*' | '©' | '®' | '‼' | '⁉' | '™' | 'ℹ' | '〰' | '〽' | '㊗' | '㊙'
        )
}

/// Whether a selector chooses one of its shapes.
fn is_ideograph(char: char) -> bool {
    matches!(char, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_mongolian(char: char) -> bool {
    matches!(char, '\u{1820}'..='\u{18aa}')
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
            (
                "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} x\u{e0067}",
                "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f} x",
            ),
            ("🏴\u{e0073}\u{e0061}\u{e0079}\u{e007f}", "🏴"),
            ("😀\u{e0101}\u{e0102}a\u{fe0f}", "😀a"),
            (
                "❤\u{fe0f}\u{fe0f}\u{fe00} 1\u{fe0f}\u{20e3}",
                "❤\u{fe0f} 1\u{fe0f}\u{20e3}",
            ),
            ("葛\u{e0100}\u{e0101} 神\u{fe00}", "葛\u{e0100} 神\u{fe00}"),
            ("\u{2800}\u{3164}\u{115f}\u{34f}", ""),
            ("⠓\u{2800}⠊", "⠓\u{2800}⠊"),
            ("ᠨ\u{180b}\u{180c}ᠠ", "ᠨ\u{180b}ᠠ"),
            (
                "של\u{200f}\u{200e}\u{200f}\u{200e}ום",
                "של\u{200f}\u{200e}ום",
            ),
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
