//! The screens of the accounting ledger.

pub(crate) mod journal_entry;
pub(crate) mod statement_line;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;

/// The amount of an entry or a line, on the right of its column.
const AMOUNT: Column = Column::fixed(
    "       Amount",
    13,
    |record, shared| Cell::new(format!("{:>13}", amount(record, shared).text)),
    |record, _| Key::number(record.number("amount")),
);

fn amount(record: &Record, _: &Shared) -> Cell {
    Cell::new(
        record
            .number("amount")
            .map(cell::amount)
            .unwrap_or_default(),
    )
}
