//! Records within a record as a table: the payments of an invoice, the lines of a journal entry.

use ratatui::text::{Line, Span};
use serde_json::Value;

use super::cell::{Cell, cell};
use super::names::is_beside;
use super::{Field, Is};
use crate::app::shared::Shared;
use crate::look::text::{cells, fit, padded};

/// Space between two columns.
const GAP: usize = 2;
/// The width to which a column can shrink.
const NARROWEST: usize = 6;

/// The heading and a line per row, at most this wide. Columns that are empty in every row are omitted.
pub(super) fn lines(
    fields: &[Field],
    rows: &[Value],
    shared: &Shared,
    width: usize,
) -> Vec<Line<'static>> {
    let columns = fields
        .iter()
        .filter(|field| field.is != Is::Id && !is_beside(field, fields));
    let columns = columns.map(|field| {
        let shown = rows
            .iter()
            .map(|row| cell(field, &row[&field.name], shared));
        (field, shown.collect::<Vec<Cell>>())
    });
    let columns: Vec<_> = columns
        .filter(|(_, shown)| shown.iter().any(|cell| !cell.text.is_empty()))
        .collect();
    let widths = columns.iter().map(|(field, shown)| widest(field, shown));
    let widths = shrunk(widths.collect(), width);
    let heading = columns.iter().zip(&widths).map(|((field, _), width)| {
        Span::styled(
            aligned(&field.title, *width, field),
            shared.settings.theme.dim,
        )
    });
    let body = (0..rows.len()).map(|at| {
        let row = columns.iter().zip(&widths).map(|((field, shown), width)| {
            let cell = &shown[at];
            let text = aligned(&cell.text, *width, field);
            Span::styled(text, cell.tone.style(&shared.settings.theme))
        });
        Line::from_iter(row)
    });
    std::iter::once(Line::from_iter(heading))
        .chain(body)
        .collect()
}

/// The width of the title and the widest cell.
pub(crate) fn widest(field: &Field, shown: &[Cell]) -> usize {
    let widest = shown.iter().map(|cell| cells(&cell.text)).max();
    widest.unwrap_or(0).max(cells(&field.title))
}

/// The widths, of which the largest ones shrink until all columns fit.
fn shrunk(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    let gaps = GAP * widths.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        match widths.iter_mut().max() {
            Some(widest) if *widest > NARROWEST => *widest -= 1,
            _ => break,
        }
    }
    widths
}

/// The text in its column; numbers are aligned to the right.
fn aligned(text: &str, width: usize, field: &Field) -> String {
    let gap = " ".repeat(GAP);
    let text = match field.is_right() {
        true => format!("{:>width$}", fit(text, width)),
        false => padded(text, width),
    };
    text + &gap
}
