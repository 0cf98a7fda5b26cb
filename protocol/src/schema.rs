//! Generates the JSON Schemas of `tools/list` from types: exact, and compact, since agents pay for each token of them in
//! every conversation.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use crate::value::CLEARABLE;

/// The schema of a tool's arguments.
pub(crate) fn of_arguments<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(Contract::Deserialize, true);
    tidy(&mut schema, true);
    schema
}

/// The schema of a tool's result: names, types, formats and words. It follows serialization: a nullable field is always
/// present.
pub(crate) fn of_result<T: JsonSchema>() -> Value {
    let mut schema = generate::<T>(Contract::Serialize, false);
    share(&mut schema);
    tidy(&mut schema, false);
    drop_prose_and_bounds(&mut schema);
    schema
}

fn generate<T: JsonSchema>(contract: Contract, inline: bool) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = inline;
        settings.meta_schema = None;
        settings.contract = contract;
    });
    let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    schema.to_value()
}

/// The prefix of a reference to a definition.
const DEFINITION: &str = "#/$defs/";

/// Keeps definitions of records that the schema uses more than once, and inlines all others.
fn share(schema: &mut Value) {
    let Value::Object(map) = schema else { return };
    let Some(Value::Object(mut definitions)) = map.shift_remove("$defs") else {
        return;
    };
    let mut named = Vec::new();
    definitions.values().for_each(|one| names(one, &mut named));
    map.values().for_each(|one| names(one, &mut named));
    let is_shared = |name: &str, definition: &Value| {
        definition.get("properties").is_some()
            && named.iter().filter(|one| *one == name).count() > 1
    };
    let inlined: Map<String, Value> = definitions
        .iter()
        .filter(|(name, definition)| !is_shared(name, definition))
        .map(|(name, definition)| (name.clone(), definition.clone()))
        .collect();
    definitions.retain(|name, _| !inlined.contains_key(name));
    definitions
        .values_mut()
        .for_each(|one| inline(one, &inlined));
    map.values_mut().for_each(|one| inline(one, &inlined));
    if !definitions.is_empty() {
        map.insert("$defs".to_owned(), definitions.into());
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
    if let Some(definition) = definition(schema).and_then(|name| definitions.get(name)) {
        *schema = definition.clone();
    }
    match schema {
        Value::Object(map) => map.values_mut().for_each(|one| inline(one, definitions)),
        Value::Array(several) => several.iter_mut().for_each(|one| inline(one, definitions)),
        _ => {}
    }
}

/// Drops descriptions, which repeat the keys, and bounds, which only matter to the sender of a value.
fn drop_prose_and_bounds(schema: &mut Value) {
    const DROPPED: [&str; 8] = [
        "description",
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
        drop_prose_and_bounds(items);
    }
    for named in ["properties", "$defs"] {
        if let Some(Value::Object(several)) = map.get_mut(named) {
            several.values_mut().for_each(drop_prose_and_bounds);
        }
    }
}

/// Drops `title` and `default: null`, unwraps descriptions, folds `anyOf` with null into a type list and
/// `oneOf` of words into an `enum`. In arguments, also drops null if it means the same as omitting the argument
/// (see [`Declaration::input_schema`](crate::Declaration::input_schema)), and the descriptions of list entries.
fn tidy(schema: &mut Value, is_arguments: bool) {
    match schema {
        Value::Object(map) => {
            if map.get("default") == Some(&Value::Null) {
                map.shift_remove("default");
            }
            if let Some(Value::String(_)) = map.get("title") {
                map.shift_remove("title");
            }
            // Join the lines of a paragraph.
            if let Some(Value::String(text)) = map.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            // Number formats of schemars add nothing to the type.
            if let Some(Value::String(format)) = map.get("format")
                && (format == "double" || format.starts_with("uint") || format.starts_with("int"))
            {
                map.shift_remove("format");
            }
            fold_nullable(map);
            fold_words(map);
            let clearable = map.shift_remove(CLEARABLE).is_some();
            if is_arguments && !clearable {
                drop_null(map);
            }
            for named in ["properties", "$defs"] {
                if let Some(Value::Object(several)) = map.get_mut(named) {
                    several.values_mut().for_each(|one| tidy(one, is_arguments));
                }
            }
            if let Some(items) = map.get_mut("items") {
                tidy(items, is_arguments);
                if let Value::Object(items) = items {
                    items.shift_remove("description");
                }
            }
        }
        Value::Array(several) => several.iter_mut().for_each(|one| tidy(one, is_arguments)),
        _ => {}
    }
}

/// `anyOf: [X, null]` is `X` with null among its types.
fn fold_nullable(map: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = map.get_mut("anyOf") else {
        return;
    };
    let null = serde_json::json!({ "type": "null" });
    if variants.len() != 2 || !variants.contains(&null) {
        return;
    }
    // A shared definition must not become nullable.
    if variants.iter().any(|variant| definition(variant).is_some()) {
        return;
    }
    variants.retain(|variant| *variant != null);
    let Some(Value::Object(mut inner)) = variants.pop() else {
        return;
    };
    fold_words(&mut inner);
    map.shift_remove("anyOf");
    if let Some(kind) = inner.shift_remove("type") {
        inner.insert("type".to_owned(), serde_json::json!([kind, "null"]));
    }
    if let Some(Value::Array(values)) = inner.get_mut("enum") {
        values.push(Value::Null);
    }
    for (key, value) in inner {
        map.entry(key).or_insert(value);
    }
}

/// `oneOf` of documented constants is an `enum` of them.
fn fold_words(map: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = map.get("oneOf") else {
        return;
    };
    let words: Option<Vec<Value>> = variants
        .iter()
        .map(|variant| variant.get("const").cloned())
        .collect();
    if let Some(words) = words {
        map.shift_remove("oneOf");
        map.insert("type".to_owned(), "string".into());
        map.insert("enum".to_owned(), words.into());
    }
}

fn drop_null(map: &mut Map<String, Value>) {
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            map.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = map.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
}
