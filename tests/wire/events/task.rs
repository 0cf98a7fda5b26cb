//! Tasks of an event.

use serde_json::{Value, json};

use super::{Desk, Null, pluck};

#[test]
fn a_task_needs_an_event_and_a_title_and_is_to_do() {
    let mut desk = Desk::open();
    let created = desk.get(
        "create_event_task",
        json!({ "event_id": desk.event, "title": "Chairs" }),
    );
    let task = &created["task"];
    assert_eq!(
        *task,
        json!({
            "id": task["id"], "event_id": desk.event, "title": "Chairs", "description": null,
            "assignee_id": null, "assignee_name": null, "status": "todo", "start_date": null, "due_date": null,
            "updated_at": task["updated_at"],
        })
    );
    let listed = desk.get("list_event_tasks", json!({ "event_id": desk.event }));
    assert_eq!(listed["tasks"], json!([task]));
}

#[test]
fn a_task_keeps_everything_that_it_is_created_with() {
    let mut desk = Desk::open();
    let given = json!({
        "event_id": desk.event, "title": "Chairs", "description": "A hundred",
        "assignee_id": desk.organization.member, "status": "done", "start_date": "2026-03-01",
        "due_date": "2026-03-01",
    });
    let task = desk.keeps("create_event_task", "task", given);
    let listed = desk.get("list_event_tasks", json!({ "event_id": desk.event }));
    assert_eq!(listed["tasks"], json!([task]));
}

#[test]
fn a_day_is_a_day_and_nothing_behind_it_is_dropped() {
    let mut desk = Desk::open();
    for field in ["start_date", "due_date"] {
        for day in [
            "2026-03-01T10:00:00Z",
            "2026-03-01 10:00",
            "2026-3-1",
            "20260301",
            "0000-01-01",
            "-000100-01-01",
            "2026-02-30",
            "tomorrow",
            "",
        ] {
            let arguments = json!({ "event_id": desk.event, "title": "Chairs", field: day });
            let answer = desk.call("create_event_task", arguments);
            answer.refuses("invalid_argument", field);
        }
    }
}

#[test]
fn an_update_changes_the_named_fields_only() {
    let mut desk = Desk::open();
    let created = desk.get(
        "create_event_task",
        json!({ "event_id": desk.event, "title": "Chairs" }),
    );
    let member = desk.organization.member;
    desk.updates(
        "update_event_task",
        "task",
        &created["task"]["id"],
        &[
            ("title", json!("Tables"), Null::Refused),
            ("description", json!("Ten"), Null::Clears),
            ("assignee_id", json!(member), Null::Clears),
            ("status", json!("in_progress"), Null::Refused),
            ("start_date", json!("2026-03-01"), Null::Clears),
            ("due_date", json!("2026-03-02"), Null::Clears),
        ],
    );
}

#[test]
fn a_status_may_be_any_of_the_three_and_change_to_any() {
    let mut desk = Desk::open();
    let created = desk.get(
        "create_event_task",
        json!({ "event_id": desk.event, "title": "Chairs" }),
    );
    for status in [
        "done",
        "todo",
        "in_progress",
        "todo",
        "done",
        "in_progress",
        "done",
    ] {
        let arguments = json!({ "id": created["task"]["id"], "status": status });
        assert_eq!(
            desk.get("update_event_task", arguments)["task"]["status"],
            status
        );
    }
}

#[test]
fn a_task_is_not_due_before_it_starts() {
    let mut desk = Desk::open();
    let arguments = json!({
        "event_id": desk.event, "title": "Chairs", "start_date": "2026-03-02", "due_date": "2026-03-01",
    });
    let answer = desk.call("create_event_task", arguments);
    answer.refuses("invalid_argument", "due_date");
    assert_eq!(
        answer.tool_error()["message"],
        "must not be before start_date"
    );

    let arguments = json!({
        "event_id": desk.event, "title": "Chairs", "start_date": "2026-03-02", "due_date": "2026-03-02",
    });
    let created = desk.get("create_event_task", arguments);
    let id = &created["task"]["id"];
    for change in [
        json!({ "due_date": "2026-03-01" }),
        json!({ "start_date": "2026-03-03" }),
    ] {
        let mut arguments = change;
        arguments["id"] = id.clone();
        desk.call("update_event_task", arguments)
            .refuses("invalid_argument", "due_date");
        assert_eq!(desk.get("update_event_task", json!({ "id": id })), created);
    }
}

#[test]
fn tasks_are_listed_by_assignee_status_and_title_together() {
    let mut desk = Desk::open();
    let (member, fellow) = (
        json!(desk.organization.member),
        json!(desk.organization.fellow),
    );
    for (title, assignee, status) in [
        ("Chairs", &member, "todo"),
        ("Chairs and tables", &member, "done"),
        ("Chairs for kids", &fellow, "todo"),
        ("Tables", &Value::Null, "in_progress"),
    ] {
        let arguments = json!({ "event_id": desk.event, "title": title, "assignee_id": assignee, "status": status });
        desk.get("create_event_task", arguments);
    }
    for (filter, mut expected) in [
        (
            json!({}),
            vec!["Chairs", "Chairs and tables", "Chairs for kids", "Tables"],
        ),
        (
            json!({ "assignee_id": member }),
            vec!["Chairs", "Chairs and tables"],
        ),
        (
            json!({ "status": "todo" }),
            vec!["Chairs", "Chairs for kids"],
        ),
        (
            json!({ "search": "TABLES" }),
            vec!["Chairs and tables", "Tables"],
        ),
        (
            json!({ "assignee_id": member, "status": "done" }),
            vec!["Chairs and tables"],
        ),
        (
            json!({ "assignee_id": fellow, "search": "chairs" }),
            vec!["Chairs for kids"],
        ),
        (
            json!({ "assignee_id": fellow, "status": "todo", "search": "kids" }),
            vec!["Chairs for kids"],
        ),
        (json!({ "assignee_id": fellow, "status": "done" }), vec![]),
    ] {
        let mut arguments = filter;
        arguments["event_id"] = json!(desk.event);
        let listed = desk.get("list_event_tasks", arguments.clone());
        let mut titles = pluck(&listed["tasks"], "title");
        titles.sort();
        expected.sort_unstable();
        assert_eq!(titles, expected, "{arguments}");
    }
}

#[test]
fn the_task_that_is_due_first_is_at_the_top() {
    let mut desk = Desk::open();
    for (title, due) in [
        ("whenever", Value::Null),
        ("last", json!("2026-03-03")),
        ("first", json!("2026-03-01")),
        ("second", json!("2026-03-02")),
    ] {
        desk.get(
            "create_event_task",
            json!({ "event_id": desk.event, "title": title, "due_date": due }),
        );
    }
    let listed = desk.get("list_event_tasks", json!({ "event_id": desk.event }));
    assert_eq!(
        pluck(&listed["tasks"], "title"),
        ["first", "second", "last", "whenever"]
    );
}
