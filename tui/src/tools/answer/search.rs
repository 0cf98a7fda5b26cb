//! What is looked for in an answer: a field of one line, open or shut.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::state::Typing;
use crate::ui::input::Input;
use crate::ui::text::fold;
use crate::ui::theme::Theme;

/// What is looked for in an answer.
#[derive(Debug)]
pub(super) struct Search {
    input: Input,
    is_typing: bool,
}

impl Search {
    /// Nothing is looked for.
    pub(super) fn new() -> Self {
        Search {
            input: Input::line(""),
            is_typing: false,
        }
    }

    /// Puts the cursor into the field.
    pub(super) fn begin(&mut self) {
        self.is_typing = true;
    }

    /// Leaves the field; what was typed stays.
    pub(super) fn end(&mut self) {
        self.is_typing = false;
    }

    /// Shuts the field, and looks for nothing. Says whether that was different.
    pub(super) fn clear(&mut self) -> bool {
        let was_open = self.is_open();
        self.is_typing = false;
        self.input.set("");
        was_open
    }

    /// How letters are to be taken.
    pub(super) fn typing(&self) -> Typing {
        match self.is_typing {
            true => Typing::Yes,
            false => Typing::No,
        }
    }

    /// A key; says whether another text is looked for now.
    pub(super) fn key(&mut self, key: KeyEvent) -> bool {
        let before = self.input.text();
        self.is_typing && self.input.key(key) && self.input.text() != before
    }

    /// Pasted text; says whether it was taken.
    pub(super) fn paste(&mut self, text: &str) -> bool {
        if self.is_typing {
            self.input.paste(text);
        }
        self.is_typing
    }

    /// What is looked for, as it was typed.
    pub(super) fn text(&self) -> String {
        self.input.text()
    }

    /// What is looked for, without case and accents.
    pub(super) fn folded(&self) -> String {
        fold(self.input.text().trim())
    }

    /// Whether the field is shown.
    pub(super) fn is_open(&self) -> bool {
        self.is_typing || !self.input.is_empty()
    }

    /// Draws the field on one line.
    pub(super) fn draw(&self, theme: &Theme, frame: &mut Frame, area: Rect) {
        self.input
            .draw_search(theme, frame, area, Style::new(), self.is_typing);
    }
}
