//! The staff: accounts with a staff row.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ADMINS, OWNERS};
use crate::id::StaffUserId;
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Offset};
use crate::words::words;

words! {
    /// What an account is in its organisation.
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
    /// The e-mail address; null where another identity provider has the account.
    pub email: Option<String>,
    /// What the account is.
    pub role: StaffRole,
    /// False takes away what the role permits.
    pub is_active: bool,
    /// Since when.
    pub created_at: Timestamp,
}
record!(StaffUser, "staff_user", "staff_users");

tool! {
    /// Lists the staff, the longest-serving first.
    ListStaff = "list_staff" on Staff, READ, for ADMINS => List<StaffUser> {
        opt {
            /// Part of the name or e-mail address.
            search: Option<Line>,
            /// Only this role.
            role: Option<StaffRole>,
            /// Only active staff, or only others.
            is_active: Option<bool>,
            /// Most staff to return.
            limit: Limit,
            /// Staff to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Takes a member of staff's rights away, or gives them back. One active owner always stays. Owners only.
    SetStaffActive = "set_staff_active" on Staff, UPDATE, for OWNERS => One<StaffUser> {
        req {
            /// The member of staff.
            id: StaffUserId,
            /// False takes the rights away.
            is_active: bool,
        }
    }
}

tools![ListStaff, SetStaffActive];
