//! A tool call: the handler's context and result.

mod admission;
mod answer;
mod ask;
mod caller;
mod entry;
mod filter;
mod given;
mod handler;
mod hosts;
mod offers;
mod once;
mod preview;
mod remark;
mod repeat;
mod running;
mod stored;
mod total;
mod transact;
mod write;

use std::sync::Arc;
use std::time::{Duration, Instant};

use frontdesk_postgres::Row;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::{All, Holds, List, Maybe, One, Record};
use frontdesk_protocol::resource::{Act, Verb};
use frontdesk_protocol::value::Flag;
use frontdesk_protocol::wire::{Shape, Wire};
use frontdesk_protocol::{ErrorCode, Tool, ToolError};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;

pub use admission::Admission;
use answer::Running;
pub use answer::{Answer, Operation, Outcome};
pub use ask::{Asks, Capabilities, Capability, Inputs, MOST_ANSWERED, Request, content};
use entry::Entry;
pub use filter::Filter;
pub use given::{Given, LARGE, parsed};
pub use handler::{Charge, Handler, Route};
pub use hosts::{Hosts, Routes};
pub use offers::{Entries, Form, Message, Offers, Prompt, PromptArgument, Reading, Takes, Text};
use preview::Condition;
pub use running::{Progress, Stop};
pub(crate) use stored::named;
pub use stored::{
    Link, MOST_WITHIN, Part, SqlByName, Storage, Stored, columns, cut, measured, missing, only,
    rows,
};
pub use transact::{ANSWER_BYTES, Effect, Made, notice};
pub(crate) use write::NO_WARNINGS;

use crate::database::{
    Access, Actor, Database, Param, Proof, Reads, Recorded, Transaction, TransactionError,
    commit_refusal, refusal,
};

/// The maximum size of a page's records in bytes. An answer contains them twice, once as text with escaped quotation
/// marks, which at most doubles it. So an answer stays below 4 MB.
pub const PAGE_BYTES: usize = 1_300_000;

/// The record in the result of a tool.
type Acted<T> = <<T as Tool>::Output as Holds>::Record;

/// Builds the statement of a page from the placeholders of limit and offset.
type Select<'a> = dyn Fn(&str, &str) -> String + Send + Sync + 'a;

/// What a tool does whose verb says it all.
#[derive(Debug, Clone, Copy)]
struct Acting {
    verb: Verb,
    /// The argument with the id of the record.
    id: &'static str,
    storage: &'static Storage,
    /// The tool's arguments.
    shape: &'static Shape,
}

impl Acting {
    const fn of<T: Act>() -> Acting
    where
        T::Output: Holds<Record: Stored>,
    {
        Acting {
            verb: T::VERB,
            id: T::ID,
            storage: <Acted<T> as Stored>::STORAGE,
            shape: T::SHAPE,
        }
    }
}

/// A call of a tool: the caller's transaction and the call's metadata.
#[derive(Debug)]
pub struct Call {
    transaction: Transaction,
    /// The user the transaction runs as.
    pub caller: UserId,
    /// How the call depends on its changes.
    condition: Condition,
    /// Whether the writes are rolled back at the end.
    is_dry_run: bool,
    commit: Commit,
    /// The entry in the history, if the changes are captured.
    entry: Option<Entry>,
    /// What stands in the history, once the entry is written.
    recorded: Option<Recorded>,
    /// When it must have ended, and how long that is, if it can hold records that others wait for.
    ends: Option<(Instant, Duration)>,
    /// Whether it returns the stored result of an earlier call, so that it changes nothing.
    is_repeated: bool,
    /// What the caller must be permitted before the content of the arguments is read.
    admission: Option<admission::Asked>,
    remarks: remark::Remarks,
    /// What comes of the call beside its result.
    pub(crate) effect: Effect,
    /// The call's `_meta` fields.
    pub meta: CallMeta,
    /// What this server offers beyond its database.
    pub server: Server,
}

/// When the writes of a call are committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Commit {
    /// Once more than the handler's statements is done.
    AtEnd,
    /// With the last statement, once the handler says which that is.
    WithLast,
    /// With the next statement.
    WithNext,
}

/// What a server offers beyond its database, for the few tools that need it.
#[derive(Debug, Clone)]
pub struct Server {
    /// The tools of all hosts, for a tool that calls others.
    pub hosts: Hosts,
    /// The address of the identity provider, which has the pages behind links, if this server creates accounts.
    pub accounts_at: Option<String>,
    /// The name and version of the calling program.
    pub client: Option<String>,
    /// How long a call that is tried can hold records; a batch, twice as long.
    pub trial: Duration,
    /// Reports the progress of the call to its client.
    pub progress: Option<Progress>,
    /// Tells whether the client has cancelled the call.
    pub stop: Option<Stop>,
    /// What notes the tables that a call reads.
    pub reads: Option<Arc<Reads>>,
    /// What the client answers; `None` if it cannot be asked about this call.
    pub inputs: Option<Inputs>,
}

impl Server {
    /// A server that offers nothing.
    pub const NONE: Server = Server {
        hosts: Hosts::NONE,
        accounts_at: None,
        client: None,
        trial: Duration::MAX,
        progress: None,
        stop: None,
        reads: None,
        inputs: None,
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
            condition: Condition::default(),
            is_dry_run: false,
            commit: Commit::AtEnd,
            entry: None,
            recorded: None,
            ends: None,
            is_repeated: false,
            admission: None,
            remarks: Default::default(),
            effect: Effect::default(),
            meta,
            server: Server::NONE,
        }
    }

    /// The call consists of other calls: each of them, not this one, can repeat an earlier call.
    pub fn makes_calls(&mut self) {
        if let Some(entry) = &mut self.entry {
            entry.makes_calls();
        }
    }

    /// Records that the call reverses this entry of the history.
    pub fn undoes(&mut self, change: Uuid) {
        if let Some(entry) = &mut self.entry {
            entry.undoes = Some(change);
        }
    }

    /// Makes the call a part of this action, unless it is one of another.
    pub fn joins(&mut self, action: Uuid) {
        if let Some(entry) = &mut self.entry {
            entry.action.get_or_insert(action);
        }
    }

    /// With `dry_run`, all writes are performed and rolled back at the end. Records are held as long as in any trial.
    pub fn set_dry_run(&mut self, dry_run: Flag<false>) {
        self.is_dry_run = dry_run.0;
        if self.is_dry_run {
            self.commit = Commit::AtEnd;
            if self.ends.is_none() {
                self.hold_for(self.server.trial);
            }
        }
    }

    /// Records that the writes create webhook events, so delivery starts right after the commit.
    pub fn has_webhooks(&mut self) {
        self.effect.has_webhooks = true;
    }

    /// Takes the digest of the plan that the caller expects. The handler compares it with its plan.
    pub fn expected_plan(&mut self) -> Option<String> {
        self.condition.plan.take()
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
        if let Some(refusal) = self.is_over_time() {
            return Err(refusal);
        }
        match self.run(sql, params).await {
            Ok(rows) => Ok(rows),
            Err(error) => Err(self.is_over_time().unwrap_or_else(|| self.refused(&error))),
        }
    }

    /// Reads ahead of the call's transaction, so that no connection is held afterwards; within it if it has begun.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub async fn ahead(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, ToolError> {
        match self.transaction.ahead() {
            Some(mut ahead) => {
                let rows = ahead.query(sql, params).await;
                rows.map_err(|error| refused(&error))
            }
            None => self.query(sql, params).await,
        }
    }

    /// The refusal of a call that has held records for too long.
    fn is_over_time(&self) -> Option<ToolError> {
        let (_, limit) = self.ends.filter(|(end, _)| Instant::now() > *end)?;
        let seconds = limit.as_secs_f32();
        let message = format!(
            "a batch, and a call that is tried or bound to its preview, can hold records for a limited time, here \
             {seconds} s; nothing was changed"
        );
        let error = ToolError::new(ErrorCode::Conflict, message);
        Some(error.hint("do less in one call"))
    }

    /// Ends the call after this time: it can hold records that others wait for.
    pub fn hold_for(&mut self, limit: Duration) {
        self.ends = Instant::now().checked_add(limit).map(|end| (end, limit));
        // PostgreSQL counts milliseconds in 32 bits.
        let milliseconds = limit.as_millis().min(i32::MAX as u128).to_string();
        let set = "select set_config('statement_timeout', $1, true)";
        let milliseconds = Param::from(Value::String(milliseconds));
        self.transaction
            .first(set, &[Type::TEXT], Some(milliseconds));
    }

    /// The call only reads: it holds no connection between its statements.
    pub fn only_reads(&mut self) {
        self.transaction.only_read();
    }

    /// The next operation is the call's last: its last statement is committed in the same flight, with its entry in the
    /// history, unless the call is tried, repeatable or a part of another.
    pub fn finally(&mut self) -> &mut Self {
        if self.commit == Commit::WithLast {
            self.commit = Commit::WithNext;
        }
        self
    }

    /// Runs a statement, possibly the last one.
    async fn run(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, TransactionError> {
        if self.commit != Commit::WithNext {
            return self.transaction.query(sql, params).await;
        }
        self.commits()?;
        let values = self.entry.as_ref().map(Entry::params);
        let entry = values.as_ref().map(entry::record);
        let committed = self.transaction.query_and_commit(sql, params, entry).await;
        let (rows, recorded) = committed?;
        self.recorded = recorded.or(self.recorded);
        Ok(rows)
    }

    /// The refusal for a failed statement, which can have been committed.
    fn refused(&self, error: &TransactionError) -> ToolError {
        logged(
            error,
            match self.transaction.is_over() {
                true => commit_refusal(error),
                false => refusal(error),
            },
        )
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
    pub fn act<T: Act>(&mut self, tool: &T) -> Operation<'_, T::Output>
    where
        T::Output: Holds<Record: Stored>,
    {
        self.act_warning(tool, NO_WARNINGS)
    }

    /// As [`Call::act`]. `warnings` is the SQL of a `text[]` over the written record `t`: what a person would question.
    /// It reads the state before its statement.
    ///
    /// # Errors
    /// As [`Call::act`].
    pub fn act_warning<'a, T: Act>(
        &'a mut self,
        tool: &T,
        warnings: &'a str,
    ) -> Operation<'a, T::Output>
    where
        T::Output: Holds<Record: Stored>,
    {
        let act = Acting::of::<T>();
        self.does(act, object(tool), warnings).into()
    }

    /// Does what a verb says, with the arguments of its tool.
    fn does<'a>(
        &'a mut self,
        act: Acting,
        mut arguments: Map<String, Value>,
        warnings: &'a str,
    ) -> Running<'a> {
        let storage = act.storage;
        self.finally();
        if let Some(guard) = storage.guard {
            self.transaction.first(guard, &[], None);
        }
        let id = || Param::from(arguments.get(act.id).cloned().unwrap_or_default());
        match act.verb {
            Verb::List => {
                let mut page = |name: &str| -> i64 {
                    let sent = arguments.shift_remove(name);
                    let default = || act.shape.field(name)?.default();
                    sent.or_else(default)
                        .and_then(|number| number.as_i64())
                        .unwrap_or(0)
                };
                let (limit, offset) = (page("limit"), page("offset"));
                self.list_of(storage, arguments, limit, offset)
            }
            Verb::Get | Verb::Other => self.get_of(storage, id()),
            Verb::Create => self.insert(storage, arguments, warnings),
            Verb::Change | Verb::Set => self.update(storage, id(), arguments, warnings),
            Verb::Delete => self.remove(storage, id()),
        }
    }

    /// The record with this id, or null if it does not exist or the caller cannot see it.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn get<T: Stored>(&mut self, id: impl Serialize) -> Operation<'_, Maybe<T>> {
        self.get_of(T::STORAGE, Param::of(&id)).into()
    }

    fn get_of(&mut self, storage: &'static Storage, id: Param) -> Running<'_> {
        Box::pin(async move {
            let rows = self.row(storage, &id).await?;
            maybe(storage.singular, &rows)
        })
    }

    /// The record with this id, after a write other than [`Call::create`] or [`Call::change`].
    ///
    /// # Errors
    /// `not_found` if the caller cannot see the record; otherwise as [`Call::query`].
    pub fn one<T: Stored>(&mut self, id: impl Serialize) -> Operation<'_, One<T>> {
        let id = Param::of(&id);
        let running: Running<'_> =
            Box::pin(async move { one(T::STORAGE, &self.row(T::STORAGE, &id).await?, 0) });
        running.into()
    }

    /// The record that matches a condition on `t`.
    ///
    /// # Errors
    /// As [`Call::one`].
    pub fn only<'a, T: Stored>(&'a mut self, condition: &'a str) -> Operation<'a, One<T>> {
        let running: Running<'_> = Box::pin(async move {
            let rows = self.query(&rows_where(T::STORAGE, condition), &[]).await?;
            one(T::STORAGE, &rows, 0)
        });
        running.into()
    }

    /// The record that the arguments identify, or null if it does not exist or the caller cannot see it.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn find<T: Stored>(&mut self, arguments: &impl Wire) -> Operation<'_, Maybe<T>> {
        self.find_with::<T, T>(arguments, &[])
    }

    /// As [`Call::find`], as a `W` with additional fields: their names, each with its SQL expression over the
    /// record `o`.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn find_with<T: Stored, W: Record>(
        &mut self,
        arguments: &impl Wire,
        with: &[(&str, String)],
    ) -> Operation<'_, Maybe<W>> {
        self.tree_of(T::STORAGE, W::SINGULAR, object(arguments), with, &[])
            .into()
    }

    /// The record that the arguments identify, with its lists, which share the bytes of a page. The record's field
    /// `missing` says which items are left out. `with` is as in [`Call::find_with`].
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn tree<T: Stored, W: Record>(
        &mut self,
        arguments: &impl Wire,
        with: &[(&str, String)],
        parts: &[Part],
    ) -> Operation<'_, Maybe<W>> {
        self.tree_of(T::STORAGE, W::SINGULAR, object(arguments), with, parts)
            .into()
    }

    fn tree_of(
        &mut self,
        storage: &'static Storage,
        singular: &'static str,
        arguments: Map<String, Value>,
        with: &[(&str, String)],
        parts: &[Part],
    ) -> Running<'_> {
        let filter = Filter::new(storage, arguments);
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
        if !parts.is_empty() {
            let missing = missing.join(", ");
            fields += &format!(", array_remove(array[{missing}], null) as missing");
        }
        let sql = format!(
            "select o.*{fields} from (select {} from {} t where {} limit 1) o{lists}",
            storage.columns(),
            storage.table,
            filter.conditions()
        );
        Box::pin(async move {
            let rows = self.query(&sql, &filter.params()).await?;
            maybe(singular, &rows)
        })
    }

    /// All records that match the arguments.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn all<T: Stored>(&mut self, arguments: &impl Wire) -> Operation<'_, All<T>> {
        let (storage, filter) = (T::STORAGE, Filter::of::<T>(arguments));
        let select = format!(
            "select {} from {} t where {} order by {}",
            storage.columns(),
            storage.table,
            filter.conditions(),
            storage.order
        );
        let running: Running<'_> = Box::pin(async move {
            self.records_of(storage.plural, &select, &filter.params())
                .await
        });
        running.into()
    }

    /// The records that a statement returns.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn records<'a, T: Record>(
        &'a mut self,
        select: &'a str,
        params: &'a [&'a (dyn ToSql + Sync)],
    ) -> Operation<'a, All<T>> {
        let running: Running<'a> = Box::pin(self.records_of(T::PLURAL, select, params));
        running.into()
    }

    async fn records_of(
        &mut self,
        plural: &str,
        select: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<String, ToolError> {
        let rows = self.query(select, params).await?;
        let mut records = String::new();
        for row in &rows {
            records.push(if records.is_empty() { '[' } else { ',' });
            write(row, 0, &mut records)?;
        }
        records.push_str(if rows.is_empty() { "[]" } else { "]" });
        Ok(keyed(plural, &records))
    }

    /// The record with this id in one row, or no row if the caller cannot see it.
    async fn row(&mut self, storage: &Storage, id: &Param) -> Result<Vec<Row>, ToolError> {
        let sql = rows_where(storage, "t.id = $1");
        self.query(&sql, &[id]).await
    }

    /// A page of the records that match the arguments.
    ///
    /// # Errors
    /// As [`Call::query`].
    pub fn list<T: Stored>(
        &mut self,
        arguments: &impl Wire,
        limit: impl Into<i64>,
        offset: impl Into<i64>,
    ) -> Operation<'_, List<T>> {
        let arguments = object(arguments);
        self.list_of(T::STORAGE, arguments, limit.into(), offset.into())
            .into()
    }

    fn list_of(
        &mut self,
        storage: &'static Storage,
        arguments: Map<String, Value>,
        limit: i64,
        offset: i64,
    ) -> Running<'_> {
        Box::pin(async move {
            let filter = self.filter(storage, arguments.clone()).await?;
            let conditions = filter.conditions();
            let select = |limit: &str, at: &str| storage.page(&conditions, limit, at, offset == 0);
            let all = format!("select from {} t where {conditions}", storage.table);
            let params = filter.params();
            let list = self
                .paged(storage.plural, &select, Some(all), params, limit, offset)
                .await?;
            if offset == 0 {
                self.explain_empty(storage, &list, &arguments).await?;
            }
            Ok(list)
        })
    }

    /// The conditions for the arguments. A search is looked up first if the table has an index for it.
    async fn filter(
        &mut self,
        storage: &Storage,
        mut arguments: Map<String, Value>,
    ) -> Result<Filter, ToolError> {
        let Some((finder, words)) = storage.finder.zip(arguments.get("search")) else {
            return Ok(Filter::new(storage, arguments));
        };
        let found = self.found(finder, words).await?;
        if found.is_some() {
            arguments.remove("search");
        }
        let mut filter = Filter::new(storage, arguments);
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
    pub fn page<'a, T: Record>(
        &'a mut self,
        select: impl Fn(&str, &str) -> String + Send + Sync + 'a,
        params: Vec<&'a (dyn ToSql + Sync)>,
        limit: impl Into<i64>,
        offset: impl Into<i64>,
    ) -> Operation<'a, List<T>> {
        let select: Box<Select<'a>> = Box::new(select);
        let (limit, offset) = (limit.into(), offset.into());
        self.page_of(T::PLURAL, select, params, limit, offset)
            .into()
    }

    fn page_of<'a>(
        &'a mut self,
        plural: &'static str,
        select: Box<Select<'a>>,
        params: Vec<&'a (dyn ToSql + Sync)>,
        limit: i64,
        offset: i64,
    ) -> Running<'a> {
        Box::pin(async move {
            self.paged(plural, &*select, None, params, limit, offset)
                .await
        })
    }

    /// As [`Call::page`]. `all` selects the records of all pages, with the same parameters and in any order.
    async fn paged(
        &mut self,
        plural: &str,
        select: &Select<'_>,
        all: Option<String>,
        mut params: Vec<&(dyn ToSql + Sync)>,
        limit: i64,
        offset: i64,
    ) -> Result<String, ToolError> {
        let filter = params.clone();
        params.push(&limit);
        let limit_at = format!("${}::bigint", params.len());
        params.push(&offset);
        let offset_at = format!("${}::bigint", params.len());
        let rows = self.query(&select(&limit_at, &offset_at), &params).await?;
        let (items, next) = joined(&rows, limit)?;
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
        Ok([r#"{""#, plural, r#"":["#, &items, &end, "}"].concat())
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
}

/// The refusal for a failed statement.
fn refused(error: &TransactionError) -> ToolError {
    logged(error, refusal(error))
}

/// Logs the cause of a refusal that does not say it.
fn logged(error: &TransactionError, refusal: ToolError) -> ToolError {
    match refusal.code {
        // Overload is logged at debug only, so that logging adds no load.
        _ if matches!(error, TransactionError::Busy) => tracing::debug!("refused as busy"),
        ErrorCode::Unavailable | ErrorCode::OutcomeUnknown => {
            tracing::warn!(%error, "{}", refusal.message);
        }
        _ => {}
    }
    refusal
}

/// The arguments by name, without those left out.
pub(crate) fn object(arguments: &impl Wire) -> Map<String, Value> {
    match arguments.write() {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    }
}

/// The statement that selects the records that match a condition on `t`.
fn rows_where(storage: &Storage, condition: &str) -> String {
    let columns = storage.columns();
    format!(
        "select {columns} from {} t where {condition}",
        storage.table
    )
}

/// The records of a page: at most `limit`, at most [`PAGE_BYTES`], at least one. Also returns their number if more
/// records follow.
fn joined(rows: &[Row], limit: i64) -> Result<(String, Option<i64>), ToolError> {
    let mut page = String::new();
    for (at, row) in (0..).zip(rows) {
        let end = page.len();
        if at == limit {
            return Ok((page, Some(at)));
        }
        if at > 0 {
            page.push(',');
        }
        write(row, 0, &mut page)?;
        if at > 0 && page.len() - 1 > PAGE_BYTES {
            page.truncate(end);
            return Ok((page, Some(at)));
        }
    }
    Ok((page, None))
}

/// Appends the record in the columns from this one on.
fn write(row: &Row, from: usize, json: &mut String) -> Result<(), ToolError> {
    let written = row.write_json(from, json);
    written.map_err(|error| refused(&error.into()))
}

fn keyed(key: &str, record: &str) -> String {
    format!(r#"{{"{key}":{record}}}"#)
}

/// The record in the first row, or null.
fn maybe(singular: &str, rows: &[Row]) -> Result<String, ToolError> {
    match rows.first() {
        Some(row) => record(singular, row, 0),
        None => Ok(keyed(singular, "null")),
    }
}

/// The record in the columns of the first row from this one on.
fn one(storage: &Storage, rows: &[Row], from: usize) -> Result<String, ToolError> {
    match rows.first() {
        Some(row) => record(storage.singular, row, from),
        None => Err(ToolError::not_found(storage.singular).on("id")),
    }
}

fn record(singular: &str, row: &Row, from: usize) -> Result<String, ToolError> {
    let mut answer = format!(r#"{{"{singular}":"#);
    write(row, from, &mut answer)?;
    answer.push('}');
    Ok(answer)
}
