//! A teacher checks guests in, and changes nothing else of them.

use frontdesk_protocol::Role;
use frontdesk_tests::blocking::{Answer, Http};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::access::stage::Stage;
use crate::access::verdict::Verdict;

const TIME: &str = "2026-03-05T15:00:00Z";

fn teacher() -> (Stage, Http) {
    let stage = Stage::set();
    let teacher = stage.ours.sign_in(Role::Teacher);
    (stage, teacher)
}

/// Every other field of `update_event_guest`, with values that would change the guest.
fn other_fields(stage: &Stage) -> Vec<(&'static str, Value)> {
    vec![
        ("name", json!("Renamed")),
        ("email", json!("new@example.org")),
        ("email", Value::Null),
        ("phone_number", json!("+5511987654321")),
        ("role", json!("speaker")),
        ("member_id", json!(stage.ours.member)),
        ("chat_id", json!("another")),
        ("chat_id", Value::Null),
        ("tags", json!({ "vip": true })),
    ]
}

fn update(http: &mut Http, stage: &Stage, changes: &[(&str, &Value)]) -> Answer {
    let mut arguments = json!({ "id": stage.rows.other_guest });
    for (field, value) in changes {
        arguments[*field] = (*value).clone();
    }
    http.events("update_event_guest", arguments)
}

#[test]
fn a_teacher_checks_a_guest_in_and_undoes_it() {
    let (stage, mut teacher) = teacher();
    let guest = stage.rows.other_guest;
    let answer = teacher.events("check_in_guest", json!({ "id": guest }));
    assert_eq!(answer.output()["already_checked_in"], false);
    assert!(stage.ours.checked_in_at(guest).is_some());

    let undone = update(&mut teacher, &stage, &[("check_in_at", &Value::Null)]);
    assert!(undone.output()["guest"]["check_in_at"].is_null());
    assert_eq!(stage.ours.checked_in_at(guest), None);

    let at = json!(TIME);
    update(&mut teacher, &stage, &[("check_in_at", &at)]).output();
    let stored = stage.ours.checked_in_at(guest);
    assert_eq!(stored, Some(TIME.parse().expect("a time")));
    let found = teacher.events(
        "list_event_guests",
        json!({ "event_id": stage.rows.event, "search": "visitor" }),
    );
    assert_eq!(found.output()["guests"][0]["id"], guest.to_string());
}

#[test]
fn a_teacher_changes_no_other_field() {
    let (stage, mut teacher) = teacher();
    let before = stage.snapshot();
    for (field, value) in other_fields(&stage) {
        let answer = update(&mut teacher, &stage, &[(field, &value)]);
        assert_eq!(Verdict::of(&answer), Verdict::Forbidden, "{field}: {value}");
    }
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_check_in_together_with_another_field_is_refused_as_a_whole() {
    let (stage, mut teacher) = teacher();
    let before = stage.snapshot();
    let at = json!(TIME);
    for (field, value) in other_fields(&stage) {
        let changes = [("check_in_at", &at), (field, &value)];
        let answer = update(&mut teacher, &stage, &changes);
        assert_eq!(
            answer.status,
            StatusCode::FORBIDDEN,
            "{field}: {}",
            answer.body
        );
        let message = answer.body["error"]["message"].as_str().expect("a message");
        assert_eq!(message, "teachers can only change a guest's check-in");
    }
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_teacher_who_sends_the_current_values_changes_nothing() {
    let (stage, mut teacher) = teacher();
    let before = stage.snapshot();
    let name = json!("Visitor");
    for changes in [&[][..], &[("name", &name)]] {
        let answer = update(&mut teacher, &stage, changes);
        assert_eq!(answer.output()["guest"]["name"], "Visitor");
    }
    assert_eq!(stage.snapshot(), before);
}

#[test]
fn a_teacher_links_no_member_to_a_guest() {
    let (stage, mut teacher) = teacher();
    let before = stage.snapshot();
    // The fellow is a guest already: linking would change that row.
    let arguments = json!({
        "event_id": stage.rows.event, "name": "Fellow", "member_id": stage.ours.fellow,
        "role": "speaker",
    });
    let answer = teacher.events("add_event_guest", arguments);
    assert_eq!(Verdict::of(&answer), Verdict::Forbidden);
    assert_eq!(stage.snapshot(), before);
}
