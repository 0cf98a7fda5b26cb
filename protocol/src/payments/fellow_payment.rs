//! Payments owed to fellows.

use super::{KEEPERS, OFFICE};
use crate::id::{FellowPaymentId, MemberId, TransactionId};
use crate::record::{One, record};
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Amount, Day, LINE, Line, Text};
use crate::words::words;

words! {
    /// Whether a payment was submitted by the fellow, is due, or is paid.
    PaymentStatus {
        Submitted = "submitted",
        Due = "due",
        Paid = "paid",
    }
}

record! {
    /// A payment to a fellow, in the organisation's currency.
    FellowPayment = "fellow_payment", "fellow_payments" (name: description, state: status) {
        id: FellowPaymentId,
        member_id: MemberId [create],
        member_name: Option<String>,
        /// More than 0.
        amount: Amount [create],
        description: Text<1, 500, LINE> [create],
        due_on: Option<Day> [create],
        status: PaymentStatus,
        /// The transaction that paid it.
        transaction_id: Option<TransactionId>,
    }
    /// Lists payments to fellows by due date. Fellows see their own.
    list ListFellowPayments = "list_fellow_payments" on Payments for OFFICE.and(&[Role::Fellow]) {
        opt {
            member_id: Option<MemberId>,
            status: Option<PaymentStatus>,
            /// Part of the description.
            search: Option<Line>,
        }
    }
    /// Adds a payment that a fellow is owed.
    create CreateFellowPayment = "create_fellow_payment" on Payments for KEEPERS;
    other SubmitFellowPayment;
    set PayFellowPayment;
}

tool! {
    /// Submits a payment that you are owed. Fellows only.
    SubmitFellowPayment = "submit_fellow_payment" on Payments, CREATE, for Roles::of(&[Role::Fellow]) => One<FellowPayment> {
        req {
            /// More than 0.
            amount: Amount,
            description: Text<1, 500, LINE>,
        }
        opt {
            due_on: Option<Day>,
        }
    }
}

tool! {
    /// Marks a payment as paid by an outgoing transaction of the same amount that pays no other payment.
    PayFellowPayment = "pay_fellow_payment" on Payments, UPDATE, for KEEPERS => One<FellowPayment> {
        req {
            id: FellowPaymentId,
            transaction_id: TransactionId,
        }
    }
}
