//! The ids in the arguments of declared tools, at any depth.

use frontdesk_form::{Path, Segment};
use frontdesk_protocol::reference;
use serde_json::Value;

use crate::app::peer::Peer;

/// The arguments of a declared tool, with the kinds of ids.
pub(crate) fn declared(peer: &Peer, tool: &str) -> Option<Value> {
    Some(peer.declared(tool)?.arguments())
}

/// The kind of record whose id, or ids, the argument at this path holds.
pub(crate) fn declared_kind(arguments: &Value, path: &Path) -> Option<String> {
    let mut at = alternatives(arguments, arguments);
    for segment in path.segments() {
        let inner = at.into_iter().filter_map(|schema| match segment {
            Segment::Key(key) => schema.get("properties")?.get(key),
            Segment::Index(_) => schema.get("items"),
        });
        at = inner
            .flat_map(|schema| alternatives(arguments, schema))
            .collect();
    }
    at.into_iter()
        .find_map(reference::refers_to)
        .map(str::to_owned)
}

/// The kinds of all ids in the arguments.
pub(crate) fn all_kinds(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(words) => {
            let own = reference::refers_to(schema).map(str::to_owned);
            let inner = words.values().flat_map(all_kinds);
            own.into_iter().chain(inner).collect()
        }
        Value::Array(several) => several.iter().flat_map(all_kinds).collect(),
        _ => Vec::new(),
    }
}

/// The schema, and those that it refers to or consists of.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    let named = schema.get("$ref").and_then(Value::as_str);
    let named = named.and_then(|name| root.pointer(name.strip_prefix('#')?));
    let several = ["anyOf", "oneOf", "allOf"].into_iter();
    let several = several.filter_map(|word| schema.get(word)?.as_array());
    let inner = named.into_iter().chain(several.flatten());
    let inner = inner.flat_map(|inner| alternatives(root, inner));
    std::iter::once(schema).chain(inner).collect()
}
