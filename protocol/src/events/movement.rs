//! The log of movements at the entrances of an event.

use jiff::Timestamp;

use super::COUNTERS;
use super::guest::Guest;
use super::passage::{Direction, Passage, Source, Verdict};
use crate::id::{EventId, GuestId, MovementId, PlaceId, UserId};
use crate::record::record;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Flag, Line};
use crate::wire::Wire;

record! {
    /// What happened at an entrance: a guest passed, or was turned away.
    Movement = "movement", "movements" (parent: event_id) {
        id: MovementId,
        event_id: EventId,
        guest_id: GuestId,
        guest_name: String,
        /// Null for the event itself.
        place_id: Option<PlaceId>,
        direction: Direction,
        verdict: Verdict,
        /// What the place's rules say about a guest who passed all the same.
        despite: Option<Verdict>,
        /// Why they passed all the same.
        reason: Option<String>,
        gate: Option<String>,
        /// The name of the desk.
        desk: Option<String>,
        source: Option<Source>,
        at: Timestamp,
        user_id: Option<UserId>,
        /// The name of the account at the desk.
        user_name: Option<String>,
    }
    /// Lists what happened at an event's entrances, latest first.
    list ListMovements = "list_movements" on Events for COUNTERS {
        req {
            event_id: EventId,
        }
        opt {
            guest_id: Option<GuestId>,
            place_id: Option<PlaceId>,
            /// Exact match.
            gate: Option<Line>,
            verdict: Option<Verdict>,
        }
    }
    other RecordMovement;
}

/// A recorded movement.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Recorded {
    pub movement: Movement,
    pub guest: Guest,
    /// The guest's last passage there, with this one.
    pub last: Option<Passage>,
}

tool! {
    /// Records that a guest comes or goes, or is turned away, as the verdict says. The first entry is the check-in.
    RecordMovement = "record_movement" on Events, CREATE,
        for Roles::DESK.and(&[Role::Teacher]) => Recorded {
        req {
            guest_id: GuestId,
            direction: Direction,
        }
        opt {
            /// Omit for the event itself.
            place_id: Option<PlaceId>,
            gate: Option<Line>,
            /// The name of the desk.
            desk: Option<Line>,
            source: Option<Source>,
            /// What the desk has decided already, without the host: passed, or why the guest did not pass.
            decided: Option<Verdict>,
            /// Lets the guest pass whatever the rules say. Not for teachers.
            reason: Option<Line>,
            /// Instead, takes back your last passage there in the other direction.
            takes_back: Flag<false>,
        }
    }
}
