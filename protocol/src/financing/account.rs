//! The chart of accounts.

use super::{KEEPERS, OFFICE};
use crate::id::LedgerAccountId;
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Text};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The kind of an account.
    AccountKind {
        Asset = "asset",
        Liability = "liability",
        Equity = "equity",
        Income = "income",
        Expense = "expense",
    }
}

/// An account of the ledger.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Account {
    pub id: LedgerAccountId,
    /// Its number in the chart of accounts.
    pub code: String,
    pub name: String,
    pub kind: AccountKind,
}

resource! {
    Account = "account", "accounts" (name: name, state: kind) {
        list: ListAccounts,
        create: CreateAccount,
    }
}

tool! {
    /// Lists accounts by code.
    ListAccounts = "list_accounts" on Financing, READ, for OFFICE.and(&[Role::Automation]) => List<Account> {
        opt {
            kind: Option<AccountKind>,
            /// Part of the code or name.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds an account.
    CreateAccount = "create_account" on Financing, CREATE, for KEEPERS => One<Account> {
        req {
            /// Unique.
            code: Text<1, 20>,
            name: Name,
            kind: AccountKind,
        }
    }
}
