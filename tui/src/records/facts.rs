//! The facts of a record, a line per field: names and states first, long texts last.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use serde_json::Value;

use super::cell::fact;
use super::kind::{Field, Is, Kind};
use super::record::Record;
use super::rows;
use super::view::View;
use crate::app::cx::Cx;
use crate::app::shared::Shared;
use crate::records::names::want_names;
use crate::ui::panel::titled;
use crate::ui::text::{cells, fit};

/// Maximum width of a label.
const LABEL: usize = 16;
/// Space before the rows of a table.
const INDENT: usize = 2;
/// Maximum width of a name shown above the facts.
const NAME: usize = 40;

/// The facts of a record at this width; empty fields are left out.
pub(crate) fn lines(
    kind: &'static Kind,
    record: &Record,
    shared: &Shared,
    columns: usize,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let view = View::of(kind, shared);
    let mut lines = Vec::new();
    let own = view.facts.iter().map(|(label, fact)| {
        let cell = fact(record, shared);
        ((*label).to_owned(), cell)
    });
    let mut fields: Vec<&Field> = kind.fields.iter().collect();
    // A short name is shown above the facts.
    let is_named = cells(&record.label(kind)) <= NAME;
    fields.retain(|field| {
        let is_told = view.told.contains(&field.name.as_str());
        !(is_told || is_named && field.is == Is::Name)
    });
    fields.sort_by_key(|field| rank(field));
    let nested = fields.iter().filter_map(|field| match &field.is {
        Is::Rows(fields) => Some((field, fields, record.get(&field.name).as_array()?)),
        _ => None,
    });
    let nested: Vec<_> = nested.filter(|(.., items)| !items.is_empty()).collect();
    let general = fields
        .iter()
        .filter(|field| !matches!(field.is, Is::Rows(_)))
        .map(|field| (field.title.clone(), fact(field, record, shared)));
    let facts: Vec<_> = own
        .chain(general)
        .filter(|(_, cell)| !cell.text.is_empty())
        .collect();
    let widest = facts
        .iter()
        .map(|(label, _)| cells(label))
        .max()
        .unwrap_or(0);
    let width = widest.min(LABEL);
    for (label, cell) in facts {
        let style = cell.tone.style(theme);
        let label = fit(&label, width);
        let gap = " ".repeat(width.saturating_sub(cells(&label)) + 2);
        let room = columns.saturating_sub(width + 2).max(LABEL);
        let mut text = cell.text.lines().flat_map(|line| folded(line, room));
        lines.push(Line::from(vec![
            Span::styled(format!("{label}{gap}"), theme.dim),
            Span::styled(text.next().unwrap_or_default(), style),
        ]));
        let indent = " ".repeat(width + 2);
        lines.extend(text.map(|line| Line::styled(format!("{indent}{line}"), style)));
    }
    for (field, fields, items) in nested {
        lines.push(Line::styled(field.title.clone(), theme.dim));
        let table = rows::lines(fields, items, shared, columns.saturating_sub(INDENT));
        lines.extend(table.into_iter().map(|mut line| {
            line.spans.insert(0, Span::raw(" ".repeat(INDENT)));
            line
        }));
    }
    lines
}

/// Wraps a line between words.
fn folded(line: &str, width: usize) -> Vec<String> {
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
    let told = view.told;
    let mut fields: Vec<&Field> = kind.fields.iter().collect();
    fields.retain(|field| {
        let name = field.name.as_str();
        !shown.contains(&name) && !told.contains(&name) && field.is != Is::Id
    });
    fields.sort_by_key(|field| std::cmp::Reverse(rank(field)));
    let facts = fields
        .iter()
        .map(|field| (field.title.as_str(), fact(field, record, shared)));
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
        let label = fit(label, LABEL);
        let gap = " ".repeat(LABEL.saturating_sub(cells(&label)) + 1);
        Line::from(vec![
            Span::styled(format!(" {label}{gap}"), shared.theme.dim),
            Span::styled(line, tone.style(&shared.theme)),
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
    let title = Span::styled(format!(" {name} "), shared.theme.title);
    let block = titled(title, shared.theme.border);
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let width = inside.width.saturating_sub(2);
    draw(lines(kind, record, shared, width.into()), frame, inside, 0);
}

/// Draws facts from this line on.
pub(crate) fn draw(lines: Vec<Line>, frame: &mut Frame, area: Rect, from: u16) {
    let area = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(2),
        ..area
    };
    let text = Paragraph::new(lines).wrap(Wrap { trim: false });
    frame.render_widget(text.scroll((from, 0)), area);
}

/// Requests the names of referenced records.
pub(crate) fn want_references(cx: &mut Cx, kind: &'static Kind, record: &Record) {
    want(cx, kind, &kind.fields, record);
}

fn want(cx: &mut Cx, kind: &'static Kind, fields: &[Field], record: &Record) {
    for field in fields {
        let (id, ids): (_, Vec<String>) = match (&field.is, record.get(&field.name)) {
            (Is::Reference(of), Value::String(id)) => (of, vec![id.clone()]),
            (Is::References(of), Value::Array(ids)) => {
                let ids = ids.iter().filter_map(|id| id.as_str());
                (of, ids.map(str::to_owned).collect())
            }
            (Is::Rows(fields), Value::Array(items)) => {
                let rows = items.iter().filter_map(Record::within);
                rows.for_each(|row| want(cx, kind, fields, &row));
                continue;
            }
            _ => continue,
        };
        want_names(cx, kind.host, id, ids);
    }
}

fn rank(field: &Field) -> u8 {
    match field.is {
        Is::Name => 0,
        Is::State(_) => 1,
        Is::Time | Is::Day => 2,
        Is::Reference(_) => 3,
        Is::Text | Is::Number | Is::Amount | Is::Flag => 4,
        Is::References(_) | Is::Other => 5,
        Is::Rows(_) => 6,
        Is::Prose => 7,
        Is::Id => 8,
    }
}
