//! Keys of people: typed ahead, commands, and typed into the field with the focus.
//!
//! A key that acts on data that is being loaded waits for it, and later keys wait behind it. What writes is never among
//! them: the user has not seen what it would write.

use crossterm::event::{KeyCode, KeyEvent};

use super::chord::Chord;
use super::command::{ALWAYS, ANYWHERE, Command};
use super::stray;
use crate::app::cx::{Cx, Out};
use crate::app::navigation::follow;
use crate::app::owner::Owner;
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;
use crate::look::text::sentence;

/// Maximum number of keys that wait.
const MOST: usize = 64;

/// Handles a key of a person.
pub(crate) fn press_key(state: &mut State, out: &mut Out, key: KeyEvent) {
    let is_taken = stray::goes_on(state, key.into()) || keeps(state, out, key);
    if !is_taken {
        press_now(state, out, key);
    }
}

/// Handles a key that does not have to wait.
fn press_now(state: &mut State, out: &mut Out, key: KeyEvent) {
    let chord = Chord::from(key);
    let command = state.command(chord);
    if let (None, Some(letter)) = (command, chord.behind_esc(key))
        && state.typing() != Typing::No
    {
        let layers = state.layers.len();
        press_key(state, out, KeyCode::Esc.into());
        follow(state, out);
        // If esc opened a question, the letter was not meant as its answer.
        if state.layers.len() <= layers {
            press_key(state, out, letter);
        }
        return;
    }
    match command {
        Some(command) if !is_typed(state, key) => {
            if !is_unseen(state, out, command, key) {
                run(state, out, command);
            }
        }
        _ if chooses_unseen(state, out, key) => {}
        None if is_free(state, chord) && (state.shared.parts.own_key)(state, out, chord) => {}
        None if stray::begins(state, out, chord) => {}
        _ => type_key(state, out, key),
    }
}

/// Whether a key is typed into the field with the focus.
pub(crate) fn is_typed(state: &State, key: KeyEvent) -> bool {
    let chord = Chord::from(key);
    let context = state.context();
    let command = state.command(chord);
    chord.is_text()
        && match state.typing() {
            Typing::No => false,
            Typing::Yes | Typing::Secret => true,
            Typing::Beginning => {
                let is_own = command.is_some_and(|command| command.context == context);
                !is_own && (command.is_none() || chord.is_letter())
            }
        }
}

/// Whether a key without a command can run one of the user's own.
fn is_free(state: &State, chord: Chord) -> bool {
    let is_typed = chord.is_text() && state.typing() != Typing::No;
    state.layers.is_empty() && !is_typed
}

/// Passes a key that is not a command to the layer or screen with the focus.
pub(crate) fn type_key(state: &mut State, out: &mut Out, key: KeyEvent) {
    match state.layers.last_mut() {
        Some(layer) => {
            let mut cx = Cx {
                shared: &mut state.shared,
                out,
                owner: Owner::App,
            };
            layer.key(&mut cx, key);
        }
        None => {
            state.on_screen(out, |screen, cx| screen.key(cx, key));
        }
    }
}

/// Runs a command, or reports why it is unavailable.
pub(crate) fn run(state: &mut State, out: &mut Out, command: &Command) {
    // The commands of a layer do not exist on the screen below it.
    let obstacle = match command.context.is_layer {
        true => command.why_not_now(state),
        false => command.obstacle(state),
    };
    match obstacle {
        Some(reason) => {
            // Keys typed after it were meant for its result.
            state.ahead.clear();
            if !reason.is_empty() {
                state.cx(out).toast(Mark::Warn, sentence(&reason));
            }
        }
        None => (command.run)(state, out),
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
fn keeps(state: &mut State, out: &mut Out, key: KeyEvent) -> bool {
    let chord = Chord::from(key);
    let command = state.command(chord);
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
fn is_unseen(state: &mut State, out: &mut Out, command: &Command, key: KeyEvent) -> bool {
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
fn chooses_unseen(state: &mut State, out: &mut Out, key: KeyEvent) -> bool {
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
