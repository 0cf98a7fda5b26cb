//! Gauges for `GET /metrics` that no event changes: they are read from the database and the disk.

use std::path::PathBuf;
use std::time::Duration;

use tokio::sync::watch;

use crate::database::{Access, Actor, Database, Location, TransactionError, free, needed};

/// The time between two readings.
const INTERVAL: Duration = Duration::from_secs(30);
/// The webhooks that wait and those that were given up, both by their index; and the seconds of the last backup since 1970.
const READ: &str = "select \
       (select count(*) from webhooks.events e where e.delivered_at is null and e.given_up_at is null), \
       (select count(*) from webhooks.events e where e.given_up_at is not null), \
       coalesce(extract(epoch from app.last_backup())::bigint, 0)";

/// Reads them while a server runs.
#[derive(Debug)]
pub(crate) struct Gauges {
    database: Database,
    /// The directory of an embedded database.
    directory: Option<PathBuf>,
}

impl Gauges {
    pub(crate) fn of(database: Database, location: &Location) -> Gauges {
        let directory = match location {
            Location::Directory(directory) => Some(directory.clone()),
            Location::Memory | Location::Server { .. } => None,
        };
        Gauges {
            database,
            directory,
        }
    }

    /// Reads them until told to stop.
    pub(crate) async fn run(self, mut stop: watch::Receiver<bool>) {
        metrics::gauge!("frontdesk_schema").set(f64::from(needed()));
        metrics::gauge!("frontdesk_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        loop {
            if let Err(error) = self.read().await {
                tracing::debug!(%error, "the gauges cannot be read");
            }
            tokio::select! {
                _ = stop.wait_for(|stop| *stop) => break,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    async fn read(&self) -> Result<(), TransactionError> {
        let free = self.directory.as_deref().and_then(free);
        if let Some(bytes) = free {
            metrics::gauge!("frontdesk_disk_free_bytes").set(bytes as f64);
        }
        let mut transaction = self.database.transaction(Actor::Webhooks, Access::Read);
        let rows = transaction.query(READ, &[]).await?;
        transaction.commit().await?;
        let number = |at: usize| rows.first().map_or(0, |row| row.get::<_, i64>(at)) as f64;
        for (at, state) in ["waiting", "given_up"].into_iter().enumerate() {
            metrics::gauge!("frontdesk_webhooks", "state" => state).set(number(at));
        }
        metrics::gauge!("frontdesk_backup_timestamp_seconds").set(number(2));
        Ok(())
    }
}
