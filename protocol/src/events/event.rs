//! Events.

use jiff::Timestamp;

use super::READERS;
use crate::id::{BusinessUnitId, EventId, GuestId};
use crate::record::{Maybe, record};
use crate::role::Roles;
use crate::tool::tool;
use crate::value::{Latitude, Line, Longitude, Name, Prose};
use crate::wire::Wire;

record! {
    /// An event that guests attend.
    Event = "event", "events" (name: name) {
        id: EventId,
        name: Name [create, change],
        description: Option<Prose> [create, change],
        location: Option<Line> [create, change],
        latitude: Option<Latitude> [create, change],
        longitude: Option<Longitude> [create, change],
        start_at: Option<Timestamp> [create, change],
        /// Not before start_at.
        end_at: Option<Timestamp> [create, change],
        strategy_business_unit_id: BusinessUnitId [create, change],
        /// Its name, also for callers who cannot list business units.
        business_unit_name: Option<String>,
        /// When it was last changed; a list of guests that an earlier app stored does not have it.
        updated_at: Option<Timestamp>,
        /// Number of guests visible to the caller.
        guest_count: u32,
        /// Number of those guests who are checked in.
        checked_in_count: u32,
    }
    form EventWithArrivals;
    /// Lists events, latest start first.
    list ListEvents = "list_events" on Events for READERS {
        opt {
            search: Option<Line>,
            strategy_business_unit_id: Option<BusinessUnitId>,
        }
    }
    get GetEvent;
    /// Creates an event in a business unit.
    create CreateEvent = "create_event" on Events for Roles::DESK;
    /// Changes an event.
    change UpdateEvent = "update_event" on Events for Roles::DESK;
    /// Deletes an event with all that belongs to it, guests and dispatched forms included.
    delete DeleteEvent = "delete_event" on Events for Roles::DESK;
}

/// An event with its latest arrivals.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct EventWithArrivals {
    #[wire(flatten)]
    pub event: Event,
    /// The latest 50 arrivals visible to the caller, latest first.
    pub recent_arrivals: Vec<Arrival>,
    /// Tags of its guests that have the codes of tickets, in addition to `ticket_code`.
    #[wire(default)]
    pub ticket_tags: Vec<String>,
}

/// A guest who is checked in.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct Arrival {
    pub guest_id: GuestId,
    pub name: String,
    pub check_in_at: Timestamp,
}

tool! {
    /// Gets an event with its latest arrivals.
    GetEvent = "get_event" on Events, READ, for READERS => Maybe<EventWithArrivals> {
        req {
            id: EventId,
        }
    }
}
