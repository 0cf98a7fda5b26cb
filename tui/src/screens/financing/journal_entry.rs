//! Journal entries: their amounts and reversals.

use frontdesk_protocol::Host;

use super::{AMOUNT, amount};
use crate::app::shared::Shared;
use crate::fields::cell::Cell;
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::pivot::Pivot;
use crate::records::record::Record;
use crate::records::view::View;

pub(crate) static VIEW: View = View {
    columns: &[
        Column::field("entry_on", "Date"),
        Column::field("description", "Description"),
        AMOUNT,
        Column::own("Reversal", reversal, |entry, _| {
            Key::text(entry.text("reversed_by_id"))
        }),
    ],
    facts: &[("Amount", amount)],
    covered: &["amount"],
    pivots: &[Pivot {
        rows: "lines",
        by: "side",
        amount: "amount",
    }],
    is_past: Some(|entry, _| entry.text("reversed_by_id").is_some()),
    ..View::new(Host::Financing, "journal entries")
};

fn reversal(entry: &Record, _: &Shared) -> Cell {
    match (entry.text("reversed_by_id"), entry.text("reverses_id")) {
        (Some(_), _) => Cell::dim("× reversed"),
        (None, Some(_)) => Cell::new("↩ reversal"),
        (None, None) => Cell::new(""),
    }
}
