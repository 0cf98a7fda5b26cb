//! Personas: typical customers of a business unit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::STAFF;
use crate::id::{BusinessUnitId, PersonaId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo};

/// A persona.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Persona {
    /// Identifies the persona.
    pub id: PersonaId,
    /// Name.
    pub name: String,
    /// Summary.
    pub summary: Option<String>,
    /// The business unit; null: all.
    pub business_unit_id: Option<BusinessUnitId>,
    /// Goals.
    pub goals: Vec<String>,
    /// Pains.
    pub pains: Vec<String>,
}

resource! {
    Persona = "persona", "personas" (name: name) {
        list: ListPersonas,
        create: CreatePersona,
        change: UpdatePersona,
    }
}

tool! {
    /// Lists personas by name.
    ListPersonas = "list_personas" on Strategy, READ, for STAFF => List<Persona> {
        opt {
            /// Only personas of this business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or summary.
            search: Option<Line>,
            /// Maximum number of personas to return.
            limit: Limit,
            /// Number of personas to skip.
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
            /// Summary.
            summary: Option<Text<0, 2000>>,
            /// The business unit.
            business_unit_id: Option<BusinessUnitId>,
            /// Goals.
            goals: Option<UpTo<Name, 50>>,
            /// Pains.
            pains: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes a persona. Omitted fields keep their value; null clears a field.
    UpdatePersona = "update_persona" on Strategy, UPDATE, for Roles::DESK => One<Persona> {
        req {
            /// The persona.
            id: PersonaId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Summary.
            summary: Patch<Text<0, 2000>>,
            /// The business unit.
            business_unit_id: Patch<BusinessUnitId>,
            /// Replaces all goals.
            goals: Change<UpTo<Name, 50>>,
            /// Replaces all pains.
            pains: Change<UpTo<Name, 50>>,
        }
    }
}
