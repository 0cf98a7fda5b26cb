//! Drawing of a table: the fields around the list, a status line, and the visible rows.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use serde_json::Value;

use super::{Table, columns, records};
use crate::app::shared::Shared;
use crate::fields::cell::{Cell, cell};
use crate::fields::rows::widest;
use crate::fields::{Field, facts};
use crate::look::text::{cells, clean, fit};
use crate::tabular::Tabular;
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};

/// Maximum width of a column, so a long text leaves room for others.
const WIDEST: usize = 40;
/// The field with the number of records on all pages.
pub(in crate::answer) const TOTAL: &str = "total";
/// The number of records that determine the widths of the columns.
const MEASURED: usize = 200;

/// Draws the table of this answer, which has these fields.
pub(in crate::answer) fn draw(
    table: &Table,
    answer: &Value,
    fields: &[Field],
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let records = records(answer).unwrap_or_default();
    let around = around(answer, fields, shared, area);
    let gap = u16::from(!around.is_empty());
    let [_, above, line, list] =
        Layout::vertical([Length(gap), Length(around.len() as u16), Length(1), Fill(1)])
            .areas(area);
    let above = Rect {
        x: above.x + 1,
        width: above.width.saturating_sub(1),
        ..above
    };
    frame.render_widget(Text::from(around), above);
    draw_line(table, answer, records.len(), shared, frame, line);
    if table.order.is_empty() {
        let words = match records.is_empty() {
            true => "No records".to_owned(),
            false => format!("No match for “{}”", clean(&table.search.text())),
        };
        panel::note(frame, list, Line::styled(words, theme.dim));
        return;
    }
    let sort = table.sort.as_ref();
    let sorted = sort.and_then(|sort| table.column_of(&sort.column));
    let room = usize::from(list.width.saturating_sub(2));
    let wanted = table.columns.iter().enumerate().map(|(at, field)| {
        let measured = records.iter().take(MEASURED);
        let shown = measured.map(|record| cell(field, &record[&field.name], shared));
        let shown: Vec<Cell> = shown.collect();
        // The sort arrow follows the title.
        let heading = cells(&field.title) + if sorted == Some(at) { 2 } else { 0 };
        widest(field, &shown).max(heading).min(WIDEST)
    });
    let wanted: Vec<usize> = wanted.collect();
    let chosen = columns::shown(&wanted, table.column, room);
    let drawn: Vec<Column> = chosen
        .iter()
        .enumerate()
        .map(|(place, (at, width))| {
            let field = &table.columns[*at];
            let mut title = field.title.clone();
            if let Some(sort) = sort.filter(|_| sorted == Some(*at)) {
                title += if sort.is_reversed { " ↓" } else { " ↑" };
            }
            let column = match (field.is_right(), place + 1 == chosen.len()) {
                (true, _) => Column::fixed(title, *width as u16).right(),
                (false, true) => Column::share(title, 1),
                (false, false) => Column::fixed(title, *width as u16),
            };
            match *at == table.column {
                true => column.heading(theme.key),
                false => column,
            }
        })
        .collect();
    let place = table.place();
    let len = table.order.len();
    table::draw(frame, list, shared, &drawn, len, place, |row| {
        let record = &records[table.order[row]];
        chosen.iter().fold(Row::new(), |row, (at, _)| {
            let field = &table.columns[*at];
            let cell = cell(field, &record[&field.name], shared);
            row.styled(cell.text, cell.tone.style(theme))
        })
    });
}

/// The fields around the list, in at most half of the height.
fn around(answer: &Value, fields: &[Field], shared: &Shared, area: Rect) -> Vec<Line<'static>> {
    let shown = Tabular::of(answer).map_or_else(Vec::new, |shape| shape.fields);
    // The title shows the total.
    let is_shown =
        |field: &&Field| field.name != TOTAL && shown.iter().any(|(name, _)| **name == field.name);
    let mut fields: Vec<&Field> = fields.iter().filter(is_shown).collect();
    fields.sort_by_key(|field| field.rank());
    let columns = usize::from(area.width.saturating_sub(2));
    let width = facts::width(facts::titles(&fields), columns);
    let mut lines: Vec<Line> = fields
        .iter()
        .flat_map(|field| facts::lines(field, &answer[&field.name], shared, width, columns))
        .collect();
    let most = usize::from(area.height / 2).saturating_sub(1);
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        let words = format!(
            "… more as JSON: {}",
            shared.settings.keymap.key("answer.json")
        );
        lines.push(Line::styled(words, shared.settings.theme.dim));
    }
    lines
}

/// Draws the search, the selected column, and the number of visible rows.
fn draw_line(
    table: &Table,
    answer: &Value,
    all: usize,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.settings.theme;
    let about = about(table, answer, all);
    let about = fit(&about, usize::from(area.width / 2) + 10);
    let width = cells(&about) as u16;
    let [left, right] = Layout::horizontal([Fill(1), Length(width + 1)]).areas(area);
    frame.render_widget(Span::styled(about, theme.dim), right);
    if table.search.is_open() {
        table.search.draw(theme, frame, left, Style::new());
    }
}

fn about(table: &Table, answer: &Value, all: usize) -> String {
    let mut words = Vec::new();
    let is_found = !table.search.folded().is_empty();
    if is_found {
        words.push(format!("{} of {all}", table.order.len()));
    }
    // If more records exist than were loaded, the order covers only this page.
    let is_part = answer.get("has_more") == Some(&Value::Bool(true))
        || answer.get("offset").is_some_and(|at| *at != 0);
    if is_part && (is_found || table.sort.is_some()) {
        words.push("this page only".to_owned());
    }
    if table.columns.len() > 1
        && let Some(field) = table.columns.get(table.column)
    {
        let (at, columns) = (table.column + 1, table.columns.len());
        words.push(format!("{} · column {at} of {columns}", field.title));
    }
    words.join(" · ")
}
