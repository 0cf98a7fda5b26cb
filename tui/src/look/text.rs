//! Makes text from outside safe to draw, and fits it to a width.

use std::borrow::Cow;

pub(crate) use frontdesk_protocol::door::fold;
use frontdesk_protocol::text::{is_directional, visible};
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Maximum number of combining marks of a letter: enough for every script, too few to cover the
/// line above.
const MAX_MARKS: usize = 4;

/// The text without characters that move the cursor, hide text or change its direction: control and
/// format characters are removed, line breaks and tabs become spaces.
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut marks = 0;
    Cow::Owned(
        visible(text)
            .chars()
            .filter_map(|char| match char {
                '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
                char if is_unsafe(char) => None,
                char if is_combining_mark(char) => {
                    marks += 1;
                    (marks <= MAX_MARKS).then_some(char)
                }
                char => {
                    marks = 0;
                    Some(char)
                }
            })
            .collect(),
    )
}

/// Whether the character affects a terminal or the reading of text around it.
pub(crate) fn is_unsafe(char: char) -> bool {
    char.is_control() || is_directional(char)
}

/// The text on one line, safe, and at most `width` cells wide; an ellipsis marks a cut.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let text = clean(text);
    if text.width() <= width {
        return text.into_owned();
    }
    let mut used = 0;
    let mut out = String::new();
    for grapheme in text.graphemes(true) {
        let cells = grapheme.width();
        if used + cells + 1 > width {
            break;
        }
        used += cells;
        out.push_str(grapheme);
    }
    if width > 0 {
        out.push('…');
    }
    out
}

/// The same for a text with an ending, which is kept if possible.
pub(crate) fn fit_ending(text: &str, ending: Option<&str>, width: usize) -> String {
    let Some(ending) = ending else {
        return fit(text, width);
    };
    let ending = format!(" · {}", clean(ending));
    let room = width.saturating_sub(cells(&ending)).max(width / 3);
    let text = fit(text, room);
    let ending = fit(&ending, width.saturating_sub(cells(&text)));
    text + &ending
}

/// The text in at most this many cells. If it is cut, the word at this byte offset stays visible.
pub(crate) fn fit_around(text: &str, at: usize, width: usize) -> String {
    let (Some(before), true) = (text.get(..at), cells(text) > width) else {
        return fit(text, width);
    };
    let start = before.rfind(' ').map_or(at, |space| space + 1);
    if cells(before) + 2 < width || start == 0 {
        return fit(text, width);
    }
    let head = fit(&text[..start], width / 3);
    let tail = fit(&text[start..], width.saturating_sub(cells(&head)));
    head + &tail
}

/// The text in exactly this many cells: cut, or followed by spaces.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let text = fit(text, width);
    let space = " ".repeat(width.saturating_sub(cells(&text)));
    text + &space
}

/// The width of the text in cells.
pub(crate) fn cells(text: &str) -> usize {
    text.width()
}

/// The text with a capital letter at its start, unless it starts with a name such as `list_events`.
pub(crate) fn sentence(text: &str) -> String {
    if text
        .split(' ')
        .next()
        .is_some_and(|word| word.contains('_'))
    {
        return text.to_owned();
    }
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// "1 guest", "2 guests".
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_keeps_the_word_in_which_it_differs() {
        let name = "Maria da Conceição Albuquerque";
        assert_eq!(fit_around(name, 21, 40), name);
        assert_eq!(fit_around(name, 21, 20), "Maria…Albuquerque");
        assert_eq!(fit_around(name, 6, 20), "Maria da Conceição …");
        assert_eq!(fit_around(name, 99, 8), "Maria d…");
    }

    #[test]
    fn nothing_that_moves_the_cursor_is_left() {
        assert_eq!(clean("\u{1b}[31mred\u{7}"), "[31mred");
        assert_eq!(clean("two\nlines"), "two lines");
        assert_eq!(clean("abc\u{202e}fed"), "abcfed");
        assert_eq!(clean("tag\u{e0041}ged\u{200b}"), "tagged");
        assert_eq!(clean("דנה כהן"), "דנה כהן");
        assert_eq!(clean("نرگس\u{200c}خانم"), "نرگس\u{200c}خانم");
    }

    #[test]
    fn marks_cannot_pile_up() {
        let zalgo = format!("a{}b", "\u{301}".repeat(40));
        assert_eq!(clean(&zalgo).chars().count(), 2 + MAX_MARKS);
    }

    #[test]
    fn wide_letters_are_cut_whole() {
        assert_eq!(fit("田中さくら", 10), "田中さくら");
        assert_eq!(fit("田中さくら", 9), "田中さく…");
        assert_eq!(fit("田中さくら", 8), "田中さ…");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit("abc", 2), "a…");
    }

    #[test]
    fn an_ending_is_kept_before_the_text() {
        assert_eq!(fit_ending("Ana Lima", None, 6), "Ana L…");
        assert_eq!(
            fit_ending("Ana Lima", Some("guest"), 16),
            "Ana Lima · guest"
        );
        assert_eq!(fit_ending("Ana Lima", Some("guest"), 12), "Ana… · guest");
        assert_eq!(
            fit_ending("Ana Lima", Some("ana@x.example"), 12),
            "Ana… · ana@…"
        );
    }
}
