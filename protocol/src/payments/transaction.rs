//! Transactions: money that came in or went out.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KEEPERS, OFFICE};
use crate::id::{TransactionId, UserId};
use crate::record::{List, Maybe, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Amount, Day, Limit, Line, Name, Offset};
use crate::words::words;

words! {
    /// Where money went.
    Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

/// A transaction, in the organisation's currency. It stays as it was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Transaction {
    /// Identifies the transaction.
    pub id: TransactionId,
    /// Where the money went.
    pub direction: Direction,
    /// How much.
    pub amount: f64,
    /// When.
    pub occurred_on: Date,
    /// Who paid or was paid.
    pub counterparty: String,
    /// What for.
    pub description: Option<String>,
    /// The bank's reference.
    pub reference: Option<String>,
    /// Who recorded it.
    pub recorded_by: UserId,
}
record!(Transaction, "transaction", "transactions");

tool! {
    /// Lists transactions, the latest first.
    ListTransactions = "list_transactions" on Payments, READ,
        for OFFICE.and(&[Role::Automation, Role::Fellow]) => List<Transaction> {
        opt {
            /// Only these.
            direction: Option<Direction>,
            /// On this day or later.
            since: Option<Day>,
            /// On this day or earlier.
            until: Option<Day>,
            /// Part of counterparty, description or reference.
            search: Option<Line>,
            /// Most transactions to return.
            limit: Limit,
            /// Transactions to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one transaction.
    GetTransaction = "get_transaction" on Payments, READ,
        for OFFICE.and(&[Role::Automation, Role::Fellow]) => Maybe<Transaction> {
        req {
            /// The transaction.
            id: TransactionId,
        }
    }
}

tool! {
    /// Records a transaction; nothing changes it later. A reference is recorded once.
    RecordTransaction = "record_transaction" on Payments, CREATE,
        for KEEPERS.and(&[Role::Automation]) => One<Transaction> {
        req {
            /// Where the money went.
            direction: Direction,
            /// More than 0.
            amount: Amount,
            /// When.
            occurred_on: Day,
            /// Who paid or was paid.
            counterparty: Name,
        }
        opt {
            /// What for.
            description: Option<Line>,
            /// The bank's reference.
            reference: Option<Name>,
        }
    }
}

tools![ListTransactions, GetTransaction, RecordTransaction];
