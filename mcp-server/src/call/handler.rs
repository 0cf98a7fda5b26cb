//! Maps a tool to its handler, with JSON text on both sides.

use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Declaration, ErrorCode, Host, Role, Tool, ToolError, args};
use futures::future::BoxFuture;
use uuid::Uuid;

use super::entry::Entry;
use super::once::Once;
use super::preview::Condition;
use super::{Answer, Call, Outcome, PAGE_BYTES, Server};
use crate::database::{Access, Database, FORBIDDEN, with_value};
use crate::identity::Verified;

/// The maximum size of an answer in bytes.
pub const ANSWER_BYTES: usize = 4_000_000;

/// The effect of a call on the stored rows, in addition to its result.
#[derive(Debug, Default)]
pub struct Effect {
    /// The changes of a preview, and those that the caller does not expect.
    pub changes: Option<Changes>,
    /// The entry in the history of a call that has changed something.
    pub change: Option<Uuid>,
}

/// Calls that count against the rate limit of a host.
pub type Charge = (Host, u32);

/// A host's implementation of a tool. Every declared tool has one.
pub trait Handler: Tool {
    /// Whether the result is stored with the call's idempotency key. A secret must not be stored: the same call
    /// with the same key then runs again.
    const IS_REMEMBERED: bool = true;

    /// Calls that this call counts as, in addition to itself.
    const CHARGE: Option<fn(&Self) -> Charge> = None;

    /// Whether this call's result is stored with its idempotency key.
    fn is_remembered(&self, _: &Call) -> bool {
        Self::IS_REMEMBERED
    }

    /// Runs the tool as the caller.
    fn handle(self, call: &mut Call) -> impl Future<Output = Outcome<Self::Output>> + Send;
}

/// A handler with its types erased: JSON text in, JSON text out.
type Handle = for<'a> fn(&'a mut Call, &'a str) -> BoxFuture<'a, Result<String, ToolError>>;

/// A tool with its handler.
#[derive(Clone, Copy)]
pub struct Route {
    /// The tool's name, description and schemas.
    pub tool: Declaration,
    /// Whether its result can be stored with an idempotency key.
    pub(crate) is_remembered: bool,
    check: fn(&str) -> Result<(), ToolError>,
    charge: Option<fn(&str) -> Option<Charge>>,
    handle: Handle,
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
            is_remembered: T::IS_REMEMBERED,
            check: |arguments| args::parse::<T>(arguments).map(drop),
            charge: match T::CHARGE {
                Some(_) => Some(charge::<T>),
                None => None,
            },
            handle: |call, arguments| Box::pin(handle::<T>(call, arguments)),
        }
    }

    /// Validates these arguments, JSON text, as far as possible without the database.
    ///
    /// # Errors
    /// `invalid_argument`, with the argument's name.
    pub fn check(&self, arguments: &str) -> Result<(), ToolError> {
        (self.check)(arguments)
    }

    /// Calls that a call with these arguments, JSON text, counts as in addition to itself.
    pub fn charge(&self, arguments: &str) -> Option<Charge> {
        self.charge.and_then(|charge| charge(arguments))
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
        let roles = Role::ALL.into_iter();
        let roles = roles.filter(|role| self.tool.audience.contains(*role));
        let roles: Vec<_> = roles.map(Role::name).collect();
        error.hint(format!(
            "roles that can: {}; yours is {own}",
            roles.join(", ")
        ))
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
        let access = match self.tool.effect.read_only {
            true => Access::Read,
            false => Access::Write,
        };
        let key = meta.idempotency_key.clone();
        let condition = Condition::take(&mut meta, &self.tool, arguments);
        let is_single = access == Access::Write && key.is_none() && condition.is_none();
        let mut call = Call::new(database, caller.user, Some(caller.proof), access, meta);
        // A preview captures without an entry.
        if access == Access::Write && (database.records_changes() || condition.needs_changes()) {
            let client = server.client.clone();
            call.entry = Some(Entry::of(&self.tool, arguments, key, client));
            call.transaction.capture();
        }
        call.server = server;
        call.is_single = is_single;
        let watched = match condition.needs_changes() && access == Access::Write {
            true => call.watch().await,
            false => Ok(()),
        };
        let outcome = match watched {
            Ok(()) => (self.handle)(&mut call, arguments).await,
            Err(error) => Err(error),
        };
        let has_webhooks = call.has_webhooks;
        let (result, effect) = call.end(outcome, &condition).await;
        if has_webhooks && result.is_ok() {
            database.ring_outbox();
        }
        (result, effect)
    }

    /// Runs the handler in the transaction of `call`, which stays open.
    ///
    /// # Errors
    /// As [`Route::call`].
    pub async fn handle(&self, call: &mut Call, arguments: &str) -> Result<String, ToolError> {
        call.is_single = false;
        (self.handle)(call, arguments).await
    }
}

fn charge<T: Handler>(arguments: &str) -> Option<Charge> {
    let charge = T::CHARGE?;
    // The handler reports an error.
    args::parse::<T>(arguments).ok().map(|call| charge(&call))
}

async fn handle<T: Handler>(call: &mut Call, text: &str) -> Result<String, ToolError> {
    let arguments: T = args::read(text)?;
    let once = match call.meta.idempotency_key.clone() {
        Some(key) if !T::EFFECT.read_only && arguments.is_remembered(call) => {
            Some(Once::of(key, &arguments)?)
        }
        _ => None,
    };
    let outcome = match once {
        Some(once) => once.handle(call, arguments).await,
        None => arguments.handle(call).await,
    };
    let json = outcome
        .map(Answer::into_json)
        .map_err(|error| with_value(error, text))?;
    if json.ends_with(r#"":null}"#) {
        call.explain_missing(&Declaration::of::<T>(), text).await?;
    }
    let json = call.remarked(json);
    match is_too_large::<T>(&json) {
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

/// Whether an answer with this result exceeds [`ANSWER_BYTES`]. An answer contains a structured result twice, the
/// second time as text with escaped quotation marks and backslashes.
fn is_too_large<T: Tool>(json: &str) -> bool {
    if json.len() <= PAGE_BYTES {
        return false;
    }
    let escaped = json
        .bytes()
        .filter(|byte| matches!(byte, b'"' | b'\\'))
        .count();
    let text = if T::STRUCTURED {
        json.len() + escaped
    } else {
        0
    };
    json.len() + text > ANSWER_BYTES
}
