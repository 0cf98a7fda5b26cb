//! One tool call: what a handler is given, and what it gives back.

mod columns;
mod filter;
mod handler;
mod once;

use std::marker::PhantomData;

use frontdesk_postgres::Row;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::{List, Maybe, One, Record};
use frontdesk_protocol::value::{Flag, Limit, Offset};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Serialize;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

pub use columns::Columns;
pub use filter::Filter;
pub use handler::{Handler, Route};

use crate::database::{
    Access, Actor, Bind, Database, Transaction, TransactionError, commit_refusal, internal, refusal,
};

/// How a handler ends: with JSON of the tool's output type, or a refusal.
pub type Outcome<T> = Result<Answer<T>, ToolError>;

/// JSON text that reads as a `T`. PostgreSQL builds it and it is passed through; the contract tests
/// hold it against the type.
#[derive(Debug)]
pub struct Answer<T> {
    json: String,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> Answer<T> {
    /// The answer that is put together here and not by PostgreSQL.
    ///
    /// # Errors
    /// `internal` where it is no JSON.
    pub fn of(value: &T) -> Outcome<T> {
        match serde_json::to_string(value) {
            Ok(json) => Ok(Answer::new(json)),
            Err(error) => {
                tracing::error!(%error, "an answer cannot be written");
                Err(internal())
            }
        }
    }
}

impl<T> Answer<T> {
    fn new(json: String) -> Self {
        Answer {
            json,
            of: PhantomData,
        }
    }

    /// The JSON text.
    pub fn into_json(self) -> String {
        self.json
    }
}

/// A record as it is stored.
pub trait Stored: Record {
    /// Its table.
    const TABLE: &'static str;
    /// What makes the record, in the order of its fields, from the table as `t`.
    const COLUMNS: &'static str;
}

/// One call of a tool: the caller's transaction, and what came with the arguments.
#[derive(Debug)]
pub struct Call {
    transaction: Transaction,
    /// Whether what is written is undone in the end.
    is_dry_run: bool,
    /// What the call carries beside its arguments.
    pub meta: CallMeta,
}

impl Call {
    /// A call of this caller.
    pub fn new(database: &Database, caller: UserId, access: Access, meta: CallMeta) -> Self {
        Call {
            transaction: database.transaction(Actor::Caller(caller), access),
            is_dry_run: false,
            meta,
        }
    }

    /// Where this is a dry run, everything is done as it would be, and undone in the end.
    pub fn only_try(&mut self, dry_run: Flag<false>) {
        self.is_dry_run = dry_run.0;
    }

    /// Runs one statement in the caller's transaction.
    ///
    /// # Errors
    /// The refusal that the database's answer stands for.
    pub async fn query(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, ToolError> {
        let rows = self.transaction.query(sql, params).await;
        rows.map_err(|error| {
            let refusal = refusal(&error);
            match refusal.code {
                ErrorCode::Internal => tracing::error!(%error, "a statement failed"),
                // Whoever has too much to do does not write long about it.
                _ if matches!(error, TransactionError::Busy) => tracing::debug!("refused"),
                ErrorCode::Unavailable => tracing::warn!(%error, "the database is away"),
                _ => {}
            }
            refusal
        })
    }

    /// The record of this id, or null where there is none that the caller can see.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn get<T: Stored>(&mut self, id: impl Bind) -> Outcome<Maybe<T>> {
        let rows = self.row::<T>(id).await?;
        let record = rows.first().map_or("null", |row| row.get(0));
        Ok(Answer::new(keyed(T::SINGULAR, record)))
    }

    /// Adds a record.
    ///
    /// # Errors
    /// As [`Call::query`]; a refusal names the argument where a constraint is called after it.
    pub async fn insert<T: Stored>(&mut self, columns: Columns<'_>) -> Outcome<One<T>> {
        let sql = format!(
            "with r as (insert into {} as t {} returning {}) select row_to_json(r)::text from r",
            T::TABLE,
            columns.values(),
            T::COLUMNS
        );
        let rows = self.query(&sql, &columns.params()).await?;
        one::<T>(&rows)
    }

    /// Changes a record.
    ///
    /// # Errors
    /// `not_found` where the caller sees no such record; else as [`Call::query`].
    pub async fn update<T: Stored>(
        &mut self,
        id: impl Bind,
        columns: Columns<'_>,
    ) -> Outcome<One<T>> {
        let id = id.bind();
        let mut params = columns.params();
        params.push(&id);
        // Where nothing is to change, the row is written all the same, so that the policy is asked.
        let sql = format!(
            "with r as (update {} as t set {} where t.id = ${} returning {}) select row_to_json(r)::text from r",
            T::TABLE,
            columns
                .assignments()
                .unwrap_or_else(|| "id = t.id".to_owned()),
            params.len(),
            T::COLUMNS
        );
        let rows = self.query(&sql, &params).await?;
        one::<T>(&rows)
    }

    /// Adds a record that is not whole yet: its associations come next, then [`Call::written`].
    ///
    /// # Errors
    /// As [`Call::insert`].
    pub async fn insert_id<T: Stored>(&mut self, columns: Columns<'_>) -> Result<Uuid, ToolError> {
        let sql = format!(
            "insert into {} as t {} returning t.id",
            T::TABLE,
            columns.values()
        );
        let rows = self.query(&sql, &columns.params()).await?;
        match rows.first() {
            Some(row) => Ok(row.get(0)),
            None => Err(ToolError::not_found(T::SINGULAR)),
        }
    }

    /// Reads back what this call wrote.
    ///
    /// # Errors
    /// `not_found` where the caller cannot see it; else as [`Call::query`].
    pub async fn written<T: Stored>(&mut self, id: Uuid) -> Outcome<One<T>> {
        one::<T>(&self.row::<T>(id).await?)
    }

    /// The record of this id as JSON text, in a row, if the caller can see it.
    async fn row<T: Stored>(&mut self, id: impl Bind) -> Result<Vec<Row>, ToolError> {
        let sql = format!(
            "select row_to_json(r)::text from (select {} from {} t where t.id = $1) r",
            T::COLUMNS,
            T::TABLE
        );
        self.query(&sql, &[&id.bind()]).await
    }

    /// A page of the records that match, in this order.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn list<T: Stored, const DEFAULT: u32, const MAX: u32>(
        &mut self,
        filter: Filter<'_>,
        order: &str,
        limit: Limit<DEFAULT, MAX>,
        offset: Offset,
    ) -> Outcome<List<T>> {
        let select = |limit: &str, offset: &str| {
            format!(
                "select {} from {} t where {} order by {order} limit {limit} + 1 offset {offset}",
                T::COLUMNS,
                T::TABLE,
                filter.conditions()
            )
        };
        self.page(select, filter.params(), limit, offset).await
    }

    /// A page of records from a statement that brings one more than the page holds. It is given what
    /// stands in it for the page's limit and offset.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn page<T: Record, const DEFAULT: u32, const MAX: u32>(
        &mut self,
        select: impl FnOnce(&str, &str) -> String,
        mut params: Vec<&(dyn ToSql + Sync)>,
        limit: Limit<DEFAULT, MAX>,
        offset: Offset,
    ) -> Outcome<List<T>> {
        let (limit, offset) = (limit.bind(), offset.bind());
        params.push(&limit);
        let limit_at = format!("${}::bigint", params.len());
        params.push(&offset);
        let offset_at = format!("${}::bigint", params.len());
        let select = select(&limit_at, &offset_at);
        let sql = format!(
            "with r as ({select}) select \
               (select string_agg(row_to_json(p)::text, ',') from (select * from r limit {limit_at}) p), \
               (select count(*) from r) > {limit_at}, {offset_at}"
        );
        let rows = self.query(&sql, &params).await?;
        let (items, has_more) = match rows.first() {
            Some(row) => (
                row.get::<_, Option<&str>>(0).unwrap_or_default(),
                row.get(1),
            ),
            None => ("", false),
        };
        let end = format!(r#"],"limit":{limit},"offset":{offset},"has_more":{has_more}}}"#);
        Ok(Answer::new(
            [r#"{""#, T::PLURAL, r#"":["#, items, &end].concat(),
        ))
    }

    /// A result that PostgreSQL built whole: the first column of the first row, as JSON text.
    ///
    /// # Errors
    /// `None` where there is no row; else as [`Call::query`].
    pub async fn json<T>(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Answer<T>>, ToolError> {
        let rows = self.query(sql, params).await?;
        Ok(rows.first().map(|row| Answer::new(row.get(0))))
    }

    /// Makes what was written last, or undoes it.
    ///
    /// A dry run ends as the real run would: what PostgreSQL would refuse at COMMIT it refuses here.
    async fn end<T>(mut self, mut outcome: Outcome<T>) -> Outcome<T> {
        if self.is_dry_run && outcome.is_ok() {
            let forced = self.query("set constraints all immediate", &[]).await;
            if let Err(error) = forced {
                outcome = Err(error);
            }
        }
        let ended = match &outcome {
            Ok(_) if !self.is_dry_run => self.transaction.commit().await,
            _ => self.transaction.rollback().await,
        };
        match ended {
            Ok(()) => outcome,
            Err(error) => {
                tracing::warn!(%error, "a transaction did not end");
                outcome.and_then(|_| match self.is_dry_run {
                    false => Err(commit_refusal(&error)),
                    true => Err(refusal(&error)),
                })
            }
        }
    }
}

fn keyed(key: &str, record: &str) -> String {
    format!(r#"{{"{key}":{record}}}"#)
}

fn one<T: Stored>(rows: &[Row]) -> Outcome<One<T>> {
    match rows.first() {
        Some(row) => Ok(Answer::new(keyed(T::SINGULAR, row.get(0)))),
        None => Err(ToolError::not_found(T::SINGULAR).on("id")),
    }
}
