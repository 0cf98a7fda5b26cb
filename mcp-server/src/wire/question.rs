//! The question to a person before a call that cannot be taken back, reaches many rows, changes what an account may do, or
//! sends something out. Only clients that say that somebody answers are asked (`asking`). The instructions tell the others to
//! preview and ask.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use frontdesk_protocol::changes::{Changes, RowCount, RowOperation};
use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, ToolError};

use super::asked::Asked;
use super::asking::{Asking, Questions, Tried, tried};
use super::form;
use super::make::{is_own, make};
use super::refusal::Refusal;
use crate::call::{Capability, Effect, Route};
use crate::changes::counted;
use crate::database::quoted;

/// A call that changes more rows is asked about.
const MOST_ROWS: u64 = 20;
/// The names in a question for each kind of record.
const MOST_NAMES: usize = 3;
/// What happens to rows, the gravest first.
const VERBS: [(RowOperation, &str); 3] = [
    (RowOperation::Delete, "removes"),
    (RowOperation::Update, "changes"),
    (RowOperation::Insert, "adds"),
];
/// How long a process remembers what an organisation requires, and for how many accounts.
const REMEMBERED: Duration = Duration::from_secs(10);
const MOST_REMEMBERED: usize = 10_000;
/// The columns that say what an account may do, with their tables.
const RIGHTS: [(&str, &str); 5] = [
    ("staff.users", "role"),
    ("staff.users", "is_active"),
    ("staff.invitations", "role"),
    ("learn.profiles", "level"),
    ("auth.password_links", "user_id"),
];

/// Whether a call can need a question.
pub(super) fn can_matter(route: &Route, meta: &CallMeta) -> bool {
    !route.tool.effect.read_only && !meta.preview && route.tool.structured
}

/// What comes instead of a call: a question, if its client answers and has not been asked; a refusal, if a person has not
/// agreed or should have been asked. Otherwise the call can be made; a yes binds it to what the question said. Frontdesk's
/// own programs have asked.
pub(super) async fn instead(
    asked: &Asked<'_>,
    asking: &Asking<'_>,
    route: &'static Route,
    meta: &mut CallMeta,
    arguments: &str,
) -> Result<Option<Tried>, Refusal> {
    if let Some((plan, agrees)) = asking.agreed() {
        meta.expected_plan.get_or_insert(plan);
        return Ok((!agrees).then(|| {
            let message = "the person who was asked did not agree; nothing was changed";
            refused(ToolError::new(ErrorCode::Refused, message))
        }));
    }
    let can_ask = asked.client.has(Capability::Elicitation);
    if !can_ask && (is_own(asked.headers) || !requires(asked).await?) {
        return Ok(None);
    }
    let trial = CallMeta {
        preview: true,
        ..meta.clone()
    };
    // Only the call itself reports progress, not its trial.
    let quiet = Asked {
        progress: None,
        ..asked.clone()
    };
    let inputs = Some(asking.inputs(asked));
    let (outcome, mut effect) = make(&quiet, route, trial, inputs, arguments).await?;
    if outcome.is_err() {
        effect.changes = None;
        return Ok(Some(tried(outcome, effect)));
    }
    let changes = effect.changes.unwrap_or_default();
    let Some(message) = question(route, &changes) else {
        return Ok(None);
    };
    if !can_ask {
        let message = format!("a person has to agree to this call: {message}");
        let error = ToolError::new(ErrorCode::Refused, message);
        return Ok(Some(refused(error.hint(
            "call it with a client that answers questions (elicitation), or in Frontdesk's app or command line",
        ))));
    }
    let mut asks = effect.asks.unwrap_or_default();
    asks.missing = vec![(form::KEY.to_owned(), form::confirm(message))];
    Ok(Some(Tried::Asks(Questions {
        asks: *asks,
        plan: Some(changes.digest),
    })))
}

fn refused(error: ToolError) -> Tried {
    Tried::Ended(Err(error), Effect::default())
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
    let done = VERBS.into_iter().filter_map(|(operation, verb)| {
        let counts = counts.iter().filter(|one| one.operation == operation);
        let counts: Vec<_> = counts.map(|one| counted_rows(one, changes)).collect();
        (!counts.is_empty()).then(|| format!("{verb} {}", counts.join(", ")))
    });
    let webhooks = changes.webhooks.iter();
    let sent = webhooks.map(|one| {
        let webhooks = if one.count == 1 {
            "webhook"
        } else {
            "webhooks"
        };
        format!("sends {} {webhooks} {}", one.count, one.event)
    });
    let effects: Vec<String> = done.chain(sent).collect();
    let rights = match gives_rights {
        true => " It changes what an account may do.",
        false => "",
    };
    let lasting = match &changes.obstacle {
        Some(why) => format!(" It cannot be undone: {why}."),
        None if is_lasting => " It cannot be undone.".to_owned(),
        None => String::new(),
    };
    let (title, effects) = (route.tool.title(), effects.join("; "));
    Some(format!("{title}: {effects}.{rights}{lasting} Do it?"))
}

/// The rows of a table in words, with the names of the first: "30 epics (“Hall”, “Door”, “Bar”, …)".
fn counted_rows(one: &RowCount, changes: &Changes) -> String {
    let rows = changes
        .rows
        .iter()
        .filter(|row| row.table == one.table && row.operation == one.operation && !one.hidden);
    let names = rows.filter_map(|row| row.label.as_deref().map(quoted));
    let names: Vec<_> = names.collect();
    let counted = counted(&one.table, one.count);
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match (names.is_empty(), names.len() > MOST_NAMES) {
        (true, _) => counted,
        (false, true) => format!("{counted} ({shown}, …)"),
        (false, false) => format!("{counted} ({shown})"),
    }
}
