//! What a schema accepts is what the host's check of the arguments accepts, for every argument at any depth.

use std::collections::BTreeSet;

use frontdesk_protocol::Declaration;
use jsonschema::Validator;
use serde_json::{Value, json};

/// An argument, or a field inside one, with its place in the sample.
struct Place<'a> {
    pointer: String,
    schema: &'a Value,
    is_required: bool,
}

/// Every property of the schema that the sample has, at any depth.
fn places<'a>(schema: &'a Value, pointer: &str, found: &mut Vec<Place<'a>>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let required = schema["required"].as_array();
        let pointer = format!("{pointer}/{name}");
        found.push(Place {
            pointer: pointer.clone(),
            schema: property,
            is_required: required.is_some_and(|all| all.contains(&json!(name))),
        });
        places(property, &pointer, found);
        places(&property["items"], &format!("{pointer}/0"), found);
    }
}

/// A value that the schema accepts, with every property and one entry in each list.
fn sample(schema: &Value) -> Value {
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => &kinds[0],
        kind => kind,
    };
    match kind.as_str().expect("a type") {
        "object" => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let samples = properties.map(|(name, schema)| (name.clone(), sample(schema)));
            Value::Object(samples.collect())
        }
        "array" => json!([sample(&schema["items"])]),
        "integer" | "number" => match schema["minimum"].as_i64() {
            Some(least) if least > 1 => json!(least),
            _ => json!(1),
        },
        "boolean" => json!(true),
        _ => match (schema["format"].as_str(), schema["pattern"].as_str()) {
            (Some("uuid"), _) => json!(ID),
            (Some("date"), _) => json!("2026-03-12"),
            (Some("date-time"), _) => json!("2026-03-12T10:00:00Z"),
            (Some("uri"), _) => json!("https://example.org/photo.jpg"),
            (Some("email"), _) => json!("ana@example.org"),
            (None, None) => json!("x"),
            (format, Some(pattern)) => {
                let fits = |text: &&str| {
                    let schema = json!({ "pattern": pattern });
                    jsonschema::is_valid(&schema, &json!(text))
                };
                let texts = ["+5511987654321", "open-day", "#1A2B3C", "09:30", "EUR", "x"];
                let text = texts.iter().find(|text| fits(text));
                json!(text.unwrap_or_else(|| panic!("a text like {format:?} {pattern}")))
            }
            (Some(format), None) => panic!("an example of {format}"),
        },
    }
}

const ID: &str = "0190a1b2-0000-7000-8000-000000000001";

/// Values of every type, in and out of formats.
fn values() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!(true),
        json!(false),
        json!([]),
        json!({}),
        json!({ "a": { "b": [1, null] } }),
        json!([1]),
        json!([null]),
    ];
    for number in [
        0.0, 1.0, -1.0, 1.5, 50.0, 1e9, 1e10, 1e12, 1e13, 1e300, -1e300,
    ] {
        values.push(json!(number));
        values.push(json!(number as i64));
    }
    for text in [
        "",
        "x",
        "todo",
        "Done",
        "1",
        "true",
        "null",
        "+5511987654321",
        "1234567",
        "123456",
        ID,
        "0190A1B2-0000-7000-8000-000000000001",
        "0190a1b2",
        "open-day",
        "Open day",
        "-",
        "#1A2B3C",
        "#1A2B3",
        "2026-03-12",
        "2026-02-30",
        "2026-03-12T10:00:00Z",
        "2026-03-12T10:00:00.5-03:00",
        "2026-03-12t10:00:00z",
        "2026-03-12T10:00:00",
        "0001-01-01T00:00:00Z",
        "9999-12-30T00:00:00Z",
        "0001-01-01",
        "9999-12-31",
        "https://example.org/photo.jpg",
        "http://localhost:8080/?a=b#c",
        "example.org",
        "ana@example.org",
        "ana@",
        "09:30",
        "23:59:59",
        "23:59:60",
        "24:00",
        "9:30",
    ] {
        values.push(json!(text));
        values.push(json!([text]));
    }
    values
}

/// Values at the bounds of this schema, and just outside.
fn bounds(schema: &Value) -> Vec<Value> {
    let mut values = Vec::new();
    for bound in ["minimum", "maximum"] {
        if let Some(bound) = schema[bound].as_i64() {
            values.extend([bound - 1, bound, bound + 1].map(|number| json!(number)));
            values.push(json!(bound as f64 + 0.5));
        }
    }
    for bound in ["minLength", "maxLength"] {
        if let Some(bound) = schema[bound].as_u64() {
            let lengths = [bound.saturating_sub(1), bound, bound + 1];
            values.extend(lengths.map(|length| json!("é".repeat(length as usize))));
        }
    }
    if let Some(most) = schema["maxItems"].as_u64() {
        let item = sample(&schema["items"]);
        values.extend([most, most + 1].map(|length| json!(vec![item.clone(); length as usize])));
    }
    values
}

/// The arguments tried so far: by their schema, and whether they are required.
#[derive(Debug, Default)]
pub(crate) struct Tried(BTreeSet<(String, bool)>);

impl Tried {
    /// The values to try here: all of them for the first argument of a schema, and a few for those that are the same.
    fn values(&mut self, place: &Place<'_>) -> Vec<Value> {
        let mut values = bounds(place.schema);
        match self.0.insert((place.schema.to_string(), place.is_required)) {
            true => values.extend(self::values()),
            false => values.extend([json!(null), json!(true), json!(1.5), json!("x"), json!({})]),
        }
        values
    }
}

/// Asserts that the schema of the tool's arguments accepts the same values as the host.
pub(crate) fn agree(tool: &Declaration, schema: &Value, tried: &mut Tried) {
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(schema)
        .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    let complete = sample(schema);
    accept(tool, &validator, &complete);
    let mut all = Vec::new();
    places(schema, "", &mut all);
    for place in &all {
        let at = |value: Value| {
            let mut arguments = complete.clone();
            *arguments.pointer_mut(&place.pointer).expect("a place") = value;
            arguments
        };
        for value in tried.values(place) {
            let arguments = at(value.clone());
            let by_host = tool.check(&arguments.to_string());
            // null also means that an optional argument is omitted.
            if value.is_null() && !place.is_required && by_host.is_ok() {
                continue;
            }
            assert_eq!(
                validator.is_valid(&arguments),
                by_host.is_ok(),
                "{tool:?} {} = {value:.60}: {by_host:?}",
                place.pointer
            );
        }
        // Without it, and with one that is not declared beside it.
        let (parent, name) = place.pointer.rsplit_once('/').expect("a path");
        let mut arguments = complete.clone();
        let object = arguments.pointer_mut(parent).expect("an object");
        let object = object.as_object_mut().expect("an object");
        object.shift_remove(name);
        assert_eq!(
            tool.check(&arguments.to_string()).is_err(),
            place.is_required,
            "{tool:?} without {}",
            place.pointer
        );
        assert_eq!(validator.is_valid(&arguments), !place.is_required);
        let mut arguments = at(sample(place.schema));
        let object = arguments.pointer_mut(parent).expect("an object");
        object["colour"] = json!("red");
        assert_eq!(
            validator.is_valid(&arguments),
            tool.check(&arguments.to_string()).is_ok(),
            "{tool:?} with another key beside {}",
            place.pointer
        );
    }
}

fn accept(tool: &Declaration, validator: &Validator, arguments: &Value) {
    validator
        .validate(arguments)
        .unwrap_or_else(|error| panic!("{tool:?}: {error}"));
    tool.check(&arguments.to_string())
        .unwrap_or_else(|error| panic!("{tool:?}: {error:?}"));
}
