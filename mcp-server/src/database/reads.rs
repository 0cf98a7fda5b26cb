//! Which tables reads have read, for those who want to know whether they would return the same again.

use std::collections::BTreeSet;

use parking_lot::Mutex;
/// Tables, by their numbers in the database.
pub type Tables = BTreeSet<u32>;

/// Notes the tables that reads have read.
#[derive(Debug, Default)]
pub struct Reads(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    tables: Tables,
    /// Whether something else was read, too, or cannot be known.
    is_partial: bool,
}

impl Reads {
    /// The tables; `None` if something was read whose changes are not in the history.
    pub fn tables(&self) -> Option<Tables> {
        let noted = self.0.lock();
        (!noted.is_partial).then(|| noted.tables.clone())
    }

    /// Adds what a read has read; `None` if it is not known.
    pub(super) fn note(&self, tables: Option<Vec<u32>>) {
        let mut noted = self.0.lock();
        noted.is_partial |= tables.is_none();
        noted.tables.extend(tables.unwrap_or_default());
    }
}
