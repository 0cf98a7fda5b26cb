//! Reading a record again from its list, for a kind without a tool that gets one record.

use serde_json::{Map, Value};

use crate::app::effects::call::ToolCall;
use crate::records::kind::Kind;
use crate::records::record::Record;

/// Maximum number of pages that are read.
const PAGES: u64 = 10;

/// Maximum number of characters of its name that are searched for.
const NAME: usize = 60;

/// A page of the list in which the record is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lookup {
    /// Only records that match its name are listed.
    is_by_name: bool,
    page: u64,
}

/// The result of a lookup.
pub(super) enum Looked {
    Found(Record),
    /// It can be on this page.
    Next(Lookup),
    Missing,
}

impl Lookup {
    /// The first page.
    pub(super) fn of(kind: &Kind, record: &Record) -> Self {
        let is_by_name = kind.list().search.is_some() && record.name(kind).is_some();
        Lookup {
            is_by_name,
            page: 0,
        }
    }

    /// The call for the page; `None` if the list requires an id that the record does not have.
    pub(super) fn call(self, kind: &Kind, record: &Record) -> Option<ToolCall> {
        let list = kind.list();
        let mut arguments = Map::new();
        if let Some(owner) = list.owner() {
            arguments.insert(owner.name.clone(), record.text(&owner.name)?.into());
        }
        if let (Some(search), Some(name), true) = (&list.search, record.name(kind), self.is_by_name)
        {
            let name: String = name.trim().chars().take(NAME).collect();
            arguments.insert(search.clone(), name.into());
        }
        if let Some(most) = list.most {
            arguments.insert("limit".to_owned(), most.into());
            arguments.insert("offset".to_owned(), (most * self.page).into());
        }
        Some(list.tool.reading(arguments))
    }

    /// Looks for the record in an answer.
    pub(super) fn look(self, kind: &Kind, id: &str, answer: &Value) -> Looked {
        let records = answer.get(&kind.list().key).and_then(Value::as_array);
        let mut records = records.into_iter().flatten();
        let found = records.find_map(|one| Record::of(kind, one).filter(|one| one.id() == id));
        let has_more = answer.get("has_more") == Some(&Value::Bool(true));
        match found {
            Some(record) => Looked::Found(record),
            None if has_more && self.page + 1 < PAGES => Looked::Next(Lookup {
                page: self.page + 1,
                ..self
            }),
            // It may have been renamed.
            None if self.is_by_name => Looked::Next(Lookup {
                is_by_name: false,
                page: 0,
            }),
            None => Looked::Missing,
        }
    }
}
