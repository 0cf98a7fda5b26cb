//! The chart of accounts.

use super::{KEEPERS, OFFICE};
use crate::id::LedgerAccountId;
use crate::record::record;
use crate::role::Role;
use crate::value::{CODE, Line, Name, Text};
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

record! {
    /// An account of the ledger.
    Account = "account", "accounts" (name: name, state: kind) {
        id: LedgerAccountId,
        /// Unique.
        code: Text<1, 20, CODE> [create],
        name: Name [create],
        kind: AccountKind [create],
    }
    /// Lists accounts by code.
    list ListAccounts = "list_accounts" on Financing for OFFICE.and(&[Role::Automation]) {
        opt {
            kind: Option<AccountKind>,
            /// Part of the code or name.
            search: Option<Line>,
        }
    }
    /// Adds an account.
    create CreateAccount = "create_account" on Financing for KEEPERS;
}
