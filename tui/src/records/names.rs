//! Loading the names of referenced records.

use serde_json::{Map, Value};

use super::kind::{self, Kind, Tool};
use super::record::Record;
use crate::app::cx::Cx;
use crate::app::effects::call::{CallOptions, ToolCall};
use crate::app::names::Wanted;
use crate::app::naming::want;
use crate::app::peer::Peer;
use crate::app::shared::Shared;
use crate::fields::names::names_of;
use crate::fields::{Field, Is};

/// A read by a screen.
pub(crate) fn reading(
    peer: impl Into<Peer>,
    tool: &str,
    arguments: Map<String, Value>,
) -> ToolCall {
    ToolCall {
        peer: peer.into(),
        tool: tool.to_owned(),
        arguments,
        options: CallOptions::default(),
        changes_nothing: true,
        by_hand: false,
    }
}

impl Tool {
    /// A read by a screen.
    pub(crate) fn reading(&self, arguments: Map<String, Value>) -> ToolCall {
        reading(&self.peer, &self.name, arguments)
    }
}

/// Remembers the name of a record, and of the records whose names it has beside their ids.
pub(crate) fn learn_names(shared: &mut Shared, kind: &Kind, record: &Record) {
    if let Some(name) = record.name(kind) {
        shared.names.note(record.id(), name);
    }
    learn_names_beside(shared, &kind.fields, record.all());
}

/// Remembers the names that a record has beside the ids of others.
fn learn_names_beside(shared: &mut Shared, fields: &[Field], record: &Map<String, Value>) {
    let text = |name: &str| record.get(name).and_then(Value::as_str);
    for field in fields {
        if let Is::Reference(kind) = &field.is
            && let Some(id) = text(&field.name)
            && let Some(name) = names_of(&field.name, kind)
                .iter()
                .find_map(|name| text(name))
        {
            shared.names.note(id, name);
        }
    }
}

/// Requests the names of the records that these fields of a record refer to, at any depth.
pub(crate) fn want_names_in(
    cx: &mut Cx,
    peer: &Peer,
    fields: &[Field],
    record: &Map<String, Value>,
) {
    learn_names_beside(cx.shared, fields, record);
    for field in fields {
        let value = record.get(&field.name).unwrap_or(&Value::Null);
        let one = std::slice::from_ref(value);
        let values = value.as_array().map_or(one, Vec::as_slice);
        match &field.is {
            Is::Reference(kind) | Is::References(kind) => {
                let ids = values.iter().filter_map(Value::as_str);
                want_names(cx, peer, kind, ids.map(str::to_owned).collect());
            }
            Is::Rows(fields) | Is::Record(fields) => {
                let records = values.iter().filter_map(Value::as_object);
                records.for_each(|record| want_names_in(cx, peer, fields, record));
            }
            _ => {}
        }
    }
}

/// Requests the names of records that a record of this peer refers to, with the tools that get or
/// list them.
pub(crate) fn want_names(cx: &mut Cx, peer: impl Into<Peer>, id: &str, ids: Vec<String>) {
    let Some(kind) = kind::find(peer, id) else {
        return;
    };
    let Some(name) = kind.name_field() else {
        return;
    };
    let list = kind.list();
    let limit = list.most.map(|most| ("limit".to_owned(), most.into()));
    let limit = limit.into_iter().collect();
    let list = list.owner().is_none().then(|| list.tool.reading(limit));
    let get = kind.get.as_ref().map(|get| {
        let call = get.tool.reading(Map::new());
        (call, get.argument.clone())
    });
    let name = name.name.clone();
    want(
        cx,
        Wanted {
            ids,
            name,
            list,
            get,
        },
    );
}
