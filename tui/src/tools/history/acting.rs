//! The commands for a call of the history.

use frontdesk_client::history::RecordedCall;
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_protocol::Host;

use super::compare::CompareScreen;
use super::{HistoryScreen, Wanted};
use crate::app::cx::Cx;
use crate::app::effects::server_jobs::FetchTools;
use crate::app::history::{Forget, ForgetCalls};
use crate::app::owner::RequestId;
use crate::app::peer::Peer;
use crate::app::state::State;
use crate::call_form::CallScreen;
use crate::look::mark::Mark;
use crate::look::text::{clean, count, fit};
use crate::ui::confirm::Confirm;
use crate::ui::trouble::trouble;

/// The host or server of the call.
fn peer(entry: &RecordedCall) -> Peer {
    match entry.peer.parse::<Host>() {
        Ok(host) => Peer::Host(host),
        Err(_) => Peer::Server(entry.peer.clone()),
    }
}

impl HistoryScreen {
    /// Shows the selected call.
    pub(super) fn open(&mut self) {
        if !self.search.end() && self.current().is_some() {
            self.top = Some(0);
        }
    }

    /// Opens the form of the call; `again` repeats it immediately if nothing is missing.
    pub(super) fn fill_in(&mut self, cx: &mut Cx, again: bool) {
        let Some(entry) = self.current() else { return };
        let (peer, wanted) = (
            peer(entry),
            Wanted {
                id: entry.id,
                again,
            },
        );
        if let Peer::Server(name) = &peer
            && !cx.shared.servers.contains(name)
        {
            let words = format!("Server {} is not configured any more", clean(name));
            cx.toast(Mark::Warn, words);
            return;
        }
        match cx.shared.tools.contains_key(&peer) {
            true => self.go_on(cx, &peer, wanted),
            // The tools are not loaded yet.
            false => self.wanted = Some((cx.run(FetchTools(peer)), wanted)),
        }
    }

    /// Handles the tools of a host or server.
    pub(super) fn offered(
        &mut self,
        cx: &mut Cx,
        request: RequestId,
        peer: Peer,
        result: Result<Vec<ToolInfo>, CallError>,
    ) {
        let Some((_, wanted)) = self.wanted.take_if(|(waited, _)| *waited == request) else {
            return;
        };
        match result {
            Ok(tools) => {
                cx.shared.tools.insert(peer.clone(), tools);
                self.go_on(cx, &peer, wanted);
            }
            Err(error) => {
                let problem = trouble(&error, &peer, true);
                let words = format!("{}. {}", problem.title, clean(&problem.what));
                cx.toast(Mark::Bad, words);
            }
        }
    }

    fn go_on(&mut self, cx: &mut Cx, peer: &Peer, wanted: Wanted) {
        let Some(entry) = self.entry(wanted.id) else {
            return;
        };
        let tools = cx.shared.tools.get(peer);
        let tool = tools.and_then(|tools| tools.iter().find(|tool| tool.name == entry.tool));
        let Some(tool) = tool.cloned() else {
            let words = format!(
                "{} does not offer {} to you any more",
                peer.title(),
                fit(&entry.tool, 40)
            );
            cx.toast(Mark::Warn, words);
            return;
        };
        let mut screen = CallScreen::new(peer.clone(), tool);
        screen.recall(entry);
        if wanted.again {
            screen.call_once_shown();
        }
        cx.open(screen);
    }

    /// Toggles the mark of the selected call.
    pub(super) fn mark(&mut self) {
        self.marked = match self.marked == self.selected {
            true => None,
            false => self.selected,
        };
    }

    /// The compared calls, the older one first.
    fn pair(&self) -> Result<(&RecordedCall, &RecordedCall), &'static str> {
        let marked = self.marked.and_then(|id| self.entry(id));
        let (Some(marked), Some(current)) = (marked, self.current()) else {
            return Err("mark the other call first");
        };
        if marked.id == current.id {
            return Err("select a different call from the marked one");
        }
        let has_value = |entry: &RecordedCall| {
            let result = entry.result.as_ref();
            result.is_some_and(|result| result.value.is_some())
        };
        if !has_value(marked) || !has_value(current) {
            return Err("the result of one of them was not kept");
        }
        match marked.id < current.id {
            true => Ok((marked, current)),
            false => Ok((current, marked)),
        }
    }

    /// Opens the comparison of the marked and the selected call.
    pub(super) fn compare(&mut self, cx: &mut Cx) {
        if let Ok((older, newer)) = self.pair() {
            let screen = CompareScreen::between(older.clone(), newer.clone());
            cx.open(screen);
        }
    }

    /// Copies the recorded call as JSON.
    pub(super) fn copy(&mut self, cx: &mut Cx) {
        let json = self.current().map(serde_json::to_string_pretty);
        if let Some(Ok(json)) = json {
            cx.copy(json, "as JSON");
        }
    }

    /// Asks before deleting the selected call.
    pub(super) fn ask_to_delete(&mut self, cx: &mut Cx) {
        let Some(entry) = self.current() else { return };
        cx.raise(Confirm {
            title: "Delete this call from the history?".to_owned(),
            body: format!("The effect of {} is not undone.", fit(&entry.tool, 40)),
            then: |state, out| {
                state.act::<HistoryScreen>(out, |screen, cx| {
                    if let Some(id) = screen.selected {
                        screen.forget(cx, Forget::One(id));
                    }
                });
            },
        });
    }

    /// Asks before clearing the history.
    pub(super) fn ask_to_clear(&mut self, cx: &mut Cx) {
        let calls = self.entries.as_ref().map_or(0, Vec::len);
        cx.raise(Confirm {
            title: "Clear the history?".to_owned(),
            body: format!(
                "Deletes {} from this machine. This cannot be undone. The effects of the calls \
                 remain.",
                count(calls, "call", "calls")
            ),
            then: |state, out| {
                state.act::<HistoryScreen>(out, |screen, cx| screen.forget(cx, Forget::All));
            },
        });
    }

    fn forget(&mut self, cx: &mut Cx, what: Forget) {
        let account = cx.caller();
        cx.run(ForgetCalls(account, what));
    }
}

/// Why there is no call for a command.
pub(super) fn no_call(state: &State) -> Option<String> {
    let screen = state.shows::<HistoryScreen>()?;
    screen
        .current()
        .is_none()
        .then(|| "no call is selected".to_owned())
}

/// Why no call can be opened.
pub(super) fn is_open(state: &State) -> Option<String> {
    let is_open = state
        .shows::<HistoryScreen>()
        .is_some_and(|screen| screen.top.is_some());
    match is_open {
        true => Some("it is open already".to_owned()),
        false => no_call(state),
    }
}

/// Why the calls cannot be compared.
pub(super) fn no_pair(state: &State) -> Option<String> {
    let why = state.shows::<HistoryScreen>()?.pair().err()?;
    Some(why.to_owned())
}

/// Why the history cannot be cleared.
pub(super) fn no_calls(state: &State) -> Option<String> {
    let screen = state.shows::<HistoryScreen>()?;
    let is_empty = screen.entries.as_ref().is_none_or(Vec::is_empty);
    is_empty.then(|| "the history is empty".to_owned())
}
