//! A question of a server, for the user.

use std::sync::{Arc, Mutex, PoisonError};

use frontdesk_client::question::{Decision, Question};
use tokio::sync::oneshot;
use uuid::Uuid;

/// A question of a server.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) id: Uuid,
    /// The name of the server.
    pub(crate) server: String,
    pub(crate) question: Question,
    decide: Arc<Mutex<Option<oneshot::Sender<Decision>>>>,
}

impl Asked {
    /// A question, and its decision. The decision is lost if nobody can decide any more.
    pub(super) fn new(server: String, question: Question) -> (Self, oneshot::Receiver<Decision>) {
        let (decide, decided) = oneshot::channel();
        let asked = Asked {
            id: Uuid::new_v4(),
            server,
            question,
            decide: Arc::new(Mutex::new(Some(decide))),
        };
        (asked, decided)
    }

    /// Passes the decision on, once.
    pub(super) fn decide(&self, decision: Decision) {
        let mut decide = self.decide.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(decide) = decide.take() {
            // Fails only if the server no longer waits.
            let _ = decide.send(decision);
        }
    }
}
