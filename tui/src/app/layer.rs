//! Layers over a screen. The topmost one receives the keys.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::cx::Cx;
use super::state::{State, Typing};
use crate::app::effects::job::Outcome;
use crate::app::input::context::Context;
use crate::app::owner::RequestId;

/// A layer over the screen. Its commands are in its `COMMANDS`.
pub(crate) trait Layer: Any + Debug {
    /// The context of its keys.
    fn context(&self) -> &'static Context;

    /// How letters are handled.
    fn typing(&self) -> Typing {
        Typing::Yes
    }

    /// Whether it is the sign-in, which is open at most once and closes after a sign-in.
    fn is_sign_in(&self) -> bool {
        false
    }

    /// Moves the selection of a searchable list by this many rows.
    fn step(&mut self, by: isize) {
        let _ = by;
    }

    /// Handles a key that is not a command.
    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let _ = (cx, key);
    }

    /// Handles pasted text.
    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let _ = (cx, text);
    }

    /// Handles the outcome of the app's work.
    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        let _ = (cx, request, outcome);
    }

    /// Handles a timer of the app.
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        let _ = (cx, request);
    }

    /// Whether what its keys act on is being loaded for the first time.
    fn awaits(&self) -> bool {
        false
    }

    /// Whether its letters choose something that is done at once.
    fn is_choice(&self) -> bool {
        false
    }

    /// Whether the user waits for an answer.
    fn is_busy(&self) -> bool {
        false
    }

    fn draw(&self, state: &State, frame: &mut Frame, area: Rect);
}

/// Moves the selection by this many rows, if the topmost layer is a searchable list.
pub(crate) fn step(state: &mut State, by: isize) {
    if let Some(layer) = state.layers.last_mut() {
        layer.step(by);
    }
}
