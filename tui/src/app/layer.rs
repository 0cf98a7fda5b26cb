//! What can lie over a screen. The topmost layer has the keys.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyEvent;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::command::Context;
use super::cx::Cx;
use super::effect::{Outcome, RequestId};
use super::state::{State, Typing};

/// A layer over the screen. What it does by command stands in its `COMMANDS`.
pub(crate) trait Layer: Any + Debug {
    /// Where its keys work.
    fn context(&self) -> &'static Context;

    /// How a key that could be text is to be taken.
    fn typing(&self) -> Typing {
        Typing::Yes
    }

    /// Whether it asks who is here: it is open once, and goes when somebody has signed in.
    fn is_sign_in(&self) -> bool {
        false
    }

    /// In a list under a search field, moves the selection by this many rows.
    fn step(&mut self, by: isize) {
        let _ = by;
    }

    /// A key that no command took.
    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let _ = (cx, key);
    }

    /// Text was pasted.
    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let _ = (cx, text);
    }

    /// Work of the app ended.
    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: &Outcome) {
        let _ = (cx, request, outcome);
    }

    /// A timer of the app fired.
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        let _ = (cx, request);
    }

    /// Whether the person waits for an answer.
    fn is_busy(&self) -> bool {
        false
    }

    /// Draws it.
    fn draw(&self, state: &State, frame: &mut Frame, area: Rect);
}

/// In the topmost layer, if it is a list under a search field, moves the selection by this many rows.
pub(crate) fn step(state: &mut State, by: isize) {
    if let Some(layer) = state.layers.last_mut() {
        layer.step(by);
    }
}
