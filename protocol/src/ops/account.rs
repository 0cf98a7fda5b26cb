//! Accounts and their global levels.

use super::MANAGERS;
use crate::id::PlatformAccountId;
use crate::record::{One, record};
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Line, Whole};

record! {
    /// An account of the organisation.
    Account = "account", "accounts" (name: name, state: role) {
        id: PlatformAccountId,
        /// The profile's name, or the e-mail address if there is none.
        name: String,
        /// The sign-in address; null if an external identity provider holds the account.
        email: Option<String>,
        /// Role in the organisation.
        role: Role,
        /// Global level.
        level: u32,
        /// Whether its staff permissions are active.
        is_active: bool,
    }
    /// Lists the organisation's accounts by name. Owners and admins only.
    list ListAccounts = "list_accounts" on Ops for MANAGERS {
        opt {
            role: Option<Role>,
            /// Part of the name or e-mail address.
            search: Option<Line>,
        }
    }
    other SetAccountLevel;
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
