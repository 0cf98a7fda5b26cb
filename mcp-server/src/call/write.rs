//! Adding, changing and deleting a record.
//!
//! A write uses the arguments as JSON: PostgreSQL reads them as a row of the table, and sets the columns that
//! the arguments name. The statement's text depends only on these names, so each connection prepares it once.

use frontdesk_postgres::Row;
use frontdesk_protocol::record::One;
use frontdesk_protocol::wire::Wire;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

use super::{Call, Commit, Link, Operation, Running, Storage, Stored, object, one};
use crate::database::{Param, Said, refusal_to_delete};

/// The field of a request with the names of the fields in which records differ.
const UNIQUE: &str = "_meta.frontdesk/unique";

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
    fn of(storage: &'static Storage, mut row: Map<String, Value>) -> Written {
        row.shift_remove("id");
        let links = storage.links.iter().filter_map(|link| {
            let ids = row.shift_remove(link.field)?;
            Some((link, Param::from(ids)))
        });
        let links = links.collect();
        Written {
            columns: row.keys().map(|name| format!("\"{name}\"")).collect(),
            row: Param::from(Value::Object(row)),
            links,
        }
    }
}

/// The warnings of a change that clears fields or shortens lists, which its caller may not have meant. Only such a change
/// reads the record as it was.
struct Losses {
    /// The record before the change, `b`, as a part of the statement.
    before: String,
    /// The SQL of the warnings, a `text[]`.
    warnings: String,
    /// The parameter `$3`: lists of ids, which are written after the record.
    ids: Param,
}

impl Losses {
    /// `None` for a change that clears fewer than three fields and replaces no list.
    fn of(storage: &Storage, arguments: &Map<String, Value>) -> Option<Losses> {
        let is_list = |value: &Value| value.is_array() || value.is_object();
        let cleared = arguments.values().filter(|value| value.is_null()).count();
        let fields = arguments.iter().filter(|(_, value)| match cleared {
            3.. => value.is_null() || is_list(value),
            _ => is_list(value),
        });
        let (mut columns, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut ids = Map::new();
        for (name, value) in fields {
            let (was, is) = match storage.links.iter().find(|link| link.field == name) {
                Some(link) => {
                    ids.insert(name.clone(), value.clone());
                    (link.select(storage), format!("$3::jsonb -> '{name}'"))
                }
                None => {
                    columns.push(format!(", \"{name}\""));
                    (format!("b.\"{name}\""), format!("t.\"{name}\""))
                }
            };
            before.push(format!("'{name}', to_jsonb({was})"));
            after.push(format!("'{name}', to_jsonb({is})"));
        }
        let (columns, before, after) = (columns.concat(), before.join(", "), after.join(", "));
        (!before.is_empty()).then(|| Losses {
            before: format!(
                ", (select id{columns} from {} where id = $2 and $3::jsonb is not null) b",
                storage.table
            ),
            warnings: format!(
                "app.losses(jsonb_build_object({before}), jsonb_build_object({after}))"
            ),
            ids: Param::from(Value::Object(ids)),
        })
    }

    /// These and other warnings.
    fn beside(&self, others: &str) -> String {
        format!("array_cat({others}, {})", self.warnings)
    }
}

/// The refusal of a change of a record that has other values than its caller knows.
fn changed(storage: &Storage, record: &str, was: &Map<String, Value>) -> ToolError {
    let record: Value = serde_json::from_str(record).unwrap_or_default();
    let record = &record[storage.singular];
    let current = was.keys().map(|name| (name.clone(), record[name].clone()));
    let current: Map<_, _> = current
        .filter(|(name, now)| was.get(name) != Some(now))
        .collect();
    let fields: Vec<_> = current.keys().map(|name| name.replace('_', " ")).collect();
    let kind = storage.singular.replace('_', " ");
    let message = format!(
        "the {kind} has changed since you loaded it ({}); nothing was changed",
        fields.join(", ")
    );
    ToolError::new(ErrorCode::Conflict, message)
        .hint("load it again")
        .with(&json!({ "current": current }))
}

/// The SQL of no warnings.
pub(crate) const NO_WARNINGS: &str = "null::text[]";

/// The column of the first field in what a written record returns.
const RECORD: usize = 2;

/// What the written record `t` returns: the warnings, its id, and from [`RECORD`] on its fields.
fn returning(storage: &Storage, warnings: &str) -> String {
    format!("{warnings}, t.id, {}", storage.columns())
}

/// The tables whose new rows are webhook events.
const TELLING: [&str; 3] = ["engineering.spec_runs", "ops.sandboxes", "work.meetings"];

impl Call {
    /// Adds a record with these arguments; other columns get their defaults.
    ///
    /// # Errors
    /// As [`Call::query`]; a refusal names the argument if the constraint's name contains it.
    pub fn create<T: Stored>(&mut self, arguments: &impl Wire) -> Operation<'_, One<T>> {
        self.insert(T::STORAGE, object(arguments), NO_WARNINGS)
            .into()
    }

    pub(super) fn insert<'a>(
        &'a mut self,
        storage: &'static Storage,
        arguments: Map<String, Value>,
        warnings: &'a str,
    ) -> Running<'a> {
        Box::pin(async move {
            self.effect.has_webhooks |= TELLING.contains(&storage.table);
            let unique = self.unique(&arguments)?;
            let written = Written::of(storage, arguments);
            let mut sql = format!(
                "insert into {table} as t ({names}) select {names} from jsonb_populate_record(null::{table}, $1)",
                table = storage.table,
                names = written.columns.join(", "),
            );
            let mut params: Vec<&(dyn ToSql + Sync)> = vec![&written.row];
            if let Some(values) = &unique {
                let lock = "select pg_advisory_xact_lock(hashtextextended('{table}' || app.caller_org(), 94))";
                let lock = lock.replace("{table}", storage.table);
                self.transaction.first(lock, &[], None);
                // `offset 0`: whether the fields can be compared is checked even if the table is empty.
                let find = ", (select array(select app.find_same('{table}', $2)) as same_ids offset 0) f \
                     where not exists (select from {table} o where o.id = any (f.same_ids))";
                sql.push_str(&find.replace("{table}", storage.table));
                params.push(values);
            }
            sql = format!("{sql} returning {}", returning(storage, warnings));
            let made = self.write(storage, &sql, &params, &written.links).await?;
            // An insert without such fields adds its record, or PostgreSQL refuses it.
            made.ok_or_else(|| {
                let fields = self.meta.unique.join(" and ");
                let message = format!("another {} has the same {fields}", storage.singular);
                ToolError::new(ErrorCode::Conflict, message.replace('_', " "))
            })
        })
    }

    /// The values of the fields in which a new record must differ from all others, if the call names fields. Calls that
    /// name fields take turns: the second sees what the first has added.
    fn unique(&self, arguments: &Map<String, Value>) -> Result<Option<Param>, ToolError> {
        if self.meta.unique.is_empty() {
            return Ok(None);
        }
        let mut values = Map::new();
        for field in &self.meta.unique {
            let Some(value) = arguments.get(field).filter(|value| !value.is_null()) else {
                let message = format!("`{field}` is no argument of the call, or has no value");
                return Err(ToolError::invalid(UNIQUE, message));
            };
            values.insert(field.clone(), value.clone());
        }
        Ok(Some(Param::from(Value::Object(values))))
    }

    /// Changes a record's columns to these arguments; other columns keep their values.
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record; otherwise as [`Call::create`].
    pub fn change<T: Stored>(
        &mut self,
        id: impl Serialize,
        arguments: &impl Wire,
    ) -> Operation<'_, One<T>> {
        self.change_warning(id, arguments, NO_WARNINGS)
    }

    /// As [`Call::change`], with the warnings of [`Call::act_warning`].
    pub fn change_warning<'a, T: Stored>(
        &'a mut self,
        id: impl Serialize,
        arguments: &impl Wire,
        warnings: &'a str,
    ) -> Operation<'a, One<T>> {
        self.update(T::STORAGE, Param::of(&id), object(arguments), warnings)
            .into()
    }

    pub(super) fn update<'a>(
        &'a mut self,
        storage: &'static Storage,
        id: Param,
        arguments: Map<String, Value>,
        warnings: &'a str,
    ) -> Running<'a> {
        Box::pin(async move {
            let losses = Losses::of(storage, &arguments);
            let (before, warnings) = match &losses {
                Some(losses) => (losses.before.as_str(), losses.beside(warnings)),
                None => ("", warnings.to_owned()),
            };
            let written = Written::of(storage, arguments);
            let names = written.columns.iter();
            let mut changes: Vec<_> = names.map(|name| format!("{name} = n.{name}")).collect();
            // Update the row even if only links or nothing changes, so that its policy is checked and a concurrent
            // change waits.
            if changes.is_empty() {
                changes.push("id = t.id".to_owned());
            }
            let (table, changes) = (storage.table, changes.join(", "));
            let returning = returning(storage, &warnings);
            let mut was = std::mem::take(&mut self.meta.was);
            was.retain(|name, _| written.columns.contains(&format!("\"{name}\"")));
            let known = Param::from(Value::Object(was.clone()));
            let mut params: Vec<&(dyn ToSql + Sync)> = vec![&written.row, &id];
            if let Some(losses) = &losses {
                params.push(&losses.ids);
            }
            if was.is_empty() {
                let sql = format!(
                    "update {table} as t set {changes} from jsonb_populate_record(null::{table}, $1) n{before} \
                     where t.id = $2 returning {returning}"
                );
                let made = self.write(storage, &sql, &params, &written.links).await?;
                return made.map_or_else(|| one(storage, &[], RECORD), Ok);
            }
            // Or it has the new values: a repeated call, or somebody made the same change.
            let same = was
                .keys()
                .map(|name| format!("(t.\"{name}\" is not distinct from o.\"{name}\" or t.\"{name}\" is not distinct from n.\"{name}\")"));
            let same = same.collect::<Vec<_>>().join(" and ");
            params.push(&known);
            let place = params.len();
            let sql = format!(
                "update {table} as t set {changes} from jsonb_populate_record(null::{table}, $1) n, \
                   jsonb_populate_record(null::{table}, ${place}) o{before} where t.id = $2 and {same} returning {returning}"
            );
            // The transaction stays open to tell a record with other values from none.
            self.commit = Commit::AtEnd;
            if let Some(record) = self.write(storage, &sql, &params, &written.links).await? {
                return Ok(record);
            }
            let rows = self.row(storage, &id).await?;
            let record = one(storage, &rows, 0)?;
            Err(changed(storage, &record, &was))
        })
    }

    /// Deletes a record and returns its last state.
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record, `conflict` if other records refer to it; otherwise as
    /// [`Call::query`].
    pub fn delete<T: Stored>(&mut self, id: impl Serialize) -> Operation<'_, One<T>> {
        self.remove(T::STORAGE, Param::of(&id)).into()
    }

    pub(super) fn remove(&mut self, storage: &'static Storage, id: Param) -> Running<'_> {
        Box::pin(async move {
            // A DELETE policy silently skips a row that the caller can see but not delete. The UPDATE policy raises an
            // error.
            let touch = format!("update {} t set id = t.id where t.id = $1", storage.table);
            self.transaction
                .first(touch, &[Type::UUID], Some(id.clone()));
            let returning = returning(storage, NO_WARNINGS);
            let sql = format!(
                "delete from {} t where t.id = $1 returning {returning}",
                storage.table
            );
            let rows = self.run(&sql, &[&id]).await;
            let rows = rows.map_err(|error| {
                refusal_to_delete(storage.singular, &error).unwrap_or_else(|| self.refused(&error))
            })?;
            one(storage, &rows, RECORD)
        })
    }

    /// Writes a record, its links and the warnings. `None` if the statement has written no record.
    async fn write(
        &mut self,
        storage: &Storage,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
        links: &[(&Link, Param)],
    ) -> Result<Option<String>, ToolError> {
        let rows = match links {
            [] => self.query(sql, params).await?,
            [_, ..] => self.query_before(sql, params).await?,
        };
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        for warning in row.get::<_, Option<Vec<Said>>>(0).unwrap_or_default() {
            self.warn(warning);
        }
        if links.is_empty() {
            return one(storage, &rows, RECORD).map(Some);
        }
        let id: Uuid = row.get(1);
        for (link, ids) in links {
            self.query_before(&link.replace(storage), &[&id, ids])
                .await?;
        }
        one(storage, &self.row(storage, &Param::of(&id)).await?, 0).map(Some)
    }

    /// As [`Call::query`], for a statement before others of the same operation.
    async fn query_before(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, ToolError> {
        let commit = std::mem::replace(&mut self.commit, Commit::AtEnd);
        let rows = self.query(sql, params).await;
        self.commit = commit;
        rows
    }
}
