//! Words typed where there is no field: they do nothing but say so. A word begins with a letter without a command; the
//! letters that follow at once belong to it, also those with a command.

use jiff::SignedDuration;

use super::chord::Chord;
use crate::app::cx::Out;
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;

/// The longest pause within a word.
const PAUSE: SignedDuration = SignedDuration::from_millis(500);

/// Takes a letter without a command, if there is no field.
pub(crate) fn begins(state: &mut State, out: &mut Out, chord: Chord) -> bool {
    let is_stray = chord.is_letter() && state.layers.is_empty() && state.typing() == Typing::No;
    if is_stray {
        state.stray = Some(state.shared.now);
        let search = state.shared.settings.keymap.key("list.search");
        let words = match state.screen().is_some_and(|screen| screen.can_search()) {
            true if !search.is_empty() => {
                format!("“{chord}” does nothing here · {search} searches")
            }
            _ => format!("“{chord}” does nothing here"),
        };
        state.cx(out).toast(Mark::Info, words);
    }
    is_stray
}

/// Takes a letter that belongs to the word before it.
pub(crate) fn goes_on(state: &mut State, chord: Chord) -> bool {
    let now = state.shared.now;
    let before = state.stray.take();
    let before = before.filter(|before| now.duration_since(*before) <= PAUSE);
    state.stray = before.filter(|_| chord.is_letter()).map(|_| now);
    state.stray.is_some()
}
