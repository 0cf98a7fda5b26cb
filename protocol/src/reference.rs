//! What arguments refer to, and which tools find it: read from the types of the ids in a declaration.
//!
//! An id type marks its schema with the kind of its record. The marks are for programs that link this
//! crate, such as a form that offers a list to choose from; they are taken out of what hosts list,
//! where every client would pay for them.

use serde_json::Value;

use crate::tool::Declaration;

/// The mark of an id in a schema; its value is the kind of record, such as `guest`.
const MARK: &str = "x-record";

impl Declaration {
    /// The arguments that are the id of a record, or ids of several, each with the kind of record: of
    /// `check_in_guest` it is `id`, a `guest`.
    pub fn references(&self) -> Vec<(String, String)> {
        let schema = self.marked_input();
        let arguments = schema.get("properties").and_then(Value::as_object);
        let references = arguments
            .into_iter()
            .flatten()
            .filter_map(|(name, schema)| {
                let kind = mark(schema).or_else(|| mark(schema.get("items")?))?;
                Some((name.clone(), kind.to_owned()))
            });
        references.collect()
    }

    /// The kind of record that it lists, if that is what it does: of `list_event_guests` a `guest`.
    pub fn lists(&self) -> Option<String> {
        self.returns(|schema| record(schema.get("items")?))
    }

    /// The kind of record of which it gets one: of `get_event_guest` a `guest`.
    pub fn gets(&self) -> Option<String> {
        self.returns(record)
    }

    /// The kind of record that it adds, changes or removes: that of its argument `id`, else of what it
    /// returns: of `create_event_guest` a `guest`.
    pub fn changes(&self) -> Option<String> {
        if self.effect.read_only {
            return None;
        }
        let own = self.references().into_iter().find(|(name, _)| name == "id");
        let returned = || {
            let schema = self.marked_output();
            let results = schema.get("properties")?.as_object()?;
            results.values().find_map(record).map(str::to_owned)
        };
        own.map(|(_, kind)| kind).or_else(returned)
    }

    fn returns(&self, is: impl Fn(&Value) -> Option<&str>) -> Option<String> {
        if !self.effect.read_only {
            return None;
        }
        let schema = self.marked_output();
        let mut results = schema.get("properties")?.as_object()?.values();
        results.find_map(is).map(str::to_owned)
    }
}

/// The kind of record that a value of this schema is: that of its id.
fn record(schema: &Value) -> Option<&str> {
    mark(schema.get("properties")?.get("id")?)
}

fn mark(schema: &Value) -> Option<&str> {
    schema.get(MARK)?.as_str()
}

/// Takes the marks out.
pub(crate) fn drop_marks(schema: &mut Value) {
    match schema {
        Value::Object(words) => {
            // The order in which a schema says what it says is kept.
            words.retain(|word, _| word != MARK);
            words.values_mut().for_each(drop_marks);
        }
        Value::Array(several) => several.iter_mut().for_each(drop_marks),
        _ => {}
    }
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
        // Whatever lies around the id: an update's field, a bounded list.
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
    fn a_tool_that_reads_says_what_it_finds() {
        let events = |name| tool(Host::Events, name);
        assert_eq!(
            events("list_event_guests").lists().as_deref(),
            Some("guest")
        );
        assert_eq!(events("list_events").lists().as_deref(), Some("event"));
        assert_eq!(events("get_event").lists(), None);
        assert_eq!(events("get_event_guest").gets().as_deref(), Some("guest"));
        assert_eq!(events("list_events").gets(), None);
        let series = tool(Host::Work, "list_meeting_series");
        assert_eq!(series.lists().as_deref(), Some("meeting"));
        // It writes, whatever it returns.
        assert_eq!(events("check_in_guest").gets(), None);
        assert_eq!(events("get_event").changes(), None);
        let changes = |host, name| tool(host, name).changes();
        let guest = Some("guest".to_owned());
        assert_eq!(changes(Host::Events, "check_in_guest"), guest);
        assert_eq!(changes(Host::Events, "create_event_guest"), guest);
        let removed = changes(Host::Work, "remove_meeting_series");
        assert_eq!(removed.as_deref(), Some("meeting"));
        assert_eq!(tool(Host::Work, "merge_meetings").lists(), None);
    }

    #[test]
    fn the_marks_stay_here() {
        for tool in Host::ALL.into_iter().flat_map(Host::tools) {
            let listing = tool.to_listing().to_string();
            assert!(!listing.contains(MARK), "{tool:?}: {listing}");
        }
    }
}
