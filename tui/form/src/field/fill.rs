//! From JSON to what a person would have entered.

use serde_json::Value;

use super::{Entry, Field, Json, Maker};
use crate::kind::{Additional, Kind};
use crate::path::Segment;
use crate::schema::{Document, types};

/// How deep a value is looked at to tell which alternative it is.
const DEEPEST: usize = 4;

impl Field {
    /// Enters the value. What its kind cannot hold is entered as JSON, so that nothing is lost.
    pub(crate) fn take(&mut self, maker: &mut Maker<'_>, value: &Value) {
        let entry = match (&self.kind, value) {
            (Kind::Const(only), value) if only == value => Entry::Chosen(value.clone()),
            (_, Value::Null) => Entry::Null,
            (Kind::Text(_), Value::String(text)) => Entry::Text(text.clone()),
            (Kind::Number(_), Value::Number(number)) => Entry::Text(number.to_string()),
            (Kind::Boolean, Value::Bool(_)) => Entry::Chosen(value.clone()),
            (Kind::Choice(choices), value) if choices.iter().any(|one| one.value == *value) => {
                Entry::Chosen(value.clone())
            }
            (Kind::Object(_) | Kind::Map(_), Value::Object(object)) => {
                return self.take_object(maker, object);
            }
            (Kind::List(_), Value::Array(values)) => return self.take_list(maker, values),
            (Kind::Variant(_), value) => return self.take_variant(maker, value),
            _ => Entry::Json(Json::of(value)),
        };
        self.entry = entry;
    }

    fn take_object(&mut self, maker: &mut Maker<'_>, object: &serde_json::Map<String, Value>) {
        self.open(maker);
        self.children.retain(|child| child.declared);
        for child in &mut self.children {
            match child.segment.as_ref() {
                Some(Segment::Key(key)) if object.contains_key(key) => {
                    child.take(maker, &object[key]);
                }
                _ => child.entry = Entry::Absent,
            }
        }
        let declared = self.children.len();
        for (key, value) in object {
            let is_there = |child: &Field| child.key() == Some(key);
            if !self.children[..declared].iter().any(is_there) {
                let mut child = self.free_child(maker, key);
                child.take(maker, value);
                self.children.push(child);
            }
        }
    }

    fn take_list(&mut self, maker: &mut Maker<'_>, values: &[Value]) {
        self.entry = Entry::Open;
        self.children.clear();
        for (at, value) in values.iter().enumerate() {
            let mut entry = self.list_entry(maker, at);
            entry.take(maker, value);
            self.children.push(entry);
        }
    }

    fn take_variant(&mut self, maker: &mut Maker<'_>, value: &Value) {
        let Kind::Variant(several) = &self.kind else {
            return;
        };
        let best = several
            .iter()
            .enumerate()
            .map(|(at, one)| (misfit(maker.document, &one.schema, value, 0), at))
            .min();
        match best {
            Some((misfit, at)) if misfit < WRONG_KIND => {
                self.choose(maker, at);
                if let Some(Some(body)) = self.bodies.get_mut(at) {
                    body.take(maker, value);
                }
            }
            _ => self.entry = Entry::Json(Json::of(value)),
        }
    }

    /// A field for a key that the object does not declare.
    pub(super) fn free_child(&self, maker: &mut Maker<'_>, key: &str) -> Field {
        let (values, required) = match &self.kind {
            Kind::Object(object) => (object.values.clone(), false),
            Kind::Map(map) => {
                let required = map.required.iter().any(|one| one == key);
                (map.values.clone(), required)
            }
            _ => {
                return maker.child(
                    self,
                    Segment::Key(key.to_owned()),
                    false,
                    &Value::Bool(true).into(),
                );
            }
        };
        maker.child(self, Segment::Key(key.to_owned()), required, &values)
    }

    /// A field for an entry of the list.
    pub(super) fn list_entry(&self, maker: &mut Maker<'_>, at: usize) -> Field {
        let item = match &self.kind {
            Kind::List(list) => list.item(at).clone(),
            _ => Value::Bool(true).into(),
        };
        maker.child(self, Segment::Index(at), true, &item)
    }

    /// Chooses an alternative, with what was entered there before.
    pub(super) fn choose(&mut self, maker: &mut Maker<'_>, at: usize) {
        let Kind::Variant(several) = &self.kind else {
            return;
        };
        let Some(alternative) = several.get(at) else {
            return;
        };
        if self.bodies.get(at).is_some_and(Option::is_none) {
            let place = super::Place {
                segment: self.segment.clone(),
                required: true,
                declared: self.declared,
                trail: &self.trail,
            };
            let mut body = maker.field(place, &alternative.schema);
            // It was chosen: that it is recursive is no surprise any more.
            if matches!(body.kind, Kind::Object(_)) && body.entry == Entry::Absent {
                body.open(maker);
            }
            self.bodies[at] = Some(body);
        }
        self.chosen = Some(at);
        self.entry = Entry::Open;
    }
}

/// From here on a value is of another kind than the schema asks for.
const WRONG_KIND: usize = 1_000_000;

/// How badly the value fits the schema: 0 where it fits, as far as a glance tells.
fn misfit(document: &Document, schema: &Value, value: &Value, depth: usize) -> usize {
    if depth > DEEPEST {
        return 0;
    }
    let Some(shape) = document.shape(schema) else {
        // What cannot be told is the last that is tried.
        return WRONG_KIND - 1;
    };
    let words = &shape.words;
    // A field that is wrong tells less than one that is missing.
    let below = |schema: &Value, value: &Value| misfit(document, schema, value, depth + 1).min(400);
    if let Some(kinds) = types(words)
        && !kinds.iter().any(|kind| is_of_type(value, kind))
    {
        return WRONG_KIND;
    }
    let mut worse = 0;
    if words.get("const").is_some_and(|only| only != value) {
        worse += 10_000;
    }
    if let Some(Value::Array(values)) = words.get("enum")
        && !values.contains(value)
    {
        worse += 10_000;
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(Value::Array(schemas)) = words.get(keyword) {
            worse += schemas
                .iter()
                .map(|one| below(one, value))
                .min()
                .unwrap_or(0);
        }
    }
    let number = |keyword: &str| words.get(keyword).and_then(Value::as_f64);
    let outside = |size: f64, least: &str, most: &str| {
        let is_out = number(least).is_some_and(|least| size < least)
            || number(most).is_some_and(|most| size > most);
        usize::from(is_out) * 100
    };
    worse += match value {
        Value::Number(value) => {
            let value = value.as_f64().unwrap_or_default();
            let is_at = |keyword: &str| number(keyword) == Some(value);
            outside(value, "minimum", "maximum")
                + outside(value, "exclusiveMinimum", "exclusiveMaximum")
                + usize::from(is_at("exclusiveMinimum") || is_at("exclusiveMaximum")) * 100
        }
        Value::String(text) => {
            let is_unlike = matches!(words.get("format"), Some(Value::String(format)) if !is_like(text, format));
            outside(text.chars().count() as f64, "minLength", "maxLength")
                + usize::from(is_unlike) * 50
                // A text that is only free where another alternative names it is the lesser fit.
                + usize::from(!words.contains_key("const") && !words.contains_key("enum"))
        }
        Value::Array(values) => {
            let items = words.get("items").unwrap_or(&Value::Bool(true));
            let items = values.iter().take(20).map(|value| below(items, value));
            outside(values.len() as f64, "minItems", "maxItems") + items.sum::<usize>()
        }
        Value::Object(object) => misfit_of_object(words, object, &below),
        Value::Null | Value::Bool(_) => 0,
    };
    worse.min(WRONG_KIND - 2)
}

fn misfit_of_object(
    words: &serde_json::Map<String, Value>,
    object: &serde_json::Map<String, Value>,
    below: &impl Fn(&Value, &Value) -> usize,
) -> usize {
    let mut worse = 0;
    if let Some(Value::Array(required)) = words.get("required") {
        let missing = required.iter().filter_map(Value::as_str);
        worse += 500 * missing.filter(|key| !object.contains_key(*key)).count();
    }
    let properties = words.get("properties").and_then(Value::as_object);
    for (key, value) in object {
        let declared = properties.and_then(|properties| properties.get(key));
        worse += match (declared, words.get("additionalProperties")) {
            (Some(schema), _) => {
                let is_named = schema.get("const").is_some_and(|only| only != value);
                below(schema, value) + usize::from(is_named) * 10_000
            }
            (None, Some(Value::Bool(false))) => 200,
            (None, Some(Value::Bool(true)) | None) => 1,
            (None, Some(schema)) => below(schema, value),
        };
    }
    worse
}

fn is_of_type(value: &Value, kind: &str) -> bool {
    match value {
        Value::Null => kind == "null",
        Value::Bool(_) => kind == "boolean",
        Value::String(_) => kind == "string",
        Value::Array(_) => kind == "array",
        Value::Object(_) => kind == "object",
        Value::Number(number) => {
            let is_whole = || number.as_f64().is_some_and(|number| number.fract() == 0.0);
            kind == "number" || (kind == "integer" && is_whole())
        }
    }
}

/// Whether a text looks like a format: enough to choose between alternatives.
fn is_like(text: &str, format: &str) -> bool {
    let digits_and = |other: &str| {
        let mut chars = text.chars();
        chars.all(|c| c.is_ascii_digit() || other.contains(c))
    };
    match format {
        "date" => text.len() == 10 && digits_and("-"),
        "date-time" => {
            text.len() >= 20
                && text
                    .as_bytes()
                    .get(10)
                    .is_some_and(|byte| b"Tt ".contains(byte))
        }
        "time" => text.contains(':') && digits_and(":.Zz+-"),
        "uuid" => text.len() == 36 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-'),
        "uri" | "url" => text.contains(':') && !text.contains(' '),
        "email" => text.contains('@') && !text.contains(' '),
        _ => true,
    }
}

impl Field {
    /// Whether the object takes one more key.
    pub(super) fn takes_keys(&self) -> bool {
        match &self.kind {
            Kind::Object(object) => object.additional != Additional::Refused,
            Kind::Map(_) => true,
            _ => false,
        }
    }
}
