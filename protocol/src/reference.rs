//! Which records arguments refer to, and which tools find those records. Derived from the id types in a declaration.

use serde_json::Value;

use crate::marks::{AMOUNT, MARK, SINGULAR};
use crate::resource::{Use, Verb};
use crate::tool::Declaration;

impl Declaration {
    /// The arguments that are ids of records, or lists of ids, with the kind of record: `(id, guest)` for
    /// `check_in_guest`.
    pub fn references(&self) -> Vec<(String, String)> {
        let schema = self.marked_input();
        let arguments = schema.get("properties").and_then(Value::as_object);
        let references = arguments
            .into_iter()
            .flatten()
            .filter_map(|(name, schema)| Some((name.clone(), refers_to(schema)?.to_owned())));
        references.collect()
    }

    /// The kind of record that the tool lists: `guest` for `list_event_guests`.
    pub fn lists(&self) -> Option<String> {
        let mut returned = self.returns().into_iter();
        let first = returned.next().filter(|_| self.effect.read_only)?;
        first.is_list.then_some(first.kind)
    }

    /// The kinds of records that a call can change: the kind that declares the tool, those in its result and those
    /// whose ids are required arguments, `event` and `guest` for `create_event_guest`. Empty for a tool that only
    /// reads. The verbs of a resource do not say which records of other resources change, so the schemas are read.
    pub fn touches(&self) -> Vec<String> {
        if self.effect.read_only {
            return Vec::new();
        }
        let schema = self.marked_input();
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let taken = self.references().into_iter();
        let taken = taken
            .filter(|(name, _)| is_required(name))
            .map(|(_, kind)| kind);
        let mut kinds: Vec<String> = self.returns().into_iter().map(|one| one.kind).collect();
        kinds.extend(taken);
        kinds.extend(self.declared_for());
        kinds.extend(self.made_within());
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The kinds below the record that declares the tool, if its verb does not say what it changes: recording a payment
    /// of an invoice adds one.
    fn made_within(&self) -> Vec<String> {
        let kinds = || self.host.resources().iter().flat_map(|one| one.kinds);
        let is_own = |one: &Use| one.tool == self.name && one.verb == Verb::Other;
        let Some(own) = kinds().find(|kind| kind.uses.iter().any(is_own)) else {
            return Vec::new();
        };
        let parent = format!("{}_id", own.singular);
        let below = kinds().filter(|kind| kind.fields.parent == Some(&parent));
        below.map(|kind| kind.singular.to_owned()).collect()
    }

    /// The kind of record that declares the tool, if it can be listed.
    fn declared_for(&self) -> Option<String> {
        let mut kinds = self.host.resources().iter().flat_map(|one| one.kinds);
        let own = kinds.find(|kind| kind.uses.iter().any(|one| one.tool == self.name))?;
        let mut lists = own.uses.iter().filter(|one| one.verb == Verb::List);
        lists.find_map(|one| self.host.tool(one.tool)?.lists())
    }

    /// The records in a result, in the order of its keys: a `guest` for `check_in_guest`.
    pub fn returns(&self) -> Vec<Returned> {
        let schema = self.marked_output();
        let results = schema.get("properties").and_then(Value::as_object);
        let returned = results.into_iter().flatten().filter_map(|(key, result)| {
            let one = target(&schema, result);
            let (record, is_list) = match one.get("items") {
                Some(items) => (target(&schema, items), true),
                None => (one, false),
            };
            let singular = result.get(SINGULAR).and_then(Value::as_str);
            let is_link = || singular.filter(|_| has_references(record));
            Some(Returned {
                kind: identity(record).or_else(is_link)?.to_owned(),
                singular: singular.unwrap_or(key).to_owned(),
                key: key.clone(),
                is_list,
                schema: whole(&schema, record),
            })
        });
        returned.collect()
    }

    /// The schema of the result, with the marks of ids ([`refers_to`]).
    pub fn result(&self) -> Value {
        let schema = self.marked_output();
        whole(&schema, &schema)
    }

    /// The schema of the arguments, with the marks of ids ([`refers_to`]).
    pub fn arguments(&self) -> Value {
        self.marked_input()
    }
}

/// A record, or a list of records, in a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    /// Its key in the result: `guest`, `guests`.
    pub key: String,
    /// The singular of the key: `guest`.
    pub singular: String,
    /// The kind of record that its id identifies. For records without their own ids: the singular of the key.
    pub kind: String,
    /// Whether it is a list of records.
    pub is_list: bool,
    /// The schema of one record, with the marks of ids ([`refers_to`]).
    pub schema: Value,
}

/// The kind of record that an id, or a list of ids, of this schema refers to. Only the schemas of [`Returned`]
/// and [`Declaration::arguments`] have the marks.
pub fn refers_to(schema: &Value) -> Option<&str> {
    mark(schema).or_else(|| mark(schema.get("items")?))
}

/// Whether a value of this schema is an amount of money. Only the schemas of [`Returned`] and
/// [`Declaration::arguments`] have the mark.
pub fn is_amount(schema: &Value) -> bool {
    schema.get(AMOUNT).is_some()
}

/// Resolves a reference to a definition, also inside a nullable schema.
pub(crate) fn target<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let named = schema.get("$ref").and_then(Value::as_str);
    if let Some(found) = named.and_then(|name| root.pointer(name.strip_prefix('#')?)) {
        return found;
    }
    let variants = schema.get("anyOf").and_then(Value::as_array);
    let named = variants
        .into_iter()
        .flatten()
        .find(|one| one.get("$ref").is_some());
    named.map_or(schema, |one| target(root, one))
}

/// The schema with its references to definitions resolved.
fn whole(root: &Value, schema: &Value) -> Value {
    match target(root, schema) {
        Value::Object(map) => {
            let resolved = map
                .iter()
                .map(|(word, value)| (word.clone(), whole(root, value)));
            Value::Object(resolved.collect())
        }
        Value::Array(several) => several.iter().map(|one| whole(root, one)).collect(),
        other => other.clone(),
    }
}

/// The kind of record of this schema, from the mark of its `id`.
pub(crate) fn identity(schema: &Value) -> Option<&str> {
    mark(schema.get("properties")?.get("id")?)
}

/// Whether a record of this schema refers to others.
fn has_references(schema: &Value) -> bool {
    let fields = schema.get("properties").and_then(Value::as_object);
    fields
        .into_iter()
        .flatten()
        .any(|(_, field)| mark(field).is_some())
}

fn mark(schema: &Value) -> Option<&str> {
    schema.get(MARK)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Host;

    fn tool(host: Host, name: &str) -> &'static Declaration {
        host.tool(name).expect("a tool")
    }

    #[test]
    fn an_argument_refers_to_what_its_type_identifies() {
        let of = |host, name| {
            let references = tool(host, name).references();
            let words = references
                .iter()
                .map(|(name, kind)| format!("{name}: {kind}"));
            words.collect::<Vec<_>>()
        };
        assert_eq!(of(Host::Events, "check_in_guest"), ["id: guest"]);
        assert_eq!(
            of(Host::Events, "create_event"),
            ["strategy_business_unit_id: business_unit"]
        );
        // Also inside other types: a field of an update, a bounded list.
        assert_eq!(
            of(Host::Events, "update_event_guest"),
            ["id: guest", "member_id: member"]
        );
        assert_eq!(
            of(Host::Events, "update_event_session"),
            ["id: session", "guest_ids: guest"]
        );
        assert_eq!(
            of(Host::Work, "merge_meetings"),
            [
                "canonical_meeting_id: meeting",
                "skeleton_meeting_id: meeting"
            ]
        );
    }

    #[test]
    fn every_id_that_a_tool_takes_is_known() {
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let schema = tool.input_schema();
            let known = tool.references();
            let arguments = schema["properties"].as_object();
            for (name, argument) in arguments.into_iter().flatten() {
                let is_id = |schema: &Value| schema["format"] == "uuid";
                let is_known = known.iter().any(|(one, _)| one == name);
                assert_eq!(
                    is_id(argument) || is_id(&argument["items"]),
                    is_known,
                    "{tool:?} {name}"
                );
            }
        }
    }

    #[test]
    fn a_call_changes_its_results_and_the_records_it_requires() {
        let touches = |host, name| tool(host, name).touches();
        assert_eq!(touches(Host::Events, "check_in_guest"), ["guest"]);
        assert_eq!(
            touches(Host::Events, "create_event_guest"),
            ["event", "guest"]
        );
        // The assignee is not changed.
        assert_eq!(touches(Host::Events, "update_event_task"), ["task"]);
        // The record that declares the tool is among them.
        assert_eq!(
            touches(Host::Work, "remove_meeting_series"),
            ["meeting", "occurrence"]
        );
        // What is below the record may be added.
        assert_eq!(
            touches(Host::Staff, "record_payment"),
            ["invoice", "payment"]
        );
        assert_eq!(touches(Host::Events, "get_event"), [""; 0]);
        // Its result is a picture.
        assert_eq!(touches(Host::Studio, "generate_thumbnail"), ["thumbnail"]);
    }

    #[test]
    fn a_result_says_what_its_records_are_called() {
        let of = |host, name| {
            let returned = tool(host, name).returns().into_iter();
            let words = returned.map(|one| format!("{} {} {}", one.key, one.singular, one.kind));
            words.collect::<Vec<_>>()
        };
        assert_eq!(
            of(Host::Events, "list_event_guests"),
            ["guests guest guest"]
        );
        assert_eq!(of(Host::Events, "get_event_guest"), ["guest guest guest"]);
        // Its records have no `id`.
        let progress = of(Host::Learn, "get_program_member_progress");
        assert_eq!(progress[0].split(' ').next_back(), Some("member_progress"));
        assert_eq!(
            of(Host::Work, "list_meeting_series"),
            ["series series meeting"]
        );
        // Both meetings share a definition.
        assert_eq!(
            of(Host::Work, "merge_meetings")[..2],
            ["canonical canonical meeting", "skeleton skeleton meeting"]
        );
        let schema = &tool(Host::Events, "list_event_tasks").returns()[0].schema;
        assert_eq!(
            refers_to(&schema["properties"]["assignee_id"]),
            Some("member")
        );
    }

    /// The records in a result of this schema, at any depth.
    fn records<'a>(schema: &'a Value, found: &mut Vec<&'a Value>) {
        if schema.get("properties").is_some() {
            found.push(schema);
        }
        match schema {
            Value::Object(map) => map.values().for_each(|one| records(one, found)),
            Value::Array(several) => several.iter().for_each(|one| records(one, found)),
            _ => {}
        }
    }

    #[test]
    fn people_and_units_come_with_their_names() {
        let named = ["member", "user", "platform_account", "business_unit"];
        // The id is an argument: the caller knows whom it means.
        let asked_for = [
            ("get_weekly_updates", "member_id"),
            ("set_profile_fellow_slug", "user_id"),
        ];
        let mut nameless = Vec::new();
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let result = tool.result();
            let mut found = Vec::new();
            records(&result, &mut found);
            for fields in found.iter().filter_map(|one| one["properties"].as_object()) {
                // The record of a person has the name itself.
                let has_name = ["name", "member_name"].map(|name| fields.contains_key(name));
                let is_person = |id: &str| {
                    ["id", "user_id", "member_id", "account_id"].contains(&id)
                        && has_name.contains(&true)
                        || asked_for.contains(&(tool.name, id))
                };
                for (id, schema) in fields {
                    let Some(kind) = mark(schema).filter(|kind| named.contains(kind)) else {
                        continue;
                    };
                    let stem = id.strip_suffix("_id").unwrap_or(id);
                    let names = [format!("{stem}_name"), format!("{kind}_name")];
                    let is_named = names.iter().any(|name| fields.contains_key(name));
                    if !is_named && !is_person(id) {
                        nameless.push(format!("{tool:?}: {id}"));
                    }
                }
            }
        }
        assert!(nameless.is_empty(), "{}", nameless.join("\n"));
    }

    #[test]
    fn results_with_a_secret_have_it_at_the_top_and_are_not_stored() {
        let mut with_secrets = 0;
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let all = tool
                .output_schema()
                .to_string()
                .matches("\"password\"")
                .count();
            assert_eq!(tool.secrets().len(), all, "{tool:?}");
            assert!(all == 0 || !tool.is_remembered, "{tool:?}");
            with_secrets += usize::from(all > 0);
        }
        assert!(with_secrets > 0);
    }

    #[test]
    fn the_marks_stay_here() {
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let listing = tool.to_listing().to_string();
            assert!(!listing.contains("\"x-"), "{tool:?}: {listing}");
        }
    }
}
