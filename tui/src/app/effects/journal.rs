//! Types of the journal for `update`.

use frontdesk_client::{Account, Action, WalkIn};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;
use uuid::Uuid;

/// An action at the door to report to the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Happening {
    /// The id of the entry that could not be written before.
    pub(crate) entry: Option<Uuid>,
    pub(crate) action: Action,
    pub(crate) event: EventId,
    /// The account at the desk, also after its sign-in has ended.
    pub(crate) account: Option<Account>,
    /// The guest; `None` for an added guest or a code without an id yet.
    pub(crate) guest: Option<GuestId>,
    /// The guest's name, for display until delivery.
    pub(crate) name: String,
    /// When it happened.
    pub(crate) at: Timestamp,
    /// The data of a guest whom the host may not know yet.
    pub(crate) walk_in: Option<WalkIn>,
    /// Whether the id was scanned and the guest is unknown here.
    pub(crate) scanned: bool,
    /// The code, if no known guest has it.
    pub(crate) code: Option<String>,
    /// Whether the walk-in may be a listed guest.
    pub(crate) asks: bool,
    /// Why a blocked guest was admitted.
    pub(crate) reason: Option<String>,
    /// The recorded time of the check-in that is undone; `None` if any is.
    pub(crate) undoes: Option<Timestamp>,
}

/// The journal cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct JournalError(pub(crate) String);
