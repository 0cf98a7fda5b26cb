//! `anyOf` and `oneOf`: a choice of values, a choice of alternatives, or only conditions.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map as Words, Value};

use super::{Alternative, Choice, plain};
use crate::schema::{Document, types, with_rest};

/// The meaning of the alternatives.
pub(super) struct Found {
    pub(super) keyword: &'static str,
    /// Whether one of them is null.
    pub(super) nullable: bool,
    pub(super) what: What,
}

pub(super) enum What {
    /// Alternatives of different kinds.
    Several(Vec<Alternative>),
    /// Each is a value or a list of values.
    Values(Vec<Choice>),
    /// A single alternative besides null.
    One(Value),
    /// They only restrict the valid values and do not affect the kind.
    Nothing,
}

/// Nested choices are flattened into one list, down to this depth.
const DEEPEST: usize = 6;

/// The maximum number of alternatives to offer.
const MOST: usize = 2000;

/// Reads `anyOf` or `oneOf`.
pub(super) fn read(document: &Document, words: &Words<String, Value>) -> Option<Found> {
    let (keyword, schemas) = ["anyOf", "oneOf"].into_iter().find_map(|keyword| {
        let schemas = words.get(keyword)?.as_array()?;
        Some((keyword, schemas))
    })?;
    let mut rest = words.clone();
    rest.remove(keyword);
    let mut gathering = Gathering {
        document,
        nullable: false,
        leaves: Vec::new(),
        seen: HashSet::new(),
    };
    gathering.add(schemas, &[]);
    let (nullable, mut leaves) = (gathering.nullable, gathering.leaves);

    let is_told = types(&rest).is_some() || rest.contains_key("properties");
    let values: Option<Vec<_>> = leaves.iter().map(Leaf::values).collect();
    let what = match (leaves.as_slice(), values) {
        ([], _) if !nullable => What::Nothing,
        ([], _) => What::One(serde_json::json!({ "const": null })),
        (leaves, _) if is_told && leaves.iter().all(Leaf::is_condition) => What::Nothing,
        (_, Some(values)) => What::Values(distinct(values)),
        ([_], None) => What::One(leaves.remove(0).schema),
        _ => What::Several(named(leaves, &rest)),
    };
    Some(Found {
        keyword,
        nullable: nullable && !matches!(what, What::Nothing),
        what,
    })
}

fn distinct(values: Vec<Vec<Choice>>) -> Vec<Choice> {
    let mut all: Vec<Choice> = Vec::new();
    for choice in values.into_iter().flatten() {
        if all.iter().all(|one| one.value != choice.value) {
            all.push(choice);
        }
    }
    all
}

struct Leaf {
    schema: Value,
    branch: Vec<usize>,
    /// The resolved keywords; `None` if they cannot be resolved.
    words: Option<Words<String, Value>>,
    /// The name of the referenced schema.
    reference: Option<String>,
}

struct Gathering<'a> {
    document: &'a Document,
    nullable: bool,
    leaves: Vec<Leaf>,
    /// The schemas so far, as JSON text.
    seen: HashSet<String>,
}

impl Gathering<'_> {
    fn add(&mut self, schemas: &[Value], above: &[usize]) {
        for (at, schema) in schemas.iter().enumerate() {
            if self.leaves.len() >= MOST {
                return;
            }
            // What is offered once is no second choice; schemas that refer to each other repeat themselves without end.
            if *schema == Value::Bool(false) || !self.seen.insert(schema.to_string()) {
                continue;
            }
            let mut branch = above.to_vec();
            branch.push(at);
            let shape = self.document.shape(schema);
            let reference = shape.as_ref().and_then(|shape| shape.passed.first());
            let reference = reference
                .and_then(|reference| reference.rsplit(['/', '#']).next())
                .map(str::to_owned);
            let words = shape.map(|shape| shape.words);
            if let Some(words) = &words {
                if is_null(words) {
                    self.nullable = true;
                    continue;
                }
                if let Some(within) = only_alternatives(words)
                    && above.len() < DEEPEST
                {
                    self.add(within, &branch);
                    continue;
                }
            }
            self.leaves.push(Leaf {
                schema: schema.clone(),
                branch,
                words,
                reference,
            });
        }
    }
}

fn is_null(words: &Words<String, Value>) -> bool {
    words.get("const") == Some(&Value::Null)
        || types(words).is_some_and(|types| types == ["null"])
        || words.get("enum") == Some(&Value::Array(vec![Value::Null]))
}

/// The inner choice, if the schema consists of nothing else.
fn only_alternatives(words: &Words<String, Value>) -> Option<&Vec<Value>> {
    let mut within = None;
    for (keyword, said) in words {
        match (keyword.as_str(), said) {
            ("anyOf" | "oneOf", Value::Array(schemas)) if within.is_none() => {
                within = Some(schemas);
            }
            ("title" | "description" | "default" | "examples" | "discriminator", _) => {}
            _ => return None,
        }
    }
    within
}

impl Leaf {
    /// Whether it only restricts validity, e.g. `{"required": ["a"]}`.
    fn is_condition(&self) -> bool {
        self.words.as_ref().is_some_and(|words| {
            words.keys().all(|keyword| {
                matches!(
                    keyword.as_str(),
                    "required"
                        | "not"
                        | "if"
                        | "then"
                        | "else"
                        | "dependentRequired"
                        | "dependentSchemas"
                        | "minProperties"
                        | "maxProperties"
                        | "title"
                        | "description"
                )
            })
        })
    }

    /// The values, if every alternative is a value.
    fn values(&self) -> Option<Vec<Choice>> {
        let words = self.words.as_ref()?;
        let is_plain = words.keys().all(|keyword| {
            matches!(
                keyword.as_str(),
                "const" | "enum" | "type" | "title" | "description" | "default"
            )
        });
        if !is_plain {
            return None;
        }
        match (words.get("const"), words.get("enum")) {
            (Some(value), _) => Some(vec![Choice {
                label: text(words, "title").unwrap_or_else(|| plain(value)),
                value: value.clone(),
                description: text(words, "description"),
            }]),
            (None, Some(Value::Array(values))) => {
                Some(values.iter().cloned().map(Choice::of).collect())
            }
            _ => None,
        }
    }

    fn label(&self) -> String {
        let Some(words) = &self.words else {
            return self.reference.clone().unwrap_or_else(|| "JSON".to_owned());
        };
        text(words, "title")
            .or_else(|| discriminator(words))
            .or_else(|| self.reference.clone())
            .unwrap_or_else(|| described(words))
    }
}

fn text(words: &Words<String, Value>, keyword: &str) -> Option<String> {
    let text = words.get(keyword)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The constant field that distinguishes this object from the others: `{"type": {"const":
/// "circle"}}`.
fn discriminator(words: &Words<String, Value>) -> Option<String> {
    let properties = words.get("properties")?.as_object()?;
    properties.values().find_map(
        |property| match (property.get("const"), property.get("enum")) {
            (Some(value), _) => Some(plain(value)),
            (None, Some(Value::Array(values))) if values.len() == 1 => values.first().map(plain),
            _ => None,
        },
    )
}

/// A label derived from the content, for an alternative without a name.
fn described(words: &Words<String, Value>) -> String {
    if let Some(value) = words.get("const") {
        return plain(value);
    }
    let first_three = |list: &str| -> Vec<String> {
        let list = words.get(list).and_then(Value::as_array);
        list.into_iter().flatten().take(3).map(plain).collect()
    };
    for names in [first_three("enum"), first_three("required")] {
        if !names.is_empty() {
            return names.join(", ");
        }
    }
    if let Some(format) = text(words, "format") {
        return format;
    }
    match types(words).as_deref() {
        Some([kind]) => noun(kind).to_owned(),
        Some(_) => "one of several".to_owned(),
        None => "anything".to_owned(),
    }
}

/// The noun for a JSON type.
pub(super) fn noun(kind: &str) -> &str {
    match kind {
        "string" => "text",
        "integer" => "whole number",
        "boolean" => "yes or no",
        "array" => "list",
        other => other,
    }
}

/// The alternatives with unique names.
fn named(leaves: Vec<Leaf>, rest: &Words<String, Value>) -> Vec<Alternative> {
    let mut named: Vec<Alternative> = Vec::with_capacity(leaves.len());
    for leaf in leaves {
        let base = leaf.label();
        let is_taken = |label: &str| named.iter().any(|one| one.label == label);
        let mut label = base.clone();
        let mut number = 2;
        while is_taken(&label) {
            label = format!("{base} {number}");
            number += 1;
        }
        let description = leaf.words.as_ref();
        named.push(Alternative {
            label,
            description: description.and_then(|words| text(words, "description")),
            schema: Arc::new(with_rest(rest, &leaf.schema)),
            branch: leaf.branch,
        });
    }
    named
}
