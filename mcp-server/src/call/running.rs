//! A running call and its client: the client hears how far it is, and can cancel it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use frontdesk_protocol::rpc::Id;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::database::TransactionError;

/// What becomes of a call: it runs until it is either cancelled or committed, never both.
const RUNS: u8 = 0;
const IS_COMMITTED: u8 = 1;
const IS_CANCELLED: u8 = 2;

/// Work of fewer parts is done at once.
const FEWEST_PARTS: usize = 20;

/// Tells a client how far its call is, in hundredths of the whole.
#[derive(Debug, Clone)]
pub struct Progress {
    token: Arc<Id>,
    messages: mpsc::Sender<String>,
    /// The hundredths that were told, and one.
    told: Arc<AtomicUsize>,
}

impl Progress {
    /// Tells it with this token of the client's.
    pub(crate) fn new(token: Id, messages: mpsc::Sender<String>) -> Self {
        Progress {
            token: Arc::new(token),
            messages,
            told: Arc::default(),
        }
    }

    /// Tells that `done` of `total` parts are done, if they are not few.
    pub(crate) fn parts(&self, done: usize, total: usize) {
        if total >= FEWEST_PARTS {
            self.tell(done, total, None);
        }
    }

    /// Tells that `done` of `total` parts are done, if that is news. A client that reads too slowly hears less.
    fn tell(&self, done: usize, total: usize, message: Option<&str>) {
        let now = 1 + done.saturating_mul(100) / total.max(1);
        if self.told.fetch_max(now, Ordering::Relaxed) >= now {
            return;
        }
        let mut params = json!({ "progressToken": *self.token, "progress": done, "total": total });
        if let Some(message) = message {
            params["message"] = message.into();
        }
        let method = "notifications/progress";
        let said = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let _ = self.messages.try_send(said.to_string());
    }
}

/// With this a call is cancelled, as long as nothing of it is committed.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    state: Arc<AtomicU8>,
    cancelled: CancellationToken,
}

impl Stop {
    /// Cancels the call, unless it is being committed. It must then be dropped.
    pub(crate) fn cancel(&self) {
        if self.turns_to(IS_CANCELLED) {
            self.cancelled.cancel();
        }
    }

    /// Waits until it is cancelled.
    pub(crate) async fn cancelled(&self) {
        self.cancelled.cancelled().await;
    }

    fn turns_to(&self, state: u8) -> bool {
        let turned = self
            .state
            .compare_exchange(RUNS, state, Ordering::Relaxed, Ordering::Relaxed);
        turned.is_ok() || turned == Err(state)
    }
}

impl super::Call {
    /// Tells the client that `done` of `total` parts are done, if it wants to know and they are not few.
    pub fn progress(&self, done: usize, total: usize) {
        if let Some(progress) = &self.server.progress {
            progress.parts(done, total);
        }
    }

    /// Tells the client what begins now, with `done` of `total` parts done.
    pub fn begins(&self, what: &str, done: usize, total: usize) {
        if let Some(progress) = &self.server.progress {
            progress.tell(done, total, Some(what));
        }
    }

    /// From now on it cannot be cancelled any more.
    ///
    /// # Errors
    /// [`TransactionError::Cancelled`].
    pub(super) fn commits(&self) -> Result<(), TransactionError> {
        match &self.server.stop {
            Some(stop) if !stop.turns_to(IS_COMMITTED) => Err(TransactionError::Cancelled),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_cancelled_or_committed_but_not_both() {
        let late = Stop::default();
        assert!(late.turns_to(IS_COMMITTED));
        late.cancel();
        assert!(!late.cancelled.is_cancelled());
        assert!(late.turns_to(IS_COMMITTED));

        let early = Stop::default();
        early.cancel();
        assert!(early.cancelled.is_cancelled());
        assert!(!early.turns_to(IS_COMMITTED));
    }

    #[test]
    fn each_hundredth_is_told_once() {
        let (messages, mut heard) = mpsc::channel(200);
        let progress = Progress::new(serde_json::from_str("7").expect("an id"), messages);
        for done in 0..=1000 {
            progress.tell(done, 1000, None);
        }
        let mut number = 0;
        while heard.try_recv().is_ok() {
            number += 1;
        }
        assert_eq!(number, 101);
    }
}
