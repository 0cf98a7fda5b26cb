//! Marked records of a list: actions apply to all of them.

use std::collections::HashMap;

use super::Listing;
use crate::app::cx::Cx;
use crate::records::record::Record;

/// The marked records, also those that are not shown at the moment.
#[derive(Debug, Default)]
pub(super) struct Marks {
    records: HashMap<String, Record>,
    /// The record that was marked or unmarked last: the beginning of a range.
    last: Option<String>,
    /// All records that match are being loaded and marked.
    goes_on: bool,
}

impl Listing {
    /// Marks the selected record, or removes its mark.
    pub(crate) fn mark(&mut self) {
        let Some(record) = self.selected().cloned() else {
            return;
        };
        let id = record.id().to_owned();
        if self.marks.records.remove(&id).is_none() {
            self.marks.records.insert(id.clone(), record);
        }
        self.marks.last = Some(id);
    }

    /// Marks all records from the last marked one to the selected one.
    pub(crate) fn mark_range(&mut self) {
        let last = self.marks.last.as_deref();
        let from = self.shown().position(|record| Some(record.id()) == last);
        let Some(at) = self.at else {
            return;
        };
        let from = from.unwrap_or(at);
        let range: Vec<Record> = (from.min(at)..=from.max(at))
            .filter_map(|place| self.record(place).cloned())
            .collect();
        self.add_marks(range);
        self.marks.last = self.selected.clone();
    }

    /// Marks all records that match, or removes all marks if they are marked already.
    pub(crate) fn mark_all(&mut self, cx: &mut Cx) {
        let is_marked = |record: &Record| self.marks.records.contains_key(record.id());
        if !self.has_more() && self.shown().all(is_marked) {
            self.clear_marks();
            return;
        }
        self.marks.goes_on = true;
        self.mark_loaded(cx);
    }

    /// Continues to mark all after a page was loaded, and removes the marks of records that no longer
    /// exist.
    pub(super) fn mark_loaded(&mut self, cx: &mut Cx) {
        let is_whole = self.fresh.is_none() && self.asked.is_empty() && !self.has_more();
        if is_whole && self.filters.arguments().is_empty() && self.error().is_none() {
            let records = &self.records;
            let marked = &mut self.marks.records;
            marked.retain(|id, _| records.place(id).is_some());
        }
        if self.marks.goes_on {
            let shown = self.shown().cloned().collect();
            self.add_marks(shown);
            self.marks.goes_on = self.has_more() && self.error().is_none();
            if self.marks.goes_on {
                self.more(cx);
            }
        }
    }

    fn add_marks(&mut self, records: Vec<Record>) {
        let marked = records.into_iter();
        let marked = marked.map(|record| (record.id().to_owned(), record));
        self.marks.records.extend(marked);
    }

    /// The marked records: in the order of the list, then those that are not shown.
    pub(crate) fn marked(&self) -> Vec<Record> {
        let mut hidden = self.marks.records.clone();
        let shown = self.shown();
        let mut marked: Vec<Record> = shown
            .filter(|record| hidden.remove(record.id()).is_some())
            .cloned()
            .collect();
        let mut hidden: Vec<Record> = hidden.into_values().collect();
        hidden.sort_by_cached_key(|record| record.label(self.kind));
        marked.append(&mut hidden);
        marked
    }

    /// The number of marked records.
    pub(crate) fn marks(&self) -> usize {
        self.marks.records.len()
    }

    pub(crate) fn is_marked(&self, id: &str) -> bool {
        self.marks.records.contains_key(id)
    }

    /// Removes the mark of a record.
    pub(crate) fn unmark(&mut self, id: &str) {
        self.marks.records.remove(id);
    }

    /// Removes all marks. Returns whether there were any.
    pub(crate) fn clear_marks(&mut self) -> bool {
        let had_some = !self.marks.records.is_empty();
        self.marks = Marks::default();
        had_some
    }
}
