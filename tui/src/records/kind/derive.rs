//! Kinds from descriptions: roles of tools as described, types of fields from the schemas.

use frontdesk_form::{Form, Path, kind::Kind as Input};
use frontdesk_protocol::reference::{Returned, refers_to};
use frontdesk_protocol::resource::Verb;
use serde_json::Value;

use super::description::{Described, Description, Records};
use super::{Filter, IdArgument, Kind, ListTool, Taker, Tool};
use crate::app::peer::Peer;
use crate::fields::{Field, Is, allows, of_schema, properties};

/// Maximum page size to request.
const PAGE: u64 = 100;

/// The kinds that these hosts list.
pub(super) fn kinds(hosts: &[Description]) -> Vec<Kind> {
    let all = hosts.iter().flat_map(|host| {
        let kinds = host.kinds.iter();
        kinds.filter_map(move |records| Some((host, records, kind(host, records)?)))
    });
    let all: Vec<_> = all.collect();
    // Only records with names make a tree.
    let named = all
        .iter()
        .filter(|(_, _, kind)| kind.name_field().is_some());
    let keys = named.map(|(_, _, kind)| {
        let (peer, key) = (kind.peer.clone(), kind.list().key.clone());
        (peer, key, kind.id.clone())
    });
    let keys: Vec<Key> = keys.collect();
    let whole = all.into_iter().map(|(host, records, mut kind)| {
        let get = kind.get.as_ref().and_then(|get| host.tool(&get.tool.name));
        if let Some(got) = get.and_then(|get| get.returned.first()) {
            let mut fields = properties(&got.schema);
            kind.holds = fields.any(|(name, schema)| is_held(&kind, name, schema, &keys));
            let more = more_fields(&kind, got, &writes(host, records), &keys);
            kind.fields.extend(more);
        }
        kind
    });
    whole.collect()
}

/// The tools of the kind that write.
fn writes<'a>(host: &'a Description, records: &Records) -> Vec<&'a Described> {
    let tools = records.uses.iter().filter_map(|one| host.tool(&one.tool));
    tools.filter(|tool| !tool.is_read_only).collect()
}

/// The kind as it is listed; `None` if no tool lists it.
fn kind(host: &Description, records: &Records) -> Option<Kind> {
    let with = |verb: Verb| {
        let uses = records.uses.iter().filter(move |one| one.verb == verb);
        uses.filter_map(|one| Some((host.tool(&one.tool)?, one.id.as_str())))
    };
    let taker = |verb| {
        let (tool, id) = with(verb).next()?;
        Some(host.taker(tool, id))
    };
    let first = with(Verb::List).next()?.0;
    let listed = first.returned.first()?;
    let mut lists: Vec<_> = with(Verb::List)
        .filter_map(|(tool, _)| list_tool(host, tool))
        .collect();
    lists.sort_by_key(|list| list.tool.ids.iter().filter(|id| id.is_required).count());
    lists.first()?;
    let mut kind = Kind {
        peer: host.peer.clone(),
        id: listed.kind.clone(),
        one: records.singular.replace('_', " "),
        many: records.plural.replace('_', " "),
        fields: Vec::new(),
        state: records.state.clone(),
        parent: records.parent.clone(),
        position: records.position.clone(),
        lists,
        get: taker(Verb::Get),
        holds: false,
        create: with(Verb::Create).next().map(|(tool, _)| host.owned(tool)),
        update: taker(Verb::Change),
        delete: taker(Verb::Delete),
        actions: Vec::new(),
    };
    kind.fields = fields(&listed.schema, &writes(host, records));
    let named = kind.fields.iter_mut();
    for field in named.filter(|field| Some(&field.name) == records.name.as_ref()) {
        field.is = Is::Name;
    }
    let tools = host.tools.iter();
    kind.actions = tools
        .filter_map(|tool| action(host, &kind, records, tool))
        .collect();
    Some(kind)
}

/// The tool as an action: it takes the id of a record, and has no other place.
fn action(host: &Description, kind: &Kind, records: &Records, tool: &Described) -> Option<Taker> {
    let own = records.uses.iter().find(|one| one.tool == tool.name);
    let is_list = tool.is_read_only && tool.returned.first().is_some_and(|one| one.is_list);
    if is_list || own.is_some_and(|own| !matches!(own.verb, Verb::Set | Verb::Other)) {
        return None;
    }
    // What returns no record is about those that it takes.
    let is_about = own.is_some() || tool.returned.is_empty();
    let mut ids = ids(&tool.arguments).into_iter();
    let id = ids.find(|id| id.kind == kind.id && (id.is_required || is_about))?;
    Some(host.taker(tool, &id.name))
}

impl Description {
    fn taker(&self, tool: &Described, argument: &str) -> Taker {
        Taker {
            tool: self.owned(tool),
            argument: argument.to_owned(),
        }
    }

    fn owned(&self, tool: &Described) -> Tool {
        let takes = properties(&tool.arguments).map(|(name, _)| name.clone());
        Tool {
            peer: self.peer.clone(),
            name: tool.name.clone(),
            title: tool.title.clone(),
            is_read_only: tool.is_read_only,
            takes: takes.collect(),
            ids: ids(&tool.arguments),
        }
    }
}

/// The peer that lists a kind, the key of its records in results, and the name of their ids.
type Key = (Peer, String, String);

/// Whether a field contains records of a kind that the host lists, with names.
fn is_held(kind: &Kind, name: &str, schema: &Value, keys: &[Key]) -> bool {
    let fields = schema.pointer("/items/properties");
    let id = fields.map(|fields| fields.get("id").and_then(refers_to));
    let mut keys = keys.iter();
    keys.any(|(peer, key, of)| {
        *peer == kind.peer && key == name && id.is_none_or(|id| id == Some(of.as_str()))
    })
}

/// Fields that only a single record has, not a listed one.
fn more_fields(kind: &Kind, got: &Returned, writes: &[&Described], keys: &[Key]) -> Vec<Field> {
    let mut more = fields(&got.schema, writes);
    more.retain(|field| {
        let held = got.schema.pointer(&format!("/properties/{}", field.name));
        let is_held = held.is_some_and(|schema| is_held(kind, &field.name, schema, keys));
        // An embedded record: its id field is already shown.
        let is_whole = kind.field(&format!("{}_id", field.name)).is_some();
        let is_told = kind.field(&field.name).is_some() || field.name == "missing";
        !(is_told || is_held || is_whole)
    });
    more
}

fn list_tool(host: &Description, tool: &Described) -> Option<ListTool> {
    let listed = tool.returned.first()?;
    let schema = &tool.arguments;
    let ids = ids(schema);
    let required = required(schema);
    // A list with a required argument that must be typed is not offered.
    let is_typed = |need: &&str| !ids.iter().any(|id| id.name == *need);
    if required.iter().any(is_typed) {
        return None;
    }
    let texts = properties(schema).filter(|(_, schema)| is_text(schema));
    let mut searches = texts.map(|(name, _)| name);
    let search = searches
        .clone()
        .find(|name| *name == "search")
        .or_else(|| searches.find(|name| name.ends_with("_contains")));
    let filters = properties(schema).filter_map(|(name, schema)| {
        Some(Filter {
            name: name.clone(),
            values: values(schema)?,
        })
    });
    let most = schema.pointer("/properties/limit/maximum");
    let most = most.and_then(Value::as_u64).map(|most| most.min(PAGE));
    let fields = &listed.schema;
    let same = properties(schema).filter(|(name, schema)| {
        let has_field = properties(fields).any(|(field, _)| field == *name);
        has_field && (is_text(schema) || refers_to(schema).is_some()) && search != Some(*name)
    });
    let same = same
        .map(|(name, _)| name)
        .filter(|name| !required.contains(&name.as_str()));
    Some(ListTool {
        same: same.cloned().collect(),
        tool: host.owned(tool),
        key: listed.key.clone(),
        search: search.cloned(),
        filters: filters.collect(),
        most,
    })
}

/// The arguments that are ids of a single record.
pub(super) fn ids(schema: &Value) -> Vec<IdArgument> {
    let required = required(schema);
    let ids = properties(schema).filter_map(|(name, schema)| {
        let kind = refers_to(schema).filter(|_| schema.get("items").is_none())?;
        Some(IdArgument {
            name: name.clone(),
            kind: kind.to_owned(),
            is_required: required.contains(&name.as_str()),
        })
    });
    ids.collect()
}

pub(super) fn required(schema: &Value) -> Vec<&str> {
    let required = schema.get("required").and_then(Value::as_array);
    required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn is_text(schema: &Value) -> bool {
    allows(schema, "string") && schema.get("enum").is_none() && schema.get("format").is_none()
}

/// The possible values, if they are few.
fn values(schema: &Value) -> Option<Vec<Value>> {
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words = words.iter().filter(|word| !word.is_null());
        return Some(words.cloned().collect());
    }
    allows(schema, "boolean").then(|| vec![Value::Bool(true), Value::Bool(false)])
}

/// The fields of a record. Schemas of results do not say how long a text is: the tools that write the record do.
fn fields(schema: &Value, writes: &[&Described]) -> Vec<Field> {
    let forms = writes.iter().map(|tool| Form::new(&tool.arguments));
    let forms: Vec<Form> = forms.collect();
    let is_prose = |name: &str| {
        let path = Path::root().key(name);
        forms.iter().any(|form| {
            let kind = form.field(&path).map(|field| field.leaf().kind());
            matches!(kind, Some(Input::Text(text)) if text.multiline)
        })
    };
    of_schema(schema, &is_prose)
}

#[cfg(test)]
mod tests {
    use frontdesk_client::ToolInfo;
    use frontdesk_protocol::Host;
    use serde_json::json;

    use super::super::description::Use;
    use super::*;

    /// The guests of a description.
    fn guests(description: &Description) -> Kind {
        let kinds = kinds(std::slice::from_ref(description));
        let found = kinds.into_iter().find(|kind| kind.id == "guest");
        found.expect("guests")
    }

    #[test]
    fn the_description_decides_what_a_tool_does() {
        let mut events = Description::of(Host::Events);
        let records = events.kinds.iter_mut().find(|kind| kind.plural == "guests");
        let records = records.expect("guests");
        records.name = Some("email".to_owned());
        for one in &mut records.uses {
            one.verb = match one.tool.as_str() {
                "add_event_guest" => Verb::Create,
                "create_event_guest" | "update_event_guest" => Verb::Other,
                _ => one.verb,
            };
        }
        let guests = guests(&events);
        let create = guests.create.as_ref().map(|tool| tool.name.as_str());
        assert_eq!(create, Some("add_event_guest"));
        assert!(guests.update.is_none());
        let actions: Vec<_> = guests
            .actions
            .iter()
            .map(|one| one.tool.name.as_str())
            .collect();
        assert_eq!(
            actions,
            [
                "update_event_guest",
                "check_in_guest",
                "resolve_chat_id",
                "record_movement"
            ]
        );
        let name = guests.name_field().map(|field| field.name.as_str());
        assert_eq!(name, Some("email"));
    }

    #[test]
    fn a_kind_of_another_server_is_built_from_its_list_of_tools() {
        let record = json!({ "type": "object", "properties": {
            "id": { "type": "string" },
            "summary": { "type": "string" },
            "opened": { "type": "string", "format": "date-time" },
            "status": { "enum": ["open", "closed"] },
        } });
        let listed = json!([
            { "name": "list_issues", "title": "Issues", "annotations": { "readOnlyHint": true },
              "inputSchema": { "type": "object", "properties": {
                  "search": { "type": "string" }, "limit": { "type": "integer", "maximum": 20 },
              } },
              "outputSchema": { "type": "object", "properties": {
                  "issues": { "type": "array", "items": record },
              } } },
            { "name": "close_issue", "inputSchema": { "type": "object", "required": ["id"],
              "properties": { "id": { "type": "string" }, "reason": { "type": "string" } } } },
        ]);
        let listed: Vec<Value> = serde_json::from_value(listed).expect("tools");
        let tools = listed.into_iter().map(|tool| {
            let tool = ToolInfo::read(&tool).expect("a tool");
            let output = tool.output_schema.map(Value::from).unwrap_or_default();
            let returned = properties(&output).map(|(key, list)| Returned {
                key: key.clone(),
                singular: "issue".to_owned(),
                kind: "issue".to_owned(),
                is_list: true,
                schema: list["items"].clone(),
            });
            Described {
                title: tool.title.unwrap_or_else(|| tool.name.clone()),
                name: tool.name,
                is_read_only: tool.read_only,
                returned: returned.collect(),
                arguments: tool.input_schema.into(),
            }
        });
        let as_used = |verb, tool: &str| Use {
            verb,
            tool: tool.to_owned(),
            id: "id".to_owned(),
        };
        let server = Description {
            peer: Peer::Server("tracker".to_owned()),
            tools: tools.collect(),
            kinds: vec![Records {
                singular: "issue".to_owned(),
                plural: "issues".to_owned(),
                name: Some("summary".to_owned()),
                state: Some("status".to_owned()),
                parent: None,
                position: None,
                uses: vec![
                    as_used(Verb::List, "list_issues"),
                    as_used(Verb::Change, "close_issue"),
                ],
            }],
        };
        let kinds = kinds(&[server]);
        let [issues] = kinds.as_slice() else {
            panic!("{kinds:?}");
        };
        assert_eq!(issues.peer.name(), "tracker");
        assert_eq!(issues.list().tool.title, "Issues");
        assert_eq!(issues.list().search.as_deref(), Some("search"));
        assert_eq!(issues.list().most, Some(20));
        assert!(issues.changes("reason") && !issues.changes("summary"));
        let is = |name: &str| issues.field(name).map(|field| field.is.clone());
        assert_eq!(is("summary"), Some(Is::Name));
        assert_eq!(is("opened"), Some(Is::Time));
        let words = ["open", "closed"].map(str::to_owned);
        assert_eq!(is("status"), Some(Is::State(words.to_vec())));
    }
}
