//! Invoices and their payments. Machine accounts can list due invoices and mark them as sent.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{BILLING, FINANCE};
use crate::id::{InvoiceId, MemberId, PaymentId};
use crate::record::{List, Maybe, Missing, One, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Amount, Day, Email, Limit, Line, Name, Offset};
use crate::wire::Wire;
use crate::words::words;

words! {
    /// The status of an invoice.
    InvoiceStatus {
        Draft = "draft",
        Sent = "sent",
        Paid = "paid",
        Cancelled = "cancelled",
    }
}

record! {
    /// An invoice.
    Invoice {
        id: InvoiceId,
        /// Number and payer.
        name: String,
        /// Sequential number within the organisation.
        number: u32,
        /// Payer.
        billed_to: Name [create, change],
        /// The payer's.
        email: Option<Email> [create, change],
        member_id: Option<MemberId> [create, change],
        member_name: Option<String>,
        description: Line [create, change],
        amount: Amount [create, change],
        /// Sum of the payments.
        #[wire(amount)]
        paid: f64,
        /// What is left to pay; 0 if cancelled.
        #[wire(amount)]
        outstanding: f64,
        /// Currency code (ISO 4217).
        currency: String,
        due_on: Day [create, change],
        status: InvoiceStatus,
        /// When it was sent.
        sent_at: Option<Timestamp>,
        /// When it was cancelled.
        cancelled_at: Option<Timestamp>,
    }
    /// Creates an invoice as a draft.
    create CreateInvoice = "create_invoice" on Staff for FINANCE;
    /// Changes a draft. To change a sent invoice, cancel it and
    /// create another.
    change UpdateInvoice = "update_invoice" on Staff for FINANCE;
}

/// A payment of an invoice.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Payment {
    pub id: PaymentId,
    /// Amount.
    #[wire(amount)]
    pub amount: f64,
    /// Date of the payment.
    pub paid_on: Date,
    /// For example the bank's reference.
    pub note: Option<String>,
    /// When it was reversed; it does not count then.
    pub reversed_at: Option<Timestamp>,
}

/// An invoice with its payments, by day.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct InvoiceWithPayments {
    /// The invoice.
    #[wire(flatten)]
    pub invoice: Invoice,
    /// Its payments.
    pub payments: Vec<Payment>,
    /// Lists that were cut for size, with the call that returns the rest.
    pub missing: Vec<Missing>,
}

resource! {
    Invoice, InvoiceWithPayments = "invoice", "invoices" (name: name, state: status) {
        list: ListInvoices,
        get: GetInvoice,
        create: CreateInvoice,
        change: UpdateInvoice,
        other: RecordPayment,
        delete: CancelInvoice,
        list: ListDueInvoices,
        other: MarkInvoiceSent,
    }
    Payment = "payment", "payments" (parent: invoice_id) {
        list: ListPayments,
        other: ReversePayment,
    }
}

tool! {
    /// Lists invoices, latest first.
    ListInvoices = "list_invoices" on Staff, READ, for FINANCE => List<Invoice> {
        opt {
            status: Option<InvoiceStatus>,
            member_id: Option<MemberId>,
            /// Part of the number, the payer or the description.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an invoice with its payments.
    GetInvoice = "get_invoice" on Staff, READ, for FINANCE => Maybe<InvoiceWithPayments> {
        req {
            id: InvoiceId,
        }
    }
}

tool! {
    /// Lists an invoice's payments by day.
    ListPayments = "list_payments" on Staff, READ, for FINANCE => List<Payment> {
        req {
            invoice_id: InvoiceId,
        }
        opt {
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Records a payment of a sent invoice, at most the outstanding amount.
    RecordPayment = "record_payment" on Staff, CREATE, for FINANCE => One<Invoice> {
        req {
            invoice_id: InvoiceId,
            amount: Amount,
        }
        opt {
            /// Default: today.
            paid_on: Option<Day>,
            note: Option<Line>,
        }
    }
}

tool! {
    /// Takes back a payment that was recorded by mistake. It stays listed as reversed.
    ReversePayment = "reverse_payment" on Staff, UPDATE, for FINANCE => One<Invoice> {
        req {
            id: PaymentId,
        }
    }
}

tool! {
    /// Cancels an invoice that has no payments. It is kept, and can no longer be sent or paid.
    CancelInvoice = "cancel_invoice" on Staff, DELETE, for FINANCE => One<Invoice> {
        req {
            id: InvoiceId,
        }
    }
}

tool! {
    /// Lists drafts and unpaid invoices that are due, oldest due date first.
    ListDueInvoices = "list_due_invoices" on Staff, READ, for BILLING => List<Invoice> {
        opt {
            /// Inclusive. Default: today.
            until: Option<Day>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Marks an invoice as sent.
    MarkInvoiceSent = "mark_invoice_sent" on Staff, UPDATE, for BILLING => One<Invoice> {
        req {
            id: InvoiceId,
        }
    }
}
