//! The check-ins under way: sent, waiting on disk, delivered later, undone. They belong to the app,
//! not to a screen, so that leaving the desk loses none.

mod attempt;
mod queue;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::LazyLock;

use frontdesk_client::{ADDED_BY_MISTAKE, Action, CallError, Entry, WalkIn, undone};
use frontdesk_protocol::events::guest::{CheckInGuest, CheckedIn, Guest, UpdateEventGuest};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

pub(crate) use attempt::{Attempt, Stage};
pub(crate) use queue::{deliver, host_answered, open, resume, save_all};

use crate::app::cx::Cx;
use crate::app::effect::{Outcome, Owner, RequestId};
use crate::app::service::Service;
use crate::app::shared::{Session, Shared};
use crate::ui::mark::Mark;
use crate::ui::problem::Problem;
use queue::Queue;

/// How long a host may take before a check-in is written to disk as well.
const PATIENCE: SignedDuration = SignedDuration::from_secs(3);

/// The check-ins under way, and those of this sitting that are done.
#[derive(Debug, Clone, Default)]
pub(crate) struct Door {
    attempts: Vec<Attempt>,
    latest: HashMap<GuestId, usize>,
    queue: Queue,
}

/// The check-ins, as the machine knows them.
pub(crate) const SERVICE: Service = Service {
    name: "door",
    begin: open,
    answered,
    fired,
    host_answered,
    resume,
    save: save_all,
    forget: |shared| shared.door_mut().forget_done(),
    is_busy: |shared| shared.door().is_busy(),
    waiting: |shared| shared.door().waiting(),
};
const OWNER: Owner = Owner::Service(SERVICE.name);

/// Before the first check-in there is none.
static NONE: LazyLock<Door> = LazyLock::new(Door::default);

impl Shared {
    /// The check-ins under way.
    pub(crate) fn door(&self) -> &Door {
        self.services.get().unwrap_or(&NONE)
    }

    /// The same, to change them.
    fn door_mut(&mut self) -> &mut Door {
        self.services.get_or_insert_default()
    }
}

/// What became of the wish to check in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    /// A new check-in.
    New(RequestId),
    /// One is under way for this guest already.
    Already(RequestId),
}

/// The check-ins under way have changed.
#[derive(Debug)]
pub(crate) struct Moved;

/// Who arrived where.
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) event: EventId,
    pub(crate) guest: GuestId,
    pub(crate) name: String,
}

impl Door {
    /// The check-in of this id.
    pub(crate) fn attempt(&self, id: RequestId) -> Option<&Attempt> {
        self.attempts.iter().rev().find(|attempt| attempt.id == id)
    }

    /// The last check-in of a guest in this sitting.
    pub(crate) fn latest(&self, guest: GuestId) -> Option<&Attempt> {
        self.attempts.get(*self.latest.get(&guest)?)
    }

    /// All check-ins of an event in this sitting, the last one first.
    pub(crate) fn of_event(&self, event: EventId) -> impl Iterator<Item = &Attempt> {
        let of_event = move |attempt: &&Attempt| attempt.event == event;
        self.attempts.iter().rev().filter(of_event)
    }

    /// How many check-ins wait for their delivery, of all events.
    pub(crate) fn waiting(&self) -> usize {
        let waiting = self.attempts.iter().filter(|attempt| attempt.is_queued());
        waiting.count()
    }

    /// How many would be lost if the machine went down now.
    pub(crate) fn unsaved(&self) -> usize {
        let unsaved = self.attempts.iter().filter(|attempt| attempt.is_unsaved());
        unsaved.count()
    }

    /// When deliveries go on, if they rest.
    pub(crate) fn rests_until(&self) -> Option<Timestamp> {
        self.queue.rests_until()
    }

    /// What went wrong when deliveries began to rest, in two or three words.
    pub(crate) fn rests_because(&self) -> Option<&'static str> {
        self.queue.rests_because()
    }

    /// Whether something is on its way right now.
    pub(crate) fn is_busy(&self) -> bool {
        self.attempts.iter().any(Attempt::is_on_its_way)
    }

    /// What would be undone next at this event.
    pub(crate) fn undoable(&self, event: EventId) -> Option<&Attempt> {
        self.of_event(event).find(|attempt| attempt.is_undoable())
    }

    /// Another person works here now: what is done was the other's. What waits stays.
    pub(crate) fn forget_done(&mut self) {
        self.attempts.retain(Attempt::is_pending);
        let guests = self.attempts.iter().map(|attempt| attempt.guest);
        self.latest = guests.enumerate().map(|(at, guest)| (guest, at)).collect();
    }

    fn find(&self, request: RequestId) -> Option<usize> {
        self.attempts
            .iter()
            .rposition(|attempt| [attempt.request, attempt.call].contains(&Some(request)))
    }

    fn add(&mut self, attempt: Attempt) -> usize {
        let at = self.attempts.len();
        self.latest.insert(attempt.guest, at);
        self.attempts.push(attempt);
        at
    }

    /// The guest of an attempt has this id from now on.
    fn identify(&mut self, at: usize, guest: GuestId) {
        let before = std::mem::replace(&mut self.attempts[at].guest, guest);
        if before != guest {
            self.latest.remove(&before);
            let latest = self.latest.entry(guest).or_insert(at);
            *latest = at.max(*latest);
        }
    }
}

/// A guest arrived.
pub(crate) fn check_in(cx: &mut Cx, arrival: Arrival) -> Begun {
    let mut cx = cx.on_behalf(OWNER);
    if let Some(attempt) = cx.shared.door().latest(arrival.guest)
        && attempt.is_pending()
    {
        return Begun::Already(attempt.id);
    }
    // What waits is delivered in order; and while a host is away, nobody should stand at the desk
    // for as long as a time-out takes.
    let must_wait = queue::is_waiting(cx.shared)
        || cx.shared.door().rests_until().is_some()
        || !matches!(cx.shared.session, Session::In(_));
    let id = cx.shared.next_id();
    let guest = arrival.guest;
    let now = cx.now();
    let at = cx.shared.door_mut().add(Attempt::new(id, arrival, now));
    if must_wait {
        queue::save(&mut cx, at);
    } else {
        let call = cx.call(CheckInGuest { id: guest });
        let patience = cx.after(PATIENCE);
        let attempt = &mut cx.shared.door_mut().attempts[at];
        attempt.call = Some(call);
        attempt.patience = Some(patience);
    }
    cx.tell_own(Moved);
    Begun::New(id)
}

/// A guest arrived who is on no list. This is written to disk first, so that the guest is added once
/// however often that is tried.
pub(crate) fn add(cx: &mut Cx, event: EventId, walk_in: WalkIn) -> RequestId {
    let mut cx = cx.on_behalf(OWNER);
    let id = cx.shared.next_id();
    let arrival = Arrival {
        event,
        // Until the journal gives them one of their own.
        guest: GuestId(Uuid::from_u128(id.0.into())),
        name: walk_in.name.as_str().to_owned(),
    };
    let mut attempt = Attempt::new(id, arrival, cx.now());
    attempt.wish = Action::Add;
    attempt.walk_in = Some(walk_in);
    attempt.patience = Some(cx.after(PATIENCE));
    let at = cx.shared.door_mut().add(attempt);
    queue::save(&mut cx, at);
    cx.tell_own(Moved);
    id
}

/// Marks a guest as added by mistake, whoever added them.
pub(crate) fn mark_mistake(cx: &mut Cx, arrival: Arrival) {
    let mut cx = cx.on_behalf(OWNER);
    let id = cx.shared.next_id();
    let mut attempt = Attempt::new(id, arrival, cx.now());
    attempt.wish = Action::Add;
    let at = cx.shared.door_mut().add(attempt);
    take_back(&mut cx, at);
    cx.tell_own(Moved);
}

/// Undoes the last check-in of an event, and says which one that was.
pub(crate) fn undo_last(cx: &mut Cx, event: EventId) -> Option<RequestId> {
    let id = cx.shared.door().undoable(event)?.id;
    undo(cx, id)
}

/// Undoes a check-in, if there is something to undo.
pub(crate) fn undo(cx: &mut Cx, id: RequestId) -> Option<RequestId> {
    let mut cx = cx.on_behalf(OWNER);
    let at = cx
        .shared
        .door()
        .attempts
        .iter()
        .rposition(|attempt| attempt.id == id && attempt.is_undoable())?;
    let attempt = &mut cx.shared.door_mut().attempts[at];
    match attempt.stage {
        // The answer is waited for: only then is it known what there is to undo.
        _ if attempt.call.is_some() => attempt.is_unwanted = true,
        Stage::In { .. } => take_back(&mut cx, at),
        _ => queue::withdraw(&mut cx, at),
    }
    cx.tell_own(Moved);
    Some(id)
}

/// Has the host clear the time of arrival, and mark who was added.
fn take_back(cx: &mut Cx, at: usize) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.wish = attempt.opposite();
    let call = undone(attempt.guest, attempt.wish);
    let request = cx.call(call);
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.call = Some(request);
    attempt.stage = Stage::Sending;
}

/// A timer fired.
pub(crate) fn fired(cx: &mut Cx, timer: RequestId) {
    let mut cx = cx.on_behalf(OWNER);
    let attempts = cx.shared.door_mut().attempts.iter_mut();
    let slow = attempts.rev().position(|attempt| {
        let patience = &mut attempt.patience;
        patience.take_if(|patience| *patience == timer).is_some()
    });
    match slow {
        Some(from_end) => {
            let at = cx.shared.door().attempts.len() - 1 - from_end;
            let attempt = &cx.shared.door().attempts[at];
            // Should the machine go down before the host answers, it is not lost.
            if attempt.stage == Stage::Sending && !attempt.is_unwanted {
                queue::save(&mut cx, at);
            }
            cx.tell_own(Moved);
        }
        None => queue::fired(&mut cx, timer),
    }
}

/// Work ended that was begun for the door.
pub(crate) fn answered(cx: &mut Cx, request: RequestId, outcome: Outcome) {
    let mut cx = cx.on_behalf(OWNER);
    if let Outcome::Journal(result) = outcome {
        queue::opened(&mut cx, request, result);
        return;
    }
    let Some(at) = cx.shared.door().find(request) else {
        return;
    };
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request.take_if(|id| *id == request);
    attempt.call.take_if(|id| *id == request);
    match outcome {
        Outcome::Call(answer) => {
            if let Some(result) = answer.of::<CheckInGuest>() {
                let mut patience = attempt.patience.take();
                cx.cancel(&mut patience);
                checked_in(&mut cx, at, result);
                deliver(&mut cx);
            } else if let Some(result) = answer.of::<UpdateEventGuest>() {
                taken_back(&mut cx, at, result.map(|one| one.0));
            }
        }
        Outcome::Appended { entry, result } => queue::saved(&mut cx, at, entry, result),
        Outcome::Withdrawn(result) => queue::withdrawn(&mut cx, at, result),
        Outcome::Delivered(result) => queue::delivered(&mut cx, at, result),
        _ => {}
    }
    cx.tell_own(Moved);
}

fn checked_in(cx: &mut Cx, at: usize, result: Result<CheckedIn, CallError>) {
    let is_unwanted = std::mem::take(&mut cx.shared.door_mut().attempts[at].is_unwanted);
    let is_final = is_unwanted || !result.as_ref().is_err_and(can_wait);
    if is_final {
        queue::strike(cx, at);
    }
    match result {
        Ok(done) => {
            let attempt = &mut cx.shared.door_mut().attempts[at];
            attempt.name.clone_from(&done.guest.name);
            attempt.stage = Stage::In {
                at: done.guest.check_in_at.unwrap_or(attempt.at),
                was_before: done.already_checked_in,
            };
            cx.tell_record("guest", &done.guest);
            if is_unwanted && !done.already_checked_in {
                take_back(cx, at);
            }
        }
        Err(error) if is_unwanted => {
            if may_be_done(&error) {
                take_back(cx, at);
            } else {
                cx.shared.door_mut().attempts[at].stage = Stage::Undone;
            }
        }
        Err(error) if can_wait(&error) => {
            cx.shared.door_mut().attempts[at].may_be_done |= may_be_done(&error);
            queue::rest(cx, &error);
            // It may be on disk already, when the host took its time to fail.
            if cx.shared.door().attempts[at].stage == Stage::Sending {
                queue::save(cx, at);
            }
        }
        Err(error) => {
            cx.shared.door_mut().attempts[at].stage = Stage::Refused {
                why: Problem::of(&error).line(),
            };
        }
    }
}

fn taken_back(cx: &mut Cx, at: usize, result: Result<Guest, CallError>) {
    match result {
        Ok(guest) => {
            cx.shared.door_mut().attempts[at].stage = Stage::Undone;
            cx.tell_record("guest", &guest);
        }
        Err(error) if can_wait(&error) => {
            queue::rest(cx, &error);
            queue::save(cx, at);
        }
        Err(error) => {
            let attempt = &mut cx.shared.door_mut().attempts[at];
            attempt.wish = attempt.opposite();
            attempt.stage = Stage::In {
                at: attempt.at,
                was_before: false,
            };
            let problem = Problem::of(&error).line();
            let name = attempt.label();
            cx.toast(
                Mark::Bad,
                format!("The check-in of {name} is not undone. {problem}"),
            );
        }
    }
}

/// Whether the same can be tried later: nobody said a word against the check-in itself.
fn can_wait(error: &CallError) -> bool {
    error.is_transient() || matches!(error, CallError::SignedOut(_) | CallError::Host { .. })
}

/// Whether the host may have done it all the same.
fn may_be_done(error: &CallError) -> bool {
    matches!(
        error,
        CallError::OutcomeUnknown(_) | CallError::Protocol(_) | CallError::Host { .. }
    )
}

/// Whether a desk has marked a guest as added by mistake.
pub(crate) fn is_mistake(guest: &Guest) -> bool {
    guest.role.as_deref() == Some(ADDED_BY_MISTAKE) && guest.check_in_at.is_none()
}

/// Whether an entry is for the account that is signed in now.
fn is_ours(entry: &Entry, session: &Session) -> bool {
    matches!(session, Session::In(account) if account.id == entry.account)
}
