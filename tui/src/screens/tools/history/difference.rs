//! What differs between two results: records by their ids where both are lists of records, fields by
//! their paths where not.

use serde_json::{Map, Value};

use crate::shape::Shape;

/// A field that is not the same.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    /// Where it is: `name`, `owner.id`, `tags[2]`.
    pub(crate) path: String,
    /// What it was; nothing where it was not there.
    pub(crate) before: Option<Value>,
    /// What it is; nothing where it is not there any more.
    pub(crate) after: Option<Value>,
}

/// A record that is not the same.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Record {
    /// It is new.
    Added(String),
    /// It is not there any more.
    Removed(String),
    /// Some of its fields are not the same.
    Changed(String, Vec<Change>),
}

/// What differs between two results.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Difference {
    /// Of lists of records: which are not the same, in the order of the newer one, the removed last.
    pub(crate) records: Vec<Record>,
    /// How many records are the same.
    pub(crate) same: usize,
    /// What is not the same beside the records.
    pub(crate) fields: Vec<Change>,
}

impl Difference {
    /// From what was to what is.
    pub(crate) fn between(before: &Value, after: &Value) -> Difference {
        let mut difference = Difference::default();
        let lists = match (list(before), list(after)) {
            (Some((key, before)), Some((other, after))) if key == other => {
                difference.compare(before, after).then_some(key)
            }
            _ => None,
        };
        let rest = |value: &Value| match (value, lists) {
            (Value::Object(object), Some(key)) => {
                let mut object = object.clone();
                object.shift_remove(key);
                Value::Object(object)
            }
            (_, Some(_)) => Value::Null,
            (value, None) => value.clone(),
        };
        fields("", &rest(before), &rest(after), &mut difference.fields);
        difference
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.fields.is_empty()
    }

    /// Compares two lists of records; says whether their records can be told apart.
    fn compare(&mut self, before: &[Value], after: &[Value]) -> bool {
        let Some(key) = key_of(before, after) else {
            return false;
        };
        let id = |record: &Value| record.get(&key).cloned().unwrap_or_default();
        for record in after {
            let old = before.iter().find(|old| id(old) == id(record));
            let Some(old) = old else {
                self.records.push(Record::Added(label(record, &key)));
                continue;
            };
            let mut changes = Vec::new();
            fields("", old, record, &mut changes);
            match changes.is_empty() {
                true => self.same += 1,
                false => {
                    let label = label(record, &key);
                    self.records.push(Record::Changed(label, changes));
                }
            }
        }
        for record in before {
            if !after.iter().any(|new| id(new) == id(record)) {
                self.records.push(Record::Removed(label(record, &key)));
            }
        }
        true
    }
}

/// The list of records of a result, with its name.
fn list(value: &Value) -> Option<(&str, &[Value])> {
    if let Value::Array(items) = value {
        let are_records = !items.is_empty() && items.iter().all(Value::is_object);
        return are_records.then_some(("", items.as_slice()));
    }
    let (key, items) = Shape::of(value)?.list?;
    Some((key, items))
}

/// The field by which the records are told apart: each has it, and no two have the same.
fn key_of(before: &[Value], after: &[Value]) -> Option<String> {
    let first = after.first().or(before.first())?.as_object()?;
    let ids = first.keys().filter(|key| key.ends_with("_id"));
    let names = ["id", "uuid", "key", "name", "path", "uri"].map(str::to_owned);
    let mut candidates = names.into_iter().chain(ids.cloned());
    candidates.find(|key| is_key(before, key) && is_key(after, key))
}

fn is_key(records: &[Value], key: &str) -> bool {
    let mut seen = std::collections::HashSet::new();
    records.iter().all(|record| match record.get(key) {
        Some(id @ (Value::String(_) | Value::Number(_))) => seen.insert(id.to_string()),
        _ => false,
    })
}

/// What a record is called.
fn label(record: &Value, key: &str) -> String {
    let text = |key: &str| record.get(key).and_then(Value::as_str);
    let name = ["name", "title", "label"].into_iter().find_map(text);
    let id = record.get(key).map(shown).unwrap_or_default();
    match name.filter(|name| *name != id && !name.starts_with('[')) {
        Some(name) => format!("{name} ({id})"),
        None => id,
    }
}

/// A value in a line.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn fields(path: &str, before: &Value, after: &Value, out: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) => objects(path, old, new, out),
        (Value::Array(old), Value::Array(new)) => {
            for at in 0..old.len().max(new.len()) {
                let path = format!("{path}[{at}]");
                pair(path, old.get(at), new.get(at), out);
            }
        }
        (before, after) => {
            if before != after {
                out.push(Change {
                    path: path.to_owned(),
                    before: Some(before.clone()),
                    after: Some(after.clone()),
                });
            }
        }
    }
}

fn objects(path: &str, old: &Map<String, Value>, new: &Map<String, Value>, out: &mut Vec<Change>) {
    let gone = old.keys().filter(|key| !new.contains_key(*key));
    for key in new.keys().chain(gone) {
        let path = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        pair(path, old.get(key), new.get(key), out);
    }
}

fn pair(path: String, before: Option<&Value>, after: Option<&Value>, out: &mut Vec<Change>) {
    match (before, after) {
        (Some(before), Some(after)) => fields(&path, before, after, out),
        (before, after) => out.push(Change {
            path,
            before: before.cloned(),
            after: after.cloned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(path: &str, before: Value, after: Value) -> Change {
        let some = |value: Value| Some(value).filter(|value| !value.is_null());
        Change {
            path: path.to_owned(),
            before: some(before),
            after: some(after),
        }
    }

    #[test]
    fn records_are_matched_by_their_ids_wherever_they_stand() {
        let before = json!({ "total": 3, "events": [
            { "id": 1, "name": "A", "place": "Hall" },
            { "id": 2, "name": "B" },
            { "id": 3, "name": "C" },
        ] });
        let after = json!({ "total": 3, "events": [
            { "id": 4, "name": "D" },
            { "id": 3, "name": "C" },
            { "id": 1, "name": "A", "place": "Yard" },
        ] });
        let difference = Difference::between(&before, &after);
        assert_eq!(
            difference.records,
            [
                Record::Added("D (4)".to_owned()),
                Record::Changed(
                    "A (1)".to_owned(),
                    vec![change("place", json!("Hall"), json!("Yard"))]
                ),
                Record::Removed("B (2)".to_owned()),
            ]
        );
        assert_eq!(difference.same, 1);
        assert_eq!(difference.fields, []);
    }

    #[test]
    fn what_is_beside_the_records_is_compared_too() {
        let before = json!({ "events": [{ "id": 1 }], "has_more": false });
        let after = json!({ "events": [{ "id": 1 }], "has_more": true });
        let difference = Difference::between(&before, &after);
        assert_eq!(
            difference.fields,
            [change("has_more", json!(false), json!(true))]
        );
        assert_eq!((difference.records.len(), difference.same), (0, 1));
    }

    #[test]
    fn anything_else_is_compared_by_its_paths() {
        let before = json!({ "event": { "name": "A", "tags": ["x", "y"], "gone": 1 } });
        let after = json!({ "event": { "name": "B", "tags": ["x"], "new": [1] } });
        assert_eq!(
            Difference::between(&before, &after).fields,
            [
                change("event.name", json!("A"), json!("B")),
                change("event.tags[1]", json!("y"), Value::Null),
                change("event.new", Value::Null, json!([1])),
                change("event.gone", json!(1), Value::Null),
            ]
        );
        assert_eq!(
            Difference::between(&json!("a"), &json!({ "b": 1 })).fields,
            [change("", json!("a"), json!({ "b": 1 }))]
        );
        assert!(Difference::between(&before, &before).is_empty());
    }

    #[test]
    fn records_that_cannot_be_told_apart_are_compared_by_their_places() {
        let before = json!({ "rows": [{ "id": 1, "a": 1 }, { "id": 1, "a": 2 }] });
        let after = json!({ "rows": [{ "id": 1, "a": 1 }, { "id": 1, "a": 3 }] });
        let difference = Difference::between(&before, &after);
        assert_eq!(difference.fields, [change("rows[1].a", json!(2), json!(3))]);
    }
}
