//! The contexts of the commands of records.

use crate::app::input::command::{Context, LIST};

/// Lists of records.
pub(crate) static RECORDS: Context = Context::above("Records", &LIST).general();
/// Boards.
pub(crate) static BOARD: Context = Context::above("Boards", &RECORDS);
/// Trees.
pub(crate) static TREE: Context = Context::above("Trees of records", &RECORDS);
