//! One tool call: what a handler is given, and what it gives back.

mod filter;
mod handler;
mod once;
mod stored;
mod write;

use std::marker::PhantomData;

use frontdesk_postgres::Row;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::{All, List, Maybe, One, Record};
use frontdesk_protocol::value::{Flag, Limit, Offset};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_postgres::types::ToSql;

pub use filter::Filter;
pub use handler::{Handler, Route};
pub use stored::{
    Link, MOST_WITHIN, Part, SqlByName, Stored, columns, cut, measured, missing, only, rows,
};

use crate::database::{
    Access, Actor, Database, Param, Transaction, TransactionError, commit_refusal, internal,
    refusal,
};

/// The most bytes of a page's records. An answer carries them twice, once as text with its quotation marks escaped,
/// which at most doubles it: so it stays below 4 MB.
pub const PAGE_BYTES: usize = 1_300_000;

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

impl<T: Record> Answer<Maybe<T>> {
    /// The record that was just written, which is there.
    pub fn one(self) -> Answer<One<T>> {
        Answer::new(self.json)
    }
}

/// One call of a tool: the caller's transaction, and what came with the arguments.
#[derive(Debug)]
pub struct Call {
    transaction: Transaction,
    /// Who calls.
    pub caller: UserId,
    /// Whether what is written is undone in the end.
    is_dry_run: bool,
    /// Whether what is written has webhooks.
    has_webhooks: bool,
    /// Whether a code host tells the server of pull requests.
    has_code_host: bool,
    /// What the call carries beside its arguments.
    pub meta: CallMeta,
    /// The address of the page that accepts invitations, where accounts are made here.
    pub invitations_at: Option<String>,
}

impl Call {
    /// A call of this caller.
    pub fn new(database: &Database, caller: UserId, access: Access, meta: CallMeta) -> Self {
        Call {
            transaction: database.transaction(Actor::Caller(caller), access),
            caller,
            is_dry_run: false,
            has_webhooks: false,
            has_code_host: database.has_code_host(),
            meta,
            invitations_at: None,
        }
    }

    /// Where this is a dry run, everything is done as it would be, and undone in the end.
    pub fn only_try(&mut self, dry_run: Flag<false>) {
        self.is_dry_run = dry_run.0;
    }

    /// What this call writes has webhooks: they are delivered at once when it is committed.
    pub fn has_webhooks(&mut self) {
        self.has_webhooks = true;
    }

    /// Whether a code host tells the server of pull requests.
    pub fn has_code_host(&self) -> bool {
        self.has_code_host
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
                ErrorCode::Unavailable => tracing::warn!(%error, "{}", refusal.message),
                _ => {}
            }
            refusal
        })
    }

    /// The record of this id, or null where there is none that the caller can see.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn get<T: Stored>(&mut self, id: impl Serialize) -> Outcome<Maybe<T>> {
        let rows = self.row::<T>(id).await?;
        let record = rows.first().map_or("null", |row| row.get(0));
        Ok(Answer::new(keyed(T::SINGULAR, record)))
    }

    /// The record of this id, which was written otherwise than by [`Call::create`] or [`Call::change`].
    ///
    /// # Errors
    /// `not_found` where the caller sees no such record; else as [`Call::query`].
    pub async fn one<T: Stored>(&mut self, id: impl Serialize) -> Outcome<One<T>> {
        one::<T>(&self.row::<T>(id).await?)
    }

    /// The record that the arguments name, or null where there is none that the caller can see.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn find<T: Stored>(&mut self, arguments: &impl Serialize) -> Outcome<Maybe<T>> {
        self.find_with::<T, T>(arguments, &[]).await
    }

    /// The same record as a `W`, which has further fields: their names, each with the SQL that makes it of the
    /// record `o`.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn find_with<T: Stored, W: Record>(
        &mut self,
        arguments: &impl Serialize,
        with: &[(&str, String)],
    ) -> Outcome<Maybe<W>> {
        let filter = Filter::of::<T>(arguments)?;
        let with = with.iter().map(|(name, sql)| format!(", {sql} as {name}"));
        let sql = format!(
            "select row_to_json(r)::text from (select o.*{} from (select {} from {} t where {} limit 1) o) r",
            with.collect::<String>(),
            columns::<T>(),
            T::TABLE,
            filter.conditions()
        );
        let rows = self.query(&sql, &filter.params()).await?;
        let record = rows.first().map_or("null", |row| row.get(0));
        Ok(Answer::new(keyed(W::SINGULAR, record)))
    }

    /// The record that the arguments name with the lists that it holds, which share the bytes of a page; what they
    /// leave out is its field `missing`. `with` is as in [`Call::find_with`].
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn tree<T: Stored, W: Record>(
        &mut self,
        arguments: &impl Serialize,
        with: &[(&str, String)],
        parts: &[Part],
    ) -> Outcome<Maybe<W>> {
        let filter = Filter::of::<T>(arguments)?;
        let (mut fields, mut lists, mut missing) = (String::new(), String::new(), Vec::new());
        for (name, sql) in with {
            fields += &format!(", {sql} as {name}");
        }
        for (at, part) in parts.iter().enumerate() {
            fields += &format!(", p{at}.items as {}", part.field);
            let cut = part.cut(PAGE_BYTES / parts.len());
            lists += &format!(" cross join lateral {cut} p{at}");
            missing.push(part.missing(&format!("p{at}")));
        }
        let sql = format!(
            "select row_to_json(r)::text from (select o.*{fields}, array_remove(array[{}], null) as missing \
             from (select {} from {} t where {} limit 1) o{lists}) r",
            missing.join(", "),
            columns::<T>(),
            T::TABLE,
            filter.conditions()
        );
        let rows = self.query(&sql, &filter.params()).await?;
        let record = rows.first().map_or("null", |row| row.get(0));
        Ok(Answer::new(keyed(W::SINGULAR, record)))
    }

    /// All records that the arguments ask for.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn all<T: Stored>(&mut self, arguments: &impl Serialize) -> Outcome<All<T>> {
        let filter = Filter::of::<T>(arguments)?;
        let select = format!(
            "select {} from {} t where {} order by {}",
            columns::<T>(),
            T::TABLE,
            filter.conditions(),
            T::ORDER
        );
        self.records(&select, &filter.params()).await
    }

    /// The records that a statement brings.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn records<T: Record>(
        &mut self,
        select: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Outcome<All<T>> {
        let sql =
            format!("select coalesce(json_agg(row_to_json(r)), '[]')::text from ({select}) r");
        let rows = self.query(&sql, params).await?;
        let records = rows.first().map_or("[]", |row| row.get(0));
        Ok(Answer::new(keyed(T::PLURAL, records)))
    }

    /// The record of this id as JSON text, in a row, if the caller can see it.
    async fn row<T: Stored>(&mut self, id: impl Serialize) -> Result<Vec<Row>, ToolError> {
        let sql = format!(
            "select row_to_json(r)::text from (select {} from {} t where t.id = $1) r",
            columns::<T>(),
            T::TABLE
        );
        self.query(&sql, &[&Param::of(&id)]).await
    }

    /// A page of the records that the arguments ask for.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn list<T: Stored, const DEFAULT: u32, const MAX: u32>(
        &mut self,
        arguments: &impl Serialize,
        limit: Limit<DEFAULT, MAX>,
        offset: Offset,
    ) -> Outcome<List<T>> {
        let filter = self.filter::<T>(arguments).await?;
        let select = |limit: &str, offset: &str| {
            format!(
                "select {} from {} t where {} order by {} limit {limit} + 1 offset {offset}",
                columns::<T>(),
                T::TABLE,
                filter.conditions(),
                T::ORDER
            )
        };
        self.page(select, filter.params(), limit, offset).await
    }

    /// The conditions that the arguments stand for. What a search finds is looked up first, where there is an index.
    async fn filter<T: Stored>(&mut self, arguments: &impl Serialize) -> Result<Filter, ToolError> {
        let mut arguments = object(arguments)?;
        let Some((finder, words)) = T::FINDER.zip(arguments.get("search")) else {
            return Filter::of::<T>(&arguments);
        };
        let found = self.found(finder, words).await?;
        if found.is_some() {
            arguments.remove("search");
        }
        let mut filter = Filter::of::<T>(&arguments)?;
        if let Some(ids) = found {
            filter.and("t.id = any ($)", ids.into());
        }
        Ok(filter)
    }

    /// The ids that a [`Stored::FINDER`] finds, as PostgreSQL writes an array; nothing where they are too many.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn found(
        &mut self,
        finder: &str,
        words: &impl Serialize,
    ) -> Result<Option<String>, ToolError> {
        let sql = format!("select {finder}($1)::text");
        let rows = self.query(&sql, &[&Param::of(words)]).await?;
        Ok(rows.first().and_then(|row| row.get(0)))
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
        let (limit, offset) = (i64::from(limit.get()), i64::from(offset.get()));
        params.push(&limit);
        let limit_at = format!("${}::bigint", params.len());
        params.push(&offset);
        let offset_at = format!("${}::bigint", params.len());
        let select = select(&limit_at, &offset_at);
        let sql = format!("select row_to_json(r)::text from ({select}) r");
        let rows = self.query(&sql, &params).await?;
        let (items, next) = joined(rows.iter().map(|row| row.get(0)), limit);
        let has_more = next.is_some();
        let next = next.map_or(String::new(), |length| {
            format!(r#","next_offset":{}"#, offset + length)
        });
        let end = format!(r#"],"limit":{limit},"offset":{offset},"has_more":{has_more}{next}}}"#);
        Ok(Answer::new(
            [r#"{""#, T::PLURAL, r#"":["#, &items, &end].concat(),
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
    async fn end<T>(mut self, mut outcome: Result<T, ToolError>) -> Result<T, ToolError> {
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

/// Arguments by name. Those that were left out are not among them.
pub(crate) fn object(arguments: &impl Serialize) -> Result<Map<String, Value>, ToolError> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        other => {
            tracing::error!(?other, "arguments are no object");
            Err(internal())
        }
    }
}

/// The records of a page, at most `limit`, at most [`PAGE_BYTES`], at least one; and how many they are, where others
/// follow.
fn joined<'a>(records: impl Iterator<Item = &'a str>, limit: i64) -> (String, Option<i64>) {
    let mut page = String::new();
    for (at, record) in (0..).zip(records) {
        if at == limit || at > 0 && page.len() + record.len() > PAGE_BYTES {
            return (page, Some(at));
        }
        if at > 0 {
            page.push(',');
        }
        page.push_str(record);
    }
    (page, None)
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
