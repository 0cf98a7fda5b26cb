//! Finds circular and broken references, which make validation impossible.

use std::collections::HashSet;

use serde_json::Value;

use super::Document;

/// Keywords whose schemas apply to the same value.
const SAME_PLACE: [&str; 10] = [
    "$ref",
    "$dynamicRef",
    "$recursiveRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
];

const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

impl Document {
    /// Whether a reference returns to itself without a step into the value.
    pub(crate) fn is_endless(&self) -> bool {
        let mut ended = HashSet::new();
        self.any_endless(&self.root, &mut ended)
    }

    fn any_endless<'a>(&'a self, schema: &'a Value, ended: &mut HashSet<&'a str>) -> bool {
        self.comes_back(schema, &mut Vec::new(), ended)
            || match schema {
                Value::Object(words) => words.values().any(|one| self.any_endless(one, ended)),
                Value::Array(values) => values.iter().any(|one| self.any_endless(one, ended)),
                _ => false,
            }
    }

    fn comes_back<'a>(
        &'a self,
        schema: &'a Value,
        within: &mut Vec<&'a str>,
        ended: &mut HashSet<&'a str>,
    ) -> bool {
        let Value::Object(words) = schema else {
            return false;
        };
        SAME_PLACE
            .into_iter()
            .any(|keyword| match words.get(keyword) {
                Some(Value::String(reference)) if REFERENCES.contains(&keyword) => {
                    if within.contains(&reference.as_str()) {
                        return true;
                    }
                    if ended.contains(reference.as_str()) {
                        return false;
                    }
                    within.push(reference);
                    let target = self.lookup(reference);
                    let is_endless = target.is_some_and(|one| self.comes_back(one, within, ended));
                    within.pop();
                    ended.insert(reference);
                    is_endless
                }
                Some(Value::Array(schemas)) => schemas
                    .iter()
                    .any(|schema| self.comes_back(schema, within, ended)),
                Some(schema @ Value::Object(_)) => self.comes_back(schema, within, ended),
                _ => false,
            })
    }

    /// Removes declared ids and drafts. Returns whether there were any.
    pub(crate) fn drop_names(schema: &mut Value) -> bool {
        match schema {
            Value::Object(words) => {
                let mut dropped = false;
                for keyword in ["$id", "id", "$schema"] {
                    if matches!(words.get(keyword), Some(Value::String(_))) {
                        words.remove(keyword);
                        dropped = true;
                    }
                }
                for within in words.values_mut() {
                    dropped |= Document::drop_names(within);
                }
                dropped
            }
            Value::Array(values) => {
                let mut dropped = false;
                for within in values {
                    dropped |= Document::drop_names(within);
                }
                dropped
            }
            _ => false,
        }
    }

    /// Removes broken references. Returns whether there were any.
    pub(crate) fn drop_unknown_references(&self, schema: &mut Value) -> bool {
        match schema {
            Value::Object(words) => {
                let mut dropped = false;
                for keyword in REFERENCES {
                    let is_unknown = match words.get(keyword) {
                        Some(Value::String(reference)) => self.lookup(reference).is_none(),
                        _ => false,
                    };
                    if is_unknown {
                        words.remove(keyword);
                        dropped = true;
                    }
                }
                for within in words.values_mut() {
                    dropped |= self.drop_unknown_references(within);
                }
                dropped
            }
            Value::Array(values) => {
                let mut dropped = false;
                for within in values {
                    dropped |= self.drop_unknown_references(within);
                }
                dropped
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_that_comes_back_to_itself_is_endless() {
        for (schema, expected) in [
            (json!({ "$ref": "#" }), true),
            (
                json!({ "properties": { "a": { "$ref": "#/properties/a" } } }),
                true,
            ),
            (
                json!({
                    "properties": { "a": { "anyOf": [{ "$ref": "#/$defs/x" }] } },
                    "$defs": { "x": { "not": { "$ref": "#/$defs/y" } }, "y": { "$ref": "#/$defs/x" } },
                }),
                true,
            ),
            (json!({ "properties": { "a": { "$ref": "#" } } }), false),
            (
                json!({
                    "allOf": [{ "$ref": "#/$defs/x" }, { "$ref": "#/$defs/x" }],
                    "$defs": { "x": { "items": { "$ref": "#/$defs/x" } } },
                }),
                false,
            ),
            (json!({ "$ref": "#/gone" }), false),
        ] {
            assert_eq!(Document::new(&schema).is_endless(), expected, "{schema}");
        }
    }
}
