//! The search in an answer: a field of one line that can be opened and closed.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::state::Typing;
use crate::ui::input::Input;
use crate::ui::text::fold;
use crate::ui::theme::Theme;

/// The search in an answer.
#[derive(Debug)]
pub(super) struct Search {
    input: Input,
    is_typing: bool,
}

impl Search {
    /// A closed, empty search.
    pub(super) fn new() -> Self {
        Search {
            input: Input::line(""),
            is_typing: false,
        }
    }

    /// Focuses the field.
    pub(super) fn begin(&mut self) {
        self.is_typing = true;
    }

    /// Leaves the field and keeps the text.
    pub(super) fn end(&mut self) {
        self.is_typing = false;
    }

    /// Closes and clears the field. Returns whether there was a text.
    pub(super) fn clear(&mut self) -> bool {
        let was_open = self.is_open();
        self.is_typing = false;
        self.input.set("");
        was_open
    }

    /// How letters are handled.
    pub(super) fn typing(&self) -> Typing {
        match self.is_typing {
            true => Typing::Yes,
            false => Typing::No,
        }
    }

    /// Handles a key. Returns whether the text changed.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let before = self.input.text();
        self.is_typing && self.input.key(key) && self.input.text() != before
    }

    /// Pastes text. Returns whether it was accepted.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        if self.is_typing {
            self.input.paste(text);
        }
        self.is_typing
    }

    /// The search text as typed.
    pub(super) fn text(&self) -> String {
        self.input.text()
    }

    /// The search text, folded: without case and accents.
    pub(super) fn folded(&self) -> String {
        fold(self.input.text().trim())
    }

    /// Whether the field is open.
    pub(super) fn is_open(&self) -> bool {
        self.is_typing || !self.input.is_empty()
    }

    /// Draws the field on one line.
    pub(super) fn draw(&self, theme: &Theme, frame: &mut Frame, area: Rect) {
        self.input
            .draw_search(theme, frame, area, Style::new(), self.is_typing);
    }
}
