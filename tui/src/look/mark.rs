//! The marks of states: always a glyph and a word, never colour alone.

use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;

/// The mark of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Success.
    Good,
    /// Needs attention.
    Warn,
    /// Failure.
    Bad,
    /// In progress.
    Busy,
    /// Stored for later.
    Waiting,
    /// Already done earlier.
    Again,
    /// Information.
    Info,
}

/// The frames of the spinner, each one cell wide.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The current frame of the spinner.
pub(crate) fn spinner(spin: usize) -> &'static str {
    SPINNER[spin % SPINNER.len()]
}

impl Mark {
    /// The glyph of a chosen item; empty for another.
    pub(crate) const fn tick(is_chosen: bool) -> &'static str {
        match is_chosen {
            true => Mark::Good.glyph(),
            false => "",
        }
    }

    /// The glyph, one cell wide.
    pub(crate) const fn glyph(self) -> &'static str {
        match self {
            Mark::Good => "✓",
            Mark::Warn => "!",
            Mark::Bad => "✗",
            Mark::Busy => "◐",
            Mark::Waiting => "◌",
            Mark::Again => "↺",
            Mark::Info => "·",
        }
    }

    /// The style of text with this mark.
    pub(crate) const fn style(self, theme: &Theme) -> Style {
        match self {
            Mark::Good => theme.good,
            Mark::Warn | Mark::Waiting => theme.warn,
            Mark::Bad => theme.bad,
            Mark::Busy => theme.busy,
            Mark::Again => theme.again,
            Mark::Info => theme.base,
        }
    }

    /// Glyph and text in the style of the mark.
    pub(crate) fn span(self, theme: &Theme, words: &str) -> Span<'static> {
        Span::styled(format!("{} {words}", self.glyph()), self.style(theme))
    }
}
