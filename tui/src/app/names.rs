//! The names of referenced records, remembered while the same account is signed in.

use std::collections::BTreeMap;

use super::owner::RequestId;
use crate::app::effects::call::ToolCall;

/// Names by id.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(super) known: BTreeMap<String, Name>,
    pub(super) asked: BTreeMap<RequestId, Wanted>,
    /// Names before a reload, shown until the new ones are known.
    old: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Name {
    /// Requested.
    Asked,
    Known(String),
    /// Not provided by the host.
    Nobody,
}

/// Names to load, and the calls for it.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) ids: Vec<String>,
    /// The field with the name of a record.
    pub(crate) name: String,
    /// The call that lists records of the kind, if there is one.
    pub(crate) list: Option<ToolCall>,
    /// The call that gets one record, and its id argument.
    pub(crate) get: Option<(ToolCall, String)>,
}

impl Names {
    /// The name of the record with this id, if known.
    pub(crate) fn get(&self, id: &str) -> Option<&str> {
        match self.known.get(id) {
            Some(Name::Known(name)) => Some(name),
            Some(Name::Nobody) => None,
            Some(Name::Asked) | None => self.old.get(id).map(String::as_str),
        }
    }

    /// Requests each name again when it is needed.
    pub(crate) fn renew(&mut self) {
        for (id, name) in std::mem::take(&mut self.known) {
            match name {
                Name::Known(name) => drop(self.old.insert(id, name)),
                Name::Asked => drop(self.known.insert(id, name)),
                Name::Nobody => {}
            }
        }
    }

    /// Whether the host did not provide the name.
    pub(crate) fn is_nobody(&self, id: &str) -> bool {
        self.known.get(id) == Some(&Name::Nobody)
    }

    /// Stores the name of a record.
    pub(crate) fn note(&mut self, id: &str, name: &str) {
        self.known
            .insert(id.to_owned(), Name::Known(name.to_owned()));
    }

    /// Clears all names: they belong to another account.
    pub(crate) fn clear(&mut self) {
        *self = Names::default();
    }

    pub(super) fn settle(&mut self, ids: Vec<String>, name: Option<Name>) {
        for id in ids {
            if self.known.get(&id) == Some(&Name::Asked) {
                match &name {
                    Some(name) => drop(self.known.insert(id, name.clone())),
                    None => drop(self.known.remove(&id)),
                }
            }
        }
    }
}
