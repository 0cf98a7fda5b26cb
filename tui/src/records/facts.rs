//! The facts of a record, a line per field: names and states first, long texts last.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::kind::Kind;
use super::names::want_names_in;
use super::record::Record;
use super::view::View;
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::fields::cell::fact;
use crate::fields::facts::{self, folded, labelled};
use crate::fields::names::is_beside;
use crate::fields::{Field, Is, is_empty};
use crate::look::text::{cells, fit, padded};
use crate::ui::markdown;
use crate::ui::panel::{INSET, framed};

/// Width of a label below a list.
const LABEL: usize = 16;
/// Maximum width of a name shown above the facts.
const NAME: usize = 40;

/// The facts of a record at this width; empty fields are left out.
pub(crate) fn lines(
    kind: &'static Kind,
    record: &Record,
    shared: &Shared,
    columns: usize,
) -> Vec<Line<'static>> {
    let view = View::of(kind, shared);
    let own = view
        .facts
        .iter()
        .map(|(label, cell)| (*label, cell(record, shared)));
    let own: Vec<_> = own.filter(|(_, cell)| !cell.text.is_empty()).collect();
    // A short name is shown above the facts.
    let is_named = cells(&record.label(kind)) <= NAME;
    let mut fields: Vec<&Field> = kind.fields.iter().collect();
    fields.retain(|field| {
        let is_covered = view.covered.contains(&field.name.as_str());
        let is_covered = is_covered || is_beside(field, &kind.fields);
        !(is_covered || is_named && field.is == Is::Name || is_empty(record.get(&field.name)))
    });
    fields.sort_by_key(|field| field.rank());
    let labels = own.iter().map(|(label, _)| *label);
    let width = facts::width(labels.chain(facts::titles(&fields)), columns);
    let theme = &shared.settings.theme;
    let own = own
        .iter()
        .flat_map(|(label, cell)| labelled(label, cell, width, columns, theme));
    let general = |field: &&Field| {
        let value = record.get(&field.name);
        let mut pivots = view.pivots.iter().filter(|one| one.rows == field.name);
        match pivots.find_map(|pivot| pivot.turned(field, value)) {
            Some((field, value)) => facts::lines(&field, &value, shared, width, columns),
            None => facts::lines(field, value, shared, width, columns),
        }
    };
    // Tables come last.
    let tables = fields.partition_point(|field| !matches!(field.is, Is::Rows(_)));
    let mut lines: Vec<Line> = own
        .chain(fields[..tables].iter().flat_map(general))
        .collect();
    if let Some(text) = view.prose.and_then(|prose| prose(record)) {
        lines.push(Line::default());
        lines.extend(markdown::lines(&text, columns, theme));
        lines.push(Line::default());
    }
    lines.extend(fields[tables..].iter().flat_map(general));
    lines
}

/// Joins the lines of a text.
fn joined(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// Facts that the columns of a list do not show, at this width: first those of the view, then one
/// line each, the longest texts first.
pub(crate) fn rest(
    kind: &'static Kind,
    record: &Record,
    shared: &Shared,
    shown: &[&str],
    columns: usize,
) -> Vec<Line<'static>> {
    let view = View::of(kind, shared);
    let covered = view.covered;
    let mut fields: Vec<&Field> = kind.fields.iter().collect();
    fields.retain(|field| {
        let name = field.name.as_str();
        let is_covered = covered.contains(&name) || is_beside(field, &kind.fields);
        !shown.contains(&name) && !is_covered && field.is != Is::Id
    });
    fields.sort_by_key(|field| std::cmp::Reverse(field.rank()));
    let facts = fields.iter().map(|field| {
        (
            field.title.as_str(),
            fact(field, record.get(&field.name), shared),
        )
    });
    let own = view
        .facts
        .iter()
        .filter(|(label, _)| !shown.contains(label));
    let own = own.map(|(label, fact)| (*label, fact(record, shared)));
    let room = columns.saturating_sub(LABEL + 3);
    let own = own.map(|(label, cell)| (label, folded(&joined(&cell.text), room), cell.tone));
    let facts = facts.map(|(label, cell)| (label, vec![joined(&cell.text)], cell.tone));
    let facts = own.chain(facts).flat_map(|(label, lines, tone)| {
        let labels = std::iter::once(label).chain(std::iter::repeat(""));
        labels
            .zip(lines)
            .map(move |(label, line)| (label, line, tone))
    });
    let facts = facts.filter(|(_, line, _)| !line.is_empty());
    let lines = facts.map(|(label, line, tone)| {
        let label = padded(label, LABEL);
        Line::from(vec![
            Span::styled(format!(" {label} "), shared.settings.theme.dim),
            Span::styled(line, tone.style(&shared.settings.theme)),
        ])
    });
    lines.collect()
}

/// Draws the facts in a box titled with the record's name.
pub(crate) fn draw_box(
    kind: &'static Kind,
    record: &Record,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let name = fit(
        &record.label(kind),
        usize::from(area.width).saturating_sub(6),
    );
    let title = Span::styled(format!(" {name} "), shared.settings.theme.title);
    let inside = framed(frame, area, title, shared.settings.theme.border);
    let width = inside.width.saturating_sub(2);
    draw(lines(kind, record, shared, width.into()), frame, inside, 0);
}

/// Draws facts from this line on.
pub(crate) fn draw(lines: Vec<Line>, frame: &mut Frame, area: Rect, from: u16) {
    let area = area.inner(INSET);
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(text.scroll((from, 0)), area);
}

/// Requests the names of referenced records.
pub(crate) fn want_references(cx: &mut Cx, kind: &'static Kind, record: &Record) {
    want_names_in(cx, &kind.peer, &kind.fields, record.all());
}
