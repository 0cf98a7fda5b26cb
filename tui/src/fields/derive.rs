//! Fields from a schema, or from the values of records.

use std::collections::HashMap;

use frontdesk_protocol::exact;
use frontdesk_protocol::reference::{is_amount, refers_to};
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value};

use super::{Field, Is, title};
use crate::look::text::clean;

/// The fields of a record of this schema. Schemas of results do not say which texts are long:
/// `is_prose` does.
pub(crate) fn of_schema(schema: &Value, is_prose: &dyn Fn(&str) -> bool) -> Vec<Field> {
    let fields = properties(schema).map(|(name, schema)| {
        let is = match what(name, schema) {
            Is::Text if is_prose(name) => Is::Prose,
            is => is,
        };
        Field::new(name, is)
    });
    let mut fields: Vec<Field> = fields.collect();
    let titles: Vec<String> = fields.iter().map(|field| field.title.clone()).collect();
    for field in fields
        .iter_mut()
        .filter(|field| field.name.ends_with("_id"))
    {
        // Beside a text "Answer", the id of an answer keeps its whole name.
        if titles.iter().filter(|title| **title == field.title).count() > 1 {
            field.title = title(&clean(&field.name));
        }
    }
    fields
}

/// The fields that occur in these records: as their schema says, otherwise as the values look.
pub(crate) fn of_records<'a>(
    schema: Option<&Value>,
    records: impl Iterator<Item = &'a Map<String, Value>>,
) -> Vec<Field> {
    let declared = schema.map_or_else(Vec::new, |schema| of_schema(schema, &|_| false));
    let mut places = HashMap::new();
    let mut found: Vec<(&str, Vec<&Value>)> = Vec::new();
    for (name, value) in records.flatten() {
        let at = *places.entry(name.as_str()).or_insert(found.len());
        if at == found.len() {
            found.push((name, Vec::new()));
        }
        found[at]
            .1
            .extend(Some(value).filter(|value| !value.is_null()));
    }
    let fields = found.into_iter().map(|(name, values)| {
        let known = declared.iter().find(|field| field.name == name);
        known
            .cloned()
            .unwrap_or_else(|| Field::new(name, look(name, &values)))
    });
    fields.collect()
}

/// A field without a schema: as its value looks.
pub(crate) fn of_value(name: &str, value: &Value) -> Field {
    Field::new(name, look(name, &[value]))
}

/// The properties of a schema.
pub(crate) fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> + Clone {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten()
}

impl Field {
    fn new(name: &str, is: Is) -> Self {
        Field {
            name: name.to_owned(),
            title: label(&clean(name)),
            is,
        }
    }
}

/// The label of a field: `is_active` becomes "Active", `guest_ids` becomes "Guests".
fn label(name: &str) -> String {
    let name = name.strip_prefix("is_").unwrap_or(name);
    let one = name.strip_suffix("_id").or(name.strip_suffix("_at"));
    match (one, name.strip_suffix("_ids")) {
        (None, Some(several)) => title(&format!("{several}s")),
        (one, _) => title(one.unwrap_or(name)),
    }
}

/// Whether the schema allows this type, besides null.
pub(crate) fn allows(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == kind,
        Some(Value::Array(several)) => several.iter().any(|one| one == kind),
        _ => false,
    }
}

/// What a field of this schema holds.
fn what(name: &str, schema: &Value) -> Is {
    let format = schema.get("format").and_then(Value::as_str);
    let refers = refers_to(schema).map(str::to_owned);
    match refers {
        Some(_) if name == "id" => return Is::Id,
        Some(kind) if allows(schema, "array") => return Is::References(kind),
        Some(kind) => return Is::Reference(kind),
        None => {}
    }
    if let Some(Value::Array(words)) = schema.get("enum") {
        let words = words.iter().filter_map(Value::as_str);
        return Is::State(words.map(str::to_owned).collect());
    }
    let has_fields = |schema: &&Value| schema.get("properties").is_some();
    match format {
        Some("date-time") => Is::Time,
        Some("date") => Is::Day,
        _ if allows(schema, "string") => Is::Text,
        _ if allows(schema, "boolean") => Is::Flag,
        _ if is_amount(schema) => Is::Amount,
        _ if allows(schema, "integer") || allows(schema, "number") => Is::Number,
        _ => match (schema.get("items").filter(has_fields), has_fields(&schema)) {
            (Some(record), _) => Is::Rows(of_schema(record, &|_| false)),
            (None, true) => Is::Record(of_schema(schema, &|_| false)),
            (None, false) => Is::Other,
        },
    }
}

/// What a field with these values seems to hold.
fn look(name: &str, values: &[&Value]) -> Is {
    let all = |fits: &dyn Fn(&Value) -> bool| values.iter().all(|value| fits(value));
    let texts = values.iter().filter_map(|value| value.as_str());
    let are_texts = all(&Value::is_string);
    let all_parse = |fits: fn(&str) -> bool| are_texts && texts.clone().all(fits);
    match name {
        _ if values.is_empty() => Is::Text,
        "name" | "title" | "label" if are_texts => Is::Name,
        "status" | "state" if are_texts => {
            let mut words: Vec<String> = texts.map(str::to_owned).collect();
            words.sort_unstable();
            words.dedup();
            Is::State(words)
        }
        "id" if all(&|value| value.is_string() || value.is_number()) => Is::Id,
        _ if all(&|value| exact::as_f64(value).is_some()) => Is::Number,
        _ if are_texts && (name.ends_with("_id") || name.ends_with("Id")) => Is::Id,
        _ if all(&Value::is_boolean) => Is::Flag,
        _ if all_parse(|text| text.parse::<Timestamp>().is_ok()) => Is::Time,
        _ if all_parse(|text| text.parse::<Date>().is_ok()) => Is::Day,
        _ if all_parse(|text| !text.contains('\n')) => Is::Text,
        _ if are_texts => Is::Prose,
        _ if all(&Value::is_object) => {
            let records = values.iter().filter_map(|value| value.as_object());
            Is::Record(of_records(None, records))
        }
        _ if all(&|value| is_rows(value)) => {
            let items = values.iter().filter_map(|value| value.as_array()).flatten();
            Is::Rows(of_records(None, items.filter_map(Value::as_object)))
        }
        _ => Is::Other,
    }
}

/// Whether the value is a list of records.
fn is_rows(value: &Value) -> bool {
    let items = value.as_array();
    items.is_some_and(|items| items.iter().all(Value::is_object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields(records: &Value) -> Vec<Field> {
        let records = records.as_array().into_iter().flatten();
        of_records(None, records.filter_map(Value::as_object))
    }

    #[test]
    fn values_without_a_schema_show_what_a_field_holds() {
        let fields = fields(&json!([
            { "id": 7, "title": "Late", "status": "open", "due_at": "2026-03-12T10:00:00Z", "votes": 2,
              "done": false, "parent_id": "x", "lines": [{ "text": "a" }], "labels": ["a", "b"] },
            { "id": 8, "status": "closed", "due_at": null, "day": "2026-03-12", "note": "a\nb",
              "by": { "name": "Ana" } },
        ]));
        let text = |is| vec![Field::new("text", is)];
        let found: Vec<_> = fields
            .iter()
            .map(|field| (field.title.as_str(), &field.is))
            .collect();
        assert_eq!(
            found,
            [
                ("Id", &Is::Id),
                ("Title", &Is::Name),
                ("Status", &Is::State(vec!["closed".into(), "open".into()])),
                ("Due", &Is::Time),
                ("Votes", &Is::Number),
                ("Done", &Is::Flag),
                ("Parent", &Is::Id),
                ("Lines", &Is::Rows(text(Is::Text))),
                ("Labels", &Is::Other),
                ("Day", &Is::Day),
                ("Note", &Is::Prose),
                ("By", &Is::Record(vec![Field::new("name", Is::Name)])),
            ]
        );
    }

    #[test]
    fn no_two_fields_have_one_title() {
        let text = json!({ "type": "string" });
        let schema =
            json!({ "properties": { "answer": text, "answer_id": text, "form_id": text } });
        let fields = of_schema(&schema, &|_| false);
        let titles: Vec<_> = fields.iter().map(|field| field.title.as_str()).collect();
        assert_eq!(titles, ["Answer", "Answer id", "Form"]);
    }

    #[test]
    fn a_schema_says_more_than_the_values() {
        let schema = json!({ "properties": {
            "member_id": { "type": "string", "x-record": "member" },
            "amount": { "type": "number", "x-amount": true },
            "missing": { "type": "string" },
        } });
        let record = json!({ "amount": 2, "member_id": "m", "extra": true });
        let fields = of_records(Some(&schema), record.as_object().into_iter());
        let is: Vec<_> = fields.iter().map(|field| &field.is).collect();
        let member = Is::Reference("member".to_owned());
        assert_eq!(is, [&Is::Amount, &member, &Is::Flag]);
    }
}
