//! Leaving the app with check-ins undelivered.

use crate::app::cx::Out;
use crate::app::state::State;
use crate::app::update::quit;
use crate::look::text::count;
use crate::ui::confirm::Confirm;

/// Quits from the home screen; asks first if check-ins are undelivered.
pub(crate) fn leave(state: &mut State, out: &mut Out) {
    let waiting = state.shared.waiting();
    let unsaved = state.shared.door().unsaved();
    if waiting + unsaved == 0 {
        quit(state, out);
        return;
    }
    let check_ins = count(waiting.max(unsaved), "check-in has", "check-ins have");
    let body = match unsaved {
        0 => format!(
            "{check_ins} not been delivered. They are safe on this machine, and are delivered when Frontdesk is started again."
        ),
        _ => format!(
            "{check_ins} not been delivered, and {unsaved} of them could not be written to this \
             machine's disk. Leaving now would lose those."
        ),
    };
    state.cx(out).raise(Confirm {
        title: "Leave now?".to_owned(),
        body,
        then: quit,
    });
}
