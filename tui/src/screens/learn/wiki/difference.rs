//! What differs between two texts: the lines from the first to the last that are not the same.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::ui::text::clean;
use crate::ui::theme::Theme;

/// Lines around what differs.
const AROUND: usize = 2;

/// The lines that differ, with some around them: `-` before those of the first text, `+` before those of
/// the second.
pub(super) fn lines(first: &str, second: &str, theme: &Theme) -> Vec<Line<'static>> {
    let (first, second): (Vec<&str>, Vec<&str>) =
        (first.lines().collect(), second.lines().collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let before = first.iter().zip(&second).take_while(same).count();
    let rest = (first[before..].iter().rev()).zip(second[before..].iter().rev());
    let after = rest.take_while(same).count();
    let told = |sign: &str, text: &&str, style: Style| {
        Line::styled(format!("{sign} {}", clean(text)), style)
    };
    let plain = |text: &&str| told(" ", text, theme.dim);
    let mut lines: Vec<Line> = Vec::new();
    lines.extend(
        first[before.saturating_sub(AROUND)..before]
            .iter()
            .map(plain),
    );
    let theirs = first[before..first.len() - after].iter();
    lines.extend(theirs.map(|text| told("-", text, theme.bad)));
    let mine = second[before..second.len() - after].iter();
    lines.extend(mine.map(|text| told("+", text, theme.good)));
    lines.extend(first[first.len() - after..].iter().take(AROUND).map(plain));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_stands_among_what_is_the_same() {
        let told = |first: &str, second: &str| {
            let lines = lines(first, second, &Theme::default());
            let lines: Vec<String> = lines.iter().map(Line::to_string).collect();
            lines.join("\n")
        };
        assert_eq!(told("a\nb\nc\n", "a\nx\nc\n"), "  a\n- b\n+ x\n  c");
        assert_eq!(told("a\n", "a\nb\n"), "  a\n+ b");
        assert_eq!(told("a\na\n", "a\n"), "  a\n- a");
    }
}
