//! Merges two schemas that both apply, as precisely as a form needs it.

use serde_json::{Map, Value, json};

/// The allowed types; `None` if all are allowed.
pub(crate) fn types(words: &Map<String, Value>) -> Option<Vec<&str>> {
    match words.get("type")? {
        Value::String(one) => Some(vec![one]),
        Value::Array(several) => Some(several.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Merges `from` into `words`; `None` if they contradict each other. For annotations and keywords
/// that cannot be merged, the first one wins.
pub(super) fn into(words: &mut Map<String, Value>, from: &Map<String, Value>) -> Option<()> {
    for (keyword, said) in from {
        if matches!(
            keyword.as_str(),
            "$ref" | "$dynamicRef" | "$recursiveRef" | "allOf" | "$defs" | "definitions" | "$id"
        ) {
            continue;
        }
        let Some(before) = words.get_mut(keyword) else {
            words.insert(keyword.clone(), said.clone());
            continue;
        };
        match keyword.as_str() {
            "type" => {
                let both = common_types(before, said);
                if both.is_empty() {
                    return None;
                }
                *before = both.into();
            }
            "const" if before != said => return None,
            "enum" => {
                let both = common(before, said)?;
                *before = both.into();
            }
            "required" => union(before, said),
            "properties" | "patternProperties" => merge_each(before, said),
            "items" | "additionalProperties" => *before = intersect(before.take(), said.clone()),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
                if said.as_f64() > before.as_f64() =>
            {
                *before = said.clone();
            }
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties"
                if said.as_f64() < before.as_f64() =>
            {
                *before = said.clone();
            }
            _ => {}
        }
    }
    Some(())
}

/// A schema that requires both.
fn intersect(one: Value, other: Value) -> Value {
    match (&one, &other) {
        (Value::Bool(false), _) | (_, Value::Bool(true)) => one,
        (_, Value::Bool(false)) | (Value::Bool(true), _) => other,
        _ if one == other => one,
        _ => json!({ "allOf": [one, other] }),
    }
}

fn common_types(one: &Value, other: &Value) -> Vec<Value> {
    let list = |value: &Value| match value {
        Value::Array(several) => several.clone(),
        one => vec![one.clone()],
    };
    let (one, other) = (list(one), list(other));
    let mut both: Vec<Value> = Vec::new();
    for kind in &one {
        // `integer` is a subset of `number`.
        let kind = match kind.as_str() {
            Some("number") if !other.contains(kind) => &json!("integer"),
            _ => kind,
        };
        let is_in = other.contains(kind) || (kind == "integer" && other.contains(&json!("number")));
        if is_in && !both.contains(kind) {
            both.push(kind.clone());
        }
    }
    both
}

fn common(one: &Value, other: &Value) -> Option<Vec<Value>> {
    let (Value::Array(one), Value::Array(other)) = (one, other) else {
        return None;
    };
    let both: Vec<_> = one
        .iter()
        .filter(|value| other.contains(value))
        .cloned()
        .collect();
    (!both.is_empty()).then_some(both)
}

fn union(all: &mut Value, more: &Value) {
    if let (Value::Array(all), Value::Array(more)) = (all, more) {
        for one in more {
            if !all.contains(one) {
                all.push(one.clone());
            }
        }
    }
}

fn merge_each(before: &mut Value, said: &Value) {
    if let (Value::Object(before), Value::Object(said)) = (before, said) {
        for (name, schema) in said {
            let both = match before.remove(name) {
                Some(there) => intersect(there, schema.clone()),
                None => schema.clone(),
            };
            before.insert(name.clone(), both);
        }
    }
}

/// Combines `rest` and `schema`, without keywords about the enclosing field.
pub(crate) fn with_rest(rest: &Map<String, Value>, schema: &Value) -> Value {
    let mut rest = rest.clone();
    rest.retain(|keyword, _| {
        !matches!(
            keyword.as_str(),
            "title" | "description" | "default" | "examples" | "$schema" | "$comment"
        )
    });
    match rest.is_empty() {
        true => schema.clone(),
        false => intersect(schema.clone(), Value::Object(rest)),
    }
}
