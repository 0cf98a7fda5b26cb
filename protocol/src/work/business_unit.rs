//! Business units: the owners of projects and events.

use crate::id::BusinessUnitId;
use crate::record::{List, Maybe, One, record};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Patch, UpTo, WebUrl};

/// Roles that manage business units.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);

record! {
    /// A business unit.
    BusinessUnit {
        id: BusinessUnitId,
        name: Name [create, change],
        profile_image_url: Option<WebUrl> [create, change],
        tags: UpTo<Name, 50> [create?],
    }
    /// Adds a business unit.
    create CreateBusinessUnit = "create_business_unit" on Work for MANAGERS;
    /// Changes a business unit.
    change UpdateBusinessUnit = "update_business_unit" on Work for MANAGERS {
        opt {
            /// Replaces all tags.
            tags: Patch<UpTo<Name, 50>>,
        }
    }
}

resource! {
    BusinessUnit = "business_unit", "business_units" (name: name) {
        list: ListBusinessUnits,
        get: GetBusinessUnit,
        create: CreateBusinessUnit,
        change: UpdateBusinessUnit,
        delete: DeleteBusinessUnit,
    }
}

tool! {
    /// Lists business units by name.
    ListBusinessUnits = "list_business_units" on Work, READ, for MANAGERS => List<BusinessUnit> {
        opt {
            search: Option<Line>,
            /// Exact match.
            tag: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a business unit.
    GetBusinessUnit = "get_business_unit" on Work, READ, for MANAGERS => Maybe<BusinessUnit> {
        req {
            id: BusinessUnitId,
        }
    }
}

tool! {
    /// Deletes a business unit. Refused while other records refer to it.
    DeleteBusinessUnit = "delete_business_unit" on Work, DELETE, for MANAGERS => One<BusinessUnit> {
        req {
            id: BusinessUnitId,
        }
    }
}
