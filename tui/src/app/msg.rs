//! Events of the app.

use crossterm::event::{KeyEvent, MouseEvent};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use super::hits::Hit;
use super::owner::{Owner, RequestId};
use super::reporter::Report;
use crate::app::effects::job::Outcome;
use crate::app::input::scan::Rhythm;

/// An event and its time, the only clock of `update`.
#[derive(Debug)]
pub(crate) struct Msg {
    pub(crate) at: Timestamp,
    /// How much the hosts' clock is ahead.
    pub(crate) ahead: SignedDuration,
    pub(crate) what: What,
}

/// The kinds of events.
#[derive(Debug)]
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
        outcome: Outcome,
    },
    /// Work, or a server, reports something.
    Report(Report),
    /// No browser could be started.
    NotOpened,
    /// A timer is due.
    Fired { request: RequestId, owner: Owner },
    /// The system requests the end of the app.
    Terminated,
}
