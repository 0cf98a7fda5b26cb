//! The delivery of check-ins on disk, in order.

use frontdesk_client::{CallError, Delivery, DeliveryOutcome, Entry};
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::events::guest::Guest;
use jiff::{SignedDuration, Timestamp};

use super::attempt::{Attempt, Status};
use super::{OWNER, concern, is_ours, may_be_done, moved};
use crate::app::cx::{Cx, News};
use crate::app::effects::effect::{RequestId, Work};
use crate::app::effects::journal::JournalError;
use crate::app::shared::Session;
use crate::ui::mark::Mark;
use crate::ui::problem::Problem;
use crate::ui::text::{clean, count};

/// Pauses after failed deliveries, in seconds. The last one repeats.
const PAUSES: [i64; 6] = [1, 2, 4, 8, 15, 30];
/// The longest pause if the host cannot be reached: tries cost it nothing.
const LONGEST_AWAY: i64 = 3;

/// If a host that was just asked to check in a guest reports an arrival within this time, it means
/// that check-in.
const OWN: SignedDuration = SignedDuration::from_mins(1);

/// The state of deliveries.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue {
    pause: Option<Pause>,
    /// Consecutive failures.
    failures: usize,
    /// Deliveries since the queue was last empty.
    delivered: usize,
    opening: Option<RequestId>,
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
    let request = cx.on_behalf(OWNER).run(Work::OpenJournal);
    cx.shared.door_mut().queue.opening = Some(request);
}

/// Handles the journal's content.
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
    moved(cx);
}

/// Writes a check-in to disk.
pub(super) fn save(cx: &mut Cx, at: usize) {
    let happening = cx.shared.door().attempts[at].happening();
    let request = cx.run(Work::Append(happening));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.status = Status::Saving;
}

/// Handles the outcome of a write to disk.
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
    let is_tried_again = attempt.entry.is_some();
    attempt.entry = entry;
    match result {
        Ok(()) => attempt.status = Status::Waiting,
        Err(error) => {
            attempt.status = Status::Unsaved {
                why: error.to_string(),
            };
            let name = attempt.label();
            if !is_tried_again {
                cx.toast(
                    Mark::Bad,
                    format!("{name} is NOT saved on this machine: {error}. Keep the app open."),
                );
            }
        }
    }
    withdraw_unwanted(cx, at);
    deliver(cx);
}

/// Removes a check-in from the journal if it was undone meanwhile.
fn withdraw_unwanted(cx: &mut Cx, at: usize) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    if std::mem::take(&mut attempt.is_unwanted) {
        withdraw(cx, at);
    }
}

/// Removes a check-in from the journal.
pub(super) fn withdraw(cx: &mut Cx, at: usize) {
    let Some(entry) = cx.shared.door().attempts[at].entry.clone() else {
        cx.shared.door_mut().attempts[at].status = Status::Undone;
        return;
    };
    let request = cx.run(Work::Withdraw(entry));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.status = Status::Withdrawing;
}

/// Asks the host to clear the time of arrival, unless another check-in counts, too, and to mark a guest who was added.
pub(super) fn take_back(cx: &mut Cx, at: usize) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    if let Status::In { at, .. } = attempt.status {
        attempt.undoes = Some(at);
    }
    attempt.wish = attempt.opposite();
    save(cx, at);
}

/// Whether the account that is signed in may deliver it. Check-ins of another account wait for
/// that account.
fn is_next(attempt: &Attempt, session: &Session) -> bool {
    let entry = attempt.entry.as_ref();
    attempt.listed.is_none() && entry.is_none_or(|entry| is_ours(entry, session))
}

/// Handles the outcome of a removal from the journal.
pub(super) fn withdrawn(cx: &mut Cx, at: usize, result: Result<(), JournalError>) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    match result {
        Ok(()) => {
            let entry = attempt.entry.take();
            attempt.undoes = entry
                .filter(|entry| !entry.by_own_clock)
                .map(|entry| entry.at);
            if attempt.may_be_done {
                take_back(cx, at);
            } else {
                attempt.status = Status::Undone;
            }
        }
        Err(error) => {
            attempt.status = Status::Waiting;
            let name = attempt.label();
            cx.toast(
                Mark::Bad,
                format!("The check-in of {name} is not undone: {error}"),
            );
        }
    }
    deliver(cx);
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
    let request = cx.run(Work::Deliver(entry));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.request = Some(request);
    attempt.status = Status::Delivering { was_saved };
    moved(&mut cx);
}

/// Handles the outcome of a delivery.
pub(super) fn delivered(cx: &mut Cx, at: usize, result: Result<Delivery, CallError>) {
    match result {
        Ok(Delivery {
            listed: Some(guest),
            ..
        }) => doubt(cx, at, &guest),
        Ok(delivery) => settle(cx, at, delivery),
        Err(error) => {
            rest(cx, &error);
            let attempt = &mut cx.shared.door_mut().attempts[at];
            attempt.may_be_done |= may_be_done(&error);
            match attempt.status {
                Status::Delivering { was_saved: true } => {
                    attempt.status = Status::Waiting;
                    withdraw_unwanted(cx, at);
                }
                // The disk may accept it by now.
                _ => save(cx, at),
            }
        }
    }
    deliver(cx);
}

/// Handles a guest of the host who may be the walk-in: a person decides.
fn doubt(cx: &mut Cx, at: usize, guest: &Guest) {
    let details = [&guest.role, &guest.email].into_iter().flatten();
    let known: Vec<&str> = [guest.name.as_str()]
        .into_iter()
        .chain(details.map(String::as_str))
        .collect();
    let why = format!("on the list: {}", clean(&known.join(" · ")));
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.status = Status::Waiting;
    attempt.has_waited = true;
    // Nothing was sent.
    attempt.may_be_done = false;
    attempt.listed = Some(guest.id);
    attempt.why.clone_from(&why);
    let is_unwanted = std::mem::take(&mut attempt.is_unwanted);
    cx.tell_record("guest", guest);
    if is_unwanted {
        return withdraw(cx, at);
    }
    let text = format!("{} may be {why}", attempt_label(cx, at));
    concern::raise_about(cx, at, why, Some(guest.id));
    cx.toast(Mark::Warn, text);
    cx.ring();
}

fn attempt_label(cx: &Cx, at: usize) -> String {
    cx.shared.door().attempts[at].label()
}

/// Handles the host's answer. The entry is no longer in the journal.
fn settle(cx: &mut Cx, at: usize, delivery: Delivery) {
    let door = cx.shared.door_mut();
    let is_last = at + 1 == door.attempts.len();
    let attempt = &mut door.attempts[at];
    attempt.entry = None;
    // If our own answer was lost, the check-in that the host reports is ours.
    let is_own =
        |came: Timestamp| attempt.may_be_done && attempt.at.duration_since(came).abs() < OWN;
    let came = delivery.guest.as_ref().and_then(|guest| guest.check_in_at);
    let status = match delivery.outcome {
        DeliveryOutcome::Delivered if attempt.wish_is_out() => Status::Undone,
        DeliveryOutcome::Delivered => Status::In {
            at: came.unwrap_or(attempt.at),
            was_before: false,
        },
        DeliveryOutcome::Already { at } => Status::In {
            at,
            was_before: !is_own(at),
        },
        DeliveryOutcome::Refused { message } => Status::Refused {
            why: match &delivery.refusal {
                Some(refusal @ CallError::Forbidden(_)) => Problem::of(refusal).line(),
                _ => clean(&message).into_owned(),
            },
        },
    };
    attempt.status = status.clone();
    attempt.refusal = delivery.refusal;
    attempt.may_be_done = false;
    // The code of another event's guest is known.
    let is_unknown = matches!(
        &attempt.refusal,
        Some(CallError::Tool(error)) if error.code == ErrorCode::NotFound
    );
    attempt.is_scanned &= is_unknown;
    let code = attempt.code.take_if(|_| !is_unknown);
    let has_waited = std::mem::take(&mut attempt.has_waited);
    let is_unwanted = std::mem::take(&mut attempt.is_unwanted);
    let is_seen = is_last && !has_waited;
    if let Some(guest) = &delivery.guest {
        attempt.walk_in = None;
        attempt.name.clone_from(&guest.name);
        cx.shared.door_mut().identify(at, guest.id);
        cx.tell_record("guest", guest);
        cx.tell_outdated("event");
    } else if status == Status::Undone {
        // The added guest is gone.
        let id = cx.shared.door().attempts[at].guest.to_string();
        cx.tell(News::Deleted {
            kind: "guest".to_owned(),
            id,
        });
    }
    if let (Status::In { .. }, Some(code)) = (&status, code) {
        concern::settled(cx, at);
        let name = attempt_label(cx, at);
        let text = format!("“{}” is the ticket of {name}, who is in now", clean(&code));
        cx.toast(Mark::Good, text);
    }
    let is_refused = matches!(status, Status::Refused { .. });
    match status {
        Status::Refused { why } if cx.shared.door().attempts[at].wish_is_out() => {
            stays_in(cx, at, &why);
        }
        Status::Refused { why } => concern::refused(cx, at, why, is_seen),
        Status::In {
            at: came,
            was_before: true,
        } if !is_seen => concern::was_in(cx, at, came),
        Status::In {
            was_before: false, ..
        } if is_unwanted => take_back(cx, at),
        _ => {}
    }
    let queue = &mut cx.shared.door_mut().queue;
    queue.failures = 0;
    queue.delivered += usize::from(has_waited && !is_refused);
    if cx.shared.door().waiting() == 0 {
        let delivered = std::mem::take(&mut cx.shared.door_mut().queue.delivered);
        if delivered > 0 {
            let check_ins = count(delivered, "waiting check-in", "waiting check-ins");
            cx.toast(Mark::Good, format!("{check_ins} delivered"));
        }
    }
}

/// Handles a refused undo.
fn stays_in(cx: &mut Cx, at: usize, why: &str) {
    let attempt = &mut cx.shared.door_mut().attempts[at];
    attempt.wish = attempt.opposite();
    // Another check-in counts, too: the next undo asks.
    let is_others = matches!(
        &attempt.refusal,
        Some(CallError::Tool(error)) if error.code == ErrorCode::Conflict
    );
    attempt.status = Status::In {
        at: attempt.at,
        was_before: is_others,
    };
    let text = format!("The check-in of {} is not undone: {why}", attempt.label());
    cx.toast(Mark::Bad, text);
}

/// Pauses deliveries: as long as the host says, otherwise longer each time.
pub(super) fn rest(cx: &mut Cx, error: &CallError) {
    let mut cx = cx.on_behalf(OWNER);
    let door = cx.shared.door_mut();
    for attempt in &mut door.attempts {
        attempt.has_waited |= attempt.is_pending();
    }
    let queue = &mut door.queue;
    let (delay, is_told) = match error {
        CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
            let told = SignedDuration::try_from(*retry_after);
            (told.unwrap_or(SignedDuration::from_mins(1)), true)
        }
        // Signing in ends the rest.
        CallError::SignedOut(_) | CallError::AccountClosed(_) => return,
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
