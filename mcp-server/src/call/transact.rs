//! The steps of a call within its transaction: it begins, is made, ends, and says what its caller should know about it. What a
//! batch contains is a part of its transaction.

use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::events::is_delivered;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::wire::TIME_EXAMPLE;
use frontdesk_protocol::{Declaration, ErrorCode, ToolError};
use serde_json::Value;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::admission::Asked;
use super::ask::Asks;
use super::entry::{self, Entry};
use super::once::Once;
use super::preview::{self, Condition};
use super::remark::warned;
use super::repeat::Same;
use super::{Call, Commit, Given, PAGE_BYTES, Route, Server, logged};
use crate::changes::AtStake;
use crate::database::{Access, Database, Param, Said, commit_refusal, params, refusal, with_value};
use crate::identity::Verified;

/// Refuses a caller without one of these roles.
const ADMIT: &str = "select app.admit($1)";

/// The maximum size of an answer in bytes.
pub const ANSWER_BYTES: usize = 4_000_000;

/// The effect of a call on the stored rows, in addition to its result.
#[derive(Debug, Default)]
pub struct Effect {
    /// The changes of a preview, and those that the caller does not expect.
    pub changes: Option<Changes>,
    /// The entry in the history of a call that has changed something.
    pub change: Option<Uuid>,
    /// The action to which that belongs.
    pub action: Option<Uuid>,
    /// Whether it repeats a call of the last minutes.
    repeats: bool,
    /// Whether it is bound to the changes that its preview showed.
    is_bound: bool,
    /// Whether it has created webhook events.
    pub has_webhooks: bool,
    /// From where a reader goes on.
    pub next: Option<String>,
    /// What the handler has asked of the client.
    pub asks: Option<Box<Asks>>,
    /// The values of a preview that matter to people.
    pub stakes: Vec<AtStake>,
}

/// What has come of a call: its result, JSON text, or its refusal; and the effect.
pub type Made = (Result<String, ToolError>, Effect);

impl Call {
    /// Begins a call of a tool: its transaction knows the caller, asks for the right with its first statement, and captures
    /// what is written. Nothing is sent before that statement.
    ///
    /// # Errors
    /// `invalid_argument` for a call in another account's name that no desk delivers.
    pub fn begin(
        route: &Route,
        database: &Database,
        caller: Verified,
        mut meta: CallMeta,
        server: Server,
        given: &Given<'_>,
    ) -> Result<Call, ToolError> {
        let tool = &route.tool;
        if meta.made_by.is_some() && !is_delivered(tool) {
            let message = "is only for calls that the journal of a desk delivers";
            return Err(ToolError::invalid("_meta.frontdesk/madeBy", message));
        }
        let access = match tool.effect.read_only {
            true => Access::Read,
            false => Access::Write,
        };
        let access = caller.access(access);
        let condition = Condition::take(&mut meta);
        let is_kept = database.records_changes();
        let entry = (access == Access::Write && (is_kept || condition.needs_changes()))
            .then(|| Entry::of(tool, &given.text, &meta, server.client.clone(), is_kept));
        let mut call = Call::new(database, caller.user, Some(caller.proof), access, meta);
        call.transaction.note_reads(server.reads.clone());
        if tool.host.checks_roles() {
            let roles = Param::of(&route.roles());
            call.transaction
                .first(ADMIT, &[Type::TEXT_ARRAY], Some(roles));
        }
        if entry.is_some() {
            call.transaction.capture();
            if let Some(made_by) = call.meta.made_by {
                let set = "select set_config('app.made_by', $1, true)";
                let made_by = Param::of(&made_by);
                call.transaction.first(set, &[Type::TEXT], Some(made_by));
            }
        }
        if access == Access::Write && call.meta.idempotency_key.is_none() && condition.is_none() {
            call.commit = Commit::WithLast;
        }
        call.entry = entry;
        call.server = server;
        call.condition = condition;
        Ok(call)
    }

    /// Makes the call, up to its end.
    ///
    /// # Errors
    /// The refusal to answer with.
    pub async fn make(&mut self, route: &Route, given: &Given<'_>) -> Result<String, ToolError> {
        if self.condition.needs_changes() && self.entry.is_some() {
            self.watch().await?;
        }
        self.part(route, given).await
    }

    /// Makes a call in the transaction of this one, which stays open, so nobody is asked.
    ///
    /// # Errors
    /// As [`Call::make`].
    pub async fn include(&mut self, route: &Route, given: &Given<'_>) -> Result<String, ToolError> {
        self.commit = Commit::AtEnd;
        self.server.inputs = None;
        self.part(route, given).await
    }

    /// Does what the tool does: with an idempotency key once, with remarks, and not if the answer is too large.
    async fn part(&mut self, route: &Route, given: &Given<'_>) -> Result<String, ToolError> {
        let tool = &route.tool;
        let arguments = given.value()?;
        if !tool.effect.read_only {
            self.question_blank(tool, arguments);
        }
        if let Some(entry) = &mut self.entry {
            entry.makes(tool, arguments);
        }
        let asked = |admission| Asked::of(admission, tool.shape, arguments);
        self.admission = route.admission().map(asked).transpose()?;
        let once = match self.meta.idempotency_key.clone() {
            Some(key) if !tool.effect.read_only && tool.remembers(arguments) => {
                Some(Once::of(key, tool, arguments)?)
            }
            _ => None,
        };
        let made = match once {
            Some(once) => once.run(self, route, arguments).await,
            None => route.run(self, arguments).await,
        };
        let mut json = made.map_err(|error| with_value(error, arguments))?;
        if self.is_trial() {
            json = self.without_secrets(tool, json);
        }
        if !tool.effect.read_only {
            self.question_days(tool, arguments);
        }
        if json.ends_with(r#"":null}"#) {
            self.explain_missing(tool, arguments).await?;
        }
        let first = json.split_once(':').map(|(_, value)| value);
        let is_empty = tool.effect.read_only && first.is_some_and(|list| list.starts_with("[]"));
        if is_empty && !self.has_note() {
            match self.wrong_id(tool, arguments, |_| true).await? {
                Some(note) => self.note(note),
                None => self.note_empty(&json, arguments),
            }
        }
        let json = self.remarked(json);
        match is_too_large(&json, tool.structured) {
            true if self.transaction.is_over() => Err(ToolError::new(
                ErrorCode::Refused,
                "the call was made, but its answer would be larger than 4 MB",
            )
            .hint("read the record's parts with their own tools")),
            true => Err(ToolError::new(
                ErrorCode::Refused,
                "the answer would be larger than 4 MB; nothing was changed",
            )
            .hint("ask for less: a smaller limit, or one record instead of a list")),
            false => Ok(json),
        }
    }

    /// Commits the writes with their entry in the history, unless that has happened with the last statement, or rolls them
    /// back. Returns the changes of a preview, and those that the caller does not expect.
    ///
    /// A dry run and a preview fail if the real run would: deferred constraints are checked here. A call that was refused
    /// before its first statement is refused for the role, if that is a reason, too.
    pub async fn end(
        mut self,
        route: &Route,
        given: &Given<'_>,
        mut outcome: Result<String, ToolError>,
    ) -> Made {
        if !self.transaction.is_over() {
            outcome = match outcome {
                Ok(answer) => self.settle(route, given, answer).await,
                Err(error) => Err(self.right_first(route, error).await),
            };
            let is_made = outcome.is_ok() && !self.is_trial();
            let ended = match &self.entry {
                Some(entry) if is_made => {
                    let params = entry.params();
                    self.transaction.commit_with(entry::record(&params)).await
                }
                None if is_made => self.transaction.commit().await.map(|()| None),
                _ => self.transaction.rollback().await.map(|()| None),
            };
            self.recorded = self.recorded.filter(|_| is_made);
            match ended {
                Ok(recorded) => self.recorded = recorded.or(self.recorded),
                Err(error) if is_made => outcome = Err(logged(&error, commit_refusal(&error))),
                Err(error) => outcome = outcome.and(Err(logged(&error, refusal(&error)))),
            }
        }
        if let Some(recorded) = self.recorded {
            self.effect.change = Some(recorded.change);
            self.effect.action = self.entry.and_then(|entry| entry.action);
            self.effect.repeats = recorded.is_repeated;
        }
        self.effect.is_bound = self.condition.binds();
        (outcome, self.effect)
    }

    /// The answer of a call that can be committed, or rolled back if it is tried.
    async fn settle(
        &mut self,
        route: &Route,
        given: &Given<'_>,
        answer: String,
    ) -> Result<String, ToolError> {
        let is_trial = self.is_trial();
        if self.transaction.has_first() {
            self.query("select", &[]).await?;
        }
        let needs_changes = self.condition.needs_changes();
        if !route.tool.effect.read_only && (is_trial || needs_changes) {
            self.check_constraints(false).await?;
        }
        if needs_changes {
            self.look(&route.tool, &given.text).await?;
        }
        self.meets_plan()?;
        if is_trial {
            return Ok(preview::as_trial(answer));
        }
        self.commits().map_err(|error| refusal(&error))?;
        Ok(answer)
    }

    /// The refusal of the role, of a call that was refused before it was asked for; otherwise the same refusal.
    async fn right_first(&mut self, route: &Route, error: ToolError) -> ToolError {
        if !error.code.is_of_tool()
            || !route.tool.host.checks_roles()
            || !self.transaction.has_first()
        {
            return error;
        }
        match self.ahead(ADMIT, params![route.roles()]).await {
            Err(refusal) if refusal.code == ErrorCode::Forbidden => refusal,
            _ => error,
        }
    }

    /// What one of these ids in the arguments is of, if that is another kind of record than its argument names.
    async fn wrong_id(
        &mut self,
        tool: &Declaration,
        arguments: &Value,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<Option<Said>, ToolError> {
        for (field, kind) in tool.references() {
            let id = match &arguments[&field] {
                Value::Array(several) if several.len() == 1 => several[0].as_str(),
                value => value.as_str(),
            };
            let id = id.and_then(|text| text.parse::<Uuid>().ok());
            let Some(id) = id.filter(|_| is_asked(&field)) else {
                continue;
            };
            let sql = "select app.wrong_id($1, $2, $3)";
            let rows = self.query(sql, params![field, kind, id]).await?;
            if let Some(said) = rows.first().and_then(|row| row.get(0)) {
                return Ok(Some(said));
            }
        }
        Ok(None)
    }
}

/// Completes the answer to a call that has ended: names the calls that it repeats; what the wrong id of a refusal is of,
/// if that is another kind of record that the caller sees; in an example of a time, the offset of the organisation.
pub async fn notice(
    reading: impl FnOnce() -> Call + Send,
    tool: &Declaration,
    given: &Given<'_>,
    outcome: &mut Result<String, ToolError>,
    effect: &Effect,
) {
    let refusal = match outcome {
        Ok(answer) => {
            if let Some(change) = effect.change.filter(|_| effect.repeats) {
                // It is made: without the question it is no failure.
                let questions = reading().repeated(change).await.unwrap_or_default();
                *answer = warned(std::mem::take(answer), questions);
            }
            return;
        }
        Err(refusal) => refusal,
    };
    let mut call = reading();
    match refusal.code {
        ErrorCode::Conflict if effect.is_bound => {
            if let Some(same) = Same::of(tool, given.known())
                && let Ok(Some(change)) = call.made_before(&same).await
            {
                *refusal = already_made(&change);
            }
        }
        ErrorCode::NotFound | ErrorCode::InvalidArgument if refusal.hint.is_none() => {
            if refusal.message.contains(TIME_EXAMPLE)
                && let Ok(Some(example)) = call.time_example().await
            {
                refusal.message = refusal.message.replace(TIME_EXAMPLE, &example);
                let details = refusal
                    .details
                    .take()
                    .map(|it| Value::Object(*it).to_string());
                let details = details.map(|it| it.replace(TIME_EXAMPLE, &example));
                let details = details.and_then(|it| serde_json::from_str(&it).ok());
                refusal.details = details.map(Box::new);
                return;
            }
            let field = refusal.field.as_deref().unwrap_or("id");
            let wrong = call.wrong_id(tool, given.known(), |name| name == field);
            if let Ok(Some(hint)) = wrong.await {
                refusal.hint = Some(hint.into_text());
            }
        }
        _ => {}
    }
}

/// The refusal of a call that was made as previewed before.
fn already_made(change: &str) -> ToolError {
    let message = format!("this call was made, as change {change}; nothing was changed now");
    ToolError::new(ErrorCode::Conflict, message).hint("if it is meant once more, preview it again")
}

/// Whether an answer with this result exceeds [`ANSWER_BYTES`]. An answer contains a structured result twice, the
/// second time as text with escaped quotation marks and backslashes.
fn is_too_large(json: &str, is_structured: bool) -> bool {
    if json.len() <= PAGE_BYTES {
        return false;
    }
    let escaped = json
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\\'))
        .count();
    let text = if is_structured {
        json.len() + escaped
    } else {
        0
    };
    json.len() + text > ANSWER_BYTES
}
