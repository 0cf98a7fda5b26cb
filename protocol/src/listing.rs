//! `tools/list`, whose tokens every agent pays for in each conversation.
//!
//! An entry leaves out what no caller needs to make a call: the host checks all bounds and explains what it refuses, and
//! tells in `instructions` what all its results have in common. The fields of a record are listed once, with the first
//! tool that returns it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::reference::{SINGULAR, identity, target};
use crate::tool::Declaration;

/// The fields of pages, which are the same in all lists.
const PAGE: [&str; 4] = ["has_more", "next_offset", "total", "note"];
/// The default and the maximum of `limit` in most lists, which `instructions` name.
const PAGE_SIZES: [u32; 2] = [50, 100];
/// What `search` finds in most lists.
const SEARCHED: [&str; 2] = ["Part of the name.", "Part of the title."];
/// A bound at or above this size says no more than the type.
const UNBOUNDED: f64 = 1e9;

/// The entries of one list, which share the fields of their records.
#[derive(Debug, Default)]
pub struct Listing {
    /// The fields listed so far, by the identity of their record.
    listed: BTreeMap<String, BTreeSet<String>>,
}

impl Listing {
    /// The entry of the next tool.
    pub fn entry(&mut self, tool: &Declaration) -> Value {
        let mut entry = json!({
            "name": tool.name,
            "title": tool.title(),
            "description": tool.description(),
            "inputSchema": arguments(tool),
            "annotations": tool.effect.to_hints(),
        });
        if tool.structured {
            entry["outputSchema"] = self.result(&tool.marked_output());
        }
        entry
    }

    fn result(&mut self, schema: &Value) -> Value {
        let fields = schema.get("properties").and_then(Value::as_object);
        let fields = fields.into_iter().flatten();
        let fields = fields.filter(|(name, _)| !PAGE.contains(&name.as_str()));
        let mut is_record = false;
        let fields: Map<_, _> = fields
            .map(|(name, field)| {
                is_record = target(schema, field).get("properties").is_some();
                (name.clone(), self.field(schema, field, name))
            })
            .collect();
        // One record, whose fields are listed already.
        if is_record && fields.len() == 1 && fields.values().all(|field| *field == json!({})) {
            return json!({ "type": "object" });
        }
        json!({ "type": "object", "properties": fields })
    }

    /// The words of an enumeration, the new fields of a record, or nothing.
    fn field(&mut self, root: &Value, field: &Value, name: &str) -> Value {
        let singular = field.get(SINGULAR).and_then(Value::as_str);
        let name = singular.unwrap_or(name);
        let field = target(root, field);
        if let Some(items) = field.get("items") {
            let mut list = json!({ "type": "array" });
            match self.field(root, items, name) {
                Value::Object(items) if items.is_empty() => {}
                items => list["items"] = items,
            }
            return list;
        }
        if let Some(fields) = field.get("properties").and_then(Value::as_object) {
            let record = identity(field).unwrap_or(name).to_owned();
            let mut new = Map::new();
            for (name, field) in fields {
                let listed = self.listed.entry(record.clone()).or_default();
                if listed.insert(name.clone()) {
                    new.insert(name.clone(), self.field(root, field, name));
                }
            }
            return match new.is_empty() {
                true => json!({}),
                false => json!({ "properties": new }),
            };
        }
        match field.get("enum").and_then(Value::as_array) {
            Some(words) => json!({ "enum": words }),
            None => json!({}),
        }
    }
}

/// The schema of the arguments, without what only refuses. A schema that names its `$schema` is written by hand and is
/// listed as it is.
pub(crate) fn arguments(tool: &Declaration) -> Value {
    let mut schema = tool.input_schema();
    if schema.get("$schema").is_none() {
        abbreviate(&mut schema);
    }
    schema
}

fn abbreviate(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    map.retain(|keyword, value| match keyword.as_str() {
        "additionalProperties" => *value != false,
        "maxLength" | "minLength" | "maxItems" => false,
        "minimum" => value
            .as_f64()
            .is_some_and(|least| least < 0.0 && least > -UNBOUNDED),
        "maximum" => value.as_f64().is_some_and(|most| most < UNBOUNDED),
        "default" => *value != 0 && *value != json!([]) && *value != json!({}),
        _ => true,
    });
    if let Some(items) = map.get_mut("items") {
        abbreviate(items);
    }
    if let Some(Value::Object(properties)) = map.get_mut("properties") {
        properties.values_mut().for_each(abbreviate);
        // The same for all lists.
        if let Some(Value::Object(limit)) = properties.get_mut("limit") {
            let [default, most] = PAGE_SIZES;
            limit.retain(|keyword, value| match keyword.as_str() {
                "default" => *value != default,
                "maximum" => *value != most,
                _ => true,
            });
        }
        if let Some(Value::Object(search)) = properties.get_mut("search") {
            search.retain(|_, value| !SEARCHED.iter().any(|one| value == one));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;

    #[test]
    fn the_fields_of_a_record_are_listed_once() {
        let mut listing = Listing::default();
        let mut of = |name: &str| {
            let tool = Host::Events.tool(name).expect("a tool");
            listing.entry(tool)["outputSchema"]["properties"].clone()
        };
        let first = of("list_event_guests");
        assert!(first["guests"]["items"]["properties"]["check_in_at"].is_object());
        assert_eq!(of("get_event_guest"), Value::Null);
        assert_eq!(
            of("check_in_guest"),
            json!({ "guest": {}, "already_checked_in": {} })
        );
        // A longer form of the record adds its own fields.
        of("list_events");
        let fields = of("get_event")["event"]["properties"].clone();
        let fields: Vec<_> = fields.as_object().expect("fields").keys().collect();
        assert_eq!(fields, ["recent_arrivals"]);
    }

    #[test]
    fn an_entry_has_what_a_caller_needs() {
        let tool = Host::Events.tool("list_event_tasks").expect("a tool");
        let entry = Listing::default().entry(tool);
        assert_eq!(
            entry["inputSchema"]["properties"]["limit"],
            json!({ "type": "integer" })
        );
        assert_eq!(
            entry["inputSchema"]["properties"]["offset"],
            json!({ "type": "integer" })
        );
        assert_eq!(
            entry["inputSchema"]["properties"]["status"]["enum"],
            json!(["todo", "in_progress", "done"])
        );
        assert_eq!(entry["inputSchema"]["required"], json!(["event_id"]));
        assert_eq!(entry["title"], "List event tasks");
    }
}
