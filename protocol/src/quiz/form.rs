//! Forms.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AUTHORS;
use crate::id::FormId;
use crate::record::{List, Maybe, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Flag, Limit, Line, Name, Offset, Prose, UpTo};
use crate::words::words;

/// Who reads forms: their authors, and the machine that sends them.
const READERS: Roles = AUTHORS.and(&[Role::Automation]);

words! {
    /// What is entered in a field.
    FieldKind {
        Line = "line",
        Text = "text",
        Choice = "choice",
        Number = "number",
        Day = "day",
    }
}

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// What it asks.
    pub label: Name,
    /// What is entered.
    pub kind: FieldKind,
    /// Whether it has to be filled in.
    #[serde(default)]
    pub is_required: Flag<false>,
    /// What a choice chooses from: two or more.
    #[serde(default)]
    pub options: UpTo<Name, 20>,
}

/// A form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Form {
    /// Identifies the form.
    pub id: FormId,
    /// Title.
    pub title: String,
    /// What it is for.
    pub description: Option<String>,
    /// What it asks, in order.
    pub fields: Vec<Field>,
    /// When it was made.
    pub created_at: Timestamp,
}
record!(Form, "form", "forms");

tool! {
    /// Lists forms by title.
    ListForms = "list_forms" on Quiz, READ, for READERS => List<Form> {
        opt {
            /// Part of the title.
            search: Option<Line>,
            /// Most forms to return.
            limit: Limit,
            /// Forms to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a form.
    GetForm = "get_form" on Quiz, READ, for READERS => Maybe<Form> {
        req {
            /// The form.
            id: FormId,
        }
    }
}

tool! {
    /// Adds a form.
    CreateForm = "create_form" on Quiz, CREATE, for AUTHORS => One<Form> {
        req {
            /// Title.
            title: Name,
            /// What it asks, in order.
            fields: UpTo<Field, 100>,
        }
        opt {
            /// What it is for.
            description: Option<Prose>,
        }
    }
}

tools![ListForms, GetForm, CreateForm];
