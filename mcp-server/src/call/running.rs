//! A running call reports its progress to its client, and can be cancelled by it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use frontdesk_protocol::rpc::Id;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::database::TransactionError;

/// The states of a call: it runs, and then is either cancelled or committed.
const RUNS: u8 = 0;
const IS_COMMITTED: u8 = 1;
const IS_CANCELLED: u8 = 2;

/// Work of fewer parts ends too soon to report progress.
const FEWEST_PARTS: usize = 20;

/// Reports the progress of a call to its client, in steps of a hundredth.
#[derive(Debug, Clone)]
pub struct Progress {
    token: Arc<Id>,
    messages: mpsc::Sender<String>,
    /// The highest reported hundredth, plus one; 0 before the first report.
    told: Arc<AtomicUsize>,
}

impl Progress {
    /// Reports progress under this token of the client.
    pub(crate) fn new(token: Id, messages: mpsc::Sender<String>) -> Self {
        Progress {
            token: Arc::new(token),
            messages,
            told: Arc::default(),
        }
    }

    /// Reports that `done` of `total` parts are done, if there are at least 20.
    pub(crate) fn parts(&self, done: usize, total: usize) {
        if total >= FEWEST_PARTS {
            self.tell(done, total, None);
        }
    }

    /// Reports that `done` of `total` parts are done, unless this hundredth was reported already. Reports are dropped for a
    /// client that reads too slowly.
    fn tell(&self, done: usize, total: usize, message: Option<&str>) {
        let now = 1 + done.saturating_mul(100) / total.max(1);
        if self.told.fetch_max(now, Ordering::Relaxed) >= now {
            return;
        }
        let mut params = json!({ "progress": done, "total": total });
        if let Some(message) = message {
            params["message"] = message.into();
        }
        self.say(params);
    }

    /// Reports for the `nth` time that a person is waited for, so that the client waits, too. It is less than a part.
    pub(crate) fn waits(&self, nth: u32) {
        self.told.fetch_max(1, Ordering::Relaxed);
        self.say(json!({ "progress": f64::from(nth) / 1000.0, "message": "waiting for a person's answer" }));
    }

    fn say(&self, mut params: Value) {
        params["progressToken"] = json!(*self.token);
        let method = "notifications/progress";
        let said = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        let _ = self.messages.try_send(said.to_string());
    }
}

/// Cancels a call that has not begun to commit.
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
    /// Reports to the client that `done` of `total` parts are done, if it asked for progress and there are at least 20.
    pub fn progress(&self, done: usize, total: usize) {
        if let Some(progress) = &self.server.progress {
            progress.parts(done, total);
        }
    }

    /// Reports to the client which step begins, with `done` of `total` steps done, if it asked for progress.
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
