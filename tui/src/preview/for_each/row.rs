//! One record of an action on several, with its result.

use frontdesk_client::CallError;
use frontdesk_protocol::changes::Changes;
use frontdesk_protocol::mcp::Action;

use super::super::Previewed;
use super::super::changes::Preview;
use super::Each;
use crate::app::cx::Cx;
use crate::app::effects::call::ToolCall;
use crate::app::owner::RequestId;
use crate::app::peer::Peer;

/// A record, its call, and its result.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) call: ToolCall,
    /// Whether the server shows what the call would change.
    previews: bool,
    pub(super) fate: Fate,
}

/// The changes of a preview; `None` if the server has no previews.
type Shown = Option<Box<Changes>>;

/// The result of a record.
#[derive(Debug)]
pub(super) enum Fate {
    /// Not previewed yet.
    Unseen,
    /// The preview is in progress.
    Asking(RequestId),
    /// The preview.
    Seen(Shown),
    /// The preview was refused, so the call will not be made.
    Refused(CallError),
    /// The call is confirmed, and not made yet.
    Waiting(Shown),
    /// The call is in progress.
    Calling(RequestId, Shown),
    /// The call was made.
    Done,
    /// The call was refused.
    Failed(CallError),
    /// The call was sent, but no answer arrived.
    Unknown(CallError, Shown),
}

impl Fate {
    pub(super) fn is_pending(&self) -> bool {
        matches!(self, Fate::Asking(_) | Fate::Calling(..))
    }

    pub(super) fn waits_for(&self, request: RequestId) -> bool {
        matches!(self, Fate::Asking(sent) | Fate::Calling(sent, _) if *sent == request)
    }

    /// Whether the call can be confirmed: it would change something, or this is not known.
    pub(super) fn is_ready(&self) -> bool {
        match self {
            Fate::Seen(changes) => changes.as_ref().is_none_or(|changes| !changes.is_empty()),
            _ => false,
        }
    }

    /// Whether the call would change nothing.
    pub(super) fn is_same(&self) -> bool {
        matches!(self, Fate::Seen(Some(changes)) if changes.is_empty())
    }

    pub(super) fn is_done(&self) -> bool {
        matches!(self, Fate::Done)
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Fate::Unknown(..))
    }

    pub(super) fn is_refused(&self) -> bool {
        matches!(self, Fate::Refused(_))
    }

    /// The changes of a call that was not made yet.
    pub(super) fn changes(&self) -> Option<&Changes> {
        match self {
            Fate::Seen(changes) | Fate::Waiting(changes) | Fate::Calling(_, changes) => {
                changes.as_deref()
            }
            _ => None,
        }
    }
}

impl Row {
    pub(super) fn new(each: Each, previews: bool) -> Self {
        let mut row = Row {
            id: each.id,
            name: each.name,
            call: each.call,
            previews,
            fate: Fate::Unseen,
        };
        row.look_again();
        row
    }

    /// Makes the call, as a part of this action. It does exactly what was shown, or nothing.
    pub(super) fn call(&mut self, cx: &mut Cx, action: Action) {
        if let Fate::Waiting(changes) = &mut self.fate {
            if matches!(self.call.peer, Peer::Host(_)) {
                self.call.options.action = Some(action);
            }
            let changes = changes.take();
            let digest = changes.as_ref().map(|changes| changes.digest.as_str());
            let request = cx.send(Preview::real(&self.call, digest));
            self.fate = Fate::Calling(request, changes);
        }
    }

    /// The user has confirmed the table. A call that would change nothing is not needed.
    pub(super) fn confirmed(&mut self) {
        if self.fate.is_same() {
            self.fate = Fate::Done;
        }
        if self.fate.is_ready()
            && let Fate::Seen(changes) = &mut self.fate
        {
            self.fate = Fate::Waiting(changes.take());
        }
    }

    /// Whether the same call again shows if it was made: a host makes it once only.
    pub(super) fn can_check(&self) -> bool {
        self.fate.is_unknown() && matches!(self.call.peer, Peer::Host(_))
    }

    pub(super) fn check(&mut self) {
        if self.can_check()
            && let Fate::Unknown(_, changes) = &mut self.fate
        {
            self.fate = Fate::Waiting(changes.take());
        }
    }

    /// Previews the call again, unless it was made or may have been.
    pub(super) fn look_again(&mut self) {
        if !(self.fate.is_done() || self.fate.is_unknown()) {
            self.fate = match self.previews {
                true => Fate::Unseen,
                false => Fate::Seen(None),
            };
        }
    }
}
