//! Invoices to send or to collect, the oldest due date first.

use frontdesk_protocol::staff::invoice::ListDueInvoices;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::{Host, Tool};
use serde_json::Value;

use super::part::{Next, Part, next_page, records};
use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::ui::table::Column;

pub(super) static INVOICES: Part = Part {
    title: "Due invoices",
    none: "no due invoices",
    host: Host::Staff,
    kind: "invoice",
    is_for: |role| role.is_some_and(|role| ListDueInvoices::AUDIENCE.contains(role)),
    next,
    ends: false,
    is_nothing: |_| false,
    note: |_, _| None,
    columns: |_| {
        vec![
            Column::name(""),
            Column::whole(""),
            Column::whole("").right(),
            Column::whole(""),
        ]
    },
    cells: |invoice, _, shared| {
        let text = |field: &str| invoice.text(field).unwrap_or_default();
        let outstanding = invoice.number("outstanding").unwrap_or_default();
        vec![
            Cell::new(text("name")),
            cell::due(invoice.day("due_on"), true, shared),
            Cell::new(format!(
                "{} {}",
                cell::amount(outstanding, shared),
                text("currency")
            )),
            cell::state(text("status")),
        ]
    },
};

fn next(_: &Shared, answers: &[Value]) -> Next {
    match next_page(answers, "invoices") {
        Some(offset) => Next::ask(&ListDueInvoices {
            until: None,
            limit: Limit::new(100).unwrap_or_default(),
            offset: Offset::new(offset),
        }),
        None => Next::Rows(records(answers, "invoices")),
    }
}
