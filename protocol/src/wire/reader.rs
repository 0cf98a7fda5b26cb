//! Collects what is wrong with a value, field by field.

use serde_json::{Map, Value};

use super::{Field, Of, Omitted, Shape, Wire};
use crate::error::{ErrorCode, ToolError};

/// The maximum number of characters of a refused text that a complaint repeats.
const SHOWN: usize = 60;

/// The place in the value that is being read, and the complaints so far.
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
        let path = self.path();
        self.complaints.push(match path.is_empty() {
            true => {
                let message = format!("the arguments {}", message.into());
                ToolError::new(ErrorCode::InvalidArgument, message)
            }
            false => ToolError::invalid(path, message),
        });
        None
    }

    /// Complains that the value is not what it should be: "a number", "true or false".
    pub fn expected<T>(&mut self, expected: &str, value: &Value) -> Option<T> {
        self.complain(format!("must be {expected}, not {}", given(value)))
    }

    /// A text.
    pub fn text<'a>(&mut self, value: &'a Value) -> Option<&'a str> {
        match value {
            Value::String(text) => Some(text),
            other => self.expected("a string", other),
        }
    }

    /// One of a few words: its place among them.
    pub fn word(&mut self, value: &Value, words: &[&str]) -> Option<usize> {
        let place = value
            .as_str()
            .and_then(|text| words.iter().position(|one| *one == text));
        place.or_else(|| self.expected(&format!("one of {}", words.join(", ")), value))
    }

    /// Reads the value of a field.
    pub fn below<T: Wire>(&mut self, name: &'static str, value: &Value) -> Option<T> {
        self.at(Step::Field(name), |reader| T::read(value, reader))
    }

    /// Reads a value below the current place.
    fn at<T>(&mut self, step: Step, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.path.push(step);
        let value = read(self);
        self.path.pop();
        value
    }

    /// Reads an entry of a list.
    pub fn item<T: Wire>(&mut self, at: usize, value: &Value) -> Option<T> {
        self.at(Step::Item(at), |reader| T::read(value, reader))
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
            for name in unknown {
                let mut path = self.path();
                if !path.is_empty() {
                    path.push('.');
                }
                let error = ToolError::invalid(path + name, "there is no such argument");
                self.complaints.push(match shape.names().as_slice() {
                    [] => error.hint("this tool takes no arguments"),
                    names => error.hint(format!("the arguments are {}", names.join(", "))),
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
        self.field_or(fields, field, T::omitted)
    }

    /// Reads a field, or takes another value if it is omitted.
    pub fn field_or<T: Wire>(
        &mut self,
        fields: &Map<String, Value>,
        field: &'static Field,
        omitted: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        self.at(Step::Field(field.name), |reader| {
            match fields.get(field.name) {
                Some(value) => T::read(value, reader),
                None => omitted().or_else(|| reader.complain("is required")),
            }
        })
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
        self.at(Step::Field(field.name), |reader| {
            let Some(value) = fields.get(field.name) else {
                let is_required =
                    !matches!(field.omitted, Omitted::Default(_)) && (of.omitted)().is_none();
                return match is_required {
                    true => reader.complain("is required"),
                    false => Some(None),
                };
            };
            (of.check)(value, reader)
        })
    }

    /// The value, if there is no complaint.
    ///
    /// # Errors
    /// The first complaint.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, ToolError> {
        match (self.complaints.into_iter().next(), value) {
            (None, Some(value)) => Ok(value),
            (Some(complaint), _) => Err(complaint),
            (None, None) => Err(ToolError::new(ErrorCode::InvalidArgument, "cannot be read")),
        }
    }

    /// Whether there is no complaint.
    pub fn is_content(&self) -> bool {
        self.complaints.is_empty()
    }

    /// All complaints, in the order of the fields.
    pub fn into_complaints(self) -> Vec<ToolError> {
        self.complaints
    }
}

/// A value as a complaint names it.
pub fn given(value: &Value) -> String {
    match value {
        Value::String(text) => match text.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("the text {:?}…", &text[..end]),
            None => format!("the text {text:?}"),
        },
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}
