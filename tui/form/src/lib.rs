//! Forms from JSON Schema, without a screen: what a tool asks for, as fields; what a person entered;
//! what is wrong with it; and the JSON to send.
//!
//! - [`Form::new`] makes a form of any JSON at all. It never fails: what it cannot understand is a
//!   field for JSON, and any field can be given as JSON ([`Form::set_json`]).
//! - A form is a tree of [`Field`]s. [`Field::kind`] is what a field is, [`Field::entry`] what was
//!   entered, [`Field::state`] whether it is left out, null, empty or filled in: four things.
//! - [`Form::rows`] is the tree as it is seen, from top to bottom. Optional objects have no rows of
//!   their own until they are included, so that a schema that contains itself has an end.
//! - Where there is a choice ([`Kind::Variant`]) the field of the chosen alternative,
//!   [`Field::body`], has the same place, a [`Path`] such as `edits[0].text`.
//! - What was entered is kept as it was typed. [`Form::errors`] says what is wrong with it, on the
//!   field where it is; [`Form::refuse`] puts there what a server says.
//! - [`Form::value`] is what to send: optional fields only if they are set, of an update
//!   ([`Form::update`]) only what was changed. [`Form::fill`] is the way back: it enters a value,
//!   and `value` is that value again, whatever it was.
//! - The schema is compiled once, when the form is made, and not at a key press.
//!
//! ```
//! # use frontdesk_form::{Form, Path};
//! # use serde_json::json;
//! let mut form = Form::new(&json!({
//!     "type": "object",
//!     "required": ["name"],
//!     "properties": { "name": { "type": "string" }, "limit": { "type": "integer" } },
//! }));
//! form.set_text(&Path::from("name"), "Zoë")?;
//! form.set_text(&Path::from("limit"), "many")?;
//! assert_eq!(form.errors()[0].message, "must be a whole number, not `many`");
//! form.clear(&Path::from("limit"))?;
//! assert_eq!(form.value(), json!({ "name": "Zoë" }));
//! # Ok::<(), frontdesk_form::EditError>(())
//! ```

mod check;
mod error;
mod field;
mod form;
pub mod kind;
mod path;
mod reference;
mod rows;
mod schema;

pub use check::FieldError;
pub use error::EditError;
pub use field::{Entry, Field, Json, State};
pub use form::Form;
pub use kind::Kind;
pub use path::{Path, Segment};
pub use reference::refers_to;
pub use rows::Row;
