//! A record as a card: its fields one below the other. Long values and tables are abbreviated and
//! can be opened.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::{Field, facts, is_empty};
use crate::tabular;

/// Maximum height of a field in lines.
const MOST: usize = 8;
/// Maximum length in bytes of a value that is drawn.
const LONGEST: usize = 4_000;

/// A record as a card.
#[derive(Debug)]
pub(super) struct Card {
    /// The most important first.
    fields: Vec<Field>,
    /// The selected field.
    at: usize,
}

impl Card {
    /// The card of a record with these fields.
    pub(super) fn new(mut fields: Vec<Field>, at: usize) -> Self {
        fields.sort_by_key(Field::rank);
        let at = at.min(fields.len().saturating_sub(1));
        Card { fields, at }
    }

    /// Moves the selection by this many fields.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.fields.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// The selected field, and its value.
    pub(super) fn field<'a>(&self, answer: &'a Value) -> Option<(&Field, &'a Value)> {
        let field = self.fields.get(self.at)?;
        Some((field, &tabular::record(answer)[&field.name]))
    }

    /// The index of the selected field.
    pub(super) fn bookmark(&self) -> usize {
        self.at
    }
}

/// Draws the card of this answer.
pub(super) fn draw(card: &Card, answer: &Value, shared: &Shared, frame: &mut Frame, area: Rect) {
    let theme = &shared.settings.theme;
    let record = tabular::record(answer);
    let labels = card.fields.iter().map(|field| field.title.as_str());
    let columns = usize::from(area.width.saturating_sub(3));
    let width = facts::width(labels, columns);
    let texts = card.fields.iter().enumerate().map(|(at, field)| {
        let value = &record[&field.name];
        let mut lines = match is_missing(answer, field) {
            true => {
                let words = Cell::dim("not found, or not visible to you");
                facts::labelled(&field.title, &words, width, columns, theme)
            }
            false => lines(field, value, shared, width, columns),
        };
        if at == card.at
            && let Some(label) = lines[0]
                .spans
                .iter_mut()
                .find(|span| !span.content.is_empty())
        {
            label.style = theme.key;
        }
        lines
    });
    let texts: Vec<Vec<Line>> = texts.collect();
    let height = usize::from(area.height);
    let total: usize = texts.iter().map(Vec::len).sum();
    // The selected field is centred if possible.
    let before: usize = texts.iter().take(card.at).map(Vec::len).sum();
    let own = texts.get(card.at).map_or(0, Vec::len);
    let top = (before + own / 2)
        .saturating_sub(height / 2)
        .min(total.saturating_sub(height));
    let lines = texts.into_iter().flatten().enumerate().skip(top);
    for ((at, mut line), place) in lines.zip(area.rows()) {
        let mark = if at == before { "▸ " } else { "  " };
        line.spans.insert(0, Span::styled(mark, theme.key));
        frame.render_widget(line, place);
    }
}

/// Whether the field is the whole answer, which has no record; remarks do not count.
fn is_missing(answer: &Value, field: &Field) -> bool {
    let results = answer.as_object().into_iter().flatten();
    let mut results = results.filter(|(name, _)| !matches!(name.as_str(), "note" | "warnings"));
    let (first, second) = (results.next(), results.next());
    second.is_none() && first.is_some_and(|(name, value)| *name == field.name && value.is_null())
}

/// The lines of a field, limited to those shown.
fn lines(
    field: &Field,
    value: &Value,
    shared: &Shared,
    width: usize,
    columns: usize,
) -> Vec<Line<'static>> {
    if is_empty(value) {
        return facts::labelled(
            &field.title,
            &Cell::dim("–"),
            width,
            columns,
            &shared.settings.theme,
        );
    }
    let start;
    let shown = match value {
        Value::String(text) if text.len() > LONGEST => {
            start = Value::from(tabular::preview(value, LONGEST));
            &start
        }
        value => value,
    };
    let mut lines = facts::lines(field, shown, shared, width, columns);
    if lines.len() > MOST {
        lines.truncate(MOST - 1);
        let more = format!("… {} shows all", shared.settings.keymap.key("answer.open"));
        lines.extend(facts::labelled(
            "",
            &Cell::dim(more),
            width,
            columns,
            &shared.settings.theme,
        ));
    }
    lines
}
