//! Check-ins that need a person's attention after the desk has gone on to the next guest.

use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::shared::Shared;
use crate::ui::mark::Mark;
use crate::ui::time::moment;

/// A check-in that did not check anybody in, or somebody who was in already.
#[derive(Debug, Clone)]
pub(crate) struct Concern {
    pub(crate) id: RequestId,
    pub(crate) event: EventId,
    pub(crate) at: Timestamp,
    /// What was typed or scanned, or the guest's name.
    pub(crate) what: String,
    pub(crate) why: String,
    /// The guest, if it is known who is meant.
    pub(crate) guest: Option<GuestId>,
}

impl super::Door {
    /// The check-ins of all events that need attention.
    pub(crate) fn all_concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// The check-ins of an event that need attention, the latest first.
    pub(crate) fn concerns(&self, event: EventId) -> impl Iterator<Item = &Concern> {
        let of_event = move |concern: &&Concern| concern.event == event;
        self.concerns.iter().rev().filter(of_event)
    }
}

/// Adds what was typed or scanned to the list.
pub(crate) fn raise(
    cx: &mut Cx,
    event: EventId,
    what: String,
    why: String,
    guest: Option<GuestId>,
) {
    let concern = Concern {
        id: cx.shared.next_id(),
        event,
        at: cx.now(),
        what,
        why,
        guest,
    };
    cx.shared.door_mut().concerns.push(concern);
}

/// Removes one from the list.
pub(crate) fn dismiss(shared: &mut Shared, id: RequestId) {
    let concerns = &mut shared.door_mut().concerns;
    concerns.retain(|concern| concern.id != id);
}

/// The host refused a check-in. If the banner shows it, no message is needed.
pub(super) fn refused(cx: &mut Cx, at: usize, why: String, is_seen: bool) {
    let attempt = &cx.shared.door().attempts[at];
    if is_seen && attempt.is_added() {
        // The form says so.
        return;
    }
    let (event, guest, name) = (attempt.event, attempt.guest, attempt.label());
    if !is_seen {
        let what = match attempt.is_added() {
            true => "added",
            false => "checked in",
        };
        cx.toast(Mark::Bad, format!("{name} was not {what}: {why}"));
    }
    raise(cx, event, name, why, Some(guest));
}

/// Another desk had checked the guest in before, and the banner does not show it.
pub(super) fn was_in(cx: &mut Cx, at: usize, came: Timestamp) {
    let attempt = &cx.shared.door().attempts[at];
    let (event, guest, name) = (attempt.event, attempt.guest, attempt.label());
    let since = moment(came, cx.shared.now, &cx.shared.zone);
    raise(
        cx,
        event,
        name,
        format!("already in since {since}"),
        Some(guest),
    );
}
