//! What a result looks like as a table: what it says once, its list of records, and which columns
//! of these come first.

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

/// A result: what it says once, and its list, if it has one.
#[derive(Debug)]
pub struct Shape<'a> {
    /// What it says once, what people look for first before the rest.
    pub fields: Vec<(&'a String, &'a Value)>,
    /// Its list of records, by its name.
    pub list: Option<(&'a String, &'a Vec<Value>)>,
}

impl<'a> Shape<'a> {
    /// The shape of an object; anything else has none.
    pub fn of(result: &'a Value) -> Option<Shape<'a>> {
        let object = result.as_object()?;
        let list = object.iter().find_map(|(key, value)| match value {
            Value::Array(items) if items.iter().all(Value::is_object) => Some((key, items)),
            _ => None,
        });
        let mut fields: Vec<_> = object
            .iter()
            .filter(|(key, _)| list.is_none_or(|(name, _)| *key != name))
            .collect();
        // One record under its name is the record.
        if let ([(_, Value::Object(record))], None) = (fields.as_slice(), list) {
            fields = record.iter().collect();
        }
        if list.is_some() {
            fields.retain(|(key, _)| !["limit", "offset", "has_more"].contains(&key.as_str()));
        }
        fields.sort_by_key(|(key, value)| rank(key, value));
        Some(Shape { fields, list })
    }
}

/// What people look for first comes first: names, times, words, numbers; ids and nested values last.
fn rank(key: &str, value: &Value) -> u8 {
    match value {
        Value::Array(_) | Value::Object(_) => return 6,
        _ => {}
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| key.ends_with(end));
    match key {
        "name" | "title" | "label" => 0,
        _ if ends(&["_date", "_at", "_time"]) => 1,
        "status" | "action" | "role" => 2,
        "id" => 4,
        _ if ends(&["_id"]) => 5,
        _ => 3,
    }
}

/// The columns of these records, each as wide as its widest cell.
pub fn columns(items: &[Value]) -> Vec<(String, usize)> {
    let mut columns: Vec<(String, usize, u8)> = Vec::new();
    let records = items.iter().filter_map(Value::as_object);
    for (name, value) in records.flat_map(Map::iter) {
        let (width, rank) = (cell(value).width(), rank(name, value));
        match columns.iter_mut().find(|(there, ..)| there == name) {
            Some((_, widest, highest)) => {
                *widest = width.max(*widest);
                *highest = rank.max(*highest);
            }
            None => columns.push((name.clone(), width.max(name.width()), rank)),
        }
    }
    columns.sort_by_key(|(_, _, rank)| *rank);
    columns
        .into_iter()
        .map(|(name, width, _)| (name, width))
        .collect()
}

/// A value in a cell: text as it is, nothing for null, else JSON.
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
