//! The question to a person before a call that cannot be taken back, reaches many rows, alone or with those before it, or
//! changes what matters to people ([`Stake`]). Only clients that say that somebody answers are asked (`asking`). The instructions tell the others to
//! preview and ask.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use frontdesk_protocol::changes::{Changes, RowCount, RowOperation};
use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, Role, ToolError};
use jiff::Timestamp;
use parking_lot::Mutex;
use serde_json::Value;

use super::asked::Asked;
use super::asking::{End, Plan, Questions};
use super::form;
use super::refusal::Refusal;
use crate::call::{Effect, Route};
use crate::changes::{AtStake, Stake, counted};
use crate::database::{params, quoted};

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
/// In how many minutes the rows that a caller removes are added up.
const MINUTES: u16 = 10;

/// Whether a call can need a question.
pub(super) fn can_matter(route: &Route, meta: &CallMeta) -> bool {
    !route.tool.effect.read_only && !meta.preview && route.tool.structured
}

/// What a person is asked about a call whose trial had this effect, if something is at stake.
///
/// # Errors
/// `refused` if a person has to be asked, and the client asks nobody.
pub(super) async fn about(
    asked: &Asked<'_>,
    route: &Route,
    can_ask: bool,
    effect: Effect,
) -> Result<Option<Questions>, End> {
    let changes = effect.changes.unwrap_or_default();
    let Some(message) = question(asked, route, &changes, &effect.stakes).await? else {
        return Ok(None);
    };
    if !can_ask {
        let message = format!("a person has to agree to this call: {message}");
        let error = ToolError::new(ErrorCode::Refused, message);
        return Err(error
            .hint("call it with a client that answers questions (elicitation), or in Frontdesk's app or command line")
            .into());
    }
    let mut asks = effect.asks.unwrap_or_default();
    asks.missing = vec![(form::KEY.to_owned(), form::confirm(message))];
    Ok(Some(Questions {
        asks: *asks,
        plan: Some(Plan {
            removes: removed(&changes) > 0,
            digest: changes.digest,
        }),
    }))
}

/// Whether the caller's organisation requires that a person agrees. A change of that counts within seconds.
pub(super) async fn requires(asked: &Asked<'_>) -> Result<bool, Refusal> {
    let (required, caller) = (&asked.service.inner.required, asked.caller.user);
    let known = required.of(caller).requires;
    if let Some((_, requires)) = known.filter(|(at, _)| at.elapsed() < REMEMBERED) {
        return Ok(requires);
    }
    let mut call = asked.asking();
    let sql = "select exists (select from app.organizations o where o.id = app.caller_org() and o.agents = 'ask')";
    let rows = call.query(sql, &[]).await;
    let rows = rows.map_err(|error| Refusal::new(&error))?;
    let requires = rows.first().is_some_and(|row| row.get(0));
    required.note(caller, |known| {
        known.requires = Some((Instant::now(), requires))
    });
    Ok(requires)
}

/// What is known of an account.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    /// What its organisation requires, and when that was read.
    requires: Option<(Instant, bool)>,
    /// When a person has last agreed to what it removes.
    agreed: Option<Timestamp>,
}

/// What is known of accounts, so that a call does not ask each time.
#[derive(Debug, Default)]
pub(super) struct Required(Mutex<HashMap<UserId, Known>>);

impl Required {
    fn of(&self, caller: UserId) -> Known {
        self.0.lock().get(&caller).copied().unwrap_or_default()
    }

    fn note(&self, caller: UserId, note: impl FnOnce(&mut Known)) {
        let mut known = self.0.lock();
        if known.len() >= MOST_REMEMBERED {
            known.clear();
        }
        note(known.entry(caller).or_default());
    }

    /// A person has agreed to a removal that was made: those until now are not added up any more.
    pub(super) fn agreed(&self, caller: UserId) {
        self.note(caller, |known| known.agreed = Some(Timestamp::now()));
    }

    /// What organisations require may have changed.
    pub(super) fn forget(&self) {
        let mut known = self.0.lock();
        known.values_mut().for_each(|known| known.requires = None);
    }
}

/// The number of rows that are removed.
fn removed(changes: &Changes) -> u64 {
    let counts = changes.counts();
    let removed = counts
        .iter()
        .filter(|one| one.operation == RowOperation::Delete);
    removed.map(|one| one.count).sum()
}

/// What a person is asked about a call with these changes; `None` if nobody needs to be.
async fn question(
    asked: &Asked<'_>,
    route: &Route,
    changes: &Changes,
    stakes: &[AtStake],
) -> Result<Option<String>, Refusal> {
    let counts = changes.counts();
    let rows: u64 = counts.iter().map(|one| one.count).sum();
    let is_lasting = changes.obstacle.is_some() || is_lasting(&route.tool) && rows > 0;
    let is_plain = rows <= MOST_ROWS && stakes.is_empty() && changes.webhooks.is_empty();
    let is_plain = is_plain && !is_lasting;
    let removed = removed(changes);
    let is_one_of_many =
        is_plain && removed > 0 && removed + removed_lately(asked).await? > MOST_ROWS;
    if is_plain && !is_one_of_many {
        return Ok(None);
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
    let mut message = format!("{}: {}.", route.tool.title(), effects.join("; "));
    for value in values(asked, stakes).await? {
        message += &format!(" {value}.");
    }
    let kinds: BTreeSet<Stake> = stakes.iter().map(|one| one.stake).collect();
    kinds
        .into_iter()
        .for_each(|stake| message += meaning(stake));
    if is_one_of_many {
        message += &format!(
            " With it, you have removed more than {MOST_ROWS} rows within {MINUTES} minutes."
        );
    }
    match &changes.obstacle {
        Some(why) => message += &format!(" It cannot be undone: {why}."),
        None if is_lasting => message += " It cannot be undone.",
        None => {}
    }
    Ok(Some(message + " Do it?"))
}

/// What it means that something is at stake.
fn meaning(stake: Stake) -> &'static str {
    match stake {
        Stake::Rule => " It changes a rule of the organisation.",
        Stake::Credential => " It changes how somebody signs in.",
        Stake::Right => " It changes what an account may do.",
        Stake::Money => " It is about money.",
        Stake::Leaves => " It is sent to somebody, or shown to everybody.",
    }
}

/// The rows that the caller has removed in the last minutes, or since a person agreed; not counted beyond what is asked
/// about.
async fn removed_lately(asked: &Asked<'_>) -> Result<u64, Refusal> {
    let agreed = asked.service.inner.required.of(asked.caller.user).agreed;
    let minutes = i32::from(MINUTES);
    let most = i64::try_from(MOST_ROWS).unwrap_or(i64::MAX);
    let sql = "select app.removed_lately($1, $2, $3)";
    let rows = asked
        .asking()
        .query(sql, params![minutes, agreed, most])
        .await;
    let rows = rows.map_err(|error| Refusal::new(&error))?;
    let count = rows.first().map_or(0, |row| row.get::<_, i64>(0));
    Ok(u64::try_from(count).unwrap_or_default())
}

/// The first values that matter: `“Ana Souza”: role teacher → owner`.
async fn values(asked: &Asked<'_>, stakes: &[AtStake]) -> Result<Vec<String>, Refusal> {
    let shown = &stakes[..stakes.len().min(MOST_NAMES)];
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    let accounts: Vec<_> = shown.iter().map(|one| one.account).collect();
    let sql = "select case when a.id is not null then ops.party_name(a.id) end, \
         (select o.currency from app.organizations o where o.id = app.caller_org()) \
         from unnest($1::uuid[]) with ordinality a (id, place) order by a.place";
    let rows = asked.asking().query(sql, params![accounts]).await;
    let rows = rows.map_err(|error| Refusal::new(&error))?;
    let texts = shown.iter().zip(rows.iter()).map(|(one, row)| {
        let name = row.get::<_, Option<&str>>(0).or(one.label.as_deref());
        let currency = row.get::<_, Option<&str>>(1).unwrap_or_default();
        let column = match one.stake {
            Stake::Credential if one.column == "issued_at" => {
                "a link that sets a new password".to_owned()
            }
            _ => one.column.replace('_', " "),
        };
        let said = |value: &Value| said(value, one.stake, currency);
        let value = match (&one.before, &one.after) {
            (Value::Null, Value::Null) => column,
            (Value::Null, value) | (value, Value::Null) => format!("{column} {}", said(value)),
            (before, after) => format!("{column} {} → {}", said(before), said(after)),
        };
        match name {
            Some(name) => format!("{}: {value}", quoted(name)),
            None => value,
        }
    });
    Ok(texts.collect())
}

/// A value in words. One of the database's own, such as a role, is not quoted.
fn said(value: &Value, stake: Stake, currency: &str) -> String {
    match value {
        Value::String(text) if stake == Stake::Right && Role::from_name(text).is_some() => {
            text.clone()
        }
        Value::String(text) => quoted(text),
        value if stake == Stake::Money => format!("{currency} {}", grouped(&value.to_string())),
        value => value.to_string(),
    }
}

/// A number with its thousands apart: `98,765.43`.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_at(number.find('.').unwrap_or(number.len()));
    let digits = whole.trim_start_matches('-').len();
    let mut text = whole[..whole.len() - digits].to_owned();
    for (at, digit) in whole[whole.len() - digits..].chars().enumerate() {
        if at > 0 && (digits - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + rest
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
