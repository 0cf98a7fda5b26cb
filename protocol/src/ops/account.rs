//! Accounts: who can sign in, and their global levels.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MANAGERS;
use crate::id::PlatformAccountId;
use crate::record::{List, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Limit, Line, Offset, Whole};

/// An account of the organisation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Account {
    /// Identifies the account.
    pub id: PlatformAccountId,
    /// The profile's name, or else the address.
    pub name: String,
    /// The address that it signs in with; null where another provider has it.
    pub email: Option<String>,
    /// What it is in the organisation.
    pub role: Role,
    /// Its global level.
    pub level: u32,
    /// Whether its staff row counts.
    pub is_active: bool,
}
record!(Account, "account", "accounts");

tool! {
    /// Lists the organisation's accounts by name. Owners and admins only.
    ListAccounts = "list_accounts" on Ops, READ, for MANAGERS => List<Account> {
        opt {
            /// Only accounts of this role.
            role: Option<Role>,
            /// Part of name or address.
            search: Option<Line>,
            /// Most accounts to return.
            limit: Limit,
            /// Accounts to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Sets an account's global level: at most your own, of accounts that have no more. Owners and admins only.
    SetAccountLevel = "set_account_level" on Ops, UPDATE, for MANAGERS => One<Account> {
        req {
            /// The account.
            id: PlatformAccountId,
            /// The level; 80 and above is a global admin.
            level: Whole<0, 100>,
        }
    }
}

tools![ListAccounts, SetAccountLevel];
