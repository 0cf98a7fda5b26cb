//! The rows that a transaction has changed, as its trigger captured them (`schema/changes`).

mod digest;
mod kind;
mod net;
mod stake;

use frontdesk_postgres::Row;
use frontdesk_protocol::changes::RowOperation;
use serde_json::{Map, Value};

pub(crate) use digest::{Asked, PREFIX, digest, used};
pub(crate) use kind::{counted, named};
pub(crate) use net::net;
pub(crate) use stake::at_stake;
pub use stake::{AtStake, Stake};

/// The table whose rows are webhooks.
pub(crate) const WEBHOOKS: &str = "webhooks.events";

/// The columns of a row, with their values.
pub(crate) type Columns = Map<String, Value>;

/// A changed row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Changed {
    /// With its schema.
    pub(crate) table: String,
    pub(crate) operation: RowOperation,
    /// The primary key, as JSON text.
    pub(crate) key: String,
    /// Of an update, the changed columns only.
    pub(crate) before: Option<Columns>,
    pub(crate) after: Option<Columns>,
}

impl Changed {
    /// Reads `table_name, operation, key, before, after`.
    ///
    /// # Errors
    /// If a column is not the JSON that the trigger writes.
    pub(crate) fn read(row: &Row) -> Result<Changed, serde_json::Error> {
        let columns = |at: usize| -> Result<Option<Columns>, serde_json::Error> {
            let text: Option<&str> = row.get(at);
            text.map(serde_json::from_str).transpose()
        };
        Ok(Changed {
            table: row.get(0),
            operation: RowOperation::from_name(row.get(1)).unwrap_or(RowOperation::Update),
            key: row.get(2),
            before: columns(3)?,
            after: columns(4)?,
        })
    }
}
