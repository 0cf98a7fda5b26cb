//! The journal, as `update` speaks of it.

use frontdesk_client::{Action, WalkIn};
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

/// Something happened at the door that the host is to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Happening {
    pub(crate) action: Action,
    pub(crate) event: EventId,
    /// The guest; none for one who is added and has no id yet.
    pub(crate) guest: Option<GuestId>,
    /// The guest's name, to show while it waits.
    pub(crate) name: String,
    /// When it really happened.
    pub(crate) at: Timestamp,
    /// The guest, where the host may not know them yet.
    pub(crate) walk_in: Option<WalkIn>,
    /// The id was scanned, and the guest is not known here.
    pub(crate) scanned: bool,
}

/// The journal cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct JournalError(pub(crate) String);
