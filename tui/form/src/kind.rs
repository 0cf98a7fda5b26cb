//! What a field is: the widget that fits what the schema says.

mod alternatives;
mod read;
mod text;

use std::sync::Arc;

use serde_json::{Number, Value};

pub(crate) use read::read;
pub(crate) use text::written;

/// A part of the schema, as it stands in the document.
pub(crate) type Part = Arc<Value>;

/// What a field is.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A text.
    Text(Text),
    /// A number.
    Number(Bounds),
    /// Yes or no.
    Boolean,
    /// One of these values.
    Choice(Vec<Choice>),
    /// This value, and no other.
    Const(Value),
    /// Any number of fields of one kind.
    List(List),
    /// Fields with names.
    Object(Object),
    /// Names that a person gives, each with a field: a free-form object.
    Map(Map),
    /// One of several, to be chosen first.
    Variant(Vec<Alternative>),
    /// What no widget fits: JSON, as text.
    Raw,
}

/// What a text has to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// What it is written in.
    pub format: Option<Format>,
    /// Whether it is likely to have more than one line.
    pub multiline: bool,
    /// Whether it should not be shown as it is typed.
    pub secret: bool,
    /// Fewest characters.
    pub min: Option<u64>,
    /// Most characters.
    pub max: Option<u64>,
    /// The regular expression that it matches.
    pub pattern: Option<String>,
}

/// What a text is written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Format {
    /// `2026-03-12`
    Date,
    /// `2026-03-12T18:30:00Z`
    DateTime,
    /// `18:30:00Z`
    Time,
    /// `0190a1b2-0000-7000-8000-000000000001`
    Uuid,
    /// `https://example.org/photo.jpg`
    Uri,
    /// `name@example.org`
    Email,
    /// Another one, by its name in the schema.
    Other(String),
}

/// The bounds of a number. They are as they stand in the schema, to be shown so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Whether it is a whole number.
    pub integer: bool,
    /// The least.
    pub min: Option<Number>,
    /// The greatest.
    pub max: Option<Number>,
    /// It is greater than this.
    pub above: Option<Number>,
    /// It is less than this.
    pub below: Option<Number>,
    /// It is a multiple of this.
    pub step: Option<Number>,
}

/// A value to choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What is sent, with its type.
    pub value: Value,
    /// What it is called.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

impl Choice {
    pub(crate) fn of(value: Value) -> Choice {
        Choice {
            label: plain(&value),
            value,
            description: None,
        }
    }
}

/// A list.
#[derive(Debug, Clone)]
pub struct List {
    /// Fewest entries.
    pub min: Option<u64>,
    /// Most entries.
    pub max: Option<u64>,
    /// Whether no two entries may be the same.
    pub unique: bool,
    /// What the first entries are, where the schema tells them apart.
    pub(crate) first: Vec<Part>,
    /// What the other entries are.
    pub(crate) item: Part,
}

impl List {
    pub(crate) fn item(&self, index: usize) -> &Part {
        self.first.get(index).unwrap_or(&self.item)
    }
}

/// An object with declared fields.
#[derive(Debug, Clone)]
pub struct Object {
    /// Whether other keys may be added.
    pub additional: Additional,
    pub(crate) properties: Vec<Property>,
    /// What the value of another key is.
    pub(crate) values: Part,
}

/// A declared field of an object.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) schema: Part,
}

/// Whether an object takes keys that it does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additional {
    /// It does, and says so.
    Invited,
    /// It does not say that it does not.
    Tolerated,
    /// It does not.
    Refused,
}

/// An object with free keys.
#[derive(Debug, Clone)]
pub struct Map {
    /// Fewest keys.
    pub min: Option<u64>,
    /// Most keys.
    pub max: Option<u64>,
    pub(crate) required: Vec<String>,
    pub(crate) values: Part,
}

/// One of the kinds that a field with several can be.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// What it is called.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
    pub(crate) schema: Part,
    /// Where it stands in `anyOf` or `oneOf`, and in those within; nowhere if it is a type of several.
    pub(crate) branch: Vec<usize>,
}

impl Kind {
    /// What a value of this kind is called: `text`, `whole number`, `list`.
    pub fn noun(&self) -> &'static str {
        match self {
            Kind::Text(text) => match &text.format {
                Some(Format::Date) => "date",
                Some(Format::DateTime) => "date and time",
                Some(Format::Time) => "time",
                Some(Format::Uuid) => "id",
                Some(Format::Uri) => "address",
                Some(Format::Email) => "e-mail address",
                Some(Format::Other(_)) | None => "text",
            },
            Kind::Number(bounds) if bounds.integer => "whole number",
            Kind::Number(_) => "number",
            Kind::Boolean => "yes or no",
            Kind::Choice(_) => "choice",
            Kind::Const(_) => "fixed",
            Kind::List(_) => "list",
            Kind::Object(_) | Kind::Map(_) => "object",
            Kind::Variant(_) => "one of several",
            Kind::Raw => "JSON",
        }
    }

    /// Whether it is made of fields below it.
    pub fn is_container(&self) -> bool {
        matches!(self, Kind::List(_) | Kind::Object(_) | Kind::Map(_))
    }
}

/// A value as people write it: text without quotation marks, everything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
