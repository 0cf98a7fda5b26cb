//! One tool for several records: a table of what will happen, one confirmation, and a call for each
//! record. What fails does not keep the others from being done.

mod commands;
mod row;
mod view;

use std::fmt;

use frontdesk_client::CallError;
use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::mcp::Action as Joined;
use ratatui::Frame;
use ratatui::layout::Rect;

pub(crate) use commands::COMMANDS;
use row::{Fate, Row};

use super::changes::{self, Preview, Tense};
use super::{IS_DONE, Previewed};
use crate::app::cx::{Cx, Out};
use crate::app::effects::call::{Answer, ToolCall};
use crate::app::input::command::Context;
use crate::app::owner::RequestId;
use crate::app::screen::Screen;
use crate::app::shared::Shared;
use crate::app::state::State;
use crate::look::mark::Mark;
use crate::look::text::{count, fit};
use crate::ui::confirm::Confirm;
use crate::ui::table;
use crate::ui::typed::Typed;

/// The number of previews at the same time.
const AT_ONCE: usize = 4;
/// Maximum number of sentences in the question.
const MOST: usize = 4;

/// What is done to several records.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    /// The title of the tool: "Delete stage".
    pub(crate) title: String,
    /// The text before and after the records in the question: "Set 3 tasks to blocked".
    pub(crate) asks: [String; 2],
    /// The same in the message afterwards.
    pub(crate) done: [String; 2],
    /// Singular and plural of the records.
    pub(crate) nouns: (String, String),
    /// Whether the tool deletes or overwrites data.
    pub(crate) is_destructive: bool,
    /// Whether the server shows what a call would change.
    pub(crate) previews: bool,
}

/// A record, and the call for it.
#[derive(Debug)]
pub(crate) struct Each {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) call: ToolCall,
}

/// Handles a call that was made for the record with this id.
type Then = fn(&mut State, &mut Out, &str);

/// The phase of the action.
#[derive(Debug)]
enum Phase {
    /// The calls are previewed.
    Looking,
    /// The user views the table.
    Choosing,
    /// The calls are made, one after the other.
    Working,
    /// The user or a lost connection has ended it early.
    Stopped(Option<CallError>),
    /// Every call was made.
    Over,
}

/// An action on several records.
pub(crate) struct ForEach {
    action: Action,
    rows: Vec<Row>,
    at: usize,
    phase: Phase,
    /// The timer until a host accepts calls again.
    pause: Option<RequestId>,
    /// Joins the calls to one change in the history.
    joined: Joined,
    then: Then,
}

impl fmt::Debug for ForEach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForEach")
            .field("action", &self.action)
            .field("rows", &self.rows)
            .field("phase", &self.phase)
            .finish_non_exhaustive()
    }
}

impl ForEach {
    /// The action on these records. Each call has its own idempotency key, which its preview shares.
    pub(crate) fn new(
        action: Action,
        each: impl IntoIterator<Item = Each>,
        shared: &mut Shared,
        then: Then,
    ) -> Self {
        let rows = each.into_iter().map(|mut each| {
            each.call.options.idempotency_key = Some(shared.key_of(&each.call));
            Row::new(each, action.previews)
        });
        ForEach {
            rows: rows.collect(),
            action,
            at: 0,
            phase: Phase::Looking,
            pause: None,
            joined: Joined::New,
            then,
        }
    }

    /// "Set 3 tasks to blocked"
    fn said(&self, [before, after]: &[String; 2], records: &str) -> String {
        format!("{before}{records}{after}")
    }

    /// "3 tasks"
    fn records(&self, number: usize) -> String {
        let (one, many) = &self.action.nouns;
        count(number, one, many)
    }

    fn number(&self, is: impl Fn(&Fate) -> bool) -> usize {
        self.rows.iter().filter(|row| is(&row.fate)).count()
    }

    /// Starts as many requests as possible.
    fn go_on(&mut self, cx: &mut Cx) {
        if self.pause.is_some() {
            return;
        }
        match self.phase {
            Phase::Looking => {
                let asking = self.number(Fate::is_pending);
                let rows = self.rows.iter_mut();
                let unseen = rows.filter(|row| matches!(row.fate, Fate::Unseen));
                for row in unseen.take(AT_ONCE.saturating_sub(asking)) {
                    let dry_run = Preview::dry_run(&row.call);
                    row.fate = Fate::Asking(cx.send(dry_run));
                }
                if !self.rows.iter().any(|row| row.fate.is_pending()) {
                    self.phase = Phase::Choosing;
                }
            }
            Phase::Working if self.number(Fate::is_pending) == 0 => {
                let mut rows = self.rows.iter_mut();
                match rows.find(|row| matches!(row.fate, Fate::Waiting(_))) {
                    Some(row) => row.call(cx, self.joined),
                    None => self.over(cx),
                }
            }
            _ => {}
        }
    }

    /// Every call was made. Leaves the screen if all have succeeded.
    fn over(&mut self, cx: &mut Cx) {
        self.phase = Phase::Over;
        self.tell_done(cx);
        if self.rows.iter().all(|row| row.fate.is_done()) {
            cx.back();
        }
    }

    /// Says what was done, and offers to undo it as a whole.
    fn tell_done(&self, cx: &mut Cx) {
        let change = match self.joined {
            Joined::Of(id) => Some(id.to_string()),
            Joined::New => None,
        };
        if let Some(change) = &change {
            cx.changed(change);
        }
        let done = self.number(Fate::is_done);
        if done > 0 {
            let words = self.said(&self.action.done, &self.records(done));
            cx.toast_change(&words, change.as_deref());
        }
    }

    /// Why the action cannot be confirmed.
    fn no_apply(&self) -> Option<String> {
        let words = match self.phase {
            Phase::Looking => "the table is still loading",
            Phase::Choosing if self.number(Fate::is_ready) == 0 => {
                match self.number(Fate::is_refused) {
                    0 => "nothing would change",
                    _ => "nothing can be done, as the table says",
                }
            }
            Phase::Choosing => return None,
            Phase::Working => "it is being done",
            Phase::Stopped(_) => "it was stopped",
            Phase::Over => IS_DONE,
        };
        Some(words.to_owned())
    }

    /// All changes together.
    fn changes(&self) -> Changes {
        let mut all = Changes::default();
        for changes in self.rows.iter().filter_map(|row| row.fate.changes()) {
            all.rows.extend(changes.rows.iter().cloned());
            all.more.extend(changes.more.iter().cloned());
            all.webhooks.extend(changes.webhooks.iter().cloned());
        }
        all
    }

    /// Asks before the calls are made. A destructive tool asks for the number of records.
    fn confirm(&mut self, cx: &mut Cx) {
        if self.no_apply().is_some() {
            return;
        }
        let number = self.number(Fate::is_ready);
        let title = format!("{}?", self.said(&self.action.asks, &self.records(number)));
        let mut body = changes::sentences(&self.changes(), Tense::Preview);
        body.truncate(MOST);
        let same = self.number(Fate::is_same);
        if same > 0 {
            body.push(format!("Nothing changes for {}.", self.records(same)));
        }
        let left = self.rows.len() - number - same - self.number(Fate::is_done);
        if left > 0 {
            body.push(format!("Not done for {}.", self.records(left)));
        }
        match self.action.is_destructive {
            true => cx.raise(
                Typed::new(fit(&title, 60), body, &number.to_string(), |state, out| {
                    state.act(out, ForEach::apply);
                })
                .asking_for("number of records"),
            ),
            false => cx.raise(Confirm {
                title: fit(&title, 54),
                body: body.join("\n"),
                then: |state, out| state.act(out, ForEach::apply),
            }),
        }
    }

    fn apply(&mut self, cx: &mut Cx) {
        if self.no_apply().is_none() {
            for row in &mut self.rows {
                row.confirmed();
                if row.fate.is_done() {
                    let (then, id) = (self.then, row.id.clone());
                    cx.then(move |state, out| then(state, out, &id));
                }
            }
            self.phase = Phase::Working;
            self.go_on(cx);
        }
    }

    /// Makes the calls that were not made, and those whose outcome is unknown: with its key, a host
    /// makes a call once only. What was refused is previewed again.
    fn again(&mut self, cx: &mut Cx) {
        let is_open = |row: &Row| matches!(row.fate, Fate::Waiting(_)) || row.can_check();
        match self.phase {
            Phase::Looking | Phase::Working => return,
            Phase::Stopped(_) | Phase::Over if self.rows.iter().any(is_open) => {
                self.rows.iter_mut().for_each(Row::check);
                self.phase = Phase::Working;
            }
            Phase::Choosing | Phase::Stopped(_) | Phase::Over => {
                self.rows.iter_mut().for_each(Row::look_again);
                self.phase = Phase::Looking;
            }
        }
        self.go_on(cx);
    }

    /// Says what was done before it was stopped, once the last call is answered.
    fn tell_stopped(&self, cx: &mut Cx) {
        if matches!(self.phase, Phase::Stopped(_)) && self.number(Fate::is_pending) == 0 {
            self.tell_done(cx);
        }
    }

    fn asked(&mut self, cx: &mut Cx, at: usize, answer: Answer) {
        let row = &mut self.rows[at];
        row.fate = match answer.result {
            Ok(reply) => {
                if let Some(changes) = &reply.changes {
                    changes::want_names(cx, changes);
                }
                Fate::Seen(reply.changes)
            }
            Err(error) => match error.wait() {
                Some(wait) => {
                    self.pause = Some(cx.after(wait));
                    Fate::Unseen
                }
                None => Fate::Refused(error),
            },
        };
    }

    fn called(&mut self, cx: &mut Cx, at: usize, answer: Answer) {
        let row = &mut self.rows[at];
        let Fate::Calling(_, changes) = std::mem::replace(&mut row.fate, Fate::Unseen) else {
            return;
        };
        match answer.result {
            Ok(reply) => {
                row.fate = Fate::Done;
                if let Some(action) = reply.action {
                    self.joined = Joined::Of(action);
                }
                // A call can change records of other kinds than its tool declares.
                for kind in changes.iter().flat_map(|changes| changes::kinds(changes)) {
                    cx.tell_outdated(kind);
                }
                let (then, id) = (self.then, row.id.clone());
                cx.then(move |state, out| then(state, out, &id));
            }
            Err(error) if error.wait().is_some() => {
                row.fate = Fate::Waiting(changes);
                self.pause = error.wait().map(|wait| cx.after(wait));
            }
            // The call was not made.
            Err(error @ (CallError::Unreachable { .. } | CallError::SignedOut(_))) => {
                row.fate = Fate::Waiting(changes);
                self.phase = Phase::Stopped(Some(error));
            }
            Err(error) if error.may_be_done() => {
                row.fate = Fate::Unknown(error.clone(), changes);
                if !matches!(error, CallError::Tool(_)) {
                    self.phase = Phase::Stopped(Some(error));
                }
            }
            Err(error) => row.fate = Fate::Failed(error),
        }
        self.tell_stopped(cx);
    }
}

impl Screen for ForEach {
    fn context(&self) -> &'static Context {
        &commands::SEVERAL
    }

    fn crumb(&self) -> String {
        self.records(self.rows.len())
    }

    fn shown(&mut self, cx: &mut Cx) {
        self.pause = None;
        self.go_on(cx);
    }

    fn hidden(&mut self, cx: &mut Cx) {
        cx.cancel(&mut self.pause);
    }

    fn refresh(&mut self, cx: &mut Cx) {
        self.again(cx);
    }

    fn renew(&mut self, _: &mut Cx) {}

    fn tool_answered(&mut self, cx: &mut Cx, request: RequestId, answer: Answer) {
        let mut rows = self.rows.iter();
        let Some(at) = rows.position(|row| row.fate.waits_for(request)) else {
            return;
        };
        match self.rows[at].fate {
            Fate::Asking(_) => self.asked(cx, at, answer),
            _ => self.called(cx, at, answer),
        }
        self.go_on(cx);
    }

    fn fired(&mut self, cx: &mut Cx, request: RequestId) {
        if self.pause.take_if(|pause| *pause == request).is_some() {
            self.go_on(cx);
        }
    }

    fn step(&mut self, _: &mut Cx, by: isize) {
        self.at = table::moved(self.rows.len(), Some(self.at), by).unwrap_or(0);
    }

    fn escape(&mut self, cx: &mut Cx) -> bool {
        if self.stops() {
            self.phase = Phase::Stopped(None);
            self.tell_stopped(cx);
            return true;
        }
        let is_calling = self.number(|fate| matches!(fate, Fate::Calling(..))) > 0;
        if is_calling {
            cx.toast(Mark::Warn, "In progress; wait for the answer");
        }
        is_calling
    }

    fn stops(&self) -> bool {
        matches!(self.phase, Phase::Working)
    }

    fn is_busy(&self) -> bool {
        self.pause.is_some() || self.rows.iter().any(|row| row.fate.is_pending())
    }

    fn draw(&self, shared: &Shared, frame: &mut Frame, area: Rect) {
        self.draw_all(shared, frame, area);
    }
}
