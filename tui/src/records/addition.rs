//! What can be added at a place: a kind of record, with the values that the place gives it.

use serde_json::{Map, Value};

use super::kind::{self, Kind};
use super::record::Record;
use crate::look::text::fit;

/// Maximum width of a name in the footer.
const NAME: usize = 24;

/// A kind of record to add, and where.
#[derive(Debug, Clone)]
pub(crate) struct Addition {
    pub(crate) kind: &'static Kind,
    /// Its known values.
    pub(crate) given: Map<String, Value>,
    /// The id and the name of the record that it is added to.
    pub(crate) to: Option<(String, String)>,
}

impl Addition {
    /// What can be added to a record: the kinds of the same peer that belong to it.
    pub(crate) fn to(owner: &'static Kind, record: &Record) -> Vec<Addition> {
        let own = kind::all().iter().filter(|kind| kind.peer == owner.peer);
        let found = own.filter_map(|kind| {
            let create = kind.create.as_ref()?;
            let named = format!("{}_id", owner.id);
            let mut ids = create.ids.iter().filter(|id| id.kind == owner.id);
            let id = ids.find(|id| id.name == named || kind.parent.as_ref() == Some(&id.name))?;
            let mut given = Map::from_iter([(id.name.clone(), record.id().into())]);
            if let Some(beside) = record.get(&kind.list().key).as_array() {
                let places = beside.iter().filter_map(|one| kind.place(one.as_object()?));
                given.extend(kind.last_place(places));
            }
            Some(Addition {
                kind,
                given,
                to: Some((record.id().to_owned(), record.label(owner))),
            })
        });
        found.filter(|one| one.kind.id != owner.id).collect()
    }

    /// "add milestone to Kick-off"
    pub(crate) fn words(&self) -> String {
        match &self.to {
            Some((_, name)) => format!("add {} to {}", self.kind.one, fit(name, NAME)),
            None => format!("add {}", self.kind.one),
        }
    }

    /// Whether both add the same kind to the same record.
    pub(crate) fn is_like(&self, other: &Addition) -> bool {
        let owner = |one: &Addition| one.to.as_ref().map(|(id, _)| id.clone());
        std::ptr::eq(self.kind, other.kind) && owner(self) == owner(other)
    }
}
