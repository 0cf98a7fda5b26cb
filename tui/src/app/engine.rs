//! The pure machine with its effects, used by both the real terminal and the test driver.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use tokio::task::{AbortHandle, Id, JoinSet};
use tokio_util::sync::CancellationToken;

use super::msg::{Msg, What};
use super::owner::{Owner, RequestId};
use super::reporter::{Reporter, Reports};
use super::state::State;
use super::update::update;
use crate::app::effects::editor::Draft;
use crate::app::effects::effect::Effect;
use crate::app::effects::job::{Outcome, Work};
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
    stop: CancellationToken,
}

/// The state, the work in progress and the timers.
pub(crate) struct Engine {
    pub(crate) state: State,
    worker: Arc<dyn Worker>,
    /// The work in progress. An outcome is taken in the same step that applies it, so nothing is in
    /// progress if this is empty.
    tasks: JoinSet<Outcome>,
    running: HashMap<Id, Running>,
    /// What work reports, in order.
    reports: Arc<Reports>,
    timers: BTreeMap<(Timestamp, RequestId), Owner>,
    requests: Vec<Request>,
    is_changed: bool,
}

impl Engine {
    /// An idle engine.
    pub(crate) fn new(state: State, worker: Arc<dyn Worker>) -> Self {
        Engine {
            reports: Arc::default(),
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
                let begun = work.clone();
                let reporter = Reporter {
                    request,
                    owner,
                    waiting: Arc::clone(&self.reports),
                    stop: CancellationToken::new(),
                };
                let stop = reporter.stop.clone();
                let handle = self
                    .tasks
                    .spawn(async move { worker.run(begun, reporter).await });
                let running = Running {
                    request,
                    owner,
                    work,
                    handle,
                    stop,
                };
                self.running.insert(running.handle.id(), running);
            }
            Effect::Abort(request) => {
                let running = self.running.values();
                for running in running.filter(|running| running.request == request) {
                    running.handle.abort();
                }
            }
            Effect::Stop(request) => {
                let running = self.running.values();
                for running in running.filter(|running| running.request == request) {
                    running.stop.cancel();
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

    /// The amount of work in progress, without timers, calls that wait for the user, and work that goes on as long as it is
    /// wanted.
    pub(crate) fn in_flight(&self) -> usize {
        let asked = self.state.shared.asked.len();
        let running = self.running.values();
        let lasting = running.filter(|running| running.work.lasts()).count();
        self.tasks.len().saturating_sub(asked + lasting)
    }

    /// The work in progress: the tools of calls, and the names of jobs.
    pub(crate) fn in_progress(&self) -> Vec<String> {
        let work = self.running.values();
        let work = work.filter(|running| !running.work.lasts());
        let work = work.map(|running| running.work.name().to_owned());
        let mut work: Vec<String> = work.collect();
        work.sort();
        work
    }

    /// Whether a disk write or an irreversible call is in progress.
    pub(crate) fn is_writing(&self) -> bool {
        let mut running = self.running.values();
        running.any(|running| running.work.writes())
    }

    /// Waits for the next notice or finished work; `None` for cancelled work. Cancel-safe.
    pub(crate) async fn next_outcome(&mut self) -> Option<What> {
        tokio::select! {
            biased;
            // Notices about work come before its end.
            report = self.reports.next() => Some(What::Report(report)),
            Some(ended) = self.tasks.join_next_with_id() => self.take(ended),
        }
    }

    /// The next notice that has already arrived.
    pub(crate) fn try_notice(&mut self) -> Option<What> {
        self.reports.pop().map(What::Report)
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
            outcome,
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
