//! Leaving the app with something open.

use crate::app::cx::Out;
use crate::app::navigation::quit;
use crate::app::state::State;
use crate::desk::start;
use crate::look::text::count;
use crate::ui::confirm::Confirm;

/// Quits from the first screen; asks first if check-ins are undelivered or calls have no answer yet.
pub(crate) fn leave(state: &mut State, out: &mut Out) {
    if state.shared.is_locked {
        return start::leave(state, out);
    }
    let body = [check_ins(state), calls(state)];
    let body: Vec<String> = body.into_iter().flatten().collect();
    if body.is_empty() {
        return quit(state, out);
    }
    state.cx(out).raise(Confirm {
        title: "Leave now?".to_owned(),
        body: body.join(" "),
        then: quit,
    });
}

/// What becomes of undelivered check-ins.
fn check_ins(state: &State) -> Option<String> {
    let waiting = state.shared.waiting();
    let unsaved = state.shared.door().unsaved();
    let all = waiting.max(unsaved);
    let check_ins = count(all, "check-in has", "check-ins have");
    (all > 0).then(|| match unsaved {
        0 => format!(
            "{check_ins} not been delivered. They are safe on this machine, and are delivered when Frontdesk is started again."
        ),
        _ => format!(
            "{check_ins} not been delivered, and {unsaved} of them could not be written to this \
             machine's disk. Leaving now would lose those."
        ),
    })
}

/// What becomes of calls without an answer.
fn calls(state: &State) -> Option<String> {
    let tools = state.shared.calls.writes();
    let [first, ..] = tools.as_slice() else {
        return None;
    };
    Some(match tools.len() {
        1 => format!("{first} has no answer yet: you would not see whether it was done."),
        number => {
            format!("{number} calls have no answer yet: you would not see whether they were done.")
        }
    })
}
