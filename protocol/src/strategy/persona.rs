//! Personas: typical customers of a business unit.

use super::STAFF;
use crate::id::{BusinessUnitId, PersonaId};
use crate::record::{List, One, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Text, UpTo};

record! {
    /// A persona.
    Persona {
        id: PersonaId,
        name: Name [create, change],
        summary: Option<Text<0, 2000>> [create, change],
        business_unit_id: Option<BusinessUnitId> [create, change],
        business_unit_name: Option<String>,
        goals: UpTo<Name, 50> [create?],
        pains: UpTo<Name, 50> [create?],
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
    /// Deletes a persona.
    DeletePersona = "delete_persona" on Strategy, DELETE, for Roles::DESK => One<Persona> {
        req {
            id: PersonaId,
        }
    }
}
