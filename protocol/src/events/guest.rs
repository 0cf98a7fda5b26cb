//! Guests of an event, and their check-in.

use jiff::Timestamp;

use super::READERS;
use super::passage::{Direction, Passage};
use crate::id::{EventId, GuestId, MemberId};
use crate::record::record;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Change, Contact, Flag, Line, Mail, Name, Object, Patch, Phone};
use crate::wire::Wire;
use crate::words::words;

record! {
    /// A guest of an event.
    Guest = "guest", "guests" (parent: event_id, name: name) {
        id: GuestId,
        event_id: EventId [create],
        name: Name [create, change],
        email: Option<Mail> [create, change],
        phone_number: Option<Line> [create, change],
        /// Free text.
        role: Option<Line> [create, change],
        member_id: Option<MemberId> [create, change],
        /// User id on the chat platform.
        chat_id: Option<Contact> [create, change],
        /// Null until check-in.
        check_in_at: Option<Timestamp>,
        tags: Object [create?],
        /// In search results: how the guest matched.
        #[wire(optional)]
        matched: Option<Matched>,
        /// For `_meta.frontdesk/place`: the last passage.
        #[wire(optional)]
        passage: Option<Passage>,
    }
    /// Lists an event's guests by name.
    list ListEventGuests = "list_event_guests" on Events for READERS {
        req {
            event_id: EventId,
        }
        opt {
            /// Part of the name, the beginning of the e-mail address, or a ticket's code. Best matches first.
            search: Option<Line>,
            /// Exact match.
            role: Option<Line>,
            member_id: Option<MemberId>,
        }
    }
    /// Gets a guest.
    get GetEventGuest = "get_event_guest" on Events for READERS;
    /// Adds a guest to an event.
    create CreateEventGuest = "create_event_guest" on Events for Roles::DESK;
    /// Changes a guest.
    change UpdateEventGuest = "update_event_guest" on Events for Roles::DESK.and(&[Role::Teacher]) {
        opt {
            /// Time of arrival; null undoes the check-in.
            check_in_at: Patch<Timestamp>,
            /// Replaces all tags.
            tags: Change<Object>,
        }
    }
    other CheckInGuest;
    other AddEventGuest;
    other ResolveChatId;
}

words! {
    /// How a guest matches a search, best match first.
    Matched {
        /// The search is or contains the code of the guest's ticket: the tag `ticket_code`.
        Ticket = "ticket",
        /// The words of the search are the words of the name, in any order.
        Name = "name",
        /// The words of the search begin words of the name, or the search begins the e-mail address.
        Prefix = "prefix",
        /// The name contains the words of the search.
        Part = "part",
        /// The name matches with one wrong letter.
        Similar = "similar",
    }
}

/// The result of a check-in.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct CheckedIn {
    /// The guest, with the time of arrival.
    pub guest: Guest,
    /// True if the guest was already checked in: nothing changed, and `check_in_at` is the earlier time.
    pub already_checked_in: bool,
}

impl Guest {
    /// Whether the guest has come, and has not left as far as the last passage says.
    #[must_use]
    pub fn is_inside(&self) -> bool {
        let left = self.passage.as_ref();
        let left = left.filter(|last| last.direction == Direction::Out);
        self.check_in_at
            .is_some_and(|came| left.is_none_or(|left| left.at < came))
    }

    /// Whether the guest's last passage was into the place that the passage is about.
    #[must_use]
    pub fn has_entered(&self) -> bool {
        let last = self.passage.as_ref();
        last.is_some_and(|last| last.direction == Direction::In)
    }

    /// A guest with a name; all other fields are empty.
    pub fn new(id: GuestId, event_id: EventId, name: &str) -> Guest {
        Guest {
            id,
            event_id,
            name: name.to_owned(),
            email: None,
            phone_number: None,
            role: None,
            member_id: None,
            chat_id: None,
            check_in_at: None,
            tags: serde_json::Map::new(),
            matched: None,
            passage: None,
        }
    }
}

/// The result of adding a guest.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct GuestAdded {
    pub guest: Guest,
    /// True if the person already was a guest: the guest was linked to the member, none was added.
    pub linked: bool,
    /// Whether `chat_id` was copied from the member's profile.
    pub chat_backfilled: bool,
}

words! {
    /// The source of a chat id.
    ChatSource {
        /// The guest's own `chat_id`.
        Guest = "guest",
        /// The member's profile.
        Profile = "profile",
        /// No chat id was found.
        None = "none",
    }
}

/// The chat id for messages to a guest or member.
#[derive(Debug, Clone, PartialEq, Eq, Wire)]
pub struct ChatResolution {
    /// Whether a chat id was found.
    pub resolved: bool,
    /// The source of the chat id.
    pub source: ChatSource,
    /// The chat id, masked except for its last characters.
    pub masked_chat_id: Option<String>,
    /// Explanation.
    pub reason: String,
}

tool! {
    /// Checks a guest in now. If the guest is already checked in, nothing changes.
    CheckInGuest = "check_in_guest" on Events, UPDATE,
        for Roles::DESK.and(&[Role::Teacher]) => CheckedIn {
        req {
            id: GuestId,
        }
    }
}

tool! {
    /// Adds a guest to the interview dispatch audience. If the person already is a guest, links the member.
    AddEventGuest = "add_event_guest" on Events, CREATE, for Roles::DESK => GuestAdded {
        req {
            event_id: EventId,
            name: Name,
        }
        opt {
            email: Option<Mail>,
            phone_number: Option<Phone>,
            /// User id on the chat platform, for a guest who is not a member.
            chat_id: Option<Line>,
            // The specification allows null here.
            member_id: Patch<MemberId>,
            /// Copy a missing chat_id from the profile.
            backfill_chat: Flag<true>,
            /// Free text.
            role: Option<Line>,
            tags: Option<Object>,
        }
    }
}

tool! {
    /// Finds the chat id for messages: the guest's own, or else the one in the member's profile. Sends nothing.
    ResolveChatId = "resolve_chat_id" on Events, READ, for READERS => ChatResolution {
        opt {
            /// The guest; checked first.
            guest_id: Option<GuestId>,
            /// The member; their profile is the fallback.
            member_id: Option<MemberId>,
        }
    }
}
