//! Rewrites `nullable: true`, used by older servers, as JSON Schema.

use serde_json::{Map, Value, json};

/// The maximum depth; hand-written schemas are less deep.
const DEEPEST: usize = 100;

/// Replaces `nullable` in the schema and all its subschemas.
pub(super) fn spell_out(schema: &mut Value) {
    at_depth(schema, 0);
}

fn at_depth(schema: &mut Value, depth: usize) {
    let Value::Object(words) = schema else { return };
    if depth > DEEPEST {
        return;
    }
    for (keyword, said) in words.iter_mut() {
        match (keyword.as_str(), said) {
            (
                "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas",
                Value::Object(schemas),
            ) => schemas
                .values_mut()
                .for_each(|schema| at_depth(schema, depth + 1)),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(schemas)) => {
                schemas
                    .iter_mut()
                    .for_each(|schema| at_depth(schema, depth + 1));
            }
            (
                "items"
                | "additionalProperties"
                | "additionalItems"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames",
                schema,
            ) => at_depth(schema, depth + 1),
            _ => {}
        }
    }
    if words.get("nullable").is_some_and(Value::is_boolean)
        && words.remove("nullable") == Some(Value::Bool(true))
    {
        allow_null(words);
    }
}

fn allow_null(words: &mut Map<String, Value>) {
    let nothing = json!("null");
    if let Some(Value::Array(values)) = words.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match words.get_mut("type") {
        Some(Value::Array(kinds)) => {
            if !kinds.contains(&nothing) {
                kinds.push(nothing);
            }
        }
        Some(kind) => *kind = json!([kind.take(), nothing]),
        // Without a type, the schema is a reference or a choice: add null as an alternative.
        None => {
            let annotations = ["title", "description", "default", "examples"]
                .into_iter()
                .filter_map(|keyword| words.remove_entry(keyword))
                .collect::<Vec<_>>();
            let inner = std::mem::take(words);
            if !inner.is_empty() {
                words.insert("anyOf".to_owned(), json!([inner, { "type": "null" }]));
            }
            words.extend(annotations);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nullable_becomes_a_type() {
        let mut schema = json!({
            "properties": {
                "nullable": { "type": "string", "nullable": true },
                "kept": { "type": "string", "nullable": false },
                "choice": { "type": "string", "enum": ["a"], "nullable": true },
                "other": { "$ref": "#/$defs/x", "nullable": true, "title": "Other" },
                "list": { "type": "array", "items": { "type": ["integer"], "nullable": true } },
            },
        });
        spell_out(&mut schema);
        assert_eq!(
            schema,
            json!({
                "properties": {
                    "nullable": { "type": ["string", "null"] },
                    "kept": { "type": "string" },
                    "choice": { "type": ["string", "null"], "enum": ["a", null] },
                    "other": {
                        "anyOf": [{ "$ref": "#/$defs/x" }, { "type": "null" }], "title": "Other",
                    },
                    "list": { "type": "array", "items": { "type": ["integer", "null"] } },
                },
            })
        );
    }
}
