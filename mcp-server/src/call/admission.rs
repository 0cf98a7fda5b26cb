//! The right to a call whose arguments take work to read, before that work.

use frontdesk_protocol::ToolError;
use serde_json::{Map, Value, json};

use super::Call;
use crate::database::{internal, params};
use crate::permits::{self, Permit};

/// What a call writes of which it first reads the content.
#[derive(Debug, Clone, Copy)]
pub enum Admission {
    /// Adds a row to this table.
    Add(&'static str),
    /// Changes the record that one of the arguments identifies.
    Change {
        /// Its table.
        table: &'static str,
        /// Its singular name.
        singular: &'static str,
        /// The arguments, each a column with unique values.
        keys: &'static [&'static str],
    },
}

impl Call {
    /// Refuses a caller whom the policies do not let write this. What they say about the content, which is not read yet,
    /// counts as fulfilled: the write itself is checked too.
    ///
    /// # Errors
    /// `forbidden`; `not_found` for a record that the caller cannot see; otherwise as [`Call::query`].
    pub(super) async fn admit(
        &mut self,
        admission: Admission,
        arguments: &Map<String, Value>,
    ) -> Result<(), ToolError> {
        match admission {
            Admission::Add(table) => {
                let sql = "select app.admit_to_add($1::text::regclass)";
                self.ahead(sql, params![table]).await?;
            }
            Admission::Change {
                table,
                singular,
                keys,
            } => {
                let given = |key: &&'static str| Some((*key, arguments.get(*key)?));
                let mut given = keys.iter().filter_map(given);
                let Some((key, id)) = given.next().filter(|_| given.next().is_none()) else {
                    // The handler says which argument is missing.
                    self.is_admitted = false;
                    return Ok(());
                };
                let named = json!({ key: id });
                let sql = "select app.admit_to_change($1::text::regclass, $2::jsonb)";
                let rows = self.ahead(sql, params![table, named]).await?;
                if !rows.first().is_some_and(|row| row.get(0)) {
                    return Err(ToolError::not_found(singular).on(key));
                }
            }
        }
        self.is_admitted = true;
        Ok(())
    }

    /// Reads what a call's arguments contain, once its caller is admitted ([`super::Handler::ADMISSION`]). No connection
    /// is held meanwhile, unless the call is tried or a part of another.
    ///
    /// # Errors
    /// `internal` if it panics, or for a tool without an admission.
    pub(crate) async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Permit) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        if !self.is_admitted {
            tracing::error!("work was asked for before the caller was admitted");
            return Err(internal());
        }
        permits::work(work).await.ok_or_else(internal)
    }
}
