//! A fellow sees only the own guest rows and tasks, through every tool.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::{Account, Http};
use serde_json::{Value, json};

use crate::access::stage::{Stage, guest, write};
use crate::access::verdict::ids;

fn fellow() -> (Stage, Http) {
    let stage = Stage::set();
    let fellow = stage.ours.sign_in(Role::Fellow);
    (stage, fellow)
}

fn list(http: &mut Http, tool: &str, plural: &str, arguments: Value) -> Vec<String> {
    ids(http.events(tool, arguments).output(), plural)
}

#[test]
fn no_filter_shows_a_fellow_another_s_guest_or_task() {
    let (stage, mut fellow) = fellow();
    let event = stage.rows.event;
    let own_guest = vec![stage.rows.own_guest.to_string()];
    let own_task = vec![stage.rows.own_task.to_string()];
    write(
        "update events.guests set member_id = $1 where id = $2",
        &[&stage.ours.member.0, &stage.rows.other_guest.0],
    );

    for (filter, expected) in [
        (json!({}), &own_guest),
        (json!({ "search": "" }), &own_guest),
        (json!({ "search": "fellow" }), &own_guest),
        (json!({ "search": "visitor" }), &vec![]),
        (json!({ "search": "e" }), &own_guest),
        (json!({ "member_id": stage.ours.fellow }), &own_guest),
        (json!({ "member_id": stage.ours.member }), &vec![]),
        (
            json!({ "search": "e", "member_id": stage.ours.member }),
            &vec![],
        ),
    ] {
        let mut arguments = filter.clone();
        arguments["event_id"] = json!(event);
        let found = list(&mut fellow, "list_event_guests", "guests", arguments);
        assert_eq!(&found, expected, "{filter}");
    }
    for (filter, expected) in [
        (json!({}), &own_task),
        (json!({ "search": "badges" }), &own_task),
        (json!({ "status": "todo" }), &own_task),
        (json!({ "assignee_id": stage.ours.fellow }), &own_task),
        (json!({ "assignee_id": stage.ours.member }), &vec![]),
    ] {
        let mut arguments = filter.clone();
        arguments["event_id"] = json!(event);
        let found = list(&mut fellow, "list_event_tasks", "tasks", arguments);
        assert_eq!(&found, expected, "{filter}");
    }
}

#[test]
fn a_page_is_full_of_what_the_fellow_sees_however_many_others_come_first() {
    let (stage, mut fellow) = fellow();
    let others = ["Aaron", "Abel", "Ada", "Adele"];
    stage.ours.guests(stage.rows.event, &others);
    for search in [Value::Null, json!("e")] {
        let arguments = json!({ "event_id": stage.rows.event, "limit": 1, "search": search });
        let answer = fellow.events("list_event_guests", arguments);
        let page = answer.output();
        assert_eq!(
            ids(page, "guests"),
            [stage.rows.own_guest.to_string()],
            "{page}"
        );
        assert_eq!(page["has_more"], false, "{page}");
    }
}

#[test]
fn a_session_shows_a_fellow_who_of_the_own_guests_takes_part() {
    let (stage, mut fellow) = fellow();
    let arguments = json!({ "event_id": stage.rows.event });
    let answer = fellow.events("list_event_sessions", arguments.clone());
    let own = json!([stage.rows.own_guest]);
    assert_eq!(answer.output()["sessions"][0]["guest_ids"], own);

    let mut staff = stage.ours.sign_in(Role::Staff);
    let answer = staff.events("list_event_sessions", arguments);
    let all = answer.output()["sessions"][0]["guest_ids"].clone();
    assert_eq!(all.as_array().map(Vec::len), Some(2), "{all}");
}

#[test]
fn a_fellow_sees_photos_and_who_is_tagged_in_them() {
    let (stage, mut fellow) = fellow();
    let answer = fellow.events("get_event_photo", json!({ "id": stage.rows.photo }));
    let tagged = json!([stage.ours.member]);
    assert_eq!(answer.output()["photo"]["member_ids"], tagged);
}

#[test]
fn a_fellow_s_own_rows_are_those_of_the_own_member_wherever_they_are() {
    let (stage, mut fellow) = fellow();
    let second = stage.ours.event("Second day");
    let again = guest(&stage.ours, second, "Fellow", Some(stage.ours.fellow));
    let arguments = json!({ "event_id": second });
    let found = list(&mut fellow, "list_event_guests", "guests", arguments);
    assert_eq!(found, [again.to_string()]);
}

#[test]
fn a_profile_without_a_member_owns_no_guest_and_no_task() {
    let stage = Stage::set();
    let account = Account::create();
    write(
        "insert into learn.profiles (id, organization_id, name) values ($1, $2, 'New')",
        &[&account.id.0, &stage.ours.id.0],
    );
    // A task without an assignee does not belong to a caller without a member.
    write(
        "update events.tasks set assignee_id = null where id = $1",
        &[&stage.rows.other_task.0],
    );
    let mut http = account.sign_in();
    let arguments = json!({ "event_id": stage.rows.event });
    for (tool, plural, count) in [
        ("list_event_guests", "guests", 0),
        ("list_event_tasks", "tasks", 0),
        ("list_event_sessions", "sessions", 1),
        ("list_event_photos", "photos", 1),
    ] {
        let found = list(&mut http, tool, plural, arguments.clone());
        assert_eq!(found.len(), count, "{tool}");
    }
}
