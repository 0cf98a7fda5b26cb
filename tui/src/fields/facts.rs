//! Fields one below the other: labels in a column, and the values beside them.

use ratatui::text::{Line, Span};
use serde_json::Value;

use super::cell::{Cell, fact};
use super::{Field, Is, rows};
use crate::app::shared::Shared;
use crate::ui::text::{cells, padded};
use crate::ui::theme::Theme;
use crate::ui::wrap::wrapped;

/// Maximum width of a label.
const LABEL: usize = 28;
/// Minimum width of a value.
const NARROWEST: usize = 16;
/// Space before the rows of a table.
const INDENT: usize = 2;

/// The width of the column of these labels.
pub(crate) fn width<'a>(labels: impl Iterator<Item = &'a str>) -> usize {
    labels.map(cells).max().unwrap_or(0).min(LABEL)
}

/// The labels of the fields that are not tables.
pub(crate) fn titles<'a>(fields: &[&'a Field]) -> impl Iterator<Item = &'a str> {
    let fields = fields
        .iter()
        .filter(|field| !matches!(field.is, Is::Rows(_)));
    fields.map(|field| field.title.as_str())
}

/// A field in this many columns, of which the labels take `width`: records within it as a table
/// below the label, otherwise the value beside it.
pub(crate) fn lines(
    field: &Field,
    value: &Value,
    shared: &Shared,
    width: usize,
    columns: usize,
) -> Vec<Line<'static>> {
    match (&field.is, value) {
        (Is::Rows(fields), Value::Array(items)) if !items.is_empty() => {
            let mut lines = rows::lines(fields, items, shared, columns.saturating_sub(INDENT));
            for line in &mut lines {
                line.spans.insert(0, Span::raw(" ".repeat(INDENT)));
            }
            let title = Line::styled(field.title.clone(), shared.theme.dim);
            lines.insert(0, title);
            lines
        }
        _ => {
            let cell = fact(field, value, shared);
            labelled(&field.title, &cell, width, columns, &shared.theme)
        }
    }
}

/// A label and a text, wrapped between words.
pub(crate) fn labelled(
    label: &str,
    cell: &Cell,
    width: usize,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let style = cell.tone.style(theme);
    let room = columns.saturating_sub(width + 2).max(NARROWEST);
    let lines = cell.text.lines().flat_map(|line| folded(line, room));
    let labels = std::iter::once(label).chain(std::iter::repeat(""));
    let lines = labels.zip(lines).map(|(label, line)| {
        let label = padded(label, width) + "  ";
        Line::from(vec![
            Span::styled(label, theme.dim),
            Span::styled(line, style),
        ])
    });
    lines.collect()
}

/// Wraps a line between words, and words that are too long.
pub(crate) fn folded(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let current = lines.last().map_or(0, |line| cells(line));
        let fits = current == 0 || current + 1 + cells(word) <= width;
        let mut pieces = wrapped(word, width).into_iter();
        if let Some(last) = lines.last_mut().filter(|_| fits) {
            if current > 0 {
                last.push(' ');
            }
            last.extend(pieces.next());
        }
        lines.extend(pieces);
    }
    lines
}
