//! Adding, changing and deleting a record.
//!
//! A write is made from the arguments as they were sent: PostgreSQL reads their JSON as a row of the table,
//! and the columns that were named take its values. The statement's text depends on nothing but these names,
//! so that each connection prepares it once.

use frontdesk_postgres::Row;
use frontdesk_protocol::ToolError;
use frontdesk_protocol::record::One;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use super::{Call, Link, Outcome, Stored, columns, object, one};
use crate::database::{Param, refusal_to_delete};

/// What the arguments of a write name. One that was left out is not among them.
struct Written {
    /// Columns, quoted.
    columns: Vec<String>,
    /// The arguments.
    row: Param,
    /// Lists of ids, which are rows of other tables.
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
    /// Adds a record with these arguments; columns that they do not name take their defaults.
    ///
    /// # Errors
    /// As [`Call::query`]; a refusal names the argument where a constraint is called after it.
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

    /// Changes a record to these arguments; columns that they do not name stay.
    ///
    /// # Errors
    /// `not_found` where the caller sees no such record; else as [`Call::create`].
    pub async fn change<T: Stored>(
        &mut self,
        id: impl Serialize,
        arguments: &impl Serialize,
    ) -> Outcome<One<T>> {
        let written = Written::of::<T>(arguments)?;
        let names = written.columns.iter();
        let mut changes: Vec<_> = names.map(|name| format!("{name} = n.{name}")).collect();
        // The row is written also where only links change, or nothing: its policy is asked, and of two
        // calls the second waits.
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

    /// Deletes a record, and returns it as it was last.
    ///
    /// # Errors
    /// `not_found` where the caller sees no such record, `conflict` where others refer to it; else as
    /// [`Call::query`].
    pub async fn delete<T: Stored>(&mut self, id: impl Serialize) -> Outcome<One<T>> {
        let id = Param::of(&id);
        // A DELETE policy passes over a row that the caller sees and may not delete; the policy for
        // changes refuses.
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

    /// Replaces the links of the record in the row, if there are any to replace.
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
