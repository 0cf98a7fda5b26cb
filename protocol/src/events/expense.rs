//! Expenses of an event: estimated and paid amounts.

use super::OFFICE;
use crate::id::{EventId, ExpenseId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Amount, Limit, Line, Name, Offset, Patch, Prose};
use crate::wire::Wire;

/// An expense of an event. Amounts are in the organisation's currency.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Expense {
    pub id: ExpenseId,
    pub event_id: EventId,
    pub vendor_name: Option<String>,
    /// Vendor category, as free text.
    pub vendor_category: Option<String>,
    /// The vendor's e-mail address.
    pub vendor_email: Option<String>,
    /// The vendor's telephone number.
    pub vendor_phone: Option<String>,
    /// Estimated amount.
    #[wire(amount)]
    pub amount_estimated: Option<f64>,
    /// Paid amount.
    #[wire(amount)]
    pub amount_paid: Option<f64>,
    pub note: Option<String>,
}

resource! {
    Expense = "expense", "expenses" (parent: event_id, name: vendor_name) {
        list: ListEventExpenses,
        create: CreateEventExpense,
        change: UpdateEventExpense,
    }
}

tool! {
    /// Lists an event's expenses by vendor.
    ListEventExpenses = "list_event_expenses" on Events, READ, for OFFICE => List<Expense> {
        req {
            event_id: EventId,
        }
        opt {
            /// Exact match.
            vendor_category: Option<Line>,
            /// Part of the vendor's name.
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Adds an expense to an event.
    CreateEventExpense = "create_event_expense" on Events, CREATE, for OFFICE => One<Expense> {
        req {
            event_id: EventId,
        }
        opt {
            vendor_name: Option<Name>,
            vendor_category: Option<Line>,
            vendor_email: Option<Line>,
            vendor_phone: Option<Line>,
            amount_estimated: Option<Amount>,
            amount_paid: Option<Amount>,
            note: Option<Prose>,
        }
    }
}

tool! {
    /// Changes an expense.
    UpdateEventExpense = "update_event_expense" on Events, UPDATE, for OFFICE => One<Expense> {
        req {
            id: ExpenseId,
        }
        opt {
            vendor_name: Patch<Name>,
            vendor_category: Patch<Line>,
            vendor_email: Patch<Line>,
            vendor_phone: Patch<Line>,
            amount_estimated: Patch<Amount>,
            amount_paid: Patch<Amount>,
            note: Patch<Prose>,
        }
    }
}
