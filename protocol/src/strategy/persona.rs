//! Personas: whom a business unit is for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::STAFF;
use crate::id::{BusinessUnitId, PersonaId};
use crate::record::{List, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo};

/// A persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Persona {
    /// Identifies the persona.
    pub id: PersonaId,
    /// Name.
    pub name: String,
    /// Who that is.
    pub summary: Option<String>,
    /// The business unit; null for all.
    pub business_unit_id: Option<BusinessUnitId>,
    /// What they want.
    pub goals: Vec<String>,
    /// What stands in their way.
    pub pains: Vec<String>,
}
record!(Persona, "persona", "personas");

tool! {
    /// Lists personas by name.
    ListPersonas = "list_personas" on Strategy, READ, for STAFF => List<Persona> {
        opt {
            /// Only personas of this business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// Part of name or summary.
            search: Option<Line>,
            /// Most personas to return.
            limit: Limit,
            /// Personas to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a persona.
    CreatePersona = "create_persona" on Strategy, CREATE, for Roles::DESK => One<Persona> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Who that is.
            summary: Option<Text<0, 2000>>,
            /// The business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// What they want.
            goals: Option<UpTo<Name, 50>>,
            /// What stands in their way.
            pains: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes a persona. Fields left out stay; null clears.
    UpdatePersona = "update_persona" on Strategy, UPDATE, for Roles::DESK => One<Persona> {
        req {
            /// The persona.
            id: PersonaId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Who that is.
            summary: Patch<Text<0, 2000>>,
            /// The business unit.
            business_unit_id: Patch<BusinessUnitId>,
            /// Instead of all goals.
            goals: Change<UpTo<Name, 50>>,
            /// Instead of all pains.
            pains: Change<UpTo<Name, 50>>,
        }
    }
}

tools![ListPersonas, CreatePersona, UpdatePersona];
