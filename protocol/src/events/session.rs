//! Sessions of an event.

use jiff::Timestamp;

use super::READERS;
use crate::id::{EventId, GuestId, SessionId};
use crate::record::{List, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Position, Prose, UpTo};
use crate::wire::Wire;

/// A session of an event.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Session {
    pub id: SessionId,
    pub event_id: EventId,
    pub title: String,
    pub description: Option<String>,
    /// Room or place.
    pub location: Option<String>,
    pub start_time: Option<Timestamp>,
    pub end_time: Option<Timestamp>,
    /// Display position; lower comes first.
    pub order: f64,
    /// The participating guests.
    pub guest_ids: Vec<GuestId>,
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

tool! {
    /// Adds a session to an event.
    CreateEventSession = "create_event_session" on Events, CREATE, for Roles::DESK => One<Session> {
        req {
            event_id: EventId,
            title: Name,
        }
        opt {
            description: Option<Prose>,
            location: Option<Line>,
            start_time: Option<Timestamp>,
            /// Not before start_time.
            end_time: Option<Timestamp>,
            /// Lower comes first.
            order: Option<Position> = 0,
            /// Participants: guests of the event.
            guest_ids: Option<UpTo<GuestId, 1000>>,
        }
    }
}

tool! {
    /// Changes a session.
    UpdateEventSession = "update_event_session" on Events, UPDATE, for Roles::DESK => One<Session> {
        req {
            id: SessionId,
        }
        opt {
            title: Change<Name>,
            description: Patch<Prose>,
            location: Patch<Line>,
            start_time: Patch<Timestamp>,
            /// Not before start_time.
            end_time: Patch<Timestamp>,
            /// Lower comes first.
            order: Change<Position>,
            /// Replaces all participants.
            guest_ids: Change<UpTo<GuestId, 1000>>,
        }
    }
}
