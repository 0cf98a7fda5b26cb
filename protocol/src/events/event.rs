//! Events.

use jiff::Timestamp;

use super::READERS;
use crate::id::{BusinessUnitId, EventId, GuestId};
use crate::record::{List, Maybe, One};
use crate::resource::resource;
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Change, Latitude, Limit, Line, Longitude, Name, Offset, Patch, Prose};
use crate::wire::Wire;

/// An event that guests attend.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Event {
    pub id: EventId,
    pub name: String,
    pub description: Option<String>,
    /// Venue or address, as free text.
    pub location: Option<String>,
    /// Degrees north of the equator.
    pub latitude: Option<f64>,
    /// Degrees east of Greenwich.
    pub longitude: Option<f64>,
    /// Start time.
    pub start_at: Option<Timestamp>,
    /// End time.
    pub end_at: Option<Timestamp>,
    /// The business unit that runs it.
    pub strategy_business_unit_id: BusinessUnitId,
    /// Its name, also for callers who cannot list business units.
    pub business_unit_name: Option<String>,
    /// When it was last changed; a list of guests that an earlier app stored does not have it.
    pub updated_at: Option<Timestamp>,
    /// Number of guests visible to the caller.
    pub guest_count: u32,
    /// Number of those guests who are checked in.
    pub checked_in_count: u32,
}

/// An event with its latest arrivals.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct EventWithArrivals {
    #[wire(flatten)]
    pub event: Event,
    /// The latest 50 arrivals visible to the caller, latest first.
    pub recent_arrivals: Vec<Arrival>,
}

resource! {
    Event, EventWithArrivals = "event", "events" (name: name) {
        list: ListEvents,
        get: GetEvent,
        create: CreateEvent,
        change: UpdateEvent,
    }
}

/// A guest who is checked in.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Arrival {
    pub guest_id: GuestId,
    pub name: String,
    pub check_in_at: Timestamp,
}

tool! {
    /// Lists events, latest start first.
    ListEvents = "list_events" on Events, READ, for READERS => List<Event> {
        opt {
            search: Option<Line>,
            strategy_business_unit_id: Option<BusinessUnitId>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Gets an event with its latest arrivals.
    GetEvent = "get_event" on Events, READ, for READERS => Maybe<EventWithArrivals> {
        req {
            id: EventId,
        }
    }
}

tool! {
    /// Creates an event in a business unit.
    CreateEvent = "create_event" on Events, CREATE, for Roles::DESK => One<Event> {
        req {
            name: Name,
            strategy_business_unit_id: BusinessUnitId,
        }
        opt {
            description: Option<Prose>,
            location: Option<Line>,
            latitude: Option<Latitude>,
            longitude: Option<Longitude>,
            start_at: Option<Timestamp>,
            /// Not before start_at.
            end_at: Option<Timestamp>,
        }
    }
}

tool! {
    /// Changes an event.
    UpdateEvent = "update_event" on Events, UPDATE, for Roles::DESK => One<Event> {
        req {
            id: EventId,
        }
        opt {
            name: Change<Name>,
            strategy_business_unit_id: Change<BusinessUnitId>,
            description: Patch<Prose>,
            location: Patch<Line>,
            latitude: Patch<Latitude>,
            longitude: Patch<Longitude>,
            start_at: Patch<Timestamp>,
            /// Not before start_at.
            end_at: Patch<Timestamp>,
        }
    }
}
