//! A progress bar with numbers.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::look::theme::Theme;

/// A bar of this width.
pub(crate) fn bar(width: usize, done: u64, total: u64) -> String {
    let filled = match total {
        0 => 0,
        total => (width as u64 * done.min(total) / total) as usize,
    };
    // Any progress fills at least one cell, and only completion fills all.
    let filled = match filled {
        0 if done > 0 => 1.min(width),
        filled if filled == width && done < total => width.saturating_sub(1),
        filled => filled,
    };
    format!("{}{}", "█".repeat(filled), "░".repeat(width - filled))
}

/// The bar with numbers: `███░░░ 63 of 150 · 42 %`.
pub(crate) fn line(theme: &Theme, width: usize, done: u64, total: u64) -> Line<'static> {
    let percent = match total {
        0 => String::new(),
        total => format!(" · {} %", done * 100 / total),
    };
    let style = match done {
        0 => theme.dim,
        _ => theme.good,
    };
    Line::from(vec![
        Span::styled(bar(width, done, total), style),
        Span::styled(format!(" {done} of {total}{percent}"), Style::new()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_neither_hides_the_first_nor_the_last() {
        assert_eq!(bar(4, 0, 100), "░░░░");
        assert_eq!(bar(4, 1, 100), "█░░░");
        assert_eq!(bar(4, 50, 100), "██░░");
        assert_eq!(bar(4, 99, 100), "███░");
        assert_eq!(bar(4, 100, 100), "████");
        assert_eq!(bar(4, 3, 0), "█░░░");
        assert_eq!(bar(0, 3, 3), "");
    }
}
