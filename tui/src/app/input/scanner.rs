//! Scanners that type: faster than people, with an end and perhaps signs around the code, on any screen. A code goes to
//! the open check-in desk; no key of it is a command.

mod held;
mod slow;

use crossterm::event::{KeyCode, KeyEvent};
use frontdesk_protocol::door::{Arrived, Pace, read};

pub(crate) use self::held::{break_off, fired};
use self::held::{end, hold, replay, settle};
use super::press::type_key;
use super::scan::{Ended, FRAME, LONGEST, Part, Rhythm, SHORTEST};
use crate::app::cx::{Cx, Out};
use crate::app::owner::Owner;
use crate::app::screen::ReadsCodes;
use crate::app::state::{State, Typing};
use crate::look::mark::Mark;
use crate::look::text::{clean, fit};

/// Whether a letter has to wait for the next one: it could begin a code. At the desk, whose box a code empties, only signs
/// and control characters wait.
pub(crate) fn letters_wait(state: &State) -> bool {
    !is_at_desk(state)
}

/// Takes a key if it belongs to a code, or may belong to one.
pub(crate) fn takes_key(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm) -> bool {
    if state.typing() == Typing::Secret {
        break_off(state, out);
        state.scan.ended = Ended::Nothing;
        return false;
    }
    let part = Part::of(key);
    let ended = std::mem::take(&mut state.scan.ended);
    if !rhythm.follows && settle(state, out, matches!(part, Part::End)) {
        return true;
    }
    if is_second_half(key, part, rhythm, ended) {
        state.scan.ended = ended;
        return true;
    }
    let burst = burst(state, part, rhythm);
    let is_taken = match is_at_desk(state) {
        true => at_desk(state, out, key, rhythm, &burst),
        false => elsewhere(state, out, key, rhythm, &burst),
    };
    if state.scan.ended == Ended::Nothing && key.code == KeyCode::Enter {
        state.scan.ended = Ended::Line;
    }
    is_taken
}

/// Whether a key only completes the end before it: LF behind CR, or more ends behind a code.
fn is_second_half(key: KeyEvent, part: Part, rhythm: Rhythm, ended: Ended) -> bool {
    let is_end = matches!(part, Part::End) && rhythm.follows;
    is_end
        && match ended {
            Ended::Nothing => false,
            Ended::Line => key.code == KeyCode::Char('j'),
            Ended::Code => true,
        }
}

/// Adds a key to the burst; a key that ends it gets it.
fn burst(state: &mut State, part: Part, rhythm: Rhythm) -> String {
    let burst = &mut state.shared.burst;
    if !rhythm.follows && !matches!(part, Part::End) {
        burst.clear();
    }
    match part {
        Part::Frame if rhythm.is_rapid() => {
            if !burst.is_empty() {
                burst.push(FRAME);
            }
            String::new()
        }
        Part::Character(char) => {
            if burst.len() < LONGEST {
                burst.push(char);
            }
            String::new()
        }
        _ => std::mem::take(burst),
    }
}

fn at_desk(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm, burst: &str) -> bool {
    state.scan.typed.clear();
    // What covered the desk has gone in the middle of a code.
    replay(state, out);
    match Part::of(key) {
        Part::Frame => rhythm.is_rapid(),
        Part::Character(_) => {
            if state.shared.burst.chars().nth(1).is_none() {
                state.scan.continues = state.typing() == Typing::Yes;
            }
            // Signs at the beginning of a code are no commands.
            if rhythm.is_rapid() {
                type_key(state, out, key);
            }
            rhythm.is_rapid()
        }
        // A machine that was busy gives the rest of a typed name at once.
        Part::End if state.scan.continues && !are_codes(state, burst) => false,
        Part::End if state.scan.continues && rhythm.follows => {
            state.scan.ended = Ended::Code;
            read_at_desk(state, out, |reader, cx| reader.continued(cx, burst));
            true
        }
        Part::End if rhythm.follows && burst.chars().count() >= SHORTEST => {
            arrived(state, out, read(burst, Pace::Scanned));
            true
        }
        _ => false,
    }
}

fn elsewhere(state: &mut State, out: &mut Out, key: KeyEvent, rhythm: Rhythm, burst: &str) -> bool {
    match Part::of(key) {
        Part::Character(char) => {
            let is_repeated = state.scan.repeats(char, rhythm);
            state.scan.before = Some(char);
            if rhythm.is_rapid() && !is_repeated {
                hold(state, out, key);
                return true;
            }
            slow::takes_character(state, key, char)
        }
        Part::Frame if state.scan.may_frame(rhythm) => {
            hold(state, out, key);
            true
        }
        Part::End if rhythm.follows => end(state, out, burst),
        Part::End if key.code == KeyCode::Enter => slow::takes_enter(state, out),
        _ => {
            state.scan.before = None;
            state.scan.typed.clear();
            false
        }
    }
}

/// Takes pasted text if it is a code: an id, or where there is no text field any.
pub(crate) fn takes_paste(state: &mut State, out: &mut Out, text: &str) -> bool {
    if is_at_desk(state) {
        return false;
    }
    let codes = read(text, Pace::Typed);
    let is_code = match state.typing() {
        Typing::No => !codes.is_empty() && codes.iter().all(|code| is_code(state, code)),
        Typing::Beginning | Typing::Yes => desk(state).is_some() && slow::are_ids(&codes),
        Typing::Secret => false,
    };
    if is_code {
        arrived(state, out, codes);
    }
    is_code
}

/// Whether a typed text consists of codes.
fn are_codes(state: &State, text: &str) -> bool {
    let codes = read(text, Pace::Typed);
    !codes.is_empty() && codes.iter().all(|code| is_code(state, code))
}

/// Whether a text has the form of a code, or is a ticket that the desk knows.
fn is_code(state: &State, arrived: &Arrived) -> bool {
    arrived.is_code() || is_known(state, arrived)
}

/// Whether the desk knows a guest with this ticket.
fn is_known(state: &State, code: &Arrived) -> bool {
    let desk = desk(state).and_then(|at| state.screens.get(at));
    desk.and_then(|desk| desk.screen.codes())
        .is_some_and(|codes| codes.knows(code))
}

/// The index of the open desk, which other screens may cover.
fn desk(state: &State) -> Option<usize> {
    let mut places = (0..state.screens.len()).rev();
    places.find(|at| state.screens[*at].screen.codes().is_some())
}

fn is_at_desk(state: &State) -> bool {
    state.layers.is_empty() && desk(state).is_some_and(|at| at + 1 == state.screens.len())
}

/// Gives codes to the desk. Without one, nothing happens but a message.
fn arrived(state: &mut State, out: &mut Out, codes: Vec<Arrived>) {
    state.shared.burst.clear();
    state.scan.ended = Ended::Code;
    let is_covered = !is_at_desk(state);
    if desk(state).is_none() {
        let codes: Vec<&str> = codes.iter().map(|code| code.text.as_str()).collect();
        let code = fit(&clean(&codes.join(" ")), 40);
        let words = format!("Code {code} was scanned, but no check-in desk is open");
        return state.cx(out).toast(Mark::Warn, words);
    }
    read_at_desk(state, out, |reader, cx| {
        reader.scanned(cx, codes);
        if is_covered {
            cx.toast(Mark::Info, "Code scanned; the desk shows the result");
        }
    });
}

/// Lets the open desk handle what arrived.
fn read_at_desk(state: &mut State, out: &mut Out, read: impl FnOnce(&mut dyn ReadsCodes, &mut Cx)) {
    let Some(opened) = desk(state).and_then(|at| state.screens.get_mut(at)) else {
        return;
    };
    let mut cx = Cx {
        shared: &mut state.shared,
        out,
        owner: Owner::Screen(opened.id),
    };
    if let Some(reader) = opened.screen.codes_mut() {
        read(reader, &mut cx);
    }
}
