//! Personas: typical customers of a business unit.

use super::STAFF;
use crate::id::{BusinessUnitId, PersonaId};
use crate::record::record;
use crate::role::Roles;
use crate::value::{Change, Line, Name, Text, UpTo};

record! {
    /// A persona.
    Persona = "persona", "personas" (name: name) {
        id: PersonaId,
        name: Name [create, change],
        summary: Option<Text<0, 2000>> [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        goals: UpTo<Name, 50> [create?],
        pains: UpTo<Name, 50> [create?],
    }
    /// Lists personas by name.
    list ListPersonas = "list_personas" on Strategy for STAFF {
        opt {
            business_unit_id: Option<BusinessUnitId>,
            /// Part of the name or summary.
            search: Option<Line>,
        }
    }
    /// Adds a persona.
    create CreatePersona = "create_persona" on Strategy for Roles::DESK;
    /// Changes a persona.
    change UpdatePersona = "update_persona" on Strategy for Roles::DESK {
        opt {
            /// Replaces all goals.
            goals: Change<UpTo<Name, 50>>,
            /// Replaces all pains.
            pains: Change<UpTo<Name, 50>>,
        }
    }
    /// Deletes a persona.
    delete DeletePersona = "delete_persona" on Strategy for Roles::DESK;
}
