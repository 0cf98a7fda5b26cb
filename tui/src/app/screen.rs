//! What every screen can do.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyEvent;
use frontdesk_client::Progress;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::command::Context;
use super::cx::{Cx, News};
use super::effect::{Outcome, RequestId};
use super::shared::Shared;
use super::state::Typing;

/// What becomes of codes that are scanned while a screen is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codes {
    /// They are text like any other.
    Text,
    /// The screen takes them, also while something covers it.
    Here,
    /// They are for the screen below.
    Below,
}

/// A screen. What it does by command stands in its `COMMANDS`.
pub(crate) trait Screen: Any + Debug {
    /// Where its keys work.
    fn context(&self) -> &'static Context;

    /// Its name in the breadcrumbs.
    fn crumb(&self) -> String;

    /// It is visible: for the first time, again, or after somebody signed in. It asks for what it
    /// has not got, and sets its timers.
    fn shown(&mut self, cx: &mut Cx);

    /// It is not visible any more; it cancels its timers.
    fn hidden(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// The person asks for everything anew.
    fn refresh(&mut self, cx: &mut Cx);

    /// Work ended that it had begun.
    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome);

    /// Work goes on that it had begun: how far it is.
    fn progressed(&mut self, cx: &mut Cx, request: RequestId, progress: &Progress) {
        let _ = (cx, request, progress);
    }

    /// The terminal has another size.
    fn resized(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// A timer of its own fired.
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        let _ = (cx, request);
    }

    /// Something happened that may concern it.
    fn told(&mut self, cx: &mut Cx, news: &News) {
        let _ = (cx, news);
    }

    /// How a key that could be text is to be taken.
    fn typing(&self) -> Typing {
        Typing::No
    }

    /// A key that no command took.
    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let _ = (cx, key);
    }

    /// Text was pasted.
    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let _ = (cx, text);
    }

    /// What becomes of codes that are scanned while it is visible.
    fn codes(&self) -> Codes {
        Codes::Text
    }

    /// A scanner wrote this text while something covered the screen. Returns the byte at which the code
    /// begins, if there is one.
    fn scanned(&mut self, cx: &mut Cx, text: &str) -> Option<usize> {
        let _ = (cx, text);
        None
    }

    /// The selection of its list moves by this many rows.
    fn step(&mut self, cx: &mut Cx, by: isize) {
        let _ = (cx, by);
    }

    /// The person wants to go back. `true`: there was something nearer to close.
    fn escape(&mut self, cx: &mut Cx) -> bool {
        let _ = cx;
        false
    }

    /// Whether its list can be searched and sorted.
    fn can_search(&self) -> bool {
        false
    }

    /// Whether its list can be sorted.
    fn can_sort(&self) -> bool {
        self.can_search()
    }

    /// Puts the cursor into the search field of its list.
    fn search(&mut self) {}

    /// Sorts its list by the next column.
    fn sort(&mut self, shared: &Shared) {
        let _ = shared;
    }

    /// Turns the order of its list around.
    fn reverse(&mut self, shared: &Shared) {
        let _ = shared;
    }

    /// Whether the person waits for an answer.
    fn is_busy(&self) -> bool;

    /// Draws it.
    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect);
}
