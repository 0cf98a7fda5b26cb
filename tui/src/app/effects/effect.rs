//! The effects requested by `update`: plain data, executed outside the loop.

use frontdesk_client::question::Decision;
use jiff::Timestamp;

use super::editor::Draft;
use super::job::Work;
use crate::app::owner::{Owner, RequestId};
use crate::app::question::Asked;

/// An effect requested by `update`.
#[derive(Debug, Clone)]
pub(crate) enum Effect {
    /// Run this and answer with [`crate::app::msg::What::Done`].
    Run {
        request: RequestId,
        owner: Owner,
        work: Work,
    },
    /// Cancel this request. Only for reads, or if a server is told to stop and the user is told
    /// that the outcome is unknown.
    Abort(RequestId),
    /// Have this work stop. It is answered all the same, with what became of it.
    Stop(RequestId),
    /// Send [`crate::app::msg::What::Fired`] at this time.
    Timer {
        request: RequestId,
        owner: Owner,
        at: Timestamp,
    },
    /// Cancel this timer.
    CancelTimer(RequestId),
    /// Copy this to the clipboard, through the terminal.
    Copy(String),
    /// Open this address in the browser.
    Open(String),
    /// Return the terminal to the shell until it continues this process.
    Suspend,
    /// Ring the terminal's bell.
    Ring,
    /// Draw the next frame completely.
    Redraw,
    /// Edit a text in the user's editor, and answer with [`crate::app::msg::What::Done`].
    Edit {
        request: RequestId,
        owner: Owner,
        draft: Draft,
    },
    /// Pass on the decision about a question of a server.
    Decide(Asked, Decision),
    /// Quit.
    Quit,
}
