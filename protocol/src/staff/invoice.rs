//! Invoices and their payments: finance, and billing for machines.

use jiff::Timestamp;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BILLING, FINANCE};
use crate::id::{InvoiceId, MemberId, PaymentId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::tool::{tool, tools};
use crate::value::{Amount, Change, Day, Email, Limit, Line, Name, Offset, Patch};
use crate::words::words;

words! {
    /// How far an invoice is.
    InvoiceStatus {
        Draft = "draft",
        Sent = "sent",
        Paid = "paid",
        Cancelled = "cancelled",
    }
}

/// An invoice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Invoice {
    /// Identifies the invoice.
    pub id: InvoiceId,
    /// Counts the organisation's invoices.
    pub number: u32,
    /// Who is to pay.
    pub billed_to: String,
    /// Where it is sent.
    pub email: Option<String>,
    /// The member that it is for.
    pub member_id: Option<MemberId>,
    /// What it is for.
    pub description: String,
    /// What is to be paid.
    pub amount: f64,
    /// What was paid so far.
    pub paid: f64,
    /// The day by which it is to be paid.
    pub due_on: Date,
    /// How far it is.
    pub status: InvoiceStatus,
    /// When it was sent.
    pub sent_at: Option<Timestamp>,
    /// When it was cancelled.
    pub cancelled_at: Option<Timestamp>,
}
record!(Invoice, "invoice", "invoices");

/// A payment of an invoice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Payment {
    /// Identifies the payment.
    pub id: PaymentId,
    /// What was paid.
    pub amount: f64,
    /// When.
    pub paid_on: Date,
    /// Such as the bank's reference.
    pub note: Option<String>,
}
record!(Payment, "payment", "payments");

/// An invoice with its payments, by day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InvoiceWithPayments {
    /// The invoice.
    #[serde(flatten)]
    pub invoice: Invoice,
    /// Its payments.
    pub payments: Vec<Payment>,
    /// What is left out of this list for its size.
    pub missing: Vec<Missing>,
}
record!(InvoiceWithPayments, "invoice", "invoices");

tool! {
    /// Lists invoices, the latest first.
    ListInvoices = "list_invoices" on Staff, READ, for FINANCE => List<Invoice> {
        opt {
            /// Only those of this status.
            status: Option<InvoiceStatus>,
            /// Only those for this member.
            member_id: Option<MemberId>,
            /// Part of who is to pay, or of what for.
            search: Option<Line>,
            /// Most invoices to return.
            limit: Limit,
            /// Invoices to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an invoice with its payments.
    GetInvoice = "get_invoice" on Staff, READ, for FINANCE => Maybe<InvoiceWithPayments> {
        req {
            /// The invoice.
            id: InvoiceId,
        }
    }
}

tool! {
    /// Lists an invoice's payments by day.
    ListPayments = "list_payments" on Staff, READ, for FINANCE => List<Payment> {
        req {
            /// The invoice.
            invoice_id: InvoiceId,
        }
        opt {
            /// Most payments to return.
            limit: Limit,
            /// Payments to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Writes an invoice, a draft until it is sent.
    CreateInvoice = "create_invoice" on Staff, CREATE, for FINANCE => One<Invoice> {
        req {
            /// Who is to pay.
            billed_to: Name,
            /// What for.
            description: Line,
            /// How much.
            amount: Amount,
            /// By which day.
            due_on: Day,
        }
        opt {
            /// Where it is to be sent.
            email: Option<Email>,
            /// The member that it is for.
            member_id: Option<MemberId>,
        }
    }
}

tool! {
    /// Changes a draft. Fields left out stay; null clears. What was sent is cancelled and written anew instead.
    UpdateInvoice = "update_invoice" on Staff, UPDATE, for FINANCE => One<Invoice> {
        req {
            /// The invoice.
            id: InvoiceId,
        }
        opt {
            /// Who is to pay.
            billed_to: Change<Name>,
            /// What for.
            description: Change<Line>,
            /// How much.
            amount: Change<Amount>,
            /// By which day.
            due_on: Change<Day>,
            /// Where it is to be sent.
            email: Patch<Email>,
            /// The member that it is for.
            member_id: Patch<MemberId>,
        }
    }
}

tool! {
    /// Records a payment of a sent invoice, of no more than what is still to be paid.
    RecordPayment = "record_payment" on Staff, CREATE, for FINANCE => One<Invoice> {
        req {
            /// The invoice.
            invoice_id: InvoiceId,
            /// How much.
            amount: Amount,
        }
        opt {
            /// When; today where left out.
            paid_on: Option<Day>,
            /// Such as the bank's reference.
            note: Option<Line>,
        }
    }
}

tool! {
    /// Cancels an invoice without payments. It stays, and cannot be sent or paid any more.
    CancelInvoice = "cancel_invoice" on Staff, DELETE, for FINANCE => One<Invoice> {
        req {
            /// The invoice.
            id: InvoiceId,
        }
    }
}

tool! {
    /// Lists drafts and unpaid invoices that are due, the longest due first.
    ListDueInvoices = "list_due_invoices" on Staff, READ, for BILLING => List<Invoice> {
        opt {
            /// Due until this day; today where left out.
            until: Option<Day>,
            /// Most invoices to return.
            limit: Limit,
            /// Invoices to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Marks an invoice as sent.
    MarkInvoiceSent = "mark_invoice_sent" on Staff, UPDATE, for BILLING => One<Invoice> {
        req {
            /// The invoice.
            id: InvoiceId,
        }
    }
}

tools![
    ListInvoices,
    GetInvoice,
    ListPayments,
    CreateInvoice,
    UpdateInvoice,
    RecordPayment,
    CancelInvoice,
    ListDueInvoices,
    MarkInvoiceSent
];
