//! The screens of the accounting ledger.

pub(crate) mod journal_entry;
pub(crate) mod statement_line;

use crate::app::shared::Shared;
use crate::fields::cell::{self, Cell};
use crate::fields::key::Key;
use crate::records::columns::Column;
use crate::records::record::Record;

/// The amount of an entry or a line.
const AMOUNT: Column = Column::own("Amount", amount, |record, _| {
    Key::number(record.number("amount"))
})
.right();

fn amount(record: &Record, _: &Shared) -> Cell {
    Cell::new(
        record
            .number("amount")
            .map(cell::amount)
            .unwrap_or_default(),
    )
}
