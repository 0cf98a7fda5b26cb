//! Records in an answer, for choosing one.

use serde_json::{Map, Value};

use super::record::Record;
use crate::fields::{Field, Is, is_empty, of_records};
use crate::look::text::{clean, fold};
use crate::tabular::{Tabular, cell};

/// Keys with the name of a record, the likeliest first.
const NAMES: [&str; 10] = [
    "name",
    "title",
    "label",
    "full_name",
    "display_name",
    "displayName",
    "username",
    "email",
    "subject",
    "summary",
];
/// The number of fields shown beside the name.
const ABOUT: usize = 2;

/// A record that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Its id, as the host returned it.
    pub(crate) id: Value,
    /// Its name, safe to draw.
    pub(crate) name: String,
    /// The complete record.
    pub(crate) record: Map<String, Value>,
}

impl Found {
    /// The id as it is typed.
    pub(crate) fn id_text(&self) -> String {
        cell(&self.id)
    }

    /// The record as one of a declared kind; `None` if its id is not a text.
    pub(crate) fn as_record(&self) -> Option<Record> {
        Record::new(&Value::Object(self.record.clone()))
    }

    /// Whether every word of the text occurs in the shown fields.
    pub(crate) fn fits(&self, text: &str) -> bool {
        let shown = self.record.values().filter(|value| !value.is_object());
        let shown: Vec<String> = shown.map(|value| fold(&cell(value))).collect();
        let mut words = text.split_whitespace().map(fold);
        words.all(|word| shown.iter().any(|value| value.contains(&word)))
    }

    /// The value of a field; null if missing.
    pub(crate) fn value(&self, field: &Field) -> &Value {
        self.record.get(&field.name).unwrap_or(&Value::Null)
    }
}

/// The records of this kind in an answer; those without an id are left out.
pub(crate) fn records(answer: &Value, kind: &str) -> Vec<Found> {
    let items = match answer {
        Value::Array(items) => Some(items),
        answer => Tabular::of(answer).and_then(|shape| shape.list.map(|(_, items)| items)),
    };
    let items = items.into_iter().flatten().filter_map(Value::as_object);
    items.filter_map(|record| found(record, kind)).collect()
}

/// The record, if it has an id.
pub(crate) fn found(record: &Map<String, Value>, kind: &str) -> Option<Found> {
    let own = [format!("{kind}_id"), format!("{kind}Id")];
    let keys = ["id", own[0].as_str(), own[1].as_str(), "uuid", "_id", "key"];
    let id = keys.into_iter().find_map(|key| record.get(key))?;
    if !(id.is_string() || id.is_number()) {
        return None;
    }
    let text = |key: &&str| record.get(*key).and_then(Value::as_str);
    let named = NAMES.iter().find_map(text).map(str::to_owned);
    let name = named.unwrap_or_else(|| {
        let mut others = record
            .iter()
            .filter(|(key, _)| !keys.contains(&key.as_str()));
        let words = others.find_map(|(_, value)| value.as_str());
        words.map_or_else(|| cell(id), str::to_owned)
    });
    Some(Found {
        id: id.clone(),
        name: clean(&name).into_owned(),
        record: record.clone(),
    })
}

/// The fields beside the names: a state and a time first, no empty ones.
pub(crate) fn about(found: &[Found]) -> Vec<Field> {
    let mut fields = of_records(None, found.iter().map(|one| &one.record));
    fields.retain(|field| {
        let is_long = match field.is {
            Is::Id | Is::Prose | Is::Rows(_) | Is::Record(_) | Is::Other => true,
            _ => field.name == "description",
        };
        let is_told = |one: &Found| {
            let value = one.value(field);
            let is_name = value.as_str().is_some_and(|text| clean(text) == one.name);
            !(is_name || is_empty(value) || *value == Value::Bool(false))
        };
        !is_long && found.iter().any(is_told)
    });
    fields.sort_by_key(Field::rank);
    // A start time is sufficient.
    fields.dedup_by_key(|field| match field.is {
        Is::Time | Is::Day => String::new(),
        _ => field.name.clone(),
    });
    fields.truncate(ABOUT);
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn records_are_found_with_their_names_and_ids() {
        let answer = json!({ "has_more": false, "guests": [
            { "id": "a", "email": "z@example.org", "name": "Zoë\u{1b} Müller" }, { "name": "no id" },
        ] });
        let guests = records(&answer, "guest");
        let [zoe] = guests.as_slice() else {
            panic!("{guests:?}");
        };
        assert_eq!(
            (zoe.id_text().as_str(), zoe.name.as_str()),
            ("a", "Zoë Müller")
        );
        assert!(zoe.fits("zoe mull") && zoe.fits("example") && !zoe.fits("zoe q"));
        let numbered = records(&json!([{ "issue_id": 7, "text": "Late" }]), "issue");
        assert_eq!(
            (&numbered[0].id, numbered[0].name.as_str()),
            (&json!(7), "Late")
        );
        assert_eq!(records(&json!("nothing"), "guest"), []);
    }

    #[test]
    fn a_state_and_a_time_stand_beside_the_name() {
        let tasks = records(
            &json!([
                { "id": "a", "event_id": "e", "title": "Chairs", "description": "x", "status": "todo",
                  "start_date": null, "due_date": "2026-03-12" },
                { "id": "b", "event_id": "e", "title": "Doors", "description": null, "status": "done",
                  "start_date": null, "due_date": null },
            ]),
            "task",
        );
        let titles: Vec<String> = about(&tasks).into_iter().map(|field| field.title).collect();
        assert_eq!(titles, ["Status", "Due date"]);
        assert!(about(&[]).is_empty());
    }
}
