//! The question to a person before a call that cannot be taken back, reaches many rows, changes what an account may do, or
//! sends something out. Only clients that say that somebody answers are asked: without a handshake by the result of the call
//! (2026-07-28, `input_required`), with one while they wait for it (`waiting`). The instructions tell the others to preview
//! and ask.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use frontdesk_protocol::changes::{Changes, RowOperation};
use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::{CallMeta, META_CAPABILITIES};
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::asked::Asked;
use super::envelope::Envelope;
use super::form;
use super::make::{client, make};
use super::person::Person;
use super::refusal::Refusal;
use super::waiting::agrees;
use crate::call::Route;
use crate::database::quoted;

/// A call that changes more rows is asked about.
const MOST_ROWS: u64 = 20;
/// The names in a question for each kind of record.
const MOST_NAMES: usize = 3;
/// How long a process remembers what an organisation requires, and for how many accounts.
const REMEMBERED: Duration = Duration::from_secs(10);
const MOST_REMEMBERED: usize = 10_000;
/// How Frontdesk's own programs name themselves.
const OWN: &str = "frontdesk/";
/// The columns that say what an account may do, with their tables.
const RIGHTS: [(&str, &str); 5] = [
    ("staff.users", "role"),
    ("staff.users", "is_active"),
    ("staff.invitations", "role"),
    ("learn.profiles", "level"),
    ("auth.password_links", "user_id"),
];

/// What a request says about questions.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(rename = "_meta", default)]
    meta: Map<String, Value>,
    #[serde(default)]
    input_responses: Map<String, Value>,
    #[serde(default)]
    request_state: Option<String>,
}

impl Params {
    /// Whether somebody answers forms.
    fn are_answered(&self) -> bool {
        let capabilities = self.meta.get(META_CAPABILITIES);
        capabilities
            .and_then(Value::as_object)
            .is_some_and(are_answered)
    }
}

/// Whether somebody answers forms for a client with these capabilities.
pub(super) fn are_answered(capabilities: &Map<String, Value>) -> bool {
    let ways = capabilities.get("elicitation").and_then(Value::as_object);
    ways.is_some_and(|ways| ways.is_empty() || ways.contains_key("form"))
}

/// What comes of asking.
pub(super) enum Answered {
    /// Make the call.
    Yes,
    /// The question, as the result of the request in JSON text.
    Asked(String),
    /// Refuse the call: the person did not agree, or it failed when it was tried.
    No(ToolError),
}

/// The question about a call.
struct Question {
    message: String,
    /// The digest of the changes in the message.
    digest: String,
}

/// Whether a call can need a question.
pub(super) fn can_matter(route: &Route, meta: &CallMeta) -> bool {
    !route.tool.effect.read_only && !meta.preview && route.tool.structured
}

/// Tries a call. `None` if nobody needs to be asked about it.
///
/// # Errors
/// The inner one is the call's own refusal.
async fn about(
    asked: &Asked<'_>,
    route: &'static Route,
    meta: &CallMeta,
    arguments: &str,
) -> Result<Result<Option<Question>, ToolError>, Refusal> {
    let trial = CallMeta {
        preview: true,
        ..meta.clone()
    };
    // Progress is told of the call itself.
    let asked = Asked {
        progress: None,
        ..asked.clone()
    };
    let (outcome, effect) = make(&asked, route, trial, arguments).await?;
    Ok(outcome.map(|_| {
        let changes = effect.changes.unwrap_or_default();
        let message = question(route, &changes)?;
        Some(Question {
            message,
            digest: changes.digest,
        })
    }))
}

/// Asks the person of a client with a handshake, and waits. A yes binds the call to what the question said.
pub(super) async fn ask_at_once(
    asked: &Asked<'_>,
    person: &Person,
    route: &'static Route,
    meta: &mut CallMeta,
    arguments: &str,
) -> Result<Answered, Refusal> {
    let question = match about(asked, route, meta, arguments).await? {
        Ok(Some(question)) => question,
        Ok(None) => return Ok(Answered::Yes),
        Err(error) => return Ok(Answered::No(error)),
    };
    let agrees = agrees(person, asked, &question.message).await?;
    Ok(decided(agrees, question.digest, meta))
}

/// Refuses a call that a person should confirm if nobody answers for its client and the organisation requires an answer.
/// Frontdesk's own programs have asked.
pub(super) async fn require(
    asked: &Asked<'_>,
    route: &'static Route,
    meta: &CallMeta,
    arguments: &str,
) -> Result<Answered, Refusal> {
    let is_own = client(asked.headers).is_some_and(|client| client.starts_with(OWN));
    if is_own || !requires(asked).await? {
        return Ok(Answered::Yes);
    }
    Ok(match about(asked, route, meta, arguments).await? {
        Ok(None) => Answered::Yes,
        Ok(Some(question)) => {
            let message = format!("a person has to agree to this call: {}", question.message);
            let error = ToolError::new(ErrorCode::Refused, message);
            Answered::No(error.hint(
                "call it with a client that answers questions (elicitation), or in Frontdesk's app or command line",
            ))
        }
        Err(error) => Answered::No(error),
    })
}

/// Whether the caller's organisation requires that a person agrees. A change of that counts within seconds.
async fn requires(asked: &Asked<'_>) -> Result<bool, Refusal> {
    let (known, caller) = (&asked.service.inner.required, asked.caller.user);
    if let Some(requires) = known.of(caller) {
        return Ok(requires);
    }
    let mut call = asked.asking();
    let sql = "select exists (select from app.organizations o where o.id = app.caller_org() and o.agents = 'ask')";
    let rows = call.query(sql, &[]).await;
    let rows = rows.map_err(|error| Refusal::new(&error))?;
    let requires = rows.first().is_some_and(|row| row.get(0));
    known.remember(caller, requires);
    Ok(requires)
}

/// What the organisations of accounts require, so that a call does not ask each time.
#[derive(Debug, Default)]
pub(super) struct Required(Mutex<HashMap<UserId, (Instant, bool)>>);

impl Required {
    fn known(&self) -> MutexGuard<'_, HashMap<UserId, (Instant, bool)>> {
        self.0.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// What was known may have changed.
    pub(super) fn forget(&self) {
        self.known().clear();
    }

    fn of(&self, caller: UserId) -> Option<bool> {
        let (at, requires) = *self.known().get(&caller)?;
        (at.elapsed() < REMEMBERED).then_some(requires)
    }

    fn remember(&self, caller: UserId, requires: bool) {
        let mut known = self.known();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        known.insert(caller, (Instant::now(), requires));
    }
}

/// Asks about this call of a session-less client, or reads the answer, which binds the call to what the question said.
pub(super) async fn ask(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
    route: &'static Route,
    meta: &mut CallMeta,
    arguments: &str,
) -> Result<Answered, Refusal> {
    let tool = &route.tool;
    let params: Params = envelope.params().unwrap_or_default();
    if !params.are_answered() {
        return require(asked, route, meta, arguments).await;
    }
    let call = Sha256::digest([tool.host.area(), ".", tool.name, arguments].concat());
    if let Some(state) = &params.request_state {
        return answer(asked, &params, state, &call, meta);
    }
    let question = match about(asked, route, meta, arguments).await? {
        Ok(Some(question)) => question,
        Ok(None) => return Ok(Answered::Yes),
        Err(error) => return Ok(Answered::No(error)),
    };
    let sessions = &asked.service.inner.sessions;
    let state = sessions.seal(asked.caller.user, &call, &question.digest);
    let request = json!({ "method": form::METHOD, "params": form::ask(&question.message) });
    let result = json!({
        "resultType": "input_required",
        "inputRequests": { form::KEY: request },
        "requestState": state,
    });
    Ok(Answered::Asked(result.to_string()))
}

fn answer(
    asked: &Asked<'_>,
    params: &Params,
    state: &str,
    call: &[u8],
    meta: &mut CallMeta,
) -> Result<Answered, Refusal> {
    let sessions = &asked.service.inner.sessions;
    let Some(digest) = sessions.unseal(asked.caller.user, call, state) else {
        let message =
            "requestState is of another call, or older than ten minutes; make the call without it";
        return Err(rpc::Error::new(code::INVALID_PARAMS, message).into());
    };
    let agrees = params
        .input_responses
        .get(form::KEY)
        .is_some_and(form::is_agreed);
    Ok(decided(agrees, digest, meta))
}

/// What comes of an answer to the question with this digest.
fn decided(agrees: bool, digest: String, meta: &mut CallMeta) -> Answered {
    match agrees {
        true => {
            meta.expected_plan.get_or_insert(digest);
            Answered::Yes
        }
        false => Answered::No(ToolError::new(
            ErrorCode::Refused,
            "the person who was asked did not agree; nothing was changed",
        )),
    }
}

/// What a person is asked about a call with these changes; `None` if nobody needs to be.
fn question(route: &Route, changes: &Changes) -> Option<String> {
    let counts = changes.counts();
    let rows: u64 = counts.iter().map(|one| one.count).sum();
    let gives_rights = changes.rows.iter().any(|row| {
        let states = [&row.before, &row.after];
        let has = |column| {
            states
                .into_iter()
                .flatten()
                .any(|it| it.contains_key(column))
        };
        let mut rights = RIGHTS.into_iter();
        rights.any(|(table, column)| row.table == table && has(column))
    });
    let is_plain = rows <= MOST_ROWS && !gives_rights && changes.webhooks.is_empty();
    let is_lasting = changes.obstacle.is_some() || is_lasting(&route.tool) && rows > 0;
    if is_plain && !is_lasting {
        return None;
    }
    let effects = counts.iter().map(|one| {
        let verb = match one.operation {
            RowOperation::Insert => "adds",
            RowOperation::Update => "changes",
            RowOperation::Delete => "removes",
        };
        let records = one.kind.as_deref().unwrap_or(&one.table);
        let names = changes
            .rows
            .iter()
            .filter(|row| row.table == one.table && row.operation == one.operation && !one.hidden);
        let names: Vec<_> = names
            .filter_map(|row| row.label.as_deref().map(quoted))
            .collect();
        let shown = names[..names.len().min(MOST_NAMES)].join(", ");
        let (open, close) = match (names.is_empty(), names.len() > MOST_NAMES) {
            (true, _) => ("", ""),
            (false, true) => (" (", ", …)"),
            (false, false) => (" (", ")"),
        };
        format!("{verb} {} × {records}{open}{shown}{close}", one.count)
    });
    let webhooks = changes.webhooks.iter();
    let sent = webhooks.map(|one| format!("sends {} × {}", one.count, one.event));
    let effects: Vec<String> = effects.chain(sent).collect();
    let rights = match gives_rights {
        true => " It changes what an account may do.",
        false => "",
    };
    let lasting = match &changes.obstacle {
        Some(why) => format!(" It cannot be undone: {why}."),
        None if is_lasting => " It cannot be undone.".to_owned(),
        None => String::new(),
    };
    let tool = &route.tool;
    Some(format!(
        "{}.{} {}.{rights}{lasting} Do it?",
        tool.host.area(),
        tool.name,
        effects.join(", ")
    ))
}
