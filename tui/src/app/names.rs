//! The names of referenced records: requested once, and remembered while the same account is signed
//! in.

use std::collections::BTreeMap;

use frontdesk_client::CallError;
use serde_json::{Map, Value};

use super::cx::Cx;
use super::peer::Reply;
use crate::app::effects::effect::{Owner, RequestId, ToolCall, Work};

/// Maximum number of names requested individually at once: hosts accept a few hundred calls a
/// minute.
const AT_ONCE: usize = 20;

/// Names by id.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: BTreeMap<String, Name>,
    asked: BTreeMap<RequestId, Wanted>,
    /// Names before a reload, shown until the new ones are known.
    old: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Name {
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

    fn settle(&mut self, ids: Vec<String>, name: Option<Name>) {
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

/// Requests names not requested before: many with one list if possible, otherwise one by one.
pub(crate) fn want(cx: &mut Cx, mut wanted: Wanted) {
    let names = &mut cx.shared.names;
    wanted.ids.sort_unstable();
    wanted.ids.dedup();
    wanted.ids.retain(|id| !names.known.contains_key(id));
    if wanted.ids.is_empty() {
        return;
    }
    for id in &wanted.ids {
        names.known.insert(id.clone(), Name::Asked);
    }
    let is_listed = wanted.ids.len() > 1 || wanted.get.is_none();
    match wanted.list.take().filter(|_| is_listed) {
        Some(list) => ask(cx, list, wanted),
        None => ask_each(cx, wanted),
    }
}

fn ask(cx: &mut Cx, call: ToolCall, wanted: Wanted) {
    let request = cx.on_behalf(Owner::App).run(Work::Call(call));
    cx.shared.names.asked.insert(request, wanted);
}

fn ask_each(cx: &mut Cx, mut wanted: Wanted) {
    let Some((call, argument)) = &wanted.get else {
        return cx.shared.names.settle(wanted.ids, Some(Name::Nobody));
    };
    // The others are requested when they are needed again.
    let later = wanted.ids.split_off(wanted.ids.len().min(AT_ONCE));
    cx.shared.names.settle(later, None);
    for id in &wanted.ids {
        let call = ToolCall {
            arguments: Map::from_iter([(argument.clone(), Value::String(id.clone()))]),
            ..call.clone()
        };
        let one = Wanted {
            ids: vec![id.clone()],
            get: None,
            ..wanted.clone()
        };
        ask(cx, call, one);
    }
}

/// Handles the end of a call that was made for names.
pub(crate) fn answered(cx: &mut Cx, request: RequestId, result: &Result<Reply, CallError>) {
    let Some(wanted) = cx.shared.names.asked.remove(&request) else {
        return;
    };
    let names = &mut cx.shared.names;
    match result {
        Ok(reply) => {
            let results = reply.value.as_object().into_iter().flat_map(Map::values);
            for result in results {
                let one = std::slice::from_ref(result);
                for record in result.as_array().map_or(one, Vec::as_slice) {
                    let text = |field: &str| record.get(field).and_then(Value::as_str);
                    if let (Some(id), Some(name)) = (text("id"), text(&wanted.name)) {
                        names.note(id, name);
                    }
                }
            }
        }
        // Requested again the next time.
        Err(error) if !matches!(error, CallError::Tool(_) | CallError::Forbidden(_)) => {
            return names.settle(wanted.ids, None);
        }
        Err(_) => {}
    }
    let ids = wanted.ids.iter();
    let left = ids
        .filter(|id| names.known.get(*id) == Some(&Name::Asked))
        .cloned();
    let left = Wanted {
        ids: left.collect(),
        ..wanted
    };
    ask_each(cx, left);
}
