//! Payments to fellows: due and late ones.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("status", "State"),
        Column::field("member_id", "Payee"),
        Column::field("amount", "Amount"),
        Column::own("Due", due, |payment, _| {
            payment.day("due_on").map_or(Key::Nothing, Key::Day)
        }),
        Column::field("description", "Purpose"),
    ],
    facts: &[("Due", due)],
    covered: &["due_on"],
    is_past: Some(|payment, _| payment.text("status") == Some("paid")),
    ..View::new(Host::Payments, "fellow payments")
};

fn due(payment: &Record, shared: &Shared) -> Cell {
    let is_open = payment.text("status") != Some("paid");
    cell::due(payment.day("due_on"), is_open, shared)
}
