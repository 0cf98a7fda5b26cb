//! Fields of records and results: what they hold, and how they are shown. They are derived from a
//! schema, or from values without one.

pub(crate) mod cell;
mod derive;
pub(crate) mod facts;
pub(crate) mod key;
pub(crate) mod names;
pub(crate) mod rows;

pub(crate) use derive::{allows, of_records, of_schema, of_value, properties};

use serde_json::Value;

/// Words that are not spelled like the names of fields.
const SPELLINGS: [(&str, &str); 5] = [
    ("email", "e-mail"),
    ("url", "URL"),
    ("uri", "URI"),
    ("adr", "ADR"),
    ("adrs", "ADRs"),
];

/// A field of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The label, safe to draw: `Due date`.
    pub(crate) title: String,
    pub(crate) is: Is,
}

/// The content of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Is {
    /// The record's own id, or one of an unknown kind.
    Id,
    /// The name of the record.
    Name,
    /// One of these words.
    State(Vec<String>),
    /// A timestamp.
    Time,
    /// A date.
    Day,
    /// The id of a record of this kind.
    Reference(String),
    /// Ids of records of this kind.
    References(String),
    /// A short text.
    Text,
    Number,
    /// Money.
    Amount,
    Flag,
    /// Text of several lines.
    Prose,
    /// Records within the record, with these fields.
    Rows(Vec<Field>),
    /// A record within the record, with these fields.
    Record(Vec<Field>),
    /// Lists of values and free-form objects.
    Other,
}

impl Field {
    /// The importance: names, states and times first; long texts, ids and tables last.
    pub(crate) fn rank(&self) -> u8 {
        match self.is {
            Is::Name => 0,
            Is::State(_) => 1,
            Is::Time | Is::Day => 2,
            Is::Reference(_) => 3,
            Is::Text => 4,
            Is::Number | Is::Amount => 5,
            Is::Flag => 6,
            Is::References(_) => 7,
            Is::Record(_) | Is::Other => 8,
            Is::Prose => 9,
            Is::Id => 10,
            Is::Rows(_) => 11,
        }
    }

    /// Whether its values are aligned to the right.
    pub(crate) fn is_right(&self) -> bool {
        matches!(
            self.is,
            Is::Amount | Is::Number | Is::References(_) | Is::Rows(_)
        )
    }

    /// The fields of the records within it.
    pub(crate) fn inner(&self) -> Option<&[Field]> {
        match &self.is {
            Is::Rows(fields) | Is::Record(fields) => Some(fields),
            _ => None,
        }
    }
}

/// Whether there is nothing to show.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A name as a label: `due_date` becomes "Due date".
pub(crate) fn title(name: &str) -> String {
    let words = name.split(['_', ' ']).map(|word| {
        let spelling = SPELLINGS.iter().find(|(name, _)| *name == word);
        spelling.map_or(word, |(_, spelling)| spelling)
    });
    let words = words.collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => words,
    }
}
