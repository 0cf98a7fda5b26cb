//! Check-ins that wait on disk, as the screens see them.

use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::{EventId, GuestId};
use jiff::Timestamp;

/// A guest arrived: what is delivered to the host, now or later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) event: EventId,
    pub(crate) guest: GuestId,
    pub(crate) name: String,
    /// When it really happened.
    pub(crate) at: Timestamp,
}

/// What a delivery brought.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Delivery {
    pub(crate) guest: Guest,
    /// Whether another desk was earlier, so that its time stands.
    pub(crate) was_in_before: bool,
}

/// The journal cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct JournalError(pub(crate) String);
