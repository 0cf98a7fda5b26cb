//! Check-ins that were a mistake.

use frontdesk_client::Action;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::EventId;

use super::attempt::Status;
use super::{Arrival, OWNER, announce, begin, moved, queue};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::look::text::clean;
use crate::look::time::moment;
use crate::ui::confirm::Confirm;

/// Undoes the check-in of a guest: at once if this desk has made it since the app started, else after a
/// question. Returns the check-in that is being undone at once.
pub(crate) fn undo_of(cx: &mut Cx, guest: &Guest) -> Option<RequestId> {
    let latest = cx.shared.door().latest(guest.id);
    if let Some(id) = latest
        .filter(|latest| latest.is_undoable())
        .map(|latest| latest.id)
    {
        return undo(cx, id);
    }
    let since = moment(guest.check_in_at?, cx.shared.now, &cx.shared.locale);
    let name = clean(&guest.name);
    cx.shared.door_mut().asked = Some(Arrival::listed(guest.event_id, guest.id, &guest.name));
    cx.raise(Confirm {
        title: "Undo this check-in?".to_owned(),
        body: format!(
            "{name} is in since {since}. The check-in was made at another desk, or here before the app was \
             started."
        ),
        then: |state, out| {
            let cx = &mut state.cx(out);
            if let Some(arrival) = cx.shared.door_mut().asked.take() {
                let is_of_place = cx.shared.place(arrival.event).is_some();
                let wish = if is_of_place { Action::Leave } else { Action::Undo };
                let attempt = begin(cx, arrival, |attempt| attempt.wish = wish);
                announce(cx, attempt);
            }
        },
    });
    None
}

/// Undoes the last check-in of an event, and returns it.
pub(crate) fn undo_last(cx: &mut Cx, event: EventId) -> Option<RequestId> {
    let id = cx.shared.door().undoable(event)?.id;
    undo(cx, id)
}

/// Undoes a check-in, if possible.
fn undo(cx: &mut Cx, id: RequestId) -> Option<RequestId> {
    let mut cx = cx.on_behalf(OWNER);
    let mut attempts = cx.shared.door().attempts.iter();
    let at = attempts.rposition(|attempt| attempt.id == id && attempt.is_undoable())?;
    let attempt = &mut cx.shared.door_mut().attempts[at];
    match attempt.status {
        // What must be undone is known once it is written or answered.
        Status::Saving | Status::Delivering { .. } => attempt.is_unwanted = true,
        Status::In { .. } | Status::Out { .. } => queue::take_back(&mut cx, at),
        _ => queue::withdraw(&mut cx, at),
    }
    moved(&mut cx);
    Some(id)
}
