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

fn amount(record: &Record, shared: &Shared) -> Cell {
    let amount = record.number("amount");
    let amount = amount.map(|amount| cell::amount(amount, shared));
    Cell::new(amount.unwrap_or_default())
}
