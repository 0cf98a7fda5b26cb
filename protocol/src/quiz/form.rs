//! Forms.

use jiff::Timestamp;

use super::AUTHORS;
use crate::id::FormId;
use crate::record::{List, Maybe, record};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Flag, Limit, Line, Name, Offset, Prose, UpTo};
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
    Form {
        id: FormId,
        title: Name [create],
        description: Option<Prose> [create],
        /// In order.
        fields: UpTo<Field, 100> [create],
        /// When it was created.
        created_at: Timestamp,
    }
    /// Adds a form.
    create CreateForm = "create_form" on Quiz for AUTHORS;
}

resource! {
    Form = "form", "forms" (name: title) {
        list: ListForms,
        get: GetForm,
        create: CreateForm,
    }
}

tool! {
    /// Lists forms by title.
    ListForms = "list_forms" on Quiz, READ, for READERS => List<Form> {
        opt {
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a form.
    GetForm = "get_form" on Quiz, READ, for READERS.and(&[Role::Fellow]) => Maybe<Form> {
        req {
            id: FormId,
        }
    }
}
