//! What happens to the app.

use crossterm::event::KeyEvent;
use frontdesk_client::{Notice, Progress};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use super::effect::{Outcome, Owner, RequestId};

/// Something happened, and when: the only clock that `update` has.
#[derive(Debug, Clone)]
pub(crate) struct Msg {
    pub(crate) at: Timestamp,
    /// How far the hosts' clock is ahead of that one.
    pub(crate) ahead: SignedDuration,
    pub(crate) what: What,
}

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// The app starts.
    Started,
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted, or came from a scanner that pastes.
    Paste(String),
    /// The terminal has another size.
    Resize(Size),
    /// A command was chosen by its id, whatever its key.
    Command(&'static str),
    /// Work ended.
    Done {
        request: RequestId,
        owner: Owner,
        outcome: Box<Outcome>,
    },
    /// Work goes on: how far it is.
    Progress {
        request: RequestId,
        owner: Owner,
        progress: Progress,
    },
    /// A server of the configuration says something without being asked.
    Notice { server: String, notice: Notice },
    /// The time of a timer came.
    Fired { request: RequestId, owner: Owner },
    /// The system asks us to leave.
    Terminated,
}
