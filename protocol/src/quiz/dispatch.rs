//! The dispatch of interviews: a form to the guests of an event, each once, where their chat id says.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::{DispatchId, EventId, FormId, GuestId};
use crate::record::{List, Maybe, record};
use crate::role::{Role, Roles};
use crate::tool::{tool, tools};
use crate::value::{Limit, Name, Offset};
use crate::words::words;

/// Who sees what was dispatched: those who dispatch, and the machine that sends it.
const READERS: Roles = Roles::DESK.and(&[Role::Automation]);

words! {
    /// What a dispatch does with a guest.
    Outcome {
        Send = "send",
        Already = "already",
        NoChatId = "no_chat_id",
    }
}

/// A form that was dispatched to a guest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dispatch {
    /// Identifies the dispatch.
    pub id: DispatchId,
    /// The guest's name; null for machines, which see no guests.
    pub guest_name: Option<String>,
    /// The form.
    pub form_id: FormId,
    /// The event.
    pub event_id: EventId,
    /// The guest.
    pub guest_id: GuestId,
    /// Where it is sent.
    pub chat_id: String,
    /// When it was dispatched.
    pub created_at: Timestamp,
}
record!(Dispatch, "dispatch", "dispatches");

/// A guest, and what a dispatch does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedGuest {
    /// The guest.
    pub guest_id: GuestId,
    /// Name.
    pub name: String,
    /// What a dispatch does.
    pub outcome: Outcome,
}

/// What a dispatch would do: to how many guests, and with a page of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Preview {
    /// How many would get the form.
    pub send: u32,
    /// How many have it already.
    pub already: u32,
    /// How many have no chat id.
    pub no_chat_id: u32,
    /// The guests of this page, by name.
    pub guests: Vec<PlannedGuest>,
    /// Most guests of a page.
    pub limit: u32,
    /// How many guests come before.
    pub offset: u32,
    /// Whether a guest follows.
    pub has_more: bool,
}

/// What a dispatch did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dispatched {
    /// How many guests got the form by this call.
    pub dispatched: u32,
    /// How many webhooks that caused.
    pub automation_webhook_inserts: u32,
    /// How many are left to send to: the call's limit was reached.
    pub remaining: u32,
    /// How many have the form now.
    pub already: u32,
    /// How many have no chat id.
    pub no_chat_id: u32,
}

tool! {
    /// Shows what dispatch_interview would do with each guest of an event.
    PreviewDispatch = "preview_dispatch" on Quiz, READ, for Roles::DESK => Preview {
        req {
            /// The form.
            form_id: FormId,
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Only guests of this role.
            role: Option<Name>,
            /// Most guests to return.
            limit: Limit,
            /// Guests to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Sends a form to the guests of an event whose chat id resolves (resolve_chat_id), each once ever.
    DispatchInterview = "dispatch_interview" on Quiz, UPDATE, for Roles::DESK => Dispatched {
        req {
            /// The form.
            form_id: FormId,
            /// The event.
            event_id: EventId,
        }
        opt {
            /// Only guests of this role.
            role: Option<Name>,
            /// Most guests to send to; call again for the rest.
            limit: Limit<200, 1000>,
        }
    }
}

tool! {
    /// Lists dispatches, the latest first.
    ListDispatches = "list_dispatches" on Quiz, READ, for READERS => List<Dispatch> {
        opt {
            /// Only dispatches of this form.
            form_id: Option<FormId>,
            /// Only dispatches to this guest.
            guest_id: Option<GuestId>,
            /// Most dispatches to return.
            limit: Limit,
            /// Dispatches to skip.
            offset: Offset,
        }
    }
}

tool! {
    /// Gets a dispatch: what the webhook names.
    GetDispatch = "get_dispatch" on Quiz, READ, for READERS => Maybe<Dispatch> {
        req {
            /// The dispatch.
            id: DispatchId,
        }
    }
}

tools![
    PreviewDispatch,
    DispatchInterview,
    ListDispatches,
    GetDispatch
];
