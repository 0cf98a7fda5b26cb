//! Section 4.3: the events tools, over the wire.

mod changes;
mod chat;
mod check_in;
mod entrance;
mod event;
mod expense;
mod guest;
mod linking;
mod paging;
mod photo;
mod search;
mod session;
mod size;
mod task;

use frontdesk_protocol::Role;
use frontdesk_protocol::id::EventId;
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Value, json};

/// An organisation with an event, and a staff member's client.
struct Desk {
    organization: Organization,
    event: EventId,
    staff: Http,
}

/// The effect of null on a field of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Null {
    /// It clears the field.
    Clears,
    /// It is refused.
    Refused,
}

/// Expects what follows from a change: its time, and the name of another assignee.
fn follow(expected: &mut Value, changed: &Value) {
    for field in ["updated_at", "assignee_name"] {
        if let Some(value) = changed.get(field) {
            expected[field] = value.clone();
        }
    }
}

impl Desk {
    fn open() -> Desk {
        let organization = Organization::create();
        Desk {
            event: organization.event("Launch"),
            staff: organization.sign_in(Role::Staff),
            organization,
        }
    }

    /// Calls a tool.
    fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        self.staff.events(tool, arguments)
    }

    /// Calls a tool that must succeed.
    fn get(&mut self, tool: &str, arguments: Value) -> Value {
        self.call(tool, arguments).output().clone()
    }

    /// Adds a record, which keeps all that it is given. `record` is its key.
    fn keeps(&mut self, tool: &str, record: &str, given: Value) -> Value {
        let mut added = self.get(tool, given.clone());
        for (field, value) in given.as_object().expect("an object") {
            assert_eq!(added[record][field], *value, "{tool} {field}");
        }
        added[record].take()
    }

    /// Updates one field after the other: a value sets it, a missing argument keeps it, and null
    /// clears it or is refused; the other fields are unchanged. `record` is the key of the record,
    /// whose values must differ from these.
    fn updates(&mut self, tool: &str, record: &str, id: &Value, fields: &[(&str, Value, Null)]) {
        let mut expected = self.get(tool, json!({ "id": id }))[record].clone();
        for (field, value, null) in fields {
            assert_ne!(&expected[field], value, "{field} must change");
            expected[field] = value.clone();
            let changed = self.get(tool, json!({ "id": id, *field: value }));
            follow(&mut expected, &changed[record]);
            assert_eq!(changed[record], expected, "{tool} {field} = {value}");
            let kept = self.get(tool, json!({ "id": id }));
            assert_eq!(kept[record], expected, "{tool} without {field}");

            let nulled = self.call(tool, json!({ "id": id, *field: null }));
            match null {
                Null::Clears => {
                    expected[field] = Value::Null;
                    follow(&mut expected, &nulled.output()[record]);
                    assert_eq!(nulled.output()[record], expected, "{tool} {field} = null");
                    let again = self.get(tool, json!({ "id": id, *field: value }));
                    expected[field] = value.clone();
                    follow(&mut expected, &again[record]);
                    assert_eq!(again[record], expected, "{tool} {field} = {value}");
                }
                Null::Refused => {
                    nulled.refuses("invalid_argument", field);
                    let kept = self.get(tool, json!({ "id": id }));
                    assert_eq!(kept[record], expected, "{tool} {field} = null");
                }
            }
        }
    }
}

/// One field of each record.
pub(crate) fn pluck(records: &Value, field: &str) -> Vec<String> {
    let records = records.as_array().expect("a list");
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    records.iter().map(|record| text(&record[field])).collect()
}
