//! One field of a form: what it is, and what was entered.

mod contents;
mod edit;
mod fill;
mod fit;
mod json;
mod make;
mod number;
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
    /// Of a container: its fields, the declared ones first. They outlive being left out.
    children: Vec<Field>,
    /// Of a variant: the fields of the alternatives that were chosen once.
    bodies: Vec<Option<Field>>,
    chosen: Option<usize>,
    /// The references that led here from the root.
    trail: Vec<String>,
}

/// What was entered into a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// Nothing: the field is left out of what is sent.
    Absent,
    /// Null, which is sent.
    Null,
    /// What was typed, as it was typed: a text, or a number.
    Text(String),
    /// A yes or no, a choice, a fixed value.
    Chosen(Value),
    /// What is in the fields below it; there may be none.
    Open,
    /// JSON, as it was typed. Any field can be given so.
    Json(Json),
}

impl Field {
    /// Its place in what it lies in; nothing for the whole form.
    pub fn segment(&self) -> Option<&Segment> {
        self.segment.as_ref()
    }

    /// The key that it has in its object.
    pub fn key(&self) -> Option<&str> {
        match &self.segment {
            Some(Segment::Key(key)) => Some(key),
            _ => None,
        }
    }

    /// What it is called: its title, or its key in words.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What it means.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// Whether it has to be there.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether the schema names it. Entries of lists and free keys are not, and can be removed.
    pub fn is_declared(&self) -> bool {
        self.declared
    }

    /// Whether it may be null.
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// What the server takes it for where it is left out.
    pub fn default(&self) -> Option<&Value> {
        self.default.as_ref()
    }

    /// Values that the schema shows.
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

    /// Which alternative of a variant is chosen.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen.filter(|_| self.entry == Entry::Open)
    }

    /// The field of the chosen alternative. It has the same place as the variant.
    pub fn body(&self) -> Option<&Field> {
        self.bodies.get(self.chosen()?)?.as_ref()
    }

    /// The field that takes what is entered: the innermost body of a variant, else the field itself.
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

    /// The field below it, in the chosen alternative where there is a choice.
    pub(crate) fn child(&self, segment: &Segment) -> Option<&Field> {
        let mut children = self.leaf().children().iter();
        children.find(|child| child.segment.as_ref() == Some(segment))
    }
}
