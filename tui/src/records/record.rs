//! A record of any kind: JSON with an id.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::kind::Kind;
use crate::fields::Is;
use crate::fields::cell::short;
use crate::look::text::clean;

/// A record of any kind. Clones share the data.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record(Arc<Map<String, Value>>);

impl Record {
    /// The record in this JSON; `None` without an id.
    pub(crate) fn new(value: &Value) -> Option<Self> {
        let map = value.as_object()?;
        map.get("id")?.as_str()?;
        Some(Record(Arc::new(map.clone())))
    }

    /// The record in this JSON; for a kind without ids, its references identify it.
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

    /// All fields.
    pub(crate) fn all(&self) -> &Map<String, Value> {
        &self.0
    }

    /// The value of a field; null if missing.
    pub(crate) fn get(&self, field: &str) -> &Value {
        #[cfg(test)]
        asked::note(field);
        self.0.get(field).unwrap_or(&Value::Null)
    }

    /// A non-empty text.
    pub(crate) fn text(&self, field: &str) -> Option<&str> {
        self.get(field).as_str().filter(|text| !text.is_empty())
    }

    /// A number.
    pub(crate) fn number(&self, field: &str) -> Option<f64> {
        self.get(field).as_f64()
    }

    /// A timestamp.
    pub(crate) fn time(&self, field: &str) -> Option<Timestamp> {
        self.text(field)?.parse().ok()
    }

    /// A date.
    pub(crate) fn day(&self, field: &str) -> Option<Date> {
        self.text(field)?.parse().ok()
    }

    /// The record as its declared type.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(Value::Object((*self.0).clone())).ok()
    }

    /// The record merged with newer data, which can be partial.
    pub(crate) fn updated(&self, by: &Record) -> Self {
        let mut map = (*self.0).clone();
        let known = by.0.iter().filter(|(field, _)| self.0.contains_key(*field));
        map.extend(known.map(|(field, value)| (field.clone(), value.clone())));
        Record(Arc::new(map))
    }

    /// The record with an additional field that the host does not have.
    pub(crate) fn noted(&self, field: &str, value: Value) -> Self {
        let mut map = (*self.0).clone();
        map.insert(field.to_owned(), value);
        Record(Arc::new(map))
    }

    /// Its name, if it has one.
    pub(crate) fn name(&self, kind: &Kind) -> Option<&str> {
        self.text(&kind.name_field()?.name)
    }

    /// The name, otherwise the end of the id; safe to draw.
    pub(crate) fn label(&self, kind: &Kind) -> String {
        match self.name(kind) {
            Some(name) => clean(name).into_owned(),
            None => short(self.id()),
        }
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
