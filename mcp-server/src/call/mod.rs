//! A tool call: the handler's context and result.

mod caller;
mod entry;
mod filter;
mod handler;
mod hosts;
mod once;
mod preview;
mod remark;
mod stored;
mod total;
mod write;

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use frontdesk_postgres::Row;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::{All, Holds, List, Maybe, One, Record};
use frontdesk_protocol::resource::{Act, Operation};
use frontdesk_protocol::value::Flag;
use frontdesk_protocol::{ErrorCode, Tool, ToolError};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use entry::Entry;
pub use filter::Filter;
pub use handler::{ANSWER_BYTES, Charge, Effect, Handler, Route};
pub use hosts::{Hosts, Routes};
use preview::Condition;
pub(crate) use stored::named;
pub use stored::{
    Link, MOST_WITHIN, Part, SqlByName, Stored, columns, cut, measured, missing, only, rows,
};
use write::NO_WARNINGS;

use crate::database::{
    Access, Actor, Database, Param, Proof, Transaction, TransactionError, commit_refusal, internal,
    refusal,
};

/// The maximum size of a page's records in bytes. An answer contains them twice, once as text with escaped quotation
/// marks, which at most doubles it. So an answer stays below 4 MB.
pub const PAGE_BYTES: usize = 1_300_000;

/// A handler's result: JSON of the tool's output type, or a refusal.
pub type Outcome<T> = Result<Answer<T>, ToolError>;

/// JSON text of a `T`. PostgreSQL builds it and the server passes it through; the contract tests compare it with
/// the type.
#[derive(Debug)]
pub struct Answer<T> {
    json: String,
    of: PhantomData<fn() -> T>,
}

impl<T: Serialize> Answer<T> {
    /// Serializes an answer that PostgreSQL did not build.
    ///
    /// # Errors
    /// `internal` if it cannot be serialized.
    pub fn of(value: &T) -> Outcome<T> {
        match serde_json::to_string(value) {
            Ok(json) => Ok(Answer::new(json)),
            Err(error) => {
                tracing::error!(%error, "an answer cannot be serialized");
                Err(internal())
            }
        }
    }
}

impl<T> Answer<T> {
    /// JSON text that is known to be a `T`.
    pub(crate) fn new(json: String) -> Self {
        Answer {
            json,
            of: PhantomData,
        }
    }

    /// The JSON text.
    pub fn into_json(self) -> String {
        self.json
    }

    /// The id at this place of the answer, as a JSON pointer.
    ///
    /// # Errors
    /// `internal` if there is none.
    pub(crate) fn read(&self, pointer: &str) -> Result<Uuid, ToolError> {
        let answer: Value = serde_json::from_str(&self.json).unwrap_or_default();
        let id = answer.pointer(pointer).and_then(Value::as_str);
        id.and_then(|id| id.parse().ok()).ok_or_else(internal)
    }
}

impl<T: Record> Answer<Maybe<T>> {
    /// The answer for a record that has just been written, so it exists.
    pub fn one(self) -> Answer<One<T>> {
        Answer::new(self.json)
    }
}

/// The record in the result of a tool.
type Acted<T> = <<T as Tool>::Output as Holds>::Record;

/// A call of a tool: the caller's transaction and the call's metadata.
#[derive(Debug)]
pub struct Call {
    transaction: Transaction,
    /// The user the transaction runs as.
    pub caller: UserId,
    /// Whether the writes are rolled back at the end.
    is_dry_run: bool,
    /// Whether the writes create webhook events.
    has_webhooks: bool,
    /// Whether nothing but the handler's statements is needed, so that the last one can be committed at once.
    is_single: bool,
    /// Whether the next operation is the last.
    is_last: bool,
    /// The entry in the history, if the changes are captured.
    entry: Option<Entry>,
    /// The id of the entry, once it is written.
    change: Option<Uuid>,
    /// Since when the call is tried: others see its results although the writes can be rolled back.
    trial: Option<Instant>,
    /// Whether the handler has compared its plan with the expected one.
    has_checked_plan: bool,
    /// Whether it returns the stored result of an earlier call, so that it changes nothing.
    is_repeated: bool,
    remarks: remark::Remarks,
    /// The call's `_meta` fields.
    pub meta: CallMeta,
    /// What this server offers beyond its database.
    pub server: Server,
}

/// What a server offers beyond its database, for the few tools that need it.
#[derive(Debug, Clone)]
pub struct Server {
    /// The tools of all hosts, for a tool that calls others.
    pub hosts: Hosts,
    /// The address of the identity provider, which has the pages behind links, if this server creates accounts.
    pub accounts_at: Option<String>,
    /// Whether a code host reports pull requests.
    pub has_code_host: bool,
    /// The name and version of the calling program.
    pub client: Option<String>,
    /// How long a call that is tried can hold records.
    pub trial: Duration,
}

impl Server {
    /// A server that offers nothing.
    pub const NONE: Server = Server {
        hosts: Hosts::NONE,
        accounts_at: None,
        has_code_host: false,
        client: None,
        trial: Duration::MAX,
    };
}

impl Call {
    /// Prepares a call of this caller. `proof` is that of the access token; `None` within the process.
    pub fn new(
        database: &Database,
        caller: UserId,
        proof: Option<Proof>,
        access: Access,
        meta: CallMeta,
    ) -> Self {
        let mut transaction = database.transaction(Actor::Caller(caller), access);
        transaction.prove(proof);
        Call {
            transaction,
            caller,
            is_dry_run: false,
            has_webhooks: false,
            is_single: false,
            is_last: false,
            entry: None,
            change: None,
            trial: None,
            has_checked_plan: false,
            is_repeated: false,
            remarks: Default::default(),
            meta,
            server: Server::NONE,
        }
    }

    /// Records that the call reverses this entry of the history.
    pub fn undoes(&mut self, change: Uuid) {
        if let Some(entry) = &mut self.entry {
            entry.undoes = Some(change);
        }
    }

    /// With `dry_run`, all writes are performed and rolled back at the end.
    pub fn only_try(&mut self, dry_run: Flag<false>) {
        self.is_dry_run = dry_run.0;
    }

    /// Records that the writes create webhook events, so delivery starts right after the commit.
    pub fn has_webhooks(&mut self) {
        self.has_webhooks = true;
    }

    /// The digest of the plan that the caller expects. The handler compares it with its plan.
    pub fn expected_plan(&mut self) -> Option<&str> {
        self.has_checked_plan = true;
        self.meta.expected_plan.as_deref()
    }

    /// Runs one statement in the caller's transaction.
    ///
    /// # Errors
    /// The refusal for the database's error.
    pub async fn query(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, ToolError> {
        if self.is_tried_too_long() {
            return Err(self.tried_too_long());
        }
        match self.run(sql, params).await {
            Ok(rows) => Ok(rows),
            Err(_) if self.is_tried_too_long() => Err(self.tried_too_long()),
            Err(error) => Err(self.refused(&error)),
        }
    }

    fn is_tried_too_long(&self) -> bool {
        (self.trial).is_some_and(|began| began.elapsed() > self.server.trial)
    }

    fn tried_too_long(&self) -> ToolError {
        let seconds = self.server.trial.as_secs_f32();
        let message = format!(
            "a call that is tried, or bound to its preview, holds records for at most {seconds} s; nothing was changed"
        );
        ToolError::new(ErrorCode::Conflict, message)
            .hint("do less in one call, or call it without preview and plan")
    }

    /// The call only reads: it holds no connection between its statements.
    pub fn only_reads(&mut self) {
        self.transaction.only_read();
    }

    /// The next operation is the call's last: its last statement is committed in the same flight, with its entry in the
    /// history, unless the call is tried, repeatable or a part of another.
    pub fn finally(&mut self) -> &mut Self {
        self.is_last = true;
        self
    }

    /// Runs a statement, possibly the last one.
    async fn run(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, TransactionError> {
        if !self.is_last || !self.is_single || self.is_dry_run {
            return self.transaction.query(sql, params).await;
        }
        let values = self.entry.as_ref().map(Entry::params);
        let entry = values.as_ref().map(entry::record);
        let committed = self.transaction.query_and_commit(sql, params, entry).await;
        let (rows, change) = committed?;
        self.change = change;
        Ok(rows)
    }

    /// The refusal for a failed statement, which can have been committed.
    fn refused(&self, error: &TransactionError) -> ToolError {
        match self.transaction.is_over() {
            true => commit_refusal(error),
            false => refused(error),
        }
    }

    /// Reads the caller's rights again, after a call in this transaction that can have changed them.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn enter_again(&mut self) -> Result<(), ToolError> {
        let entered = self.transaction.enter_again().await;
        entered.map_err(|error| refused(&error))
    }

    /// Checks the constraints that are otherwise checked at the commit. With `go_on`, later ones are deferred again.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn check_constraints(&mut self, go_on: bool) -> Result<(), ToolError> {
        self.query("set constraints all immediate", &[]).await?;
        if go_on {
            self.query("set constraints all deferred", &[]).await?;
        }
        Ok(())
    }

    /// Does what the verb of the tool says with the stored record, and nothing after it.
    ///
    /// # Errors
    /// As [`Call::list`], [`Call::get`], [`Call::create`], [`Call::change`] or [`Call::delete`].
    pub async fn act<T: Act>(&mut self, tool: &T) -> Outcome<T::Output>
    where
        T::Output: Holds<Record: Stored>,
    {
        self.act_warning(tool, NO_WARNINGS).await
    }

    /// As [`Call::act`]. `warnings` is the SQL of a `text[]` over the written record `t`: what a person would question.
    /// It reads the state before its statement.
    ///
    /// # Errors
    /// As [`Call::act`].
    pub async fn act_warning<T: Act>(&mut self, tool: &T, warnings: &str) -> Outcome<T::Output>
    where
        T::Output: Holds<Record: Stored>,
    {
        self.is_last = true;
        let json = match tool.operation() {
            Operation::List { limit, offset } => self
                .list::<Acted<T>>(tool, limit, offset)
                .await?
                .into_json(),
            Operation::Get(id) => self.get::<Acted<T>>(id).await?.into_json(),
            Operation::Create => self.insert::<Acted<T>>(tool, warnings).await?.into_json(),
            Operation::Change(id) => self
                .update::<Acted<T>>(id, tool, warnings)
                .await?
                .into_json(),
            Operation::Delete(id) => self.delete::<Acted<T>>(id).await?.into_json(),
        };
        Ok(Answer::new(json))
    }

    /// The record with this id, or null if it does not exist or the caller cannot see it.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn get<T: Stored>(&mut self, id: impl Serialize) -> Outcome<Maybe<T>> {
        let rows = self.row::<T>(id).await?;
        let record = rows.first().map_or("null", |row| row.get(0));
        Ok(Answer::new(keyed(T::SINGULAR, record)))
    }

    /// The record with this id, after a write other than [`Call::create`] or [`Call::change`].
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record; otherwise as [`Call::query`].
    pub async fn one<T: Stored>(&mut self, id: impl Serialize) -> Outcome<One<T>> {
        one::<T>(&self.row::<T>(id).await?)
    }

    /// The record that the arguments identify, or null if it does not exist or the caller cannot see it.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn find<T: Stored>(&mut self, arguments: &impl Serialize) -> Outcome<Maybe<T>> {
        self.find_with::<T, T>(arguments, &[]).await
    }

    /// As [`Call::find`], as a `W` with additional fields: their names, each with its SQL expression over the
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

    /// The record that the arguments identify, with its lists, which share the bytes of a page. The record's field
    /// `missing` says which items are left out. `with` is as in [`Call::find_with`].
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

    /// All records that match the arguments.
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

    /// The records that a statement returns.
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

    /// The record with this id as JSON text in one row, or no row if the caller cannot see it.
    async fn row<T: Stored>(&mut self, id: impl Serialize) -> Result<Vec<Row>, ToolError> {
        let sql = format!(
            "select row_to_json(r)::text from (select {} from {} t where t.id = $1) r",
            columns::<T>(),
            T::TABLE
        );
        self.query(&sql, &[&Param::of(&id)]).await
    }

    /// A page of the records that match the arguments.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn list<T: Stored>(
        &mut self,
        arguments: &impl Serialize,
        limit: impl Into<i64>,
        offset: impl Into<i64>,
    ) -> Outcome<List<T>> {
        let filter = self.filter::<T>(arguments).await?;
        let (columns, table, order) = (columns::<T>(), T::TABLE, T::ORDER);
        let conditions = filter.conditions();
        let select = |limit: &str, offset: &str| {
            format!(
                "select {columns} from {table} t where {conditions} order by {order} \
                 limit {limit} + 1 offset {offset}"
            )
        };
        let all = format!("select from {table} t where {conditions}");
        let offset = offset.into();
        let list = self
            .paged(select, Some(all), filter.params(), limit, offset)
            .await?;
        let is_empty = list.json.starts_with(&format!(r#"{{"{}":[],"#, T::PLURAL));
        if is_empty && offset == 0 {
            self.explain_empty::<T>(&object(arguments)?).await?;
        }
        Ok(list)
    }

    /// The conditions for the arguments. A search is looked up first if the table has an index for it.
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

    /// The ids that a [`Stored::FINDER`] finds, as a PostgreSQL array; `None` if they are too many.
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

    /// A page of records. `select` builds the statement from the placeholders of limit and offset. The statement must
    /// return one record more than the page holds.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn page<T: Record>(
        &mut self,
        select: impl Fn(&str, &str) -> String,
        params: Vec<&(dyn ToSql + Sync)>,
        limit: impl Into<i64>,
        offset: impl Into<i64>,
    ) -> Outcome<List<T>> {
        self.paged(select, None, params, limit, offset).await
    }

    /// As [`Call::page`]. `all` selects the records of all pages, with the same parameters and in any order.
    async fn paged<T: Record>(
        &mut self,
        select: impl Fn(&str, &str) -> String,
        all: Option<String>,
        mut params: Vec<&(dyn ToSql + Sync)>,
        limit: impl Into<i64>,
        offset: impl Into<i64>,
    ) -> Outcome<List<T>> {
        let (limit, offset) = (limit.into(), offset.into());
        let filter = params.clone();
        params.push(&limit);
        let limit_at = format!("${}::bigint", params.len());
        params.push(&offset);
        let offset_at = format!("${}::bigint", params.len());
        let sql = format!(
            "select row_to_json(r)::text from ({}) r",
            select(&limit_at, &offset_at)
        );
        let rows = self.query(&sql, &params).await?;
        let (items, next) = joined(rows.iter().map(|row| row.get(0)), limit);
        let has_more = next.is_some();
        let mut end = format!(r#"],"limit":{limit},"offset":{offset},"has_more":{has_more}"#);
        if let Some(length) = next {
            end += &format!(r#","next_offset":{}"#, offset + length);
        }
        let is_last = !has_more && (!rows.is_empty() || offset == 0);
        match self.meta.total {
            _ if is_last => end += &format!(r#","total":{}"#, offset + rows.len() as i64),
            None => {}
            Some(total) => {
                let all = all.unwrap_or_else(|| select("null::bigint", "0::bigint"));
                end += &self.total(total, &all, &filter).await?;
            }
        }
        if rows.is_empty() && offset > 0 {
            self.note("there are no records after this offset");
        }
        Ok(Answer::new(
            [r#"{""#, T::PLURAL, r#"":["#, &items, &end, "}"].concat(),
        ))
    }

    /// A result that PostgreSQL built completely: the first column of the first row, as JSON text.
    ///
    /// # Errors
    /// `None` if there is no row; otherwise as [`Call::query`].
    pub async fn json<T>(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Answer<T>>, ToolError> {
        let rows = self.query(sql, params).await?;
        Ok(rows.first().map(|row| Answer::new(row.get(0))))
    }

    /// Commits the writes with their entry in the history, unless that has happened with the last statement, or rolls them
    /// back. Returns the changes of a preview, and those
    /// that the caller does not expect.
    ///
    /// A dry run and a preview fail if the real run would: deferred constraints are checked here.
    async fn end<T>(
        mut self,
        mut outcome: Result<T, ToolError>,
        condition: &Condition<'_>,
    ) -> (Result<T, ToolError>, Effect) {
        if self.transaction.is_over() {
            let change = self.change;
            return (
                outcome,
                Effect {
                    changes: None,
                    change,
                },
            );
        }
        let is_trial = self.is_dry_run || condition.is_preview;
        let mut changes = None;
        if outcome.is_ok()
            && !condition.tool.effect.read_only
            && (is_trial || condition.needs_changes())
            && let Err(error) = self.check_constraints(false).await
        {
            outcome = Err(error);
        }
        if outcome.is_ok() && condition.needs_changes() {
            match self.look(condition).await {
                Ok(None) => {}
                Ok(Some((found, refusal))) => {
                    changes = Some(found);
                    outcome = refusal.map_or(outcome, Err);
                }
                Err(error) => outcome = Err(error),
            }
        }
        if outcome.is_ok()
            && let Some(refusal) = condition.is_unmet(&self)
        {
            outcome = Err(refusal);
        }
        let ended = match (&outcome, &self.entry) {
            (Ok(_), Some(entry)) if !is_trial => {
                let params = entry.params();
                self.transaction.commit_with(entry::record(&params)).await
            }
            (Ok(_), None) if !is_trial => self.transaction.commit().await.map(|()| None),
            _ => self.transaction.rollback().await.map(|()| None),
        };
        let mut change = None;
        match ended {
            Ok(entry) => change = entry,
            Err(error) => {
                tracing::warn!(%error, "a transaction could not be ended");
                outcome = outcome.and_then(|_| match is_trial {
                    false => Err(commit_refusal(&error)),
                    true => Err(refusal(&error)),
                });
            }
        }
        (outcome, Effect { changes, change })
    }
}

/// The refusal for a failed statement.
fn refused(error: &TransactionError) -> ToolError {
    let refusal = refusal(error);
    match refusal.code {
        ErrorCode::Internal => tracing::error!(%error, "a statement failed"),
        // Overload is logged at debug only, so that logging adds no load.
        _ if matches!(error, TransactionError::Busy) => tracing::debug!("refused as busy"),
        ErrorCode::Unavailable => tracing::warn!(%error, "{}", refusal.message),
        _ => {}
    }
    refusal
}

/// The arguments by name, without those left out.
pub(crate) fn object(arguments: &impl Serialize) -> Result<Map<String, Value>, ToolError> {
    match serde_json::to_value(arguments) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        other => {
            tracing::error!(?other, "arguments are not an object");
            Err(internal())
        }
    }
}

/// The records of a page: at most `limit`, at most [`PAGE_BYTES`], at least one. Also returns their number if more
/// records follow.
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
