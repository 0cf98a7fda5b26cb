//! Accounts and their global levels.

use super::MANAGERS;
use crate::id::PlatformAccountId;
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Limit, Line, Offset, Whole};
use crate::wire::Wire;

/// An account of the organisation.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Account {
    pub id: PlatformAccountId,
    /// The profile's name, or the e-mail address if there is none.
    pub name: String,
    /// The sign-in address; null if an external identity provider holds the account.
    pub email: Option<String>,
    /// Role in the organisation.
    pub role: Role,
    /// Global level.
    pub level: u32,
    /// Whether its staff permissions are active.
    pub is_active: bool,
}

resource! {
    Account = "account", "accounts" (name: name, state: role) {
        list: ListAccounts,
        other: SetAccountLevel,
    }
}

tool! {
    /// Lists the organisation's accounts by name. Owners and admins only.
    ListAccounts = "list_accounts" on Ops, READ, for MANAGERS => List<Account> {
        opt {
            role: Option<Role>,
            /// Part of the name or e-mail address.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
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
