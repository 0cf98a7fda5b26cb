//! Builds fields from the schema, only as deep as they are visible.

use serde_json::Value;

use super::{Entry, Field};
use crate::kind::{self, Format, Kind, Part};
use crate::path::Segment;
use crate::schema::Document;

/// The limit of fields that are built without user action: schemas can multiply.
const MOST_AT_ONCE: usize = 2000;

/// The depth to which required objects are opened automatically.
const DEEPEST: usize = 16;

/// Builds fields from the schema.
#[derive(Debug)]
pub(crate) struct Maker<'a> {
    pub(super) document: &'a Document,
    made: usize,
    depth: usize,
}

/// The position of a field.
#[derive(Debug)]
pub(super) struct Position<'a> {
    pub(super) segment: Option<Segment>,
    pub(super) required: bool,
    pub(super) declared: bool,
    pub(super) trail: &'a [String],
}

impl<'a> Maker<'a> {
    pub(crate) fn new(document: &'a Document) -> Maker<'a> {
        Maker {
            document,
            made: 0,
            depth: 0,
        }
    }

    /// The opened field for the whole schema.
    pub(crate) fn root(&mut self) -> Field {
        let position = Position {
            segment: None,
            required: true,
            declared: true,
            trail: &[],
        };
        let mut root = self.field(position, self.document.root());
        if root.kind.is_container() {
            root.open(self);
        }
        root
    }

    pub(super) fn field(&mut self, position: Position<'_>, schema: &Value) -> Field {
        self.made += 1;
        let name = match &position.segment {
            Some(Segment::Key(key)) => key.as_str(),
            _ => "",
        };
        let reading = kind::read(self.document, schema, name);
        let said = |keyword: &str| {
            let text = schema.get(keyword)?.as_str()?.trim();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let description = reading.words.get("description").and_then(Value::as_str);
        let is_recursive = reading
            .passed
            .iter()
            .any(|one| position.trail.contains(one));
        let mut trail = position.trail.to_vec();
        trail.extend(reading.passed);
        // The title of a referenced schema names the type, not this field.
        let label =
            said("title").unwrap_or_else(|| label(position.segment.as_ref(), &reading.kind));
        let default = schema.get("default").or(reading.words.get("default"));
        let examples = match reading.words.get("examples") {
            Some(Value::Array(examples)) => examples.clone(),
            _ => Vec::new(),
        };
        let mut field = Field {
            label,
            description: said("description").or_else(|| description.map(str::to_owned)),
            required: position.required,
            declared: position.declared,
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
            recursive: is_recursive,
            segment: position.segment,
        };
        if position.required {
            field.begin(self, is_recursive);
        }
        field
    }

    pub(super) fn child(
        &mut self,
        of: &Field,
        segment: Segment,
        required: bool,
        schema: &Part,
    ) -> Field {
        let declared = match (&of.kind, &segment) {
            (Kind::Object(object), Segment::Key(key)) => {
                object.properties.iter().any(|one| one.name == *key)
            }
            _ => false,
        };
        let position = Position {
            segment: Some(segment),
            required,
            declared,
            trail: &of.trail,
        };
        self.depth += 1;
        let child = self.field(position, schema);
        self.depth -= 1;
        child
    }
}

impl Field {
    /// Enters the initial value of a required field. Additional keys start empty.
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
        } else if matches!(self.kind, Kind::Object(_) | Kind::Map(_)) && may_go_on && !is_recursive
        {
            self.open(maker);
        }
    }

    /// Opens a container and restores its previous entries.
    pub(super) fn open(&mut self, maker: &mut Maker<'_>) {
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
        // `owner` beside `owner_id`: each is called by its whole name.
        let labels: Vec<_> = self
            .children
            .iter()
            .map(|child| child.label.clone())
            .collect();
        for child in &mut self.children {
            let is_taken = labels.iter().filter(|label| **label == child.label).count() > 1;
            if let Some(words) = child.key().map(in_words).filter(|_| is_taken) {
                child.label = words;
            }
        }
    }
}

/// An argument of our hosts with the name of an area before that of its kind.
const SAID: (&str, &str) = ("strategy_business_unit_id", "Business unit");

fn label(segment: Option<&Segment>, kind: &Kind) -> String {
    match segment {
        None => "Arguments".to_owned(),
        Some(Segment::Index(index)) => (index + 1).to_string(),
        Some(Segment::Key(key)) => spoken(key, kind),
    }
}

/// A key as people call what it holds: `start_at` is "Starts" if it is a time, `owner_id` "Owner", `guest_ids` "Guests".
pub(super) fn spoken(key: &str, kind: &Kind) -> String {
    if key == SAID.0 {
        return SAID.1.to_owned();
    }
    let words = in_words(key);
    if let Some(one) = words.strip_suffix(" ids") {
        return format!("{one}s");
    }
    if let Some(one) = words.strip_suffix(" id") {
        return one.to_owned();
    }
    let is_time = matches!(kind, Kind::Text(text)
        if text.is_clock || matches!(text.format, Some(Format::DateTime | Format::Date)));
    let when = [" at", " on"]
        .iter()
        .find_map(|end| words.strip_suffix(end));
    match when.filter(|_| is_time) {
        Some("Start") => "Starts".to_owned(),
        Some("End") => "Ends".to_owned(),
        Some("First") => "First day".to_owned(),
        Some("Check in") => "Checked in".to_owned(),
        Some(when) => when.to_owned(),
        None => words,
    }
}

/// A key as a label: `check_in_at` and `checkInAt` become "Check in at".
pub(super) fn in_words(key: &str) -> String {
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
