//! The JSON Schemas of `tools/list`: exact, and compact, since agents pay for each token of them in every conversation.

use serde_json::{Map, Value, json};

use super::{Mark, Of, Omitted, Shape};
use crate::marks::{AMOUNT, HEADER, MARK, SECRET, SINGULAR};

/// The prefix of a reference to a definition.
const DEFINITION: &str = "#/$defs/";

/// Builds the schema of a tool's arguments or of its result.
#[derive(Debug)]
pub struct Schemas {
    is_of_arguments: bool,
    definitions: Map<String, Value>,
}

/// The schema of a tool's arguments. It has null only where null has a meaning of its own.
pub fn of_arguments(shape: &'static Shape) -> Value {
    match shape.schema {
        Some(schema) => schema(),
        None => Schemas::of_arguments().fields(shape),
    }
}

/// The schema of a tool's result: names, types, formats and words, without descriptions, which repeat the keys, and
/// without bounds, which only matter to the sender of a value. A nullable field is always present.
pub fn of_result(of: fn(&mut Schemas) -> Value) -> Value {
    let mut schemas = Schemas {
        is_of_arguments: false,
        definitions: Map::new(),
    };
    let mut schema = of(&mut schemas);
    let mut definitions = schemas.definitions;
    if let Some(root) = definition(&schema).and_then(|name| definitions.shift_remove(name)) {
        schema = root;
    }
    share(&mut schema, &mut definitions);
    drop_bounds(&mut schema);
    schema
}

impl Schemas {
    /// Of arguments, without definitions.
    pub(super) fn of_arguments() -> Schemas {
        Schemas {
            is_of_arguments: true,
            definitions: Map::new(),
        }
    }

    /// Whether the schema is of arguments; otherwise it is of a result.
    pub fn is_of_arguments(&self) -> bool {
        self.is_of_arguments
    }

    /// The schema of a struct: in results a reference to a definition.
    pub fn record(&mut self, shape: &'static Shape) -> Value {
        if self.is_of_arguments || shape.is_inline {
            return self.fields(shape);
        }
        if !self.definitions.contains_key(shape.name) {
            let name = shape.name.to_owned();
            self.definitions.insert(name.clone(), Value::Null);
            let schema = self.fields(shape);
            self.definitions.insert(name, schema);
        }
        json!({ "$ref": format!("{DEFINITION}{}", shape.name) })
    }

    /// The schema of a list with entries of this schema.
    pub fn list(&mut self, entry: fn(&mut Schemas) -> Value) -> Value {
        let mut entry = entry(self);
        if let Value::Object(entry) = &mut entry {
            entry.shift_remove("description");
        }
        json!({ "type": "array", "items": entry })
    }

    /// The schema of a list of records in a result, with the key of one of them.
    pub fn records(&mut self, entry: fn(&mut Schemas) -> Value, singular: &str) -> Value {
        let mut list = self.list(entry);
        list[SINGULAR] = singular.into();
        list
    }

    /// The schema of a page of records in a result. It omits `limit` and `offset` to save tokens: the caller knows both.
    pub fn page(
        &mut self,
        entry: fn(&mut Schemas) -> Value,
        singular: &str,
        plural: &str,
    ) -> Value {
        json!({
            "type": "object",
            "properties": {
                plural: self.records(entry, singular),
                "has_more": { "type": "boolean" },
                "next_offset": { "type": "integer" },
                "total": { "type": "integer" },
                "total_is_estimate": { "type": "boolean" },
            },
            "required": [plural, "has_more"],
        })
    }

    fn fields(&mut self, shape: &'static Shape) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        self.add(shape, &mut properties, &mut required);
        let mut schema = Map::new();
        if self.is_of_arguments && !shape.document.is_empty() {
            schema.insert("description".to_owned(), shape.document.into());
        }
        schema.insert("type".to_owned(), "object".into());
        if shape.is_strict {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
        if !properties.is_empty() {
            schema.insert("properties".to_owned(), properties.into());
        }
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        schema.into()
    }

    fn add(
        &mut self,
        shape: &'static Shape,
        properties: &mut Map<String, Value>,
        required: &mut Vec<Value>,
    ) {
        for field in shape.fields {
            let of = match &field.of {
                Of::Table(shape) => {
                    self.add(shape, properties, required);
                    continue;
                }
                Of::Type(of) => of,
            };
            let mut schema = (of.schema)(self);
            let is_required = match (self.is_of_arguments, field.omitted) {
                (true, Omitted::Default(_)) => false,
                (true, _) => (of.omitted)().is_none(),
                (false, _) => !field.is_optional,
            };
            if is_required {
                required.push(field.name.into());
            }
            if let Value::Object(schema) = &mut schema {
                if self.is_of_arguments && !field.document.is_empty() {
                    schema.insert("description".to_owned(), field.document.into());
                }
                match field.omitted {
                    Omitted::Shown(json) => {
                        let value = serde_json::from_str(json).unwrap_or_default();
                        schema.insert("default".to_owned(), value);
                    }
                    Omitted::Default(value) if self.is_of_arguments => {
                        schema.insert("default".to_owned(), value());
                    }
                    _ => {}
                }
                match field.mark {
                    Some(Mark::Amount) => schema.insert(AMOUNT.to_owned(), true.into()),
                    Some(Mark::Secret) => schema.insert("format".to_owned(), SECRET.into()),
                    Some(Mark::Text) => schema.shift_remove("enum"),
                    Some(Mark::Header(header)) => schema.insert(HEADER.to_owned(), header.into()),
                    None => None,
                };
            }
            properties.insert(field.name.to_owned(), schema);
        }
    }
}

/// The schema of a fixed set of words.
pub fn of_words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// The schema of the id of a record of this kind.
pub fn of_id(kind: &str) -> Value {
    json!({ "type": "string", "format": "uuid", MARK: kind })
}

/// The schema of an object with one value.
pub fn of_key(key: &str, value: Value) -> Value {
    json!({ "type": "object", "properties": { key: value }, "required": [key] })
}

/// The schema with null as another value.
pub fn nullable(mut schema: Value) -> Value {
    if definition(&schema).is_some() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    if let Some(kind) = schema.get("type") {
        schema["type"] = json!([kind, "null"]);
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

/// Keeps definitions of records that the schema uses more than once, and inlines all others.
fn share(schema: &mut Value, definitions: &mut Map<String, Value>) {
    let mut named = Vec::new();
    definitions.values().for_each(|one| names(one, &mut named));
    names(schema, &mut named);
    let is_shared = |name: &str| named.iter().filter(|one| *one == name).count() > 1;
    let inlined: Map<String, Value> = definitions
        .iter()
        .filter(|(name, _)| !is_shared(name))
        .map(|(name, definition)| (name.clone(), definition.clone()))
        .collect();
    definitions.retain(|name, _| !inlined.contains_key(name));
    definitions
        .values_mut()
        .for_each(|one| inline(one, &inlined));
    inline(schema, &inlined);
    if !definitions.is_empty() {
        schema["$defs"] = std::mem::take(definitions).into();
    }
}

/// The name of the definition that a schema refers to.
fn definition(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.strip_prefix(DEFINITION)
}

/// Collects the names of the definitions that a schema refers to, with repetitions.
fn names(schema: &Value, found: &mut Vec<String>) {
    found.extend(definition(schema).map(str::to_owned));
    match schema {
        Value::Object(map) => map.values().for_each(|one| names(one, found)),
        Value::Array(several) => several.iter().for_each(|one| names(one, found)),
        _ => {}
    }
}

fn inline(schema: &mut Value, definitions: &Map<String, Value>) {
    // A nullable record is written as a choice only while it is a reference.
    if let Some([one, _]) = schema
        .get("anyOf")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        && let Some(found) = definition(one).and_then(|name| definitions.get(name))
    {
        *schema = nullable(found.clone());
    }
    if let Some(definition) = definition(schema).and_then(|name| definitions.get(name)) {
        *schema = definition.clone();
    }
    match schema {
        Value::Object(map) => map.values_mut().for_each(|one| inline(one, definitions)),
        Value::Array(several) => several.iter_mut().for_each(|one| inline(one, definitions)),
        _ => {}
    }
}

fn drop_bounds(schema: &mut Value) {
    const DROPPED: [&str; 7] = [
        "pattern",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
    ];
    let Value::Object(map) = schema else { return };
    map.retain(|keyword, _| !DROPPED.contains(&keyword.as_str()));
    if let Some(items) = map.get_mut("items") {
        drop_bounds(items);
    }
    for named in ["properties", "$defs"] {
        if let Some(Value::Object(several)) = map.get_mut(named) {
            several.values_mut().for_each(drop_bounds);
        }
    }
}
