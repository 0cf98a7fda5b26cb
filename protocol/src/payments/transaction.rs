//! Transactions: money received or paid.

use super::{KEEPERS, OFFICE};
use crate::id::{TransactionId, UserId};
use crate::record::{List, Maybe, record};
use crate::resource::resource;
use crate::role::Role;
use crate::tool::tool;
use crate::value::{Amount, Day, Limit, Line, Name, Offset};
use crate::words::words;

words! {
    /// The direction of a transaction.
    Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

record! {
    /// A transaction, in the organisation's currency. It cannot be changed.
    Transaction {
        id: TransactionId,
        direction: Direction [create],
        /// More than 0.
        amount: Amount [create],
        occurred_on: Day [create],
        /// Payer or payee.
        counterparty: Name [create],
        description: Option<Line> [create],
        /// The bank's reference.
        reference: Option<Name> [create],
        /// The account that recorded it.
        recorded_by: UserId,
        recorded_by_name: Option<String>,
    }
    /// Records a transaction, which cannot be changed later. References are unique.
    create RecordTransaction = "record_transaction" on Payments for KEEPERS.and(&[Role::Automation]);
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
