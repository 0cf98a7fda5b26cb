//! Codes that no known guest has: on disk before the host is asked, and delivered if it does not answer.

use frontdesk_protocol::id::EventId;

use super::attempt::{Attempt, Status, Subject};
use super::{Arrival, Door, OWNER, begin, concern, queue};
use crate::app::cx::Cx;
use crate::app::owner::RequestId;
use crate::app::shared::Session;

impl Door {
    /// The check-in with this code that waits to be sent.
    fn kept_code(&self, event: EventId, code: Option<&str>) -> Option<RequestId> {
        let is_its = |one: &&Attempt| {
            one.is_pending() && !one.is_asked() && one.code().is_some_and(|its| code == Some(its))
        };
        self.of_event(event).find(is_its).map(|attempt| attempt.id)
    }

    /// Whether the host may not answer soon: deliveries are paused, or wait.
    pub(crate) fn lags(&self, session: &Session) -> bool {
        let waits = |attempt: &Attempt| attempt.is_waiting() && queue::is_next(attempt, session);
        self.rests_until().is_some() || self.attempts.iter().any(waits)
    }
}

/// A code arrived about which the desk asks the host: it is kept, and not delivered until the desk has decided.
pub(crate) fn ask_code(cx: &mut Cx, event: EventId, code: &str) -> RequestId {
    begin(cx, of_code(event, code, true), |_| {})
}

/// The host could not be asked about a code, for this reason: it is delivered. Returns the check-in, and whether it is new.
pub(crate) fn send_code(cx: &mut Cx, id: RequestId, why: String) -> (RequestId, bool) {
    let Some(at) = asked(cx, id) else {
        return (id, false);
    };
    let door = cx.shared.door_mut();
    let attempt = &door.attempts[at];
    if let Some(before) = door.kept_code(attempt.event, attempt.code()) {
        return (before, false);
    }
    let attempt = &mut door.attempts[at];
    if let Subject::Code { is_asked, .. } = &mut attempt.subject {
        *is_asked = false;
    }
    attempt.has_waited = true;
    attempt.why.clone_from(&why);
    concern::raise_about(cx, at, why, None);
    queue::deliver(cx);
    (id, true)
}

/// The desk has decided about a code: it is no longer kept.
pub(crate) fn drop_code(cx: &mut Cx, id: RequestId) {
    if let Some(at) = asked(cx, id) {
        let mut cx = cx.on_behalf(OWNER);
        let attempt = &mut cx.shared.door_mut().attempts[at];
        match attempt.status {
            Status::Saving => attempt.is_unwanted = true,
            _ => queue::withdraw(&mut cx, at),
        }
    }
}

fn of_code(event: EventId, code: &str, is_asked: bool) -> Arrival {
    let text = code.to_owned();
    Arrival::of(event, None, code, Subject::Code { text, is_asked })
}

/// The place of a code about which the host is asked.
fn asked(cx: &Cx, id: RequestId) -> Option<usize> {
    let mut attempts = cx.shared.door().attempts.iter();
    attempts.rposition(|attempt| attempt.id == id && attempt.is_asked())
}

/// A code arrived that no known guest has, for this reason: the host decides whose it is. Returns the check-in, and
/// whether it is new.
pub(crate) fn keep_code(cx: &mut Cx, event: EventId, code: &str, why: String) -> (RequestId, bool) {
    if let Some(before) = cx.shared.door().kept_code(event, Some(code)) {
        return (before, false);
    }
    let id = begin(cx, of_code(event, code, false), |attempt| {
        attempt.why.clone_from(&why);
        // The host was asked before.
        attempt.has_waited = true;
    });
    let at = cx.shared.door().attempts.len() - 1;
    concern::raise_about(cx, at, why, None);
    (id, true)
}
