//! Expenses of an event: estimated and paid amounts.

use super::OFFICE;
use crate::id::{EventId, ExpenseId};
use crate::record::record;
use crate::value::{Amount, Line, Mail, Name, Prose};

record! {
    /// An expense of an event. Amounts are in the organisation's currency.
    Expense = "expense", "expenses" (parent: event_id, name: vendor_name) {
        id: ExpenseId,
        event_id: EventId [create],
        vendor_name: Option<Name> [create, change],
        vendor_category: Option<Line> [create, change],
        vendor_email: Option<Mail> [create, change],
        vendor_phone: Option<Line> [create, change],
        amount_estimated: Option<Amount> [create, change],
        amount_paid: Option<Amount> [create, change],
        note: Option<Prose> [create, change],
    }
    /// Lists an event's expenses by vendor.
    list ListEventExpenses = "list_event_expenses" on Events for OFFICE {
        req {
            event_id: EventId,
        }
        opt {
            /// Exact match.
            vendor_category: Option<Line>,
            /// Part of the vendor's name.
            search: Option<Line>,
        }
    }
    /// Adds an expense to an event.
    create CreateEventExpense = "create_event_expense" on Events for OFFICE;
    /// Changes an expense.
    change UpdateEventExpense = "update_event_expense" on Events for OFFICE;
    /// Deletes an expense.
    delete DeleteEventExpense = "delete_event_expense" on Events for OFFICE;
}
