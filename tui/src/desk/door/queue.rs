//! The delivery of check-ins on disk, in order.

use frontdesk_client::CallError;
use jiff::{SignedDuration, Timestamp};

use super::attempt::{Attempt, Status};
use super::{OWNER, is_ours, moved};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Session;
use crate::desk::door::journal::{Deliver, OpenJournal, Withdraw};
use crate::ui::problem::Problem;

/// Pauses after failed deliveries, in seconds. The last one repeats.
const PAUSES: [i64; 6] = [1, 2, 4, 8, 15, 30];
/// The longest pause if the host cannot be reached: tries cost it nothing.
const LONGEST_AWAY: i64 = 3;

/// The state of deliveries.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    pause: Option<Pause>,
    /// Consecutive failures.
    pub(super) failures: usize,
    /// Deliveries since the queue was last empty.
    pub(super) delivered: usize,
    pub(super) opening: Option<RequestId>,
}

/// A pause of deliveries until this timer.
#[derive(Debug, Clone)]
struct Pause {
    timer: RequestId,
    until: Timestamp,
    /// The host gave the time (`Retry-After`); an earlier call would be wrong.
    is_told: bool,
    /// The cause in two or three words.
    why: &'static str,
}

impl Queue {
    /// The end of the pause, if there is one.
    pub(super) fn rests_until(&self) -> Option<Timestamp> {
        self.pause.as_ref().map(|pause| pause.until)
    }

    /// The cause of the pause.
    pub(super) fn rests_because(&self) -> Option<&'static str> {
        self.pause.as_ref().map(|pause| pause.why)
    }
}

/// Reads the journal. Called once, at the start.
pub(crate) fn open(cx: &mut Cx) {
    let request = cx.on_behalf(OWNER).run(OpenJournal);
    cx.shared.door_mut().queue.opening = Some(request);
}

/// Writes a check-in to disk.
pub(super) fn save(cx: &mut Cx, at: usize) {
    let account = cx.shared.account().or(cx.shared.last_account.as_ref());
    let append = cx.shared.door().attempts[at].append(account.cloned());
    let request = cx.run(append);
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.status = Status::Saving;
}

/// Removes a check-in from the journal.
pub(super) fn withdraw(cx: &mut Cx, at: usize) {
    let Some(entry) = cx.shared.door().attempts[at].entry.clone() else {
        cx.shared.door_mut().attempts[at].status = Status::Undone;
        return;
    };
    let request = cx.run(Withdraw(entry));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.status = Status::Withdrawing;
}

/// Asks the host to clear the time of arrival, unless another check-in counts, too, and to mark a guest who was added.
pub(super) fn take_back(cx: &mut Cx, at: usize) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    if let Status::In { at, .. } | Status::Out { at } = attempt.status {
        attempt.undoes = Some(at);
    }
    attempt.wish = attempt.opposite();
    save(cx, at);
}

/// Whether the account that is signed in delivers it. Check-ins of another account wait for that account, or until they
/// are taken over.
pub(super) fn is_next(attempt: &Attempt, session: &Session) -> bool {
    let entry = attempt.entry.as_ref();
    let is_decided = attempt.listed.is_none() && !attempt.is_asked();
    is_decided && entry.is_none_or(|entry| is_ours(entry, session))
}

/// Delivers the next waiting check-in, unless a delivery is in progress or paused.
pub(crate) fn deliver(cx: &mut Cx) {
    let mut cx = cx.on_behalf(OWNER);
    let door = cx.shared.door();
    let may_write = !cx.shared.mode.is_read_only();
    if !may_write || door.queue.pause.is_some() || !matches!(cx.shared.session, Session::In(_)) {
        return;
    }
    let mut attempts = door.attempts.iter();
    let next =
        attempts.position(|attempt| attempt.is_pending() && is_next(attempt, &cx.shared.session));
    let Some(at) = next else { return };
    let attempt = &door.attempts[at];
    let was_saved = match attempt.status {
        Status::Waiting => true,
        Status::Unsaved { .. } => false,
        // The order is kept: the others wait for the first one.
        _ => return,
    };
    let Some(entry) = attempt.entry.clone() else {
        // Nobody was signed in when it was made; now somebody is.
        save(&mut cx, at);
        return;
    };
    // One is delivered after the other: of those from before the start, only the first can have been on its way.
    let may_be_first = door.queue.failures > 0 || door.settled.is_empty();
    let is_again = attempt.may_be_done && may_be_first;
    let request = cx.run(Deliver {
        entry,
        is_again,
        is_late: attempt.has_waited,
    });
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.asks_host = !attempt.has_waited;
    attempt.status = Status::Delivering { was_saved };
    moved(&mut cx);
}

/// Pauses deliveries: as long as the host says, otherwise longer each time.
pub(super) fn rest(cx: &mut Cx, error: &CallError) {
    let mut cx = cx.on_behalf(OWNER);
    let door = cx.shared.door_mut();
    for attempt in &mut door.attempts {
        attempt.has_waited |= attempt.is_pending();
    }
    let queue = &mut door.queue;
    let (delay, is_told) = match (error.wait(), error) {
        (Some(told), _) => (told, true),
        // Signing in ends the rest.
        (None, CallError::SignedOut(_) | CallError::AccountClosed(_)) => return,
        _ => {
            let seconds = PAUSES[queue.failures.min(PAUSES.len() - 1)];
            let is_away = matches!(error, CallError::Unreachable { .. });
            let seconds = if is_away {
                seconds.min(LONGEST_AWAY)
            } else {
                seconds
            };
            (SignedDuration::from_secs(seconds), false)
        }
    };
    queue.failures += 1;
    let mut before = queue.pause.take().map(|pause| pause.timer);
    cx.cancel(&mut before);
    let timer = cx.after(delay);
    cx.shared.door_mut().queue.pause = Some(Pause {
        timer,
        until: cx.now() + delay,
        is_told,
        why: Problem::of(error).title,
    });
}

/// Handles a timer.
pub(super) fn fired(cx: &mut Cx, timer: RequestId) {
    let pause = &mut cx.shared.door_mut().queue.pause;
    if pause.take_if(|pause| pause.timer == timer).is_some() {
        deliver(cx);
    }
}

/// The host has answered a call: deliveries continue, unless it has asked for a pause.
pub(crate) fn host_answered(cx: &mut Cx) {
    let pause = &cx.shared.door().queue.pause;
    if pause.as_ref().is_some_and(|pause| !pause.is_told) {
        resume(cx);
    }
}

/// Ends a pause and continues.
pub(crate) fn resume(cx: &mut Cx) {
    let mut timer = cx
        .shared
        .door_mut()
        .queue
        .pause
        .take()
        .map(|pause| pause.timer);
    cx.cancel(&mut timer);
    deliver(cx);
}

/// Writes everything to disk before the app ends.
pub(crate) fn save_all(cx: &mut Cx) {
    let mut cx = cx.on_behalf(OWNER);
    for at in 0..cx.shared.door().attempts.len() {
        let attempt = &cx.shared.door().attempts[at];
        if attempt.is_unsaved() && attempt.status != Status::Saving {
            save(&mut cx, at);
        }
    }
}
