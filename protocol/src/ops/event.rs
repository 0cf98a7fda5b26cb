//! An event as a whole: moved to another time.

use jiff::Timestamp;

use crate::events::event::Event;
use crate::events::session::Session;
use crate::id::EventId;
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::Flag;
use crate::wire::Wire;

/// The result of moving an event.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct MovedEvent {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The event as it is now.
    pub event: Event,
    /// The sessions that moved with it.
    pub sessions: Vec<Session>,
    /// The names of the places whose times moved with it.
    pub places: Vec<String>,
    /// The open tasks whose days moved with it, with their assignees.
    pub tasks: Vec<String>,
    /// Sessions of other events that are now at the same time in the same place.
    pub conflicts: Vec<String>,
    /// Number of guests, who are not told.
    pub guests: u32,
}

tool! {
    /// Moves an event with its sessions, the times of its places and the days of its open tasks. Clock times stay as far from each other as they are
    /// in the organisation's time zone.
    MoveEvent = "move_event" on Ops, UPDATE, for Roles::DESK => MovedEvent {
        req {
            event_id: EventId,
            /// The new beginning.
            start_at: Timestamp,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![MoveEvent];
