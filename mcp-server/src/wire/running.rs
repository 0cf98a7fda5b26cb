//! The calls that run in sessions, which `notifications/cancelled` ends. Any process on the database takes that; the one
//! with the call reads it there.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use frontdesk_protocol::rpc::Id;
use parking_lot::Mutex;
use serde::Deserialize;

use super::asked::Asked;
use super::envelope::Envelope;
use super::person::key;
use crate::call::Stop;
use crate::database::{Access, TransactionError, params};

/// The notification that nobody waits for a call any more.
pub(super) const METHOD: &str = "notifications/cancelled";
/// How often a process looks whether another one was told so.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// The calls that run in this process, by key.
#[derive(Debug, Default)]
pub(super) struct Running(Mutex<HashMap<String, Stop>>);

impl Running {
    /// Registers a call, as long as the place exists.
    pub(super) fn enter(&self, key: String) -> Place<'_> {
        let stop = Stop::default();
        self.0.lock().insert(key.clone(), stop.clone());
        Place {
            running: self,
            key,
            stop,
            since: Instant::now(),
        }
    }
}

/// A running call.
pub(super) struct Place<'a> {
    running: &'a Running,
    key: String,
    pub(super) stop: Stop,
    since: Instant,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.running.0.lock().remove(&self.key);
    }
}

impl Place<'_> {
    /// Waits until the call is cancelled, in this process or in another one.
    pub(super) async fn cancelled(&self, asked: &Asked<'_>) {
        loop {
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {}
            }
            if matches!(self.is_stored(asked).await, Ok(true)) {
                self.stop.cancel();
            }
        }
    }

    async fn is_stored(&self, asked: &Asked<'_>) -> Result<bool, TransactionError> {
        let mut look = asked.transaction(Access::Read);
        look.only_read();
        // An earlier call had the same id, if its client does not mind.
        let sql = "select from app.idempotency_keys where key = $1 and tool = $2 \
             and created_at >= now() - make_interval(secs => $3)";
        let since = self.since.elapsed().as_secs_f64();
        let rows = look.query(sql, params![self.key, METHOD, since]).await?;
        Ok(!rows.is_empty())
    }
}

/// Takes a notification that a call is cancelled. It has no answer that could say what is wrong with it.
pub(super) async fn take(asked: &Asked<'_>, envelope: &Envelope<'_>) {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cancelled {
        request_id: Id,
    }

    let Ok(cancelled) = envelope.params::<Cancelled>() else {
        return;
    };
    let key = key(asked.headers, Some(&cancelled.request_id));
    let running = asked.service.inner.running.0.lock().get(&key).cloned();
    match running {
        Some(stop) => stop.cancel(),
        None => {
            if let Err(error) = store(asked, &key).await {
                tracing::debug!(%error, "a call that another process may have is not cancelled");
            }
        }
    }
}

/// Stores that a call is cancelled, for the process that has it.
async fn store(asked: &Asked<'_>, key: &str) -> Result<(), TransactionError> {
    let mut transaction = asked.transaction(Access::Write);
    let sql = "delete from app.idempotency_keys where key = $1 and tool = $2";
    transaction.query(sql, params![key, METHOD]).await?;
    let sql = "insert into app.idempotency_keys (key, tool, arguments) values ($1, $2, '') on conflict do nothing";
    transaction.query(sql, params![key, METHOD]).await?;
    transaction.commit().await
}
