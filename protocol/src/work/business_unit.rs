//! Business units: the owners of projects and events.

use crate::id::BusinessUnitId;
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, UpTo, WebUrl};
use crate::wire::Wire;

/// Roles that manage business units.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);

/// A business unit.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct BusinessUnit {
    pub id: BusinessUnitId,
    pub name: String,
    /// Address of its image.
    pub profile_image_url: Option<String>,
    /// Free-text tags.
    pub tags: Vec<String>,
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
    /// Adds a business unit.
    CreateBusinessUnit = "create_business_unit" on Work, CREATE, for MANAGERS => One<BusinessUnit> {
        req {
            name: Name,
        }
        opt {
            profile_image_url: Option<WebUrl>,
            tags: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes a business unit.
    UpdateBusinessUnit = "update_business_unit" on Work, UPDATE, for MANAGERS => One<BusinessUnit> {
        req {
            id: BusinessUnitId,
        }
        opt {
            name: Change<Name>,
            profile_image_url: Patch<WebUrl>,
            /// Replaces all tags.
            tags: Patch<UpTo<Name, 50>>,
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
