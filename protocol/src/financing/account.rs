//! The chart of accounts.

use super::{KEEPERS, OFFICE};
use crate::id::LedgerAccountId;
use crate::record::{List, record};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Limit, Line, Name, Offset, Text};
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
    Account {
        id: LedgerAccountId,
        /// Unique.
        code: Text<1, 20> [create],
        name: Name [create],
        kind: AccountKind [create],
    }
    /// Adds an account.
    create CreateAccount = "create_account" on Financing for KEEPERS;
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
