//! Check-ins that need attention after the desk has gone on to the next guest.

use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

use crate::app::cx::Cx;
use crate::app::effects::effect::RequestId;
use crate::app::shared::Shared;
use crate::ui::mark::Mark;
use crate::ui::time::moment;

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

/// Adds a typed or scanned text to the list.
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

/// Handles a guest whom another desk had checked in, unless the banner shows it.
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
