//! Interview dispatch: sends a form once to each guest of an event who has a chat id, or an account to respond with.

use jiff::Timestamp;

use crate::id::{DispatchId, EventId, FormId, GuestId};
use crate::quiz::form::Field;
use crate::record::record;
use crate::role::{Role, Roles};
use crate::tool::tool;
use crate::value::{Limit, Name, Offset, UpTo};
use crate::wire::Wire;
use crate::words::words;

/// Roles that read dispatches: those that dispatch, the machine account that sends, and fellows who were guests.
const READERS: Roles = Roles::DESK.and(&[Role::Automation, Role::Fellow]);

words! {
    /// The outcome of a dispatch for a guest.
    Outcome {
        Send = "send",
        Already = "already",
        NoChatId = "no_chat_id",
    }
}

record! {
    /// A form that was dispatched to a guest.
    Dispatch = "dispatch", "dispatches" (parent: form_id, name: guest_name) {
        id: DispatchId,
        /// The guest's name; null for machine accounts, which cannot see guests.
        guest_name: Option<String>,
        form_id: FormId,
        form_title: String,
        event_id: EventId,
        guest_id: GuestId,
        /// The chat id it is sent to; null: the guest responds in the app.
        chat_id: Option<String>,
        /// When it was dispatched.
        created_at: Timestamp,
        /// When the guest responded, if you can read the response.
        responded_at: Option<Timestamp>,
        /// The fields of the form.
        fields: UpTo<Field, 100> [unlisted],
    }
    other PreviewDispatch;
    other DispatchInterview;
    /// What was dispatched.
    summary DispatchSummary;
    /// Lists dispatches, latest first. Fellows see their own.
    list ListDispatches = "list_dispatches" on Quiz for READERS {
        opt {
            form_id: Option<FormId>,
            guest_id: Option<GuestId>,
            /// Whether there is a response.
            is_answered: Option<bool>,
        }
    }
    /// Gets a dispatch by the id in its webhook.
    get GetDispatch = "get_dispatch" on Quiz for READERS;
}

/// A guest and the outcome of a dispatch.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct PlannedGuest {
    pub guest_id: GuestId,
    pub name: String,
    /// The outcome of a dispatch.
    pub outcome: Outcome,
}

/// The preview of a dispatch: totals and a page of guests.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Preview {
    /// Number of guests who would get the form.
    pub send: u32,
    /// Number of guests who already have it.
    pub already: u32,
    /// Number of guests with neither a chat id nor an account.
    pub no_chat_id: u32,
    /// The guests of this page, by name.
    pub guests: Vec<PlannedGuest>,
    /// Maximum number of guests per page.
    pub limit: u32,
    /// Number of guests before this page.
    pub offset: u32,
    /// Whether more guests follow.
    pub has_more: bool,
}

/// The result of a dispatch.
#[derive(Debug, Clone, PartialEq, Wire)]
pub struct Dispatched {
    /// Number of guests who got the form in this call.
    pub dispatched: u32,
    /// Number of outbound webhooks.
    pub automation_webhook_inserts: u32,
    /// Number of guests left because the limit was reached.
    pub remaining: u32,
    /// Number of guests who had it before.
    pub already: u32,
    /// Number of guests with neither a chat id nor an account.
    pub no_chat_id: u32,
}

tool! {
    /// Previews dispatch_interview: the outcome for each guest of an event.
    PreviewDispatch = "preview_dispatch" on Quiz, READ, for Roles::DESK => Preview {
        req {
            form_id: FormId,
            event_id: EventId,
        }
        opt {
            role: Option<Name>,
            limit: Limit,
            offset: Offset,
        }
    }
}

tool! {
    /// Sends a form to the guests of an event who have a chat id (resolve_chat_id) or an account. Each guest gets it only
    /// once.
    DispatchInterview = "dispatch_interview" on Quiz, SEND, for Roles::DESK => Dispatched {
        req {
            form_id: FormId,
            event_id: EventId,
        }
        opt {
            role: Option<Name>,
            /// Maximum number of guests to send to; call again for the rest.
            limit: Limit<200, 1000>,
        }
    }
}
