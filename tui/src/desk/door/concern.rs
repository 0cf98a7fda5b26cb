//! Check-ins that need attention after the desk has gone on to the next guest.

use frontdesk_protocol::events::passage::Passage;
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Shared;
use crate::look::mark::Mark;
use crate::look::text::clean;
use crate::look::time::moment;

/// A check-in that failed, or of a guest who was already in.
#[derive(Debug, Clone)]
pub(crate) struct Concern {
    pub(crate) id: RequestId,
    pub(crate) event: EventId,
    pub(crate) at: Timestamp,
    /// The typed or scanned text, or the guest's name.
    pub(crate) what: String,
    pub(crate) why: String,
    /// The guest, if known.
    pub(crate) guest: Option<GuestId>,
    /// The check-in on disk that it is about.
    pub(crate) attempt: Option<RequestId>,
}

impl super::Door {
    /// The check-ins of all events that need attention.
    pub(crate) fn all_concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// The check-ins of an event that need attention, newest first.
    pub(crate) fn concerns(&self, event: EventId) -> impl Iterator<Item = &Concern> {
        let of_event = move |concern: &&Concern| concern.event == event;
        self.concerns.iter().rev().filter(of_event)
    }
}

/// Adds a text that was typed or scanned at this time to the list.
pub(crate) fn raise(cx: &mut Cx, event: EventId, at: Timestamp, what: String, why: String) {
    let concern = Concern {
        id: cx.shared.next_id(),
        event,
        at,
        what,
        why,
        guest: None,
        attempt: None,
    };
    cx.shared.door_mut().concerns.push(concern);
}

/// Adds a check-in to the list, or replaces the reason of one that is there.
pub(super) fn raise_about(cx: &mut Cx, at: usize, why: String, guest: Option<GuestId>) {
    let id = cx.shared.next_id();
    let door = cx.shared.door_mut();
    let attempt = &door.attempts[at];
    let about = Some(attempt.id);
    let concern = Concern {
        id,
        event: attempt.event,
        at: attempt.at,
        what: attempt.label(),
        why,
        guest,
        attempt: about,
    };
    let mut concerns = door.concerns.iter_mut();
    match concerns.find(|concern| concern.attempt == about) {
        Some(before) => {
            *before = Concern {
                id: before.id,
                ..concern
            }
        }
        None => door.concerns.push(concern),
    }
}

/// Removes a check-in from the list.
pub(super) fn settled(cx: &mut Cx, at: usize) {
    let door = cx.shared.door_mut();
    let about = Some(door.attempts[at].id);
    door.concerns.retain(|concern| concern.attempt != about);
}

pub(crate) fn dismiss(shared: &mut Shared, id: RequestId) {
    let concerns = &mut shared.door_mut().concerns;
    concerns.retain(|concern| concern.id != id);
}

/// Handles a refused check-in. The banner, if it shows the check-in, replaces the message.
pub(super) fn refused(cx: &mut Cx, at: usize, why: String, is_seen: bool) {
    let attempt = &cx.shared.door().attempts[at];
    if is_seen && attempt.is_added() {
        // The form shows it.
        return;
    }
    let (guest, name) = (attempt.guest, attempt.label());
    if !is_seen {
        let what = match attempt.is_added() {
            true => "added",
            false if attempt.leaves() => "let out",
            false => "checked in",
        };
        cx.toast(Mark::Bad, format!("{name} was not {what}: {why}"));
    }
    raise_about(cx, at, why, guest);
}

/// Handles a guest whom this desk has let in, and whom it would have stopped if it had known this.
pub(super) fn let_in(cx: &mut Cx, at: usize, blocked: Option<String>, is_second: bool) {
    let blocked = blocked.map(|why| format!("blocked: {}", clean(&why)));
    let second = is_second.then(|| "let in at another desk, too".to_owned());
    let why: Vec<String> = blocked.into_iter().chain(second).collect();
    if why.is_empty() {
        return;
    }
    let attempt = &cx.shared.door().attempts[at];
    let (guest, name) = (attempt.guest, attempt.label());
    let why = format!("in, but {}", why.join(" · "));
    cx.toast(Mark::Bad, format!("{name} is {why}"));
    cx.ring();
    raise_about(cx, at, why, guest);
}

/// Handles a guest who had been checked in, unless the banner shows it. Where is said if it is known.
pub(super) fn was_in(cx: &mut Cx, at: usize, came: Timestamp, passage: Option<&Passage>) {
    let guest = cx.shared.door().attempts[at].guest;
    let since = moment(came, cx.shared.now, &cx.shared.locale);
    let last = passage.filter(|last| last.at == came);
    let gate = last.and_then(|last| last.gate.as_deref());
    let by = last.and_then(|last| last.by.as_deref());
    let gate = gate.map_or(String::new(), |gate| format!(" at {gate}"));
    let by = by.map_or(String::new(), |by| format!(" by {by}"));
    let why = format!("already in since {since}{gate}{by}");
    raise_about(cx, at, clean(&why).into_owned(), guest);
}
