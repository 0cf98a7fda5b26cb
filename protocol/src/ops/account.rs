//! Accounts and their global levels.

use super::{MANAGERS, OWNERS};
use crate::id::{MemberId, PlatformAccountId};
use crate::record::{One, record};
use crate::role::Role;
use crate::staff::user::PasswordLink;
use crate::tool::tool;
use crate::value::{Line, Whole};

record! {
    /// An account of the organisation.
    Account = "account", "accounts" (name: name, state: is_active) {
        id: PlatformAccountId,
        /// The profile's name, or the e-mail address if there is none.
        name: String,
        /// The sign-in address; null if an external identity provider holds the account.
        email: Option<String>,
        /// Role in the organisation.
        role: Role,
        /// Global level.
        level: u32,
        /// False: the account cannot sign in. A fellow's is also false while its member is inactive.
        is_active: bool,
        member_id: Option<MemberId>,
    }
    /// Lists the organisation's accounts by name. Owners and admins only.
    list ListAccounts = "list_accounts" on Ops for MANAGERS {
        opt {
            role: Option<Role>,
            /// Part of the name or e-mail address.
            search: Option<Line>,
        }
    }
    set SetAccountActive;
    delete RemoveAccount;
    other SetAccountLevel;
    other IssueAccountPasswordLink;
}

tool! {
    /// Sets an account's global level. Neither the old nor the new level can exceed yours. Owners and admins only.
    SetAccountLevel = "set_account_level" on Ops, REPLACE, for MANAGERS => One<Account> {
        req {
            id: PlatformAccountId,
            /// The level; 80 and above makes a global admin.
            level: Whole<0, 100>,
        }
    }
}

tool! {
    /// Deactivates any account, which ends its sign-ins, or activates it again. Owners only.
    SetAccountActive = "set_account_active" on Ops, REPLACE, for OWNERS => One<Account> {
        req {
            id: PlatformAccountId,
            is_active: bool,
        }
    }
}

tool! {
    /// Removes any account. What it wrote stays, marked “(former)”; its member stays. Owners only.
    RemoveAccount = "remove_account" on Ops, FORGET, for OWNERS => One<Account> {
        req {
            id: PlatformAccountId,
        }
    }
}

tool! {
    /// Creates a link for a forgotten password of any account, as issue_password_link. Owners only.
    IssueAccountPasswordLink = "issue_account_password_link" on Ops, ISSUE, for OWNERS => PasswordLink as unremembered {
        req {
            id: PlatformAccountId,
        }
    }
}
