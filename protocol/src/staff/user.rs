//! The staff: accounts with a staff row.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, OWNERS};
use crate::id::StaffUserId;
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Limit, Line, Offset};
use crate::words::words;

words! {
    /// The role of an account in its organisation.
    StaffRole {
        Owner = "owner",
        Admin = "admin",
        Staff = "staff",
        Teacher = "teacher",
        Finance = "finance",
        Automation = "automation",
    }
}

/// A member of staff.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StaffUser {
    /// The id of the account.
    pub id: StaffUserId,
    /// The name in the account's profile.
    pub name: Option<String>,
    /// The e-mail address; null if an external identity provider holds the account.
    pub email: Option<String>,
    /// The role of the account.
    pub role: StaffRole,
    /// False removes the permissions of the role.
    pub is_active: bool,
    /// When the account joined the staff.
    pub created_at: Timestamp,
}

resource! {
    StaffUser = "staff_user", "staff_users" (name: name, state: role) {
        list: ListStaff,
        set: SetStaffActive,
    }
}

tool! {
    /// Lists the staff, longest-serving first.
    ListStaff = "list_staff" on Staff, READ, for ADMINS => List<StaffUser> {
        opt {
            /// Part of the name or e-mail address.
            search: Option<Line>,
            /// Only staff with this role.
            role: Option<StaffRole>,
            /// True: only active staff. False: only inactive ones.
            is_active: Option<bool>,
            /// Maximum number of staff to return.
            limit: Limit,
            /// Number of staff to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Removes or restores the permissions of a member of staff. The last active owner cannot be deactivated.
    /// Owners only.
    SetStaffActive = "set_staff_active" on Staff, UPDATE, for OWNERS => One<StaffUser> {
        req {
            /// The member of staff.
            id: StaffUserId,
            /// False removes the permissions.
            is_active: bool,
        }
    }
}
