//! A search field of one line that can be opened and closed.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;

use super::input::Input;
use crate::app::cx::Cx;
use crate::app::state::Typing;
use crate::look::text::fold;
use crate::look::theme::Theme;

/// A search field; at first closed and empty.
#[derive(Debug, Default)]
pub(crate) struct Search {
    input: Input,
    is_typing: bool,
}

impl Search {
    /// Focuses the field.
    pub(crate) fn begin(&mut self) {
        self.is_typing = true;
    }

    /// Leaves the field and keeps the text. Returns whether it was focused.
    pub(crate) fn end(&mut self) -> bool {
        std::mem::take(&mut self.is_typing)
    }

    /// Closes and clears the field. Returns whether there was a text.
    pub(crate) fn clear(&mut self) -> bool {
        let was_open = self.is_open();
        self.is_typing = false;
        self.input.set("");
        was_open
    }

    /// How letters are handled.
    pub(crate) fn typing(&self) -> Typing {
        match self.is_typing {
            true => Typing::Yes,
            false => Typing::No,
        }
    }

    /// Handles a key. Returns whether the text changed.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        let before = self.input.text();
        self.is_typing && self.input.key(key) && self.input.text() != before
    }

    /// Replaces the text, as if it had been typed and the field left.
    pub(crate) fn set(&mut self, text: &str) {
        self.input.set(text);
        self.is_typing = false;
    }

    /// Pastes text, and says so if its lines were joined. Returns whether it was accepted.
    pub(crate) fn paste(&mut self, cx: &mut Cx, text: &str) -> bool {
        if self.is_typing {
            self.input.paste_here(cx, text);
        }
        self.is_typing
    }

    /// The search text as typed.
    pub(crate) fn text(&self) -> String {
        self.input.text()
    }

    /// The search text, folded: without case and accents.
    pub(crate) fn folded(&self) -> String {
        fold(self.input.text().trim())
    }

    /// Whether there is no text.
    pub(crate) fn is_empty(&self) -> bool {
        self.input.is_empty()
    }

    /// Whether the field is open.
    pub(crate) fn is_open(&self) -> bool {
        self.is_typing || !self.is_empty()
    }

    /// Draws the field on one line.
    pub(crate) fn draw(&self, theme: &Theme, frame: &mut Frame, area: Rect, style: Style) {
        self.input
            .draw_search(theme, frame, area, style, self.is_typing);
    }

    /// Draws the field above a list if it is open. Returns the area below it.
    pub(crate) fn draw_above(&self, theme: &Theme, frame: &mut Frame, area: Rect) -> Rect {
        if !self.is_open() {
            return area;
        }
        let [field, rest] = Layout::vertical([Length(1), Fill(1)]).areas(area);
        self.draw(theme, frame, field, Style::new());
        rest
    }
}
