//! Expenses of an event: estimated and paid amounts.

use super::OFFICE;
use crate::id::{EventId, ExpenseId};
use crate::record::{List, record};
use crate::resource::resource;
use crate::tool::tool;
use crate::value::{Amount, Limit, Line, Name, Offset, Prose};

record! {
    /// An expense of an event. Amounts are in the organisation's currency.
    Expense {
        id: ExpenseId,
        event_id: EventId [create],
        vendor_name: Option<Name> [create, change],
        vendor_category: Option<Line> [create, change],
        vendor_email: Option<Line> [create, change],
        vendor_phone: Option<Line> [create, change],
        amount_estimated: Option<Amount> [create, change],
        amount_paid: Option<Amount> [create, change],
        note: Option<Prose> [create, change],
    }
    /// Adds an expense to an event.
    create CreateEventExpense = "create_event_expense" on Events for OFFICE;
    /// Changes an expense.
    change UpdateEventExpense = "update_event_expense" on Events for OFFICE;
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
