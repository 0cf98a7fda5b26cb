//! Business units: the owners of projects and events.

use crate::id::BusinessUnitId;
use crate::record::record;
use crate::role::{Role, Roles};
use crate::value::{Line, Name, Patch, UpTo, WebUrl};

/// Roles that manage business units.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);

record! {
    /// A business unit.
    BusinessUnit = "business_unit", "business_units" (name: name) {
        id: BusinessUnitId,
        name: Name [create, change],
        profile_image_url: Option<WebUrl> [create, change],
        tags: UpTo<Name, 50> [create?],
    }
    /// Lists business units by name.
    list ListBusinessUnits = "list_business_units" on Work for MANAGERS {
        opt {
            search: Option<Line>,
            /// Exact match.
            tag: Option<Line>,
        }
    }
    /// Gets a business unit.
    get GetBusinessUnit = "get_business_unit" on Work for MANAGERS;
    /// Adds a business unit.
    create CreateBusinessUnit = "create_business_unit" on Work for MANAGERS;
    /// Changes a business unit.
    change UpdateBusinessUnit = "update_business_unit" on Work for MANAGERS {
        opt {
            /// Replaces all tags.
            tags: Patch<UpTo<Name, 50>>,
        }
    }
    /// Deletes a business unit. Refused while other records refer to it.
    delete DeleteBusinessUnit = "delete_business_unit" on Work for MANAGERS;
}
