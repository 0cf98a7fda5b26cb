//! Keys in a scanner's rhythm, away from the box of the desk: they wait until it is known whether they are a code.

use crossterm::event::KeyEvent;
use frontdesk_protocol::door::{Arrived, Pace, read};
use jiff::SignedDuration;

use super::{arrived, desk, is_code, is_known, slow};
use crate::app::cx::Out;
use crate::app::input::press::{is_typed, press_key};
use crate::app::input::scan::{FRAME, LONGEST, Part, SHORTEST};
use crate::app::navigation::follow;
use crate::app::owner::RequestId;
use crate::app::state::State;

/// The time in which the rest of a code follows, although a slow connection holds it back.
const PAUSE: SignedDuration = SignedDuration::from_millis(200);
/// The same behind one or two characters, which are rather a person's.
const SHORT_PAUSE: SignedDuration = SignedDuration::from_millis(60);

/// Signs that open a field for a command or a search.
const OPENERS: [char; 3] = [':', '/', '?'];

/// Holds a key back.
pub(super) fn hold(state: &mut State, out: &mut Out, key: KeyEvent) {
    if state.scan.held.len() >= LONGEST {
        // A long text is pasted as keys.
        replay(state, out);
    }
    state.scan.held.push(key);
    let pause = match state.scan.held.len() < SHORTEST {
        true => SHORT_PAUSE,
        false => PAUSE,
    };
    let mut before = state.scan.timer.take();
    let mut cx = state.cx(out);
    cx.cancel(&mut before);
    state.scan.timer = Some(state.cx(out).after(pause));
}

/// Handles the timer: nothing has followed.
pub(crate) fn fired(state: &mut State, out: &mut Out, timer: RequestId) {
    if state.scan.timer.take_if(|own| *own == timer).is_some() {
        settle(state, out, false);
    }
}

/// Something else than a key came.
pub(crate) fn break_off(state: &mut State, out: &mut Out) {
    settle(state, out, false);
    state.scan.before = None;
    state.scan.typed.clear();
    state.shared.burst.clear();
}

/// Decides about the held keys, which nothing follows soon; perhaps a person has pressed Enter behind them. Returns whether
/// that belongs to a code.
pub(super) fn settle(state: &mut State, out: &mut Out, has_enter: bool) -> bool {
    if state.scan.held.is_empty() {
        return false;
    }
    let burst = std::mem::take(&mut state.shared.burst);
    decide(state, out, &burst, has_enter)
}

/// Decides about the held keys at the end of a burst. Returns whether the end belongs to a code.
pub(super) fn end(state: &mut State, out: &mut Out, burst: &str) -> bool {
    match state.scan.held.is_empty() {
        true => slow::takes_enter(state, out),
        false => decide(state, out, burst, true),
    }
}

fn decide(state: &mut State, out: &mut Out, burst: &str, is_ended: bool) -> bool {
    let mut held = state.scan.held.iter();
    let first = held.find(|key| matches!(Part::of(**key), Part::Character(_)));
    let is_choice = state.layers.last().is_some_and(|layer| layer.is_choice());
    let is_in_field = !is_choice && first.is_some_and(|key| is_typed(state, *key));
    let begins = |key: &KeyEvent| matches!(Part::of(*key), Part::Frame);
    let is_framed = state.scan.held.first().is_some_and(begins) && length(burst) >= SHORTEST;
    let is_scan = match is_in_field {
        // Only scanners send signs around a code. As a key, ETX would end the app.
        _ if is_framed => true,
        // Without a desk, the field is meant.
        true if desk(state).is_none() => false,
        true => is_known_in_field(state, burst, is_ended),
        false => is_code_at_commands(state, burst, is_ended),
    };
    if !is_scan {
        replay(state, out);
        return false;
    }
    let codes = read(burst, Pace::Scanned);
    let typed = match desk(state) {
        _ if !is_in_field => 0,
        Some(_) => left_over(burst, &codes),
        None => length(burst),
    };
    let held = std::mem::take(&mut state.scan.held).into_iter();
    let chars = held.filter(|key| matches!(Part::of(*key), Part::Character(_)));
    state.scan.held = chars.take(typed).collect();
    replay(state, out);
    arrived(state, out, codes);
    is_ended
}

/// Whether characters that would be typed into a field are tickets of known guests. Anything else stays in the field: a
/// password manager, a text expander and a slow connection type as fast as a scanner.
fn is_known_in_field(state: &State, burst: &str, is_ended: bool) -> bool {
    let codes = read(burst, Pace::Typed);
    let is_meant = is_ended || length(burst) >= SHORTEST;
    is_meant && !codes.is_empty() && codes.iter().all(|code| is_known(state, code))
}

/// Whether characters that would run commands are a code: any three, unless a person would press them so.
fn is_code_at_commands(state: &State, burst: &str, is_ended: bool) -> bool {
    let is_one =
        |codes: &[Arrived]| !codes.is_empty() && codes.iter().all(|code| is_code(state, code));
    let arrived = read(burst, Pace::Scanned);
    let are_known = arrived.iter().all(|code| is_known(state, code));
    let is_ticket = is_ended && !arrived.is_empty() && are_known;
    let inner = burst.trim_start_matches(OPENERS);
    let is_opened = inner != burst && !is_one(&read(inner, Pace::Typed));
    let mut chars = burst.chars();
    let first = chars.next();
    let is_one_key = chars.all(|char| Some(char) == first) && !is_one(&read(burst, Pace::Typed));
    is_ticket || length(burst) >= SHORTEST && !is_opened && !is_one_key
}

/// The number of characters before a code that a person has typed.
fn left_over(burst: &str, codes: &[Arrived]) -> usize {
    let start = codes.first().map_or(0, |first| first.start);
    let before = burst[..start].trim_start_matches(FRAME);
    let is_typed = before.contains(char::is_alphabetic) && !before.starts_with(']');
    if is_typed { length(before) } else { 0 }
}

/// The number of characters without those around a code.
fn length(burst: &str) -> usize {
    burst.chars().filter(|char| *char != FRAME).count()
}

/// Presses the held keys: they are a person's.
pub(super) fn replay(state: &mut State, out: &mut Out) {
    let mut timer = state.scan.timer.take();
    state.cx(out).cancel(&mut timer);
    for key in std::mem::take(&mut state.scan.held) {
        press_key(state, out, key);
        follow(state, out);
    }
}
