//! The records that a list has loaded: in the host's order, found by their ids and by their texts.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use uuid::Uuid;

use super::Listed;
use crate::ui::text::fold;

/// The records that a list has loaded.
#[derive(Debug)]
pub(super) struct Records<T> {
    items: Vec<T>,
    /// Where each of them is.
    places: HashMap<Uuid, usize>,
    /// What is searched of each of them, without case and accents. Made when it is needed.
    texts: Vec<String>,
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Records {
            items: Vec::new(),
            places: HashMap::new(),
            texts: Vec::new(),
        }
    }
}

impl<T: Listed> Records<T> {
    /// Adds those that are not there yet.
    pub(super) fn add(&mut self, page: impl IntoIterator<Item = T>) {
        for item in page {
            if let Entry::Vacant(place) = self.places.entry(item.id()) {
                place.insert(self.items.len());
                self.items.push(item);
            }
        }
    }

    /// All of them.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// Where the record of this id is.
    pub(super) fn place(&self, id: Uuid) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Changes a record, which keeps its id. Says whether it is there.
    pub(super) fn change(&mut self, id: Uuid, change: impl FnOnce(&mut T)) -> bool {
        let Some(at) = self.place(id) else {
            return false;
        };
        change(&mut self.items[at]);
        if let Some(text) = self.texts.get_mut(at) {
            *text = fold(self.items[at].text());
        }
        true
    }

    /// Changes all of them, which keep their ids.
    pub(super) fn change_all(&mut self, change: impl FnMut(&mut T)) {
        self.items.iter_mut().for_each(change);
        self.texts.clear();
    }

    /// What is searched of each of them.
    pub(super) fn texts(&mut self) -> &[String] {
        let new = self.items.iter().skip(self.texts.len());
        self.texts.extend(new.map(|item| fold(item.text())));
        &self.texts
    }
}
