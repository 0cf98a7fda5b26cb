//! Maps a tool to its handler, with JSON text on both sides.

use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::events::is_delivered;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::record::Holds;
use frontdesk_protocol::resource::Act;
use frontdesk_protocol::wire::{Shape, TIME_EXAMPLE};
use frontdesk_protocol::{Declaration, ErrorCode, Host, Role, Tool, ToolError, args};
use serde_json::Value;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::admission::Asked;
use super::answer::Running;
use super::ask::Asks;
use super::entry::Entry;
use super::once::Once;
use super::preview::Condition;
use super::remark::warned;
use super::repeat::Same;
use super::write::NO_WARNINGS;
use super::{Acting, Admission, Answer, Call, Outcome, PAGE_BYTES, Server, Stored};
use crate::changes::AtStake;
use crate::database::{Access, Database, FORBIDDEN, Param, Said, internal, params, with_value};
use crate::identity::Verified;
use crate::permits::{self, Permit};

/// Refuses a caller without one of these roles.
const ADMIT: &str = "select app.admit($1)";

/// The maximum size of an answer in bytes.
pub const ANSWER_BYTES: usize = 4_000_000;

/// From this size in bytes on, arguments are read off the async workers, and after the caller's role was asked.
pub const LARGE: usize = 32 * 1024;

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
    pub(super) repeats: bool,
    /// From where a reader goes on.
    pub next: Option<String>,
    /// What the handler has asked of the client.
    pub asks: Option<Box<Asks>>,
    /// The values of a preview that matter to people.
    pub stakes: Vec<AtStake>,
}

/// Calls that count against the rate limit of a host.
pub type Charge = (Host, u32);

/// A host's implementation of a tool. Every declared tool has one.
pub trait Handler: Tool {
    /// Calls that this call counts as, in addition to itself.
    const CHARGE: Option<fn(&Self) -> Charge> = None;
    /// What the caller must be permitted before the content of the arguments is read.
    const ADMISSION: Option<Admission> = None;

    /// Runs the tool as the caller.
    fn handle(self, call: &mut Call) -> impl Future<Output = Outcome<Self::Output>> + Send;
}

/// A handler with its types erased.
#[derive(Clone, Copy)]
struct Own {
    /// Runs the handler with checked arguments.
    handle: for<'a> fn(&'a mut Call, &Value) -> Result<Running<'a>, ToolError>,
    charge: Option<fn(&Value) -> Option<Charge>>,
    admission: Option<Admission>,
}

/// What a tool does.
#[derive(Clone, Copy)]
enum Does {
    /// What its verb says.
    Verb(Acting),
    /// What its handler does.
    Own(Own),
}

/// A tool with what it does.
#[derive(Clone, Copy)]
pub struct Route {
    /// The tool's name, description and schemas.
    pub tool: Declaration,
    does: Does,
}

impl std::fmt::Debug for Route {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.tool.fmt(f)
    }
}

impl Route {
    /// The route to `T`'s handler.
    pub const fn to<T: Handler>() -> Self {
        Route {
            tool: Declaration::of::<T>(),
            does: Does::Own(Own {
                handle: |call, arguments| {
                    let arguments = args::read_from::<T>(arguments)?;
                    Ok(Box::pin(async move {
                        arguments.handle(call).await.map(Answer::into_json)
                    }))
                },
                charge: match T::CHARGE {
                    Some(_) => Some(charge::<T>),
                    None => None,
                },
                admission: T::ADMISSION,
            }),
        }
    }

    /// The route of a tool whose verb says all that it does.
    pub const fn by_verb<T: Act>() -> Self
    where
        T::Output: Holds<Record: Stored>,
    {
        Route {
            tool: Declaration::of::<T>(),
            does: Does::Verb(Acting::of::<T>()),
        }
    }

    /// Validates these arguments, JSON text, as far as possible without the database.
    ///
    /// # Errors
    /// `invalid_argument`, with the argument's name.
    pub fn check(&self, arguments: &str) -> Result<(), ToolError> {
        self.tool.check(arguments).map(drop)
    }

    /// What its caller must be permitted before the content of the arguments is read, if that takes work.
    pub fn admission(&self) -> Option<Admission> {
        match self.does {
            Does::Own(own) => own.admission,
            Does::Verb(_) => None,
        }
    }

    /// Calls that a call with these arguments, JSON text, counts as in addition to itself.
    pub fn charge(&self, arguments: &str) -> Option<Charge> {
        match self.does {
            Does::Own(Own {
                charge: Some(charge),
                ..
            }) => charge(&args::parse(arguments).ok()?),
            _ => None,
        }
    }

    /// Refuses a caller without one of the tool's roles, at a host that checks roles before the database does.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn admit(&self, role: Option<Role>) -> Result<(), ToolError> {
        let error = || ToolError::new(ErrorCode::Forbidden, FORBIDDEN);
        match role {
            Some(role) if self.tool.audience.contains(role) => Ok(()),
            Some(role) => Err(self.hint(role, error())),
            None => Err(error()),
        }
    }

    /// Adds the roles that can make the call to the refusal of a caller with this role.
    pub(crate) fn hint(&self, role: Role, error: ToolError) -> ToolError {
        let own = role.name();
        if self.tool.audience.contains(role) {
            return match role {
                Role::Owner => error,
                _ => error.hint(format!(
                    "as {own} you can make this call for some records only; an owner can make it"
                )),
            };
        }
        let roles = self.roles().join(", ");
        error.hint(format!("roles that can: {roles}; yours is {own}"))
    }

    /// The names of the roles that see the tool.
    fn roles(&self) -> Vec<&'static str> {
        let roles = Role::ALL.into_iter();
        let roles = roles.filter(|role| self.tool.audience.contains(*role));
        roles.map(Role::name).collect()
    }

    /// Calls the tool. Arguments and result are JSON text. Also returns its effect.
    ///
    /// # Errors
    /// The refusal to answer with.
    pub async fn call(
        &self,
        database: &Database,
        caller: Verified,
        mut meta: CallMeta,
        server: Server,
        arguments: &str,
    ) -> (Result<String, ToolError>, Effect) {
        if meta.made_by.is_some() && !is_delivered(&self.tool) {
            return (Err(not_delivered()), Effect::default());
        }
        let access = match self.tool.effect.read_only {
            true => Access::Read,
            false => Access::Write,
        };
        let access = caller.access(access);
        let condition = Condition::take(&mut meta, &self.tool, arguments);
        let is_single =
            access == Access::Write && meta.idempotency_key.is_none() && condition.is_none();
        let client = server.client.clone();
        let is_kept = database.records_changes();
        let entry = (access == Access::Write && (is_kept || condition.needs_changes()))
            .then(|| Entry::of(&self.tool, arguments, &meta, client, is_kept));
        let mut call = Call::new(database, caller.user, Some(caller.proof), access, meta);
        call.transaction.note_reads(server.reads.clone());
        if self.tool.host.checks_roles() {
            let roles = Param::of(&self.roles());
            call.transaction
                .first(ADMIT, &[Type::TEXT_ARRAY], Some(roles));
        }
        if let Some(entry) = entry {
            call.entry = Some(entry);
            call.transaction.capture();
            if let Some(made_by) = call.meta.made_by {
                let set = "select set_config('app.made_by', $1, true)";
                let made_by = Param::of(&made_by);
                call.transaction.first(set, &[Type::TEXT], Some(made_by));
            }
        }
        call.server = server;
        call.is_single = is_single;
        call.is_preview = condition.is_preview;
        let watched = match condition.needs_changes() && access == Access::Write {
            true => call.watch().await,
            false => Ok(()),
        };
        let outcome = match watched {
            Ok(()) => self.answer(&mut call, arguments).await,
            Err(error) => Err(error),
        };
        let has_webhooks = call.has_webhooks;
        let (mut result, effect) = call.end(outcome, &condition).await;
        match (&mut result, effect.change.filter(|_| effect.repeats)) {
            (Ok(answer), Some(change)) => {
                let mut call = reading(database, caller);
                // It is made: without the question it is no failure.
                let questions = call.repeated(change).await.unwrap_or_default();
                *answer = warned(std::mem::take(answer), questions);
            }
            (Ok(_), None) => {}
            (Err(refusal), _) => {
                self.explain(database, caller, &condition, arguments, refusal)
                    .await;
            }
        }
        if has_webhooks && result.is_ok() {
            database.ring_outbox();
        }
        (result, effect)
    }

    /// Says what the wrong id of a refusal is of, if it is of another kind of record that the caller sees. An example of a
    /// time gets the offset of the organisation.
    async fn explain(
        &self,
        database: &Database,
        caller: Verified,
        condition: &Condition<'_>,
        arguments: &str,
        refusal: &mut ToolError,
    ) {
        if condition.binds() && refusal.code == ErrorCode::Conflict {
            let arguments = args::parse(arguments).unwrap_or_default();
            if let Some(same) = Same::of(&self.tool, &arguments)
                && let Ok(Some(change)) = reading(database, caller).made_before(&same).await
            {
                *refusal = already_made(&change);
            }
            return;
        }
        let is_about_a_record = matches!(
            refusal.code,
            ErrorCode::NotFound | ErrorCode::InvalidArgument
        );
        if !is_about_a_record || refusal.hint.is_some() {
            return;
        }
        let arguments = args::parse(arguments).unwrap_or_default();
        let mut call = reading(database, caller);
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
        let wrong = self.wrong_id(&mut call, &arguments, |name| name == field);
        if let Ok(Some(hint)) = wrong.await {
            refusal.hint = Some(hint.into_text());
        }
    }

    /// What one of these ids in the arguments is of, if that is another kind of record than its argument names.
    async fn wrong_id(
        &self,
        call: &mut Call,
        arguments: &Value,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<Option<Said>, ToolError> {
        for (field, kind) in self.tool.references() {
            let id = match &arguments[&field] {
                Value::Array(several) if several.len() == 1 => several[0].as_str(),
                value => value.as_str(),
            };
            let id = id.and_then(|text| text.parse::<Uuid>().ok());
            let Some(id) = id.filter(|_| is_asked(&field)) else {
                continue;
            };
            let sql = "select app.wrong_id($1, $2, $3)";
            let rows = call.query(sql, params![field, kind, id]).await?;
            if let Some(said) = rows.first().and_then(|row| row.get(0)) {
                return Ok(Some(said));
            }
        }
        Ok(None)
    }

    /// Runs the handler in the transaction of `call`, which stays open, so nobody is asked.
    ///
    /// # Errors
    /// As [`Route::call`].
    pub async fn handle(&self, call: &mut Call, arguments: &str) -> Result<String, ToolError> {
        call.is_single = false;
        call.server.inputs = None;
        self.answer(call, arguments).await
    }

    /// Does what the tool does: with an idempotency key once, with remarks, and not if the answer is too large.
    async fn answer(&self, call: &mut Call, text: &str) -> Result<String, ToolError> {
        let mut arguments = parsed(self.tool.shape, text).await?;
        match self.tool.effect.read_only {
            true => args::without_blank(self.tool.shape, &mut arguments),
            false => call.question_blank(&self.tool, &arguments),
        }
        if let Some(entry) = &mut call.entry {
            entry.makes(Same::of(&self.tool, &arguments));
        }
        let asked = |admission| Asked::of(admission, self.tool.shape, &arguments);
        call.admission = self.admission().map(asked).transpose()?;
        let once = match call.meta.idempotency_key.clone() {
            Some(key) if !self.tool.effect.read_only && self.tool.remembers(&arguments) => {
                Some(Once::of(key, &self.tool, &arguments)?)
            }
            _ => None,
        };
        let outcome = match once {
            Some(once) => once.run(call, self, &arguments).await,
            None => self.run(call, &arguments).await,
        };
        let mut json = outcome.map_err(|error| with_value(error, text))?;
        if call.is_trial() {
            json = call.without_secrets(&self.tool, json);
        }
        if !self.tool.effect.read_only {
            call.question_days(&self.tool, &arguments);
        }
        if json.ends_with(r#"":null}"#) {
            call.explain_missing(&self.tool, &arguments).await?;
        }
        let first = json.split_once(':').map(|(_, value)| value);
        let is_empty =
            self.tool.effect.read_only && first.is_some_and(|list| list.starts_with("[]"));
        if is_empty && !call.has_note() {
            match self.wrong_id(call, &arguments, |_| true).await? {
                Some(note) => call.note(note),
                None => call.note_empty(&json, &arguments),
            }
        }
        let json = call.remarked(json);
        match is_too_large(&json, self.tool.structured) {
            true if call.transaction.is_over() => Err(ToolError::new(
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

    /// Runs the handler, or does what the verb says.
    pub(super) async fn run(
        &self,
        call: &mut Call,
        arguments: &Value,
    ) -> Result<String, ToolError> {
        match self.does {
            Does::Verb(act) => {
                let arguments = args::check_from(self.tool.shape, arguments)?;
                call.does(act, arguments, NO_WARNINGS).await
            }
            Does::Own(own) => (own.handle)(call, arguments)?.await,
        }
    }
}

/// The arguments of JSON text. Large ones are read and checked where that holds no other call.
///
/// # Errors
/// `invalid_argument`: text that is not JSON and, of large arguments, all that the table refuses.
pub async fn parsed(shape: &'static Shape, text: &str) -> Result<Value, ToolError> {
    if text.len() <= LARGE {
        return args::parse(text);
    }
    let text = text.to_owned();
    let read = move |_: &Permit| {
        let arguments = args::parse(&text)?;
        args::check_from(shape, &arguments)?;
        Ok(arguments)
    };
    let read = permits::work(read).await;
    read.unwrap_or_else(|| Err(internal("reading the arguments panicked")))
}

/// A call of the caller that only reads, beside another.
fn reading(database: &Database, caller: Verified) -> Call {
    let (proof, meta) = (Some(caller.proof), CallMeta::default());
    Call::new(database, caller.user, proof, Access::Read, meta)
}

/// The refusal of a call that was made as previewed before.
fn already_made(change: &str) -> ToolError {
    let message = format!("this call was made, as change {change}; nothing was changed now");
    ToolError::new(ErrorCode::Conflict, message).hint("if it is meant once more, preview it again")
}

fn not_delivered() -> ToolError {
    let message = "is only for calls that the journal of a desk delivers";
    ToolError::invalid("_meta.frontdesk/madeBy", message)
}

fn charge<T: Handler>(arguments: &Value) -> Option<Charge> {
    let charge = T::CHARGE?;
    // The handler reports an error.
    let call = args::read_from::<T>(arguments).ok()?;
    Some(charge(&call))
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
