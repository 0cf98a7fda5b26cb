//! Invoices: number and payer, what is outstanding, and what is late.

use frontdesk_protocol::Host;
use ratatui::text::{Line, Span};

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("number", "No."),
        Column::field("status", "State"),
        Column::field("billed_to", "Billed to"),
        Column::own("Outstanding", outstanding, |invoice, _| {
            Key::number(invoice.number("outstanding"))
        })
        .right(),
        Column::own("Due", due, |invoice, _| {
            invoice.day("due_on").map_or(Key::Nothing, Key::Day)
        }),
        Column::field("amount", "Amount"),
        Column::field("description", "Description"),
    ],
    facts: &[
        ("Due", due),
        ("Outstanding", outstanding),
        ("Amount", |invoice, shared| money(invoice, "amount", shared)),
        ("Paid", |invoice, shared| money(invoice, "paid", shared)),
    ],
    covered: &[
        "name",
        "number",
        "due_on",
        "outstanding",
        "amount",
        "paid",
        "currency",
    ],
    head: Some(head),
    is_past: Some(|invoice, _| matches!(invoice.text("status"), Some("paid" | "cancelled"))),
    ..View::new(Host::Staff, "invoices")
};

/// The due date, marked if the invoice was sent and is overdue.
fn due(invoice: &Record, shared: &Shared) -> Cell {
    let is_open = invoice.text("status") == Some("sent");
    cell::due(invoice.day("due_on"), is_open, shared)
}

fn outstanding(invoice: &Record, shared: &Shared) -> Cell {
    money(invoice, "outstanding", shared)
}

/// An amount in the organisation's currency: "1,250.00 BRL".
fn money(invoice: &Record, field: &str, shared: &Shared) -> Cell {
    let currency = invoice.text("currency").unwrap_or_default();
    let amount = invoice.number(field);
    let amount = amount.map(|amount| format!("{} {currency}", cell::amount(amount, shared)));
    Cell::new(amount.unwrap_or_default().trim_end())
}

/// The state, and what is outstanding of the amount.
fn head(invoice: &Record, shared: &Shared, _: usize) -> Line<'static> {
    let state = cell::state(invoice.text("status").unwrap_or_default());
    let of = format!(
        "  {} outstanding of {}",
        money(invoice, "outstanding", shared).text,
        money(invoice, "amount", shared).text
    );
    Line::from(vec![
        Span::styled(state.text, state.tone.style(&shared.settings.theme)),
        Span::styled(of, shared.settings.theme.dim),
    ])
}
