//! Expenses of an event.

use frontdesk_protocol::events::expense::{
    CreateEventExpense, DeleteEventExpense, Expense, ListEventExpenses, UpdateEventExpense,
};

use crate::call::{SqlByName, Stored};
use crate::hosts::routes;

impl Stored for Expense {
    const TABLE: &'static str = "events.expenses";
    const ORDER: &'static str = "t.vendor_key nulls last, t.id";
    const FILTERS: SqlByName = &[("search", "t.vendor_key like (select app.search_pattern($))")];
}

routes![
    ListEventExpenses,
    CreateEventExpense,
    UpdateEventExpense,
    DeleteEventExpense
];
