//! The outbox: what is due is claimed under a lease, and settled.
//!
//! Each of these is a short transaction of its own; none is open while a delivery is under way. Times
//! are the database's, put forward by the clock, so that processes whose clocks differ agree on when a
//! lease ends.

mod entries;

use std::time::Duration;

use frontdesk_postgres::Row;
use tokio_postgres::types::ToSql;

pub use entries::{Entry, ReplayError, State};

use super::{Event, MessageId};
use crate::clock::Clock;
use crate::database::{Access, Actor, Database, TransactionError};

/// How long a worker may have an event. A delivery ends long before.
pub const LEASE: Duration = Duration::from_secs(60);

/// Where events wait. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Outbox {
    database: Database,
    clock: Clock,
}

/// What became of a delivery.
#[derive(Debug)]
pub(super) enum Settlement {
    Delivered,
    /// To be sent again, so much later, since it failed for this reason.
    Again(Duration, String),
    GivenUp(String),
}

/// An event is claimed when it is due and none before it of the same subject is pending. SKIP LOCKED
/// keeps workers that look at the same time from waiting for each other; a row that another has
/// claimed meanwhile is read anew and is not due. An array of ids, not a join: whatever number of rows
/// is to be expected, they are found by the index.
const CLAIM: &str = "with due as (
       select e.id from webhooks.events e
       where e.delivered_at is null and e.given_up_at is null
         and e.due_at <= now() + make_interval(secs => $1)
         and not exists (
           select from webhooks.events earlier
           where earlier.subject_id = e.subject_id and earlier.sequence < e.sequence
             and earlier.delivered_at is null and earlier.given_up_at is null)
       order by e.due_at, e.sequence
       limit $2
       for update of e skip locked
     )
     update webhooks.events e
     set lease = gen_random_uuid(), attempts = e.attempts + 1,
         attempted_at = now() + make_interval(secs => $1),
         due_at = now() + make_interval(secs => $1) + make_interval(secs => $3)
     where e.id = any (array(select id from due))
     returning e.id, e.lease, e.type, e.subject_id, e.organization_id, e.created_at, e.attempts";

const DELIVERED: &str = "update webhooks.events
     set lease = null, delivered_at = now() + make_interval(secs => $3), last_error = null
     where id = $1 and lease = $2 returning id";

const AGAIN: &str = "update webhooks.events
     set lease = null, last_error = $5,
         due_at = now() + make_interval(secs => $3) + make_interval(secs => $4)
     where id = $1 and lease = $2 returning id";

const GIVEN_UP: &str = "update webhooks.events
     set lease = null, given_up_at = now() + make_interval(secs => $3), last_error = $4
     where id = $1 and lease = $2 returning id";

impl Outbox {
    /// The outbox of this database.
    pub fn new(database: Database, clock: Clock) -> Self {
        Outbox { database, clock }
    }

    /// Takes up to so many events that are due. Each is this worker's until [`LEASE`] has passed.
    pub(super) async fn claim(&self, most: usize) -> Result<Vec<Event>, TransactionError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = self
            .write(CLAIM, &[&self.ahead(), &most, &LEASE.as_secs_f64()])
            .await?;
        Ok(rows.iter().map(event).collect())
    }

    /// Writes down what became of an event. False where it is not this worker's any more.
    pub(super) async fn settle(
        &self,
        event: &Event,
        settlement: &Settlement,
    ) -> Result<bool, TransactionError> {
        let (id, lease, ahead) = (event.id.0, event.lease, self.ahead());
        let rows = match settlement {
            Settlement::Delivered => self.write(DELIVERED, &[&id, &lease, &ahead]).await?,
            Settlement::Again(delay, error) => {
                let delay = delay.as_secs_f64();
                self.write(AGAIN, &[&id, &lease, &ahead, &delay, error])
                    .await?
            }
            Settlement::GivenUp(error) => {
                self.write(GIVEN_UP, &[&id, &lease, &ahead, error]).await?
            }
        };
        Ok(!rows.is_empty())
    }

    /// Until somebody in this process may have put an event into the outbox.
    pub(super) async fn changed(&self) {
        self.database.outbox_changed().await;
    }

    /// One statement in a transaction of its own.
    async fn write(
        &self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, TransactionError> {
        let mut transaction = self.database.transaction(Actor::Webhooks, Access::Write);
        let rows = transaction.query(sql, params).await;
        match rows {
            Ok(rows) => {
                transaction.commit().await?;
                Ok(rows)
            }
            Err(error) => {
                // The connection may be lost: then it is undone all the same.
                let _ = transaction.rollback().await;
                Err(error)
            }
        }
    }

    /// How far the clock is ahead of the machine's, in seconds: only tests put it forward.
    fn ahead(&self) -> f64 {
        self.clock.ahead().as_secs_f64()
    }
}

fn event(row: &Row) -> Event {
    let attempts: i32 = row.get(6);
    Event {
        id: MessageId(row.get(0)),
        lease: row.get(1),
        kind: row.get(2),
        subject: row.get(3),
        organization: row.get(4),
        created_at: row.get(5),
        attempt: attempts.unsigned_abs(),
    }
}
