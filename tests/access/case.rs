//! Calls of every events tool on the organisation's rows.

use serde_json::{Value, json};

use crate::matrix::{Cell, Resource};
use crate::stage::Stage;
use crate::who::Who;

/// A call of a tool.
pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) resource: Resource,
    pub(crate) act: Act,
    pub(crate) arguments: fn(&Stage) -> Value,
}

/// The action of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Lists the organisation's rows.
    List,
    /// Gets a row.
    Get(Whose),
    /// Resolves the chat id of a message.
    Resolve(Whose),
    /// Adds a row to the record of this argument.
    Create(&'static str),
    /// Changes a row.
    Change(Whose),
}

/// The owner of the row, for guests and tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// The fellow.
    Own,
    /// Another member.
    Other,
}

use Act::{Change, Create, Get, List, Resolve};
use Whose::{Other, Own};

impl Act {
    /// Whether the call reads.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, List | Get(_) | Resolve(_))
    }
}

impl Case {
    /// Whether this caller can do this with the organisation's rows.
    pub(crate) fn is_allowed(&self, who: Who) -> bool {
        match self.act {
            List => who.cell(self.resource) != Cell::Nothing,
            Get(whose) | Resolve(whose) => sees(who, self.resource, whose),
            Create(_) | Change(_) => who.cell(self.resource) == Cell::Write,
        }
    }

    /// The call's name in a failing test.
    pub(crate) fn name(&self, who: Who) -> String {
        format!("{} ({:?}) as {who:?}", self.tool, self.act)
    }
}

/// Whether this caller sees a row of the resource.
pub(crate) fn sees(who: Who, resource: Resource, whose: Whose) -> bool {
    // Those who see the guest see the check-in.
    let resource = match resource {
        Resource::CheckIn => Resource::Guests,
        resource => resource,
    };
    match who.cell(resource) {
        Cell::Nothing => false,
        Cell::Own => whose == Own,
        Cell::Read | Cell::Write => true,
    }
}

macro_rules! cases {
    ($($tool:literal, $resource:ident, $act:expr, |$stage:ident| $arguments:tt;)+) => {
        &[$(Case {
            tool: $tool,
            resource: Resource::$resource,
            act: $act,
            arguments: |$stage| json!($arguments),
        }),+]
    };
}

/// Every tool at least once; on the fellow's and on others' rows if they differ.
pub(crate) const CASES: &[Case] = cases![
    "list_events", Events, List, |_stage| {};
    "get_event", Events, Get(Other), |stage| { "id": stage.rows.event };
    "create_event", Events, Create("strategy_business_unit_id"), |stage| {
        "name": "New", "strategy_business_unit_id": stage.ours.business_unit,
    };
    "update_event", Events, Change(Other), |stage| { "id": stage.rows.event, "name": "Renamed" };

    "list_event_sessions", Sessions, List, |stage| { "event_id": stage.rows.event };
    "create_event_session", Sessions, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "title": "New", "guest_ids": [stage.rows.other_guest],
    };
    "create_event_session", Sessions, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "title": "Empty",
    };
    "update_event_session", Sessions, Change(Other), |stage| {
        "id": stage.rows.session, "title": "Renamed",
    };
    "update_event_session", Sessions, Change(Other), |stage| {
        "id": stage.rows.session, "guest_ids": [stage.rows.other_guest],
    };

    "list_event_guests", Guests, List, |stage| { "event_id": stage.rows.event };
    "list_event_guests", Guests, List, |stage| { "event_id": stage.rows.event, "search": "" };
    "get_event_guest", Guests, Get(Own), |stage| { "id": stage.rows.own_guest };
    "get_event_guest", Guests, Get(Other), |stage| { "id": stage.rows.other_guest };
    "create_event_guest", Guests, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "name": "New",
    };
    "update_event_guest", Guests, Change(Own), |stage| {
        "id": stage.rows.own_guest, "name": "Renamed",
    };
    "update_event_guest", Guests, Change(Other), |stage| {
        "id": stage.rows.other_guest, "tags": { "table": 7 },
    };
    "add_event_guest", Guests, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "name": "New", "member_id": stage.ours.member,
    };
    "resolve_chat_id", Guests, Resolve(Own), |stage| { "guest_id": stage.rows.own_guest };
    "resolve_chat_id", Guests, Resolve(Other), |stage| { "guest_id": stage.rows.other_guest };
    "resolve_chat_id", Guests, Resolve(Own), |stage| { "member_id": stage.ours.fellow };
    "resolve_chat_id", Guests, Resolve(Other), |stage| { "member_id": stage.ours.member };

    "check_in_guest", CheckIn, Change(Own), |stage| { "id": stage.rows.own_guest };
    "check_in_guest", CheckIn, Change(Other), |stage| { "id": stage.rows.other_guest };
    "update_event_guest", CheckIn, Change(Own), |stage| {
        "id": stage.rows.own_guest, "check_in_at": null,
    };
    "update_event_guest", CheckIn, Change(Other), |stage| {
        "id": stage.rows.other_guest, "check_in_at": "2026-03-05T15:00:00Z",
    };

    "list_event_tasks", Tasks, List, |stage| { "event_id": stage.rows.event };
    "create_event_task", Tasks, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "title": "New",
    };
    "update_event_task", Tasks, Change(Own), |stage| {
        "id": stage.rows.own_task, "status": "done",
    };
    "update_event_task", Tasks, Change(Other), |stage| {
        "id": stage.rows.other_task, "status": "done",
    };

    "list_event_expenses", Expenses, List, |stage| { "event_id": stage.rows.event };
    "create_event_expense", Expenses, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "vendor_name": "New",
    };
    "update_event_expense", Expenses, Change(Other), |stage| {
        "id": stage.rows.expense, "amount_paid": 12.5,
    };

    "list_event_photos", Photos, List, |stage| { "event_id": stage.rows.event };
    "get_event_photo", Photos, Get(Other), |stage| { "id": stage.rows.photo };
    "add_event_photo", Photos, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "url": "https://example.org/2.jpg",
    };
    "add_event_photo", Photos, Create("event_id"), |stage| {
        "event_id": stage.rows.event, "url": "https://example.org/3.jpg",
        "member_ids": [stage.ours.fellow],
    };
    "update_event_photo", Photos, Change(Other), |stage| {
        "id": stage.rows.photo, "caption": "The door",
    };
    "update_event_photo", Photos, Change(Other), |stage| {
        "id": stage.rows.photo, "member_ids": [stage.ours.fellow],
    };
];
