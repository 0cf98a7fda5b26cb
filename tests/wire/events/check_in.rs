//! `check_in_guest`: the earliest time of arrival wins, in whatever order the calls come.

use frontdesk_protocol::events::guest::CheckInGuest;
use frontdesk_protocol::id::{EventId, GuestId};
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, at_once, world};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Desk;

/// A desk and a guest who has not arrived.
fn expecting() -> (Desk, GuestId) {
    let desk = Desk::open();
    let guest = desk.organization.guest(desk.event, "Ana");
    (desk, guest)
}

fn time(value: &Value) -> Timestamp {
    value.as_str().expect("a time").parse().expect("a time")
}

#[test]
fn a_guest_who_is_in_stays_as_they_are_and_the_call_says_since_when() {
    let (mut desk, guest) = expecting();
    let first = desk.staff.typed(&CheckInGuest { id: guest });
    assert!(!first.already_checked_in);
    assert!(first.guest.check_in_at.is_some());
    let again = desk.staff.typed(&CheckInGuest { id: guest });
    assert!(again.already_checked_in);
    assert_eq!(again.guest, first.guest);
    assert_eq!(
        desk.organization.checked_in_at(guest),
        first.guest.check_in_at
    );
}

#[test]
fn a_check_in_returns_the_whole_guest_and_changes_nothing_else() {
    let mut desk = Desk::open();
    let arguments = json!({
        "event_id": desk.event, "name": "Ana", "email": "ana@example.org", "role": "speaker",
        "member_id": desk.organization.member, "tags": { "seats": 2 },
    });
    let mut expected = desk.get("create_event_guest", arguments)["guest"].clone();
    let checked_in = desk.get("check_in_guest", json!({ "id": expected["id"] }));
    expected["check_in_at"] = checked_in["guest"]["check_in_at"].clone();
    assert_eq!(checked_in["guest"], expected);
    assert_eq!(
        desk.get("get_event_guest", json!({ "id": expected["id"] }))["guest"],
        expected
    );
}

#[test]
fn a_check_in_that_was_undone_is_a_first_one_again() {
    let (mut desk, guest) = expecting();
    desk.get("check_in_guest", json!({ "id": guest }));
    desk.get(
        "update_event_guest",
        json!({ "id": guest, "check_in_at": null }),
    );
    assert_eq!(desk.organization.checked_in_at(guest), None);
    let again = desk.get("check_in_guest", json!({ "id": guest }));
    assert_eq!(again["already_checked_in"], false);
}

#[test]
fn of_many_desks_at_once_exactly_one_is_first() {
    let (mut desk, guest) = expecting();
    desk.staff.session(frontdesk_protocol::Host::Events);
    let answers = at_once((0..8).map(|_| {
        let mut staff = desk.staff.clone();
        move || staff.typed(&CheckInGuest { id: guest })
    }));
    let firsts = answers
        .iter()
        .filter(|answer| !answer.already_checked_in)
        .count();
    assert_eq!(firsts, 1);
    let stands = desk.organization.checked_in_at(guest);
    assert!(stands.is_some());
    assert!(
        answers
            .iter()
            .all(|answer| answer.guest.check_in_at == stands),
        "{answers:?}"
    );
}

#[test]
fn a_late_report_counts_from_when_it_happened() {
    let (mut desk, guest) = expecting();
    let came = "2026-03-12T10:05:00.123456Z";
    let answer = desk
        .staff
        .events_at("check_in_guest", json!({ "id": guest }), came);
    assert_eq!(answer.output()["already_checked_in"], false);
    assert_eq!(
        time(&answer.output()["guest"]["check_in_at"]),
        came.parse().expect("a time")
    );
    assert_eq!(desk.organization.checked_in_at(guest), came.parse().ok());
}

#[test]
fn of_two_reports_the_earlier_stands() {
    let (mut desk, guest) = expecting();
    for (reported, stands) in [
        ("2026-03-12T10:05:00Z", "2026-03-12T10:05:00Z"),
        ("2026-03-12T10:06:00Z", "2026-03-12T10:05:00Z"),
        ("2026-03-12T10:05:00Z", "2026-03-12T10:05:00Z"),
        ("2026-03-12T07:04:00-03:00", "2026-03-12T10:04:00Z"),
        ("2999-01-01T00:00:00Z", "2026-03-12T10:04:00Z"),
    ] {
        let answer = desk
            .staff
            .events_at("check_in_guest", json!({ "id": guest }), reported);
        let expected = stands.parse().expect("a time");
        assert_eq!(
            time(&answer.output()["guest"]["check_in_at"]),
            expected,
            "{reported}"
        );
    }
    // A check-in of now is later than all of them.
    let now = desk.get("check_in_guest", json!({ "id": guest }));
    assert_eq!(now["already_checked_in"], true);
    assert_eq!(
        time(&now["guest"]["check_in_at"]),
        "2026-03-12T10:04:00Z".parse().expect("a time")
    );
}

#[test]
fn a_report_makes_a_check_in_of_now_earlier_and_says_that_there_was_one() {
    let (mut desk, guest) = expecting();
    desk.get("check_in_guest", json!({ "id": guest }));
    let came = "2026-03-12T10:05:00Z";
    let answer = desk
        .staff
        .events_at("check_in_guest", json!({ "id": guest }), came);
    assert_eq!(answer.output()["already_checked_in"], true);
    assert_eq!(desk.organization.checked_in_at(guest), came.parse().ok());
}

#[test]
fn a_report_from_the_future_counts_as_now() {
    let (mut desk, guest) = expecting();
    let later = "9999-01-01T00:00:00Z";
    let answer = desk
        .staff
        .events_at("check_in_guest", json!({ "id": guest }), later);
    assert_eq!(answer.output()["already_checked_in"], false);
    // The limit uses the database's clock, which also defines the current time.
    let owner = world().owner();
    let statement = "select check_in_at <= now() from events.guests where id = $1";
    let row = owner.query_one(statement, &[&guest.0]).expect("a guest");
    assert_eq!(row.get::<_, Option<bool>>(0), Some(true));
}

#[test]
fn a_report_of_a_time_that_cannot_be_is_no_call() {
    let (mut desk, guest) = expecting();
    for never in [
        "",
        "yesterday",
        "2026-03-12",
        "-000044-03-15T12:00:00Z",
        "-009999-06-01T00:00:00Z",
    ] {
        let answer = desk
            .staff
            .events_at("check_in_guest", json!({ "id": guest }), never);
        assert_eq!(answer.rpc_code(), -32602, "{never}");
    }
    assert_eq!(desk.organization.checked_in_at(guest), None);
}

#[test]
fn a_check_in_that_another_desk_has_confirmed_is_not_undone() {
    let (mut desk, guest) = expecting();
    let came = "2026-03-12T10:05:00Z";
    let clear = json!({ "id": guest, "check_in_at": null });
    let check_in = json!({ "id": guest });
    desk.staff
        .events_at("check_in_guest", check_in.clone(), came);
    // The same report once more is no other check-in.
    desk.staff
        .events_at("check_in_guest", check_in.clone(), came);
    let undone = desk
        .staff
        .events_at("update_event_guest", clear.clone(), came);
    assert_eq!(undone.output()["guest"]["check_in_at"], Value::Null);

    desk.staff
        .events_at("check_in_guest", check_in.clone(), came);
    for other in ["2026-03-12T10:06:00Z", "2026-03-12T10:04:00Z"] {
        desk.staff
            .events_at("check_in_guest", check_in.clone(), other);
        let refused = desk
            .staff
            .events_at("update_event_guest", clear.clone(), came);
        assert_eq!(refused.refusal(), "conflict");
        assert!(desk.organization.checked_in_at(guest).is_some());
    }
    // Who says nothing about the time clears it in any case.
    let cleared = desk.get("update_event_guest", clear);
    assert_eq!(cleared["guest"]["check_in_at"], Value::Null);
}

#[test]
fn the_entry_of_a_check_in_that_another_desk_has_confirmed_is_not_undone() {
    let came = "2026-03-12T10:05:00Z";
    type Confirms = fn(&mut Http, EventId, GuestId) -> Answer;
    let ways: [Confirms; 4] = [
        |http, _, guest| http.events("check_in_guest", json!({ "id": guest })),
        |http, _, guest| {
            http.events_at(
                "check_in_guest",
                json!({ "id": guest }),
                "2026-03-12T10:05:00Z",
            )
        },
        |http, event, guest| {
            let guests = json!({ "event_id": event, "ids": [guest] });
            http.call(Host::Ops, "check_in_guests", guests)
        },
        |http, _, guest| {
            let same = json!({ "id": guest, "check_in_at": "2026-03-12T10:05:00Z" });
            http.events("update_event_guest", same)
        },
    ];
    let entry = |answer: &Answer| answer.body["result"]["_meta"]["frontdesk/change"].clone();
    for (at, confirm) in ways.into_iter().enumerate() {
        let (mut desk, guest) = expecting();
        let mut other = desk.organization.sign_in(Role::Admin);
        let first = desk
            .staff
            .events_at("check_in_guest", json!({ "id": guest }), came);
        let first = entry(&first);
        let again = entry(&confirm(&mut other, desk.event, guest));
        let mut undo = |change: &Value| {
            let undo = json!({ "change_id": change });
            desk.staff.call(Host::Ops, "undo_change", undo)
        };
        assert_eq!(undo(&first).refusal(), "conflict", "way {at}");
        let undo_of_other = json!({ "change_id": again });
        other.call(Host::Ops, "undo_change", undo_of_other).output();
        undo(&first).output();
        assert_eq!(desk.organization.checked_in_at(guest), None, "way {at}");
    }
}
