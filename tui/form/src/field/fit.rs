//! Finds the alternative that fits a value best.

use frontdesk_protocol::exact;
use serde_json::Value;

use crate::schema::{Document, types};

/// The depth to which a value is compared. Every level multiplies the work by the alternatives
/// above it.
const DEEPEST: usize = 4;

/// From this score on, the value has a different type from the schema.
pub(super) const WRONG_KIND: usize = 1_000_000;

/// How badly the value fits the schema, estimated: 0 if it fits.
pub(super) fn misfit(document: &Document, schema: &Value, value: &Value, depth: usize) -> usize {
    if depth > DEEPEST {
        return 0;
    }
    let Some(shape) = document.shape(schema) else {
        // A schema that cannot be resolved is tried last.
        return WRONG_KIND - 1;
    };
    let words = &shape.words;
    // An invalid field counts less than a missing one.
    let below = |schema: &Value, value: &Value| misfit(document, schema, value, depth + 1).min(400);
    if let Some(kinds) = types(words)
        && !kinds.iter().any(|kind| is_of_type(value, kind))
    {
        return WRONG_KIND;
    }
    let mut worse = 0;
    if words.get("const").is_some_and(|only| only != value) {
        worse += 10_000;
    }
    if let Some(Value::Array(values)) = words.get("enum")
        && !values.contains(value)
    {
        worse += 10_000;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(schemas)) = words.get(keyword) {
            worse += schemas
                .iter()
                .map(|one| below(one, value))
                .min()
                .unwrap_or(0);
        }
    }
    let number = |keyword: &str| words.get(keyword).and_then(Value::as_f64);
    let outside = |size: f64, least: &str, most: &str| {
        let is_out = number(least).is_some_and(|least| size < least)
            || number(most).is_some_and(|most| size > most);
        usize::from(is_out) * 100
    };
    worse += match value {
        value if exact::as_f64(value).is_some() => {
            let value = exact::as_f64(value).unwrap_or_default();
            let is_at = |keyword: &str| number(keyword) == Some(value);
            outside(value, "minimum", "maximum")
                + outside(value, "exclusiveMinimum", "exclusiveMaximum")
                + usize::from(is_at("exclusiveMinimum") || is_at("exclusiveMaximum")) * 100
        }
        Value::String(text) => {
            let is_unlike = matches!(words.get("format"), Some(Value::String(format)) if !is_like(text, format));
            outside(text.chars().count() as f64, "minLength", "maxLength")
                + usize::from(is_unlike) * 50
                // A free text fits less well than an alternative that names the value.
                + usize::from(!words.contains_key("const") && !words.contains_key("enum"))
        }
        Value::Array(values) => {
            let items = words.get("items").unwrap_or(&Value::Bool(true));
            let items = values.iter().take(20).map(|value| below(items, value));
            outside(values.len() as f64, "minItems", "maxItems") + items.sum::<usize>()
        }
        Value::Object(object) => misfit_of_object(words, object, &below),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    worse.min(WRONG_KIND - 2)
}

fn misfit_of_object(
    words: &serde_json::Map<String, Value>,
    object: &serde_json::Map<String, Value>,
    below: &impl Fn(&Value, &Value) -> usize,
) -> usize {
    let mut worse = 0;
    if let Some(Value::Array(required)) = words.get("required") {
        let missing = required.iter().filter_map(Value::as_str);
        worse += 500 * missing.filter(|key| !object.contains_key(*key)).count();
    }
    let properties = words.get("properties").and_then(Value::as_object);
    for (key, value) in object {
        let declared = properties.and_then(|properties| properties.get(key));
        worse += match (declared, words.get("additionalProperties")) {
            (Some(schema), _) => {
                let is_named = schema.get("const").is_some_and(|only| only != value);
                below(schema, value) + usize::from(is_named) * 10_000
            }
            (None, Some(Value::Bool(false))) => 200,
            (None, Some(Value::Bool(true)) | None) => 1,
            (None, Some(schema)) => below(schema, value),
        };
    }
    worse
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::String(_) if exact::digits(value).is_some() => {
            let is_whole = || exact::as_f64(value).is_some_and(|number| number.fract() == 0.0);
            kind == "number" || (kind == "integer" && is_whole())
        }
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
        Value::Number(number) => {
            let is_whole = || number.as_f64().is_some_and(|number| number.fract() == 0.0);
            kind == "number" || (kind == "integer" && is_whole())
        }
    }
}

/// Whether a text looks like a format. Precise enough to choose between alternatives.
fn is_like(text: &str, format: &str) -> bool {
    let digits_and = |other: &str| {
        let mut chars = text.chars();
        chars.all(|c| c.is_ascii_digit() || other.contains(c))
    };
    match format {
        "date" => text.len() == 10 && digits_and("-"),
        "date-time" => {
            text.len() >= 20
                && text
                    .as_bytes()
                    .get(10)
                    .is_some_and(|byte| b"Tt ".contains(byte))
        }
        "time" => text.contains(':') && digits_and(":.Zz+-"),
        "uuid" => text.len() == 36 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-'),
        "uri" | "url" => text.contains(':') && !text.contains(' '),
        "email" => text.contains('@') && !text.contains(' '),
        _ => true,
    }
}
