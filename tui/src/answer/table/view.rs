//! Drawing of a table: the fields around the list, a status line, and the visible rows.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use serde_json::Value;

use super::{Table, columns, records};
use crate::answer::fields::short_fields;
use crate::answer::view::draw_texts;
use crate::app::shared::Shared;
use crate::shape::{self, Shape};
use crate::ui::panel;
use crate::ui::table::{self, Column, Row};
use crate::ui::text::{clean, fit};

/// Maximum number of bytes of a cell.
const MOST: usize = 1000;

/// Draws the table of this answer.
pub(in crate::answer) fn draw(
    table: &Table,
    answer: &Value,
    shared: &Shared,
    frame: &mut Frame,
    area: Rect,
) {
    let theme = &shared.theme;
    let records = records(answer).unwrap_or_default();
    let fields = Shape::of(answer).map_or(Vec::new(), |shape| {
        let width = usize::from(area.width.saturating_sub(2));
        // The fields around the list use at most half of the height.
        let most = usize::from(area.height / 2).saturating_sub(1);
        let key = shared.keymap.key("answer.json");
        short_fields(&shape, width, most, &key)
    });
    let shown = fields.len();
    let gap = u16::from(shown > 0);
    let [_, above, line, list] = Layout::vertical([
        Constraint::Length(gap),
        Constraint::Length(shown as u16),
        Constraint::Length(1),
        Constraint::Fill(1),
    ])
    .areas(area);
    draw_texts(shared, frame, &fields, 0..shown, above);
    draw_line(table, answer, records.len(), shared, frame, line);
    if table.order.is_empty() {
        let words = match records.is_empty() {
            true => "No records".to_owned(),
            false => format!("No match for “{}”", clean(&table.search.text())),
        };
        let message = panel::middle(list, list.width.saturating_sub(4), 1);
        frame.render_widget(Line::styled(words, theme.dim), message);
        return;
    }
    let sort = table.sort.as_ref();
    let sorted = sort.and_then(|sort| table.column_of(&sort.column));
    let room = usize::from(list.width.saturating_sub(2));
    let chosen = columns::shown(&table.columns, table.column, sorted, room);
    let drawn: Vec<Column> = chosen
        .iter()
        .enumerate()
        .map(|(place, (at, width))| {
            let mut title = clean(&table.columns[*at].0).into_owned();
            if let Some(sort) = sort.filter(|_| sorted == Some(*at)) {
                title += if sort.is_reversed { " ↓" } else { " ↑" };
            }
            let column = match place + 1 == chosen.len() {
                true => Column::share(title, 1),
                false => Column::fixed(title, *width as u16),
            };
            match *at == table.column {
                true => column.heading(theme.key),
                false => column,
            }
        })
        .collect();
    let place = table.place();
    table::draw(
        frame,
        list,
        theme,
        &drawn,
        table.order.len(),
        place,
        |row| {
            let record = &records[table.order[row]];
            chosen.iter().fold(Row::new(), |row, (at, _)| {
                let cell = record.get(&table.columns[*at].0);
                row.cell(cell.map_or(String::new(), |cell| match cell {
                    Value::Null => String::new(),
                    cell => shape::preview(cell, MOST),
                }))
            })
        },
    );
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
    let theme = &shared.theme;
    let about = about(table, answer, all);
    let about = fit(&about, usize::from(area.width / 2) + 10);
    let width = crate::ui::text::cells(&about) as u16;
    let [left, right] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(width + 1)]).areas(area);
    frame.render_widget(Span::styled(about, theme.dim), right);
    if table.search.is_open() {
        table.search.draw(theme, frame, left);
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
        && let Some((name, _)) = table.columns.get(table.column)
    {
        let (at, columns) = (table.column + 1, table.columns.len());
        words.push(format!("{} · column {at} of {columns}", clean(name)));
    }
    words.join(" · ")
}
