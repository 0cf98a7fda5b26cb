//! The pure machine with its effects, used by both the real terminal and the test driver.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use frontdesk_client::question::{Decision, Question};
use frontdesk_client::seen::Change;
use frontdesk_client::{Notice, Progress};
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, Id, JoinSet};
use uuid::Uuid;

use super::asked::Asked;
use super::msg::{Msg, What};
use super::state::State;
use super::update::update;
use crate::app::effects::editor::Draft;
use crate::app::effects::effect::{Effect, Outcome, Owner, RequestId, Work};
use crate::app::effects::worker::Worker;

/// An effect that the caller of the engine executes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Request {
    /// Copy this to the clipboard.
    Copy(String),
    /// Open this address in the browser.
    Open(String),
    /// Return the terminal to the shell for a while.
    Suspend,
    /// Ring the terminal's bell.
    Ring,
    /// Draw the next frame completely.
    Redraw,
    /// Give the terminal to the user's editor.
    Edit {
        request: RequestId,
        owner: Owner,
        draft: Draft,
    },
    /// End the app after pending writes.
    Quit,
}

/// Work in progress.
struct Running {
    request: RequestId,
    owner: Owner,
    work: Work,
    handle: AbortHandle,
}

/// Receives progress of work, and notices of servers.
#[derive(Debug, Clone)]
pub(crate) struct Ears {
    request: RequestId,
    owner: Owner,
    heard: Arc<Hearing>,
}

/// What servers report, in order of arrival. A server can report faster than the app can follow: if many reports wait, a
/// new one replaces the last of its kind.
#[derive(Debug, Default)]
struct Hearing {
    waiting: Mutex<VecDeque<What>>,
    arrived: Notify,
}

/// The reports that wait before some are replaced: about as many as are handled between two frames.
const MOST_WAITING: usize = 256;

impl Hearing {
    fn push(&self, what: What) {
        let mut waiting = self.waiting();
        if waiting.len() >= MOST_WAITING
            && let Some(at) = waiting.iter().rposition(|earlier| what.replaces(earlier))
        {
            waiting.remove(at);
        }
        waiting.push_back(what);
        drop(waiting);
        self.arrived.notify_one();
    }

    fn pop(&self) -> Option<What> {
        self.waiting().pop_front()
    }

    /// Waits for the next one. Cancel-safe.
    async fn next(&self) -> What {
        loop {
            if let Some(what) = self.pop() {
                return what;
            }
            self.arrived.notified().await;
        }
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<What>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ears {
    /// Reports the progress of the work.
    pub(crate) fn progress(&self, progress: Progress) {
        self.pass_on(What::Progress {
            request: self.request,
            owner: self.owner,
            progress,
        });
    }

    /// Reports a notice from a server.
    pub(crate) fn notice(&self, server: &str, notice: Notice) {
        self.pass_on(What::Notice {
            server: server.to_owned(),
            notice,
        });
    }

    /// Reports the changed tools of a server, all of them.
    pub(crate) fn changes(&self, server: &str, changes: Vec<Change>) {
        self.pass_on(What::Changes {
            server: server.to_owned(),
            changes,
        });
    }

    /// Asks the user, and waits for the decision.
    pub(crate) async fn ask(self, server: String, question: Question) -> Decision {
        let (asked, decided) = Asked::new(server, question);
        let _asking = Asking(asked.id, self.clone());
        self.pass_on(What::Asked(asked));
        decided.await.unwrap_or(Decision::Cancel)
    }

    fn pass_on(&self, what: What) {
        self.heard.push(what);
    }
}

/// A server that waits for the answer to this question.
struct Asking(Uuid, Ears);

impl Drop for Asking {
    fn drop(&mut self) {
        self.1.pass_on(What::Withdrawn(self.0));
    }
}

/// The state, the work in progress and the timers.
pub(crate) struct Engine {
    pub(crate) state: State,
    worker: Arc<dyn Worker>,
    /// The work in progress. An outcome is taken in the same step that applies it, so nothing is in
    /// progress if this is empty.
    tasks: JoinSet<Outcome>,
    running: HashMap<Id, Running>,
    /// Passed to each piece of work.
    heard: Arc<Hearing>,
    timers: BTreeMap<(Timestamp, RequestId), Owner>,
    requests: Vec<Request>,
    is_changed: bool,
}

impl Engine {
    /// An idle engine.
    pub(crate) fn new(state: State, worker: Arc<dyn Worker>) -> Self {
        Engine {
            heard: Arc::default(),
            state,
            worker,
            tasks: JoinSet::new(),
            running: HashMap::new(),
            timers: BTreeMap::new(),
            requests: Vec::new(),
            is_changed: true,
        }
    }

    /// Applies an event and starts its effects. Must be called within a tokio runtime.
    pub(crate) fn apply(&mut self, at: Timestamp, what: What) {
        self.is_changed = true;
        let ahead = self.worker.clock_ahead();
        for effect in update(&mut self.state, Msg { at, ahead, what }) {
            self.start(effect);
        }
    }

    fn start(&mut self, effect: Effect) {
        match effect {
            Effect::Run {
                request,
                owner,
                work,
            } => {
                let worker = Arc::clone(&self.worker);
                let begun = Work::clone(&work);
                let ears = Ears {
                    request,
                    owner,
                    heard: Arc::clone(&self.heard),
                };
                let handle = self
                    .tasks
                    .spawn(async move { worker.run(begun, ears).await });
                let running = Running {
                    request,
                    owner,
                    work: *work,
                    handle,
                };
                self.running.insert(running.handle.id(), running);
            }
            Effect::Abort(request) => {
                let running = self.running.values();
                for running in running.filter(|running| running.request == request) {
                    running.handle.abort();
                }
            }
            Effect::Timer { request, owner, at } => {
                self.timers.insert((at, request), owner);
            }
            Effect::CancelTimer(request) => self.timers.retain(|(_, timer), _| *timer != request),
            Effect::Copy(text) => self.requests.push(Request::Copy(text)),
            Effect::Open(address) => self.requests.push(Request::Open(address)),
            Effect::Decide(asked, decision) => asked.decide(decision),
            Effect::Suspend => self.requests.push(Request::Suspend),
            Effect::Ring => self.requests.push(Request::Ring),
            Effect::Redraw => self.requests.push(Request::Redraw),
            Effect::Edit {
                request,
                owner,
                draft,
            } => self.requests.push(Request::Edit {
                request,
                owner,
                draft,
            }),
            Effect::Quit => self.requests.push(Request::Quit),
        }
    }

    /// The current state was drawn.
    pub(crate) fn drawn(&mut self) {
        self.state.ahead.has_unseen = false;
    }

    /// The amount of work in progress, without timers and calls that wait for the user.
    pub(crate) fn in_flight(&self) -> usize {
        let asked = self.state.shared.asked.len();
        self.tasks.len().saturating_sub(asked)
    }

    /// The work in progress: the tool of a call, or the kind of work.
    pub(crate) fn in_progress(&self) -> Vec<String> {
        let work = self.running.values().map(|running| match &running.work {
            Work::Call(call) => call.tool.to_string(),
            work => {
                let text = format!("{work:?}");
                let end = text.find(|char: char| !char.is_alphanumeric());
                text[..end.unwrap_or(text.len())].to_owned()
            }
        });
        let mut work: Vec<String> = work.collect();
        work.sort();
        work
    }

    /// Whether a disk write or an irreversible call is in progress.
    pub(crate) fn is_writing(&self) -> bool {
        self.running.values().any(|running| {
            matches!(&running.work, Work::Call(call) if !call.changes_nothing)
                || matches!(
                    running.work,
                    Work::Append(_)
                        | Work::Withdraw(_)
                        | Work::SignOut
                        | Work::ChangePassword { .. }
                        | Work::KeepGuests(_)
                        | Work::Remember(_)
                        | Work::Forget(..)
                        | Work::Export { .. }
                        | Work::Presets { .. }
                        | Work::Draft(..)
                        | Work::Configure(_)
                )
        })
    }

    /// Waits for the next notice or finished work; `None` for cancelled work. Cancel-safe.
    pub(crate) async fn next_outcome(&mut self) -> Option<What> {
        tokio::select! {
            biased;
            // Notices about work come before its end.
            what = self.heard.next() => Some(what),
            Some(ended) = self.tasks.join_next_with_id() => self.take(ended),
        }
    }

    /// The next notice that has already arrived.
    pub(crate) fn try_notice(&mut self) -> Option<What> {
        self.heard.pop()
    }

    /// The next notice or finished work that is already available.
    pub(crate) fn try_outcome(&mut self) -> Option<What> {
        if let Some(what) = self.try_notice() {
            return Some(what);
        }
        loop {
            let ended = self.tasks.try_join_next_with_id()?;
            if let Some(what) = self.take(ended) {
                return Some(what);
            }
        }
    }

    fn take(&mut self, ended: Result<(Id, Outcome), tokio::task::JoinError>) -> Option<What> {
        let (id, outcome) = match ended {
            Ok((id, outcome)) => (id, Some(outcome)),
            Err(error) if error.is_cancelled() => {
                self.running.remove(&error.id());
                return None;
            }
            Err(error) => (error.id(), None),
        };
        let running = self.running.remove(&id)?;
        let outcome = outcome.unwrap_or_else(|| running.work.lost());
        Some(What::Done {
            request: running.request,
            owner: running.owner,
            outcome: Box::new(outcome),
        })
    }

    /// The time of the next timer.
    pub(crate) fn next_timer(&self) -> Option<Timestamp> {
        self.timers.first_key_value().map(|((at, _), _)| *at)
    }

    /// A timer that is due.
    pub(crate) fn due(&mut self, now: Timestamp) -> Option<What> {
        let timer = self.timers.first_entry()?;
        let (at, request) = *timer.key();
        if at > now {
            return None;
        }
        let owner = timer.remove();
        Some(What::Fired { request, owner })
    }

    /// The next effect for the caller.
    pub(crate) fn next_request(&mut self) -> Option<Request> {
        (!self.requests.is_empty()).then(|| self.requests.remove(0))
    }

    /// All effects for the caller.
    pub(crate) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Whether anything happened since the last call.
    pub(crate) fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.is_changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_reports_without_end_leaves_a_bounded_number_of_reports() {
        let hearing = Hearing::default();
        let log = |number: u32| What::Notice {
            server: "flood".to_owned(),
            notice: Notice::Log {
                level: "info".to_owned(),
                logger: None,
                data: number.into(),
            },
        };
        let others = [Notice::ToolsChanged, Notice::PromptsChanged];
        for notice in others {
            hearing.push(What::Notice {
                server: "other".to_owned(),
                notice,
            });
        }
        (0..100_000).for_each(|number| hearing.push(log(number)));
        let mut left: Vec<_> = std::iter::from_fn(|| hearing.pop()).collect();
        assert_eq!(left.len(), MOST_WAITING);
        let last = left.pop().expect("the last");
        assert!(format!("{last:?}").contains("99999"), "{last:?}");
        // Those of other servers stay.
        let others = left
            .iter()
            .filter(|what| format!("{what:?}").contains("other"));
        assert_eq!(others.count(), 2);
    }
}
