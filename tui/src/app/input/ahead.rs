//! Keys typed ahead: a key that acts on data that is being loaded waits for it, and later keys wait
//! behind it. What writes is never among them: the user has not seen what it would write.

use std::collections::VecDeque;

use crossterm::event::{KeyCode, KeyEvent};

use super::command::{ALWAYS, ANYWHERE, Command};
use super::keys::Chord;
use crate::app::cx::Out;
use crate::app::state::{State, Typing};
use crate::app::update::{follow, press_now};
use crate::look::mark::Mark;

/// Maximum number of keys that wait.
const MOST: usize = 64;

/// The keys that wait, and what the user has not seen.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    keys: VecDeque<KeyEvent>,
    /// A screen or layer was opened since the last frame.
    pub(crate) has_unseen: bool,
    /// The keys that waited are being handled.
    is_replaying: bool,
}

impl Ahead {
    /// The number of keys that wait.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Removes the last key. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        self.keys.pop_back().is_some()
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }
}

/// Whether the data that keys act on is being loaded.
fn is_awaited(state: &State) -> bool {
    match state.layers.last() {
        Some(layer) => layer.awaits(),
        None => state.screen().is_some_and(|screen| screen.awaits()),
    }
}

/// Keeps a key that has to wait. Returns whether it does.
pub(crate) fn keeps(state: &mut State, out: &mut Out, key: KeyEvent) -> bool {
    let chord = Chord::from(key);
    let command = state.shared.settings.keymap.command(chord, state.context());
    let is_queued = !state.ahead.keys.is_empty();
    let has_to_wait = match command {
        Some(command) if *command.context == ALWAYS => false,
        Some(_) | None if is_queued => true,
        Some(command) => is_awaited(state) && needs_data(state, command, chord),
        None => false,
    };
    if !has_to_wait {
        return false;
    }
    if key.code == KeyCode::Esc {
        state.ahead.clear();
    } else if state.ahead.keys.len() < MOST {
        state.ahead.keys.push_back(key);
    } else {
        let words = format!("At most {MOST} keys wait; esc drops them");
        state.cx(out).toast(Mark::Warn, words);
    }
    true
}

/// Whether the command acts on data, and the key is not typed into a field.
fn needs_data(state: &State, command: &Command, chord: Chord) -> bool {
    let is_typed = chord.is_text() && state.typing() != Typing::No;
    let is_esc = chord == Chord::from(KeyEvent::from(KeyCode::Esc));
    !(is_typed || is_esc || command.is_immediate || *command.context == ANYWHERE)
}

/// Handles the keys that no longer have to wait.
pub(crate) fn replay(state: &mut State, out: &mut Out) {
    state.ahead.is_replaying = true;
    while !state.ahead.keys.is_empty()
        && !is_awaited(state)
        && let Some(key) = state.ahead.keys.pop_front()
    {
        press_now(state, out, key);
        follow(state, out);
    }
    state.ahead.is_replaying = false;
}

/// Why the command cannot be run by a key that was typed before the user could see what it acts on.
/// The keys behind it are dropped.
pub(crate) fn is_unseen(
    state: &mut State,
    out: &mut Out,
    command: &Command,
    key: KeyEvent,
) -> bool {
    let ahead = &state.ahead;
    let acts = command.acts && *command.context != ALWAYS;
    let is_unseen = acts && (ahead.has_unseen || ahead.is_replaying);
    if is_unseen {
        drop_rest(
            state,
            out,
            key,
            "it would act on what was not on screen yet",
        );
    }
    is_unseen
}

/// Whether a letter that was typed ahead would choose in a layer that the user has not seen.
pub(crate) fn chooses_unseen(state: &mut State, out: &mut Out, key: KeyEvent) -> bool {
    let is_choice = state.layers.last().is_some_and(|layer| layer.is_choice());
    let chooses = is_choice && state.ahead.is_replaying;
    if chooses {
        drop_rest(state, out, key, "the menu was not on screen yet");
    }
    chooses
}

fn drop_rest(state: &mut State, out: &mut Out, key: KeyEvent, why: &str) {
    state.ahead.clear();
    let words = format!("{} was ignored: {why}", Chord::from(key));
    state.cx(out).toast(Mark::Warn, words);
}
