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

/// An admission that is still to be asked for, with the arguments of its call.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) admission: Admission,
    pub(super) arguments: Map<String, Value>,
}

impl Call {
    /// Refuses a caller whom the policies do not let write this. What they say about the content, which is not read yet,
    /// counts as fulfilled: the write itself is checked too.
    async fn admit(&mut self, asked: &Asked) -> Result<(), ToolError> {
        match asked.admission {
            Admission::Add(table) => {
                let sql = "select app.admit_to_add($1::text::regclass)";
                self.ahead(sql, params![table]).await.map(drop)
            }
            Admission::Change {
                table,
                singular,
                keys,
            } => {
                let given = |key: &&'static str| Some((*key, asked.arguments.get(*key)?));
                let (key, id) = keys.iter().find_map(given).unwrap_or(("id", &Value::Null));
                let named = json!({ key: id });
                let sql = "select app.admit_to_change($1::text::regclass, $2::jsonb)";
                let rows = self.ahead(sql, params![table, named]).await?;
                match rows.first().is_some_and(|row| row.get(0)) {
                    true => Ok(()),
                    false => Err(ToolError::not_found(singular).on(key)),
                }
            }
        }
    }

    /// Reads what a call's arguments contain, once its caller is admitted ([`super::Handler::ADMISSION`]). No connection
    /// is held meanwhile, unless the call is tried or a part of another.
    ///
    /// # Errors
    /// `forbidden`; `not_found` for a record that the caller cannot see; `internal` if the work panics, or for a tool
    /// without an admission; otherwise as [`Call::query`].
    pub(crate) async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Permit) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let Some(asked) = self.admission.take() else {
            tracing::error!("work without an admission");
            return Err(internal());
        };
        self.admit(&asked).await?;
        permits::work(work).await.ok_or_else(internal)
    }
}
