//! What an answer is shown as, and where one is in it.

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;
use serde_json::Value;

use super::search::Search;
use super::table::{self, Bookmark, Table};
use super::view;
use crate::app::shared::Shared;
use crate::app::state::Typing;

/// What an answer is shown as. The answer itself stays where it is, and is given to what needs it.
#[derive(Debug)]
pub(super) enum Body {
    /// A list of records.
    Table(Box<Table>),
    /// Lines, from this one on.
    Lines { top: usize },
}

impl Body {
    /// What it looks like best.
    pub(super) fn of(answer: &Value) -> Self {
        match table::records(answer) {
            Some(records) => Body::Table(Box::new(Table::new(records))),
            None => Body::Lines { top: 0 },
        }
    }

    /// As JSON, whatever else it could be.
    pub(super) fn json() -> Self {
        Body::Lines { top: 0 }
    }

    /// What is selected, to find it again in another answer.
    pub(super) fn bookmark(&self, answer: &Value) -> Option<Bookmark> {
        match self {
            Body::Table(table) => table.bookmark(table::records(answer)?),
            Body::Lines { .. } => None,
        }
    }

    /// The answer is another one.
    pub(super) fn renew(&mut self, answer: &Value, bookmark: Option<&Bookmark>) {
        match (self, table::records(answer)) {
            (Body::Table(table), Some(records)) => table.renew(records, bookmark),
            (this, _) => *this = Body::of(answer),
        }
    }

    /// The selected record of a table.
    pub(super) fn record<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.selected(table::records(answer)?),
            Body::Lines { .. } => None,
        }
    }

    /// The value under the cursor.
    pub(super) fn cell<'a>(&self, answer: &'a Value) -> Option<&'a Value> {
        match self {
            Body::Table(table) => table.cell(table::records(answer)?),
            Body::Lines { .. } => None,
        }
    }

    /// The table, if it is one.
    pub(super) fn table(&self) -> Option<&Table> {
        match self {
            Body::Table(table) => Some(table),
            Body::Lines { .. } => None,
        }
    }

    /// The same, to change it.
    pub(super) fn table_mut(&mut self) -> Option<&mut Table> {
        match self {
            Body::Table(table) => Some(table),
            Body::Lines { .. } => None,
        }
    }

    fn search(&mut self) -> Option<&mut Search> {
        Some(self.table_mut()?.search())
    }

    /// Moves on by this many rows.
    pub(super) fn step(&mut self, answer: &Value, is_json: bool, shared: &Shared, by: isize) {
        match self {
            Body::Table(table) => table.step(by),
            Body::Lines { top } => {
                let last = view::last_top(answer, is_json, shared);
                *top = (*top).min(last).saturating_add_signed(by).min(last);
            }
        }
    }

    /// How letters are to be taken.
    pub(super) fn typing(&self) -> Typing {
        self.table().map_or(Typing::No, Table::typing)
    }

    /// Whether something can be looked for.
    pub(super) fn can_search(&self) -> bool {
        matches!(self, Body::Table(_))
    }

    /// Puts the cursor into the search field.
    pub(super) fn begin_search(&mut self) {
        if let Some(search) = self.search() {
            search.begin();
        }
    }

    /// Leaves the search field; what was typed stays.
    pub(super) fn end_search(&mut self) {
        if let Some(search) = self.search() {
            search.end();
        }
    }

    /// Looks for nothing any more; says whether that was different.
    pub(super) fn clear_search(&mut self, answer: &Value) -> bool {
        let was_open = self.search().is_some_and(Search::clear);
        if was_open {
            self.arrange(answer);
        }
        was_open
    }

    /// A key for the search field.
    pub(super) fn key(&mut self, answer: &Value, key: KeyEvent) {
        if self.search().is_some_and(|search| search.key(key)) {
            self.arrange(answer);
        }
    }

    /// Pasted text for the search field.
    pub(super) fn paste(&mut self, answer: &Value, text: &str) {
        if self.search().is_some_and(|search| search.paste(text)) {
            self.arrange(answer);
        }
    }

    fn arrange(&mut self, answer: &Value) {
        if let (Body::Table(table), Some(records)) = (self, table::records(answer)) {
            table.arrange(records);
        }
    }

    /// Lets the table act on its records.
    pub(super) fn on_table(&mut self, answer: &Value, act: impl FnOnce(&mut Table, &[Value])) {
        if let (Body::Table(table), Some(records)) = (self, table::records(answer)) {
            act(table, records);
        }
    }

    /// Draws it.
    pub(super) fn draw(
        &self,
        answer: &Value,
        is_json: bool,
        shared: &Shared,
        frame: &mut Frame,
        area: Rect,
    ) {
        match self {
            Body::Table(table) => table::draw(table, answer, shared, frame, area),
            Body::Lines { top } => view::draw_lines(answer, is_json, *top, shared, frame, area),
        }
    }
}
