//! Requests for the names of referenced records, each once.

use frontdesk_client::CallError;
use serde_json::{Map, Value};

use super::cx::Cx;
use super::names::{Name, Wanted};
use super::owner::{Owner, RequestId};
use super::peer::Reply;
use crate::app::effects::call::ToolCall;

/// Maximum number of names requested individually at once: hosts accept a few hundred calls a
/// minute.
const AT_ONCE: usize = 20;

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
    let request = cx.on_behalf(Owner::App).send(call);
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
