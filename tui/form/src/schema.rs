//! The schema document: resolves references and merges all parts that apply to one field. It
//! determines what a form shows; the validator decides what is valid.

mod endless;
mod merge;
mod null;

use std::collections::HashMap;

use serde_json::{Map, Value};

pub(crate) use merge::{types, with_rest};

/// A schema document with its reference targets.
#[derive(Debug)]
pub(crate) struct Document {
    root: Value,
    /// Maps `$id` and `$anchor` to JSON pointers.
    names: HashMap<String, String>,
}

/// The keywords for one field, with references resolved and `allOf` merged.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) words: Map<String, Value>,
    /// The references followed. A field below that follows one of them again is recursive.
    pub(crate) passed: Vec<String>,
}

/// The maximum number of parts merged for one field, which bounds recursion and fan-out.
const MOST_PARTS: usize = 500;

impl Document {
    pub(crate) fn new(schema: &Value) -> Document {
        let mut root = schema.clone();
        null::spell_out(&mut root);
        let mut names = HashMap::new();
        collect_names(&root, &mut String::new(), &mut names);
        Document { root, names }
    }

    /// The whole schema; null is always written as a type.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    /// The target of a reference in this document.
    pub(crate) fn lookup(&self, reference: &str) -> Option<&Value> {
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let base = match base {
            "" => "",
            base => self.names.get(base)?.as_str(),
        };
        let fragment = percent_decoded(fragment);
        if fragment.is_empty() {
            return self.root.pointer(base);
        }
        if fragment.starts_with('/') {
            return self.root.pointer(&format!("{base}{fragment}"));
        }
        let pointer = self.names.get(&format!("#{fragment}"))?;
        self.root.pointer(pointer)
    }

    /// All keywords that apply to `schema`. `None` if no value can be valid or the keywords cannot
    /// be determined: it is not a schema, or a reference is broken or circular.
    pub(crate) fn shape(&self, schema: &Value) -> Option<Shape> {
        let mut gathering = Gathering {
            document: self,
            words: Map::new(),
            within: Vec::new(),
            passed: Vec::new(),
            parts: 0,
        };
        gathering.add(schema)?;
        Some(Shape {
            words: gathering.words,
            passed: gathering.passed,
        })
    }
}

struct Gathering<'a> {
    document: &'a Document,
    words: Map<String, Value>,
    within: Vec<String>,
    passed: Vec<String>,
    parts: usize,
}

impl Gathering<'_> {
    fn add(&mut self, schema: &Value) -> Option<()> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return None;
        }
        let words = match schema {
            Value::Bool(true) => return Some(()),
            Value::Object(words) => words,
            _ => return None,
        };
        merge::into(&mut self.words, words)?;
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = words.get(keyword) else {
                continue;
            };
            let reference = reference.as_str()?;
            if self.within.iter().any(|one| one == reference) {
                return None;
            }
            let target = self.document.lookup(reference)?;
            self.within.push(reference.to_owned());
            self.passed.push(reference.to_owned());
            self.add(target)?;
            self.within.pop();
        }
        if let Some(Value::Array(parts)) = words.get("allOf") {
            for part in parts {
                self.add(part)?;
            }
        }
        Some(())
    }
}

/// Collects reference targets. A reference to the whole document is the empty pointer.
fn collect_names(schema: &Value, pointer: &mut String, names: &mut HashMap<String, String>) {
    let below = |pointer: &mut String, step: &str, value: &Value, names: &mut HashMap<_, _>| {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        collect_names(value, pointer, names);
        pointer.truncate(length);
    };
    match schema {
        Value::Object(words) => {
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let Some(Value::String(name)) = words.get(keyword) {
                    names.insert(format!("#{name}"), pointer.clone());
                }
            }
            for keyword in ["$id", "id"] {
                if let Some(Value::String(name)) = words.get(keyword) {
                    let name = name.strip_suffix('#').unwrap_or(name);
                    names.insert(name.to_owned(), pointer.clone());
                }
            }
            for (key, value) in words {
                below(pointer, key, value, names);
            }
        }
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                below(pointer, &at.to_string(), value, names);
            }
        }
        _ => {}
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let escaped = (byte == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        decoded.push(escaped.unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_lead_to_pointers_anchors_and_ids() {
        let document = Document::new(&json!({
            "$id": "https://example.org/whole",
            "$defs": {
                "a b": { "const": 1 },
                "named": { "$anchor": "here", "const": 2 },
                "old": { "$id": "#there", "const": 3 },
                "own": { "$id": "https://example.org/part", "$defs": { "x": { "const": 4 } } },
                "Page[Item]": { "const": 5 },
            },
        }));
        for (reference, expected) in [
            ("#/$defs/a%20b", 1),
            ("#here", 2),
            ("#there", 3),
            ("https://example.org/part#/$defs/x", 4),
            ("https://example.org/whole#/$defs/named", 2),
            ("#/$defs/Page%5BItem%5D", 5),
            ("#/$defs/Page[Item]", 5),
        ] {
            let found = document.lookup(reference).map(|found| &found["const"]);
            assert_eq!(found, Some(&json!(expected)), "{reference}");
        }
        assert_eq!(document.lookup("#"), Some(document.root()));
        for nowhere in [
            "#/$defs/gone",
            "#gone",
            "https://example.org/gone",
            "%",
            "#%zz",
        ] {
            assert_eq!(document.lookup(nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn what_applies_to_one_place_is_merged() {
        let document = Document::new(&json!({
            "$defs": {
                "low": { "type": "number", "minimum": 1 },
                "high": { "type": ["integer", "null"], "maximum": 9, "title": "High" },
            },
        }));
        let shape = document.shape(&json!({
            "minimum": 0, "title": "Own",
            "allOf": [{ "$ref": "#/$defs/low" }, { "$ref": "#/$defs/high" }],
        }));
        let words = Value::Object(shape.expect("a shape").words);
        assert_eq!(
            words,
            json!({ "type": ["integer"], "minimum": 1, "maximum": 9, "title": "Own" })
        );
    }

    #[test]
    fn what_cannot_be_told_has_no_shape() {
        let document = Document::new(&json!({
            "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "allOf": [{ "$ref": "#/$defs/a" }] } },
        }));
        for schema in [
            json!({ "$ref": "#/$defs/a" }),
            json!({ "$ref": "#/$defs/gone" }),
            json!({ "$ref": 5 }),
            json!(false),
            json!("string"),
            json!({ "allOf": [{ "type": "string" }, { "type": "number" }] }),
            json!({ "allOf": [{ "const": 1 }, { "const": 2 }] }),
        ] {
            assert!(document.shape(&schema).is_none(), "{schema}");
        }
    }
}
