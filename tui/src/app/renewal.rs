//! Renewal of what is on screen while the terminal is in use and the rate limit allows it: when its hosts tell of a change,
//! or at intervals; and when a screen is shown again after a write.

use jiff::{SignedDuration, Timestamp};

use super::cx::{Cx, Out};
use super::listening::{self, is_live_since};
use super::pace::{IN_USE, MINUTE};
use super::shared::{Session, Shared};
use super::state::State;
use crate::app::effects::effect::Effect;
use crate::app::owner::{Owner, RequestId};

/// The age at which the data on screen is requested again.
const FRESH: SignedDuration = SignedDuration::from_secs(30);
/// The age at which it is requested again even if its hosts report changes.
const LIVE: SignedDuration = SignedDuration::from_mins(5);
/// The age at which it is marked as old, unless its hosts report changes.
pub(crate) const OLD: SignedDuration = SignedDuration::from_mins(1);
impl Shared {
    /// When the rate limits allow a renewal.
    fn renewal_allowed_at(&self) -> Option<Timestamp> {
        let refused = self.limits().map(|until| until + MINUTE);
        refused.chain(self.pace.allows_at()).max()
    }
}

/// What is due, and when.
enum Due {
    Renewal(Timestamp),
    Drawing(Timestamp),
}

/// Whether the hosts would have told of a change of what was read at this time. What changed between a reading and the
/// opening of a stream is not told.
pub(crate) fn is_live(state: &State, as_of: Timestamp) -> bool {
    is_live_since(state).is_some_and(|since| since < as_of)
}

/// What is due for the visible screen.
fn due(state: &State) -> Option<Due> {
    let opened = state.screens.last()?;
    let is_quiet = state.layers.is_empty()
        && !state.is_leaving
        && !opened.screen.is_busy()
        && matches!(state.shared.session, Session::In(_));
    let as_of = opened.screen.as_of().filter(|_| is_quiet)?;
    let since = match state.renewal.tried {
        // The attempt failed, or is under way.
        Some((screen, before, at)) if screen == opened.id && before == as_of => at,
        _ => as_of,
    };
    let last = state
        .renewal
        .tried
        .filter(|(screen, ..)| *screen == opened.id);
    let last = last.map_or(as_of, |(_, _, at)| at.max(as_of));
    let due = match is_live(state, as_of) {
        _ if state.shared.listening.has_told(opened.id) => last + listening::PAUSE,
        true => since + LIVE,
        false => since + FRESH,
    };
    let due = due.max(state.shared.renewal_allowed_at().unwrap_or(since));
    let used = state.renewal.used?;
    let is_used = due.max(state.shared.now) < used + IN_USE;
    // Otherwise it is only drawn again, as old.
    let old = as_of + OLD;
    match is_used {
        true => Some(Due::Renewal(due)),
        false => (old > state.shared.now).then_some(Due::Drawing(old)),
    }
}

/// Sets the timer for the visible screen.
pub(super) fn keep_time(state: &mut State, out: &mut Out) {
    let due = due(state).map(|due| match due {
        Due::Renewal(at) | Due::Drawing(at) => at,
    });
    if due == state.renewal.timer.map(|(_, at)| at) {
        return;
    }
    let old = state.renewal.timer.take();
    out.effects
        .extend(old.map(|(timer, _)| Effect::CancelTimer(timer)));
    if let Some(at) = due {
        let request = state.shared.next_id();
        state.renewal.timer = Some((request, at));
        let owner = Owner::App;
        out.effects.push(Effect::Timer { request, owner, at });
    }
}

/// Handles the timer.
pub(super) fn fired(state: &mut State, out: &mut Out, request: RequestId) {
    let timer = state.renewal.timer;
    if timer.is_none_or(|(timer, _)| timer != request) {
        return;
    }
    state.renewal.timer = None;
    if let Some(Due::Renewal(at)) = due(state)
        && at <= state.shared.now
    {
        renew(state, out);
    }
}

/// Renews the visible screen.
pub(super) fn renew(state: &mut State, out: &mut Out) {
    if let Some(opened) = state.screens.last_mut()
        && let Some(as_of) = opened.screen.as_of()
        && !opened.screen.is_busy()
    {
        state.renewal.tried = Some((opened.id, as_of, state.shared.now));
        state.shared.listening.begin_again(opened.id);
        opened.screen.renew(&mut Cx {
            shared: &mut state.shared,
            out,
            owner: Owner::Screen(opened.id),
        });
    }
}
