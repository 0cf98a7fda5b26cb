//! The staff: accounts with a staff row.

use jiff::Timestamp;

use super::{ADMINS, OWNERS};
use crate::id::{MemberId, StaffUserId};
use crate::record::{One, record};
use crate::tool::tool;
use crate::value::{Change, Line, Login, Name};
use crate::wire::Wire;
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

record! {
    /// A member of staff.
    StaffUser = "staff_user", "staff_users" (name: name, state: is_active) {
        id: StaffUserId,
        // The name in the account's profile.
        name: Option<Name> [change: Change<Name>],
        /// The e-mail address; null if an external identity provider holds the account.
        email: Option<String>,
        role: StaffRole [change],
        /// False: the account cannot sign in.
        is_active: bool,
        member_id: Option<MemberId> [change],
        /// User id on the chat platform.
        chat_user_id: Option<Login> [change],
        /// User name at the code host.
        code_host_login: Option<Login> [change],
        /// Whether a sign-in needs a code, too.
        has_second_factor: bool,
        /// When the account joined the staff.
        created_at: Timestamp,
    }
    /// Lists the staff, longest-serving first.
    list ListStaff = "list_staff" on Staff for ADMINS {
        opt {
            /// Part of the name or e-mail address.
            search: Option<Line>,
            role: Option<StaffRole>,
            is_active: Option<bool>,
        }
    }
    /// Changes an account of the staff. Its global level follows the role. Owners and admins only;
    /// owners' accounts: owners only.
    change UpdateStaffUser = "update_staff_user" on Staff for ADMINS;
    set SetStaffActive;
    delete RemoveStaffUser;
    other IssuePasswordLink;
    set RemoveSecondFactor;
}

/// A link that sets a new password. It is returned once only.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct PasswordLink {
    /// The address that the account signs in with.
    pub email: String,
    /// The link: single use; null in a trial.
    #[wire(secret)]
    pub link: Option<String>,
    /// When it expires.
    pub expires_at: Timestamp,
}

tool! {
    /// Deactivates an account, which ends its sign-ins, or activates it again. An active owner who has signed in stays.
    /// Owners only.
    SetStaffActive = "set_staff_active" on Staff, REPLACE, for OWNERS => One<StaffUser> {
        req {
            id: StaffUserId,
            is_active: bool,
        }
    }
}

tool! {
    /// Removes an account. What it wrote stays, marked “(former)”; its member stays. Owners only.
    RemoveStaffUser = "remove_staff_user" on Staff, FORGET, for OWNERS => One<StaffUser> {
        req {
            id: StaffUserId,
        }
    }
}

tool! {
    /// Creates a link for a forgotten password, valid for one day; it replaces the one before. No mail is sent: pass it
    /// on. Owners only.
    IssuePasswordLink = "issue_password_link" on Staff, ISSUE, for OWNERS => PasswordLink as unremembered {
        req {
            id: StaffUserId,
        }
    }
}

tool! {
    /// Removes the second factor of somebody who has lost their authenticator, and ends their sign-ins. Owners only.
    RemoveSecondFactor = "remove_second_factor" on Staff, FORGET, for OWNERS => One<StaffUser> {
        req {
            id: StaffUserId,
        }
    }
}
