//! The kind of a field: the widget that fits its schema.

mod alternatives;
mod read;
mod text;

use std::sync::Arc;

use frontdesk_protocol::exact;
use serde_json::{Number, Value};

pub(crate) use read::read;
pub(crate) use text::written;

/// A part of the schema, unchanged.
pub(crate) type Part = Arc<Value>;

/// The kind of a field.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A text.
    Text(Text),
    /// A number.
    Number(Bounds),
    /// Yes or no.
    Boolean,
    /// One of several values.
    Choice(Vec<Choice>),
    /// A single fixed value.
    Const(Value),
    /// A list of fields of one kind.
    List(List),
    /// Fields with declared names.
    Object(Object),
    /// Fields with names that the user chooses: a free-form object.
    Map(Map),
    /// One of several alternatives; the user chooses first.
    Variant(Vec<Alternative>),
    /// JSON as text, if no widget fits.
    Raw,
}

/// Constraints of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// Its format.
    pub format: Option<Format>,
    /// Whether it probably has several lines.
    pub multiline: bool,
    /// Whether the input is masked.
    pub secret: bool,
    /// Minimum number of characters.
    pub min: Option<u64>,
    /// Maximum number of characters.
    pub max: Option<u64>,
    /// The regular expression that it must match.
    pub pattern: Option<String>,
    /// Whether the pattern is that of a time of day: `9` and `9:30` are then read, too.
    pub is_clock: bool,
}

/// The format of a text.
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
    /// Any other format, by its name in the schema.
    Other(String),
}

/// The bounds of a number, in the notation of the schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Whether it must be an integer.
    pub integer: bool,
    /// Inclusive minimum.
    pub min: Option<Number>,
    /// Inclusive maximum.
    pub max: Option<Number>,
    /// Exclusive minimum.
    pub above: Option<Number>,
    /// Exclusive maximum.
    pub below: Option<Number>,
    /// It must be a multiple of this.
    pub step: Option<Number>,
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The value to send.
    pub value: Value,
    /// The text to show.
    pub label: String,
    /// Its description, if the schema has one.
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
    /// Minimum number of entries.
    pub min: Option<u64>,
    /// Maximum number of entries.
    pub max: Option<u64>,
    /// Whether all entries must differ.
    pub unique: bool,
    /// Schemas of the first entries, for a tuple.
    pub(crate) first: Vec<Part>,
    /// Schema of the other entries.
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
    /// Whether additional keys are allowed.
    pub additional: Additional,
    pub(crate) properties: Vec<Property>,
    /// Schema of the values of additional keys.
    pub(crate) values: Part,
}

/// A declared field of an object.
#[derive(Debug, Clone)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) schema: Part,
}

/// Whether an object accepts keys that it does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additional {
    /// Explicitly allowed.
    Invited,
    /// Not mentioned in the schema, so allowed.
    Tolerated,
    /// Forbidden.
    Refused,
}

/// An object with keys that the user chooses.
#[derive(Debug, Clone)]
pub struct Map {
    /// Minimum number of keys.
    pub min: Option<u64>,
    /// Maximum number of keys.
    pub max: Option<u64>,
    pub(crate) required: Vec<String>,
    pub(crate) values: Part,
}

/// An alternative of a variant.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The text to show.
    pub label: String,
    /// Its description, if the schema has one.
    pub description: Option<String>,
    pub(crate) schema: Part,
    /// Its indices in `anyOf` or `oneOf`, outermost first; empty if it is one of several types.
    pub(crate) branch: Vec<usize>,
}

impl Kind {
    /// The noun for a value of this kind: `text`, `whole number`, `list`.
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

    /// Whether any JSON is valid.
    pub fn is_anything(&self) -> bool {
        match self {
            Kind::Variant(several) => {
                several.len() == read::ANYTHING.len()
                    && several.iter().all(|one| one.branch.is_empty())
            }
            _ => false,
        }
    }

    /// Whether it consists of fields.
    pub fn is_container(&self) -> bool {
        matches!(self, Kind::List(_) | Kind::Object(_) | Kind::Map(_))
    }
}

/// A value for people: text without quotation marks, everything else as JSON.
pub(crate) fn plain(value: &Value) -> String {
    exact::plain(value)
}
