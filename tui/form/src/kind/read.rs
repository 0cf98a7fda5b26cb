//! Determines the kind of a field from its schema.

use std::sync::Arc;

use serde_json::{Map as Words, Value, json};

use super::{
    Additional, Alternative, Bounds, Choice, Kind, List, Map, Object, Part, Property, Text,
    alternatives, plain,
};
use crate::schema::{Document, types};

/// The kind and keywords of a schema.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
    /// Its resolved keywords.
    pub(crate) words: Words<String, Value>,
    /// The references followed to reach it.
    pub(crate) passed: Vec<String>,
}

/// Reads `schema` for the field called `name`.
pub(crate) fn read(document: &Document, schema: &Value, name: &str) -> Reading {
    let mut reading = Reading {
        kind: Kind::Raw,
        nullable: false,
        words: Words::new(),
        passed: Vec::new(),
    };
    let Some(shape) = document.shape(schema) else {
        return reading;
    };
    reading.words = shape.words;
    reading.passed = shape.passed;
    // A choice with one alternative besides null is replaced by that alternative, which can be a
    // choice again.
    for _ in 0..8 {
        let Some(found) = alternatives::read(document, &reading.words) else {
            break;
        };
        let null = found.nullable && allows_null(&reading.words);
        reading.nullable |= null;
        reading.words.remove(found.keyword);
        match found.what {
            alternatives::What::Several(several) => {
                reading.kind = Kind::Variant(several);
                return reading;
            }
            alternatives::What::Values(values) => {
                reading.kind = choice(values);
                return reading;
            }
            alternatives::What::One(schema) => {
                // Null is allowed even if the type beside it excludes it.
                let mut rest = reading.words.clone();
                if null && let Some(Value::Array(kinds)) = rest.get_mut("type") {
                    kinds.retain(|kind| kind != "null");
                }
                let Some(shape) = document.shape(&json!({ "allOf": [rest, schema] })) else {
                    return reading;
                };
                reading.words = shape.words;
                reading.passed.extend(shape.passed);
            }
            alternatives::What::Nothing => {}
        }
    }
    let (kind, nullable) = of_words(&reading.words, name);
    reading.kind = kind;
    reading.nullable |= nullable;
    reading
}

fn allows_null(words: &Words<String, Value>) -> bool {
    types(words).is_none_or(|types| types.contains(&"null"))
}

/// The kind of a schema without alternatives, and whether null is allowed.
fn of_words(words: &Words<String, Value>, name: &str) -> (Kind, bool) {
    if let Some(value) = words.get("const") {
        return (Kind::Const(value.clone()), false);
    }
    if let Some(Value::Array(values)) = words.get("enum") {
        return of_values(words, values);
    }
    let mut kinds: Vec<&str> = match (types(words), implied(words)) {
        (Some(kinds), _) => kinds,
        (None, Some(kind)) => vec![kind],
        (None, None) => return (anything(), true),
    };
    let nullable = kinds.contains(&"null");
    kinds.retain(|kind| *kind != "null");
    if kinds.contains(&"number") {
        kinds.retain(|kind| *kind != "integer");
    }
    match kinds.as_slice() {
        [] if nullable => (Kind::Const(Value::Null), false),
        [] => (Kind::Raw, false),
        [kind] => (of_type(words, name, kind), nullable),
        several => (by_type(words, several), nullable),
    }
}

fn of_values(words: &Words<String, Value>, values: &[Value]) -> (Kind, bool) {
    let nullable = values.len() > 1 && values.contains(&Value::Null) && allows_null(words);
    let labels = ["enumNames", "x-enumNames", "x-enum-varnames"]
        .into_iter()
        .find_map(|keyword| words.get(keyword)?.as_array());
    let label = |at: usize| labels.and_then(|labels| labels.get(at)?.as_str());
    let choices = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !(nullable && value.is_null()))
        .map(|(at, value)| Choice {
            label: label(at).map_or_else(|| plain(value), str::to_owned),
            value: value.clone(),
            description: None,
        });
    (choice(choices.collect()), nullable)
}

/// The type implied by other keywords, for a schema without a type.
fn implied(words: &Words<String, Value>) -> Option<&'static str> {
    let says = |keywords: &[&str]| keywords.iter().any(|keyword| words.contains_key(*keyword));
    if says(&[
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
    ]) {
        Some("object")
    } else if says(&[
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
    ]) {
        Some("array")
    } else if says(&["format", "pattern", "minLength", "maxLength"]) {
        Some("string")
    } else if says(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]) {
        Some("number")
    } else {
        None
    }
}

fn of_type(words: &Words<String, Value>, name: &str, kind: &str) -> Kind {
    match kind {
        "string" => Kind::Text(Text::read(words, name)),
        "integer" | "number" => Kind::Number(Bounds::read(words, kind == "integer")),
        "boolean" => Kind::Boolean,
        "array" => Kind::List(List::read(words)),
        "object" => object(words),
        _ => Kind::Raw,
    }
}

/// A single value is a constant.
fn choice(mut values: Vec<Choice>) -> Kind {
    match values.len() {
        0 => Kind::Raw,
        1 => Kind::Const(values.remove(0).value),
        _ => Kind::Choice(values),
    }
}

/// The types of values besides null.
pub(super) const ANYTHING: [&str; 5] = ["string", "number", "boolean", "array", "object"];

/// If the schema is empty, the user chooses the type.
fn anything() -> Kind {
    by_type(&Words::new(), &ANYTHING)
}

fn by_type(words: &Words<String, Value>, kinds: &[&str]) -> Kind {
    let alternatives = kinds.iter().map(|kind| {
        let mut words = words.clone();
        words.insert("type".to_owned(), json!(kind));
        Alternative {
            label: alternatives::noun(kind).to_owned(),
            description: None,
            schema: Arc::new(Value::Object(words)),
            branch: Vec::new(),
        }
    });
    Kind::Variant(alternatives.collect())
}

impl Bounds {
    fn read(words: &Words<String, Value>, integer: bool) -> Bounds {
        let number = |keyword: &str| match words.get(keyword) {
            Some(Value::Number(number)) => Some(number.clone()),
            _ => None,
        };
        // In draft 4, `exclusiveMinimum: true` modifies `minimum`.
        let is_strict = |keyword: &str| words.get(keyword) == Some(&Value::Bool(true));
        let (mut min, mut above) = (number("minimum"), number("exclusiveMinimum"));
        if is_strict("exclusiveMinimum") {
            (min, above) = (None, min);
        }
        let (mut max, mut below) = (number("maximum"), number("exclusiveMaximum"));
        if is_strict("exclusiveMaximum") {
            (max, below) = (None, max);
        }
        Bounds {
            integer,
            min,
            max,
            above,
            below,
            step: number("multipleOf"),
        }
    }
}

impl List {
    fn read(words: &Words<String, Value>) -> List {
        let number = |keyword: &str| words.get(keyword).and_then(Value::as_u64);
        // Before 2020-12, `items` with a list had the meaning of `prefixItems`.
        let (first, rest) = match words.get("items") {
            Some(Value::Array(first)) => (Some(first), words.get("additionalItems")),
            rest => (words.get("prefixItems").and_then(Value::as_array), rest),
        };
        let first: Vec<Part> = first.into_iter().flatten().cloned().map(Arc::new).collect();
        let ends = rest == Some(&Value::Bool(false));
        List {
            min: number("minItems"),
            max: number("maxItems").or_else(|| ends.then_some(first.len() as u64)),
            unique: words.get("uniqueItems") == Some(&Value::Bool(true)),
            item: Arc::new(match rest {
                Some(rest) if !ends => rest.clone(),
                _ => Value::Bool(true),
            }),
            first,
        }
    }
}

fn object(words: &Words<String, Value>) -> Kind {
    let (additional, values) = additional(words);
    let mut required: Vec<&str> = Vec::new();
    if let Some(Value::Array(names)) = words.get("required") {
        for name in names.iter().filter_map(Value::as_str) {
            if !required.contains(&name) {
                required.push(name);
            }
        }
    }
    let nothing = Words::new();
    let properties = match words.get("properties") {
        Some(Value::Object(properties)) => properties,
        _ => &nothing,
    };
    if properties.is_empty() && additional != Additional::Refused {
        let number = |keyword: &str| words.get(keyword).and_then(Value::as_u64);
        return Kind::Map(Map {
            min: number("minProperties"),
            max: number("maxProperties"),
            required: required.into_iter().map(str::to_owned).collect(),
            values: Arc::new(values),
        });
    }
    // Required fields come first, in the order of `required`; the others are sorted by name,
    // because JSON objects are unordered.
    let property = |name: &str, required: bool| Property {
        name: name.to_owned(),
        required,
        schema: Arc::new(properties.get(name).unwrap_or(&values).clone()),
    };
    let mut ordered: Vec<Property> = required.iter().map(|name| property(name, true)).collect();
    let optional = properties
        .iter()
        .filter(|(name, _)| !required.contains(&name.as_str()))
        // A property that can never be valid gets no field.
        .filter(|(_, schema)| **schema != Value::Bool(false));
    ordered.extend(optional.map(|(name, _)| property(name, false)));
    Kind::Object(Object {
        additional,
        properties: ordered,
        values: Arc::new(values),
    })
}

/// Whether additional keys are allowed, and the schema of their values.
fn additional(words: &Words<String, Value>) -> (Additional, Value) {
    let anything = Value::Bool(true);
    let patterns = match words.get("patternProperties") {
        Some(Value::Object(patterns)) => patterns.values().collect(),
        _ => Vec::new(),
    };
    match (words.get("additionalProperties"), patterns.as_slice()) {
        // With one pattern its schema applies; with several, the schema depends on the key.
        (None | Some(Value::Bool(_)), [only]) => (Additional::Invited, (*only).clone()),
        (_, [_, ..]) => (Additional::Invited, anything),
        (None, []) => (Additional::Tolerated, anything),
        (Some(Value::Bool(false)), []) => (Additional::Refused, anything),
        (Some(values), []) => (Additional::Invited, values.clone()),
    }
}
