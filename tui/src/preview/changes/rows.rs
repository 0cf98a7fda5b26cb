//! Changed rows as a list: a line for each row, and below it its fields, before → after.

use std::collections::BTreeSet;

use frontdesk_protocol::changes::{Changes, RowChange, RowOperation};
use jiff::civil::Date;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use serde_json::{Map, Value};

use super::words::{Tense, kind_of, label, noun, summary, verb};
use crate::app::cx::Cx;
use crate::app::peer::Reply;
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::{self, Is};
use crate::look::text::{cells, clean, count, fit};
use crate::look::theme::Theme;
use crate::look::time;
use crate::records::kind::Kind;
use crate::records::names::want_names_in;
use crate::tabular;

/// The width of a field's name.
const NAME: usize = 18;
/// Maximum length of a value in bytes.
const VALUE: usize = 400;
/// The field with the time of the last update.
const UPDATED: &str = "updated_at";
/// The number of rows whose references are requested by name.
const NAMED: usize = 100;

/// The position in a list of changed rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    at: usize,
    /// Rows whose fields are toggled: those of a change are shown at first, the others are not.
    toggled: BTreeSet<usize>,
}

/// A line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Item {
    Row(usize),
    /// A field of the row.
    Field(usize, String),
    /// Rows that are only counted.
    More(usize),
}

impl Rows {
    /// Moves the selection.
    pub(crate) fn step(&mut self, changes: &Changes, by: isize) {
        let last = self.items(changes).len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
    }

    /// Shows or hides the fields of the selected row.
    pub(crate) fn toggle(&mut self, changes: &Changes) {
        let items = self.items(changes);
        let Some(Item::Row(row) | Item::Field(row, _)) = items.get(self.at) else {
            return;
        };
        let row = *row;
        if !self.toggled.remove(&row) {
            self.toggled.insert(row);
        }
        let items = self.items(changes);
        self.at = items
            .iter()
            .position(|item| *item == Item::Row(row))
            .unwrap_or(0);
    }

    fn items(&self, changes: &Changes) -> Vec<Item> {
        let rows = changes.rows.iter().enumerate().flat_map(|(at, row)| {
            let is_open = (row.operation == RowOperation::Update) != self.toggled.contains(&at);
            let fields = match is_open {
                true => fields(row),
                false => Vec::new(),
            };
            let fields = fields.into_iter().map(move |field| Item::Field(at, field));
            std::iter::once(Item::Row(at)).chain(fields)
        });
        let more = (0..changes.more.len()).map(Item::More);
        rows.chain(more).collect()
    }

    /// Draws the visible lines.
    pub(crate) fn draw(
        &self,
        changes: &Changes,
        tense: Tense,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        let items = self.items(changes);
        let height = usize::from(area.height);
        let last = items.len().saturating_sub(height);
        let from = self.at.saturating_sub(height / 2).min(last);
        let visible = items.iter().enumerate().skip(from).take(height);
        for ((at, item), place) in visible.zip(area.rows()) {
            let width = usize::from(area.width);
            let mut line = match item {
                Item::Row(row) => row_line(&changes.rows[*row], tense, shared, width),
                Item::Field(row, field) => field_line(&changes.rows[*row], field, shared, width),
                Item::More(more) => more_line(changes, *more, tense, shared),
            };
            if at == self.at {
                line = line.patch_style(shared.settings.theme.selected);
            }
            frame.render_widget(line, place);
        }
    }
}

/// Remembers the names of the rows, and requests those of the records to which they refer.
pub(crate) fn want_names(cx: &mut Cx, changes: &Changes) {
    for row in &changes.rows {
        if let (Some(label), Some(Value::String(id))) = (label(row), row.key.get("id")) {
            cx.shared.names.note(id, &label);
        }
    }
    for row in changes.rows.iter().take(NAMED) {
        let Some(kind) = kind_of(&row.table, row.kind.as_deref()) else {
            continue;
        };
        for side in [&row.before, &row.after].into_iter().flatten() {
            want_names_in(cx, &kind.peer, &kind.fields, side);
        }
    }
}

/// The changes on one line: the fields of the record with this id, or of the only changed one, then
/// the other rows.
pub(crate) fn brief(changes: &Changes, id: &str, shared: &Shared) -> String {
    let mut rest = changes.clone();
    let is_own = |row: &RowChange| row.key.get("id").and_then(Value::as_str) == Some(id);
    let rows = changes.rows.iter().enumerate();
    let mut updates = rows.filter(|(_, row)| row.operation == RowOperation::Update);
    let own = updates.clone().find(|(_, row)| is_own(row));
    let only = updates.next().filter(|_| updates.next().is_none());
    let mut words = Vec::new();
    if let Some((at, row)) = own.or(only) {
        rest.rows.remove(at);
        let kind = kind_of(&row.table, row.kind.as_deref());
        let fields = fields(row).into_iter().map(|name| {
            let shown = |side| text(kind, &name, side, shared).unwrap_or_default();
            let (before, after) = (shown(&row.before), shown(&row.after));
            format!("{}: {before} → {after}", title(kind, &name))
        });
        words.push(fields.collect::<Vec<_>>().join(", "));
    }
    let others = summary(&rest, Tense::Preview).into_iter();
    words.extend(others.map(|(_, words)| words));
    words.join("; ")
}

/// The title of a field.
fn title(kind: Option<&'static Kind>, name: &str) -> String {
    let field = kind.and_then(|kind| kind.field(name));
    let title = field.map_or_else(|| fields::title(name), |field| field.title.clone());
    clean(&title).into_owned()
}

/// The fields to show: those that change; of a new or deleted row, those that the kind declares.
fn fields(row: &RowChange) -> Vec<String> {
    let sides = [&row.before, &row.after].into_iter().flatten();
    let mut names: Vec<String> = Vec::new();
    for name in sides.flat_map(Map::keys) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let kind = kind_of(&row.table, row.kind.as_deref());
    let is_declared = |name: &String| kind.is_none_or(|kind| kind.field(name).is_some());
    if row.operation == RowOperation::Update {
        // Columns such as the time of the last update matter only if nothing else changes.
        let matters = |name: &String| is_declared(name) && name != UPDATED;
        if names.iter().any(matters) {
            names.retain(matters);
        }
    } else {
        names.retain(|name| {
            let values = [value(&row.before, name), value(&row.after, name)];
            let is_empty = values
                .into_iter()
                .all(|value| value.is_none_or(Value::is_null));
            is_declared(name) && !is_empty && !row.key.contains_key(name)
        });
    }
    names
}

fn value<'a>(side: &'a Option<Map<String, Value>>, name: &str) -> Option<&'a Value> {
    side.as_ref()?.get(name)
}

fn style(operation: RowOperation, theme: &Theme) -> Style {
    match operation {
        RowOperation::Insert => theme.good,
        RowOperation::Update => theme.warn,
        RowOperation::Delete => theme.bad,
    }
}

fn row_line(row: &RowChange, tense: Tense, shared: &Shared, width: usize) -> Line<'static> {
    let theme = &shared.settings.theme;
    let (glyph, verb) = verb(row.operation, tense);
    let noun = noun(row);
    let name = label(row).unwrap_or_else(|| key(row, shared));
    let room = width.saturating_sub(cells(verb) + cells(&noun) + 7);
    Line::from(vec![
        Span::styled(format!(" {glyph} {verb} "), style(row.operation, theme)),
        Span::styled(format!("{noun}  "), theme.dim),
        Span::raw(fit(&name, room)),
    ])
}

/// A row without a name: the names of the records to which it refers and its day, otherwise its key.
fn key(row: &RowChange, shared: &Shared) -> String {
    let all = row.after.as_ref().or(row.before.as_ref());
    let others = all.unwrap_or(&row.key).iter();
    let texts = others.filter_map(|(name, value)| Some((name, value.as_str()?)));
    // A new record can have the id of the one from which it was made.
    let names = texts.filter(|(name, _)| *name != "id");
    let names: Vec<String> = names
        .filter_map(|(_, text)| match text.parse::<Date>() {
            Ok(day) if text.len() == 10 => Some(time::day_alone(day, shared.now, &shared.locale)),
            _ => Some(clean(shared.names.get(text)?).into_owned()),
        })
        .collect();
    if !names.is_empty() {
        return names.join(" · ");
    }
    let values = row.key.values().map(|value| match value {
        Value::String(id) => cell::name(id, shared).text,
        value => tabular::preview(value, VALUE),
    });
    values.collect::<Vec<_>>().join(" · ")
}

fn field_line(row: &RowChange, name: &str, shared: &Shared, width: usize) -> Line<'static> {
    let theme = &shared.settings.theme;
    let kind = kind_of(&row.table, row.kind.as_deref());
    let title = fit(&title(kind, name), NAME);
    let gap = " ".repeat(NAME.saturating_sub(cells(&title)) + 1);
    let shown = |side| text(kind, name, side, shared);
    let mut spans = vec![Span::styled(format!("     {title}{gap}"), theme.dim)];
    let room = width.saturating_sub(NAME + 6);
    match (shown(&row.before), shown(&row.after)) {
        (Some(before), Some(after)) => {
            let room = room.saturating_sub(3);
            let first = cells(&before).min(room.saturating_sub(cells(&after)).max(room / 2));
            spans.push(Span::raw(fit(&before, first)));
            spans.push(Span::styled(" → ", theme.key));
            spans.push(Span::raw(fit(&after, room.saturating_sub(first))));
        }
        (Some(only), None) | (None, Some(only)) => spans.push(Span::raw(fit(&only, room))),
        (None, None) => {}
    }
    Line::from(spans)
}

/// A value in words; `None` if this side does not have the field.
fn text(
    kind: Option<&'static Kind>,
    name: &str,
    side: &Option<Map<String, Value>>,
    shared: &Shared,
) -> Option<String> {
    let value = side.as_ref()?.get(name)?;
    let field = kind.and_then(|kind| kind.field(name));
    let seeming = || fields::of_value(name, value);
    let field = field.cloned().unwrap_or_else(seeming);
    let shown = match (value, &field.is) {
        (Value::Null, _) => Cell::new(""),
        (Value::String(id), Is::Id) => match shared.names.get(id) {
            Some(name) => Cell::new(name),
            None => Cell::new(id),
        },
        (value, _) => cell::fact(&field, value, shared),
    };
    let mut text = shown.text.split('\n').collect::<Vec<_>>().join(" ");
    let at = value.as_str().filter(|_| field.is == Is::Time);
    if let Some(Ok(at)) = at.map(str::parse) {
        text = format!("{text} {}", time::zone_of(at, &shared.locale));
    }
    Some(match text.is_empty() {
        true => "empty".to_owned(),
        false => text,
    })
}

fn more_line(changes: &Changes, at: usize, tense: Tense, shared: &Shared) -> Line<'static> {
    let more = &changes.more[at];
    let (glyph, verb) = verb(more.operation, tense);
    let rows = usize::try_from(more.count).unwrap_or(usize::MAX);
    let table = more.kind.as_deref().unwrap_or(&more.table);
    let table = clean(&table.replace(['_', '.'], " ")).into_owned();
    let hidden = match more.hidden {
        true => ", not visible to you",
        false => ", not listed",
    };
    let theme = &shared.settings.theme;
    Line::from(vec![
        Span::styled(format!(" {glyph} {verb} "), style(more.operation, theme)),
        Span::styled(format!("{table}  "), theme.dim),
        Span::raw(format!("{}{hidden}", count(rows, "row", "rows"))),
    ])
}

/// The number of rows of a large action that this undo has left for the next one.
pub(super) fn rows_left(reply: &Reply) -> usize {
    let left = reply.value["change"]["rows_left"].as_u64();
    left.map_or(0, |left| usize::try_from(left).unwrap_or(usize::MAX))
}
