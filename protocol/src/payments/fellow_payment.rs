//! What fellows are to be paid.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{KEEPERS, OFFICE};
use crate::id::{FellowPaymentId, MemberId, TransactionId};
use crate::record::{List, One, record};
use crate::role::Role;
use crate::tool::{tool, tools};
use crate::value::{Amount, Day, Limit, Line, Offset, Text};
use crate::words::words;

words! {
    /// Whether a payment is still to be made.
    PaymentStatus {
        Due = "due",
        Paid = "paid",
    }
}

/// A payment to a fellow, in the organisation's currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FellowPayment {
    /// Identifies the payment.
    pub id: FellowPaymentId,
    /// Who is paid.
    pub member_id: MemberId,
    /// How much.
    pub amount: f64,
    /// What for.
    pub description: String,
    /// When it is to be paid.
    pub due_on: Option<Date>,
    /// Whether it is.
    pub status: PaymentStatus,
    /// The transaction that paid it.
    pub transaction_id: Option<TransactionId>,
}
record!(FellowPayment, "fellow_payment", "fellow_payments");

tool! {
    /// Lists payments to fellows by the day on which they are due; a fellow's own.
    ListFellowPayments = "list_fellow_payments" on Payments, READ,
        for OFFICE.and(&[Role::Fellow]) => List<FellowPayment> {
        opt {
            /// Only those to this member.
            member_id: Option<MemberId>,
            /// Only those due, or only those paid.
            status: Option<PaymentStatus>,
            /// Part of the description.
            search: Option<Line>,
            /// Most payments to return.
            limit: Limit,
            /// Payments to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a payment that a fellow is owed.
    CreateFellowPayment = "create_fellow_payment" on Payments, CREATE, for KEEPERS => One<FellowPayment> {
        req {
            /// Who is paid.
            member_id: MemberId,
            /// More than 0.
            amount: Amount,
            /// What for.
            description: Text<1, 500>,
        }
        opt {
            /// When it is to be paid.
            due_on: Option<Day>,
        }
    }
}

tool! {
    /// Says which outgoing transaction paid a payment: one of its amount that pays no other.
    PayFellowPayment = "pay_fellow_payment" on Payments, UPDATE, for KEEPERS => One<FellowPayment> {
        req {
            /// The payment.
            id: FellowPaymentId,
            /// What paid it.
            transaction_id: TransactionId,
        }
    }
}

tools![ListFellowPayments, CreateFellowPayment, PayFellowPayment];
