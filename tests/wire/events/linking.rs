//! `add_event_guest`: adds a guest, or links the member to an existing one.

use frontdesk_protocol::Host;
use frontdesk_protocol::id::MemberId;
use frontdesk_tests::blocking::{Organization, at_once, world};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Desk;

/// A member with a profile with this chat id.
fn member(organization: &Organization, chat_id: Option<&str>) -> MemberId {
    let id = Uuid::now_v7();
    let owner = world().owner();
    owner
        .execute(
            "insert into learn.members (id, organization_id, name) values ($1, $2, 'Somebody')",
            &[&id, &organization.id.0],
        )
        .expect("a member");
    owner
        .execute(
            "insert into learn.profiles (id, organization_id, member_id, name, chat_user_id) \
             values ($1, $2, $3, 'Somebody', $4)",
            &[&Uuid::now_v7(), &organization.id.0, &id, &chat_id],
        )
        .expect("a profile");
    MemberId(id)
}

/// The number of the event's guests in the database.
fn count(desk: &Desk) -> i64 {
    let owner = world().owner();
    let statement = "select count(*) from events.guests where event_id = $1";
    owner
        .query_one(statement, &[&desk.event.0])
        .expect("a count")
        .get(0)
}

#[test]
fn a_guest_needs_an_event_and_a_name() {
    let mut desk = Desk::open();
    let added = desk.get(
        "add_event_guest",
        json!({ "event_id": desk.event, "name": "Ana" }),
    );
    assert_eq!(
        added,
        json!({
            "guest": {
                "id": added["guest"]["id"], "event_id": desk.event, "name": "Ana", "email": null,
                "phone_number": null, "role": null, "member_id": null, "chat_id": null,
                "check_in_at": null, "tags": {},
            },
            "linked": false, "chat_backfilled": false,
        })
    );
    assert_eq!(
        desk.get("get_event_guest", json!({ "id": added["guest"]["id"] }))["guest"],
        added["guest"]
    );
}

#[test]
fn a_guest_keeps_everything_that_it_is_added_with() {
    let mut desk = Desk::open();
    let given = json!({
        "event_id": desk.event, "name": "Ana", "email": "ana@example.org",
        "phone_number": "+5511987654321", "chat_id": "chat-1",
        "member_id": desk.organization.member, "role": "interviewee", "tags": { "round": 1 },
    });
    desk.keeps("add_event_guest", "guest", given);
}

/// The chat id is copied if the member is set, no chat id is given, and `backfill_chat` is true.
#[test]
fn a_chat_id_is_copied_under_exactly_three_conditions() {
    let mut desk = Desk::open();
    let with_chat = member(&desk.organization, Some("from-profile"));
    let without_chat = member(&desk.organization, None);
    let members = [
        (Value::Null, None),
        (json!(desk.organization.member), None),
        (json!(without_chat), None),
        (json!(with_chat), Some("from-profile")),
    ];
    let mut copies = 0;
    for (member, profile) in &members {
        for chat in [
            None,
            Some(Value::Null),
            Some(json!("given")),
            Some(json!("")),
        ] {
            for backfill in [None, Some(true), Some(false)] {
                let event = desk.organization.event("Interviews");
                let mut arguments = Map::new();
                arguments.insert("event_id".to_owned(), json!(event));
                arguments.insert("name".to_owned(), json!("Ana"));
                arguments.insert("member_id".to_owned(), member.clone());
                if let Some(chat) = &chat {
                    arguments.insert("chat_id".to_owned(), chat.clone());
                }
                if let Some(backfill) = backfill {
                    arguments.insert("backfill_chat".to_owned(), json!(backfill));
                }
                let what = json!(arguments).to_string();
                let added = desk.get("add_event_guest", arguments.into());

                let given = chat.as_ref().and_then(Value::as_str);
                let copied = if given.is_none() && backfill != Some(false) {
                    *profile
                } else {
                    None
                };
                assert_eq!(added["guest"]["chat_id"], json!(given.or(copied)), "{what}");
                assert_eq!(added["chat_backfilled"], copied.is_some(), "{what}");
                assert_eq!(added["linked"], false, "{what}");
                copies += usize::from(copied.is_some());
            }
        }
    }
    assert_eq!(
        copies, 4,
        "absent or null, with backfill_chat absent or true"
    );
}

#[test]
fn a_member_who_is_a_guest_already_is_linked() {
    let mut desk = Desk::open();
    let arguments = json!({
        "event_id": desk.event, "name": "Ana", "email": "ana@example.org", "phone_number": "1234",
        "role": "speaker", "member_id": desk.organization.member, "tags": { "a": 1, "b": { "c": 2 } },
    });
    let created = desk.get("create_event_guest", arguments);
    let checked_in = desk.get("check_in_guest", json!({ "id": created["guest"]["id"] }));
    let mut expected = checked_in["guest"].clone();

    // Missing arguments keep the stored values.
    let arguments =
        json!({ "event_id": desk.event, "name": "Ana M.", "member_id": desk.organization.member });
    let linked = desk.get("add_event_guest", arguments);
    assert_eq!(
        linked,
        json!({ "guest": expected, "linked": true, "chat_backfilled": false })
    );

    // Given arguments replace the stored values, except the name; tags are merged.
    let arguments = json!({
        "event_id": desk.event, "name": "Ana M.", "member_id": desk.organization.member,
        "email": "a@example.org", "phone_number": "+5511987654321", "role": "interviewee",
        "chat_id": "chat-1", "tags": { "b": 3, "d": null },
    });
    let linked = desk.get("add_event_guest", arguments);
    expected["email"] = json!("a@example.org");
    expected["phone_number"] = json!("+5511987654321");
    expected["role"] = json!("interviewee");
    expected["chat_id"] = json!("chat-1");
    expected["tags"] = json!({ "a": 1, "b": 3, "d": null });
    assert_eq!(
        linked,
        json!({ "guest": expected, "linked": true, "chat_backfilled": false })
    );
    assert_eq!(count(&desk), 1);
}

#[test]
fn a_chat_id_of_the_guest_s_own_is_kept_when_a_member_is_linked() {
    let mut desk = Desk::open();
    let member = member(&desk.organization, Some("from-profile"));
    let base = json!({ "event_id": desk.event, "name": "Ana", "member_id": member });
    let created = desk.get("create_event_guest", base.clone());
    let id = created["guest"]["id"].clone();
    for (stands, given, backfill, chat_id, backfilled) in [
        (json!("own"), Value::Null, true, json!("own"), false),
        (json!("own"), Value::Null, false, json!("own"), false),
        (json!("own"), json!("new"), true, json!("new"), false),
        (Value::Null, json!("new"), true, json!("new"), false),
        (Value::Null, Value::Null, false, Value::Null, false),
        (Value::Null, Value::Null, true, json!("from-profile"), true),
    ] {
        desk.get("update_event_guest", json!({ "id": id, "chat_id": stands }));
        let mut arguments = base.clone();
        arguments["chat_id"] = given.clone();
        arguments["backfill_chat"] = json!(backfill);
        let linked = desk.get("add_event_guest", arguments);
        let what = format!("{stands}, {given}, {backfill}");
        assert_eq!(linked["guest"]["chat_id"], chat_id, "{what}");
        assert_eq!(linked["chat_backfilled"], backfilled, "{what}");
        assert_eq!(linked["linked"], true, "{what}");
    }
}

#[test]
fn guests_who_are_no_members_are_added_each_time() {
    let mut desk = Desk::open();
    let arguments = json!({ "event_id": desk.event, "name": "Ana", "email": "ana@example.org" });
    for _ in 0..2 {
        assert_eq!(
            desk.get("add_event_guest", arguments.clone())["linked"],
            false
        );
    }
    assert_eq!(count(&desk), 2);
}

#[test]
fn the_same_member_is_another_guest_at_another_event() {
    let mut desk = Desk::open();
    let elsewhere = desk.organization.event("Elsewhere");
    for event in [desk.event, elsewhere] {
        let arguments =
            json!({ "event_id": event, "name": "Ana", "member_id": desk.organization.member });
        assert_eq!(desk.get("add_event_guest", arguments)["linked"], false);
    }
}

#[test]
fn many_calls_at_once_add_a_member_once() {
    let mut desk = Desk::open();
    desk.staff.session(Host::Events);
    let arguments =
        json!({ "event_id": desk.event, "name": "Ana", "member_id": desk.organization.fellow });
    let answers = at_once((0..8).map(|_| {
        let (mut staff, arguments) = (desk.staff.clone(), arguments.clone());
        move || staff.events("add_event_guest", arguments).output().clone()
    }));
    assert_eq!(count(&desk), 1);
    let added = answers
        .iter()
        .filter(|answer| answer["linked"] == false)
        .count();
    let backfilled = answers
        .iter()
        .filter(|answer| answer["chat_backfilled"] == true)
        .count();
    assert_eq!((added, backfilled), (1, 1), "{answers:?}");
}

#[test]
fn a_telephone_number_is_7_to_15_digits() {
    let mut desk = Desk::open();
    for number in ["1234567", "+1234567", "123456789012345", "+123456789012345"] {
        let arguments = json!({ "event_id": desk.event, "name": "Ana", "phone_number": number });
        assert_eq!(
            desk.get("add_event_guest", arguments)["guest"]["phone_number"],
            number
        );
    }
    for number in [
        "",
        "+",
        "123456",
        "+123456",
        "1234567890123456",
        "++1234567",
        "1234567+",
        "12 34567",
        "(11) 98765-4321",
        "١٢٣٤٥٦٧",
        "１２３４５６７",
        "telephone",
    ] {
        let arguments = json!({ "event_id": desk.event, "name": "Ana", "phone_number": number });
        desk.call("add_event_guest", arguments)
            .refuses("invalid_argument", "phone_number");
    }
    assert_eq!(count(&desk), 4);
}

/// Neither the answer nor its code reveals whether somebody is a guest elsewhere.
#[test]
fn a_guest_of_another_organisation_is_neither_linked_nor_given_away() {
    let mut desk = Desk::open();
    let foreign = Organization::create();
    let event = foreign.event("Foreign");
    let mut theirs = foreign.sign_in(frontdesk_protocol::Role::Staff);
    let arguments = json!({ "event_id": event, "name": "Ana", "member_id": foreign.member });
    theirs.events("create_event_guest", arguments).output();

    for (event, member, field) in [
        (json!(event), Value::Null, "event_id"),
        (json!(event), json!(desk.organization.member), "event_id"),
        (json!(desk.event), json!(foreign.member), "member_id"),
    ] {
        let arguments = json!({ "event_id": event, "name": "Ours", "member_id": member });
        desk.call("add_event_guest", arguments)
            .refuses("not_found", field);
    }
    let pair = |member| json!({ "event_id": event, "name": "Ours", "member_id": member });
    let is_guest = desk.call("add_event_guest", pair(foreign.member));
    let is_none = desk.call("add_event_guest", pair(foreign.fellow));
    assert_eq!(is_guest.body, is_none.body);
    assert_eq!(is_guest.tool_error()["code"], "not_found");
}
