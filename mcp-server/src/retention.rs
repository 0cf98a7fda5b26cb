//! Retention: how long the history of changes is kept.

use std::time::Duration;

use tokio::sync::watch;

use crate::database::{Access, Actor, Database, TransactionError};

/// The default number of days.
pub const DEFAULT_DAYS: u16 = 30;
/// The time between two runs. The partitions of a week are created ahead.
const INTERVAL: Duration = Duration::from_secs(3600);

/// Creates the partitions of the coming days and drops those that are no longer kept.
#[derive(Debug)]
pub(crate) struct Retention {
    database: Database,
    days: u16,
}

impl Retention {
    /// Keeps the changes of this many days; 0 keeps none.
    pub(crate) fn new(database: Database, days: u16) -> Self {
        Retention { database, days }
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
        transaction
            .query("select app.keep_changes($1), app.forget_keys()", &[&days])
            .await?;
        transaction.commit().await
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
