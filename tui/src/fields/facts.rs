//! Fields one below the other: labels in a column, and the values beside them.

use ratatui::text::{Line, Span};
use serde_json::Value;

use super::cell::{Cell, fact};
use super::{Field, Is, rows};
use crate::app::shared::Shared;
use crate::look::text::{cells, padded};
use crate::look::theme::Theme;
use crate::ui::wrap::wrapped;

/// Maximum width of a label: a third of the room, within these bounds.
const LABEL: std::ops::RangeInclusive<usize> = 16..=28;
/// Minimum width of a value.
const NARROWEST: usize = 16;
/// Space before the rows of a table.
const INDENT: usize = 2;

/// The width of these labels, if there are this many columns.
pub(crate) fn width<'a>(labels: impl Iterator<Item = &'a str>, columns: usize) -> usize {
    let most = (columns / 3).clamp(*LABEL.start(), *LABEL.end());
    labels.map(cells).max().unwrap_or(0).min(most)
}

/// The labels of the fields that are not tables.
pub(crate) fn titles<'a>(fields: &[&'a Field]) -> impl Iterator<Item = &'a str> {
    let fields = fields
        .iter()
        .filter(|field| !matches!(field.is, Is::Rows(_)));
    fields.map(|field| field.title.as_str())
}

/// A field in this many columns; the labels take `width` of them. Records within it are a table
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
            let title = Line::styled(field.title.clone(), shared.settings.theme.dim);
            lines.insert(0, title);
            lines
        }
        _ => {
            let cell = fact(field, value, shared);
            labelled(&field.title, &cell, width, columns, &shared.settings.theme)
        }
    }
}

/// A label and a text, wrapped between words. A word that is wider than the room beside the label
/// has its own lines.
pub(crate) fn labelled(
    label: &str,
    cell: &Cell,
    width: usize,
    columns: usize,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let style = cell.tone.style(theme);
    let room = columns.saturating_sub(width + 2).max(NARROWEST);
    // A label that is too long goes on below: cut, two labels can look the same.
    let mut label = folded(label, width).into_iter();
    let mut beside = || label.next().map(|label| padded(&label, width) + "  ");
    let none = " ".repeat(width + 2);
    let mut lines = Vec::new();
    for line in cell.text.lines().flat_map(|line| folded(line, room)) {
        let beside = beside().unwrap_or_else(|| none.clone());
        let beside = Span::styled(beside, theme.dim);
        if cells(&line) <= room {
            lines.push(Line::from(vec![beside, Span::styled(line, style)]));
            continue;
        }
        if !beside.content.trim().is_empty() {
            lines.push(Line::from(beside));
        }
        let whole = wrapped(&line, columns).into_iter();
        lines.extend(whole.map(|line| Line::styled(line, style)));
    }
    let below = std::iter::from_fn(beside).map(|label| Line::styled(label, theme.dim));
    lines.extend(below.filter(|_| !cell.text.is_empty()));
    lines
}

/// Wraps a line between words.
pub(crate) fn folded(line: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let current = lines.last().map_or(0, |line| cells(line));
        let fits = current == 0 || current + 1 + cells(word) <= width;
        match lines.last_mut() {
            Some(line) if fits => {
                if current > 0 {
                    line.push(' ');
                }
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
