//! What becomes of check-ins after the answers of disk and host.

use frontdesk_client::{CallError, Delivery, Entry};
use frontdesk_protocol::Host;

use super::attempt::{Attempt, Status};
use super::journal::Unsaved;
use super::queue::{deliver, rest, save, take_back, withdraw};
use super::settling::{doubt, settle};
use super::{moved, takeover};
use crate::app::cx::Cx;
use crate::app::effects::disk::DiskError;
use crate::app::owner::RequestId;
use crate::look::mark::Mark;
use crate::look::text::count;

/// Handles the journal's content.
pub(super) fn opened(cx: &mut Cx, request: RequestId, result: Result<Vec<Entry>, DiskError>) {
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
            takeover::ask(cx);
        }
        Err(error) => cx.toast(
            Mark::Bad,
            format!("Check-ins that may still wait on this machine cannot be read: {error}"),
        ),
    }
    moved(cx);
}

/// Handles the outcome of a write to disk.
pub(super) fn saved(cx: &mut Cx, at: usize, result: Result<Entry, Unsaved>) {
    let (entry, result) = match result {
        Ok(entry) => (Some(entry), Ok(())),
        Err(Unsaved { entry, why }) => (entry.map(|entry| *entry), Err(why)),
    };
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

/// Handles the outcome of a removal from the journal.
pub(super) fn withdrawn(cx: &mut Cx, at: usize, result: Result<(), DiskError>) {
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

/// Handles the outcome of a delivery.
pub(super) fn delivered(cx: &mut Cx, at: usize, result: Result<Delivery, CallError>) {
    match result {
        Ok(Delivery {
            listed: Some(guest),
            ..
        }) => doubt(cx, at, &guest),
        Ok(delivery) => settle(cx, at, delivery),
        Err(error) => {
            if let CallError::RateLimited { retry_after } = error {
                cx.shared.limited(Host::Events, retry_after);
            }
            rest(cx, &error);
            let attempt = &mut cx.shared.door_mut().attempts[at];
            attempt.may_be_done |= error.may_be_done();
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
