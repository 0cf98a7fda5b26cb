//! Forms.

use jiff::Timestamp;

use super::AUTHORS;
use crate::id::FormId;
use crate::record::record;
use crate::role::{Role, Roles};
use crate::value::{Flag, Line, Name, Prose, UpTo};
use crate::wire::Wire;
use crate::words::words;

/// Roles that read forms: their authors, and the machine account that sends them.
const READERS: Roles = AUTHORS.and(&[Role::Automation]);

words! {
    /// The input type of a field.
    FieldKind {
        Line = "line",
        Text = "text",
        Choice = "choice",
        Number = "number",
        Day = "day",
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict)]
pub struct Field {
    pub label: Name,
    /// Input type.
    pub kind: FieldKind,
    /// Whether an answer is required.
    #[wire(default)]
    pub is_required: Flag<false>,
    /// The options of a choice, two or more.
    #[wire(default)]
    pub options: UpTo<Name, 20>,
}

record! {
    /// A form.
    Form = "form", "forms" (name: title) {
        id: FormId,
        title: Name [create],
        description: Option<Prose> [create],
        /// In order.
        fields: UpTo<Field, 100> [create],
        /// When it was created.
        created_at: Timestamp,
    }
    /// Lists forms by title.
    list ListForms = "list_forms" on Quiz for READERS {
        opt {
            search: Option<Line>,
        }
    }
    /// Gets a form.
    get GetForm = "get_form" on Quiz for READERS.and(&[Role::Fellow]);
    /// Adds a form.
    create CreateForm = "create_form" on Quiz for AUTHORS;
}
