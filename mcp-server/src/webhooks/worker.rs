//! The worker that delivers due events while the server runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::outbox::Settlement;
use super::retry;
use super::{Event, Failure, Outbox, Receiver};
use crate::clock::Clock;
use crate::database::{Database, TransactionError};

/// The maximum number of deliveries in flight.
const AT_ONCE: usize = 16;

/// The result of one attempt to deliver an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryOutcome {
    /// The receiver accepted it.
    Delivered,
    /// The attempt failed; the event will be sent again.
    Failed,
    /// The last attempt failed; only a replay sends the event again.
    GivenUp,
    /// The result could not be recorded, because the lease had expired or the database was unavailable. The event
    /// is sent again when its lease ends.
    Unsettled,
}

impl DeliveryOutcome {
    fn name(self) -> &'static str {
        match self {
            DeliveryOutcome::Delivered => "delivered",
            DeliveryOutcome::Failed => "failed",
            DeliveryOutcome::GivenUp => "given_up",
            DeliveryOutcome::Unsettled => "unsettled",
        }
    }
}

/// Delivers the events of one database to one receiver. Several workers can run, also in different processes: each
/// event is claimed by one at a time. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Worker {
    outbox: Outbox,
    receiver: Arc<Receiver>,
    clock: Clock,
}

impl Worker {
    /// Creates a worker; [`Worker::run`] starts it.
    pub fn new(database: Database, receiver: Receiver, clock: Clock) -> Self {
        Worker {
            outbox: Outbox::new(database, clock.clone()),
            receiver: Arc::new(receiver),
            clock,
        }
    }

    /// Delivers events until told to stop. Then it finishes the deliveries in flight.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        // Separate tasks, so that the next events can be claimed while a finished delivery waits for a connection.
        let mut under_way = JoinSet::new();
        loop {
            // There is room here: if all slots are taken, the loop only continues when a delivery ends.
            match self.outbox.claim(AT_ONCE - under_way.len()).await {
                Ok(events) => {
                    for event in events {
                        let worker = self.clone();
                        under_way.spawn(async move { worker.attempt(event).await });
                    }
                }
                Err(error) => tracing::warn!(%error, "the outbox cannot be read"),
            }
            let has_room = under_way.len() < AT_ONCE;
            tokio::select! {
                biased;
                // A dropped sender also means stop.
                _ = stop.wait_for(|stop| *stop) => break,
                Some(_) = under_way.join_next() => {}
                () = self.outbox.changed(), if has_room => {}
                () = tokio::time::sleep(self.receiver.poll()), if has_room => {}
            }
        }
        while under_way.join_next().await.is_some() {}
    }

    /// Attempts each due event once and waits for the results. Tests use it to run the worker step by step.
    ///
    /// # Errors
    /// [`TransactionError`] if the outbox cannot be read.
    pub async fn deliver_due(&self) -> Result<Vec<DeliveryOutcome>, TransactionError> {
        let events = self.outbox.claim(AT_ONCE).await?;
        let attempts = events.into_iter().map(|event| self.attempt(event));
        Ok(futures::future::join_all(attempts).await)
    }

    async fn attempt(&self, event: Event) -> DeliveryOutcome {
        let started = Instant::now();
        let delivered = self.receiver.deliver(&event, self.clock.now()).await;
        let took = started.elapsed();
        let (settlement, outcome) = match &delivered {
            Ok(()) => (Settlement::Delivered, DeliveryOutcome::Delivered),
            Err(failure) => match retry::delay(event.attempt, failure) {
                Some(delay) => (
                    Settlement::Again(delay, failure.to_string()),
                    DeliveryOutcome::Failed,
                ),
                None => (
                    Settlement::GivenUp(failure.to_string()),
                    DeliveryOutcome::GivenUp,
                ),
            },
        };
        let outcome = match self.outbox.settle(&event, &settlement).await {
            Ok(true) => outcome,
            Ok(false) => DeliveryOutcome::Unsettled,
            Err(error) => {
                tracing::warn!(%error, event = %event.id, "the result of a webhook delivery cannot be recorded");
                DeliveryOutcome::Unsettled
            }
        };
        record(&event, outcome, delivered.err().as_ref(), took);
        outcome
    }
}

/// Logs and counts an attempt, without the payload and the receiver's address.
fn record(event: &Event, outcome: DeliveryOutcome, failure: Option<&Failure>, took: Duration) {
    let milliseconds = (took.as_secs_f64() * 1e6).round() / 1e3;
    tracing::info!(
        target: "frontdesk::webhook",
        event = %event.id, kind = event.kind, attempt = event.attempt, outcome = outcome.name(),
        failure = failure.map(tracing::field::display), milliseconds, "delivery"
    );
    metrics::counter!("frontdesk_webhook_deliveries_total", "outcome" => outcome.name())
        .increment(1);
    metrics::histogram!("frontdesk_webhook_delivery_seconds").record(took.as_secs_f64());
}
