//! A record as a card: its fields one below the other. Nested and long values are abbreviated and
//! can be opened.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::fields::{names_width, padded};
use crate::app::shared::Shared;
use crate::shape;
use crate::ui::text::cells;
use crate::ui::wrap::wrapped;

/// Maximum height of a field in lines.
const MOST: usize = 6;

/// A record as a card.
#[derive(Debug, Default)]
pub(super) struct Card {
    /// The selected field.
    at: usize,
}

impl Card {
    /// Moves the selection by this many fields.
    pub(super) fn step(&mut self, answer: &Value, by: isize) {
        let last = shape::fields(answer).len().saturating_sub(1);
        self.at = self.at.min(last).saturating_add_signed(by).min(last);
    }

    /// The selected field.
    pub(super) fn field<'a>(&self, answer: &'a Value) -> Option<(&'a String, &'a Value)> {
        shape::fields(answer).get(self.at).copied()
    }

    /// The index of the selected field.
    pub(super) fn bookmark(&self) -> usize {
        self.at
    }

    /// A card with this field selected, if it exists.
    pub(super) fn at(answer: &Value, at: usize) -> Self {
        let last = shape::fields(answer).len().saturating_sub(1);
        Card { at: at.min(last) }
    }
}

/// Draws the card of this answer.
pub(super) fn draw(card: &Card, answer: &Value, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.theme;
    let fields = shape::fields(answer);
    let names = names_width(&fields);
    let room = usize::from(area.width.saturating_sub(2)).saturating_sub(names + 2);
    let texts: Vec<Vec<String>> = fields.iter().map(|(_, value)| text(value, room)).collect();
    let heights: Vec<usize> = texts.iter().map(Vec::len).collect();
    let height = usize::from(area.height);
    let total: usize = heights.iter().sum();
    // The selected field is centred if possible.
    let before: usize = heights.iter().take(card.at).sum();
    let own = heights.get(card.at).copied().unwrap_or(0);
    let top = (before + own / 2)
        .saturating_sub(height / 2)
        .min(total.saturating_sub(height));
    let lines = texts.iter().enumerate().flat_map(|(at, lines)| {
        let lines = lines.iter().enumerate();
        lines.map(move |(line, text)| (at, line, text))
    });
    for ((at, line, text), y) in lines.skip(top).zip(area.top()..area.bottom()) {
        let is_selected = at == card.at;
        let name = match line {
            0 => padded(fields[at].0, names),
            _ => padded("", names),
        };
        let mark = match is_selected && line == 0 {
            true => "▸ ",
            false => "  ",
        };
        let name_style = match is_selected {
            true => theme.key,
            false => theme.dim,
        };
        let place = Rect {
            y,
            height: 1,
            ..area
        };
        let line = Line::from(vec![
            Span::styled(mark, theme.key),
            Span::styled(name, name_style),
            Span::raw(text.as_str()),
        ]);
        frame.render_widget(line, place);
    }
}

/// The lines of a value, limited to those shown.
fn text(value: &Value, room: usize) -> Vec<String> {
    let room = room.max(8);
    let enough = (room + 1) * (MOST + 1);
    let text = match value {
        Value::Null => "null".to_owned(),
        value => shape::preview(value, enough * 4),
    };
    let mut lines = wrapped(&text, room);
    if lines.len() > MOST {
        lines.truncate(MOST);
        if let Some(last) = lines.last_mut() {
            while cells(last) >= room {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}
