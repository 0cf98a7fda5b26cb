//! The Events host. Rows that differ by owner are those of the fellow and those of others.

use frontdesk_protocol::{Host, Role};

use super::{Area, Case, DESK, May, OFFICE_AND_FELLOW, PEOPLE, Record, STAFF};

/// The roles that check guests in.
const DOOR: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Teacher],
    &[],
);
/// The roles that see and keep the expenses.
const BOOKS: May = May(
    &[Role::Owner, Role::Admin, Role::Staff, Role::Finance],
    &[],
);
/// Those, and fellows.
const VIEWERS: May = OFFICE_AND_FELLOW;

pub(crate) const AREA: Area = Area {
    host: Host::Events,
    records: RECORDS,
    cases: CASES,
    // For a fellow's own guest or profile, and for others'.
    elsewhere: &[("resolve_chat_id", PEOPLE), ("resolve_chat_id", STAFF)],
};

const RECORDS: &[Record] = records![
    "event", "create_event", |m| { "name": "Open day", "strategy_business_unit_id": m["business_unit"] };
    "spare_event", "create_event", |m| { "name": "Cancelled", "strategy_business_unit_id": m["business_unit"] };
    "spare_guest", "create_event_guest", |m| { "event_id": m["spare_event"], "name": "Nobody" };
    "own_guest", "create_event_guest", |m| { "event_id": m["event"], "name": "Fellow", "member_id": m["fellow"] };
    "other_guest", "create_event_guest", |m| { "event_id": m["event"], "name": "Visitor" };
    "session", "create_event_session", |m| {
        "event_id": m["event"], "title": "Welcome", "guest_ids": [m["own_guest"], m["other_guest"]],
    };
    "own_task", "create_event_task", |m| {
        "event_id": m["event"], "title": "Badges", "assignee_id": m["fellow"],
    };
    "other_task", "create_event_task", |m| {
        "event_id": m["event"], "title": "Chairs", "assignee_id": m["member"],
    };
    "expense", "create_event_expense", |m| { "event_id": m["event"], "vendor_name": "Bakery" };
    "photo", "add_event_photo", |m| {
        "event_id": m["event"], "url": "https://example.org/1.jpg", "member_ids": [m["member"]],
    };
    "place", "create_event_place", |m| { "event_id": m["event"], "name": "Hall", "capacity": 2 };
    "movement", "record_movement", |m| { "guest_id": m["other_guest"], "direction": "in", "gate": "North" };
];

const CASES: &[Case] = cases![
    "list_events", PEOPLE, |_m| {};
    "get_event", PEOPLE, |m| { "id": m["event"] };
    "create_event", DESK, |m| { "name": "New", "strategy_business_unit_id": m["business_unit"] };
    "update_event", DESK, |m| { "id": m["event"], "name": "Renamed" };

    "list_event_sessions", PEOPLE, |m| { "event_id": m["event"] };
    "create_event_session", DESK, |m| {
        "event_id": m["event"], "title": "New", "guest_ids": [m["other_guest"]],
    };
    "create_event_session", DESK, |m| { "event_id": m["event"], "title": "Empty" };
    "update_event_session", DESK, |m| { "id": m["session"], "title": "Renamed" };
    "update_event_session", DESK, |m| { "id": m["session"], "guest_ids": [m["other_guest"]] };

    "list_event_guests", PEOPLE, |m| { "event_id": m["event"], "search": "fellow" };
    "list_event_guests", STAFF, |m| { "event_id": m["event"], "search": "visitor" };
    "get_event_guest", PEOPLE, |m| { "id": m["own_guest"] };
    "get_event_guest", STAFF, |m| { "id": m["other_guest"] };
    "create_event_guest", DESK, |m| { "event_id": m["event"], "name": "New" };
    "update_event_guest", DESK, |m| { "id": m["own_guest"], "name": "Renamed" };
    "update_event_guest", DESK, |m| { "id": m["other_guest"], "tags": { "table": 7 } };
    "update_event_guest", DOOR, |m| { "id": m["own_guest"], "check_in_at": "2026-03-05T15:00:00Z" };
    "update_event_guest", DOOR, |m| { "id": m["own_guest"], "check_in_at": null };
    "add_event_guest", DESK, |m| { "event_id": m["event"], "name": "New", "member_id": m["member"] };
    "check_in_guest", DOOR, |m| { "id": m["own_guest"] };
    "check_in_guest", DOOR, |m| { "id": m["other_guest"] };

    "list_event_tasks", VIEWERS, |m| { "event_id": m["event"], "assignee_id": m["fellow"] };
    "list_event_tasks", BOOKS, |m| { "event_id": m["event"], "assignee_id": m["member"] };
    "create_event_task", DESK, |m| { "event_id": m["event"], "title": "New" };
    "update_event_task", DESK, |m| { "id": m["own_task"], "status": "done" };
    "update_event_task", DESK, |m| { "id": m["other_task"], "status": "done" };

    "list_event_expenses", BOOKS, |m| { "event_id": m["event"] };
    "create_event_expense", BOOKS, |m| { "event_id": m["event"], "vendor_name": "New" };
    "update_event_expense", BOOKS, |m| { "id": m["expense"], "amount_paid": 12.5 };

    "list_event_photos", VIEWERS, |m| { "event_id": m["event"] };
    "get_event_photo", VIEWERS, |m| { "id": m["photo"] };
    "add_event_photo", DESK, |m| { "event_id": m["event"], "url": "https://example.org/2.jpg" };
    "add_event_photo", DESK, |m| {
        "event_id": m["event"], "url": "https://example.org/3.jpg", "member_ids": [m["fellow"]],
    };
    "update_event_photo", DESK, |m| { "id": m["photo"], "caption": "The door" };
    "update_event_photo", DESK, |m| { "id": m["photo"], "member_ids": [m["fellow"]] };

    "list_event_places", STAFF, |m| { "event_id": m["event"] };
    "create_event_place", DESK, |m| { "event_id": m["event"], "name": "Stage", "roles": ["speaker"] };
    "update_event_place", DESK, |m| { "id": m["place"], "once": true };
    "list_movements", STAFF, |m| { "event_id": m["event"], "guest_id": m["other_guest"] };
    "record_movement", DOOR, |m| { "guest_id": m["own_guest"], "direction": "in", "place_id": m["place"] };
    "record_movement", DOOR, |m| { "guest_id": m["other_guest"], "direction": "out" };
    "record_movement", DESK, |m| { "guest_id": m["own_guest"], "direction": "in", "reason": "the speaker's wife" };
    "delete_event_place", DESK, |m| { "id": m["place"] };

    "delete_event_photo", DESK, |m| { "id": m["photo"] };
    "delete_event_expense", BOOKS, |m| { "id": m["expense"] };
    "delete_event_task", DESK, |m| { "id": m["own_task"] };
    "delete_event_task", DESK, |m| { "id": m["other_task"] };
    "delete_event_session", DESK, |m| { "id": m["session"] };
    "delete_event", DESK, |m| { "id": m["spare_event"] };
];
