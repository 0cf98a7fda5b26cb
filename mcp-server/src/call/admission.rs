//! The right to a call whose arguments take work to read, before that work.

use frontdesk_protocol::wire::Shape;
use frontdesk_protocol::{ToolError, args};
use serde_json::{Value, json};

use super::Call;
use crate::database::{internal, params};
use crate::permits::{self, Permit};

/// The write for which a tool reads foreign content.
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

/// An admission that is still to be asked for.
#[derive(Debug)]
pub(super) enum Asked {
    /// To add a row to this table.
    Add(&'static str),
    /// To change the row of this table whose column has this value, under its singular name.
    Change(&'static str, &'static str, (&'static str, Value)),
}

impl Asked {
    /// Takes of the arguments what identifies the record.
    ///
    /// # Errors
    /// `invalid_argument`, as the call.
    pub(super) fn of(
        admission: Admission,
        shape: &'static Shape,
        arguments: &Value,
    ) -> Result<Asked, ToolError> {
        let (table, singular, keys) = match admission {
            Admission::Add(table) => return Ok(Asked::Add(table)),
            Admission::Change {
                table,
                singular,
                keys,
            } => (table, singular, keys),
        };
        let mut arguments = args::check_from(shape, arguments)?;
        let given = |key: &&'static str| Some((*key, arguments.shift_remove(*key)?));
        let named = keys.iter().find_map(given).unwrap_or(("id", Value::Null));
        Ok(Asked::Change(table, singular, named))
    }
}

impl Call {
    /// Checks that the policies let the caller write this. Rules about the content count as kept, since it has not been
    /// read: the write itself is checked again.
    async fn admit(&mut self, asked: Asked) -> Result<(), ToolError> {
        match asked {
            Asked::Add(table) => {
                let sql = "select app.admit_to_add($1::text::regclass)";
                self.ahead(sql, params![table]).await.map(drop)
            }
            Asked::Change(table, singular, (key, id)) => {
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
            return Err(internal("work without an admission"));
        };
        self.admit(asked).await?;
        permits::work(work)
            .await
            .ok_or_else(|| internal("the work of a call panicked"))
    }
}
