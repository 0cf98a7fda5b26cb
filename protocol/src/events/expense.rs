//! Expenses of an event: what was estimated, what was paid.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OFFICE;
use crate::id::{EventId, ExpenseId};
use crate::record::{List, One, record};
use crate::tool::{tool, tools};
use crate::value::{Amount, Limit, Line, Name, Offset, Patch, Prose};

/// An expense of an event. Amounts are in the organisation's currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expense {
    /// Identifies the expense.
    pub id: ExpenseId,
    /// The event.
    pub event_id: EventId,
    /// Who is paid.
    pub vendor_name: Option<String>,
    /// What for: a free string.
    pub vendor_category: Option<String>,
    /// The vendor's e-mail address.
    pub vendor_email: Option<String>,
    /// The vendor's telephone number.
    pub vendor_phone: Option<String>,
    /// What it should cost.
    pub amount_estimated: Option<f64>,
    /// What was paid.
    pub amount_paid: Option<f64>,
    /// Anything else.
    pub note: Option<String>,
}
record!(Expense, "expense", "expenses");

tool! {
    /// Lists an event's expenses by vendor.
    ListEventExpenses = "list_event_expenses" on Events, READ, for OFFICE => List<Expense> {
        req {
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Exactly this category.
            vendor_category: Option<Line>,
            /// Part of the vendor's name.
            search: Option<Line>,
            /// Most expenses to return.
            limit: Limit,
            /// Expenses to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds an expense to an event.
    CreateEventExpense = "create_event_expense" on Events, CREATE, for OFFICE => One<Expense> {
        req {
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Who is paid.
            vendor_name: Option<Name>,
            /// What for.
            vendor_category: Option<Line>,
            /// Vendor e-mail.
            vendor_email: Option<Line>,
            /// Vendor phone.
            vendor_phone: Option<Line>,
            /// What it should cost.
            amount_estimated: Option<Amount>,
            /// What was paid.
            amount_paid: Option<Amount>,
            /// Note.
            note: Option<Prose>,
        }
    }
}

tool! {
    /// Changes an expense. Fields left out stay; null clears.
    UpdateEventExpense = "update_event_expense" on Events, UPDATE, for OFFICE => One<Expense> {
        req {
            /// The expense.
            id: ExpenseId,
        }
        opt {
            /// Who is paid.
            vendor_name: Patch<Name>,
            /// What for.
            vendor_category: Patch<Line>,
            /// Vendor e-mail.
            vendor_email: Patch<Line>,
            /// Vendor phone.
            vendor_phone: Patch<Line>,
            /// What it should cost.
            amount_estimated: Patch<Amount>,
            /// What was paid.
            amount_paid: Patch<Amount>,
            /// Note.
            note: Patch<Prose>,
        }
    }
}

tools![ListEventExpenses, CreateEventExpense, UpdateEventExpense];
