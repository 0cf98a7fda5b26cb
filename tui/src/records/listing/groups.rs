//! Groups of a list by the values of a field: the columns of a board. They are computed when the
//! list is arranged, so drawing is cheap.

use std::collections::HashMap;

use crate::records::record::Record;

/// The records of a list in groups.
#[derive(Debug)]
pub(crate) struct Groups {
    field: &'static str,
    words: HashMap<&'static str, usize>,
    /// For each group, the positions of its records in the list, ascending.
    places: Vec<Vec<usize>>,
    left: Left,
    /// Only the records outside all groups are shown.
    only_left: bool,
}

/// The number of records outside all groups.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Left {
    /// Without a value.
    pub(crate) empty: usize,
    /// With a value that belongs to no group.
    pub(crate) other: usize,
}

impl Groups {
    /// Groups records by this field; each group lists its values.
    pub(crate) fn new<'a>(
        field: &'static str,
        groups: impl Iterator<Item = &'a [(&'static str, &'static str)]>,
    ) -> Self {
        let (mut words, mut places) = (HashMap::new(), Vec::new());
        for (at, group) in groups.enumerate() {
            words.extend(group.iter().map(|(word, _)| (*word, at)));
            places.push(Vec::new());
        }
        Groups {
            field,
            words,
            places,
            left: Left::default(),
            only_left: false,
        }
    }

    /// The group of a record.
    pub(crate) fn of(&self, record: &Record) -> Option<usize> {
        self.words.get(record.text(self.field)?).copied()
    }

    /// The positions of a group's records in the list, ascending.
    pub(crate) fn places(&self, group: usize) -> &[usize] {
        self.places.get(group).map_or(&[], Vec::as_slice)
    }

    /// The number of records outside all groups.
    pub(crate) fn left(&self) -> Left {
        self.left
    }

    /// Whether only the records outside all groups are shown.
    pub(crate) fn shows_left(&self) -> bool {
        self.only_left
    }

    /// Shows only the records outside all groups, or all records.
    pub(super) fn show_left(&mut self, only_left: bool) {
        self.only_left = only_left;
    }

    /// Computes the groups and removes hidden records from the order.
    pub(super) fn arrange(&mut self, order: &mut Vec<usize>, records: &[Record]) {
        self.places.iter_mut().for_each(Vec::clear);
        self.left = Left::default();
        for (place, at) in order.iter().enumerate() {
            let record = &records[*at];
            match self.of(record) {
                Some(group) => self.places[group].push(place),
                None if record.text(self.field).is_none() => self.left.empty += 1,
                None => self.left.other += 1,
            }
        }
        if self.only_left {
            order.retain(|at| self.of(&records[*at]).is_none());
        }
    }
}
