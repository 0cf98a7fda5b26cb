//! The changes of a call as table rows: one for each changed field, added or deleted record, and
//! number of further rows or webhooks.

use frontdesk_protocol::changes::{Changes, RowChange, RowOperation};
use serde_json::{Map, Value, json};

/// The changes as a list of records, with the digest that binds a call to them.
pub fn change_rows(changes: &Changes) -> Value {
    let listed = changes.rows.iter().flat_map(rows);
    let more = changes.more.iter().map(|more| {
        let name = match more.hidden {
            true => "rows not visible to you",
            false => "further rows",
        };
        let record = record(more.kind.as_deref(), &more.table);
        row(more.operation.name(), &record, name, more.count)
    });
    let webhooks = changes.webhooks.iter();
    let webhooks = webhooks.map(|one| row("send", "webhook", &one.event, one.count));
    let rows: Vec<Value> = listed.chain(more).chain(webhooks).collect();
    json!({ "digest": changes.digest, "changes": rows })
}

fn rows(change: &RowChange) -> Vec<Value> {
    let record = record(change.kind.as_deref(), &change.table);
    let name = change.label.clone().unwrap_or_else(|| {
        let keys = change.key.values().map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.to_string(),
        });
        keys.collect::<Vec<_>>().join(" ")
    });
    let row = row(change.operation.name(), &record, &name, 1);
    let (RowOperation::Update, Some(after)) = (change.operation, &change.after) else {
        return vec![row];
    };
    let before = change.before.as_ref();
    let before = |field: &String| before.and_then(|before| before.get(field)).cloned();
    let fields = after.iter().map(|(field, after)| {
        let mut row = row.clone();
        row["field"] = field.as_str().into();
        row["before"] = before(field).unwrap_or_default();
        row["after"] = after.clone();
        row
    });
    fields.collect()
}

fn record(kind: Option<&str>, table: &str) -> String {
    kind.map_or_else(|| table.to_owned(), |kind| kind.replace('_', " "))
}

fn row(operation: &str, record: &str, name: &str, count: u64) -> Value {
    Value::Object(Map::from_iter([
        ("operation".to_owned(), operation.into()),
        ("record".to_owned(), record.into()),
        ("name".to_owned(), name.into()),
        ("field".to_owned(), Value::Null),
        ("before".to_owned(), Value::Null),
        ("after".to_owned(), Value::Null),
        ("rows".to_owned(), count.into()),
    ]))
}
