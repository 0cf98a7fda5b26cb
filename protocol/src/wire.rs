//! Values that cross the wire: arguments, and the records in results.
//!
//! A value type implements [`Wire`]: it reads, writes and describes itself. A struct derives it, with a static table of its
//! fields ([`Shape`]). Whatever can be said of all structs, such as the schema and the checks of their fields, is
//! interpreted over the table by functions that exist once.

mod check;
mod reader;
mod schema;
mod types;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};

pub(crate) use check::is_placeholder;
pub use check::{normal, refusal};
pub use frontdesk_derive::Wire;
pub(crate) use reader::Cut;
pub use reader::{MOST_COMPLAINTS, Reader, given};
pub use schema::{Schemas, nullable, of_arguments, of_id, of_key, of_result, of_words};
pub use types::TIME_EXAMPLE;

/// A value that crosses the wire as JSON.
pub trait Wire: Sized + 'static {
    /// Reads the value, or returns `None` after at least one complaint to the reader.
    fn read(value: &Value, reader: &mut Reader) -> Option<Self>;

    /// The value as JSON.
    fn write(&self) -> Value;

    /// Adds the fields of a struct to those of another one. Other values add nothing.
    fn write_into(&self, _: &mut Map<String, Value>) {}

    /// The JSON Schema, with the marks of the `reference` module.
    fn schema(schemas: &mut Schemas) -> Value;

    /// The value of an argument that is omitted; `None` if it is required.
    fn omitted() -> Option<Self> {
        None
    }

    /// Whether omitting the argument means the same.
    fn is_omitted(&self) -> bool {
        false
    }
}

/// A struct with a table of its fields. `#[derive(Wire)]` implements it.
pub trait Table: Wire {
    /// The table.
    const SHAPE: &'static Shape;
}

/// The table of a struct.
#[derive(Debug)]
pub struct Shape {
    /// The name of the type, for shared definitions in a schema.
    pub name: &'static str,
    /// The doc comment on one line.
    pub document: &'static str,
    /// Whether unknown fields are refused.
    pub is_strict: bool,
    /// Whether schemas repeat it where it occurs.
    pub is_inline: bool,
    /// The fields, in declaration order.
    pub fields: &'static [Field],
    /// The schema, if it is written by hand.
    pub schema: Option<fn() -> Value>,
}

/// A field of a struct.
#[derive(Debug)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// The doc comment on one line.
    pub document: &'static str,
    /// Whether it is written only if it differs from its omission.
    pub is_optional: bool,
    /// What its omission means.
    pub omitted: Omitted,
    /// A mark in its schema.
    pub mark: Option<Mark>,
    /// Its type.
    pub of: Of,
}

/// What the omission of a field means.
#[derive(Debug, Clone, Copy)]
pub enum Omitted {
    /// What the type says ([`Wire::omitted`]).
    OfType,
    /// This value.
    Default(fn() -> Value),
    /// What the type says; the schema names this value, JSON text, which the host applies.
    Shown(&'static str),
}

/// A mark of a field in its schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// An amount of money.
    Amount,
    /// Something that is not shown to bystanders.
    Secret,
    /// A text, whatever the type says.
    Text,
    /// A session-less request (2026-07-28) repeats it in the header `Mcp-Param-…`, for intermediaries.
    Header(&'static str),
}

/// The type of a field.
#[derive(Debug)]
pub enum Of {
    /// A value.
    Type(Type),
    /// The fields of this table, beside those of the struct.
    Table(&'static Shape),
}

/// The functions of a type.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    /// The schema.
    pub schema: fn(&mut Schemas) -> Value,
    /// Reads a value and writes it again: `None` after a complaint, `Some(None)` for what means the same as nothing.
    pub check: fn(&Value, &mut Reader) -> Option<Option<Value>>,
    /// The value of an omitted argument.
    pub omitted: fn() -> Option<Value>,
}

impl Type {
    /// The functions of `T`.
    pub const fn of<T: Wire>() -> Type {
        Type {
            schema: T::schema,
            check: |value, reader| {
                let value = T::read(value, reader)?;
                match value.is_omitted() {
                    true => Some(None),
                    false => Some(Some(value.write())),
                }
            },
            omitted: || T::omitted().map(|value| value.write()),
        }
    }
}

impl Shape {
    /// The names of the fields on the wire, including those of flattened structs.
    pub fn names(&'static self) -> Vec<&'static str> {
        let mut names = Vec::with_capacity(self.fields.len());
        for field in self.fields {
            match &field.of {
                Of::Type(_) => names.push(field.name),
                Of::Table(shape) => names.extend(shape.names()),
            }
        }
        names
    }

    /// The fields of this struct that travel as headers, too, with the ends of the headers' names.
    pub fn headers(&'static self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.fields.iter().filter_map(|field| match field.mark {
            Some(Mark::Header(header)) => Some((field.name, header)),
            _ => None,
        })
    }

    /// The field with this name, also in a flattened struct.
    pub fn field(&'static self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find_map(|field| match &field.of {
            Of::Type(_) => (field.name == name).then_some(field),
            Of::Table(shape) => shape.field(name),
        })
    }
}

/// Whether the value is a text without a character but spaces.
pub fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// Reads a value without a reader.
///
/// # Errors
/// The first complaint, with the path of the field.
pub fn read<T: Wire>(value: &Value) -> Result<T, crate::ToolError> {
    let mut reader = Reader::default();
    match T::read(value, &mut reader) {
        Some(read) if reader.is_content() => Ok(read),
        _ => Err(reader.into_first()),
    }
}

/// Deserializes through [`Wire::read`], for structs of serde that hold such values.
///
/// # Errors
/// The first complaint.
pub fn deserialize<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    match read(&Value::deserialize(deserializer)?) {
        Ok(value) => Ok(value),
        Err(error) => Err(D::Error::custom(said(error))),
    }
}

fn said(error: crate::ToolError) -> String {
    match error.field {
        Some(field) => format!("{field} {}", error.message),
        None => error.message,
    }
}

/// Adds a field.
pub fn put<T: Wire>(fields: &mut Map<String, Value>, name: &str, value: &T) {
    fields.insert(name.to_owned(), value.write());
}

/// Adds a field, unless its omission means the same.
pub fn put_unless_omitted<T: Wire>(fields: &mut Map<String, Value>, name: &str, value: &T) {
    if !value.is_omitted() {
        put(fields, name, value);
    }
}

/// The default of a type as JSON.
pub fn default_of<T: Wire + Default>() -> Value {
    T::default().write()
}

/// Implements `Deserialize` through [`Wire`], for structs of serde that hold such values:
/// `deserialize_by_wire!([const MAX: i64] Bounded<MAX>)`.
macro_rules! deserialize_by_wire {
    ([$($parameters:tt)*] $type:ty) => {
        impl<'de, $($parameters)*> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::wire::deserialize(deserializer)
            }
        }
    };
}
pub(crate) use deserialize_by_wire;
