//! Sessions of an event.

use jiff::Timestamp;

use super::READERS;
use crate::id::{EventId, GuestId, SessionId};
use crate::record::{List, record};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Position, Prose, UpTo};

record! {
    /// A session of an event.
    Session {
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
    /// Adds a session to an event.
    create CreateEventSession = "create_event_session" on Events for Roles::DESK;
    /// Changes a session.
    change UpdateEventSession = "update_event_session" on Events for Roles::DESK {
        opt {
            /// Replaces all participants.
            guest_ids: Change<UpTo<GuestId, 1000>>,
        }
    }
}

resource! {
    Session = "session", "sessions" (parent: event_id, name: title, position: order) {
        list: ListEventSessions,
        create: CreateEventSession,
        change: UpdateEventSession,
    }
}

tool! {
    /// Lists an event's sessions in display order.
    ListEventSessions = "list_event_sessions" on Events, READ, for READERS => List<Session> {
        req {
            event_id: EventId,
        }
        opt {
            search: Option<Line>,
            limit: Limit,
            offset: Offset,
        }
    }
}
