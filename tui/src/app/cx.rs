//! The context of a handler: the shared state, and requests for effects and navigation.

use std::fmt;
use std::sync::Arc;

use frontdesk_protocol::{Host, Tool};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::layer::Layer;
use super::owner::{Owner, RequestId};
use super::peer::Peer;
use super::screen::Screen;
use super::shared::Shared;
use super::state::State;
use crate::app::effects::call::{Answer, Method, ToolCall};
use crate::app::effects::effect::Effect;
use crate::app::effects::job::{Ended, Job, Outcome, Work};

/// A navigation step, executed after the message is handled.
#[derive(Debug)]
pub(crate) enum Move {
    /// Opens a screen.
    Open(Box<dyn Screen>),
    /// Opens a screen in place of those that give way.
    Replace(Box<dyn Screen>),
    /// Returns to the previous screen.
    Back,
    /// Opens a layer over the screen.
    Raise(Box<dyn Layer>),
    /// Closes the topmost layer.
    Drop,
    /// Runs an action on the whole state.
    Then(Act),
}

/// An action on the whole state.
pub(crate) struct Act(pub(super) Box<Step>);

type Step = dyn FnOnce(&mut State, &mut Out);

impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Act")
    }
}

/// An event of interest to several screens.
#[derive(Debug)]
pub(crate) enum News {
    /// Records of this kind changed on a host: the given one, as the host returned it, or unknown
    /// ones.
    Changed { kind: String, record: Option<Value> },
    /// A call from this app deleted the record of this kind with this id.
    Deleted { kind: String, id: String },
    /// The state of the service with this name changed. `about` is its request that the user waits for.
    Service {
        name: &'static str,
        about: Option<RequestId>,
    },
    /// A host answered a call, possibly after an outage.
    Reached,
    /// The dry run of this tool was applied.
    Applied(Peer, String),
    /// Somebody signed in.
    SignedIn,
    /// A server reported that its list of tools changed.
    ToolsChanged(Peer),
    /// A server reported that this list of it changed.
    ListChanged(String, Method),
    /// A server reported that the resource at this address changed.
    ResourceChanged { server: String, uri: String },
    /// A server wrote a log line.
    Log,
    /// The saved filters have been read or changed.
    Filters,
    /// The read-only mode was switched.
    Mode,
}

impl News {
    /// The record of this kind returned by a write.
    pub(crate) fn record<T: DeserializeOwned>(&self, of: &str) -> Option<T> {
        match self {
            News::Changed {
                kind,
                record: Some(record),
            } if kind == of => T::deserialize(record).ok(),
            _ => None,
        }
    }

    /// The id of a deleted record of this kind.
    pub(crate) fn deleted(&self, of: &str) -> Option<&str> {
        match self {
            News::Deleted { kind, id } if kind == of => Some(id),
            _ => None,
        }
    }

    /// Whether this record was deleted.
    pub(crate) fn deletes(&self, of: &str, which: &str) -> bool {
        matches!(self, News::Deleted { kind, id } if kind == of && id == which)
    }

    /// Whether all known records of this kind may be out of date.
    pub(crate) fn outdates(&self, of: &str) -> bool {
        matches!(self, News::Changed { kind, record: None } if kind == of)
    }
}

/// The results of handling a message, in addition to the changed state.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) effects: Vec<Effect>,
    pub(crate) moves: Vec<Move>,
    pub(crate) news: Vec<News>,
}

/// What the app does at the end of a job.
pub(crate) struct Then(pub(super) Box<Finish>);

type Finish = dyn FnOnce(&mut Cx, &mut Outcome);

impl fmt::Debug for Then {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Then")
    }
}

/// A handler's view of the app.
pub(crate) struct Cx<'a> {
    pub(crate) shared: &'a mut Shared,
    pub(crate) out: &'a mut Out,
    pub(crate) owner: Owner,
}

impl Cx<'_> {
    /// The time of the message.
    pub(crate) fn now(&self) -> Timestamp {
        self.shared.now
    }

    /// The time of the message by the hosts' clock, for recorded times.
    pub(crate) fn host_now(&self) -> Timestamp {
        let now = self.shared.now;
        now.saturating_add(self.shared.clock_ahead).unwrap_or(now)
    }

    /// The context of another owner, who receives the answers.
    pub(crate) fn on_behalf(&mut self, owner: Owner) -> Cx<'_> {
        Cx {
            shared: self.shared,
            out: self.out,
            owner,
        }
    }

    /// Starts a job. Its end has the returned id.
    pub(crate) fn run(&mut self, job: impl Job) -> RequestId {
        self.begin(Work::Job(Arc::new(job)))
    }

    /// Starts a job of the app, which goes on if the screen is closed, and does this at its end.
    pub(crate) fn run_then<J: Job>(
        &mut self,
        job: J,
        then: impl FnOnce(&mut Cx, Ended<J>) + 'static,
    ) -> RequestId {
        let request = self.on_behalf(Owner::App).run(job);
        let then = Then(Box::new(|cx, outcome| {
            if let Some(ended) = outcome.take() {
                then(cx, ended);
            }
        }));
        self.shared.then.insert(request, then);
        request
    }

    /// Makes a call. The answer has the returned id.
    pub(crate) fn send(&mut self, call: ToolCall) -> RequestId {
        if let Peer::Host(host) = &call.peer {
            self.shared.pace.note(self.shared.now, *host);
        }
        self.shared.listening.note(self.owner, &call);
        let coming = self.shared.coming_id();
        self.note(coming, &call);
        self.begin(Work::Call(Box::new(call)))
    }

    fn begin(&mut self, work: Work) -> RequestId {
        let request = self.shared.next_id();
        self.out.effects.push(Effect::Run {
            request,
            owner: self.owner,
            work,
        });
        request
    }

    /// Makes a call that may write. Its idempotency key lets it be made again if the host cannot say whether it was done.
    pub(crate) fn write(&mut self, mut call: ToolCall) -> RequestId {
        if call.writes_at().is_some() && call.options.idempotency_key.is_none() {
            call.options.idempotency_key = Some(self.shared.key_of(&call));
        }
        self.send(call)
    }

    /// Calls a tool. The answer has the returned id.
    pub(crate) fn call(&mut self, arguments: impl Tool) -> RequestId {
        self.send(ToolCall::of(&arguments))
    }

    /// Cancels a read whose answer is no longer needed.
    pub(crate) fn abort(&mut self, request: Option<RequestId>) {
        if let Some(request) = request {
            self.out.effects.push(Effect::Abort(request));
            self.dropped(request);
        }
    }

    /// Has work stop. Its answer tells what became of it.
    pub(crate) fn stop(&mut self, request: RequestId) {
        self.out.effects.push(Effect::Stop(request));
    }

    /// Sets a timer.
    pub(crate) fn after(&mut self, delay: SignedDuration) -> RequestId {
        let request = self.shared.next_id();
        self.out.effects.push(Effect::Timer {
            request,
            owner: self.owner,
            at: self.shared.now + delay,
        });
        request
    }

    /// Cancels a timer.
    pub(crate) fn cancel(&mut self, timer: &mut Option<RequestId>) {
        self.out
            .effects
            .extend(timer.take().map(Effect::CancelTimer));
    }

    /// Rings the terminal's bell, unless disabled in the configuration.
    pub(crate) fn ring(&mut self) {
        if self.shared.settings.rings {
            self.out.effects.push(Effect::Ring);
        }
    }

    /// Opens a screen.
    pub(crate) fn open(&mut self, screen: impl Screen) {
        self.out.moves.push(Move::Open(Box::new(screen)));
    }

    /// Opens a screen in place of those that give way.
    pub(crate) fn replace(&mut self, screen: impl Screen) {
        self.out.moves.push(Move::Replace(Box::new(screen)));
    }

    /// Returns to the previous screen.
    pub(crate) fn back(&mut self) {
        self.out.moves.push(Move::Back);
    }

    /// Opens a layer over the screen.
    pub(crate) fn raise(&mut self, layer: impl Layer) {
        self.out.moves.push(Move::Raise(Box::new(layer)));
    }

    /// Runs this after the message is handled.
    pub(crate) fn then(&mut self, act: impl FnOnce(&mut State, &mut Out) + 'static) {
        self.out.moves.push(Move::Then(Act(Box::new(act))));
    }

    /// Announces an event to all screens.
    pub(crate) fn tell(&mut self, news: News) {
        self.out.news.push(news);
    }

    /// Announces the changes of a write: the returned records, and the kinds that may be out of
    /// date.
    pub(super) fn tell_written(&mut self, host: Host, answer: &Answer) {
        let Some(tool) = host.tool(&answer.tool) else {
            return;
        };
        let reply = answer.result.as_ref().ok().map(|reply| &reply.value);
        for one in tool.returns().into_iter().filter(|one| !one.is_list) {
            if let Some(record) = reply.and_then(|value| value.get(&one.key)) {
                self.tell(News::Changed {
                    kind: one.kind,
                    record: Some(record.clone()),
                });
            }
        }
        for kind in tool.touches() {
            self.tell_outdated(&kind);
        }
    }

    /// Announces a record of this kind returned by a write.
    pub(crate) fn tell_record(&mut self, kind: &str, record: &impl Serialize) {
        self.tell(News::Changed {
            kind: kind.to_owned(),
            record: serde_json::to_value(record).ok(),
        });
    }

    /// Announces that unknown records of this kind may have changed.
    pub(crate) fn tell_outdated(&mut self, kind: &str) {
        self.shared.writes += 1;
        self.tell(News::Changed {
            kind: kind.to_owned(),
            record: None,
        });
    }
}
