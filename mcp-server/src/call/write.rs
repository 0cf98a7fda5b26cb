//! Adding, changing and deleting a record.
//!
//! A write uses the arguments as JSON: PostgreSQL reads them as a row of the table, and sets the columns that
//! the arguments name. The statement's text depends only on these names, so each connection prepares it once.

use frontdesk_postgres::Row;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::One;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{Call, Link, Outcome, Stored, columns, object, one};
use crate::database::{Param, refusal_to_delete};

/// The arguments of a write, without those left out.
struct Written {
    /// The column names, quoted.
    columns: Vec<String>,
    /// All arguments as one JSON object.
    row: Param,
    /// Lists of ids, stored as rows of other tables.
    links: Vec<(&'static Link, Param)>,
}

impl Written {
    fn of<T: Stored>(arguments: &impl Serialize) -> Result<Written, ToolError> {
        let mut row = object(arguments)?;
        row.shift_remove("id");
        let links = T::LINKS.iter().filter_map(|link| {
            let ids = row.shift_remove(link.field)?;
            Some((link, Param::from(ids)))
        });
        let links = links.collect();
        Ok(Written {
            columns: row.keys().map(|name| format!("\"{name}\"")).collect(),
            row: Param::from(Value::Object(row)),
            links,
        })
    }
}

impl Call {
    /// Adds a record with these arguments; other columns get their defaults.
    ///
    /// # Errors
    /// As [`Call::query`]; a refusal names the argument if the constraint's name contains it.
    pub async fn create<T: Stored>(&mut self, arguments: &impl Serialize) -> Outcome<One<T>> {
        let written = Written::of::<T>(arguments)?;
        let sql = format!(
            "with r as (insert into {table} as t ({names}) \
                        select {names} from jsonb_populate_record(null::{table}, $1) \
                        returning {columns}) \
             select row_to_json(r)::text, r.id from r",
            table = T::TABLE,
            names = written.columns.join(", "),
            columns = columns::<T>(),
        );
        let rows = self.query(&sql, &[&written.row]).await?;
        self.link::<T>(&rows, &written.links).await
    }

    /// Changes a record's columns to these arguments; other columns keep their values.
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record; otherwise as [`Call::create`].
    pub async fn change<T: Stored>(
        &mut self,
        id: impl Serialize,
        arguments: &impl Serialize,
    ) -> Outcome<One<T>> {
        let written = Written::of::<T>(arguments)?;
        let names = written.columns.iter();
        let mut changes: Vec<_> = names.map(|name| format!("{name} = n.{name}")).collect();
        // Update the row even if only links or nothing changes, so that its policy is checked and a concurrent
        // change waits.
        if changes.is_empty() {
            changes.push("id = t.id".to_owned());
        }
        let sql = format!(
            "with r as (update {table} as t set {changes} \
                        from jsonb_populate_record(null::{table}, $1) n where t.id = $2 \
                        returning {columns}) \
             select row_to_json(r)::text, r.id from r",
            table = T::TABLE,
            changes = changes.join(", "),
            columns = columns::<T>(),
        );
        let rows = self.query(&sql, &[&written.row, &Param::of(&id)]).await?;
        self.link::<T>(&rows, &written.links).await
    }

    /// Deletes a record and returns its last state.
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record, `conflict` if other records refer to it; otherwise as
    /// [`Call::query`].
    pub async fn delete<T: Stored>(&mut self, id: impl Serialize) -> Outcome<One<T>> {
        let id = Param::of(&id);
        // A DELETE policy silently skips a row that the caller can see but not delete. The UPDATE policy raises an
        // error.
        let touch = format!("update {} t set id = t.id where t.id = $1", T::TABLE);
        self.query(&touch, &[&id]).await?;
        let sql = format!(
            "with r as (delete from {} t where t.id = $1 returning {}) \
             select row_to_json(r)::text from r",
            T::TABLE,
            columns::<T>()
        );
        let rows = self.transaction.query(&sql, &[&id]).await;
        one::<T>(&rows.map_err(|error| refusal_to_delete(T::SINGULAR, &error))?)
    }

    /// Replaces the links of the record in the row, if there are any.
    async fn link<T: Stored>(&mut self, rows: &[Row], links: &[(&Link, Param)]) -> Outcome<One<T>> {
        let (Some(row), [_, ..]) = (rows.first(), links) else {
            return one::<T>(rows);
        };
        let id: Uuid = row.get(1);
        for (link, ids) in links {
            self.query(&link.replace::<T>(), &[&id, ids]).await?;
        }
        one::<T>(&self.row::<T>(id).await?)
    }
}
