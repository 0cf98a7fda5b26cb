//! One field of a form: what it is, and what was entered.

mod edit;
mod fill;
mod fit;
mod number;
mod show;
mod value;

use serde_json::Value;

use crate::kind::{self, Kind, Part};
use crate::path::Segment;
use crate::schema::Document;

pub(crate) use edit::Misuse;
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

/// JSON as it was typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Json {
    text: String,
    value: Result<Value, String>,
}

impl Json {
    /// Reads the text. Text that is no JSON stays as it is, to be mended.
    pub fn read(text: impl Into<String>) -> Json {
        let text = text.into();
        let value = serde_json::from_str(&text).map_err(|error| error.to_string());
        Json { text, value }
    }

    /// The value, as text over several lines.
    pub fn of(value: &Value) -> Json {
        Json {
            text: serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string()),
            value: Ok(value.clone()),
        }
    }

    /// The text as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it means.
    ///
    /// # Errors
    /// Why it is no JSON, with line and column.
    pub fn value(&self) -> Result<&Value, &str> {
        self.value.as_ref().map_err(String::as_str)
    }
}

/// How many fields are made before anybody asked for them: schemas can multiply.
const MOST_AT_ONCE: usize = 2000;

/// How deep objects that must be there are opened by themselves.
const DEEPEST: usize = 16;

/// Makes fields from the schema.
#[derive(Debug)]
pub(crate) struct Maker<'a> {
    document: &'a Document,
    made: usize,
    depth: usize,
}

/// Where a field stands.
#[derive(Debug)]
struct Place<'a> {
    segment: Option<Segment>,
    required: bool,
    declared: bool,
    trail: &'a [String],
}

impl<'a> Maker<'a> {
    pub(crate) fn new(document: &'a Document) -> Maker<'a> {
        Maker {
            document,
            made: 0,
            depth: 0,
        }
    }

    /// The field of the whole schema, open.
    pub(crate) fn root(&mut self) -> Field {
        let place = Place {
            segment: None,
            required: true,
            declared: true,
            trail: &[],
        };
        let mut root = self.field(place, self.document.root());
        if root.kind.is_container() {
            root.open(self);
        }
        root
    }

    fn field(&mut self, place: Place<'_>, schema: &Value) -> Field {
        self.made += 1;
        let name = match &place.segment {
            Some(Segment::Key(key)) => key.as_str(),
            _ => "",
        };
        let reading = kind::read(self.document, schema, name);
        let said = |keyword: &str| {
            let text = schema.get(keyword)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let description = reading.words.get("description").and_then(Value::as_str);
        let is_recursive = reading.passed.iter().any(|one| place.trail.contains(one));
        let mut trail = place.trail.to_vec();
        trail.extend(reading.passed);
        // A title of what is referred to names the type, not this field.
        let label = said("title").unwrap_or_else(|| label(place.segment.as_ref()));
        let default = schema.get("default").or(reading.words.get("default"));
        let examples = match reading.words.get("examples") {
            Some(Value::Array(examples)) => examples.clone(),
            _ => Vec::new(),
        };
        let mut field = Field {
            label,
            description: said("description").or_else(|| description.map(str::to_owned)),
            required: place.required,
            declared: place.declared,
            nullable: reading.nullable,
            default: default.cloned(),
            examples,
            bodies: match &reading.kind {
                Kind::Variant(several) => vec![None; several.len()],
                _ => Vec::new(),
            },
            kind: reading.kind,
            entry: Entry::Absent,
            children: Vec::new(),
            chosen: None,
            trail,
            segment: place.segment,
        };
        if place.required {
            field.begin(self, is_recursive);
        }
        field
    }

    fn child(&mut self, of: &Field, segment: Segment, required: bool, schema: &Part) -> Field {
        let declared = match (&of.kind, &segment) {
            (Kind::Object(object), Segment::Key(key)) => {
                object.properties.iter().any(|one| one.name == *key)
            }
            _ => false,
        };
        let place = Place {
            segment: Some(segment),
            required,
            declared,
            trail: &of.trail,
        };
        self.depth += 1;
        let child = self.field(place, schema);
        self.depth -= 1;
        child
    }
}

impl Field {
    /// Enters what a field that must be there has from the beginning.
    fn begin(&mut self, maker: &mut Maker<'_>, is_recursive: bool) {
        if let Kind::Const(value) = &self.kind {
            self.entry = Entry::Chosen(value.clone());
            return;
        }
        let may_go_on = maker.made < MOST_AT_ONCE && maker.depth < DEEPEST;
        if let Some(default) = self.default.clone()
            && may_go_on
        {
            self.take(maker, &default);
        } else if matches!(self.kind, Kind::Object(_)) && may_go_on && !is_recursive {
            self.open(maker);
        }
    }

    /// Includes a container, with what its fields have.
    fn open(&mut self, maker: &mut Maker<'_>) {
        self.entry = Entry::Open;
        let Kind::Object(object) = &self.kind else {
            return;
        };
        if !self.children.is_empty() {
            return;
        }
        let properties = object.properties.clone();
        let children: Vec<_> = properties
            .into_iter()
            .map(|property| {
                let key = Segment::Key(property.name);
                maker.child(self, key, property.required, &property.schema)
            })
            .collect();
        self.children = children;
    }

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

fn label(segment: Option<&Segment>) -> String {
    match segment {
        None => "Arguments".to_owned(),
        Some(Segment::Index(index)) => (index + 1).to_string(),
        Some(Segment::Key(key)) => in_words(key),
    }
}

/// A key in words: `check_in_at` and `checkInAt` are "Check in at".
fn in_words(key: &str) -> String {
    let mut words = String::with_capacity(key.len() + 4);
    let mut before = ' ';
    for c in key.chars() {
        let separates = matches!(c, '_' | '-') && !words.is_empty();
        if separates {
            words.push(' ');
        } else if words.is_empty() {
            words.extend(c.to_uppercase());
        } else if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
            words.extend(c.to_lowercase());
        } else {
            words.push(c);
        }
        before = c;
    }
    match words.trim() {
        "" => key.to_owned(),
        words => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_as_words() {
        for (key, expected) in [
            ("name", "Name"),
            ("check_in_at", "Check in at"),
            ("checkInAt", "Check in at"),
            ("dry-run", "Dry run"),
            ("HTTPServer", "HTTPServer"),
            ("_id", "_id"),
            ("", ""),
            ("été_été", "Été été"),
        ] {
            assert_eq!(in_words(key), expected, "{key}");
        }
    }
}
