//! The check-ins in progress: written to disk first, then delivered in order, then perhaps undone. They belong
//! to the app, not to a screen, so that leaving the desk loses none.

mod answers;
mod attempt;
mod codes;
mod concern;
pub(crate) mod journal;
mod leave;
pub(crate) mod lists;
mod place;
mod queue;
mod settling;
mod takeover;
#[cfg(test)]
mod tests;
mod undoing;

use std::collections::HashMap;
use std::sync::LazyLock;

use frontdesk_client::{ADDED_BY_MISTAKE, Action, Entrance, Entry, KnownPlace, WalkIn};
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::passage::{Source, Verdict};
use frontdesk_protocol::id::{EventId, GuestId, UserId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

pub(crate) use attempt::{Attempt, Status, Subject};
pub(crate) use codes::{ask_code, drop_code, keep_code, send_code};
pub(crate) use concern::{Concern, dismiss, raise};
pub(crate) use leave::leave;
pub(crate) use queue::{host_answered, open, resume, save_all};
pub(crate) use undoing::{undo_last, undo_of};

use crate::app::cx::{Cx, News};
use crate::app::effects::job::Outcome;
use crate::app::owner::{Owner, RequestId};
use crate::app::service::Service;
use crate::app::shared::{Session, Shared};
use journal::{Append, Deliver, OpenJournal, TakeOver, Withdraw};
use queue::Queue;

/// The time after which the desk reports that a check-in waits.
const PATIENCE: SignedDuration = SignedDuration::from_secs(3);

/// The check-ins in progress, and the finished ones since the app started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Door {
    attempts: Vec<Attempt>,
    latest: HashMap<GuestId, usize>,
    concerns: Vec<Concern>,
    /// The entries of the journal that the host has answered since the app started.
    settled: Vec<(EventId, Uuid)>,
    /// When badges were printed since the app started.
    badges: HashMap<GuestId, Timestamp>,
    /// The check-in whose undoing awaits confirmation.
    asked: Option<Arrival>,
    /// The place of an event at whose entrance this desk is.
    place: Option<KnownPlace>,
    /// How the guest at this desk was found, until that is recorded.
    source: Option<Source>,
    /// The account that was asked whether it takes over the check-ins of others.
    offered: Option<UserId>,
    queue: Queue,
}

/// The service for check-ins.
pub(crate) const SERVICE: Service = Service {
    name: "door",
    begin: open,
    answered,
    fired,
    host_answered,
    resume: |cx| {
        resume(cx);
        takeover::ask(cx);
    },
    save: save_all,
    forget: |shared| shared.door_mut().forget_done(),
    is_busy: |shared| shared.door().is_busy(),
    waiting: |shared| shared.door().waiting(),
};
const OWNER: Owner = Owner::Service(SERVICE.name);

/// Used before the first check-in.
static NONE: LazyLock<Door> = LazyLock::new(Door::default);

impl Shared {
    /// The check-ins in progress.
    pub(crate) fn door(&self) -> &Door {
        self.services.get().unwrap_or(&NONE)
    }

    /// The check-ins in progress, mutable.
    fn door_mut(&mut self) -> &mut Door {
        self.services.get_or_insert_default()
    }
}

/// Announces a change of the check-ins in progress.
fn moved(cx: &mut Cx) {
    cx.tell(News::Service {
        name: SERVICE.name,
        about: None,
    });
}

/// Announces the check-in that the user waits for.
pub(crate) fn announce(cx: &mut Cx, attempt: RequestId) {
    cx.tell(News::Service {
        name: SERVICE.name,
        about: Some(attempt),
    });
}

/// A guest who arrived at an event.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) event: EventId,
    /// The guest; `None` for a code or a walk-in, which the journal gives an id.
    pub(crate) guest: Option<GuestId>,
    pub(crate) name: String,
    pub(crate) subject: Subject,
    /// A ticket of a listed guest.
    pub(crate) ticket: Option<String>,
}

impl Arrival {
    /// A guest of the list.
    pub(crate) fn listed(event: EventId, guest: GuestId, name: &str) -> Arrival {
        let guest = Some(guest);
        Arrival::of(event, guest, name, Subject::Listed)
    }

    pub(crate) fn of(
        event: EventId,
        guest: Option<GuestId>,
        name: &str,
        subject: Subject,
    ) -> Arrival {
        Arrival {
            event,
            guest,
            name: name.to_owned(),
            subject,
            ticket: None,
        }
    }
}

impl Door {
    /// The check-in with this id.
    pub(crate) fn attempt(&self, id: RequestId) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| attempt.id == id)
    }

    /// The last check-in of a guest since the start.
    pub(crate) fn latest(&self, guest: GuestId) -> Option<&Attempt> {
        self.attempts.get(*self.latest.get(&guest)?)
    }

    /// All check-ins of an event since the start, the last one first.
    pub(crate) fn of_event(&self, event: EventId) -> impl Iterator<Item = &Attempt> {
        let of_event = move |attempt: &&Attempt| attempt.event == event;
        self.attempts.iter().rev().filter(of_event)
    }

    /// The number of undelivered check-ins of all events.
    pub(crate) fn waiting(&self) -> usize {
        let waiting = self.attempts.iter().filter(|attempt| attempt.is_waiting());
        waiting.count()
    }

    /// The number of check-ins that a crash would lose now.
    pub(crate) fn unsaved(&self) -> usize {
        let unsaved = self.attempts.iter().filter(|attempt| attempt.is_unsaved());
        unsaved.count()
    }

    /// When deliveries resume, if they are paused.
    pub(crate) fn rests_until(&self) -> Option<Timestamp> {
        self.queue.rests_until()
    }

    /// Why deliveries were paused, in two or three words.
    pub(crate) fn rests_because(&self) -> Option<&'static str> {
        self.queue.rests_because()
    }

    /// The entries of an event that the host has answered since the app started.
    pub(crate) fn settled(&self, event: EventId) -> impl Iterator<Item = Uuid> {
        let of_event = self.settled.iter().filter(move |(of, _)| *of == event);
        of_event.map(|(_, entry)| *entry)
    }

    /// When this desk last printed the badge of a guest.
    pub(crate) fn badge_of(&self, guest: GuestId) -> Option<Timestamp> {
        self.badges.get(&guest).copied()
    }

    /// Whether a request is in progress.
    pub(crate) fn is_busy(&self) -> bool {
        self.attempts.iter().any(Attempt::is_on_its_way)
    }

    /// The next check-in to undo at this event.
    pub(crate) fn undoable(&self, event: EventId) -> Option<&Attempt> {
        self.of_event(event).find(|attempt| attempt.is_undoable())
    }

    /// A different account signed in: finished check-ins are dropped, waiting ones stay.
    pub(crate) fn forget_done(&mut self) {
        self.concerns.clear();
        self.badges.clear();
        self.place = None;
        self.offered = None;
        self.settled.clear();
        self.attempts.retain(Attempt::is_pending);
        let guests = self.attempts.iter().enumerate();
        let guests = guests.filter_map(|(at, attempt)| Some((attempt.guest?, at)));
        self.latest = guests.collect();
    }

    fn find(&self, request: RequestId) -> Option<usize> {
        let is_its = |attempt: &Attempt| attempt.request == Some(request);
        self.attempts.iter().rposition(is_its)
    }

    fn add(&mut self, attempt: Attempt) -> usize {
        let at = self.attempts.len();
        if let Some(guest) = attempt.guest {
            self.latest.insert(guest, at);
        }
        self.attempts.push(attempt);
        at
    }

    /// Sets the guest of a check-in after its id is known.
    fn identify(&mut self, at: usize, guest: GuestId) {
        let before = self.attempts[at].guest.replace(guest);
        if before != Some(guest) {
            if let Some(before) = before {
                self.latest.remove(&before);
            }
            let latest = self.latest.entry(guest).or_insert(at);
            *latest = at.max(*latest);
        }
    }
}

/// A guest arrived; `verdict` is what the desk has decided. Returns the check-in: a new one, or the one in progress for
/// this guest.
pub(crate) fn check_in(cx: &mut Cx, arrival: Arrival, verdict: Option<Verdict>) -> RequestId {
    if let Some(guest) = arrival.guest
        && let Some(attempt) = cx.shared.door().latest(guest)
        && attempt.is_expected()
    {
        return attempt.id;
    }
    begin(cx, arrival, |attempt| attempt.entrance.verdict = verdict)
}

/// A guest comes in again, or leaves, or enters a place, about which the desk has this verdict.
pub(crate) fn pass(
    cx: &mut Cx,
    arrival: Arrival,
    wish: Action,
    verdict: Option<Verdict>,
) -> RequestId {
    let latest = arrival.guest.and_then(|id| cx.shared.door().latest(id));
    let place = cx.shared.entrance(arrival.event).place_id;
    let is_same = |latest: &&Attempt| {
        latest.is_pending()
            && latest.wish == wish
            && latest.entrance.place_id == place
            && !latest.turns_away()
            && cx.shared.still_counts(latest.event, latest.at)
    };
    match latest.filter(is_same) {
        Some(attempt) => attempt.id,
        None => begin(cx, arrival, |attempt| {
            attempt.wish = wish;
            attempt.entrance.verdict = verdict;
        }),
    }
}

/// Lets in, for this reason, a guest who is blocked or may not enter the place.
pub(crate) fn admit(cx: &mut Cx, arrival: Arrival, wish: Action, reason: &str) -> RequestId {
    begin(cx, arrival, |attempt| {
        attempt.wish = wish;
        attempt.reason = Some(reason.to_owned());
    })
}

/// Checks in a guest without an entry in the list, about whom the desk has this verdict. `asks` if the host has to be asked
/// first whether there is one.
pub(crate) fn add(
    cx: &mut Cx,
    event: EventId,
    walk_in: WalkIn,
    asks: bool,
    verdict: Option<Verdict>,
) -> RequestId {
    let name = walk_in.name.as_str().to_owned();
    let data = Box::new(walk_in);
    let arrival = Arrival::of(event, None, &name, Subject::WalkIn { data, asks });
    begin(cx, arrival, |attempt| {
        attempt.wish = Action::Add;
        attempt.entrance.verdict = verdict;
    })
}

/// Lets in, with this reason, a walk-in who was turned away and is not yet at the host.
pub(crate) fn admit_walk_in(cx: &mut Cx, guest: GuestId, reason: &str) -> Option<RequestId> {
    let mut cx = cx.on_behalf(OWNER);
    let door = cx.shared.door();
    let at = *door.latest.get(&guest)?;
    let attempt = &door.attempts[at];
    if attempt.status != Status::Waiting || attempt.wish != Action::Add {
        return None;
    }
    let (event, subject) = (attempt.event, attempt.subject.clone());
    let arrival = Arrival::of(event, None, &attempt.name, subject);
    queue::withdraw(&mut cx, at);
    Some(begin(&mut cx, arrival, |attempt| {
        attempt.wish = Action::Add;
        attempt.reason = Some(reason.to_owned());
    }))
}

/// Says whether a walk-in is the listed guest who may be it.
pub(crate) fn decide_listed(cx: &mut Cx, id: RequestId, is_same: bool) {
    let mut cx = cx.on_behalf(OWNER);
    let mut attempts = cx.shared.door().attempts.iter();
    let at = attempts.rposition(|attempt| attempt.id == id && attempt.listed.is_some());
    let Some(at) = at else { return };
    concern::settled(&mut cx, at);
    let attempt = &mut cx.shared.door_mut().attempts[at];
    let (event, name, came) = (attempt.event, attempt.name.clone(), attempt.at);
    attempt.subject.decide();
    if let Some(entry) = &mut attempt.entry {
        entry.asks = false;
    }
    match attempt.listed.take() {
        Some(guest) if is_same => {
            // It waited for a person, not for the host.
            attempt.has_waited = false;
            let arrival = Arrival::listed(event, guest, &name);
            let id = begin(&mut cx, arrival, |attempt| attempt.at = came);
            queue::withdraw(&mut cx, at);
            announce(&mut cx, id);
        }
        _ => queue::deliver(&mut cx),
    }
    moved(&mut cx);
}

/// The rules at the host turn away a guest whom this desk had let in before the answer came: the entry is delivered as a
/// fact. A refusal of the call itself is final.
fn insist(cx: &mut Cx, at: usize) {
    let attempt = &cx.shared.door().attempts[at];
    let (came, entrance) = (attempt.at, attempt.entrance.clone());
    let (event, guest) = (attempt.event, attempt.guest);
    let arrival = Arrival::of(event, guest, &attempt.name, attempt.subject.clone());
    begin(cx, arrival, |attempt| {
        attempt.wish = Action::Enter;
        attempt.at = came;
        attempt.has_waited = true;
        attempt.entrance = Entrance {
            verdict: Some(Verdict::Passed),
            ..entrance
        };
    });
}

/// Marks a guest as added by mistake.
pub(crate) fn mark_mistake(cx: &mut Cx, arrival: Arrival) {
    begin(cx, arrival, |attempt| attempt.wish = Action::TakeBack);
}

/// Writes a new attempt to disk, from where it is delivered.
fn begin(cx: &mut Cx, arrival: Arrival, fill: impl FnOnce(&mut Attempt)) -> RequestId {
    let mut cx = cx.on_behalf(OWNER);
    let id = cx.shared.next_id();
    let ticket = arrival.ticket.clone();
    let mut attempt = Attempt::new(id, arrival, cx.host_now());
    attempt.entrance = Entrance {
        ticket,
        ..cx.shared.entrance(attempt.event)
    };
    cx.shared.door_mut().source = None;
    fill(&mut attempt);
    // A host that is silent is waited for once, not once for each guest.
    let is_silent = cx.shared.door().lags(&cx.shared.session);
    match is_silent || !matches!(cx.shared.session, Session::In(_)) {
        true => attempt.has_waited = true,
        false => attempt.patience = Some(cx.after(PATIENCE)),
    }
    let at = cx.shared.door_mut().add(attempt);
    queue::save(&mut cx, at);
    moved(&mut cx);
    id
}

/// Handles a timer.
pub(crate) fn fired(cx: &mut Cx, timer: RequestId) {
    let mut cx = cx.on_behalf(OWNER);
    let attempts = &mut cx.shared.door_mut().attempts;
    let slow = attempts
        .iter_mut()
        .find(|attempt| attempt.patience == Some(timer));
    match slow {
        Some(attempt) => {
            attempt.patience = None;
            attempt.has_waited = true;
            moved(&mut cx);
        }
        None => queue::fired(&mut cx, timer),
    }
}

/// Handles the outcome of work.
pub(crate) fn answered(cx: &mut Cx, request: RequestId, mut outcome: Outcome) {
    let mut cx = cx.on_behalf(OWNER);
    if let Some(ended) = outcome.take::<OpenJournal>() {
        return answers::opened(&mut cx, request, ended.result);
    }
    if let Some(ended) = outcome.take::<TakeOver>() {
        return takeover::taken(&mut cx, ended.result);
    }
    let Some(at) = cx.shared.door().find(request) else {
        return;
    };
    cx.shared.door_mut().attempts[at].request = None;
    if let Some(ended) = outcome.take::<Append>() {
        answers::saved(&mut cx, at, ended.result);
    } else if let Some(ended) = outcome.take::<Withdraw>() {
        answers::withdrawn(&mut cx, at, ended.result);
    } else if let Some(ended) = outcome.take::<Deliver>() {
        answers::delivered(&mut cx, at, ended.result);
    }
    let attempt = &mut cx.shared.door_mut().attempts[at];
    if !attempt.is_pending() {
        let mut patience = attempt.patience.take();
        cx.cancel(&mut patience);
    }
    moved(&mut cx);
}

/// The badge of a guest was printed now.
pub(crate) fn note_badge(cx: &mut Cx, guest: GuestId) {
    let now = cx.now();
    cx.shared.door_mut().badges.insert(guest, now);
}

/// Whether a guest was marked as added by mistake.
pub(crate) fn is_mistake(guest: &Guest) -> bool {
    guest.role.as_deref() == Some(ADDED_BY_MISTAKE) && guest.check_in_at.is_none()
}

/// Whether a guest is no longer expected: in, being checked in, or added by mistake.
pub(crate) fn is_in(shared: &Shared, guest: &Guest) -> bool {
    match shared.under_way(guest) {
        Some(attempt) => attempt.is_expected(),
        None => shared.is_inside(guest) || is_mistake(guest),
    }
}

/// Whether the signed-in account delivers an entry.
fn is_ours(entry: &Entry, session: &Session) -> bool {
    matches!(session, Session::In(account) if account.id == entry.deliverer())
}
