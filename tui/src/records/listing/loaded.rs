//! The loaded records of a list, in the host's order and indexed by id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use crate::records::record::Record;

/// The loaded records of a list.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    records: Vec<Record>,
    places: HashMap<String, usize>,
}

impl Loaded {
    /// Adds records, except those already loaded.
    pub(super) fn add(&mut self, page: impl IntoIterator<Item = Record>) {
        for record in page {
            if let Entry::Vacant(place) = self.places.entry(record.id().to_owned()) {
                place.insert(self.records.len());
                self.records.push(record);
            }
        }
    }

    /// All records.
    pub(super) fn all(&self) -> &[Record] {
        &self.records
    }

    /// The number of records.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The position of the record with this id.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Sets this field of each record to the note for its id.
    pub(super) fn note(&mut self, field: &str, notes: &HashMap<String, Value>) {
        for record in &mut self.records {
            let note = notes.get(record.id()).cloned().unwrap_or_default();
            *record = record.noted(field, note);
        }
    }

    /// Merges newer data of a record. Returns whether the record is loaded.
    pub(super) fn update(&mut self, record: &Record) -> bool {
        let place = self.place(record.id());
        if let Some(known) = place.and_then(|at| self.records.get_mut(at)) {
            *known = known.updated(record);
        }
        place.is_some()
    }
}
