//! Invoices: what for, how much of it is paid, and what is late.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

/// How invoices are shown.
pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("number", "No."),
        Column::field("status", "State"),
        Column::field("billed_to", "Billed to"),
        Column::field("amount", "Amount"),
        Column::fixed("Due", 18, due, |invoice, _| {
            invoice.day("due_on").map_or(Key::Nothing, Key::Day)
        }),
        Column::field("description", "Description"),
    ],
    facts: &[
        ("Due", due),
        ("Paid", |invoice, _| {
            let paid = invoice.number("paid").unwrap_or_default();
            Cell::new(cell::amount(paid))
        }),
    ],
    told: &["due_on", "paid"],
    is_past: Some(|invoice, _| matches!(invoice.text("status"), Some("paid" | "cancelled"))),
    ..View::new(Host::Staff, "invoices")
};

/// The day by which it is to be paid; what was sent and is not paid then is late.
fn due(invoice: &Record, shared: &Shared) -> Cell {
    let is_open = invoice.text("status") == Some("sent");
    cell::due(invoice.day("due_on"), is_open, shared)
}
