//! The shape of a result as a table: single fields, the list of records, and its columns by
//! importance.

use std::io;

use frontdesk_protocol::exact;
use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

/// A result: single fields and an optional list.
#[derive(Debug)]
pub struct Tabular<'a> {
    /// The single fields, the most important first.
    pub fields: Vec<(&'a String, &'a Value)>,
    /// The list of records with its name; a result that is the list itself has no name for it.
    pub list: Option<(&'a str, &'a Vec<Value>)>,
}

impl<'a> Tabular<'a> {
    /// The shape of an object or a list of records; `None` for other values.
    pub fn of(result: &'a Value) -> Option<Tabular<'a>> {
        let is_records = |items: &[Value]| items.iter().all(Value::is_object);
        let object = match result {
            Value::Array(items) if !items.is_empty() && is_records(items) => {
                return Some(Tabular {
                    fields: Vec::new(),
                    list: Some(("", items)),
                });
            }
            result => result.as_object()?,
        };
        let list = object.iter().find_map(|(key, value)| match value {
            Value::Array(items) if is_records(items) => Some((key.as_str(), items)),
            _ => None,
        });
        let mut shown = match list {
            Some(_) => in_order(object),
            None => record(result).as_object().map_or_else(Vec::new, in_order),
        };
        if let Some((list, _)) = list {
            let paging = ["limit", "offset", "has_more", "next_offset", "total"];
            shown.retain(|(key, _)| key.as_str() != list && !paging.contains(&key.as_str()));
        }
        Some(Tabular {
            fields: shown,
            list,
        })
    }
}

/// A record wrapped under its name without the wrapper; any other value as it is.
pub(crate) fn record(result: &Value) -> &Value {
    let mut values = result.as_object().into_iter().flat_map(Map::values);
    match (values.next(), values.next()) {
        (Some(record @ Value::Object(fields)), None) if !fields.is_empty() => record,
        _ => result,
    }
}

fn in_order(object: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut fields: Vec<_> = object.iter().collect();
    fields.sort_by_key(|(key, value)| rank(key, value));
    fields
}

/// The name of a record, if it has one.
pub(crate) fn label(record: &Value) -> Option<&str> {
    let names = ["name", "title", "label"];
    names.iter().find_map(|name| record.get(name)?.as_str())
}

/// The beginning of a value as in a cell; about this many bytes at most are written.
pub(crate) fn preview(value: &Value, most: usize) -> String {
    match value {
        value if exact::digits(value).is_some() => exact::plain(value),
        Value::String(text) => {
            let end = (0..=most.min(text.len())).rev();
            let end = end.into_iter().find(|at| text.is_char_boundary(*at));
            text[..end.unwrap_or(0)].to_owned()
        }
        Value::Null => String::new(),
        value => preview_json(value, most),
    }
}

/// The beginning of a value as JSON.
pub(crate) fn preview_json(value: &Value, most: usize) -> String {
    let mut start = Start {
        bytes: Vec::new(),
        most,
    };
    // An error means that the limit is reached.
    let _ = exact::write(value, &mut start);
    String::from_utf8_lossy(&start.bytes).into_owned()
}

/// Accepts the beginning of the output and refuses the rest.
struct Start {
    bytes: Vec<u8>,
    most: usize,
}

impl io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() >= self.most {
            return Err(io::Error::other("enough"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The importance: names, times, words, numbers; then ids and nested values.
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

/// The columns of these records, with the width of their widest cell.
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

/// The field of a record; `tags.table` is nested.
pub fn at<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    let whole = record.get(name);
    whole.or_else(|| {
        name.split('.')
            .try_fold(record, |value, name| value.get(name))
    })
}

/// A value in a cell: text as it is, empty for null, otherwise JSON.
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        other => exact::plain(other),
    }
}
