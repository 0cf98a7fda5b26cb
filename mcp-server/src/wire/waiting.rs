//! Questions that wait for the answers of people. Any process on the database takes what a client posts as the answer of its
//! person; the one that asks reads it there.

use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, ToolError};
use parking_lot::Mutex;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};
use tokio_postgres::types::ToSql;

use super::asked::Asked;
use super::envelope::Envelope;
use super::person::Person;
use super::refusal::{Refusal, invalid};
use crate::call::{MOST_ANSWERED, Request};
use crate::database::{Access, params, refusal};

/// The most questions of a caller that wait in a process.
const MOST_WAITING: usize = 8;
/// How often a process looks for an answer that another one got.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// How often a client with a progress token hears that its call waits. Clients wait for a sign for 30 s and more.
const BETWEEN_SIGNS: Duration = Duration::from_secs(15);
/// What marks the questions among the keys.
const ASKED: &str = "elicitation/create";
// With the session. Without one, the signed state of the request has the question; only its client gets it.
const OPEN: &str = "insert into app.idempotency_keys (key, tool, arguments) select unnest($1::text[]), $2, $3::bytea \
     on conflict (user_id, key) do update set result = null";
const LOOK: &str = "select result from app.idempotency_keys where key = any ($1) and tool = $2 and result is not null \
     order by array_position($1, key)";
const TAKE: &str = "update app.idempotency_keys set result = $3 where key = $1 and tool = $2 and arguments = $4 and result is null";
const FORGET: &str = "delete from app.idempotency_keys where key = any ($1) and tool = $2";

/// The questions that wait in this process.
#[derive(Debug, Default)]
pub(super) struct Questions {
    answered: Notify,
    /// The callers of each.
    callers: Mutex<Vec<UserId>>,
}

impl Questions {
    /// A place for one more question of this caller.
    fn place(&self, caller: UserId) -> Option<Place<'_>> {
        let mut callers = self.callers.lock();
        let waiting = callers.iter().filter(|one| **one == caller).count();
        (waiting < MOST_WAITING).then(|| {
            callers.push(caller);
            Place(self, caller)
        })
    }
}

/// A question that waits.
struct Place<'a>(&'a Questions, UserId);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut callers = self.0.callers.lock();
        if let Some(at) = callers.iter().position(|one| *one == self.1) {
            callers.swap_remove(at);
        }
    }
}

/// Asks, and waits for the answers.
///
/// # Errors
/// `refused` if nobody answers in time, and `unavailable` if too many questions wait.
pub(super) async fn answers(
    person: &Person,
    asked: &Asked<'_>,
    round: u8,
    questions: &[(String, Request)],
) -> Result<Map<String, Value>, Refusal> {
    let waiting = &asked.service.inner.questions;
    let Some(_place) = waiting.place(asked.caller.user) else {
        let message =
            format!("{MOST_WAITING} questions wait for an answer already; nothing was changed");
        return Err(Refusal::new(&ToolError::new(
            ErrorCode::Unavailable,
            message,
        )));
    };
    let ids = (0..questions.len()).map(|at| format!("{}.{round}.{at}", person.key));
    let ids: Vec<String> = ids.collect();
    run(asked, OPEN, &[&ids, &ASKED, &asked.session()]).await?;
    for (id, (_, request)) in ids.iter().zip(questions) {
        person.ask(id, request).await;
    }
    let answers = wait(person, asked, &ids).await;
    // They can be personal.
    run(asked, FORGET, params![ids, ASKED]).await?;
    let answers = questions
        .iter()
        .zip(answers?)
        .map(|((key, request), answer)| {
            let answer = match answer {
                Value::Null => request.unanswered(),
                answer => answer,
            };
            (key.clone(), answer)
        });
    Ok(answers.collect())
}

/// The answers under these ids, once all are there; null if the client reports an error.
async fn wait(person: &Person, asked: &Asked<'_>, ids: &[String]) -> Result<Vec<Value>, Refusal> {
    let (begun, mut told) = (Instant::now(), 0);
    while Instant::now() < person.ends {
        if let Some(progress) = &asked.progress
            && begun.elapsed() >= BETWEEN_SIGNS * told
        {
            told += 1;
            progress.waits(told);
        }
        let answered = asked.service.inner.questions.answered.notified();
        let mut look = asked.transaction(Access::Read);
        look.only_read();
        let rows = look.query(LOOK, params![ids, ASKED]).await;
        let rows = rows.map_err(|error| Refusal::new(&refusal(&error)))?;
        if rows.len() == ids.len() {
            let answers = rows.iter().map(|row| {
                let answer: &str = row.get(0);
                serde_json::from_str(answer).unwrap_or_default()
            });
            return Ok(answers.collect());
        }
        let _ = timeout(BETWEEN_LOOKS, answered).await;
    }
    let message = "nobody answered within ten minutes; nothing was changed";
    Err(Refusal::new(&ToolError::new(ErrorCode::Refused, message)))
}

/// Takes the answer to a question: a response of the client's.
pub(super) async fn take(asked: &Asked<'_>, envelope: &Envelope<'_>) -> Result<(), Refusal> {
    let (None, Some(id)) = (&envelope.method, &envelope.id) else {
        return Ok(());
    };
    let Value::String(id) = json!(id) else {
        return Ok(());
    };
    let answer = envelope.result.map_or("null", RawValue::get);
    if answer.len() > MOST_ANSWERED {
        let message = format!("an answer has at most {MOST_ANSWERED} bytes");
        return Err(invalid(message));
    }
    run(asked, TAKE, &[&id, &ASKED, &answer, &asked.session()]).await?;
    asked.service.inner.questions.answered.notify_waiters();
    Ok(())
}

/// Commits a statement of the caller's.
async fn run(asked: &Asked<'_>, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<(), Refusal> {
    let mut transaction = asked.transaction(Access::Write);
    let ran = match transaction.query(sql, params).await {
        Ok(_) => transaction.commit().await,
        Err(error) => Err(error),
    };
    ran.map_err(|error| Refusal::new(&refusal(&error)))
}
