//! Text fields with one or several lines, based on `ratatui-textarea`, with the terminal's own
//! cursor, which input methods and screen readers rely on.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;
use ratatui_textarea::{CursorMove, TextArea, WrapMode};

use crate::app::cx::Cx;
use crate::app::state::Typing;
use crate::look::mark::Mark;
use crate::look::theme::Theme;

/// The message after lines were joined.
const JOINED: &str = "The pasted lines are one line, with spaces between them";

/// A text field.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    area: TextArea<'static>,
    lines: Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

impl Default for Input {
    fn default() -> Self {
        Input::line("")
    }
}

impl Input {
    /// A field with one line; enter is not handled.
    pub(crate) fn line(text: &str) -> Self {
        Input::new(Lines::One, text)
    }

    /// A field with several wrapped lines.
    pub(crate) fn prose(text: &str) -> Self {
        let mut input = Input::new(Lines::Many, text);
        input.area.set_wrap_mode(WrapMode::WordOrGlyph);
        input
    }

    /// A field that shows dots instead of the text.
    pub(crate) fn secret() -> Self {
        let mut input = Input::line("");
        input.area.set_mask_char('•');
        input
    }

    fn new(lines: Lines, text: &str) -> Self {
        let mut area = TextArea::default();
        area.set_cursor_line_style(Style::new());
        area.set_cursor_style(Style::new());
        // The default light background is unreadable on light terminals.
        area.set_selection_style(Style::new().add_modifier(Modifier::REVERSED));
        let mut input = Input { area, lines };
        input.paste(text);
        input
    }

    /// How letters are handled.
    pub(crate) fn typing(&self) -> Typing {
        match self.area.mask_char() {
            Some(_) => Typing::Secret,
            None => Typing::Yes,
        }
    }

    /// The text, with lines joined.
    pub(crate) fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    /// Whether the field is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Replaces the text.
    pub(crate) fn set(&mut self, text: &str) {
        self.area.clear();
        self.paste(text);
    }

    /// Inserts pasted text, and says so if its lines were joined.
    pub(crate) fn paste_here(&mut self, cx: &mut Cx, text: &str) {
        if self.paste(text) {
            cx.toast(Mark::Info, JOINED);
        }
    }

    /// Inserts text at the cursor, without control characters. A field with one line joins lines with spaces; then the
    /// result is true, so that the caller can say so.
    pub(crate) fn paste(&mut self, text: &str) -> bool {
        let text = text
            .replace("\r\n", "\n")
            .replace('\r', "\n")
            .replace('\t', " ");
        let lines = text.lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
        let is_joined = self.lines == Lines::One && lines.len() > 1;
        let text = match self.lines {
            Lines::One if is_joined => lines.join(" "),
            Lines::One => text.replace('\n', ""),
            Lines::Many => text,
        };
        let text: String = text
            .chars()
            .filter(|char| !char.is_control() || *char == '\n')
            .collect();
        if !text.is_empty() {
            self.area.insert_str(text);
        }
        is_joined
    }

    /// Handles a key. Returns whether it belongs to the text field.
    pub(crate) fn key(&mut self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        let several = self.lines == Lines::Many;
        let by_word = ctrl || alt;
        match key.code {
            // Some terminals report AltGr as ctrl-alt.
            KeyCode::Char(char) if ctrl == alt && !char.is_control() => self.area.insert_char(char),
            KeyCode::Char('w') if ctrl => drop(self.area.delete_word()),
            KeyCode::Char('u') if ctrl => drop(self.area.delete_line_by_head()),
            KeyCode::Char('e') if ctrl => self.area.move_cursor(CursorMove::End),
            KeyCode::Backspace if by_word => drop(self.area.delete_word()),
            KeyCode::Backspace => drop(self.area.delete_char()),
            KeyCode::Delete if by_word => drop(self.area.delete_next_word()),
            KeyCode::Delete => drop(self.area.delete_next_char()),
            KeyCode::Left if by_word => self.area.move_cursor(CursorMove::WordBack),
            KeyCode::Left => self.area.move_cursor(CursorMove::Back),
            KeyCode::Right if by_word => self.area.move_cursor(CursorMove::WordForward),
            KeyCode::Right => self.area.move_cursor(CursorMove::Forward),
            KeyCode::Home => self.area.move_cursor(CursorMove::Head),
            KeyCode::End => self.area.move_cursor(CursorMove::End),
            KeyCode::Up if several => return self.moved(CursorMove::Up),
            KeyCode::Down if several => return self.moved(CursorMove::Down),
            KeyCode::Enter if several => self.area.insert_newline(),
            _ => return false,
        }
        true
    }

    /// Moves the cursor. Returns false at the first or last line, so that the key leaves the field.
    fn moved(&mut self, by: CursorMove) -> bool {
        let before = self.area.cursor();
        self.area.move_cursor(by);
        self.area.cursor() != before
    }

    /// Draws it on one line as a search field, after a slash.
    pub(crate) fn draw_search(
        &self,
        theme: &Theme,
        frame: &mut Frame,
        area: Rect,
        style: Style,
        focused: bool,
    ) {
        let [slash, field] = Layout::horizontal([Length(2), Fill(1)]).areas(area);
        frame.render_widget(Span::styled("/ ", theme.key), slash);
        self.draw(frame, field, style, focused);
    }

    /// Draws the field, and places the cursor if it is focused.
    pub(crate) fn draw(&self, frame: &mut Frame, area: Rect, style: Style, focused: bool) {
        if area.is_empty() {
            return;
        }
        frame.render_widget(&self.area, area);
        frame.buffer_mut().set_style(area, style);
        if focused {
            let cursor = self.area.screen_cursor();
            let (top, left) = self.area.scroll_offset();
            let column = u16::try_from(cursor.col).unwrap_or(u16::MAX);
            let row = u16::try_from(cursor.row).unwrap_or(u16::MAX);
            let at = Position {
                x: (area.x + column.saturating_sub(left)).min(area.right() - 1),
                y: (area.y + row.saturating_sub(top)).min(area.bottom() - 1),
            };
            frame.set_cursor_position(at);
            // Who reads the frame line by line asks for a secret without an echo.
            if self.area.mask_char().is_some() {
                frame.buffer_mut()[at].modifier |= Modifier::HIDDEN;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(input: &mut Input, code: KeyCode) -> bool {
        input.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn a_line_leaves_enter_and_the_arrows_to_others() {
        let mut input = Input::line("");
        for char in "Zoë".chars() {
            assert!(press(&mut input, KeyCode::Char(char)));
        }
        assert_eq!(input.text(), "Zoë");
        assert!(!press(&mut input, KeyCode::Enter));
        assert!(!press(&mut input, KeyCode::Down));
        press(&mut input, KeyCode::Backspace);
        assert_eq!(input.text(), "Zo");
    }

    #[test]
    fn the_arrows_leave_several_lines_at_their_ends() {
        let mut input = Input::prose("");
        assert!(!press(&mut input, KeyCode::Down));
        assert!(!press(&mut input, KeyCode::Up));
        input.paste("one\ntwo");
        assert!(!press(&mut input, KeyCode::Down));
        assert!(press(&mut input, KeyCode::Up));
        assert!(!press(&mut input, KeyCode::Up));
        assert_eq!(input.text(), "one\ntwo");
    }

    #[test]
    fn pasted_lines_are_joined_in_a_field_of_one_line() {
        let mut input = Input::line("");
        assert!(input.paste("a\u{1b}[b\n\r\n  c\td\n"));
        assert_eq!(input.text(), "a[b c d");
        assert!(!input.paste(" e\n"));
        assert_eq!(input.text(), "a[b c d e");
        input.set("x");
        assert_eq!(input.text(), "x");
        let mut prose = Input::prose("");
        assert!(!prose.paste("a\r\nb"));
        assert_eq!(prose.text(), "a\nb");
    }
}
