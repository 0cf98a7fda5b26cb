//! What the host could not take at once: written to disk, and delivered in order.

use frontdesk_client::{CallError, Delivery, Entry, journal};
use jiff::{SignedDuration, Timestamp};

use super::attempt::{Attempt, Stage};
use super::{Moved, OWNER, is_ours, may_be_done};
use crate::app::cx::Cx;
use crate::app::effect::{RequestId, Work};
use crate::app::journal::JournalError;
use crate::app::shared::{Session, Shared};
use crate::ui::mark::Mark;
use crate::ui::problem::Problem;
use crate::ui::text::{clean, count};

/// Waiting times between deliveries that fail, in seconds. The last one stays.
const PAUSES: [i64; 6] = [1, 2, 4, 8, 15, 30];

/// A host that was asked to check in just now, and says that the guest came within this time of
/// then, speaks of that very check-in.
const OWN: SignedDuration = SignedDuration::from_mins(1);

/// How deliveries go.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    pause: Option<Pause>,
    /// Deliveries that failed in a row.
    failures: usize,
    /// Deliveries since the queue was last empty.
    delivered: usize,
    opening: Option<RequestId>,
}

/// Deliveries rest until this timer fires.
#[derive(Debug, Clone)]
struct Pause {
    timer: RequestId,
    until: Timestamp,
    /// The host said how long; asking earlier would be wrong.
    is_told: bool,
    /// What went wrong, in two or three words.
    why: &'static str,
}

impl Queue {
    /// When deliveries go on, if they rest.
    pub(super) fn rests_until(&self) -> Option<Timestamp> {
        self.pause.as_ref().map(|pause| pause.until)
    }

    /// What went wrong when deliveries began to rest.
    pub(super) fn rests_because(&self) -> Option<&'static str> {
        self.pause.as_ref().map(|pause| pause.why)
    }
}

/// Reads the journal. Called once, at the start.
pub(crate) fn open(cx: &mut Cx) {
    let request = cx.on_behalf(OWNER).run(Work::OpenJournal);
    cx.shared.door_mut().queue.opening = Some(request);
}

/// The journal was read.
pub(super) fn opened(cx: &mut Cx, request: RequestId, result: Result<Vec<Entry>, JournalError>) {
    if cx
        .shared
        .door_mut()
        .queue
        .opening
        .take_if(|id| *id == request)
        .is_none()
    {
        return;
    }
    match result {
        Ok(entries) => {
            if !entries.is_empty() {
                let entries = count(entries.len(), "check-in", "check-ins");
                cx.toast(
                    Mark::Waiting,
                    format!("{entries} from before, still to be delivered"),
                );
            }
            for entry in entries {
                let id = cx.shared.next_id();
                cx.shared.door_mut().add(Attempt::found(id, entry));
            }
            deliver(cx);
        }
        Err(error) => cx.toast(
            Mark::Bad,
            format!("Check-ins that may still wait on this machine cannot be read: {error}"),
        ),
    }
    cx.tell_own(Moved);
}

/// Writes a check-in to disk.
pub(super) fn save(cx: &mut Cx, at: usize) {
    let happening = cx.shared.door().attempts[at].happening();
    let request = cx.run(Work::Append(happening));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.stage = Stage::Saving;
}

/// It is on disk, or it is not.
pub(super) fn saved(
    cx: &mut Cx,
    at: usize,
    entry: Option<Entry>,
    result: Result<(), JournalError>,
) {
    if let Some(entry) = &entry {
        cx.shared.door_mut().identify(at, entry.guest_id);
    }
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.entry = entry;
    if attempt.stage != Stage::Saving {
        // The host has answered meanwhile.
        strike(cx, at);
        return;
    }
    match result {
        Ok(()) => attempt.stage = Stage::Waiting,
        Err(error) => {
            attempt.stage = Stage::Unsaved {
                why: error.to_string(),
            };
            let name = attempt.label();
            cx.toast(
                Mark::Bad,
                format!("{name} is NOT saved on this machine: {error}. Keep the app open."),
            );
        }
    }
    deliver(cx);
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.has_waited |= matches!(attempt.stage, Stage::Waiting | Stage::Unsaved { .. });
}

/// Strikes a check-in out of the journal.
pub(super) fn withdraw(cx: &mut Cx, at: usize) {
    let Some(entry) = cx.shared.door().attempts[at].entry.clone() else {
        cx.shared.door_mut().attempts[at].stage = Stage::Undone;
        return;
    };
    let request = cx.run(Work::Withdraw(entry));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.stage = Stage::Withdrawing;
}

/// Strikes out what is settled. Should that fail, it is delivered again at the next start, which
/// changes nothing.
pub(super) fn strike(cx: &mut Cx, at: usize) {
    if let Some(entry) = cx.shared.door_mut().attempts[at].entry.take() {
        cx.run(Work::Withdraw(entry));
    }
}

/// Whether something of this account waits for its delivery.
pub(super) fn is_waiting(shared: &Shared) -> bool {
    let mut attempts = shared.door().attempts.iter();
    attempts.any(|attempt| attempt.is_queued() && is_next(attempt, &shared.session))
}

/// What another account left behind waits for that account, and holds up nobody.
fn is_next(attempt: &Attempt, session: &Session) -> bool {
    let entry = attempt.entry.as_ref();
    entry.is_none_or(|entry| is_ours(entry, session))
}

/// It is struck out, or it is not.
pub(super) fn withdrawn(cx: &mut Cx, at: usize, result: Result<(), JournalError>) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    match result {
        Ok(()) => {
            attempt.entry = None;
            if attempt.may_be_done {
                attempt.wish = attempt.opposite();
                save(cx, at);
            } else {
                attempt.stage = Stage::Undone;
            }
        }
        Err(error) => {
            attempt.stage = Stage::Waiting;
            let name = attempt.label();
            cx.toast(
                Mark::Bad,
                format!("The check-in of {name} is not undone: {error}"),
            );
        }
    }
    deliver(cx);
}

/// Delivers the next check-in that waits, unless one is on its way or deliveries rest.
pub(crate) fn deliver(cx: &mut Cx) {
    let mut cx = cx.on_behalf(OWNER);
    let door = cx.shared.door();
    let may_write = !cx.shared.mode.is_read_only();
    if !may_write || door.queue.pause.is_some() || !matches!(cx.shared.session, Session::In(_)) {
        return;
    }
    let mut attempts = door.attempts.iter();
    let next =
        attempts.position(|attempt| attempt.is_queued() && is_next(attempt, &cx.shared.session));
    let Some(at) = next else { return };
    let attempt = &door.attempts[at];
    if attempt.call.is_some() {
        return;
    }
    let was_saved = match attempt.stage {
        Stage::Waiting => true,
        Stage::Unsaved { .. } => false,
        // In order: while the first one is busy, the others wait.
        _ => return,
    };
    let Some(entry) = attempt.entry.clone() else {
        // It was never made, for want of an account; there is one now.
        save(&mut cx, at);
        return;
    };
    let request = cx.run(Work::Deliver(entry));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.stage = Stage::Delivering { was_saved };
    cx.tell_own(Moved);
}

/// A delivery ended.
pub(super) fn delivered(cx: &mut Cx, at: usize, result: Result<Delivery, CallError>) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    let was_saved = attempt.stage == Stage::Delivering { was_saved: true };
    match result {
        Ok(delivery) => {
            attempt.stage = match delivery.outcome {
                journal::Outcome::Delivered if attempt.is_undo() => Stage::Undone,
                journal::Outcome::Delivered => Stage::In {
                    at: attempt.at,
                    was_before: false,
                },
                journal::Outcome::Already { at } => {
                    // Our own check-in, whose answer was lost, is nobody else's.
                    let is_own = attempt.may_be_done && attempt.at.duration_since(at).abs() < OWN;
                    Stage::In {
                        at,
                        was_before: !is_own,
                    }
                }
                journal::Outcome::Refused { message } => Stage::Refused {
                    why: clean(&message).into_owned(),
                },
            };
            attempt.refusal = delivery.refusal;
            let has_waited = attempt.has_waited;
            match (delivery.guest, &attempt.stage) {
                (Some(guest), _) => {
                    attempt.walk_in = None;
                    cx.shared.door_mut().identify(at, guest.id);
                    cx.tell_record("guest", &guest);
                    settled(cx, usize::from(has_waited));
                }
                (None, Stage::Refused { why }) => {
                    // Else the form says so.
                    if attempt.patience.is_none() {
                        let what = match attempt.is_added() {
                            true => "added",
                            false => "checked in",
                        };
                        let name = attempt.label();
                        let text = format!("{name} could not be {what}: {why}");
                        cx.toast(Mark::Bad, text);
                    }
                    settled(cx, 0);
                }
                (None, _) => settled(cx, usize::from(has_waited)),
            }
        }
        Err(error) => {
            attempt.has_waited = true;
            attempt.may_be_done |= may_be_done(&error);
            attempt.stage = match was_saved {
                true => Stage::Waiting,
                false => Stage::Unsaved {
                    why: Problem::of(&error).line(),
                },
            };
            rest(cx, &error);
        }
    }
    deliver(cx);
}

/// The host said its word on one, and so many of it are delivered; says so when it was the last.
fn settled(cx: &mut Cx, delivered: usize) {
    cx.shared.door_mut().queue.failures = 0;
    cx.shared.door_mut().queue.delivered += delivered;
    if cx.shared.door().waiting() == 0 {
        let delivered = std::mem::take(&mut cx.shared.door_mut().queue.delivered);
        if delivered > 0 {
            let check_ins = count(delivered, "waiting check-in", "waiting check-ins");
            cx.toast(Mark::Good, format!("{check_ins} delivered"));
        }
    }
}

/// Deliveries rest for a while: as long as the host says, or longer each time.
pub(super) fn rest(cx: &mut Cx, error: &CallError) {
    let mut cx = cx.on_behalf(OWNER);
    let queue = &mut cx.shared.door_mut().queue;
    let (delay, is_told) = match error {
        CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
            let told = SignedDuration::try_from(*retry_after);
            (told.unwrap_or(SignedDuration::from_mins(1)), true)
        }
        // Signing in ends the rest.
        CallError::SignedOut(_) => return,
        _ => {
            let seconds = PAUSES[queue.failures.min(PAUSES.len() - 1)];
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

/// A timer fired.
pub(super) fn fired(cx: &mut Cx, timer: RequestId) {
    let pause = &mut cx.shared.door_mut().queue.pause;
    if pause.take_if(|pause| pause.timer == timer).is_some() {
        deliver(cx);
    }
}

/// The host answered something: it is back. Deliveries go on, unless it told them to wait.
pub(crate) fn host_answered(cx: &mut Cx) {
    let pause = &cx.shared.door().queue.pause;
    if pause.as_ref().is_some_and(|pause| !pause.is_told) {
        resume(cx);
    }
}

/// Ends a rest of deliveries and goes on.
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

/// Writes to disk what is not there yet: the app is about to end.
pub(crate) fn save_all(cx: &mut Cx) {
    let mut cx = cx.on_behalf(OWNER);
    for at in 0..cx.shared.door().attempts.len() {
        let attempt = &cx.shared.door().attempts[at];
        if attempt.is_unsaved() && attempt.stage != Stage::Saving {
            save(&mut cx, at);
        }
    }
}
