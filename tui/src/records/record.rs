//! A record of any kind: JSON with an id.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::kind::{Is, Kind};
use crate::ui::text::clean;

/// Characters of an id that are shown where there is no name: the end is what differs between two that
/// were made in the same moment.
const SHORT: usize = 8;

/// A record of any kind. A clone shares what it has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record(Arc<Map<String, Value>>);

impl Record {
    /// The record of this JSON; `None` where that has no id.
    pub(crate) fn new(value: &Value) -> Option<Self> {
        let map = value.as_object()?;
        map.get("id")?.as_str()?;
        Some(Record(Arc::new(map.clone())))
    }

    /// The record of this JSON; one of a kind that has no ids is identified by what it refers to.
    pub(crate) fn of(kind: &Kind, value: &Value) -> Option<Self> {
        if kind.fields.iter().any(|field| field.is == Is::Id) {
            return Record::new(value);
        }
        let mut map = value.as_object()?.clone();
        let of = kind.fields.iter().filter_map(|field| match field.is {
            Is::Reference(_) => map.get(&field.name)?.as_str(),
            _ => None,
        });
        let id = of.collect::<Vec<_>>().join("/");
        map.insert("id".to_owned(), id.into());
        Some(Record(Arc::new(map)))
    }

    /// Its id.
    pub(crate) fn id(&self) -> &str {
        self.text("id").unwrap_or_default()
    }

    /// All that it has.
    pub(crate) fn all(&self) -> &Map<String, Value> {
        &self.0
    }

    /// What it has in a field; null where that is missing.
    pub(crate) fn get(&self, field: &str) -> &Value {
        #[cfg(test)]
        asked::note(field);
        self.0.get(field).unwrap_or(&Value::Null)
    }

    /// A text that is not empty.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.get(field).as_str().filter(|text| !text.is_empty())
    }

    /// A number.
    pub(crate) fn number(&self, field: &str) -> Option<f64> {
        self.get(field).as_f64()
    }

    /// A moment.
    pub(crate) fn time(&self, field: &str) -> Option<Timestamp> {
        self.text(field)?.parse().ok()
    }

    /// A day.
    pub(crate) fn day(&self, field: &str) -> Option<Date> {
        self.text(field)?.parse().ok()
    }

    /// How many entries a list has.
    pub(crate) fn len(&self, field: &str) -> usize {
        self.get(field).as_array().map_or(0, Vec::len)
    }

    /// The record as the type that declares it.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(Value::Object((*self.0).clone())).ok()
    }

    /// The record with what is known better of it; a write may tell a part of it only.
    pub(crate) fn updated(&self, by: &Record) -> Self {
        let mut map = (*self.0).clone();
        let known = by.0.iter().filter(|(field, _)| self.0.contains_key(*field));
        map.extend(known.map(|(field, value)| (field.clone(), value.clone())));
        Record(Arc::new(map))
    }

    /// The record with a field that its host does not know.
    pub(crate) fn noted(&self, field: &str, value: Value) -> Self {
        let mut map = (*self.0).clone();
        map.insert(field.to_owned(), value);
        Record(Arc::new(map))
    }

    /// Its name, where it has one.
    pub(crate) fn name(&self, kind: &Kind) -> Option<&str> {
        self.text(&kind.name_field()?.name)
    }

    /// What it is called, safe to draw: its name, or else the end of its id.
    pub(crate) fn label(&self, kind: &Kind) -> String {
        match self.name(kind) {
            Some(name) => clean(name).into_owned(),
            None => short(self.id()),
        }
    }
}

/// An id where there is no name for it.
pub(crate) fn short(id: &str) -> String {
    let id = clean(id);
    let letters = id.chars().count();
    match letters > SHORT {
        true => format!("…{}", id.chars().skip(letters - SHORT).collect::<String>()),
        false => id.into_owned(),
    }
}

/// The fields that were asked for by name: a test compares them with those that are declared.
#[cfg(test)]
pub(crate) mod asked {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static ASKED: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn note(field: &str) {
        ASKED.with_borrow_mut(|asked| asked.insert(field.to_owned()));
    }

    /// The fields since the last call.
    pub(crate) fn take() -> BTreeSet<String> {
        ASKED.take()
    }
}
