//! What a screen may touch while it handles a message: the shared state, and the ways to ask for
//! effects and to move on.

use frontdesk_protocol::Tool;
use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::GuestId;
use frontdesk_protocol::work::series::Series;
use jiff::{SignedDuration, Timestamp};

use super::effect::{Effect, Owner, RequestId, ToolCall, Work};
use super::layer::Layer;
use super::peer::Peer;
use super::screen::Screen;
use super::shared::Shared;

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
}

/// Something that more than one screen wants to know.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// A host told the state of a guest after a write.
    Guest(Box<Guest>),
    /// A guest was added at the door, and is to be checked in.
    Added(Box<Guest>),
    /// A guest is in since this time, or not any more.
    Arrived(GuestId, Option<Timestamp>),
    /// A host told the state of an event after a write.
    Event(Box<Event>),
    /// A host told the template or the time of a series after a write.
    Series(Box<Series>),
    /// A removal, a promotion or a merge changed series and occurrences: what is known of them is
    /// to be read again.
    Meetings,
    /// The check-ins under way have changed.
    Door,
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

    /// Tells all screens.
    pub(crate) fn tell(&mut self, news: News) {
        self.out.news.push(news);
    }
}
