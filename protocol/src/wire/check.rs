//! Checks arguments by their table: what they mean, or all that is wrong with them and what would be right.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Field, Of, Omitted, Reader, Schemas, Shape};
use crate::error::ToolError;

/// The most bytes of the example in a refusal.
const EXAMPLE_BYTES: usize = 2000;
/// The argument of a call that writes nothing.
const DRY_RUN: &str = "dry_run";
/// The ends of the placeholder of a bounded text.
const OF_AT_MOST: &str = "text of at most ";
const CHARACTERS: &str = " characters";
/// The placeholders of other texts, of lists of them, and of objects.
const PLAIN: [&str; 3] = ["text", "list", "object"];

/// The arguments as their types understand them, in the order of the table. Those whose omission means the same are left
/// out.
pub fn normal(
    shape: &'static Shape,
    value: &Value,
    reader: &mut Reader,
) -> Option<Map<String, Value>> {
    let fields = reader.object(value, shape)?;
    let mut arguments = Map::with_capacity(fields.len());
    let mut is_right = true;
    for field in shape.fields {
        match reader.check(fields, field) {
            Some(Some(value)) => {
                arguments.insert(field.name.to_owned(), value);
            }
            Some(None) => {}
            None => is_right = false,
        }
    }
    is_right.then_some(arguments)
}

/// The refusal of arguments with these complaints: the first, in the order of the arguments as sent. `details` has them
/// as `wrong`, if there are several, and as `example` the caller's arguments with others in their place.
pub fn refusal(shape: &'static Shape, sent: &Value, mut wrong: Vec<ToolError>) -> ToolError {
    let Value::Object(sent) = sent else {
        let error = first(wrong);
        let message = format!("the arguments {}", error.message);
        return ToolError { message, ..error };
    };
    // Missing arguments come last, and after them unknown ones with names that are cut.
    let places: HashMap<&str, usize> = sent.keys().map(String::as_str).zip(0..).collect();
    wrong.sort_by_cached_key(|one| {
        let path = one.field.as_deref().unwrap_or_default();
        let name = path.split(['.', '[']).next().unwrap_or_default();
        let place = places.get(path).or_else(|| places.get(name));
        place.copied().unwrap_or(usize::MAX)
    });
    let mut details = Map::new();
    if let Some(example) = example(shape, sent) {
        details.insert("example".to_owned(), example.into());
    }
    if wrong.len() > 1 {
        let wrong = wrong.iter().map(|one| match &one.hint {
            Some(hint) => json!({ "field": one.field, "message": one.message, "hint": hint }),
            None => json!({ "field": one.field, "message": one.message }),
        });
        details.insert("wrong".to_owned(), wrong.collect());
    }
    let first = first(wrong);
    match details.is_empty() {
        true => first,
        false => first.with(&details),
    }
}

fn first(wrong: Vec<ToolError>) -> ToolError {
    let mut wrong = wrong.into_iter();
    let unread = || ToolError::new(crate::ErrorCode::InvalidArgument, "cannot be read");
    wrong.next().unwrap_or_else(unread)
}

/// The arguments as sent, with what can be understood in the place of wrong values. It never asks for more than the caller
/// did: what cannot be understood becomes a placeholder, which is refused, and a call that was to be tried stays one.
fn example(shape: &'static Shape, sent: &Map<String, Value>) -> Option<Map<String, Value>> {
    let is_known = |name: &String| shape.fields.iter().any(|field| field.name == *name);
    let is_tried = |name: &String| {
        let letters: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        ["dry", "preview", "test", "simulate", "try"]
            .iter()
            .any(|word| letters.to_ascii_lowercase().contains(word))
    };
    let mut example = Map::new();
    let unknown: Vec<_> = sent.keys().filter(|name| !is_known(name)).collect();
    let can_be_tried = shape.fields.iter().any(|field| field.name == DRY_RUN);
    if !can_be_tried && unknown.iter().any(|name| is_tried(name)) {
        return None;
    }
    for field in shape.fields {
        let given = sent.get(field.name);
        let value = match given {
            _ if field.name == DRY_RUN && (given.is_some() || !unknown.is_empty()) => {
                Some(true.into())
            }
            Some(given) => understood(field, given).or_else(|| placeholder(field)),
            None if is_right(field, None) => None,
            None => placeholder(field),
        };
        example.extend(value.map(|value| (field.name.to_owned(), value)));
    }
    let is_short = Value::Object(example.clone()).to_string().len() <= EXAMPLE_BYTES;
    is_short.then_some(example)
}

/// Whether the field can have this value, or can be omitted.
fn is_right(field: &'static Field, value: Option<&Value>) -> bool {
    let mut reader = Reader::default();
    let fields = value.map(|value| (field.name.to_owned(), value.clone()));
    reader.check(&fields.into_iter().collect(), field).is_some()
}

/// The value, or what it says in another type: a number or an object in a text, one entry of a list.
fn understood(field: &'static Field, given: &Value) -> Option<Value> {
    let mut readings = vec![given.clone()];
    match given {
        Value::String(text) => {
            let parsed: Option<Value> = serde_json::from_str(text.trim()).ok();
            readings.extend(parsed.filter(|parsed| !parsed.is_null()));
            readings.push(text.trim().into());
        }
        Value::Number(_) | Value::Bool(_) => readings.push(given.to_string().into()),
        Value::Array(values) => {
            let inner = |value: &Value| match value {
                Value::String(text) => serde_json::from_str(text).unwrap_or(value.clone()),
                Value::Number(_) => value.to_string().into(),
                value => value.clone(),
            };
            readings.push(values.iter().map(inner).collect());
            if let [only] = values.as_slice() {
                readings.push(only.clone());
            }
        }
        _ => {}
    }
    let lists: Vec<Value> = readings.iter().map(|one| json!([one])).collect();
    let mut readings = readings.into_iter().chain(lists);
    readings.find(|reading| is_right(field, Some(reading)))
}

/// A value that says what the field takes, and is refused: a list or an object where the field is one, otherwise a text.
fn placeholder(field: &'static Field) -> Option<Value> {
    let Of::Type(of) = &field.of else { return None };
    let schema = (of.schema)(&mut Schemas::of_arguments());
    let said = format!("<{}>", described(&schema));
    match kind(&schema) {
        Some("array") => Some(json!([said])),
        Some("object") => Some(json!({ said.as_str(): null })),
        Some(_) => Some(said.into()),
        None => None,
    }
}

/// Whether a text, or the key of an object, is a placeholder that its field would otherwise take.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let inner = text
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    inner.is_some_and(|inner| {
        let bounded = inner.strip_prefix(OF_AT_MOST);
        let most = bounded.and_then(|rest| rest.strip_suffix(CHARACTERS));
        PLAIN.contains(&inner) || most.is_some_and(|most| most.parse::<u64>().is_ok())
    })
}

/// The first type of a value of this schema.
fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    }
}

/// What a value of this schema is, in words.
fn described(schema: &Value) -> String {
    let word = |name: &str| schema.get(name).and_then(Value::as_str);
    let number = |name: &str| schema.get(name).filter(|bound| bound.is_number());
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        return format!("one of {}", words.join(", "));
    }
    if let Some(kind) = word("x-record") {
        return format!("id of a record: {}", kind.replace('_', " "));
    }
    let bounds = match (number("minimum"), number("maximum")) {
        (Some(least), Some(most)) => format!(" from {least} to {most}"),
        (Some(least), None) => format!(" from {least}"),
        _ => String::new(),
    };
    match (kind(schema).unwrap_or("value"), word("format")) {
        ("string", Some("date")) => "day: YYYY-MM-DD".to_owned(),
        ("string", Some("date-time")) => "time with its offset".to_owned(),
        ("string", Some(format)) => format.to_owned(),
        ("string", None) => match (word("pattern"), number("maxLength")) {
            (Some(pattern), _) => format!("text like {pattern}"),
            (None, Some(most)) => format!("{OF_AT_MOST}{most}{CHARACTERS}"),
            (None, None) => "text".to_owned(),
        },
        ("integer", _) => format!("whole number{bounds}"),
        ("number", _) => format!("number{bounds}"),
        ("boolean", _) => "true or false".to_owned(),
        ("array", _) => "list".to_owned(),
        (kind, _) => kind.to_owned(),
    }
}

impl Field {
    /// The value of the omitted field, if it is known.
    pub fn default(&self) -> Option<Value> {
        match (&self.of, self.omitted) {
            (_, Omitted::Default(value)) => Some(value()),
            (Of::Type(of), _) => (of.omitted)(),
            (Of::Table(_), _) => None,
        }
    }
}
