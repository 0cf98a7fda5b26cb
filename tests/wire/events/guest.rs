//! Guests of an event: created, changed, listed.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::Organization;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Desk, Null, pluck};

#[test]
fn a_guest_needs_an_event_and_a_name() {
    let mut desk = Desk::open();
    let created = desk.get(
        "create_event_guest",
        json!({ "event_id": desk.event, "name": "Ana" }),
    );
    let guest = &created["guest"];
    assert_eq!(
        *guest,
        json!({
            "id": guest["id"], "event_id": desk.event, "name": "Ana", "email": null,
            "phone_number": null, "role": null, "member_id": null, "chat_id": null,
            "check_in_at": null, "tags": {},
        })
    );
    let got = desk.get("get_event_guest", json!({ "id": guest["id"] }));
    assert_eq!(got["guest"], *guest);
}

#[test]
fn a_guest_keeps_everything_that_it_is_created_with() {
    let mut desk = Desk::open();
    let given = json!({
        "event_id": desk.event, "name": "Zoë Müller", "email": "zoe@example.org",
        "phone_number": "(11) 98765-4321, after six", "role": "speaker",
        "member_id": desk.organization.member, "chat_id": "chat-1",
        "tags": { "diet": ["vegan", { "no": "nuts" }], "seats": 2, "vip": true, "note": null, "": "é\n\"\\" },
    });
    let guest = desk.keeps("create_event_guest", "guest", given);
    let got = desk.get("get_event_guest", json!({ "id": guest["id"] }));
    assert_eq!(got["guest"], guest);
    let listed = desk.get("list_event_guests", json!({ "event_id": desk.event }));
    assert_eq!(listed["guests"], json!([guest]));
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let guest = desk.organization.guest(desk.event, "Ana");
    let member = desk.organization.member;
    desk.updates(
        "update_event_guest",
        "guest",
        &json!(guest),
        &[
            ("name", json!("Ana Maria"), Null::Refused),
            ("email", json!("ana@example.org"), Null::Clears),
            ("phone_number", json!("1234"), Null::Clears),
            ("role", json!("speaker"), Null::Clears),
            ("member_id", json!(member), Null::Clears),
            ("chat_id", json!("chat-1"), Null::Clears),
            (
                "check_in_at",
                json!("2026-03-12T10:05:00.5+00:00"),
                Null::Clears,
            ),
            ("tags", json!({ "diet": "vegan" }), Null::Refused),
        ],
    );
}

#[test]
fn an_update_replaces_all_tags() {
    let mut desk = Desk::open();
    let arguments =
        json!({ "event_id": desk.event, "name": "Ana", "tags": { "a": 1, "b": { "c": 2 } } });
    let created = desk.get("create_event_guest", arguments);
    let id = &created["guest"]["id"];
    for tags in [json!({ "b": 1 }), json!({ "b": null }), json!({})] {
        let updated = desk.get("update_event_guest", json!({ "id": id, "tags": tags }));
        assert_eq!(updated["guest"]["tags"], tags);
    }
}

#[test]
fn tags_have_at_most_16_kibibytes() {
    let mut desk = Desk::open();
    // Stored, {"a": "…"} is 9 bytes longer than its text.
    let tags = |bytes: usize| json!({ "a": "x".repeat(bytes - 9) });
    let arguments = json!({ "event_id": desk.event, "name": "Ana", "tags": tags(16 * 1024 + 1) });
    desk.call("create_event_guest", arguments)
        .refuses("invalid_argument", "tags");
    let arguments = json!({ "event_id": desk.event, "name": "Ana", "tags": tags(16 * 1024) });
    let created = desk.get("create_event_guest", arguments);
    assert_eq!(created["guest"]["tags"], tags(16 * 1024));
}

#[test]
fn a_member_is_a_guest_of_an_event_once() {
    let mut desk = Desk::open();
    let member = desk.organization.member;
    desk.get(
        "create_event_guest",
        json!({ "event_id": desk.event, "name": "Ana", "member_id": member }),
    );
    let arguments = json!({ "event_id": desk.event, "name": "Ana again", "member_id": member });
    desk.call("create_event_guest", arguments)
        .refuses("conflict", "member_id");

    let other = desk.organization.guest(desk.event, "Bia");
    let arguments = json!({ "id": other, "member_id": member });
    desk.call("update_event_guest", arguments)
        .refuses("conflict", "member_id");

    // At another event the same member is another guest; and guests without a member may agree
    // in everything.
    let elsewhere = desk.organization.event("Elsewhere");
    desk.get(
        "create_event_guest",
        json!({ "event_id": elsewhere, "name": "Ana", "member_id": member }),
    );
    for _ in 0..2 {
        desk.get(
            "create_event_guest",
            json!({ "event_id": desk.event, "name": "Caio" }),
        );
    }
}

#[test]
fn guests_are_listed_by_name_whatever_the_case_and_accents() {
    let mut desk = Desk::open();
    desk.organization.guests(
        desk.event,
        &["Zoe", "ábel 2", "Abel 1", "bob", "Émile", "eva"],
    );
    let listed = desk.get("list_event_guests", json!({ "event_id": desk.event }));
    assert_eq!(
        pluck(&listed["guests"], "name"),
        ["Abel 1", "ábel 2", "bob", "Émile", "eva", "Zoe"]
    );
}

#[test]
fn guests_are_listed_by_role_member_and_name_together() {
    let mut desk = Desk::open();
    let member = json!(desk.organization.member);
    for (name, role, member) in [
        ("Ana", json!("speaker"), &Value::Null),
        ("Ana Maria", json!("Speaker"), &Value::Null),
        ("Bia", json!("speaker"), &member),
        ("Caio", Value::Null, &Value::Null),
    ] {
        let arguments =
            json!({ "event_id": desk.event, "name": name, "role": role, "member_id": member });
        desk.get("create_event_guest", arguments);
    }
    for (filter, expected) in [
        (json!({}), vec!["Ana", "Ana Maria", "Bia", "Caio"]),
        (json!({ "role": "speaker" }), vec!["Ana", "Bia"]),
        (json!({ "role": "speak" }), vec![]),
        (
            json!({ "role": "" }),
            vec!["Ana", "Ana Maria", "Bia", "Caio"],
        ),
        (json!({ "member_id": member }), vec!["Bia"]),
        (json!({ "search": "ana" }), vec!["Ana", "Ana Maria"]),
        (
            json!({ "search": "ana", "role": "Speaker" }),
            vec!["Ana Maria"],
        ),
        (json!({ "search": "i", "member_id": member }), vec!["Bia"]),
        (
            json!({ "search": "b", "member_id": member, "role": "speaker" }),
            vec!["Bia"],
        ),
        (json!({ "search": "ana", "member_id": member }), vec![]),
        (
            json!({ "search": "", "role": "speaker" }),
            vec!["Ana", "Bia"],
        ),
    ] {
        let mut arguments = filter;
        arguments["event_id"] = json!(desk.event);
        let listed = desk.get("list_event_guests", arguments.clone());
        assert_eq!(pluck(&listed["guests"], "name"), expected, "{arguments}");
    }
}

#[test]
fn a_guest_that_is_not_there_is_null_to_get_and_not_found_to_change() {
    let mut desk = Desk::open();
    let other = Organization::create();
    let event = other.event("Foreign");
    let foreign = other.guest(event, "Ana");
    for id in [foreign.0, Uuid::now_v7()] {
        assert_eq!(
            desk.get("get_event_guest", json!({ "id": id }))["guest"],
            Value::Null
        );
        desk.call("update_event_guest", json!({ "id": id, "name": "Ours" }))
            .refuses("not_found", "id");
        desk.call("check_in_guest", json!({ "id": id }))
            .refuses("not_found", "id");
    }
    let listed = desk.get("list_event_guests", json!({ "event_id": event }));
    assert_eq!(listed["guests"], json!([]));
    let mut theirs = other.sign_in(Role::Staff);
    let kept = theirs.events("get_event_guest", json!({ "id": foreign }));
    assert_eq!(kept.output()["guest"]["name"], "Ana");
    assert_eq!(kept.output()["guest"]["check_in_at"], Value::Null);
}
