//! What a delivery has come to: the host's answer about a check-in.

use frontdesk_client::{Action, CallError, Delivery, DeliveryOutcome};
use frontdesk_protocol::ErrorCode;
use frontdesk_protocol::door::blocked;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::passage::Verdict;
use frontdesk_protocol::id::GuestId;

use super::attempt::{Status, Subject};
use super::concern;
use super::queue::{take_back, withdraw};
use crate::app::cx::{Cx, News};
use crate::look::mark::Mark;
use crate::look::text::{clean, count};
use crate::ui::problem::Problem;

/// Handles a guest of the host who may be the walk-in: a person decides.
pub(super) fn doubt(cx: &mut Cx, at: usize, guest: &Guest) {
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

fn guest_of(cx: &Cx, at: usize) -> Option<GuestId> {
    cx.shared.door().attempts[at].guest
}

fn attempt_label(cx: &Cx, at: usize) -> String {
    cx.shared.door().attempts[at].label()
}

/// Handles the host's answer. The entry is no longer in the journal.
pub(super) fn settle(cx: &mut Cx, at: usize, delivery: Delivery) {
    let door = cx.shared.door_mut();
    let is_last = at + 1 == door.attempts.len();
    let attempt = &mut door.attempts[at];
    if let Some(entry) = attempt.entry.take() {
        door.settled.push((entry.event_id, entry.id));
    }
    let guest = delivery.guest.as_ref();
    let blocked = guest.and_then(|guest| blocked(&guest.tags));
    let blocked = blocked.filter(|_| attempt.reason.is_none());
    let came = delivery.guest.as_ref().and_then(|guest| guest.check_in_at);
    let status = match delivery.outcome {
        DeliveryOutcome::Delivered if attempt.wish_is_out() => Status::Undone,
        DeliveryOutcome::Delivered if attempt.leaves() => Status::Out { at: attempt.at },
        DeliveryOutcome::Delivered => Status::In {
            at: came
                .filter(|_| attempt.wish != Action::Enter)
                .unwrap_or(attempt.at),
            was_before: false,
        },
        DeliveryOutcome::Already { at } => Status::In {
            at,
            was_before: true,
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
    let told = attempt.entrance.clone();
    attempt.entrance.verdict = delivery.verdict.or(told.verdict);
    let code = attempt.code().filter(|_| !is_unknown).map(str::to_owned);
    if attempt.is_of_unknown() && !is_unknown {
        attempt.subject = Subject::Listed;
    }
    // Nobody was waiting for the verdict of a host that was told what the desk has decided.
    let was_asked = std::mem::take(&mut attempt.asks_host);
    let has_waited = std::mem::take(&mut attempt.has_waited);
    let is_unwanted = std::mem::take(&mut attempt.is_unwanted);
    let is_seen = is_last && !has_waited;
    if let Some(guest) = &delivery.guest {
        attempt.subject = Subject::Listed;
        attempt.name.clone_from(&guest.name);
        cx.shared.door_mut().identify(at, guest.id);
        cx.tell_record("guest", guest);
        cx.tell_outdated("event");
    } else if status == Status::Undone {
        // The added guest is gone.
        let id = cx.shared.door().attempts[at].guest;
        cx.out.news.extend(id.map(|id| News::Deleted {
            kind: "guest".to_owned(),
            id: id.to_string(),
        }));
    }
    if let (Status::In { .. }, Some(code)) = (&status, code) {
        concern::settled(cx, at);
        let name = attempt_label(cx, at);
        let text = format!("“{}” is the ticket of {name}, who is in now", clean(&code));
        cx.toast(Mark::Good, text);
    }
    if let Some(why) = delivery.instead {
        let (guest, name) = (guest_of(cx, at), attempt_label(cx, at));
        cx.toast(Mark::Warn, clean(&format!("{name}: {why}")).into_owned());
        concern::raise_about(cx, at, why, guest);
    }
    let is_refused = matches!(status, Status::Refused { .. });
    match status {
        Status::Refused { why } if cx.shared.door().attempts[at].wish_is_out() => {
            stays_in(cx, at, &why);
        }
        // The desk has said so, or says so now.
        Status::Refused { .. } if told.verdict == Some(Verdict::Blocked) => {}
        Status::Refused { .. } if has_waited && told.turns_away() => {}
        Status::Refused { .. } if is_seen && cx.shared.door().attempts[at].turns_away() => {}
        Status::Refused { .. }
            if has_waited && was_asked && told.verdict.is_some() && delivery.verdict.is_some() =>
        {
            super::insist(cx, at);
        }
        Status::Refused { why } => concern::refused(cx, at, why, is_seen),
        Status::In {
            at: came,
            was_before: true,
        } if !is_seen => {
            let passage = delivery.guest.as_ref();
            let passage = passage.and_then(|guest| guest.passage.as_ref());
            concern::was_in(cx, at, came, passage);
        }
        Status::In {
            was_before: false, ..
        }
        | Status::Out { .. }
            if is_unwanted =>
        {
            take_back(cx, at);
        }
        Status::In {
            was_before: false, ..
        } if has_waited && told.verdict.is_some_and(|told| told != Verdict::Passed) => {
            let why = "in, but this desk had turned them away".to_owned();
            concern::raise_about(cx, at, why, guest_of(cx, at));
        }
        Status::In {
            was_before: false, ..
        } => concern::let_in(cx, at, blocked, delivery.is_second),
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
