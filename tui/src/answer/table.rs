//! A list of records as a table: visible rows, order and selection.

mod columns;
mod view;

use serde_json::Value;

pub(super) use view::{TOTAL, draw};

use crate::app::shared::Shared;
use crate::fields::{Field, cell, is_empty, key};
use crate::look::text::fold;
use crate::tabular::{self, Tabular};
use crate::ui::search::Search;
use crate::ui::table;

/// The records of an answer, if it is a list of them.
pub(super) fn records(answer: &Value) -> Option<&[Value]> {
    Tabular::of(answer)?.list.map(|(_, items)| items.as_slice())
}

/// A table over the records of an answer, which are not copied.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The columns: the fields that are not empty in all records.
    columns: Vec<Field>,
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
    /// The table of records with these fields, in the host's order.
    pub(super) fn new(fields: &[Field], records: &[Value]) -> Self {
        Table {
            columns: columns(fields, records),
            order: (0..records.len()).collect(),
            ..Table::default()
        }
    }

    /// The current selection.
    pub(super) fn bookmark(&self, records: &[Value]) -> Option<Bookmark> {
        Some(Bookmark {
            record: identity(records.get(self.at)?).clone(),
            place: self.place()?,
        })
    }

    /// Adapts to new records; selects the same record, or the one in its row.
    pub(super) fn renew(
        &mut self,
        fields: &[Field],
        records: &[Value],
        bookmark: Option<&Bookmark>,
        shared: &Shared,
    ) {
        let column = self
            .columns
            .get(self.column)
            .map(|field| field.name.clone());
        self.columns = columns(fields, records);
        self.column = column.map_or(0, |name| self.column_of(&name).unwrap_or(0));
        self.texts.clear();
        let found = bookmark.and_then(|bookmark| {
            let is_it = |record| *identity(record) == bookmark.record;
            records.iter().position(is_it)
        });
        // If it is not found, nothing is selected until the order determines the row.
        self.at = found.unwrap_or(records.len());
        self.arrange(records, shared);
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
        let field = self.columns.get(self.column)?;
        Some(&self.selected(records)?[&field.name])
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
    pub(super) fn sort(&mut self, records: &[Value], shared: &Shared) {
        let next = match &self.sort {
            Some(sort) => self.column_of(&sort.column).map_or(0, |at| at + 1),
            None => 0,
        };
        match self.columns.get(next) {
            Some(field) => {
                self.column = next;
                self.sort = Some(Sort {
                    column: field.name.clone(),
                    is_reversed: false,
                });
            }
            None => self.sort = None,
        }
        self.arrange(records, shared);
    }

    /// Sorts by the selected column.
    pub(super) fn sort_here(&mut self, records: &[Value], shared: &Shared) {
        if let Some(field) = self.columns.get(self.column) {
            let is_reversed = match &self.sort {
                Some(sort) if sort.column == field.name => !sort.is_reversed,
                _ => false,
            };
            self.sort = Some(Sort {
                column: field.name.clone(),
                is_reversed,
            });
        }
        self.arrange(records, shared);
    }

    /// Reverses the order.
    pub(super) fn reverse(&mut self, records: &[Value], shared: &Shared) {
        match &mut self.sort {
            Some(sort) => {
                sort.is_reversed = !sort.is_reversed;
                self.arrange(records, shared);
            }
            None => self.sort_here(records, shared),
        }
    }

    /// Recomputes the visible rows and their order.
    pub(super) fn arrange(&mut self, records: &[Value], shared: &Shared) {
        let text = self.search.folded();
        if !text.is_empty() && self.texts.len() != records.len() {
            let text = |record| searched(&self.columns, record, shared);
            self.texts = records.iter().map(text).collect();
        }
        let is_shown = |at: &usize| text.is_empty() || self.texts[*at].contains(&text);
        self.order = (0..records.len()).filter(is_shown).collect();
        if let Some(sort) = &self.sort
            && let Some(field) = self.columns.iter().find(|field| field.name == sort.column)
        {
            key::sort(&mut self.order, sort.is_reversed, |at| {
                key::key(field, &records[at][&field.name], shared)
            });
        }
        if self.place().is_none() {
            self.at = self.order.first().copied().unwrap_or(0);
        }
    }

    fn column_of(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|field| field.name == name)
    }
}

/// The identity of the record: its id, or the whole record.
fn identity(record: &Value) -> &Value {
    record
        .get("id")
        .filter(|id| id.is_string() || id.is_number())
        .unwrap_or(record)
}

/// The fields that are not empty in all records, the most important first.
fn columns(fields: &[Field], records: &[Value]) -> Vec<Field> {
    let has = |field: &&Field| records.iter().any(|record| !is_empty(&record[&field.name]));
    let mut columns: Vec<Field> = fields.iter().filter(has).cloned().collect();
    columns.sort_by_key(Field::rank);
    columns
}

/// All values of the record for the search, as they are shown and as they were received,
/// separated by line breaks.
fn searched(columns: &[Field], record: &Value, shared: &Shared) -> String {
    let texts = columns.iter().flat_map(|field| {
        let value = &record[&field.name];
        [cell::cell(field, value, shared).text, tabular::cell(value)]
    });
    fold(&texts.collect::<Vec<_>>().join("\n"))
}
