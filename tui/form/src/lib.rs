//! Forms from JSON Schema, independent of a screen: fields for the arguments of a tool, their
//! entries, errors, and the JSON to send.
//!
//! - [`Form::new`] accepts any JSON and never fails. Parts that it does not understand become JSON
//!   fields, and any field can be edited as JSON ([`Form::set_json`]).
//! - A form is a tree of [`Field`]s. [`Field::kind`] is the kind of a field, [`Field::entry`] its
//!   entry, [`Field::state`] whether it is left out, null, empty or filled in.
//! - [`Form::rows`] lists the visible fields from top to bottom. Optional objects have no rows until
//!   they are included, so a recursive schema ends.
//! - The chosen alternative of a [`Kind::Variant`], [`Field::body`], has the same [`Path`] as the
//!   variant, e.g. `edits[0].text`.
//! - Entries are kept as typed. [`Form::errors`] reports errors by field; [`Form::refuse`] adds
//!   errors from a server.
//! - [`Form::value`] is the JSON to send: optional fields only if they are set, for an update
//!   ([`Form::update`]) only changed ones. [`Form::fill`] is the inverse: after it, `value` returns
//!   the same value.
//! - The schema is compiled once per form, not at every key press.
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

pub use check::{FieldError, contradictions, mistake};
pub use error::EditError;
pub use field::{Entry, Field, Json, State};
pub use form::Form;
pub use kind::Kind;
pub use path::{Path, Segment};
pub use reference::refers_to;
pub use rows::Row;
