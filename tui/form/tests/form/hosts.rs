//! Every tool of the hosts has a form without JSON fields.

use frontdesk_form::{Form, Kind, Path, State};
use frontdesk_protocol::{Declaration, Host};
use serde_json::{Value, json};

use crate::at;

fn tools() -> impl Iterator<Item = &'static Declaration> {
    Host::ALL.into_iter().flat_map(Host::tools)
}

/// Opens every field below this one with an entry in each list, and returns those that only accept
/// JSON.
fn raw_fields(form: &mut Form, path: &Path, depth: usize) -> Vec<String> {
    let Some(field) = form.field(path) else {
        return Vec::new();
    };
    let kind = field.kind().clone();
    let mut below = Vec::new();
    match kind {
        _ if depth > 6 => {}
        Kind::Raw => return vec![path.to_string()],
        Kind::List(_) => below.push(form.add_item(path).expect("an entry")),
        Kind::Map(_) => below.push(form.add_key(path, "key").expect("a key")),
        Kind::Object(_) => {
            form.include(path).expect("an object");
            let field = form.field(path).expect("it is there");
            let keys = field.children().iter().filter_map(|child| child.key());
            below.extend(keys.map(|key| path.key(key)));
        }
        Kind::Variant(alternatives) => {
            for at in 0..alternatives.len() {
                form.choose_variant(path, at).expect("an alternative");
                let leaf = form.field(path).expect("it is there").leaf();
                assert!(!matches!(leaf.kind(), Kind::Raw), "{path}");
            }
        }
        _ => {}
    }
    let below = below.iter();
    below
        .flat_map(|path| raw_fields(form, path, depth + 1))
        .collect()
}

#[test]
fn no_tool_of_ours_asks_for_json() {
    let mut tried = 0;
    for tool in tools() {
        let mut form = Form::new(&tool.input_schema());
        assert!(form.is_checked(), "{tool:?}");
        let raw = raw_fields(&mut form, &Path::root(), 0);
        assert_eq!(raw, [""; 0], "{tool:?}");
        tried += 1;
    }
    assert!(tried >= 30, "{tried}");
}

#[test]
fn what_a_tool_requires_is_asked_for_first() {
    for tool in tools() {
        let form = Form::new(&tool.input_schema());
        let required: Vec<_> = form
            .rows()
            .iter()
            .map(|row| row.field.is_required())
            .collect();
        assert!(required.is_sorted_by(|one, next| one >= next), "{tool:?}");
        // All required fields are reported missing, except those that start empty or with their default.
        let value = form.value();
        let begun = value.as_object().expect("arguments");
        let schema = tool.input_schema();
        let starts = |(name, value): (&String, &Value)| {
            let default = schema["properties"][name].get("default");
            *value == json!({}) || default == Some(value)
        };
        assert!(begun.iter().all(starts), "{value}");
        let missed = form.errors().len() + begun.len();
        assert_eq!(
            missed,
            required.iter().filter(|one| **one).count(),
            "{tool:?}"
        );
    }
}

#[test]
fn a_guest_is_changed() {
    let tool = Host::Events.tool("update_event_guest").expect("a tool");
    let record = json!({
        "id": "0190a1b2-0000-7000-8000-000000000001",
        "event_id": "0190a1b2-0000-7000-8000-000000000002",
        "name": "Zoë Müller", "email": null, "phone_number": "+5511987654321",
        "role": "speaker", "member_id": null, "check_in_at": null, "chat_id": null,
        "tags": { "colour": "red" },
    });
    let mut form = Form::update(&tool.input_schema(), record.as_object().expect("a record"));
    let id = &record["id"];
    assert_eq!(form.value(), json!({ "id": id }));
    assert!(!form.has_changes());

    form.set_text(&at("name"), "Zoë").expect("a text");
    form.set_null(&at("phone_number")).expect("a field");
    form.set_text(&at("tags.colour"), "blue").expect("a tag");
    assert_eq!(
        form.field(&at("email")).map(|field| field.state()),
        Some(State::Null)
    );
    assert_eq!(
        form.value(),
        json!({ "id": id, "name": "Zoë", "phone_number": null, "tags": { "colour": "blue" } })
    );
    assert_eq!(form.errors(), []);
    assert_eq!(form.refers_to(&at("member_id")), Some("member"));

    // A name cannot be cleared: if it is left out, the record keeps its name.
    form.clear(&at("name")).expect("a field");
    assert_eq!(
        form.field(&at("name"))
            .map(|field| field.summary())
            .as_deref(),
        Some("Zoë Müller")
    );
    assert_eq!(form.value()["name"], json!(null));
}
