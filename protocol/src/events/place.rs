//! Places of an event, with the guests who may enter.

use jiff::Timestamp;

use super::COUNTERS;
use crate::id::{EventId, PlaceId, SessionId};
use crate::record::record;
use crate::role::Roles;
use crate::value::{Change, Line, Name, TimeOfDay, UpTo, Whole};

/// The hours between two times at which a place is emptied, but for the nights in which clocks change.
const HOURS: i64 = 24;

impl Place {
    /// The last time at which it was emptied, before this one: passages of earlier times say nothing about who is inside.
    #[must_use]
    pub fn emptied_before(&self, at: Timestamp) -> Option<Timestamp> {
        let known = self.emptied_at?;
        let day = HOURS * 3600;
        let days = (at.as_second() - known.as_second()).div_euclid(day);
        Timestamp::from_second(known.as_second() + days * day).ok()
    }
}

/// The number of guests that a place can hold.
pub type Capacity = Whole<1, 1_000_000>;

record! {
    /// A place of an event, such as a hall, and who may enter. A guest needs what each given field asks for.
    Place = "place", "places" (parent: event_id, name: name) {
        id: PlaceId,
        event_id: EventId [create],
        name: Name [create, change],
        /// Guests of this session enter.
        session_id: Option<SessionId> [create, change],
        /// Guests with one of these roles enter; all do if it is empty.
        roles: UpTo<Name, 50> [create?],
        /// Guests with this tag enter, unless its value is false, null or empty.
        tag: Option<Line> [create, change],
        /// Entry begins.
        opens_at: Option<Timestamp> [create, change],
        /// Entry ends. After opens_at.
        closes_at: Option<Timestamp> [create, change],
        /// Whether who has left may not enter again, until the place is emptied.
        once: bool [create?],
        /// Each day at this time of the organisation's zone, everybody inside counts as gone. Omit if the place stays as it is.
        empties_at: Option<TimeOfDay> [create, change],
        /// The last time at which it was emptied.
        emptied_at: Option<Timestamp>,
        /// The most guests inside.
        capacity: Option<Capacity> [create, change],
        /// Guests inside now.
        inside_count: u32,
    }
    /// Lists the places of an event, with the guests inside.
    list ListEventPlaces = "list_event_places" on Events for COUNTERS {
        req {
            event_id: EventId,
        }
        opt {
            search: Option<Line>,
        }
    }
    /// Adds a place to an event.
    create CreateEventPlace = "create_event_place" on Events for Roles::DESK;
    /// Changes a place, and who may enter.
    change UpdateEventPlace = "update_event_place" on Events for Roles::DESK {
        opt {
            /// Replaces all roles.
            roles: Change<UpTo<Name, 50>>,
            once: Change<bool>,
        }
    }
    /// Deletes a place with its movements.
    delete DeleteEventPlace = "delete_event_place" on Events for Roles::DESK;
}
