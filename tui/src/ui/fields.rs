//! A few text fields, each on one line after its label.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::input::Input;
use crate::app::state::Typing;
use crate::look::text::cells;
use crate::look::theme::Theme;

/// The fields, one of which has the focus.
#[derive(Debug)]
pub(crate) struct Fields {
    fields: Vec<(&'static str, Input)>,
    at: usize,
}

impl Fields {
    /// Empty fields with these labels; the first has the focus.
    pub(crate) fn new(labels: &[&'static str]) -> Fields {
        let fields = labels.iter().map(|label| (*label, Input::line("")));
        Fields {
            fields: fields.collect(),
            at: 0,
        }
    }

    /// Adds fields that show dots instead of their text.
    pub(crate) fn with_secrets(mut self, labels: &[&'static str]) -> Fields {
        let secrets = labels.iter().map(|label| (*label, Input::secret()));
        self.fields.extend(secrets);
        self
    }

    /// The text of a field.
    pub(crate) fn text(&self, at: usize) -> String {
        let text = self.fields.get(at).map(|(_, input)| input.text());
        text.unwrap_or_default()
    }

    /// Sets the text of a field.
    pub(crate) fn set(&mut self, at: usize, text: &str) {
        if let Some((_, input)) = self.fields.get_mut(at) {
            input.set(text);
        }
    }

    /// Focuses a field.
    pub(crate) fn focus(&mut self, at: usize) {
        self.at = at.min(self.fields.len().saturating_sub(1));
    }

    /// Focuses the next field, or the first one after the last.
    pub(crate) fn next(&mut self) {
        self.at = (self.at + 1) % self.fields.len().max(1);
    }

    /// Focuses the previous field, or the last one before the first.
    pub(crate) fn previous(&mut self) {
        self.at = self
            .at
            .checked_sub(1)
            .unwrap_or(self.fields.len().saturating_sub(1));
    }

    /// Whether enter has to go on to the next field, because that is empty.
    pub(crate) fn goes_on(&mut self) -> bool {
        let next = (self.at + 1..self.fields.len()).find(|at| self.fields[*at].1.is_empty());
        self.at = next.unwrap_or(self.at);
        next.is_some()
    }

    /// How letters are handled.
    pub(crate) fn typing(&self) -> Typing {
        let focused = self.fields.get(self.at);
        focused.map_or(Typing::No, |(_, input)| input.typing())
    }

    /// Handles a key that is not a command.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if let Some((_, input)) = self.fields.get_mut(self.at) {
            input.key(key);
        }
    }

    /// Handles pasted text.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Some((_, input)) = self.fields.get_mut(self.at) {
            input.paste(text);
        }
    }

    /// The number of lines.
    pub(crate) fn height(&self) -> u16 {
        self.fields.len() as u16
    }

    pub(crate) fn draw(&self, theme: &Theme, frame: &mut Frame, area: Rect) {
        let widest = self.fields.iter().map(|(label, _)| cells(label)).max();
        let width = widest.unwrap_or(0) as u16 + 4;
        let rows = area.rows().zip(&self.fields).enumerate();
        for (at, (row, (label, input))) in rows {
            let [name, field] = Layout::horizontal([Length(width), Fill(1)]).areas(row);
            let is_focused = at == self.at;
            let line = match is_focused {
                true => Line::from(vec![
                    Span::styled("▸ ", theme.focus),
                    Span::styled(*label, theme.title),
                ]),
                false => Line::from(format!("  {label}")),
            };
            frame.render_widget(line, name);
            input.draw(frame, field, Style::new().underlined(), is_focused);
        }
    }
}
