//! The interface of screens.

use std::any::Any;
use std::fmt::Debug;

use crossterm::event::KeyEvent;
use frontdesk_client::Progress;
use frontdesk_protocol::door::Arrived;
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use uuid::Uuid;

use super::cx::{Cx, News};
use super::shared::Shared;
use super::state::Typing;
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::effects::job::Outcome;
use crate::app::input::context::Context;
use crate::app::owner::RequestId;

/// A screen. Its commands are in its `COMMANDS`.
pub(crate) trait Screen: Any + Debug {
    /// The context of its keys.
    fn context(&self) -> &'static Context;

    /// The id and the name of the record that it shows, if it is one of a host.
    fn subject(&self) -> Option<(String, String)> {
        None
    }

    /// Its name in the breadcrumbs. Default: the title of its keys.
    fn crumb(&self) -> String {
        self.context().title.to_owned()
    }

    /// The screen became visible, or somebody signed in. It requests missing data and sets its
    /// timers. Default: requests everything.
    fn shown(&mut self, cx: &mut Cx) {
        self.refresh(cx);
    }

    /// The screen was hidden. It cancels its timers.
    fn hidden(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// Reloads everything at the user's request.
    fn refresh(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// The time of the shown data, if it comes from a host and is renewed as it ages.
    fn as_of(&self) -> Option<Timestamp> {
        None
    }

    /// Requests the shown data again because of its age or after a write. Nothing that the user has
    /// typed or selected changes.
    fn renew(&mut self, cx: &mut Cx) {
        self.refresh(cx);
    }

    /// The calls of whose results the hosts tell changes, if it handles these by itself; otherwise they are those that it
    /// has made, and it is renewed.
    fn listens_to(&self, shared: &Shared) -> Option<Vec<ToolCall>> {
        let _ = shared;
        None
    }

    /// A host tells that the result of one of these calls changed, which is of this tool.
    fn heard(&mut self, cx: &mut Cx, tool: &str) {
        let _ = (cx, tool);
    }

    /// Handles the outcome of its work.
    fn answered(&mut self, cx: &mut Cx, request: RequestId, outcome: Outcome) {
        if let Outcome::Call(answer) = outcome {
            self.tool_answered(cx, request, answer);
        }
    }

    /// Handles the answer of a tool, if its work is nothing but calls.
    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let _ = (cx, request, answer);
    }

    /// Handles progress of its work.
    fn progressed(&mut self, cx: &mut Cx, request: RequestId, progress: &Progress) {
        let _ = (cx, request, progress);
    }

    /// The size of the terminal changed.
    fn resized(&mut self, cx: &mut Cx) {
        let _ = cx;
    }

    /// Handles its timer.
    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        let _ = (cx, request);
    }

    /// Handles an event announced to all screens.
    fn notified(&mut self, cx: &mut Cx, news: &News) {
        let _ = (cx, news);
    }

    /// How letters are handled.
    fn typing(&self) -> Typing {
        Typing::No
    }

    /// Handles a key that is not a command.
    fn key(&mut self, cx: &mut Cx, key: KeyEvent) {
        let _ = (cx, key);
    }

    /// Handles pasted text.
    fn paste(&mut self, cx: &mut Cx, text: &str) {
        let _ = (cx, text);
    }

    /// The screen as a reader of scanned codes, if it is one.
    fn codes(&self) -> Option<&dyn ReadsCodes> {
        None
    }

    /// The same, mutable.
    fn codes_mut(&mut self) -> Option<&mut dyn ReadsCodes> {
        None
    }

    /// Moves the selection of its list by this many rows.
    fn step(&mut self, cx: &mut Cx, by: isize) {
        let _ = (cx, by);
    }

    /// Selects the card at this place in this column. Returns whether it was selected before.
    fn point(&mut self, cx: &mut Cx, column: usize, place: usize) -> bool {
        let _ = (cx, column, place);
        false
    }

    /// Shows the tab this many after the visible one.
    fn turn_tab(&mut self, cx: &mut Cx, by: isize) {
        let _ = (cx, by);
    }

    /// Handles going back. `true` if something inside the screen was closed.
    fn escape(&mut self, cx: &mut Cx) -> bool {
        let _ = cx;
        false
    }

    /// Whether going back stops something that is under way.
    fn stops(&self) -> bool {
        false
    }

    /// Handles going to Home, which may keep what going back would discard. `true` as for [`Screen::escape`].
    fn leave(&mut self, cx: &mut Cx) -> bool {
        self.escape(cx)
    }

    /// Whether its list can be searched.
    fn can_search(&self) -> bool {
        false
    }

    /// Whether its list can be sorted.
    fn can_sort(&self) -> bool {
        self.can_search()
    }

    /// Focuses the search field of its list.
    fn search(&mut self) {}

    /// Sorts its list by the next column.
    fn sort(&mut self, shared: &Shared) {
        let _ = shared;
    }

    /// Reverses the order of its list.
    fn reverse(&mut self, shared: &Shared) {
        let _ = shared;
    }

    /// Whether a list opened by name replaces it; otherwise it stays below, with what the user has
    /// begun there.
    fn gives_way(&self) -> bool {
        false
    }

    /// Whether the user waits here for an answer of this server.
    fn waits_for(&self, server: &str) -> bool {
        let _ = server;
        false
    }

    /// The question of a server that it answers.
    fn asks(&self) -> Option<Uuid> {
        None
    }

    /// Whether what its keys act on is being loaded for the first time.
    fn awaits(&self) -> bool {
        false
    }

    /// Whether the user waits for an answer.
    fn is_busy(&self) -> bool {
        false
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect);
}

/// A screen to which scanned codes go, also while others or layers cover it.
pub(crate) trait ReadsCodes {
    /// Whether it knows a guest with this code.
    fn knows(&self, code: &Arrived) -> bool;

    /// Handles codes.
    fn scanned(&mut self, cx: &mut Cx, codes: Vec<Arrived>);

    /// Handles a code whose beginning may stand before it in the box: a scanner can pause in the middle.
    fn continued(&mut self, cx: &mut Cx, code: &str);

    /// Forgets what the account has seen, which was closed. Returns whether the screen stays, to keep what is scanned until
    /// somebody signs in.
    fn forget_account(&mut self, cx: &mut Cx) -> bool;
}
