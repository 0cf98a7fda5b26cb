//! Several guests of an event at once.

use jiff::Timestamp;

use crate::events::guest::Guest;
use crate::id::{EventId, GuestId, MemberId};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Flag, Line, Mail, Name, Object, UpTo};
use crate::wire::Wire;
use crate::words::words;

/// The maximum number of guests in a call.
pub const MOST_GUESTS: usize = 500;

/// A guest who has arrived.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Arrival {
    pub id: GuestId,
    pub name: String,
    pub check_in_at: Timestamp,
}

/// The result of checking guests in.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CheckedInGuests {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The guests who were checked in, by name.
    pub checked_in: Vec<Arrival>,
    /// Number of guests who were checked in before.
    pub already_checked_in: u32,
}

words! {
    /// What to do with a guest who has the e-mail address or the member of another guest, or without an e-mail
    /// address the name.
    OnDuplicate {
        /// Nothing.
        Skip = "skip",
        /// Change the existing guest.
        Update = "update",
        /// Add the guest all the same.
        Add = "add",
        /// Refuse the call.
        Refuse = "refuse",
    }
}

/// A guest to add.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(strict, inline)]
pub struct NewGuest {
    pub name: Name,
    #[wire(optional)]
    pub email: Option<Mail>,
    #[wire(optional)]
    pub phone_number: Option<Line>,
    #[wire(optional)]
    pub role: Option<Line>,
    #[wire(optional)]
    pub member_id: Option<MemberId>,
    #[wire(optional)]
    pub tags: Option<Object>,
}

words! {
    /// What was done with a guest.
    Added {
        Added = "added",
        Updated = "updated",
        Skipped = "skipped",
    }
}

/// A guest of the call, or the existing one.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct AddedGuest {
    pub id: GuestId,
    pub name: String,
    pub outcome: Added,
}

/// The result of adding guests.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct AddedGuests {
    /// Whether nothing was written.
    pub dry_run: bool,
    pub added: u32,
    pub updated: u32,
    pub skipped: u32,
    /// The guests, in the order of the call.
    pub guests: Vec<AddedGuest>,
}

/// The result of removing a guest.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct RemovedGuest {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The last state of the guest.
    pub guest: Guest,
}

/// The result of merging two guests.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct MergedGuests {
    /// Whether nothing was written.
    pub dry_run: bool,
    /// The kept guest.
    pub guest: Guest,
    /// The fields that it got from the other one.
    pub taken: Vec<String>,
    /// The fields in which the two differed: the kept guest's values stay.
    pub differing: Vec<String>,
    /// Number of sessions that it got.
    pub sessions: u32,
    /// Number of movements at entrances that it got.
    pub movements: u32,
    /// Number of dispatched forms that it got.
    pub forms: u32,
}

tool! {
    /// Checks in an event's guests with these ids, this role and this tag, as far as given.
    CheckInGuests = "check_in_guests" on Ops, UPDATE,
        for Roles::DESK.and(&[Role::Teacher]) => CheckedInGuests {
        req {
            event_id: EventId,
        }
        opt {
            ids: Option<UpTo<GuestId, MOST_GUESTS>>,
            role: Option<Line>,
            /// A key of their tags.
            tag: Option<Line>,
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Adds guests to an event, all or none.
    AddGuests = "add_guests" on Ops, CREATE, for Roles::DESK => AddedGuests {
        req {
            event_id: EventId,
            guests: UpTo<NewGuest, MOST_GUESTS>,
        }
        opt {
            /// For a known e-mail address, member or, without an address, name.
            on_duplicate: Option<OnDuplicate> = "skip",
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Removes a guest from an event and its sessions.
    RemoveGuest = "remove_guest" on Ops, DELETE, for Roles::DESK => RemovedGuest {
        req {
            id: GuestId,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tool! {
    /// Merges two guests of an event who are one person. The kept one gets what it lacks, the earlier check-in, the sessions
    /// and the forms; the other one is removed.
    MergeGuests = "merge_guests" on Ops, DELETE, for Roles::DESK => MergedGuests {
        req {
            keep_id: GuestId,
            remove_id: GuestId,
        }
        opt {
            /// Write nothing.
            dry_run: Flag<false>,
        }
    }
}

tools![CheckInGuests, AddGuests, RemoveGuest, MergeGuests];
