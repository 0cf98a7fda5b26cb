//! What a screen may touch while it handles a message: the shared state, and the ways to ask for
//! effects and to move on.

use std::any::Any;

use frontdesk_protocol::{Host, Tool};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::effect::{Answer, Effect, Owner, RequestId, ToolCall, Work};
use super::layer::Layer;
use super::peer::Peer;
use super::screen::Screen;
use super::shared::Shared;
use super::state::State;

/// Where to go next. Moves are made once the message is handled.
#[derive(Debug)]
pub(crate) enum Move {
    /// Onto a new screen.
    Open(Box<dyn Screen>),
    /// To the screen below.
    Back,
    /// A layer opens over the screen.
    Raise(Box<dyn Layer>),
    /// The topmost layer closes.
    Drop,
    /// Something is done that concerns more than the screen or layer.
    Then(fn(&mut State, &mut Out)),
}

/// Something that more than one screen wants to know.
#[derive(Debug)]
pub(crate) enum News {
    /// Records of this kind changed on a host: this one, as the host told it, or any of them.
    Changed { kind: String, record: Option<Value> },
    /// What one module tells those who know the type of it.
    Own(Box<dyn Any>),
    /// A host answered a call: what was away may be back.
    Reached,
    /// Somebody signed in.
    SignedIn,
    /// A server says that its tools are others than before.
    ToolsChanged(Peer),
    /// A server wrote a line of its log.
    Log,
    /// Read-only, or not any more.
    Mode,
}

impl News {
    /// The record of this kind that a host told after a write.
    pub(crate) fn record<T: DeserializeOwned>(&self, of: &str) -> Option<T> {
        match self {
            News::Changed {
                kind,
                record: Some(record),
            } if kind == of => T::deserialize(record).ok(),
            _ => None,
        }
    }

    /// Whether all that is known of records of this kind may be out of date.
    pub(crate) fn outdates(&self, of: &str) -> bool {
        matches!(self, News::Changed { kind, record: None } if kind == of)
    }

    /// What a module tells, if it is of this type.
    pub(crate) fn own<T: Any>(&self) -> Option<&T> {
        match self {
            News::Own(own) => own.downcast_ref(),
            _ => None,
        }
    }
}

/// What handling a message brings, beside the changed state.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) effects: Vec<Effect>,
    pub(crate) moves: Vec<Move>,
    pub(crate) news: Vec<News>,
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

    /// The time of the message by the clock of the hosts, for what is recorded.
    pub(crate) fn host_now(&self) -> Timestamp {
        let now = self.shared.now;
        now.saturating_add(self.shared.clock_ahead).unwrap_or(now)
    }

    /// The same for another owner: what it asks for is answered there.
    pub(crate) fn on_behalf(&mut self, owner: Owner) -> Cx<'_> {
        Cx {
            shared: self.shared,
            out: self.out,
            owner,
        }
    }

    /// Starts work; the answer carries the returned id.
    pub(crate) fn run(&mut self, work: Work) -> RequestId {
        let request = self.shared.next_id();
        self.note(request, &work);
        self.out.effects.push(Effect::Run {
            request,
            owner: self.owner,
            work: Box::new(work),
        });
        request
    }

    /// Calls a tool; the answer carries the returned id.
    pub(crate) fn call(&mut self, arguments: impl Tool) -> RequestId {
        self.run(Work::Call(ToolCall::of(&arguments)))
    }

    /// Drops a read that nobody waits for any more.
    pub(crate) fn abort(&mut self, request: Option<RequestId>) {
        if let Some(request) = request {
            self.out.effects.push(Effect::Abort(request));
            self.dropped(request);
        }
    }

    /// Asks to be woken after this time.
    pub(crate) fn after(&mut self, delay: SignedDuration) -> RequestId {
        let request = self.shared.next_id();
        self.out.effects.push(Effect::Timer {
            request,
            owner: self.owner,
            at: self.shared.now + delay,
        });
        request
    }

    /// Asks not to be woken after all.
    pub(crate) fn cancel(&mut self, timer: &mut Option<RequestId>) {
        self.out
            .effects
            .extend(timer.take().map(Effect::CancelTimer));
    }

    /// Rings the terminal's bell, unless the configuration turns it off.
    pub(crate) fn ring(&mut self) {
        if self.shared.rings {
            self.out.effects.push(Effect::Ring);
        }
    }

    /// Goes onto a new screen.
    pub(crate) fn open(&mut self, screen: impl Screen) {
        self.out.moves.push(Move::Open(Box::new(screen)));
    }

    /// Goes to the screen below.
    pub(crate) fn back(&mut self) {
        self.out.moves.push(Move::Back);
    }

    /// Opens a layer over the screen.
    pub(crate) fn raise(&mut self, layer: impl Layer) {
        self.out.moves.push(Move::Raise(Box::new(layer)));
    }

    /// Does this once the message is handled.
    pub(crate) fn then(&mut self, act: fn(&mut State, &mut Out)) {
        self.out.moves.push(Move::Then(act));
    }

    /// Tells all screens.
    pub(crate) fn tell(&mut self, news: News) {
        self.out.news.push(news);
    }

    /// Tells all screens what a call has changed at a host: the records that it returned, and that others
    /// of the kinds that it touches may be out of date.
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

    /// Tells all screens a record of this kind as a host told it after a write.
    pub(crate) fn tell_record(&mut self, kind: &str, record: &impl Serialize) {
        self.tell(News::Changed {
            kind: kind.to_owned(),
            record: serde_json::to_value(record).ok(),
        });
    }

    /// Tells all screens that records of this kind may have changed, and which is not known.
    pub(crate) fn tell_outdated(&mut self, kind: &str) {
        self.tell(News::Changed {
            kind: kind.to_owned(),
            record: None,
        });
    }

    /// Tells all screens what those take up who know its type.
    pub(crate) fn tell_own(&mut self, own: impl Any) {
        self.tell(News::Own(Box::new(own)));
    }
}
