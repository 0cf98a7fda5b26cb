//! Transactions: money received or paid.

use jiff::civil::Date;

use super::{KEEPERS, OFFICE};
use crate::id::{TransactionId, UserId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Amount, Day, Limit, Line, Name, Offset};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The direction of a transaction.
    Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

/// A transaction, in the organisation's currency. It cannot be changed.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Transaction {
    pub id: TransactionId,
    pub direction: Direction,
    /// Amount.
    #[wire(amount)]
    pub amount: f64,
    /// Date of the transaction.
    pub occurred_on: Date,
    /// Payer or payee.
    pub counterparty: String,
    pub description: Option<String>,
    /// The bank's reference.
    pub reference: Option<String>,
    /// The account that recorded it.
    pub recorded_by: UserId,
    pub recorded_by_name: Option<String>,
}

resource! {
    Transaction = "transaction", "transactions" (name: description, state: direction) {
        list: ListTransactions,
        get: GetTransaction,
        create: RecordTransaction,
    }
}

tool! {
    /// Lists transactions, latest first.
    ListTransactions = "list_transactions" on Payments, READ,
        for OFFICE.and(&[Role::Automation, Role::Fellow]) => List<Transaction> {
        opt {
            direction: Option<Direction>,
            /// Inclusive.
            since: Option<Day>,
            /// Inclusive.
            until: Option<Day>,
            /// Part of the counterparty, description or reference.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a transaction.
    GetTransaction = "get_transaction" on Payments, READ,
        for OFFICE.and(&[Role::Automation, Role::Fellow]) => Maybe<Transaction> {
        req {
            id: TransactionId,
        }
    }
}

tool! {
    /// Records a transaction, which cannot be changed later. References are unique.
    RecordTransaction = "record_transaction" on Payments, CREATE,
        for KEEPERS.and(&[Role::Automation]) => One<Transaction> {
        req {
            direction: Direction,
            /// More than 0.
            amount: Amount,
            occurred_on: Day,
            /// Payer or payee.
            counterparty: Name,
        }
        opt {
            description: Option<Line>,
            /// The bank's reference.
            reference: Option<Name>,
        }
    }
}
