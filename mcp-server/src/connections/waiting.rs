//! Which connections wait for their clients, and since when: the one that has done so for longest makes
//! room for another.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The connections that wait for their clients: for a request, for the rest of one, or for an answer to be
/// taken.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    turns: Mutex<BTreeMap<Place, Arc<End>>>,
    last: AtomicU64,
    /// Says that one more waits.
    more: Notify,
}

impl Waiting {
    fn turns(&self) -> MutexGuard<'_, BTreeMap<Place, Arc<End>>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Relaxed)
    }

    /// Ends the connection that has waited longest; false where none waits.
    pub(super) fn end_longest(&self) -> bool {
        let mut turns = self.turns();
        let Some((_, end)) = turns.pop_first() else {
            return false;
        };
        // While nobody can come to wait again.
        end.has_come.store(true, Ordering::Relaxed);
        end.told.notify_one();
        true
    }

    /// The same, as soon as one waits.
    pub(super) async fn end_one(&self) {
        while !self.end_longest() {
            self.more.notified().await;
        }
    }
}

/// In which order they make room: first those that were never answered, whom nobody misses; then by the
/// number of their turn.
type Place = (bool, u64);

/// The end of a connection that made room.
#[derive(Debug, Default)]
struct End {
    has_come: AtomicBool,
    told: Notify,
}

/// What one connection waits for: its client, or us. A client's turn is one however often it sends or takes
/// a little.
#[derive(Debug)]
pub(super) struct Turn {
    waiting: Arc<Waiting>,
    number: AtomicU64,
    /// Its client was answered before.
    known: AtomicBool,
    /// A request is here that was not answered yet.
    asked: AtomicBool,
    end: Arc<End>,
}

impl Turn {
    /// A new connection, which waits for its first request.
    pub(super) fn new(waiting: &Arc<Waiting>) -> Arc<Turn> {
        let turn = Turn {
            waiting: Arc::clone(waiting),
            number: AtomicU64::new(waiting.number()),
            known: AtomicBool::new(false),
            asked: AtomicBool::new(false),
            end: Arc::default(),
        };
        turn.waits();
        Arc::new(turn)
    }

    /// Until the connection has to make room.
    pub(super) async fn ended(&self) {
        self.end.told.notified().await;
    }

    fn place(&self) -> Place {
        let known = self.known.load(Ordering::Relaxed);
        (known, self.number.load(Ordering::Relaxed))
    }

    /// More is wanted of its client.
    pub(super) fn waits(&self) {
        let place = self.place();
        let mut turns = self.waiting.turns();
        if self.end.has_come.load(Ordering::Relaxed) {
            return;
        }
        if turns.insert(place, Arc::clone(&self.end)).is_none() {
            self.waiting.more.notify_one();
        }
    }

    /// It waits for its client no more; false where that comes too late.
    pub(super) fn works(&self) -> bool {
        self.waiting.turns().remove(&self.place());
        !self.end.has_come.load(Ordering::Relaxed)
    }

    /// The head of a request is here; false where it comes too late.
    pub(super) fn asked(&self) -> bool {
        let in_time = self.works();
        self.number.store(self.waiting.number(), Ordering::Relaxed);
        self.asked.store(true, Ordering::Relaxed);
        in_time
    }

    /// There is an answer, to be written.
    pub(super) fn answered(&self) {
        self.number.store(self.waiting.number(), Ordering::Relaxed);
        self.known.store(true, Ordering::Relaxed);
        self.asked.store(false, Ordering::Relaxed);
    }

    /// What was to be written is, or the client takes no more of it for now.
    pub(super) fn written(&self) {
        if !self.asked.load(Ordering::Relaxed) {
            self.waits();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.works();
    }
}
