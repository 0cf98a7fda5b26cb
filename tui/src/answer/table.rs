//! A list of records as a table: visible rows, order and selection.

mod columns;
mod view;

use std::cmp::Ordering;

use serde_json::Value;

pub(super) use view::draw;

use super::search::Search;
use crate::shape::{self, Shape};
use crate::ui::table;
use crate::ui::text::fold;

/// The records of an answer, if it is a list of them.
pub(super) fn records(answer: &Value) -> Option<&[Value]> {
    match answer {
        Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_object) => {
            Some(items)
        }
        answer => Shape::of(answer)?.list.map(|(_, items)| items.as_slice()),
    }
}

/// A table over the records of an answer, which are not copied.
#[derive(Debug)]
pub(super) struct Table {
    /// All columns with the width of their widest cell.
    columns: Vec<(String, usize)>,
    /// The visible records in order.
    order: Vec<usize>,
    /// The selected record.
    at: usize,
    /// The selected column.
    column: usize,
    sort: Option<Sort>,
    search: Search,
    /// The searchable text of each record, computed on demand.
    texts: Vec<String>,
}

#[derive(Debug, Clone)]
struct Sort {
    /// The name of the column, so the order survives a refresh with different columns.
    column: String,
    is_reversed: bool,
}

/// A selection, to be restored among other records.
#[derive(Debug)]
pub(super) struct Bookmark {
    record: Value,
    /// Its row on screen.
    place: usize,
}

impl Table {
    /// The table of these records.
    pub(super) fn new(records: &[Value]) -> Self {
        let mut table = Table {
            columns: shape::columns(records),
            order: Vec::new(),
            at: 0,
            column: 0,
            sort: None,
            search: Search::new(),
            texts: Vec::new(),
        };
        table.arrange(records);
        table
    }

    /// The current selection.
    pub(super) fn bookmark(&self, records: &[Value]) -> Option<Bookmark> {
        Some(Bookmark {
            record: identity(records.get(self.at)?).clone(),
            place: self.place()?,
        })
    }

    /// Adapts to new records; selects the same record, or the one in its row.
    pub(super) fn renew(&mut self, records: &[Value], bookmark: Option<&Bookmark>) {
        let column = self.columns.get(self.column).map(|(name, _)| name.clone());
        self.columns = shape::columns(records);
        self.column = column.map_or(0, |name| self.column_of(&name).unwrap_or(0));
        self.texts.clear();
        let found = bookmark.and_then(|bookmark| {
            let is_it = |record| *identity(record) == bookmark.record;
            records.iter().position(is_it)
        });
        // If it is not found, nothing is selected until the order determines the row.
        self.at = found.unwrap_or(records.len());
        self.arrange(records);
        if found.is_none()
            && let Some(last) = self.order.len().checked_sub(1)
        {
            let place = bookmark.map_or(0, |bookmark| bookmark.place.min(last));
            self.at = self.order[place];
        }
    }

    /// The selected record, if any is visible.
    pub(super) fn selected<'a>(&self, records: &'a [Value]) -> Option<&'a Value> {
        self.place().and_then(|_| records.get(self.at))
    }

    /// The index of the selected record in the answer, if any is visible.
    pub(super) fn index(&self) -> Option<usize> {
        self.place().map(|_| self.at)
    }

    /// The selected value.
    pub(super) fn cell<'a>(&self, records: &'a [Value]) -> Option<&'a Value> {
        let (name, _) = self.columns.get(self.column)?;
        Some(self.selected(records)?.get(name).unwrap_or(&Value::Null))
    }

    /// The row of the selected record.
    fn place(&self) -> Option<usize> {
        self.order.iter().position(|at| *at == self.at)
    }

    /// Moves the selection by this many rows.
    pub(super) fn step(&mut self, by: isize) {
        if let Some(at) = table::step(&self.order, Some(self.at), by) {
            self.at = at;
        }
    }

    /// Moves the selection by this many columns.
    pub(super) fn step_column(&mut self, by: isize) {
        let last = self.columns.len().saturating_sub(1);
        self.column = self.column.saturating_add_signed(by).min(last);
    }

    /// The search.
    pub(super) fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    /// Whether letters are typed into the search field.
    pub(super) fn typing(&self) -> crate::app::state::Typing {
        self.search.typing()
    }

    /// Sorts by the next column; after the last one, in the host's order.
    pub(super) fn sort(&mut self, records: &[Value]) {
        let next = match &self.sort {
            Some(sort) => self.column_of(&sort.column).map_or(0, |at| at + 1),
            None => 0,
        };
        match self.columns.get(next) {
            Some((name, _)) => {
                self.column = next;
                self.sort = Some(Sort {
                    column: name.clone(),
                    is_reversed: false,
                });
            }
            None => self.sort = None,
        }
        self.arrange(records);
    }

    /// Sorts by the selected column.
    pub(super) fn sort_here(&mut self, records: &[Value]) {
        if let Some((name, _)) = self.columns.get(self.column) {
            let is_reversed = match &self.sort {
                Some(sort) if sort.column == *name => !sort.is_reversed,
                _ => false,
            };
            self.sort = Some(Sort {
                column: name.clone(),
                is_reversed,
            });
        }
        self.arrange(records);
    }

    /// Reverses the order.
    pub(super) fn reverse(&mut self, records: &[Value]) {
        match &mut self.sort {
            Some(sort) => {
                sort.is_reversed = !sort.is_reversed;
                self.arrange(records);
            }
            None => self.sort_here(records),
        }
    }

    /// Recomputes the visible rows and their order.
    pub(super) fn arrange(&mut self, records: &[Value]) {
        let text = self.search.folded();
        if !text.is_empty() && self.texts.len() != records.len() {
            self.texts = records.iter().map(searched).collect();
        }
        let is_shown = |at: &usize| text.is_empty() || self.texts[*at].contains(&text);
        self.order = (0..records.len()).filter(is_shown).collect();
        if let Some(sort) = &self.sort {
            let cell = |at: &usize| records[*at].get(&sort.column).unwrap_or(&Value::Null);
            self.order
                .sort_by(|one, other| compare(cell(one), cell(other), sort.is_reversed));
        }
        if self.place().is_none() {
            self.at = self.order.first().copied().unwrap_or(0);
        }
    }

    fn column_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|(column, _)| column == name)
    }
}

/// The identity of the record: its id, or the whole record.
fn identity(record: &Value) -> &Value {
    record
        .get("id")
        .filter(|id| id.is_string() || id.is_number())
        .unwrap_or(record)
}

/// All cells of the record for the search, separated by line breaks.
fn searched(record: &Value) -> String {
    let cells = record.as_object().into_iter().flat_map(|record| {
        let cells = record.values().map(shape::cell);
        cells.collect::<Vec<_>>()
    });
    fold(&cells.collect::<Vec<_>>().join("\n"))
}

/// Compares two cells. Missing values always come last; numbers come before texts.
fn compare(one: &Value, other: &Value, is_reversed: bool) -> Ordering {
    let by_value = match (one, other) {
        (Value::Null, Value::Null) => return Ordering::Equal,
        (Value::Null, _) => return Ordering::Greater,
        (_, Value::Null) => return Ordering::Less,
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64(), other.as_f64());
            one.unwrap_or(0.0).total_cmp(&other.unwrap_or(0.0))
        }
        (Value::Number(_), _) => Ordering::Less,
        (_, Value::Number(_)) => Ordering::Greater,
        (one, other) => {
            let (one, other) = (shape::cell(one), shape::cell(other));
            (fold(&one), one).cmp(&(fold(&other), other))
        }
    };
    match is_reversed {
        true => by_value.reverse(),
        false => by_value,
    }
}
