//! Guests of an event, and their check-in.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::READERS;
use crate::id::{EventId, GuestId, MemberId};
use crate::record::{List, Maybe, One, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Change, Flag, Limit, Line, Name, Object, Offset, Patch, Phone, our_era};
use crate::words::words;

/// A guest of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Guest {
    /// Identifies the guest.
    pub id: GuestId,
    /// The event.
    pub event_id: EventId,
    /// Name.
    pub name: String,
    /// E-mail address.
    pub email: Option<String>,
    /// Telephone number.
    pub phone_number: Option<String>,
    /// What the guest is at the event: a free string.
    pub role: Option<String>,
    /// The member that this guest is.
    pub member_id: Option<MemberId>,
    /// User id on the chat platform.
    pub chat_id: Option<String>,
    /// When the guest arrived; null until then.
    pub check_in_at: Option<Timestamp>,
    /// Free keys and values.
    pub tags: Map<String, Value>,
    /// In a search: how it found the guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<Matched>,
}
record!(Guest, "guest", "guests");

words! {
    /// How a search found a guest, best first.
    Matched {
        /// Its words are the words of the name, in any order.
        Name = "name",
        /// Its words begin words of the name, or it begins the e-mail address.
        Prefix = "prefix",
        /// The name contains its words.
        Part = "part",
        /// A letter of its words is wrong.
        Similar = "similar",
    }
}

/// What a check-in did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedIn {
    /// The guest, with the time of arrival.
    pub guest: Guest,
    /// Whether the guest had been checked in before, so that nothing changed; `check_in_at` says when.
    pub already_checked_in: bool,
}

/// What adding a guest did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuestAdded {
    /// The guest.
    pub guest: Guest,
    /// Whether the member already was a guest of the event and was linked instead of added.
    pub linked: bool,
    /// Whether `chat_id` was copied from the member's profile.
    pub chat_backfilled: bool,
}

words! {
    /// Where a chat id comes from.
    ChatSource {
        /// The guest's own `chat_id`.
        Guest = "guest",
        /// The profile of the member.
        Profile = "profile",
        /// Nowhere.
        None = "none",
    }
}

/// Where a message to this guest or member would go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChatResolution {
    /// Whether there is a chat id.
    pub resolved: bool,
    /// Where it comes from.
    pub source: ChatSource,
    /// The chat id with all but its last characters hidden.
    pub masked_chat_id: Option<String>,
    /// Why, in words.
    pub reason: String,
}

tool! {
    /// Lists an event's guests by name.
    ListEventGuests = "list_event_guests" on Events, READ, for READERS => List<Guest> {
        req {
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Words of the name, or how an e-mail address begins. Best matches come first.
            search: Option<Line>,
            /// Exactly this role.
            role: Option<Line>,
            /// Only this member.
            member_id: Option<MemberId>,
            /// Most guests to return.
            limit: Limit,
            /// Guests to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets one guest.
    GetEventGuest = "get_event_guest" on Events, READ, for READERS => Maybe<Guest> {
        req {
            /// The guest.
            id: GuestId,
        }
    }
}

tool! {
    /// Adds a guest to an event.
    CreateEventGuest = "create_event_guest" on Events, CREATE, for Roles::DESK => One<Guest> {
        req {
            /// The event.
            event_id: EventId,
            /// Name.
            name: Name,
        }
        opt {
            /// E-mail.
            email: Option<Line>,
            /// Phone number.
            phone_number: Option<Line>,
            /// What the guest is at the event.
            role: Option<Line>,
            /// The member that this guest is.
            member_id: Option<MemberId>,
            /// User id on the chat platform.
            chat_id: Option<Line>,
            /// Free keys and values.
            tags: Option<Object>,
        }
    }
}

tool! {
    /// Changes a guest. Fields left out stay; null clears.
    UpdateEventGuest = "update_event_guest" on Events, UPDATE,
        for Roles::DESK.and(&[Role::Teacher]) => One<Guest> {
        req {
            /// The guest.
            id: GuestId,
        }
        opt {
            /// Name.
            name: Change<Name>,
            /// E-mail.
            email: Patch<Line>,
            /// Phone number.
            phone_number: Patch<Line>,
            /// What the guest is at the event.
            role: Patch<Line>,
            /// The member that this guest is.
            member_id: Patch<MemberId>,
            /// User id on the chat platform.
            chat_id: Patch<Line>,
            /// When the guest arrived; null undoes the check-in.
            #[serde(deserialize_with = "our_era")]
            check_in_at: Patch<Timestamp>,
            /// Replaces all tags.
            tags: Change<Object>,
        }
    }
}

tool! {
    /// Checks a guest in, now. A guest who is already in stays as they are.
    CheckInGuest = "check_in_guest" on Events, UPDATE,
        for Roles::DESK.and(&[Role::Teacher]) => CheckedIn {
        req {
            /// The guest.
            id: GuestId,
        }
    }
}

tool! {
    /// Adds a guest to the interview dispatch audience, or links the member who already is a guest.
    AddEventGuest = "add_event_guest" on Events, CREATE, for Roles::DESK => GuestAdded {
        req {
            /// The event.
            event_id: EventId,
            /// Name.
            name: Name,
        }
        opt {
            /// E-mail.
            email: Option<Line>,
            /// For messages: 7 to 15 digits, a leading + allowed.
            phone_number: Option<Phone>,
            /// For chat, where the guest is no member.
            chat_id: Option<Line>,
            /// The member that this guest is.
            // Null is part of the specification's contract here, and so stays in the schema.
            #[schemars(extend("x-clearable" = true))]
            member_id: Option<MemberId>,
            /// Take a missing chat_id from the member's profile.
            backfill_chat: Flag<true>,
            /// What the guest is at the event.
            role: Option<Line>,
            /// Free keys and values.
            tags: Option<Object>,
        }
    }
}

tool! {
    /// Shows where a chat message would go: the guest's own id, else the member's profile. Sends nothing.
    ResolveChatId = "resolve_chat_id" on Events, READ, for READERS => ChatResolution {
        opt {
            /// Checked first.
            guest_id: Option<GuestId>,
            /// Its profile is the fallback.
            member_id: Option<MemberId>,
        }
    }
}

tools![
    ListEventGuests,
    GetEventGuest,
    CreateEventGuest,
    UpdateEventGuest,
    CheckInGuest,
    AddEventGuest,
    ResolveChatId,
];
