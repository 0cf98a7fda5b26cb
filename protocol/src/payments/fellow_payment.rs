//! Payments owed to fellows.

use jiff::civil::Date;

use super::{KEEPERS, OFFICE};
use crate::id::{FellowPaymentId, MemberId, TransactionId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Amount, Day, Limit, Line, Offset, Text};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// Whether a payment was submitted by the fellow, is due, or is paid.
    PaymentStatus {
        Submitted = "submitted",
        Due = "due",
        Paid = "paid",
    }
}

/// A payment to a fellow, in the organisation's currency.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct FellowPayment {
    pub id: FellowPaymentId,
    /// The paid member.
    pub member_id: MemberId,
    pub member_name: Option<String>,
    /// Amount.
    #[wire(amount)]
    pub amount: f64,
    pub description: String,
    /// Due date.
    pub due_on: Option<Date>,
    pub status: PaymentStatus,
    /// The transaction that paid it.
    pub transaction_id: Option<TransactionId>,
}

resource! {
    FellowPayment = "fellow_payment", "fellow_payments" (name: description, state: status) {
        list: ListFellowPayments,
        create: CreateFellowPayment,
        other: SubmitFellowPayment,
        set: PayFellowPayment,
    }
}

tool! {
    /// Lists payments to fellows by due date. Fellows see their own.
    ListFellowPayments = "list_fellow_payments" on Payments, READ,
        for OFFICE.and(&[Role::Fellow]) => List<FellowPayment> {
        opt {
            member_id: Option<MemberId>,
            status: Option<PaymentStatus>,
            /// Part of the description.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a payment that a fellow is owed.
    CreateFellowPayment = "create_fellow_payment" on Payments, CREATE, for KEEPERS => One<FellowPayment> {
        req {
            member_id: MemberId,
            /// More than 0.
            amount: Amount,
            description: Text<1, 500>,
        }
        opt {
            due_on: Option<Day>,
        }
    }
}

tool! {
    /// Submits a payment that you are owed. Fellows only.
    SubmitFellowPayment = "submit_fellow_payment" on Payments, CREATE, for Roles::of(&[Role::Fellow]) => One<FellowPayment> {
        req {
            /// More than 0.
            amount: Amount,
            description: Text<1, 500>,
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
