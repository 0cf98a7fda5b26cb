//! The first steps of a new organisation, for its owner.

use frontdesk_protocol::events::event::ListEvents;
use frontdesk_protocol::staff::invitation::ListInvitations;
use frontdesk_protocol::staff::user::ListStaff;
use frontdesk_protocol::value::{Limit, Offset};
use frontdesk_protocol::work::business_unit::ListBusinessUnits;
use frontdesk_protocol::{Host, Role};
use serde_json::{Map, Value, json};

use super::part::{Next, Part, records};
use crate::app::cx::Cx;
use crate::app::effects::call::ToolCall;
use crate::app::shared::Shared;
use crate::fields::cell::{Cell, Tone};
use crate::look::mark::Mark;
use crate::record_screens::{add, open};
use crate::records::kind::{self, Kind};
use crate::records::record::Record;
use crate::screens::account::AccountScreen;
use crate::ui::table::Column;

pub(super) static STEPS: Part = Part {
    title: "First steps",
    none: "",
    host: Host::Staff,
    kind: "first step",
    is_for: |role| role == Some(Role::Owner),
    next,
    ends: true,
    is_nothing: |_| false,
    note: |steps, _| {
        let done = steps.iter().filter(|step| is_done(step)).count();
        Some(format!("{done} done"))
    },
    columns: |_| vec![Column::name(""), Column::text("")],
    cells,
};

/// What is asked, in this order.
fn calls() -> [ToolCall; 4] {
    let (limit, offset) = (Limit::default(), Offset::default());
    [
        ToolCall::of(&ListBusinessUnits {
            search: None,
            tag: None,
            limit,
            offset,
        }),
        ToolCall::of(&ListStaff {
            search: None,
            role: None,
            is_active: None,
            limit,
            offset,
        }),
        ToolCall::of(&ListInvitations {
            status: None,
            search: None,
            limit,
            offset,
        }),
        ToolCall::of(&ListEvents {
            search: None,
            strategy_business_unit_id: None,
            limit: Limit::default(),
            offset,
        }),
    ]
}

fn next(shared: &Shared, answers: &[Value]) -> Next {
    if let Some(call) = calls().into_iter().nth(answers.len()) {
        return Next::Ask(Box::new(call));
    }
    let is_member = shared
        .account()
        .is_some_and(|account| account.member.is_some());
    let has = |key: &str, least: usize| records(answers, key).len() >= least;
    let events = records(answers, "events");
    let has_guests = |event: &Record| event.number("guest_count").is_some_and(|count| count > 0.0);
    let steps = [
        ("member", "Be a member yourself", is_member),
        (
            "business_unit",
            "Add a business unit",
            has("business_units", 1),
        ),
        (
            "invitation",
            "Invite a colleague",
            has("staff_users", 2) || has("invitations", 1),
        ),
        ("event", "Plan the first event", !events.is_empty()),
        ("guest", "Add its guests", events.iter().any(has_guests)),
    ];
    if steps.iter().all(|(.., is_done)| *is_done) {
        return Next::Rows(Vec::new());
    }
    let event = events.first();
    let (event, event_name) = (
        event.map(Record::id),
        event.and_then(|event| event.text("name")),
    );
    let steps = steps.iter().map(|(id, name, is_done)| {
        json!({ "id": id, "name": name, "is_done": is_done, "event_id": event, "event_name": event_name })
    });
    Next::Rows(steps.filter_map(|step| Record::new(&step)).collect())
}

pub(super) fn is_done(step: &Record) -> bool {
    step.get("is_done") == true
}

fn cells(step: &Record, _: bool, _: &Shared) -> Vec<Cell> {
    let name = step.text("name").unwrap_or_default();
    let (mark, tone) = match is_done(step) {
        true => (Mark::Good, Tone::Dim),
        false => (Mark::Info, Tone::Plain),
    };
    let about = match step.id() {
        "member" => "tasks and weekly updates belong to members",
        "business_unit" => "events and projects belong to one",
        "invitation" => "you get a link to pass on",
        "event" => "with its time and place",
        _ if step.text("event_id").is_none() => "after the event",
        _ => "one by one; I on the event imports a file",
    };
    let name = Cell {
        tone,
        ..Cell::new(format!("{} {name}", mark.glyph()))
    };
    vec![name, Cell::dim(about)]
}

/// Opens the form of an open step, or the list of a finished one.
pub(super) fn begin(cx: &mut Cx, step: &Record) {
    let kind = |host: Host, one: &str| kind::find(host, one);
    let (kind, given) = match step.id() {
        "business_unit" => (kind(Host::Work, "business_unit"), Map::new()),
        "invitation" => (kind(Host::Staff, "invitation"), Map::new()),
        "event" => (kind(Host::Events, "event"), Map::new()),
        "guest" => {
            let Some(event) = step.text("event_id") else {
                cx.toast(Mark::Info, "Plan the event first: guests belong to one");
                return;
            };
            let name = step.text("event_name").unwrap_or_default();
            cx.shared.names.note(event, name);
            let given = Map::from_iter([("event_id".to_owned(), event.into())]);
            (kind(Host::Events, "guest"), given)
        }
        _ => return cx.open(AccountScreen::default()),
    };
    let Some(kind): Option<&'static Kind> = kind else {
        return;
    };
    match is_done(step) {
        false => add(cx, kind, given),
        true => open(cx, kind),
    }
}
