//! The jobs of the door: the journal on disk, and the delivery to the host.

use std::sync::Arc;

use frontdesk_client::{
    Account, Action, CallError, Delivery, Entrance, Entry, GuestLists, Journal, Settled, WalkIn,
    deliver, journal, listed,
};
use frontdesk_protocol::Host;
use frontdesk_protocol::events::passage::Verdict;
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;
use uuid::Uuid;

use super::lists::with_lists;
use crate::app::effects::disk::{DiskError, on_disk};
use crate::app::effects::job::{Failure, Job, Lost};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

/// Writes an action at the door to disk, for the host.
#[derive(Debug, Clone)]
pub(crate) struct Append {
    /// The id of the entry that could not be written before.
    pub(crate) entry: Option<Uuid>,
    pub(crate) action: Action,
    pub(crate) event: EventId,
    /// The account at the desk, also after its sign-in has ended.
    pub(crate) account: Option<Account>,
    /// The guest; `None` for an added guest or a code without an id yet.
    pub(crate) guest: Option<GuestId>,
    /// The guest's name, for display until delivery.
    pub(crate) name: String,
    /// When it happened.
    pub(crate) at: Timestamp,
    /// The data of a guest whom the host may not know yet.
    pub(crate) walk_in: Option<WalkIn>,
    /// Whether the id was scanned and the guest is unknown here.
    pub(crate) scanned: bool,
    /// The code, if no known guest has it.
    pub(crate) code: Option<String>,
    /// Whether the walk-in may be a listed guest.
    pub(crate) asks: bool,
    /// Why a guest was admitted who is blocked, or whom the place's rules keep out.
    pub(crate) reason: Option<String>,
    /// Where it happens.
    pub(crate) entrance: Entrance,
    /// The recorded time of the check-in that is undone; `None` if any is.
    pub(crate) undoes: Option<Timestamp>,
}

impl Append {
    /// The entry of the journal, by this account at this host, with the id of an earlier attempt to write it.
    pub(crate) fn entry(&self, host: impl Into<String>, account: &Account) -> Entry {
        let mut entry = Entry::new(
            host,
            account.id,
            self.event,
            self.guest.unwrap_or(GuestId(Uuid::nil())),
            self.name.clone(),
            self.at,
            self.action,
        );
        entry.id = self.entry.unwrap_or(entry.id);
        entry.made_by = journal::MadeBy::of(account);
        entry.walk_in = self.walk_in.clone();
        entry.scanned = self.scanned;
        entry.code = self.code.clone();
        entry.asks = self.asks;
        entry.reason = self.reason.clone();
        entry.entrance = self.entrance.clone();
        entry.undoes = self.undoes;
        if self.guest.is_none() {
            entry.guest_id = GuestId(entry.id);
        }
        entry
    }
}

/// An action is not on disk.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unsaved {
    /// It can be delivered from memory.
    pub(crate) entry: Option<Box<Entry>>,
    pub(crate) why: DiskError,
}

impl From<Lost> for Unsaved {
    fn from(lost: Lost) -> Self {
        let (entry, why) = (None, lost.into());
        Unsaved { entry, why }
    }
}

impl Failure for Unsaved {}

impl Job for Append {
    type Value = Entry;
    type Error = Unsaved;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Entry, Unsaved> {
        let client = platform.client;
        let account = client.last_account().or_else(|| self.account.clone());
        let Some(account) = account else {
            let why = DiskError("nobody is signed in".to_owned());
            return Err(Unsaved { entry: None, why });
        };
        let mut entry = self.entry(client.addresses().base(Host::Events), &account);
        entry.by_own_clock = client.clock_ahead().is_none();
        match append(platform.journal, entry.clone()).await {
            Ok(()) => Ok(entry),
            Err(why) => Err(Unsaved {
                entry: Some(Box::new(entry)),
                why,
            }),
        }
    }
}

async fn append(journal: Journal, entry: Entry) -> Result<(), DiskError> {
    on_disk(move || journal.append(&entry)).await
}

/// Reads the undelivered check-ins from disk.
#[derive(Debug)]
pub(crate) struct OpenJournal;

impl Job for OpenJournal {
    type Value = Vec<Entry>;
    type Error = DiskError;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<Vec<Entry>, DiskError> {
        on_disk(move || platform.journal.waiting()).await
    }
}

/// Removes an entry that must not be delivered.
#[derive(Debug)]
pub(crate) struct Withdraw(pub(crate) Entry);

impl Job for Withdraw {
    type Value = ();
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<(), DiskError> {
        let outcome = journal::DeliveryOutcome::Refused {
            message: "taken back at the desk".to_owned(),
        };
        on_disk(move || platform.journal.settle(self.0.id, outcome)).await
    }
}

/// Notes in the journal who has taken over these entries, and returns them.
#[derive(Debug)]
pub(crate) struct TakeOver(pub(crate) Vec<Entry>);

impl Job for TakeOver {
    type Value = Vec<Entry>;
    type Error = DiskError;
    const WRITES: bool = true;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<Vec<Entry>, DiskError> {
        on_disk(move || {
            let written = (self.0.iter()).try_for_each(|entry| platform.journal.append(entry));
            written.map(|()| self.0.clone())
        })
        .await
    }
}

/// Delivers an entry, and settles it once the host has it.
#[derive(Debug)]
pub(crate) struct Deliver {
    pub(crate) entry: Entry,
    /// Whether an earlier answer may be lost.
    pub(crate) is_again: bool,
    /// Whether the guest no longer waits for the host: what the desk has decided holds.
    pub(crate) is_late: bool,
}

impl Job for Deliver {
    type Value = Delivery;
    type Error = CallError;
    const REACHES: bool = true;

    async fn run(self: Arc<Self>, platform: Platform, _: Reporter) -> Result<Delivery, CallError> {
        let mut entry = self.entry.clone();
        // A blocked guest was turned away at once, and so is everybody at a place that is missing: the host does not decide
        // again.
        let has_place = entry.entrance.place_id.is_some();
        let holds = |verdict: &Verdict| {
            self.is_late || *verdict == Verdict::Blocked || verdict.turns_away() && !has_place
        };
        entry.entrance.verdict = entry.entrance.verdict.filter(holds);
        let journal = platform.journal.clone();
        if entry.asks && has_not_asked(&journal, &entry).await {
            if let Some(guest) = listed(&platform.client, &entry).await? {
                let outcome = journal::DeliveryOutcome::Refused {
                    message: "may be on the list".to_owned(),
                };
                return Ok(Delivery {
                    listed: Some(Box::new(guest)),
                    ..Delivery::new(outcome, None)
                });
            }
            // If the next answer is lost, the host has this guest.
            entry.asks = false;
            if let Err(error) = append(journal.clone(), entry.clone()).await {
                tracing::warn!(%error, "the journal");
            }
        }
        let delivery = deliver(&platform.client, &entry, self.is_again).await?;
        note(&platform, &entry, &delivery).await;
        let (id, outcome) = (entry.id, delivery.outcome.clone());
        // If this fails, the entry is delivered again at the next start, without effect.
        if let Err(error) = on_disk(move || journal.settle(id, outcome)).await {
            tracing::warn!(%error, "a delivered check-in is still in the journal");
        }
        Ok(delivery)
    }
}

/// Notes what the host has answered, for a desk that opens without it.
async fn note(platform: &Platform, entry: &Entry, delivery: &Delivery) {
    let is_own = delivery.outcome == journal::DeliveryOutcome::Delivered;
    let guest = delivery.guest.clone();
    if guest.is_none() && !is_own {
        return;
    }
    let settled = Settled {
        entry: entry.id,
        guest_id: guest.as_ref().map_or(entry.guest_id, |guest| guest.id),
        guest,
        is_own,
    };
    let event = entry.event_id;
    let note = move |lists: &GuestLists, account, _| lists.note(account, event, &settled);
    with_lists(platform, note).await;
}

/// Whether the journal does not say that the host was asked about an entry.
async fn has_not_asked(journal: &Journal, entry: &Entry) -> bool {
    let (id, journal) = (entry.id, journal.clone());
    let waiting = on_disk(move || journal.waiting()).await;
    let mut waiting = waiting.into_iter().flatten();
    waiting.find(|one| one.id == id).is_none_or(|one| one.asks)
}
