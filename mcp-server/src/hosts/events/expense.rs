//! Expenses of an event.

use frontdesk_protocol::events::expense::{
    CreateEventExpense, Expense, ListEventExpenses, UpdateEventExpense,
};
use frontdesk_protocol::record::{List, One};

use crate::call::{Call, Columns, Filter, Handler, Outcome, Stored};
use crate::hosts::routes;

impl Stored for Expense {
    const TABLE: &'static str = "events.expenses";
    const COLUMNS: &'static str = "t.id, t.event_id, t.vendor_name, t.vendor_category, \
        t.vendor_email, t.vendor_phone, t.amount_estimated, t.amount_paid, t.note";
}

impl Handler for ListEventExpenses {
    async fn handle(self, call: &mut Call) -> Outcome<List<Expense>> {
        let filter = Filter::new()
            .equal("event_id", &self.event_id)
            .maybe("vendor_category", &self.vendor_category)
            .search("vendor_key", &self.search);
        call.list(
            filter,
            "t.vendor_key nulls last, t.id",
            self.limit,
            self.offset,
        )
        .await
    }
}

impl Handler for CreateEventExpense {
    async fn handle(self, call: &mut Call) -> Outcome<One<Expense>> {
        let columns = Columns::new()
            .value("event_id", &self.event_id)
            .option("vendor_name", &self.vendor_name)
            .option("vendor_category", &self.vendor_category)
            .option("vendor_email", &self.vendor_email)
            .option("vendor_phone", &self.vendor_phone)
            .option("amount_estimated", &self.amount_estimated)
            .option("amount_paid", &self.amount_paid)
            .option("note", &self.note);
        call.insert(columns).await
    }
}

impl Handler for UpdateEventExpense {
    async fn handle(self, call: &mut Call) -> Outcome<One<Expense>> {
        let columns = Columns::new()
            .patch("vendor_name", &self.vendor_name)
            .patch("vendor_category", &self.vendor_category)
            .patch("vendor_email", &self.vendor_email)
            .patch("vendor_phone", &self.vendor_phone)
            .patch("amount_estimated", &self.amount_estimated)
            .patch("amount_paid", &self.amount_paid)
            .patch("note", &self.note);
        call.update(self.id, columns).await
    }
}

routes![ListEventExpenses, CreateEventExpense, UpdateEventExpense];
