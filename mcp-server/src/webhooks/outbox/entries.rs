//! The operator's view of the outbox: lists and replays events.

use std::collections::HashSet;
use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use super::Outbox;
use crate::database::{Access, Actor, TransactionError};
use crate::webhooks::MessageId;

/// The state of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Waits for its first or next attempt.
    Undelivered,
    /// Claimed by a worker.
    Sending,
    /// The receiver accepted it.
    Delivered,
    /// Its last attempt failed. It is kept and can be replayed.
    GivenUp,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Undelivered => "undelivered",
            State::Sending => "sending",
            State::Delivered => "delivered",
            State::GivenUp => "given up",
        })
    }
}

/// An event in the outbox.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its id for the receiver.
    pub id: MessageId,
    /// Its name: `meeting.created`.
    pub kind: String,
    /// The id of the record that it is about.
    pub subject: Uuid,
    /// When it happened.
    pub created_at: Timestamp,
    /// The number of attempts, including unfinished ones.
    pub attempts: i32,
    /// Derived from the attempts, the lease and the result.
    pub state: State,
    /// The time of the next attempt, if the event was sent before or is planned for later.
    pub next_attempt_at: Option<Timestamp>,
    /// The error of the last attempt.
    pub last_error: Option<String>,
}

/// Why events cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// These events do not exist.
    #[error("there is no event {}; nothing is replayed", list(.0))]
    NotFound(Vec<MessageId>),
    /// These events are being sent; replayed now, they could arrive twice.
    #[error("a worker is sending {}; nothing is replayed, try again in a minute", list(.0))]
    Sending(Vec<MessageId>),
    /// The transaction failed.
    #[error("the database refuses: {0}")]
    Database(#[from] TransactionError),
}

fn list(ids: &[MessageId]) -> String {
    let ids: Vec<_> = ids.iter().map(MessageId::to_string).collect();
    ids.join(", ")
}

const ENTRIES: &str = "select e.id, e.type, e.subject_id, e.created_at, e.attempts,
       e.delivered_at is not null, e.given_up_at is not null,
       e.lease is not null and e.due_at > now() + make_interval(secs => $1),
       case when e.lease is null and (e.attempts > 0 or e.due_at > now() + make_interval(secs => $1))
         then e.due_at end, e.last_error
     from webhooks.events e
     where $2 or e.delivered_at is null
     order by e.sequence desc limit $3";

const LOCK: &str =
    "select e.id, e.lease is not null and e.due_at > now() + make_interval(secs => $1)
     from webhooks.events e where e.id = any ($2) order by e.sequence for update";

const REPLAY: &str = "update webhooks.events
     set attempts = 0, due_at = now(), lease = null, delivered_at = null, given_up_at = null
     where id = any ($1)";

const REPLAY_FAILED: &str = "update webhooks.events
     set attempts = 0, due_at = now(), given_up_at = null
     where given_up_at is not null returning id";

impl Outbox {
    /// The newest events, at most `limit`, and whether there are more. Delivered events are included only with
    /// `with_delivered`.
    ///
    /// # Errors
    /// [`TransactionError`] if the transaction fails.
    pub async fn entries(
        &self,
        with_delivered: bool,
        limit: u32,
    ) -> Result<(Vec<Entry>, bool), TransactionError> {
        let mut transaction = self.database.transaction(Actor::Webhooks, Access::Read);
        let one_more = i64::from(limit) + 1;
        let rows = transaction
            .query(ENTRIES, &[&self.ahead(), &with_delivered, &one_more])
            .await?;
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let entries = rows.iter().take(limit).map(|row| {
            let (is_delivered, is_given_up, is_leased) = (row.get(5), row.get(6), row.get(7));
            let state = match (is_delivered, is_given_up, is_leased) {
                (true, _, _) => State::Delivered,
                (_, true, _) => State::GivenUp,
                (_, _, true) => State::Sending,
                _ => State::Undelivered,
            };
            let due_at: Option<Timestamp> = row.get(8);
            Entry {
                id: MessageId(row.get(0)),
                kind: row.get(1),
                subject: row.get(2),
                created_at: row.get(3),
                attempts: row.get(4),
                state,
                next_attempt_at: due_at.filter(|_| state == State::Undelivered),
                last_error: row.get(9),
            }
        });
        Ok((entries.collect(), rows.len() > limit))
    }

    /// Makes all of these events due again, beginning with their first attempt, or none of them.
    ///
    /// # Errors
    /// [`ReplayError`], with the events that prevent it.
    pub async fn replay(&self, ids: &[MessageId]) -> Result<u64, ReplayError> {
        let asked: HashSet<Uuid> = ids.iter().map(|id| id.0).collect();
        let asked: Vec<Uuid> = asked.into_iter().collect();
        let mut transaction = self.database.transaction(Actor::Webhooks, Access::Write);
        let rows = transaction.query(LOCK, &[&self.ahead(), &asked]).await?;
        let found: Vec<(Uuid, bool)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let missing: Vec<_> = ids
            .iter()
            .filter(|id| !found.iter().any(|(found, _)| *found == id.0))
            .copied()
            .collect();
        if !missing.is_empty() {
            transaction.rollback().await?;
            return Err(ReplayError::NotFound(missing));
        }
        let sending: Vec<_> = found
            .iter()
            .filter(|(_, is_leased)| *is_leased)
            .map(|(id, _)| MessageId(*id))
            .collect();
        if !sending.is_empty() {
            transaction.rollback().await?;
            return Err(ReplayError::Sending(sending));
        }
        transaction.query(REPLAY, &[&asked]).await?;
        transaction.commit().await?;
        Ok(count(asked.len()))
    }

    /// Makes every given-up event due again.
    ///
    /// # Errors
    /// [`TransactionError`] if the transaction fails.
    pub async fn replay_failed(&self) -> Result<u64, TransactionError> {
        Ok(count(self.write(REPLAY_FAILED, &[]).await?.len()))
    }
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}
