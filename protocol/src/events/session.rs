//! Sessions of an event.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::READERS;
use crate::id::{EventId, GuestId, SessionId};
use crate::record::{List, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Limit, Line, Name, Offset, Patch, Position, Prose, UpTo, our_era};

/// A session of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// Identifies the session.
    pub id: SessionId,
    /// The event.
    pub event_id: EventId,
    /// Title.
    pub title: String,
    /// What it is about.
    pub description: Option<String>,
    /// The room or place.
    pub location: Option<String>,
    /// When it begins.
    pub start_time: Option<Timestamp>,
    /// When it ends.
    pub end_time: Option<Timestamp>,
    /// Place in the display order; lower comes first.
    pub order: f64,
    /// The guests that take part.
    pub guest_ids: Vec<GuestId>,
}
record!(Session, "session", "sessions");

tool! {
    /// Lists an event's sessions in display order.
    ListEventSessions = "list_event_sessions" on Events, READ, for READERS => List<Session> {
        req {
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Part of the title.
            search: Option<Line>,
            /// Most sessions to return.
            limit: Limit,
            /// Sessions to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Adds a session to an event.
    CreateEventSession = "create_event_session" on Events, CREATE, for Roles::DESK => One<Session> {
        req {
            /// The event.
            event_id: EventId,
            /// Title.
            title: Name,
        }
        opt {
            /// What it is about.
            description: Option<Prose>,
            /// Location.
            location: Option<Line>,
            /// When it begins.
            #[serde(deserialize_with = "our_era")]
            start_time: Option<Timestamp>,
            /// When it ends; not before start_time.
            #[serde(deserialize_with = "our_era")]
            end_time: Option<Timestamp>,
            /// Lower comes first; 0 where left out.
            order: Option<Position>,
            /// Guests of the event that take part.
            guest_ids: Option<UpTo<GuestId, 1000>>,
        }
    }
}

tool! {
    /// Changes a session. Fields left out stay; null clears.
    UpdateEventSession = "update_event_session" on Events, UPDATE, for Roles::DESK => One<Session> {
        req {
            /// The session.
            id: SessionId,
        }
        opt {
            /// Title.
            title: Change<Name>,
            /// What it is about.
            description: Patch<Prose>,
            /// Location.
            location: Patch<Line>,
            /// When it begins.
            #[serde(deserialize_with = "our_era")]
            start_time: Patch<Timestamp>,
            /// When it ends; not before start_time.
            #[serde(deserialize_with = "our_era")]
            end_time: Patch<Timestamp>,
            /// Lower comes first.
            order: Change<Position>,
            /// Replaces the guests that take part.
            guest_ids: Change<UpTo<GuestId, 1000>>,
        }
    }
}

tools![ListEventSessions, CreateEventSession, UpdateEventSession];
