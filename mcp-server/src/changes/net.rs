//! Several changes of a row as one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use frontdesk_protocol::changes::RowOperation::{Delete, Insert, Update};

use super::{Changed, Columns};

/// The difference between the rows before and after these changes, each row once, at the place of its first change. A row
/// that was added and deleted again is left out.
pub(crate) fn net(changes: impl IntoIterator<Item = Changed>) -> Vec<Changed> {
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut rows: Vec<Option<Changed>> = Vec::new();
    for change in changes {
        match places.entry((change.table.clone(), change.key.clone())) {
            Entry::Vacant(place) => {
                place.insert(rows.len());
                rows.push(Some(change));
            }
            Entry::Occupied(place) => {
                let row = &mut rows[*place.get()];
                *row = match row.take() {
                    Some(first) => sum(first, change),
                    None => Some(change),
                };
            }
        }
    }
    rows.into_iter().flatten().collect()
}

/// Two changes of a row as one; `None` if the second takes the first back.
fn sum(first: Changed, then: Changed) -> Option<Changed> {
    let (before, after) = match (first.operation, then.operation) {
        (Insert, Delete) => return None,
        (Insert, _) => (None, over(first.after, then.after)),
        (_, Delete) => (over(then.before, first.before), None),
        _ => (
            over(then.before, first.before),
            over(first.after, then.after),
        ),
    };
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => {
            let (before, after) = difference(before, after)?;
            (Some(before), Some(after))
        }
        whole => whole,
    };
    let operation = match (&before, &after) {
        (None, _) => Insert,
        (_, None) => Delete,
        _ => Update,
    };
    Some(Changed {
        operation,
        before,
        after,
        ..first
    })
}

/// The columns of both; those of `above` win.
fn over(below: Option<Columns>, above: Option<Columns>) -> Option<Columns> {
    let mut columns = below.unwrap_or_default();
    columns.extend(above.unwrap_or_default());
    Some(columns)
}

/// The columns that differ; `None` if there are none.
fn difference(mut before: Columns, mut after: Columns) -> Option<(Columns, Columns)> {
    after.retain(|name, value| before.get(name) != Some(value));
    before.retain(|name, _| after.contains_key(name));
    (!after.is_empty()).then_some((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn change(operation: &str, before: Value, after: Value) -> Changed {
        Changed {
            table: "events.guests".to_owned(),
            operation: frontdesk_protocol::changes::RowOperation::from_name(operation)
                .expect("an operation"),
            key: r#"{"id": 1}"#.to_owned(),
            before: before.as_object().cloned(),
            after: after.as_object().cloned(),
        }
    }

    #[test]
    fn several_changes_of_a_row_are_one() {
        let none = Value::Null;
        let added = || change("insert", none.clone(), json!({ "id": 1, "name": "Ada" }));
        let renamed = || change("update", json!({ "name": "Ada" }), json!({ "name": "Eva" }));
        let named_back = || change("update", json!({ "name": "Eva" }), json!({ "name": "Ada" }));
        let moved = || {
            change(
                "update",
                json!({ "city": "Ulm" }),
                json!({ "city": "Bonn" }),
            )
        };
        let removed = || change("delete", json!({ "id": 1, "name": "Eva" }), none.clone());
        for (changes, sum) in [
            (
                vec![added(), renamed()],
                vec![change(
                    "insert",
                    none.clone(),
                    json!({ "id": 1, "name": "Eva" }),
                )],
            ),
            (vec![added(), renamed(), removed()], vec![]),
            (vec![added(), removed(), added()], vec![added()]),
            (
                vec![renamed(), moved()],
                vec![change(
                    "update",
                    json!({ "city": "Ulm", "name": "Ada" }),
                    json!({ "name": "Eva", "city": "Bonn" }),
                )],
            ),
            (vec![renamed(), named_back()], vec![]),
            (
                vec![renamed(), removed()],
                vec![change(
                    "delete",
                    json!({ "id": 1, "name": "Ada" }),
                    none.clone(),
                )],
            ),
            (
                vec![removed(), added()],
                vec![change(
                    "update",
                    json!({ "name": "Eva" }),
                    json!({ "name": "Ada" }),
                )],
            ),
        ] {
            assert_eq!(net(changes), sum);
        }
    }
}
