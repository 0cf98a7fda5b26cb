//! Scanners that type: faster than people, with an end and perhaps signs around the code, and also while a layer or a
//! form covers the screen for codes.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use frontdesk_protocol::door::{Arrived, Kind, Pace, read};

use super::keys::Chord;
use crate::app::cx::{Cx, Out};
use crate::app::effects::effect::Owner;
use crate::app::screen::Codes;
use crate::app::state::{State, Typing};
use crate::app::update::type_key;
use crate::look::mark::Mark;

/// The number of last characters in which a code is searched.
const LONGEST: usize = 2_000;
/// So many characters in a scanner's rhythm are no coincidence.
pub(crate) const SHORTEST: usize = 3;

/// Stands in a burst for any control character around a code.
pub(crate) const FRAME: char = '\u{3}';

/// Whether other characters came shortly before and after a key: people do not type so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rhythm {
    pub(crate) follows: bool,
    pub(crate) is_followed: bool,
}

impl Rhythm {
    fn is_rapid(self) -> bool {
        self.follows || self.is_followed
    }
}

/// What a key is to a scanner.
enum Part {
    Character(char),
    /// Enter, Tab or LF.
    End,
    /// STX, ETX, GS and others around a code.
    Frame,
    Other,
}

impl Part {
    fn of(key: KeyEvent) -> Part {
        let modifiers = key.modifiers - KeyModifiers::SHIFT;
        match key.code {
            // Some terminals report AltGr as ctrl-alt.
            KeyCode::Char(char)
                if modifiers.is_empty()
                    || modifiers == KeyModifiers::CONTROL | KeyModifiers::ALT =>
            {
                Part::Character(char)
            }
            KeyCode::Char('j' | 'm') if modifiers == KeyModifiers::CONTROL => Part::End,
            KeyCode::Enter | KeyCode::Tab if modifiers.is_empty() => Part::End,
            KeyCode::Char(_) if modifiers == KeyModifiers::CONTROL => Part::Frame,
            _ => Part::Other,
        }
    }
}

/// Takes a key if it belongs to a code. Characters already entered in a field are erased.
pub(crate) fn takes_key(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm) -> bool {
    let Some(place) = place(state) else {
        state.typed.clear();
        state.shared.burst.clear();
        return false;
    };
    let part = Part::of(key);
    if matches!(part, Part::Frame) && rhythm.is_rapid() {
        if !state.shared.burst.is_empty() {
            state.shared.burst.push(FRAME);
        }
        return true;
    }
    let burst = match part {
        Part::Character(char) => {
            if !rhythm.follows {
                state.shared.burst.clear();
            }
            if state.shared.burst.len() < LONGEST {
                state.shared.burst.push(char);
            }
            String::new()
        }
        _ => std::mem::take(&mut state.shared.burst),
    };
    let is_end = matches!(part, Part::End) && rhythm.follows;
    if is_end && burst.is_empty() {
        // The second half of CR and LF.
        return true;
    }
    let is_scan = is_end && burst.chars().count() >= SHORTEST;
    if place.is_top {
        state.typed.clear();
        return match part {
            // Signs at the beginning of a code are no commands.
            Part::Character(_) if rhythm.is_rapid() => {
                type_key(state, out, key);
                true
            }
            Part::End if is_scan => {
                give(state, out, place.at, read(&burst, Pace::Scanned));
                true
            }
            _ => false,
        };
    }
    match part {
        Part::Character(char) => {
            let chord = Chord::from(key);
            let is_answer = state.typing() == Typing::No
                && state
                    .shared
                    .keymap
                    .command(chord, state.context())
                    .is_some();
            // In the middle of a code, a letter does not answer a question.
            let is_within = state.typed.chars().nth(1).is_some() || rhythm.is_rapid();
            match is_answer && !is_within {
                true => state.typed.clear(),
                false if state.typed.len() < LONGEST => state.typed.push(char),
                false => {}
            }
            is_answer && is_within
        }
        Part::End if is_scan || key.code == KeyCode::Enter => {
            let typed = std::mem::take(&mut state.typed);
            let Some(start) = start_of_code(&typed, &burst, is_scan) else {
                return false;
            };
            for _ in typed[start..].chars() {
                if !state.ahead.take_back() {
                    type_key(state, out, KeyCode::Backspace.into());
                }
            }
            give(state, out, place.at, read(&typed[start..], Pace::Typed));
            state
                .cx(out)
                .toast(Mark::Info, "Code scanned; the desk shows the result");
            true
        }
        _ => {
            state.typed.clear();
            false
        }
    }
}

/// The byte offset of the code at the end of what was typed over the screen for codes: an id, or in a scanner's rhythm
/// any code that is not a name.
fn start_of_code(typed: &str, burst: &str, is_scan: bool) -> Option<usize> {
    let codes = read(typed, Pace::Typed);
    if are_ids(&codes) {
        return codes.first().map(|first| first.start);
    }
    let codes = read(burst, Pace::Typed);
    let is_code = is_scan && !codes.is_empty() && codes.iter().all(Arrived::is_code);
    let before = typed.strip_suffix(&burst.replace(FRAME, ""))?;
    is_code.then_some(before.len())
}

fn are_ids(codes: &[Arrived]) -> bool {
    let mut all = codes.iter();
    !codes.is_empty() && all.all(|code| matches!(code.kind, Kind::Id(_)))
}

/// Takes pasted text if it is a code over the screen for codes.
pub(crate) fn takes_paste(state: &mut State, out: &mut Out, text: &str) -> bool {
    let Some(place) = place(state).filter(|place| !place.is_top) else {
        return false;
    };
    let codes = read(text, Pace::Typed);
    let is_code = are_ids(&codes);
    if is_code {
        give(state, out, place.at, codes);
        state
            .cx(out)
            .toast(Mark::Info, "Code scanned; the desk shows the result");
    }
    is_code
}

/// The place of the screen for codes.
struct Place {
    at: usize,
    is_top: bool,
}

fn place(state: &State) -> Option<Place> {
    let places = (0..state.screens.len()).rev();
    let mut above = places.skip_while(|at| state.screens[*at].screen.codes() == Codes::Below);
    let at = above.next()?;
    let is_top = at + 1 == state.screens.len() && state.layers.is_empty();
    (state.screens[at].screen.codes() == Codes::Here).then_some(Place { at, is_top })
}

fn give(state: &mut State, out: &mut Out, at: usize, codes: Vec<Arrived>) {
    if let Some(opened) = state.screens.get_mut(at) {
        let mut cx = Cx {
            shared: &mut state.shared,
            out,
            owner: Owner::Screen(opened.id),
        };
        opened.screen.scanned(&mut cx, codes);
    }
}
