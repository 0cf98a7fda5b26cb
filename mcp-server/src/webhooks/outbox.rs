//! The outbox: claims due events under a lease, and settles them.
//!
//! Each operation is a short transaction; none is open during a delivery. Times come from the database, plus the
//! test clock's offset, so processes with different clocks agree on when a lease ends.

mod entries;

use std::time::Duration;

use frontdesk_postgres::Row;
use tokio_postgres::types::ToSql;

pub use entries::{Entry, ReplayError, State};

use super::{Event, MessageId};
use crate::clock::Clock;
use crate::database::{Access, Actor, Database, TransactionError};

/// The duration of a worker's lease on an event. A delivery ends long before.
pub const LEASE: Duration = Duration::from_secs(60);

/// The queue of events. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Outbox {
    database: Database,
    clock: Clock,
}

/// The result of a delivery.
#[derive(Debug)]
pub(super) enum Settlement {
    Delivered,
    /// To be sent again after this delay, because of this error.
    Again(Duration, String),
    GivenUp(String),
}

/// An event can be claimed when it is due and no earlier event of the same subject is pending. With SKIP LOCKED,
/// workers do not wait for each other; a row that another worker has just claimed is read again and is no longer
/// due. The ids are an array, not a join, so that they are found by the index whatever the estimated row count.
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
    /// The outbox of a database.
    pub fn new(database: Database, clock: Clock) -> Self {
        Outbox { database, clock }
    }

    /// Claims at most this many due events, each until its [`LEASE`] ends.
    pub(super) async fn claim(&self, most: usize) -> Result<Vec<Event>, TransactionError> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = self
            .write(CLAIM, &[&self.ahead(), &most, &LEASE.as_secs_f64()])
            .await?;
        Ok(rows.iter().map(event).collect())
    }

    /// Records the result of a delivery. Returns false if the lease has expired.
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

    /// Waits until this process may have added an event to the outbox.
    pub(super) async fn changed(&self) {
        self.database.outbox_changed().await;
    }

    /// Runs one statement in its own transaction.
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
                // If the connection is lost, PostgreSQL rolls back by itself.
                let _ = transaction.rollback().await;
                Err(error)
            }
        }
    }

    /// The clock's offset in seconds; only tests set one.
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
