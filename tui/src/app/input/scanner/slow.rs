//! Ids that come at a person's pace over a desk: typed, or from a slow scanner.

use crossterm::event::{KeyCode, KeyEvent};
use frontdesk_protocol::door::{Arrived, Kind, Pace, read};

use super::{LONGEST, arrived, desk};
use crate::app::cx::Out;
use crate::app::input::chord::Chord;
use crate::app::input::press::type_key;
use crate::app::state::{State, Typing};

/// Notes a character. In the middle of an id, a letter does not answer a question: it is taken.
pub(super) fn takes_character(state: &mut State, key: KeyEvent, char: char) -> bool {
    if desk(state).is_none() {
        return false;
    }
    let chord = Chord::from(key);
    let command = state.command(chord);
    let is_answer = state.typing() == Typing::No && command.is_some();
    let typed = &mut state.scan.typed;
    let is_within = typed.chars().nth(1).is_some();
    match is_answer && !is_within {
        true => typed.clear(),
        false if typed.len() < LONGEST => typed.push(char),
        false => {}
    }
    is_answer && is_within
}

/// Takes Enter behind an id, which is erased where it was typed.
pub(super) fn takes_enter(state: &mut State, out: &mut Out) -> bool {
    let typed = std::mem::take(&mut state.scan.typed);
    let codes = read(&typed, Pace::Typed);
    let Some(first) = codes.first().filter(|_| are_ids(&codes)) else {
        return false;
    };
    for _ in typed[first.start..].chars() {
        if !state.ahead.take_back() {
            type_key(state, out, KeyCode::Backspace.into());
        }
    }
    arrived(state, out, codes);
    true
}

pub(super) fn are_ids(codes: &[Arrived]) -> bool {
    let mut all = codes.iter();
    !codes.is_empty() && all.all(|code| matches!(code.kind, Kind::Id(_)))
}
