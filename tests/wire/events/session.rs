//! Sessions of an event, and the guests who take part.

use frontdesk_protocol::id::GuestId;
use frontdesk_tests::blocking::{Organization, world};
use serde_json::{Value, json};

use super::{Desk, Null, pluck};

/// Guests in the order in which a session lists them.
fn sorted(guests: &[GuestId]) -> Value {
    let mut guests = guests.to_vec();
    guests.sort();
    json!(guests)
}

/// The number of the event's sessions in the database.
fn count(desk: &Desk) -> i64 {
    let owner = world().owner();
    let statement = "select count(*) from events.sessions where event_id = $1";
    owner
        .query_one(statement, &[&desk.event.0])
        .expect("a count")
        .get(0)
}

#[test]
fn a_session_needs_an_event_and_a_title() {
    let mut desk = Desk::open();
    let created = desk.get(
        "create_event_session",
        json!({ "event_id": desk.event, "title": "Talk" }),
    );
    let session = &created["session"];
    assert_eq!(
        *session,
        json!({
            "id": session["id"], "event_id": desk.event, "title": "Talk", "description": null,
            "location": null, "start_time": null, "end_time": null, "order": 0, "guest_ids": [],
        })
    );
    let listed = desk.get("list_event_sessions", json!({ "event_id": desk.event }));
    assert_eq!(listed["sessions"], json!([session]));
}

#[test]
fn a_session_keeps_everything_that_it_is_created_with() {
    let mut desk = Desk::open();
    let guests = desk.organization.guests(desk.event, &["Ana", "Bia"]);
    let given = json!({
        "event_id": desk.event, "title": "Talk", "description": "On tests", "location": "Room 1",
        "start_time": "2026-03-12T10:00:00+00:00", "end_time": "2026-03-12T11:00:00+00:00",
        "order": 1.5, "guest_ids": sorted(&guests),
    });
    let session = desk.keeps("create_event_session", "session", given);
    let listed = desk.get("list_event_sessions", json!({ "event_id": desk.event }));
    assert_eq!(listed["sessions"], json!([session]));
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let guests = desk.organization.guests(desk.event, &["Ana", "Bia"]);
    let created = desk.get(
        "create_event_session",
        json!({ "event_id": desk.event, "title": "Talk" }),
    );
    desk.updates(
        "update_event_session",
        "session",
        &created["session"]["id"],
        &[
            ("title", json!("Workshop"), Null::Refused),
            ("description", json!("By hand"), Null::Clears),
            ("location", json!("Room 2"), Null::Clears),
            (
                "start_time",
                json!("2026-03-12T10:00:00+00:00"),
                Null::Clears,
            ),
            ("end_time", json!("2026-03-12T12:00:00+00:00"), Null::Clears),
            ("order", json!(-2.5), Null::Refused),
            ("guest_ids", sorted(&guests), Null::Refused),
        ],
    );
}

#[test]
fn the_guests_of_a_session_are_replaced_by_exactly_those_given() {
    let mut desk = Desk::open();
    let guests = desk
        .organization
        .guests(desk.event, &["Ana", "Bia", "Caio"]);
    let arguments =
        json!({ "event_id": desk.event, "title": "Talk", "guest_ids": [guests[0], guests[1]] });
    let created = desk.get("create_event_session", arguments);
    let id = created["session"]["id"].clone();
    for ids in [&guests[1..], &guests[..1], &[], &guests[..], &guests[..]] {
        let arguments = json!({ "id": id, "guest_ids": ids });
        let updated = desk.get("update_event_session", arguments);
        assert_eq!(updated["session"]["guest_ids"], sorted(ids));
        let listed = desk.get("list_event_sessions", json!({ "event_id": desk.event }));
        assert_eq!(listed["sessions"][0]["guest_ids"], sorted(ids));
    }
}

#[test]
fn a_guest_who_is_named_twice_takes_part_once() {
    let mut desk = Desk::open();
    let guest = desk.organization.guest(desk.event, "Ana");
    let arguments = json!({ "event_id": desk.event, "title": "Talk", "guest_ids": [guest, guest] });
    let created = desk.get("create_event_session", arguments);
    assert_eq!(created["session"]["guest_ids"], json!([guest]));
    let arguments = json!({ "id": created["session"]["id"], "guest_ids": [guest, guest] });
    let updated = desk.get("update_event_session", arguments);
    assert_eq!(updated["session"]["guest_ids"], json!([guest]));
}

#[test]
fn who_takes_part_is_a_guest_of_the_same_event() {
    let mut desk = Desk::open();
    let here = desk.organization.guest(desk.event, "Ana");
    let elsewhere = desk.organization.event("Elsewhere");
    let elsewhere = desk.organization.guest(elsewhere, "Bia");
    let other = Organization::create();
    let foreign = other.event("Foreign");
    let foreign = other.guest(foreign, "Caio");
    let nobody = GuestId(uuid::Uuid::now_v7());

    let arguments = json!({ "event_id": desk.event, "title": "Talk", "guest_ids": [here] });
    let created = desk.get("create_event_session", arguments);
    for guest in [elsewhere, foreign, nobody] {
        let arguments =
            json!({ "event_id": desk.event, "title": "Never", "guest_ids": [here, guest] });
        let refused = desk.call("create_event_session", arguments);
        refused.refuses_with(
            "not_found",
            "guest_ids",
            "there is no such guest at this event",
        );
        assert_eq!(count(&desk), 1, "nothing is written");
        let id = &created["session"]["id"];
        let arguments = json!({ "id": id, "title": "Never", "guest_ids": [guest] });
        desk.call("update_event_session", arguments)
            .refuses("not_found", "guest_ids");
        let kept = desk.get("update_event_session", json!({ "id": id }));
        assert_eq!(kept, created);
    }
}

#[test]
fn a_session_takes_at_most_1000_guests() {
    let mut desk = Desk::open();
    let ids: Vec<_> = (0..1001).map(|_| uuid::Uuid::now_v7()).collect();
    let arguments = json!({ "event_id": desk.event, "title": "Talk", "guest_ids": ids });
    desk.call("create_event_session", arguments)
        .refuses("invalid_argument", "guest_ids");
}

#[test]
fn a_session_does_not_end_before_it_starts() {
    let mut desk = Desk::open();
    let (early, late) = ("2026-03-12T10:00:00+00:00", "2026-03-12T11:00:00+00:00");
    let arguments =
        json!({ "event_id": desk.event, "title": "Talk", "start_time": late, "end_time": early });
    let answer = desk.call("create_event_session", arguments);
    answer.refuses("invalid_argument", "end_time");
    assert_eq!(
        answer.tool_error()["message"],
        "must not be before start_time"
    );

    let arguments =
        json!({ "event_id": desk.event, "title": "Talk", "start_time": late, "end_time": late });
    let created = desk.get("create_event_session", arguments);
    let id = &created["session"]["id"];
    for change in [
        json!({ "end_time": early }),
        json!({ "start_time": "2026-03-12T12:00:00Z" }),
    ] {
        let mut arguments = change;
        arguments["id"] = id.clone();
        desk.call("update_event_session", arguments)
            .refuses("invalid_argument", "end_time");
        assert_eq!(
            desk.get("update_event_session", json!({ "id": id })),
            created
        );
    }
}

#[test]
fn sessions_are_listed_in_display_order_then_by_start() {
    let mut desk = Desk::open();
    for (title, order, start) in [
        ("fourth", json!(2), Value::Null),
        ("third", json!(2), json!("2026-03-12T11:00:00Z")),
        ("second", json!(2), json!("2026-03-12T10:00:00Z")),
        ("first", json!(-1), Value::Null),
    ] {
        let arguments =
            json!({ "event_id": desk.event, "title": title, "order": order, "start_time": start });
        desk.get("create_event_session", arguments);
    }
    let listed = desk.get("list_event_sessions", json!({ "event_id": desk.event }));
    assert_eq!(
        pluck(&listed["sessions"], "title"),
        ["first", "second", "third", "fourth"]
    );
}
