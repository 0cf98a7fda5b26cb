//! Retention: how long the history of changes and other records of the past are kept.

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Date;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio_postgres::Client;

use crate::database::{Access, Actor, Database, TransactionError};

/// The default number of days.
pub const DEFAULT_DAYS: u16 = 30;
/// The time between two runs. The partitions of a week are created ahead.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Why the history is not cut, for `/health`.
#[derive(Debug, Clone, Default)]
pub struct Refusal(Arc<Mutex<Option<String>>>);

impl Refusal {
    /// The reason, or nothing while it is cut.
    pub(crate) fn get(&self) -> Option<String> {
        self.0.lock().clone()
    }
}

/// Creates the partitions of the coming days and drops those that are no longer kept.
#[derive(Debug)]
pub(crate) struct Retention {
    database: Database,
    days: u16,
    refusal: Refusal,
}

impl Retention {
    /// Keeps the changes of at least this many days.
    pub(crate) fn new(database: Database, days: u16) -> Self {
        Retention {
            database,
            days,
            refusal: Refusal::default(),
        }
    }

    /// Why it does not cut the history, now and later.
    pub(crate) fn refusal(&self) -> Refusal {
        self.refusal.clone()
    }

    /// Cuts the history now. A failure is only logged: changes of a day without a partition are in the default one.
    pub(crate) async fn keep(&self) {
        if let Err(error) = self.cut().await {
            tracing::warn!(%error, "the history of changes cannot be cut");
        }
    }

    async fn cut(&self) -> Result<(), TransactionError> {
        let days = i32::from(self.days);
        let mut transaction = self.database.transaction(Actor::Webhooks, Access::Write);
        let cut = "select c.kept, c.refusal from app.cut_history($1) c";
        let rows = transaction.query(cut, &[&days]).await?;
        transaction.query("select app.forget_old()", &[]).await?;
        transaction.commit().await?;
        let Some(row) = rows.first() else {
            return Ok(());
        };
        let (kept, refusal): (i32, Option<&str>) = (row.get(0), row.get(1));
        if kept > days {
            tracing::info!(
                kept,
                "the database keeps the history longer than --keep-changes {days}; \
                 `frontdesk-server keep-changes {days}` shortens it"
            );
        }
        if let Some(refusal) = refusal {
            tracing::warn!("the history of changes: {refusal}");
        }
        *self.refusal.0.lock() = refusal.map(str::to_owned);
        Ok(())
    }

    /// Cuts the history every hour until told to stop.
    pub(crate) async fn run(self, mut stop: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = tokio::time::sleep(INTERVAL) => {}
            }
            self.keep().await;
        }
    }
}

/// What a shorter history would lose.
#[derive(Debug)]
pub struct Beyond {
    /// Days with entries.
    pub days: i64,
    /// Their entries.
    pub entries: i64,
    /// The first and the last of these days, if there is one.
    pub between: Option<(Date, Date)>,
}

/// What is removed if only this many days are kept.
///
/// # Errors
/// If the database refuses or is lost.
pub async fn beyond(owner: &Client, days: u16) -> Result<Beyond, tokio_postgres::Error> {
    let sql =
        "select removed, entries, first_day::text, last_day::text from app.history_beyond($1)";
    let row = owner.query_one(sql, &[&i32::from(days)]).await?;
    let day = |at: usize| row.get::<_, Option<&str>>(at)?.parse().ok();
    Ok(Beyond {
        days: row.get(0),
        entries: row.get(1),
        between: day(2).zip(day(3)),
    })
}

/// Keeps this many days from now on, and removes the others.
///
/// # Errors
/// As [`beyond`].
pub async fn shorten(owner: &Client, days: u16) -> Result<(), tokio_postgres::Error> {
    let sql = "select app.shorten_history($1)";
    owner.execute(sql, &[&i32::from(days)]).await.map(drop)
}
