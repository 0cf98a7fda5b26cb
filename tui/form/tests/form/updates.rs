//! Update forms: show the record, send the changes.

use frontdesk_form::{Form, Path, State};
use serde_json::{Map, Value, json};

use crate::{at, complaints};

fn record() -> Map<String, Value> {
    let record = json!({
        "id": 7, "name": "Zoë", "email": null, "notes": null, "points": 90, "tags": ["a"],
        "address": { "city": "x", "street": "y" }, "created_at": "2026-03-12T18:30:00Z",
        "owner": { "id": 1 }, "public": false,
    });
    record.as_object().expect("an object").clone()
}

fn form() -> Form {
    let schema = json!({
        "type": "object", "required": ["id"], "additionalProperties": false,
        "properties": {
            "id": { "type": "integer" },
            "name": { "type": "string", "minLength": 1 },
            "email": { "type": ["string", "null"] },
            "notes": { "type": "string" },
            "points": { "type": "number" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "address": { "type": "object", "properties": {
                "city": { "type": "string" }, "street": { "type": "string" } } },
            "public": { "type": "boolean" },
            // The record has more fields of its owner than the tool accepts.
            "owner": { "type": "integer" },
        },
    });
    Form::update(&schema, &record())
}

fn changed(form: &Form) -> Vec<String> {
    let rows = form.rows().into_iter().filter(|row| row.changed);
    rows.map(|row| row.path.to_string()).collect()
}

#[test]
fn nothing_is_sent_of_what_was_not_changed() {
    let form = form();
    assert_eq!(form.value(), json!({ "id": 7 }));
    assert!(!form.has_changes());
    assert_eq!(changed(&form), [""; 0]);
    assert_eq!(complaints(&form), [""; 0]);
    let state = |path: &str| {
        form.field(&at(path))
            .map(|field| (field.state(), field.summary()))
    };
    assert_eq!(state("name"), Some((State::Filled, "Zoë".to_owned())));
    assert_eq!(state("email"), Some((State::Null, "null".to_owned())));
    // A null that cannot be sent leaves the field empty.
    assert_eq!(state("notes"), Some((State::Absent, String::new())));
    assert_eq!(state("address.city"), Some((State::Filled, "x".to_owned())));
}

#[test]
fn what_was_changed_is_sent_whole() {
    let mut form = form();
    form.set_text(&at("address.city"), "z").expect("a text");
    form.add_item(&at("tags")).expect("an entry");
    form.set_text(&at("tags[1]"), "b").expect("a text");
    form.set_text(&at("email"), "").expect("a text");
    assert_eq!(
        form.value(),
        json!({ "id": 7, "address": { "city": "z", "street": "y" }, "tags": ["a", "b"], "email": "" })
    );
    assert_eq!(
        changed(&form),
        ["email", "tags", "tags[1]", "address", "address.city"]
    );
    assert!(form.has_changes());
}

#[test]
fn a_change_that_is_undone_is_none() {
    let mut form = form();
    form.set_text(&at("points"), "91").expect("a number");
    assert_eq!(form.value(), json!({ "id": 7, "points": 91 }));
    form.set_text(&at("points"), "90").expect("a number");
    assert_eq!(form.value(), json!({ "id": 7 }));
    form.set_text(&at("points"), "x").expect("a text");
    assert_eq!(complaints(&form), ["points: must be a number, not `x`"]);
    // A field that is left out returns to the value of the record.
    form.clear(&at("points")).expect("a field");
    assert_eq!(
        form.field(&at("points"))
            .map(|field| field.summary())
            .as_deref(),
        Some("90")
    );
    assert_eq!(form.value(), json!({ "id": 7 }));
}

#[test]
fn a_yes_or_no_that_the_record_has_is_one_of_the_two() {
    let mut form = form();
    let mut press = || {
        form.toggle(&at("public")).expect("yes or no");
        form.value()
    };
    // Leaving it out would restore "no" without showing it.
    assert_eq!(press(), json!({ "id": 7, "public": true }));
    assert_eq!(press(), json!({ "id": 7 }));
    assert_eq!(press(), json!({ "id": 7, "public": true }));
}

#[test]
fn a_preset_is_laid_over_the_record() {
    let mut form = form();
    form.set_text(&at("name"), "forgotten").expect("a text");
    form.fill(&json!({ "id": 7, "email": "zoe@example.org" }));
    assert_eq!(form.value(), json!({ "id": 7, "email": "zoe@example.org" }));
    assert_eq!(changed(&form), ["email"]);
}

#[test]
fn the_whole_can_be_given_as_json() {
    let mut form = form();
    form.set_json(&Path::root(), "{ \"id\": 7, \"name\": \"\" }")
        .expect("the form");
    assert_eq!(form.value(), json!({ "id": 7, "name": "" }));
    assert_eq!(complaints(&form), [": name must not be empty"]);
}
