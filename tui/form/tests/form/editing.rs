//! Editing a form.

use frontdesk_form::{EditError, Entry, Form, Kind, Path, State};
use serde_json::{Value, json};

use crate::{at, complaints};

fn form(properties: Value, required: &[&str]) -> Form {
    Form::new(&json!({ "type": "object", "properties": properties, "required": required }))
}

/// Label and state of each row, indented.
fn seen(form: &Form) -> Vec<String> {
    let rows = form.rows().into_iter();
    rows.map(|row| {
        let indent = "  ".repeat(row.depth);
        let leaf = row.field.leaf();
        format!(
            "{indent}{}: {:?} {}",
            row.field.label(),
            row.field.state(),
            leaf.summary()
        )
        .trim_end()
        .to_owned()
    })
    .collect()
}

#[test]
fn left_out_null_and_empty_are_three_things() {
    let mut form = form(
        json!({
            "email": { "type": ["string", "null"] },
            "tags": { "type": ["array", "null"], "items": { "type": "string" } },
        }),
        &[],
    );
    assert_eq!(seen(&form), ["Email: Absent", "Tags: Absent"]);
    assert_eq!(form.value(), json!({}));

    form.set_null(&at("email")).expect("a field");
    form.set_null(&at("tags")).expect("a field");
    assert_eq!(seen(&form), ["Email: Null null", "Tags: Null null"]);
    assert_eq!(form.value(), json!({ "email": null, "tags": null }));

    form.set_text(&at("email"), "").expect("a text");
    form.include(&at("tags")).expect("a list");
    assert_eq!(seen(&form), ["Email: Empty", "Tags: Empty 0 entries"]);
    assert_eq!(form.value(), json!({ "email": "", "tags": [] }));

    form.clear(&at("email")).expect("a field");
    form.clear(&at("tags")).expect("a field");
    assert_eq!(form.value(), json!({}));
}

#[test]
fn an_optional_yes_or_no_has_three_states() {
    let mut form = form(
        json!({ "a": { "type": "boolean" }, "b": { "type": ["boolean", "null"] }, "c": { "type": "boolean" } }),
        &["c"],
    );
    let mut states = |path: &str| -> Vec<Value> {
        let presses = (0..4).map(|_| {
            form.toggle(&at(path)).expect("it toggles");
            form.value().get(path).cloned().unwrap_or(json!("left out"))
        });
        presses.collect()
    };
    assert_eq!(
        states("a"),
        [json!(true), json!(false), json!("left out"), json!(true)]
    );
    assert_eq!(
        states("b"),
        [json!(true), json!(false), json!(null), json!("left out")]
    );
    assert_eq!(
        states("c"),
        [json!(true), json!(false), json!(true), json!(false)]
    );
}

#[test]
fn a_number_that_is_none_is_kept_as_it_was_typed() {
    let mut form = form(json!({ "limit": { "type": "integer" } }), &[]);
    form.set_text(&at("limit"), "12x").expect("a text");
    assert_eq!(
        complaints(&form),
        ["limit: must be a whole number, not `12x`"]
    );
    assert_eq!(seen(&form), ["Limit: Filled 12x"]);
    form.set_text(&at("limit"), "12").expect("a text");
    assert_eq!(complaints(&form), [""; 0]);
    assert_eq!(form.value(), json!({ "limit": 12 }));
}

#[test]
fn a_number_of_many_digits_is_not_rounded() {
    let mut form = form(json!({ "id": { "type": "integer" } }), &[]);
    form.set_text(&at("id"), "18446744073709551615")
        .expect("a text");
    assert_eq!(form.value().to_string(), r#"{"id":18446744073709551615}"#);
    form.set_text(&at("id"), "18446744073709551616")
        .expect("a text");
    assert_eq!(complaints(&form), [""; 0]);
    let sent = frontdesk_protocol::exact::text(&form.value());
    assert_eq!(sent, r#"{"id":18446744073709551616}"#);
}

#[test]
fn a_schema_that_multiplies_is_not_opened_to_its_end() {
    // Each level requires the next one three times: 3^12 fields if all were opened.
    let mut defs = serde_json::Map::new();
    for level in 0..12 {
        let next = json!({ "$ref": format!("#/$defs/level_{}", level + 1) });
        defs.insert(
            format!("level_{level}"),
            json!({
                "type": "object", "required": ["a", "b", "c"],
                "properties": { "a": next, "b": next, "c": next },
            }),
        );
    }
    defs.insert("level_12".to_owned(), json!({ "type": "string" }));
    let mut form = Form::new(&json!({ "$ref": "#/$defs/level_0", "$defs": defs }));
    assert!(form.rows().len() < 10_000, "{}", form.rows().len());
    // Deeper fields can still be reached.
    let path = (0..12).fold(Path::root(), |path, _| path.key("c"));
    form.set_text(&path, "x").expect("a text");
    assert_eq!(
        form.field(&path).map(|field| field.summary()).as_deref(),
        Some("x")
    );
}

#[test]
fn what_is_wrong_is_said_from_top_to_bottom() {
    let schema = json!({
        "type": "object", "required": ["name"], "additionalProperties": false,
        "properties": {
            "name": { "type": "string" },
            "limit": { "type": "integer", "maximum": 9 },
            "offset": { "type": "integer" },
            "zone": { "type": "object", "required": ["city"], "properties": { "city": {} } },
        },
    });
    let mut form = Form::new(&schema);
    form.refuse("nothing", "is what it is");
    form.refuse("offset", "is too far");
    form.set_text(&at("limit"), "10").expect("a number");
    form.include(&at("zone")).expect("an object");
    form.set_text(&at("offset"), "x").expect("a text");
    form.refuse("offset", "is too far");
    assert_eq!(
        complaints(&form),
        [
            "name: is required",
            "limit: must be at most 9",
            "offset: must be a whole number, not `x`",
            "offset: is too far",
            "zone.city: is required",
            ": nothing is what it is",
        ]
    );
}

#[test]
fn a_schema_as_deep_as_json_may_be_is_a_form() {
    let nest =
        |schema: Value, with: fn(Value) -> Value| (0..60).fold(schema, |schema, _| with(schema));
    for with in [
        (|schema| json!({ "type": "object", "required": ["a"], "properties": { "a": schema } }))
            as fn(Value) -> Value,
        |schema| json!({ "items": schema }),
        |schema| json!({ "anyOf": [schema, { "type": "null" }] }),
        |schema| json!({ "anyOf": [schema, { "type": "string" }] }),
        |schema| json!({ "allOf": [schema] }),
        |schema| json!({ "not": schema }),
        |schema| json!({ "additionalProperties": schema }),
    ] {
        let schema = nest(json!({ "type": "integer" }), with);
        let mut form = Form::new(&json!({ "type": "object", "properties": { "x": schema } }));
        for deep in [
            nest(json!(1), |value| json!({ "a": value })),
            nest(json!(1), |value| json!([value])),
        ] {
            let arguments = json!({ "x": deep });
            form.fill(&arguments);
            assert_eq!(form.value(), arguments);
            form.errors();
            assert!(!form.rows().is_empty());
        }
    }
}

#[test]
fn json_that_is_none_is_an_error_and_is_kept() {
    // The type is unknown, so no widget fits.
    let mut form = form(json!({ "odd": { "type": "matrix" } }), &[]);
    assert!(matches!(
        form.field(&at("odd")).map(|field| field.kind()),
        Some(Kind::Raw)
    ));
    form.set_text(&at("odd"), "[1, 2").expect("a text");
    let complaint = complaints(&form).join("");
    assert!(
        complaint.starts_with("odd: is not JSON: EOF"),
        "{complaint}"
    );
    assert_eq!(seen(&form), ["Odd: Filled [1, 2"]);
    assert_eq!(form.value(), json!({ "odd": "[1, 2" }));
    form.set_text(&at("odd"), "[1, 2]").expect("a text");
    assert_eq!(form.value(), json!({ "odd": [1, 2] }));
    assert_eq!(complaints(&form), [""; 0]);
}

#[test]
fn any_field_can_be_given_as_json_and_back() {
    let mut form = form(
        json!({ "where": { "type": "object", "properties": { "a": { "type": "integer" } } } }),
        &[],
    );
    form.set_text(&at("where.a"), "1").expect("a number");
    form.as_json(&at("where")).expect("a field");
    let text = match form.field(&at("where")).map(|field| field.entry().clone()) {
        Some(Entry::Json(json)) => json.text().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text, "{\n  \"a\": 1\n}");
    assert_eq!(
        form.set_text(&at("where.a"), "2"),
        Err(EditError::NoSuchField(at("where.a")))
    );

    form.set_text(&at("where"), "{\"a\": \"x\", \"b\": ")
        .expect("a text");
    assert!(matches!(
        form.as_fields(&at("where")),
        Err(EditError::NotJson { .. })
    ));
    form.set_text(&at("where"), "{\"a\": \"x\", \"b\": true}")
        .expect("a text");
    // An error inside the JSON is shown on the visible field.
    assert_eq!(complaints(&form), ["where: a must be a whole number"]);
    form.as_fields(&at("where")).expect("JSON");
    assert_eq!(complaints(&form), ["where.a: must be a whole number"]);
    assert_eq!(form.value(), json!({ "where": { "a": "x", "b": true } }));
    assert_eq!(
        seen(&form),
        [
            "Where: Filled 2 of 2",
            "  A: Filled \"x\"",
            "  B: Filled yes"
        ]
    );
}

#[test]
fn entries_are_added_moved_and_removed() {
    let mut form = form(
        json!({ "edits": { "type": "array", "items": {
            "type": "object", "required": ["old"],
            "properties": { "old": { "type": "string" }, "new": { "type": "string" } },
        } } }),
        &[],
    );
    for text in ["a", "b", "c"] {
        let entry = form.add_item(&at("edits")).expect("a list");
        form.set_text(&entry.key("old"), text).expect("a text");
    }
    form.move_item(&at("edits[2]"), 0).expect("entries");
    form.remove(&at("edits[1]")).expect("an entry");
    assert_eq!(
        form.value(),
        json!({ "edits": [{ "old": "c" }, { "old": "b" }] })
    );
    assert_eq!(
        seen(&form),
        [
            "Edits: Filled 2 entries",
            "  1: Filled 1 of 2",
            "    Old: Filled c",
            "    New: Absent",
            "  2: Filled 1 of 2",
            "    Old: Filled b",
            "    New: Absent",
        ]
    );
    assert!(
        form.remove(&at("edits[0].old")).is_err(),
        "it belongs to the tool"
    );
    assert!(form.remove(&at("edits[7]")).is_err());
    assert!(form.move_item(&at("edits[0]"), 2).is_err());
    assert!(form.add_item(&at("edits[0].old")).is_err());
}

#[test]
fn an_entry_without_a_value_is_an_error() {
    let mut form = form(
        json!({ "ids": { "type": "array", "items": { "type": "string" } }, "tags": { "type": "object" } }),
        &[],
    );
    form.add_item(&at("ids")).expect("a list");
    form.add_key(&at("tags"), "colour").expect("an object");
    assert_eq!(
        complaints(&form),
        [
            "ids[0]: has no value yet: enter one, or remove the entry",
            "tags.colour: has no value yet: enter one, or remove the key",
        ]
    );
    // An empty text is a valid value.
    form.set_text(&at("ids[0]"), "").expect("a text");
    form.set_text(&at("tags.colour"), "red").expect("a text");
    assert_eq!(complaints(&form), [""; 0]);
    assert_eq!(
        form.value(),
        json!({ "ids": [""], "tags": { "colour": "red" } })
    );
}

#[test]
fn free_keys_take_values_of_any_type() {
    let mut form = form(json!({ "tags": { "type": "object" } }), &[]);
    for (key, text) in [("colour", "red"), ("seat", "12"), ("a.b", "true")] {
        let tag = form.add_key(&at("tags"), key).expect("a key");
        form.set_text(&tag, text).expect("a text");
    }
    // Typed input is text until another alternative is chosen.
    assert_eq!(
        form.value(),
        json!({ "tags": { "colour": "red", "seat": "12", "a.b": "true" } })
    );
    form.choose_variant(&at("tags.seat"), 1).expect("a number");
    form.set_text(&at("tags.seat"), "12").expect("a number");
    form.rename_key(&at("tags[\"a.b\"]"), "vip").expect("a key");
    form.choose_variant(&at("tags.vip"), 2).expect("yes or no");
    form.toggle(&at("tags.vip")).expect("yes or no");
    assert_eq!(
        form.value(),
        json!({ "tags": { "colour": "red", "seat": 12, "vip": true } })
    );
    assert_eq!(
        form.add_key(&at("tags"), "vip"),
        Err(EditError::KeyTaken(at("tags.vip")))
    );
    assert!(form.rename_key(&at("tags.vip"), "seat").is_err());
    form.remove(&at("tags.vip")).expect("a key");
    assert_eq!(
        form.value(),
        json!({ "tags": { "colour": "red", "seat": 12 } })
    );
}

#[test]
fn a_closed_object_takes_no_keys() {
    let schema = json!({
        "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false,
    });
    let mut form = Form::new(&schema);
    assert_eq!(
        form.add_key(&Path::root(), "b"),
        Err(EditError::NoMoreKeys(Path::root()))
    );
}

#[test]
fn an_alternative_keeps_what_was_entered_into_it() {
    let mut form = form(
        json!({ "shape": { "oneOf": [
            { "type": "object", "required": ["type"], "properties": {
                "type": { "const": "circle" }, "radius": { "type": "number" } } },
            { "type": "object", "required": ["type"], "properties": {
                "type": { "const": "square" }, "side": { "type": "number" } } },
        ] } }),
        &[],
    );
    assert_eq!(seen(&form), ["Shape: Absent"]);
    form.choose_variant(&at("shape"), 0).expect("a circle");
    form.set_text(&at("shape.radius"), "2").expect("a number");
    // The discriminator is constant: it is sent but not shown.
    assert_eq!(seen(&form), ["Shape: Filled 2 of 2", "  Radius: Filled 2"]);
    form.choose_variant(&at("shape"), 1).expect("a square");
    assert_eq!(form.value(), json!({ "shape": { "type": "square" } }));
    form.choose_variant(&at("shape"), 0).expect("a circle");
    assert_eq!(
        form.value(),
        json!({ "shape": { "type": "circle", "radius": 2 } })
    );
    assert_eq!(
        form.choose_variant(&at("shape"), 2),
        Err(EditError::NoSuchAlternative {
            path: at("shape"),
            there: 2
        })
    );
}

#[test]
fn the_first_alternative_that_has_the_field_is_taken() {
    let mut form = form(
        json!({ "to": { "anyOf": [
            { "type": "string" },
            { "type": "object", "properties": { "email": { "type": "string" } } },
        ] } }),
        &[],
    );
    form.set_text(&at("to.email"), "zoe@example.org")
        .expect("a field");
    assert_eq!(
        form.value(),
        json!({ "to": { "email": "zoe@example.org" } })
    );
    form.clear(&at("to")).expect("a field");
    form.set_text(&at("to"), "zoe").expect("a text");
    assert_eq!(form.value(), json!({ "to": "zoe" }));
}

#[test]
fn a_schema_that_contains_itself_is_opened_step_by_step() {
    let mut form = Form::new(&json!({
        "type": "object",
        "properties": { "node": { "$ref": "#/$defs/Node" } },
        "required": ["node"],
        // A node must contain a node, so a required value is always missing.
        "$defs": { "Node": {
            "type": "object", "required": ["next"], "properties": { "next": { "$ref": "#/$defs/Node" } },
        } },
    }));
    assert_eq!(seen(&form), ["Node: Empty 0 of 1", "  Next: Absent"]);
    form.include(&at("node.next.next")).expect("a node");
    assert_eq!(form.value(), json!({ "node": { "next": { "next": {} } } }));
    assert_eq!(complaints(&form), ["node.next.next.next: is required"]);
}

#[test]
fn an_optional_object_is_included_with_what_it_had() {
    let mut form = form(
        json!({ "filter": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } } }),
        &[],
    );
    assert_eq!(form.errors(), []);
    form.toggle(&at("filter")).expect("it toggles");
    assert_eq!(complaints(&form), ["filter.a: is required"]);
    form.set_text(&at("filter.a"), "x").expect("a text");
    form.toggle(&at("filter")).expect("it toggles");
    assert_eq!(form.value(), json!({}));
    form.toggle(&at("filter")).expect("it toggles");
    assert_eq!(form.value(), json!({ "filter": { "a": "x" } }));
}

#[test]
fn what_a_server_refuses_stands_on_its_field_until_it_is_changed() {
    let mut form = form(
        json!({
            "name": { "type": "string" },
            "member_ids": { "type": "array", "items": { "type": "string" } },
            "tags": { "type": "object" },
            "edits": { "type": "array", "items": { "type": "object", "properties": { "text": { "type": "string" } } } },
        }),
        &[],
    );
    form.fill(&json!({
        "name": "Zoë", "member_ids": ["a", "b", "c"], "tags": { "colour": "red", "a": 0, "a.b": 1 },
        "edits": [{ "text": "x" }],
    }));
    for (field, lands_on) in [
        ("name", "name: is taken"),
        ("tags.colour", "tags.colour: is taken"),
        ("tags.a.b", "tags[\"a.b\"]: is taken"),
        ("tags.size", "tags: size is taken"),
        ("member_ids[2]", "member_ids[2]: is taken"),
        ("member_ids[9]", "member_ids: [9] is taken"),
        ("member_ids.1", "member_ids[1]: is taken"),
        ("edits.0.text", "edits[0].text: is taken"),
        ("/edits/0/text", "edits[0].text: is taken"),
        ("arguments.name", "name: is taken"),
        ("names", ": names is taken"),
        ("", ": is taken"),
    ] {
        form.forget_refusals();
        form.refuse(field, "is taken");
        assert_eq!(complaints(&form), [lands_on], "{field}");
    }
    form.forget_refusals();
    form.refuse("name", "is taken");
    form.refuse("tags.colour", "is ugly");
    form.set_text(&at("name"), "Zoe").expect("a text");
    assert_eq!(complaints(&form), ["tags.colour: is ugly"]);
    form.remove(&at("tags.colour")).expect("a key");
    assert_eq!(complaints(&form), [""; 0]);
}

#[test]
fn what_cannot_be_done_is_named() {
    let mut form = form(
        json!({ "order": { "enum": ["asc", "desc"] }, "name": { "type": "string" }, "on": { "type": "boolean" } }),
        &[],
    );
    let before = form.value();
    let errors = [
        form.set_text(&at("nothing"), "x"),
        form.set_text(&at("name.first"), "x"),
        form.set_text(&at("order"), "up"),
        form.set_text(&at("on"), "maybe"),
        form.toggle(&at("name")),
        form.include(&at("name")),
        form.choose_variant(&at("name"), 0),
    ];
    let errors = errors.map(|error| error.expect_err("it is refused").to_string());
    assert_eq!(
        errors,
        [
            "there is no field `nothing`",
            "there is no field `name.first`",
            "order cannot be `up`: choose one of asc, desc",
            "on cannot be `maybe`: choose one of yes, no",
            "name is text; it has to be typed",
            "name is text; only lists and objects are included empty",
            "name is text; there is nothing to choose between",
        ]
    );
    assert_eq!(form.value(), before);
    form.set_text(&at("order"), "desc").expect("a choice");
    assert_eq!(
        form.field(&at("order")).map(|field| field.state()),
        Some(State::Filled)
    );
}

#[test]
fn a_form_says_what_a_field_wants() {
    let form = form(
        json!({
            "a": { "type": "string", "format": "date" },
            "b": { "type": "integer", "minimum": 1, "maximum": 100, "default": 50 },
            "c": { "type": "string", "minLength": 2, "maxLength": 9 },
            "d": { "enum": ["x", 2] },
            "e": { "type": "array", "maxItems": 1, "items": { "type": "string" } },
            "f": { "type": ["string", "number"] },
            "g": { "type": "string", "examples": ["main"], "title": "Branch", "description": "Where to." },
            "h": { "type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$" },
        }),
        &[],
    );
    let hints: Vec<_> = form.rows().iter().map(|row| row.field.hint()).collect();
    assert_eq!(
        hints,
        [
            "date such as 2026-03-12",
            "whole number, 1 to 100, default 50",
            "2 to 9 characters",
            "x, 2",
            "at most 1 entry",
            "text or number",
            "text, such as main",
            "like a-short-name",
        ]
    );
    let branch = form.field(&at("g")).expect("a field");
    assert_eq!(
        (branch.label(), branch.description()),
        ("Branch", Some("Where to."))
    );
}

#[test]
fn null_is_no_choice_but_a_state() {
    let mut form = form(json!({ "sort": { "enum": ["asc", null, "desc"] } }), &[]);
    let mut presses = Vec::new();
    for _ in 0..4 {
        form.toggle(&at("sort")).expect("a choice");
        presses.push(form.value());
    }
    let sorted = |by: Value| json!({ "sort": by });
    let expected = [
        sorted(json!("asc")),
        sorted(json!("desc")),
        sorted(json!(null)),
        json!({}),
    ];
    assert_eq!(presses, expected);
    let hint = form.field(&at("sort")).map(|field| field.hint());
    assert_eq!(hint.as_deref(), Some("asc, desc"));
}

#[test]
fn what_any_of_the_merged_parts_requires_is_required() {
    let schema = json!({ "allOf": [
        { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
        { "type": "object", "required": ["b"], "properties": {
            "a": { "maxLength": 3, "description": "Both." }, "b": {}, "c": {} } },
    ] });
    let form = Form::new(&schema);
    let rows: Vec<_> = form.rows();
    let rows = rows.iter();
    let asked: Vec<_> = rows
        .map(|row| (row.field.label(), row.field.is_required()))
        .collect();
    assert_eq!(asked, [("A", true), ("B", true), ("C", false)]);
    let a = form.field(&at("a")).expect("a field");
    assert_eq!(
        (a.hint().as_str(), a.description()),
        ("at most 3 characters", Some("Both."))
    );
}

#[test]
fn a_schema_with_mistakes_is_checked_as_far_as_it_goes() {
    for mistake in [
        json!({ "type": "string", "pattern": "([" }),
        json!({ "$ref": "#/nowhere" }),
        json!({ "$ref": "https://example.org/elsewhere.json" }),
        json!({ "type": "matrix" }),
        json!({ "type": "string", "required": true }),
        json!({ "type": "string", "required": [5] }),
    ] {
        let mut form = Form::new(&json!({
            "type": "object", "required": ["b"],
            "properties": { "a": mistake, "b": { "type": "integer" } },
        }));
        assert!(!form.is_checked(), "{mistake}");
        assert_eq!(complaints(&form), ["b: is required"], "{mistake}");
        form.set_json(&at("a"), "\"x\"").expect("a field");
        form.set(&at("b"), &json!("x")).expect("a field");
        assert_eq!(
            complaints(&form),
            ["b: must be a whole number"],
            "{mistake}"
        );
        assert_eq!(form.value(), json!({ "a": "x", "b": "x" }));
    }
    // An unknown draft is ignored.
    let unknown = json!({ "$schema": "https://example.org/draft", "type": "object", "$id": "::",
        "properties": { "a": { "type": "integer" } } });
    let mut form = Form::new(&unknown);
    assert!(!form.is_checked());
    form.fill(&json!({ "a": "x" }));
    assert_eq!(complaints(&form), ["a: must be a whole number"]);
    // A circular schema cannot be validated, but required fields are still reported.
    let endless = json!({ "$defs": { "x": { "$ref": "#/$defs/x" } }, "type": "object",
        "required": ["a"], "properties": { "a": { "$ref": "#/$defs/x" } } });
    assert_eq!(complaints(&Form::new(&endless)), ["a: is required"]);
}

#[test]
fn a_time_of_day_is_read_as_people_write_it() {
    let pattern = r"^([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}$";
    let start = json!({ "start": { "type": "string", "pattern": pattern } });
    let written = |text: &str| {
        let mut form = form(start.clone(), &[]);
        form.set_text(&at("start"), text).expect("a text");
        (form.value()["start"].clone(), form.errors().len())
    };
    for (text, sent) in [
        ("9", "09:00"),
        ("9:30", "09:30"),
        ("18:05", "18:05"),
        ("18:05:30", "18:05:30"),
    ] {
        assert_eq!(written(text), (json!(sent), 0), "{text}");
    }
    assert_eq!(written("25:00").1, 1);
}
