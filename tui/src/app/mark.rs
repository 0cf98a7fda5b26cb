//! The marks of a state: always a glyph, next to a word, never a colour alone.

use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Done, well.
    Good,
    /// Look here.
    Warn,
    /// Gone wrong.
    Bad,
    /// Under way.
    Busy,
    /// Kept for later.
    Waiting,
    /// Done before.
    Again,
    /// Worth knowing.
    Info,
}

/// The pictures of the spinner. All are one cell wide.
const SPINNER: [&str; 8] = ["⠋", "⠙", "⠸", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// The spinner's picture.
pub(crate) fn spinner(spin: usize) -> &'static str {
    SPINNER[spin % SPINNER.len()]
}

impl Mark {
    /// One cell.
    pub(crate) const fn glyph(self) -> &'static str {
        match self {
            Mark::Good => "✓",
            Mark::Warn => "!",
            Mark::Bad => "✗",
            Mark::Busy => "…",
            Mark::Waiting => "◌",
            Mark::Again => "↺",
            Mark::Info => "·",
        }
    }

    /// The style of text that is marked so.
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

    /// The glyph and the words, in the style of the mark.
    pub(crate) fn span(self, theme: &Theme, words: &str) -> Span<'static> {
        Span::styled(format!("{} {words}", self.glyph()), self.style(theme))
    }
}
