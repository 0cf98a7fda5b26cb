//! Events.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::READERS;
use crate::id::{BusinessUnitId, EventId, GuestId};
use crate::record::{List, Maybe, One, record};
use crate::role::Roles;
use crate::tool::{tool, tools};
use crate::value::{Change, Latitude, Limit, Line, Longitude, Name, Offset, Patch, Prose, our_era};

/// An event: something that guests come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Event {
    /// Identifies the event.
    pub id: EventId,
    /// Name.
    pub name: String,
    /// What it is about.
    pub description: Option<String>,
    /// Where it is, in words.
    pub location: Option<String>,
    /// Degrees north.
    pub latitude: Option<f64>,
    /// Degrees east.
    pub longitude: Option<f64>,
    /// When it begins.
    pub start_at: Option<Timestamp>,
    /// When it ends.
    pub end_at: Option<Timestamp>,
    /// The business unit that holds it.
    pub strategy_business_unit_id: BusinessUnitId,
    /// How many guests the caller can see.
    pub guest_count: u32,
    /// How many of them are checked in.
    pub checked_in_count: u32,
}
record!(Event, "event", "events");

/// An event with its last arrivals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventWithArrivals {
    #[serde(flatten)]
    #[allow(missing_docs)]
    pub event: Event,
    /// The last 50 arrivals that the caller can see, latest first.
    pub recent_arrivals: Vec<Arrival>,
}
record!(EventWithArrivals, "event", "events");

/// A guest who is checked in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs)]
pub struct Arrival {
    pub guest_id: GuestId,
    pub name: String,
    pub check_in_at: Timestamp,
}

tool! {
    /// Lists events, latest start first.
    ListEvents = "list_events" on Events, READ, for READERS => List<Event> {
        opt {
            /// Part of the name.
            search: Option<Line>,
            /// Only events of this business unit.
            strategy_business_unit_id: Option<BusinessUnitId>,
            /// Most events to return.
            limit: Limit,
            /// Events to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one event with its last arrivals.
    GetEvent = "get_event" on Events, READ, for READERS => Maybe<EventWithArrivals> {
        req {
            /// The event.
            id: EventId,
        }
    }
}

tool! {
    /// Creates an event in a business unit.
    CreateEvent = "create_event" on Events, CREATE, for Roles::DESK => One<Event> {
        req {
            /// Name.
            name: Name,
            /// The business unit that holds it.
            strategy_business_unit_id: BusinessUnitId,
        }
        opt {
            /// What it is about.
            description: Option<Prose>,
            /// Where it is, in words.
            location: Option<Line>,
            /// Degrees north.
            latitude: Option<Latitude>,
            /// Degrees east.
            longitude: Option<Longitude>,
            /// When it begins.
            #[serde(deserialize_with = "our_era")]
            start_at: Option<Timestamp>,
            /// When it ends; not before start_at.
            #[serde(deserialize_with = "our_era")]
            end_at: Option<Timestamp>,
        }
    }
}

tool! {
    /// Changes an event. Fields left out stay; null clears.
    UpdateEvent = "update_event" on Events, UPDATE, for Roles::DESK => One<Event> {
        req {
            /// The event.
            id: EventId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// Another business unit.
            strategy_business_unit_id: Change<BusinessUnitId>,
            /// What it is about.
            description: Patch<Prose>,
            /// Where it is, in words.
            location: Patch<Line>,
            /// Degrees north.
            latitude: Patch<Latitude>,
            /// Degrees east.
            longitude: Patch<Longitude>,
            /// When it begins.
            #[serde(deserialize_with = "our_era")]
            start_at: Patch<Timestamp>,
            /// When it ends; not before start_at.
            #[serde(deserialize_with = "our_era")]
            end_at: Patch<Timestamp>,
        }
    }
}

tools![ListEvents, GetEvent, CreateEvent, UpdateEvent];
