//! The information in a schema that matters for redaction.

use serde_json::Value;

/// The maximum depth of references and alternatives.
const DEPTH: usize = 12;
/// The maximum number of alternatives.
const MOST: usize = 64;

/// The parts of a schema that can apply to a value.
#[derive(Debug, Clone)]
pub(super) struct Parts<'a> {
    root: &'a Value,
    parts: Vec<&'a Value>,
}

impl<'a> Parts<'a> {
    /// The whole schema.
    pub(super) fn of(root: &'a Value) -> Self {
        Parts::among(root, vec![root])
    }

    fn among(root: &'a Value, first: Vec<&'a Value>) -> Self {
        let mut parts = Vec::new();
        for part in first {
            expand(root, part, DEPTH, &mut parts);
        }
        Parts { root, parts }
    }

    /// The parts for the value of this key.
    pub(super) fn key(&self, key: &str) -> Parts<'a> {
        let mut found = Vec::new();
        for part in &self.parts {
            match part.get("properties").and_then(|all| all.get(key)) {
                Some(property) => found.push(property),
                None => found.extend(part.get("additionalProperties")),
            }
        }
        Parts::among(self.root, found)
    }

    /// The parts for a list entry.
    pub(super) fn item(&self) -> Parts<'a> {
        let mut found = Vec::new();
        for part in &self.parts {
            for word in ["items", "prefixItems"] {
                match part.get(word) {
                    Some(Value::Array(items)) => found.extend(items),
                    items => found.extend(items),
                }
            }
        }
        Parts::among(self.root, found)
    }

    /// Whether the schema does not describe the value.
    pub(super) fn is_unknown(&self) -> bool {
        let says = |part: &&Value| part.as_object().is_some_and(|part| !part.is_empty());
        !self.parts.iter().any(says)
    }

    /// Whether the schema declares this key.
    pub(super) fn declares(&self, key: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| {
            part.get("properties")
                .is_some_and(|all| all.get(key).is_some())
        })
    }

    /// Whether the text is secret.
    pub(super) fn is_secret(&self) -> bool {
        self.parts.iter().any(|part| {
            part.get("format").and_then(Value::as_str) == Some("password")
                || part.get("writeOnly") == Some(&Value::Bool(true))
        })
    }

    /// Whether the text has a format that excludes words.
    pub(super) fn is_formal(&self) -> bool {
        let formats = ["date", "date-time", "time", "duration", "uuid"];
        let mut parts = self.parts.iter();
        parts.any(|part| {
            let format = part.get("format").and_then(Value::as_str);
            format.is_some_and(|format| formats.contains(&format))
        })
    }

    /// Whether the schema lists the value.
    pub(super) fn offers(&self, value: &Value) -> bool {
        self.parts.iter().any(|part| {
            part.get("const") == Some(value)
                || part
                    .get("enum")
                    .and_then(Value::as_array)
                    .is_some_and(|values| values.contains(value))
        })
    }
}

fn expand<'a>(root: &'a Value, part: &'a Value, depth: usize, out: &mut Vec<&'a Value>) {
    if depth == 0 || out.len() >= MOST {
        return;
    }
    out.push(part);
    let reference = part.get("$ref").and_then(Value::as_str);
    let referred = reference
        .and_then(|reference| reference.strip_prefix('#'))
        .and_then(|pointer| root.pointer(pointer));
    if let Some(referred) = referred {
        expand(root, referred, depth - 1, out);
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        for one in part
            .get(word)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            expand(root, one, depth - 1, out);
        }
    }
}
