//! Business units, to which projects and events belong.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::BusinessUnitId;
use crate::record::{List, Maybe, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, UpTo, WebUrl};

/// Who manages business units.
const MANAGERS: Roles = Roles::of(&[Role::Owner, Role::Admin, Role::Finance]);

/// A business unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BusinessUnit {
    /// Identifies the business unit.
    pub id: BusinessUnitId,
    /// Name.
    pub name: String,
    /// Where its picture is.
    pub profile_image_url: Option<String>,
    /// Free words.
    pub tags: Vec<String>,
}
record!(BusinessUnit, "business_unit", "business_units");

tool! {
    /// Lists business units by name.
    ListBusinessUnits = "list_business_units" on Work, READ, for MANAGERS => List<BusinessUnit> {
        opt {
            /// Part of the name.
            search: Option<Line>,
            /// Only business units with exactly this tag.
            tag: Option<Line>,
            /// Most business units to return.
            limit: Limit,
            /// Business units to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one business unit.
    GetBusinessUnit = "get_business_unit" on Work, READ, for MANAGERS => Maybe<BusinessUnit> {
        req {
            /// The business unit.
            id: BusinessUnitId,
        }
    }
}

tool! {
    /// Adds a business unit.
    CreateBusinessUnit = "create_business_unit" on Work, CREATE, for MANAGERS => One<BusinessUnit> {
        req {
            /// Name.
            name: Name,
        }
        opt {
            /// Where its picture is: http or https.
            profile_image_url: Option<WebUrl>,
            /// Free words.
            tags: Option<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Changes a business unit. Fields left out stay; null clears.
    UpdateBusinessUnit = "update_business_unit" on Work, UPDATE, for MANAGERS => One<BusinessUnit> {
        req {
            /// The business unit.
            id: BusinessUnitId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Where its picture is: http or https.
            profile_image_url: Patch<WebUrl>,
            /// Replaces all tags.
            tags: Patch<UpTo<Name, 50>>,
        }
    }
}

tool! {
    /// Deletes a business unit that nothing refers to.
    DeleteBusinessUnit = "delete_business_unit" on Work, DELETE, for MANAGERS => One<BusinessUnit> {
        req {
            /// The business unit.
            id: BusinessUnitId,
        }
    }
}

tools![
    ListBusinessUnits,
    GetBusinessUnit,
    CreateBusinessUnit,
    UpdateBusinessUnit,
    DeleteBusinessUnit,
];
