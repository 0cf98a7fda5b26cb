//! Transactions: money received or paid.

use super::{KEEPERS, OFFICE};
use crate::id::{TransactionId, UserId};
use crate::record::record;
use crate::role::Role;
use crate::value::{Amount, Day, Line, Name};
use crate::words::words;

words! {
    /// The direction of a transaction.
    Direction {
        Incoming = "incoming",
        Outgoing = "outgoing",
    }
}

record! {
    /// A transaction, in the organisation's currency. No tool edits it.
    Transaction = "transaction", "transactions" (name: description, state: direction) {
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
    /// Lists transactions, latest first.
    list ListTransactions = "list_transactions" on Payments for OFFICE.and(&[Role::Automation, Role::Fellow]) {
        opt {
            direction: Option<Direction>,
            /// Inclusive.
            since: Option<Day>,
            /// Inclusive.
            until: Option<Day>,
            /// Part of the counterparty, description or reference.
            search: Option<Line>,
        }
    }
    /// Gets a transaction.
    get GetTransaction = "get_transaction" on Payments for OFFICE.and(&[Role::Automation, Role::Fellow]);
    /// Records a transaction. It is not edited later: undo a mistake. References are unique.
    create RecordTransaction = "record_transaction" on Payments for KEEPERS.and(&[Role::Automation]);
}
