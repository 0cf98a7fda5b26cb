//! What a schema says of a value, as far as it matters for what is kept.

use serde_json::Value;

/// References and alternatives are followed so far.
const DEPTH: usize = 12;
/// More alternatives than this are not looked at.
const MOST: usize = 64;

/// The parts of a schema that may hold for one value.
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

    /// What may hold for the value under this key.
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

    /// What may hold for an entry of the list.
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

    /// Whether it says nothing of the value.
    pub(super) fn is_unknown(&self) -> bool {
        let says = |part: &&Value| part.as_object().is_some_and(|part| !part.is_empty());
        !self.parts.iter().any(says)
    }

    /// Whether it declares this key.
    pub(super) fn declares(&self, key: &str) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| {
            part.get("properties")
                .is_some_and(|all| all.get(key).is_some())
        })
    }

    /// Whether the text is never to be shown.
    pub(super) fn is_secret(&self) -> bool {
        self.parts.iter().any(|part| {
            part.get("format").and_then(Value::as_str) == Some("password")
                || part.get("writeOnly") == Some(&Value::Bool(true))
        })
    }

    /// Whether it is written in a way that leaves no room for words.
    pub(super) fn is_formal(&self) -> bool {
        let formats = ["date", "date-time", "time", "duration", "uuid"];
        let mut parts = self.parts.iter();
        parts.any(|part| {
            let format = part.get("format").and_then(Value::as_str);
            format.is_some_and(|format| formats.contains(&format))
        })
    }

    /// Whether the schema itself names the value.
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
