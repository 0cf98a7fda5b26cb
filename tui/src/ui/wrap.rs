//! Wrapping of text, so that all of it can be reached.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::look::text::clean;

/// The lines of the text, safe to draw. Long lines are wrapped and keep their indentation.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(8);
    text.split('\n')
        .flat_map(|line| folded(&clean(line), width))
        .collect()
}

fn folded(line: &str, width: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat((indent + 2).min(width / 2));
    if line.is_ascii() {
        return folded_ascii(line, width, &indent);
    }
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut used = 0;
    for grapheme in line.graphemes(true) {
        let cells = grapheme.width();
        if used + cells > width {
            lines.push(std::mem::replace(&mut current, indent.clone()));
            used = indent.len();
        }
        current.push_str(grapheme);
        used += cells;
    }
    lines.push(current);
    lines
}

/// The same for a text with a cell a byte: messages of machines are long.
fn folded_ascii(line: &str, width: usize, indent: &str) -> Vec<String> {
    let (first, mut rest) = line.split_at(width.min(line.len()));
    let mut lines = vec![first.to_owned()];
    while !rest.is_empty() {
        let (next, after) = rest.split_at((width - indent.len()).min(rest.len()));
        lines.push(format!("{indent}{next}"));
        rest = after;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_goes_on_below() {
        assert_eq!(wrapped("short", 10), ["short"]);
        assert_eq!(wrapped("  0123456789", 8), ["  012345", "    6789"]);
        assert_eq!(
            wrapped("0123456789abcdef", 8),
            ["01234567", "  89abcd", "  ef"]
        );
        assert_eq!(wrapped("01234567", 8), ["01234567"]);
        assert_eq!(wrapped("a\n\nb", 8), ["a", "", "b"]);
        assert_eq!(wrapped("田中さくら", 8), ["田中さく", "  ら"]);
    }

    #[test]
    fn nothing_in_it_moves_the_cursor() {
        assert_eq!(wrapped("\u{1b}[2Jx", 20), ["[2Jx"]);
    }
}
