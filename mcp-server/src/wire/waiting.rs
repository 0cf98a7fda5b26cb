//! Questions that wait for the answers of people. Any process on the database takes what a client posts as the answer of its
//! person; the one that asks reads it there.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::asked::Asked;
use super::envelope::Envelope;
use super::form;
use super::person::Person;
use super::refusal::Refusal;
use super::session::ANSWERED_WITHIN;
use crate::database::{Access, TransactionError, params, refusal};

/// The most questions of a caller that wait in a process.
const MOST_WAITING: usize = 8;
/// How often a process looks for an answer that another one got.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);
/// What is stored of an answer.
const AGREED: &str = "agreed";
const NOT_AGREED: &str = "not agreed";

/// The questions that wait in this process.
#[derive(Debug, Default)]
pub(super) struct Questions {
    answered: Notify,
    /// The callers of each.
    callers: Mutex<Vec<UserId>>,
}

impl Questions {
    fn callers(&self) -> MutexGuard<'_, Vec<UserId>> {
        self.callers
            .lock()
            .unwrap_or_else(|error| error.into_inner())
    }

    /// A place for one more question of this caller.
    fn place(&self, caller: UserId) -> Option<Place<'_>> {
        let mut callers = self.callers();
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
        let mut callers = self.0.callers();
        if let Some(at) = callers.iter().position(|one| *one == self.1) {
            callers.swap_remove(at);
        }
    }
}

/// Asks, and waits for the answer.
///
/// # Errors
/// `refused` if nobody answers in time, and `unavailable` if too many questions wait.
pub(super) async fn agrees(
    person: &Person,
    asked: &Asked<'_>,
    message: &str,
) -> Result<bool, Refusal> {
    let questions = &asked.service.inner.questions;
    let Some(_place) = questions.place(asked.caller.user) else {
        let message =
            format!("{MOST_WAITING} questions wait for an answer already; nothing was changed");
        return Err(Refusal::new(&ToolError::new(
            ErrorCode::Unavailable,
            message,
        )));
    };
    let opened = open(person, asked).await;
    opened.map_err(|error| Refusal::new(&refusal(&error)))?;
    person.ask(message);
    answer(person, asked, questions).await
}

async fn open(person: &Person, asked: &Asked<'_>) -> Result<(), TransactionError> {
    let mut transaction = asked.transaction(Access::Write);
    let sql = "insert into app.idempotency_keys (key, tool, arguments) values ($1, $2, '') \
         on conflict (user_id, key) do update set result = null";
    transaction
        .query(sql, params![person.key, form::METHOD])
        .await?;
    transaction.commit().await
}

async fn answer(
    person: &Person,
    asked: &Asked<'_>,
    questions: &Questions,
) -> Result<bool, Refusal> {
    let ends = Instant::now() + ANSWERED_WITHIN.unsigned_abs();
    while Instant::now() < ends {
        let answered = questions.answered.notified();
        let mut look = asked.transaction(Access::Read);
        look.only_read();
        let sql = "select result from app.idempotency_keys where key = $1 and tool = $2";
        let rows = look.query(sql, params![person.key, form::METHOD]).await;
        let rows = rows.map_err(|error| Refusal::new(&refusal(&error)))?;
        let result: Option<String> = rows.first().and_then(|row| row.get(0));
        if let Some(result) = result {
            return Ok(result == AGREED);
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
    let result = envelope.result;
    let result = result.and_then(|result| serde_json::from_str(result.get()).ok());
    let decided = result.as_ref().is_some_and(form::is_agreed);
    let Value::String(key) = json!(id) else {
        return Ok(());
    };
    let stored = store(asked, &key, decided).await;
    stored.map_err(|error| Refusal::new(&refusal(&error)))?;
    asked.service.inner.questions.answered.notify_waiters();
    Ok(())
}

async fn store(asked: &Asked<'_>, key: &str, decided: bool) -> Result<(), TransactionError> {
    let mut transaction = asked.transaction(Access::Write);
    let sql = "update app.idempotency_keys set result = $3 where key = $1 and tool = $2 and result is null";
    let decided = match decided {
        true => AGREED,
        false => NOT_AGREED,
    };
    let params = params![key, form::METHOD, decided];
    transaction.query(sql, params).await?;
    transaction.commit().await
}
