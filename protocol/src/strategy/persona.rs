//! Personas: typical customers of a business unit.

use super::STAFF;
use crate::id::{BusinessUnitId, PersonaId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Text, UpTo};
use crate::wire::Wire;

/// A persona.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Persona {
    pub id: PersonaId,
    pub name: String,
    pub summary: Option<String>,
    /// The business unit; null: all.
    pub business_unit_id: Option<BusinessUnitId>,
    pub business_unit_name: Option<String>,
    pub goals: Vec<String>,
    pub pains: Vec<String>,
}

resource! {
    Persona = "persona", "personas" (name: name) {
        list: ListPersonas,
        create: CreatePersona,
        change: UpdatePersona,
        delete: DeletePersona,
    }
}

tool! {
    /// Lists personas by name.
    ListPersonas = "list_personas" on Strategy, READ, for STAFF => List<Persona> {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or summary.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a persona.
    CreatePersona = "create_persona" on Strategy, CREATE, for Roles::DESK => One<Persona> {
        req {
            name: Name,
        }
        opt {
            summary: Option<Text<0, 2000>>,
            business_unit_id: Option<BusinessUnitId>,
            goals: Option<UpTo<Name, 50>>,
            pains: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes a persona.
    UpdatePersona = "update_persona" on Strategy, UPDATE, for Roles::DESK => One<Persona> {
        req {
            id: PersonaId,
        }
        opt {
            name: Change<Name>,
            summary: Patch<Text<0, 2000>>,
            business_unit_id: Patch<BusinessUnitId>,
            /// Replaces all goals.
            goals: Change<UpTo<Name, 50>>,
            /// Replaces all pains.
            pains: Change<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Deletes a persona.
    DeletePersona = "delete_persona" on Strategy, DELETE, for Roles::DESK => One<Persona> {
        req {
            id: PersonaId,
        }
    }
}
