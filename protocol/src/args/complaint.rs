//! All wrong arguments of a call, and arguments that would be right.

use serde_json::{Map, Value, json};

use super::parse;
use crate::error::ToolError;
use crate::schema;
use crate::tool::Tool;

/// The most bytes of the example in a refusal.
const EXAMPLE_BYTES: usize = 2000;
/// Values that fit the types of texts, each in one of its forms.
const TEXTS: [&str; 7] = [
    "Example",
    "example",
    "https://example.org/page",
    "09:30",
    "+5511987654321",
    "#336699",
    "name@example.org",
];

/// Completes the refusal of the first wrong argument. `details` has all of them as `wrong`, if there are several, and
/// as `example` the caller's arguments with others in their place.
pub(super) fn complete<T: Tool>(json: &str, first: ToolError) -> ToolError {
    let Ok(Value::Object(sent)) = serde_json::from_str(json) else {
        return first;
    };
    let schema = schema::of_arguments::<T>();
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let missing = required.filter(|name| !sent.contains_key(*name));
    let mut wrong: Vec<ToolError> = sent
        .iter()
        .filter_map(|(name, value)| refusal::<T>(name, value))
        .chain(missing.map(|name| ToolError::invalid(name, "is required")))
        .collect();
    // The first stays the first.
    wrong.sort_by_key(|one| one.field != first.field);

    let mut details = Map::new();
    let example = example::<T>(&schema, &sent);
    if let Some(example) = example.filter(|_| !wrong.is_empty()) {
        details.insert("example".to_owned(), example.into());
    }
    if wrong.len() > 1 {
        let wrong = wrong.iter().map(|one| match &one.hint {
            Some(hint) => json!({ "field": one.field, "message": one.message, "hint": hint }),
            None => json!({ "field": one.field, "message": one.message }),
        });
        details.insert("wrong".to_owned(), wrong.collect());
    }
    match details.is_empty() {
        true => first,
        false => first.with(&details),
    }
}

/// The refusal of this argument alone.
fn refusal<T: Tool>(name: &str, value: &Value) -> Option<ToolError> {
    let error = parse::<T>(&json!({ name: value }).to_string()).err()?;
    let field = error.field.as_deref().unwrap_or(name);
    // Otherwise another argument is missing.
    let is_own = field.split(['.', '[']).next() == name.split(['.', '[']).next();
    is_own.then_some(error)
}

/// The arguments as sent, with right values in the place of wrong and missing ones.
fn example<T: Tool>(schema: &Value, sent: &Map<String, Value>) -> Option<Map<String, Value>> {
    let properties = schema.get("properties")?.as_object()?;
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|all| all.iter().any(|required| required == name));
    let fits = |name: &str, value: &Value| refusal::<T>(name, value).is_none();
    let mut example = Map::new();
    for (name, property) in properties {
        let given = sent.get(name);
        let is_right = given.filter(|value| fits(name, value));
        if given.is_some() || is_required(name) {
            let right = || {
                samples(property)
                    .into_iter()
                    .find(|value| fits(name, value))
            };
            if let Some(value) = is_right.cloned().or_else(right) {
                example.insert(name.clone(), value);
            }
        }
    }
    let text = Value::Object(example.clone()).to_string();
    (text.len() <= EXAMPLE_BYTES && parse::<T>(&text).is_ok()).then_some(example)
}

/// Values that may fit the schema.
fn samples(schema: &Value) -> Vec<Value> {
    if let Some(default) = schema.get("default") {
        return vec![default.clone()];
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return words.clone();
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first(),
        kind => kind,
    };
    let text = |text: &str| vec![json!(text)];
    match kind.and_then(Value::as_str).unwrap_or_default() {
        "string" => match schema.get("format").and_then(Value::as_str) {
            Some("uuid") => text("0190a1b2-0000-7000-8000-000000000001"),
            Some("date") => text("2026-03-12"),
            Some("date-time") => text("2026-03-12T18:30:00-03:00"),
            _ => TEXTS.iter().map(|text| json!(text)).collect(),
        },
        "integer" | "number" => {
            let bounds = ["minimum", "maximum"];
            let bounds = bounds
                .iter()
                .filter_map(|bound| schema.get(*bound).cloned());
            std::iter::once(json!(1)).chain(bounds).collect()
        }
        "boolean" => vec![json!(true)],
        "array" => {
            let items = schema.get("items").map(samples).unwrap_or_default();
            let lists = items.into_iter().map(|item| json!([item]));
            lists.chain([json!([])]).collect()
        }
        "object" => vec![object(schema)],
        _ => Vec::new(),
    }
}

/// An object with its required properties.
fn object(schema: &Value) -> Value {
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let properties = required.filter_map(|name| {
        let property = schema.get("properties")?.get(name)?;
        Some((name.to_owned(), samples(property).into_iter().next()?))
    });
    Value::Object(properties.collect())
}
