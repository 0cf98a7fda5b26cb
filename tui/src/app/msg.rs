//! Events of the app.

use std::mem::discriminant;

use crossterm::event::{KeyEvent, MouseEvent};
use frontdesk_client::seen::Change;
use frontdesk_client::{Notice, Progress};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;
use uuid::Uuid;

use super::asked::Asked;
use super::hits::Hit;
use crate::app::effects::effect::{Outcome, Owner, RequestId};
use crate::app::input::scanner::Rhythm;

/// An event and its time, the only clock of `update`.
#[derive(Debug, Clone)]
pub(crate) struct Msg {
    pub(crate) at: Timestamp,
    /// How much the hosts' clock is ahead.
    pub(crate) ahead: SignedDuration,
    pub(crate) what: What,
}

/// The kinds of events.
#[derive(Debug, Clone)]
pub(crate) enum What {
    /// The app started.
    Started,
    /// A key was pressed.
    Key(KeyEvent, Rhythm),
    /// A mouse button was pressed, or the wheel turned.
    Mouse(MouseEvent),
    /// A row, card or tab was chosen.
    Select(Hit),
    /// Text was pasted, possibly by a scanner.
    Paste(String),
    /// The size of the terminal changed.
    Resize(Size),
    /// The terminal reports its background: red, green and blue.
    Background([u8; 3]),
    /// A command was chosen by its id.
    Command(&'static str),
    /// Work has ended.
    Done {
        request: RequestId,
        owner: Owner,
        outcome: Box<Outcome>,
    },
    /// Work reports progress.
    Progress {
        request: RequestId,
        owner: Owner,
        progress: Progress,
    },
    /// A configured server sent a notice.
    Notice { server: String, notice: Notice },
    /// The tools of a server that are not what they were, all of them.
    Changes {
        server: String,
        changes: Vec<Change>,
    },
    /// A server asks the user.
    Asked(Asked),
    /// The server no longer waits for the answer to this question.
    Withdrawn(Uuid),
    /// No browser could be started.
    NotOpened,
    /// A timer is due.
    Fired { request: RequestId, owner: Owner },
    /// The system requests the end of the app.
    Terminated,
}

impl What {
    /// Whether an earlier report says nothing that this one of the same source does not replace, if there are too many.
    pub(crate) fn replaces(&self, earlier: &What) -> bool {
        match (self, earlier) {
            (What::Progress { request, .. }, What::Progress { request: of, .. }) => request == of,
            (
                What::Notice { server, notice },
                What::Notice {
                    server: of,
                    notice: earlier,
                },
            ) => server == of && discriminant(notice) == discriminant(earlier),
            (What::Changes { server, .. }, What::Changes { server: of, .. }) => server == of,
            _ => false,
        }
    }
}
