//! Collects what is wrong with a value, field by field.

use std::fmt;

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Field, Of, Omitted, Shape, Wire};
use crate::error::{ErrorCode, ToolError};

/// The maximum number of characters of a refused text that a complaint repeats.
const SHOWN: usize = 60;
/// The maximum number of complaints that are kept: a request cannot make its refusal larger.
pub const MOST_COMPLAINTS: usize = 20;

/// The place in the value that is being read, and the first complaints.
#[derive(Debug, Default)]
pub struct Reader {
    path: Vec<Step>,
    complaints: Vec<ToolError>,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Field(&'static str),
    Item(usize),
}

impl Reader {
    /// The path of the current place: `tags.colour`, `member_ids[2]`. Empty at the top.
    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Field(name) if path.is_empty() => path.push_str(name),
                Step::Field(name) => path.extend([".", name]),
                Step::Item(at) => path.push_str(&format!("[{at}]")),
            }
        }
        path
    }

    /// Complains about the value at the current place. The message follows the field's name: "must be a number, not null".
    pub fn complain<T>(&mut self, message: impl Into<String>) -> Option<T> {
        self.add(message.into());
        None
    }

    // Like all that follows, as little as possible is generic: it would be compiled once for each type.
    fn add(&mut self, message: String) {
        self.keep(|path| match path.is_empty() {
            true => ToolError::new(ErrorCode::InvalidArgument, message),
            false => ToolError::invalid(path, message),
        });
    }

    /// Keeps a complaint about the current path, if there is room for it.
    fn keep(&mut self, complaint: impl FnOnce(String) -> ToolError) {
        if self.complaints.len() < MOST_COMPLAINTS {
            let complaint = complaint(self.path());
            self.complaints.push(complaint);
        }
    }

    /// Complains that the value is not what it should be: "a number", "true or false".
    pub fn expected<T>(&mut self, expected: &str, value: &Value) -> Option<T> {
        self.unexpected(expected, value);
        None
    }

    fn unexpected(&mut self, expected: &str, value: &Value) {
        self.add(format!("must be {expected}, not {}", given(value)));
    }

    /// A text.
    pub fn text<'a>(&mut self, value: &'a Value) -> Option<&'a str> {
        match value {
            Value::String(text) => Some(text),
            other => self.expected("a string", other),
        }
    }

    /// A list.
    pub fn list<'a>(&mut self, value: &'a Value) -> Option<&'a [Value]> {
        match value {
            Value::Array(values) => Some(values),
            other => self.expected("a list", other),
        }
    }

    /// One of a few words: its place among them.
    pub fn word(&mut self, value: &Value, words: &[&str]) -> Option<usize> {
        let place = value
            .as_str()
            .and_then(|text| words.iter().position(|one| *one == text));
        place.or_else(|| self.expected(&format!("one of {}", words.join(", ")), value))
    }

    /// The id of a record.
    pub fn id(&mut self, value: &Value) -> Option<Uuid> {
        let Value::String(text) = value else {
            return self.expected("a UUID string", value);
        };
        let id = text.parse().ok();
        id.or_else(|| self.complain("must be a UUID: 32 hexadecimal digits in five groups"))
    }

    /// Reads an entry of a list.
    pub fn item<T: Wire>(&mut self, at: usize, value: &Value) -> Option<T> {
        self.path.push(Step::Item(at));
        let read = T::read(value, self);
        self.path.pop();
        read
    }

    /// Reads the value under a key, which must be there.
    pub fn under<T: Wire>(&mut self, key: &'static str, value: &Value) -> Option<T> {
        self.path.push(Step::Field(key));
        let read = match value.get(key) {
            Some(value) => T::read(value, self),
            None => self.complain("is required"),
        };
        self.path.pop();
        read
    }

    /// The fields of a struct. Complains about unknown ones if the struct is strict.
    pub fn object<'a>(
        &mut self,
        value: &'a Value,
        shape: &'static Shape,
    ) -> Option<&'a Map<String, Value>> {
        let Value::Object(fields) = value else {
            return self.expected("an object", value);
        };
        if shape.is_strict {
            let unknown = fields.keys().filter(|name| shape.field(name).is_none());
            for name in unknown.take(MOST_COMPLAINTS) {
                self.keep(|path| {
                    let dot = if path.is_empty() { "" } else { "." };
                    let field = format!("{path}{dot}{}", Cut(name));
                    let error = ToolError::invalid(field, "there is no such argument");
                    match shape.names().as_slice() {
                        [] => error.hint("this tool takes no arguments"),
                        names => error.hint(format!("the arguments are {}", names.join(", "))),
                    }
                });
            }
        }
        Some(fields)
    }

    /// Reads a field. If it is omitted, its type says what that means.
    pub fn field<T: Wire>(
        &mut self,
        fields: &Map<String, Value>,
        field: &'static Field,
    ) -> Option<T> {
        let Some(value) = self.enter(fields, field) else {
            let omitted = T::omitted();
            self.leave(omitted.is_none());
            return omitted;
        };
        let read = T::read(value, self);
        self.leave(false);
        read
    }

    /// Reads a field whose omission means the default of its type.
    pub fn field_or_default<T: Wire + Default>(
        &mut self,
        fields: &Map<String, Value>,
        field: &'static Field,
    ) -> Option<T> {
        let read = match self.enter(fields, field) {
            Some(value) => T::read(value, self),
            None => Some(T::default()),
        };
        self.leave(false);
        read
    }

    /// Goes to a field: its value, if it is there.
    fn enter<'a>(
        &mut self,
        fields: &'a Map<String, Value>,
        field: &'static Field,
    ) -> Option<&'a Value> {
        self.path.push(Step::Field(field.name));
        fields.get(field.name)
    }

    fn leave(&mut self, is_missing: bool) {
        if is_missing {
            self.add("is required".to_owned());
        }
        self.path.pop();
    }

    /// Checks a field by its table: its value as JSON, or nothing if it is omitted or means the same.
    pub(super) fn check(
        &mut self,
        fields: &Map<String, Value>,
        field: &'static Field,
    ) -> Option<Option<Value>> {
        let Of::Type(of) = &field.of else {
            return Some(None);
        };
        let Some(value) = self.enter(fields, field) else {
            let can_be_omitted =
                matches!(field.omitted, Omitted::Default(_)) || (of.omitted)().is_some();
            self.leave(!can_be_omitted);
            return can_be_omitted.then_some(None);
        };
        let checked = (of.check)(value, self);
        self.leave(false);
        checked
    }

    /// The first complaint, or what else is wrong with a value that cannot be read.
    pub fn into_first(self) -> ToolError {
        let unread = || ToolError::new(ErrorCode::InvalidArgument, "cannot be read");
        self.complaints.into_iter().next().unwrap_or_else(unread)
    }

    /// Whether there is no complaint.
    pub fn is_content(&self) -> bool {
        self.complaints.is_empty()
    }

    /// The first [`MOST_COMPLAINTS`], in the order of the fields.
    pub fn into_complaints(self) -> Vec<ToolError> {
        self.complaints
    }
}

/// A name or text as a complaint repeats it: its beginning.
pub(crate) struct Cut<'a>(pub(crate) &'a str);

impl<'a> Cut<'a> {
    /// The beginning, and the mark of a cut.
    fn parts(&self) -> (&'a str, &'static str) {
        match self.0.char_indices().nth(SHOWN) {
            Some((end, _)) => (&self.0[..end], "…"),
            None => (self.0, ""),
        }
    }
}

impl fmt::Display for Cut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, mark) = self.parts();
        write!(f, "{text}{mark}")
    }
}

/// A value as a complaint names it.
pub fn given(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let (text, mark) = Cut(text).parts();
            format!("the text {text:?}{mark}")
        }
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}
