//! Scanned codes that arrive while a layer or a form covers the screen for codes.

use crossterm::event::{KeyCode, KeyEvent};

use super::keys::Chord;
use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::Owner;
use crate::app::look::mark::Mark;
use crate::app::screen::Codes;
use crate::app::state::{State, Typing};
use crate::app::update::type_key;

/// The number of last characters in which a code is searched.
const LONGEST: usize = 2_000;

/// Takes a key if it belongs to a code. Characters already entered in a field are erased.
pub(crate) fn takes_key(state: &mut State, out: &mut Out, key: KeyEvent) -> bool {
    let chord = Chord::from(key);
    if covered(state).is_none() {
        state.typed.clear();
        return false;
    }
    match key.code {
        KeyCode::Char(char) if chord.is_text() => {
            let is_answer = state.typing() == Typing::No
                && state
                    .shared
                    .keymap
                    .command(chord, state.context())
                    .is_some();
            // In the middle of a code, a letter does not answer a question.
            let is_within = state.typed.chars().nth(1).is_some();
            match is_answer && !is_within {
                true => state.typed.clear(),
                false if state.typed.len() < LONGEST => state.typed.push(char),
                false => {}
            }
            is_answer && is_within
        }
        KeyCode::Enter => {
            let typed = std::mem::take(&mut state.typed);
            let Some(start) = hand_over(state, out, &typed) else {
                return false;
            };
            for _ in typed[start..].chars() {
                if !state.ahead.take_back() {
                    type_key(state, out, KeyCode::Backspace.into());
                }
            }
            true
        }
        _ => {
            state.typed.clear();
            false
        }
    }
}

/// Takes pasted text if it is a code.
pub(crate) fn takes_paste(state: &mut State, out: &mut Out, text: &str) -> bool {
    hand_over(state, out, text).is_some()
}

/// The index of the covered screen for codes, if there is one.
fn covered(state: &State) -> Option<usize> {
    let places = (0..state.screens.len()).rev();
    let mut above = places.skip_while(|at| state.screens[*at].screen.codes() == Codes::Below);
    let at = above.next()?;
    let is_top = at + 1 == state.screens.len() && state.layers.is_empty();
    (state.screens[at].screen.codes() == Codes::Here && !is_top).then_some(at)
}

/// Passes text to the covered screen. Returns the byte offset of the code in it.
fn hand_over(state: &mut State, out: &mut Out, text: &str) -> Option<usize> {
    let at = covered(state)?;
    let opened = state.screens.get_mut(at)?;
    let mut cx = Cx {
        shared: &mut state.shared,
        out,
        owner: Owner::Screen(opened.id),
    };
    let start = opened.screen.scanned(&mut cx, text)?;
    cx.toast(Mark::Info, "Code scanned; the desk shows the result");
    Some(start)
}
