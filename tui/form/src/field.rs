//! One field of a form: its schema and its entry.

mod contents;
mod edit;
mod fill;
mod fit;
mod json;
mod make;
mod show;
mod value;

use serde_json::Value;

use crate::kind::Kind;
use crate::path::Segment;

pub(crate) use edit::Misuse;
pub use json::Json;
pub(crate) use make::Maker;
pub use show::State;
pub(crate) use show::counted;

/// One field of a form.
#[derive(Debug, Clone)]
pub struct Field {
    segment: Option<Segment>,
    label: String,
    description: Option<String>,
    required: bool,
    declared: bool,
    nullable: bool,
    default: Option<Value>,
    examples: Vec<Value>,
    kind: Kind,
    entry: Entry,
    /// For a container: its fields, declared ones first. They are kept while the container is left
    /// out.
    children: Vec<Field>,
    /// For a variant: the fields of every alternative that was ever chosen.
    bodies: Vec<Option<Field>>,
    chosen: Option<usize>,
    /// The references passed on the way from the root.
    trail: Vec<String>,
    recursive: bool,
}

/// The entry of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// Nothing: the field is not sent.
    Absent,
    /// An explicit null.
    Null,
    /// Text as typed, for a text or a number.
    Text(String),
    /// A boolean, a choice or a fixed value.
    Chosen(Value),
    /// A container whose value is in its fields, possibly none.
    Open,
    /// JSON as typed, possible for every field.
    Json(Json),
}

impl Field {
    /// Its position in the enclosing field; `None` for the whole form.
    pub fn segment(&self) -> Option<&Segment> {
        self.segment.as_ref()
    }

    /// Its key in the enclosing object.
    pub fn key(&self) -> Option<&str> {
        match &self.segment {
            Some(Segment::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// Its title, or its key in words.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The description from the schema.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Whether the schema requires it.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether the schema declares it. List entries and additional keys are not declared; they can
    /// be removed.
    pub fn is_declared(&self) -> bool {
        self.declared
    }

    /// Whether null is valid.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// Whether its schema contains itself, and this is not the outermost place.
    pub fn is_recursive(&self) -> bool {
        self.recursive
    }

    /// The value that the server assumes if the field is left out.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// Examples from the schema.
    pub fn examples(&self) -> &[Value] {
        &self.examples
    }

    /// What it is.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// What was entered.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The index of the chosen alternative of a variant.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.filter(|_| self.entry == Entry::Open)
    }

    /// The field of the chosen alternative. It has the same path as the variant.
    pub fn body(&self) -> Option<&Field> {
        self.bodies.get(self.chosen()?)?.as_ref()
    }

    /// The field that accepts input: the innermost body of a variant, otherwise the field itself.
    pub fn leaf(&self) -> &Field {
        self.body().map_or(self, Field::leaf)
    }

    /// The fields below an open container.
    pub fn children(&self) -> &[Field] {
        match self.entry {
            Entry::Open => &self.children,
            _ => &[],
        }
    }

    /// The field one step below, in the chosen alternative if there is one.
    pub(crate) fn child(&self, segment: &Segment) -> Option<&Field> {
        let mut children = self.leaf().children().iter();
        children.find(|child| child.segment.as_ref() == Some(segment))
    }
}
