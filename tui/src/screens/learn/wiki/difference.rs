//! The difference between two texts, line by line.

use ratatui::text::Line;
use similar::{ChangeTag, TextDiff};

use crate::look::text::clean;
use crate::look::theme::Theme;

/// Lines of context.
const AROUND: usize = 2;

/// The different lines with context: `-` before those of the first text, `+` before those of the
/// second.
pub(super) fn lines(first: &str, second: &str, theme: &Theme) -> Vec<Line<'static>> {
    let difference = TextDiff::from_lines(first, second);
    let mut lines = Vec::new();
    for (at, group) in difference.grouped_ops(AROUND).iter().enumerate() {
        if at > 0 {
            lines.push(Line::styled("  …", theme.dim));
        }
        for change in group.iter().flat_map(|op| difference.iter_changes(op)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ("-", theme.bad),
                ChangeTag::Insert => ("+", theme.good),
                ChangeTag::Equal => (" ", theme.dim),
            };
            let text = clean(change.value().trim_end_matches(['\r', '\n'])).into_owned();
            lines.push(Line::styled(format!("{sign} {text}"), style));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_among_what_is_the_same() {
        let lines = lines("a\nb\nc\n", "a\nx\nc\n", &Theme::default());
        let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
        assert_eq!(lines, ["  a", "- b", "+ x", "  c"]);
    }
}
