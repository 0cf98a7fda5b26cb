//! Transactions: incoming and outgoing.

use frontdesk_protocol::Host;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("occurred_on", "Date"),
        Column::field("description", "Description"),
        Column::own(
            "Amount",
            |transaction, shared| Cell::new(signed(transaction, shared)),
            |transaction, _| Key::number(amount(transaction)),
        )
        .right(),
        Column::field("counterparty", "Counterparty"),
        Column::field("reference", "Reference"),
    ],
    facts: &[("Amount", |transaction, shared| {
        Cell::new(signed(transaction, shared))
    })],
    covered: &["amount"],
    ..View::new(Host::Payments, "transactions")
};

/// Incoming amounts are positive, outgoing ones negative.
fn amount(transaction: &Record) -> Option<f64> {
    let amount = transaction.number("amount")?;
    match transaction.text("direction") {
        Some("outgoing") => Some(-amount),
        _ => Some(amount),
    }
}

fn signed(transaction: &Record, shared: &Shared) -> String {
    let amount = amount(transaction).map(|amount| cell::amount(amount, shared));
    amount.unwrap_or_default()
}
