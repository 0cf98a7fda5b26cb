//! The setting of a webhook test: exclusive use of the outbox, an organisation, a clock.

use std::sync::LazyLock;
use std::time::Duration;

use axum::http::StatusCode;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::{Database, Owner};
use frontdesk_server::webhooks::{
    DeliveryOutcome, Entry, Outbox, Receiver, Secret, State, WebhookSettings, Worker,
};
use frontdesk_tests::caller::Caller;
use frontdesk_tests::receiver::{self, Request, SECRET};
use frontdesk_tests::{Organization, World, world};
use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

/// A worker takes every event of the outbox: tests of other subjects add none to this one.
static WORLD: LazyLock<World> = LazyLock::new(World::separate);

/// And the tests of webhooks use it one after the other.
static TURN: Mutex<()> = Mutex::const_new(());

/// Runs a test in the world of the webhooks.
pub(crate) fn run<F: Future>(test: F) -> F::Output {
    WORLD.run(test)
}

/// Long enough for every delay of the schedule up to 10 h with its jitter.
const LONGEST: Duration = Duration::from_secs(12 * 3600);

/// The outbox, empty at first, and exclusive until this is dropped.
pub(crate) struct Stage {
    pub(crate) organization: Organization,
    /// The workers' clock.
    pub(crate) clock: Clock,
    _turn: MutexGuard<'static, ()>,
}

/// Settings of a receiver at this address, with the secret [`SECRET`].
pub(crate) fn settings(url: &str) -> WebhookSettings {
    settings_with(url, &[SECRET])
}

/// As [`settings`], with these secrets.
pub(crate) fn settings_with(url: &str, secrets: &[&str]) -> WebhookSettings {
    let secrets = secrets
        .iter()
        .map(|secret| secret.parse::<Secret>().expect("a secret"))
        .collect();
    WebhookSettings::new(url.parse().expect("an address"), secrets, true).expect("settings")
}

impl Stage {
    /// Waits for its turn, and empties the outbox.
    pub(crate) async fn set() -> Stage {
        let turn = TURN.lock().await;
        let organization = Organization::create().await;
        let owner = world().owner().await;
        let emptied = owner.execute("delete from webhooks.events", &[]).await;
        emptied.expect("an empty outbox");
        Stage {
            organization,
            clock: Clock::system(),
            _turn: turn,
        }
    }

    /// The same with a receiver, and a worker that delivers to it.
    pub(crate) async fn with_receiver() -> (Stage, receiver::Receiver, Worker) {
        let stage = Stage::set().await;
        let receiver = receiver::Receiver::start().await;
        let worker = stage.worker(&receiver.url());
        (stage, receiver, worker)
    }

    /// A caller of this role at a host.
    pub(crate) async fn caller(&self, role: Role, host: Host) -> Caller {
        self.organization.caller(role, host).await
    }

    /// A worker with a receiver at this address.
    pub(crate) fn worker(&self, url: &str) -> Worker {
        self.worker_with(settings(url))
    }

    /// A worker with these settings.
    pub(crate) fn worker_with(&self, settings: WebhookSettings) -> Worker {
        self.worker_on(world().database(), settings)
    }

    /// A worker on another handle of the database.
    pub(crate) fn worker_on(&self, database: &Database, settings: WebhookSettings) -> Worker {
        let receiver = Receiver::new(settings).expect("a receiver");
        Worker::new(database.clone(), receiver, self.clock.clone())
    }

    /// Advances the clock beyond any delay between two attempts and any lease.
    pub(crate) fn wait_long(&self) {
        self.clock.advance(LONGEST);
    }

    /// Inserts a meeting.
    pub(crate) async fn meeting(&self) -> Uuid {
        let id = Uuid::now_v7();
        self.insert(id).await;
        id
    }

    /// Inserts a meeting of this id.
    pub(crate) async fn insert(&self, id: Uuid) {
        insert(&*world().owner().await, self.organization.id.0, id).await;
    }

    /// Removes a meeting, so that one of its id can be inserted again.
    pub(crate) async fn remove(&self, id: Uuid) {
        let owner = world().owner().await;
        let removed = owner
            .execute("delete from work.meetings where id = $1", &[&id])
            .await;
        assert_eq!(removed.expect("it is removed"), 1);
    }

    /// The outbox, as its operator sees it.
    pub(crate) fn outbox(&self) -> Outbox {
        Outbox::new(world().database().clone(), self.clock.clone())
    }

    /// Every event, the oldest first.
    pub(crate) async fn entries(&self) -> Vec<Entry> {
        let entries = self.outbox().entries(true, 1000).await;
        let (mut entries, has_more) = entries.expect("the outbox");
        assert!(!has_more);
        entries.reverse();
        entries
    }

    /// The only event.
    pub(crate) async fn entry(&self) -> Entry {
        let entries = self.entries().await;
        match <[Entry; 1]>::try_from(entries) {
            Ok([entry]) => entry,
            Err(entries) => panic!("not one event: {entries:?}"),
        }
    }

    /// The state of every event, oldest first.
    pub(crate) async fn states(&self) -> Vec<State> {
        self.entries()
            .await
            .iter()
            .map(|entry| entry.state)
            .collect()
    }
}

/// Delivers the only event that is due; returns the request, which is accepted.
pub(crate) async fn delivered(worker: &Worker, receiver: &mut receiver::Receiver) -> Request {
    let (round, request) = tokio::join!(worker.deliver_due(), receiver.answer(StatusCode::OK));
    assert_eq!(round.expect("a round"), [DeliveryOutcome::Delivered]);
    request
}

/// Inserts a meeting into the database of this owner.
pub(crate) async fn insert(owner: &Owner, organization: Uuid, id: Uuid) {
    owner
        .execute(
            "insert into work.meetings (id, organization_id, title) values ($1, $2, 'Stand-up')",
            &[&id, &organization],
        )
        .await
        .expect("a meeting");
}
