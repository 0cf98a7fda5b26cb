//! The records that a list has loaded: in the host's order, found by their ids.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use crate::records::record::Record;

/// The records that a list has loaded.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    records: Vec<Record>,
    places: HashMap<String, usize>,
}

impl Loaded {
    /// Adds those that are not there yet.
    pub(super) fn add(&mut self, page: impl IntoIterator<Item = Record>) {
        for record in page {
            if let Entry::Vacant(place) = self.places.entry(record.id().to_owned()) {
                place.insert(self.records.len());
                self.records.push(record);
            }
        }
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Record] {
        &self.records
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// Where the record of this id is.
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Notes in this field of each record what stands under its id.
    pub(super) fn note(&mut self, field: &str, notes: &HashMap<String, Value>) {
        for record in &mut self.records {
            let note = notes.get(record.id()).cloned().unwrap_or_default();
            *record = record.noted(field, note);
        }
    }

    /// Takes over what is known better of a record. Says whether it is there.
    pub(super) fn update(&mut self, record: &Record) -> bool {
        let place = self.place(record.id());
        if let Some(known) = place.and_then(|at| self.records.get_mut(at)) {
            *known = known.updated(record);
        }
        place.is_some()
    }
}
