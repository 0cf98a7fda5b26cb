//! The question to a person before a call that cannot be taken back, reaches many rows, changes what an account may do, or
//! sends something out. Only clients without a handshake are asked, and only those that say that somebody answers
//! (2026-07-28, `input_required`). The instructions tell the others to preview and ask.

use frontdesk_protocol::changes::{Changes, RowOperation};
use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::mcp::{CallMeta, META_CAPABILITIES};
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::endpoint::Asked;
use super::envelope::Envelope;
use super::make::make;
use super::refusal::Refusal;
use crate::call::Route;
use crate::database::quoted;

/// A call that changes more rows is asked about.
const MOST_ROWS: u64 = 20;
/// The names in a question for each kind of record.
const MOST_NAMES: usize = 3;
/// The key of the question.
const KEY: &str = "confirm";
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
        match capabilities.and_then(|all| all.get("elicitation")?.as_object()) {
            Some(ways) => ways.is_empty() || ways.contains_key("form"),
            None => false,
        }
    }
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

/// Asks about this call of a session-less client, or reads the answer, which binds the call to what the question said.
pub(super) async fn ask(
    asked: &Asked<'_>,
    envelope: &Envelope<'_>,
    route: &'static Route,
    meta: &mut CallMeta,
    arguments: &str,
) -> Result<Answered, Refusal> {
    let tool = &route.tool;
    if tool.effect.read_only || meta.preview || !tool.structured {
        return Ok(Answered::Yes);
    }
    let params: Params = envelope.params().unwrap_or_default();
    if !params.are_answered() {
        return Ok(Answered::Yes);
    }
    let call = Sha256::digest([tool.host.area(), ".", tool.name, arguments].concat());
    if let Some(state) = &params.request_state {
        return answer(asked, &params, state, &call, meta);
    }
    let trial = CallMeta {
        preview: true,
        ..meta.clone()
    };
    let (outcome, effect) = make(asked, route, trial, arguments).await?;
    if let Err(error) = outcome {
        return Ok(Answered::No(error));
    }
    let changes = effect.changes.unwrap_or_default();
    let Some(message) = question(route, &changes) else {
        return Ok(Answered::Yes);
    };
    let sessions = &asked.service.inner.sessions;
    let state = sessions.seal(asked.caller.user, &call, &changes.digest);
    // Some clients accept a form without fields by themselves.
    let agreed = json!({ "type": "boolean", "title": "Do it", "default": false });
    let form = json!({
        "type": "object",
        "properties": { KEY: agreed },
        "required": [KEY],
    });
    let params = json!({ "mode": "form", "message": message, "requestedSchema": form });
    let request = json!({ "method": "elicitation/create", "params": params });
    let result = json!({
        "resultType": "input_required",
        "inputRequests": { KEY: request },
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
    let decided = params.input_responses.get(KEY);
    let is_agreed = decided
        .is_some_and(|answer| answer["action"] == "accept" && answer["content"][KEY] == true);
    Ok(match is_agreed {
        true => {
            meta.expected_plan.get_or_insert(digest);
            Answered::Yes
        }
        false => Answered::No(ToolError::new(
            ErrorCode::Refused,
            "the person who was asked did not agree; nothing was changed",
        )),
    })
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
