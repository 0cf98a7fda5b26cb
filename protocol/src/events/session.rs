//! Sessions of an event.

use jiff::Timestamp;

use super::READERS;
use crate::id::{EventId, GuestId, SessionId};
use crate::record::record;
use crate::role::Roles;
use crate::value::{Change, Line, Name, Position, Prose, UpTo};

record! {
    /// A session of an event.
    Session = "session", "sessions" (parent: event_id, name: title, position: order) {
        id: SessionId,
        event_id: EventId [create],
        title: Name [create, change],
        description: Option<Prose> [create, change],
        location: Option<Line> [create, change],
        start_time: Option<Timestamp> [create, change],
        /// Not before start_time.
        end_time: Option<Timestamp> [create, change],
        /// Lower comes first.
        order: Position [create = 0, change],
        /// Participants: guests of the event.
        guest_ids: UpTo<GuestId, 1000> [create?],
    }
    /// Lists an event's sessions in display order.
    list ListEventSessions = "list_event_sessions" on Events for READERS {
        req {
            event_id: EventId,
        }
        opt {
            search: Option<Line>,
        }
    }
    /// Adds a session to an event.
    create CreateEventSession = "create_event_session" on Events for Roles::DESK;
    /// Changes a session.
    change UpdateEventSession = "update_event_session" on Events for Roles::DESK {
        opt {
            /// Replaces all participants.
            guest_ids: Change<UpTo<GuestId, 1000>>,
        }
    }
    /// Deletes a session. Its guests stay guests of the event.
    delete DeleteEventSession = "delete_event_session" on Events for Roles::DESK;
}
