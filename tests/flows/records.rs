//! Records of any kind, reached by the name of the kind: listed, opened, added, edited, narrowed, moved on
//! a board, and refused with the reason.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::desk::Stored;
use frontdesk_tests::{Desk, Http, Organization, desk, row, run, selected, world};
use serde_json::json;

use crate::launch::{LAUNCH, launch};

/// An event with three tasks, one of each state.
async fn three_tasks() -> Organization {
    let (organization, event) = launch().await;
    let email = Stored::of(&organization).email(Role::Owner).await;
    let mut owner = Http::sign_in(&world().url(), &email, PASSWORD).await;
    for (title, status, due) in [
        ("Order coffee", "todo", "2025-03-12"),
        ("Paint the sign", "in_progress", "2025-03-13"),
        ("Print badges", "done", "2025-03-14"),
    ] {
        let task = json!({ "event_id": event, "title": title, "status": status, "due_date": due });
        owner
            .call(Host::Events, "create_event_task", task)
            .await
            .output();
    }
    organization
}

/// At the tasks of the event, as this role.
async fn at_the_tasks(organization: &Organization, role: Role) -> Desk {
    let mut t = desk(organization).signed_in_as(role).at_home().await;
    t.press(":")
        .await
        .type_text("tasks (events")
        .await
        .press("enter")
        .await;
    t.expect("Tasks of which event?")
        .expect_row(selected(LAUNCH))
        .press("enter")
        .await
        .expect(" 3 tasks ");
    t
}

#[test]
fn a_kind_is_reached_by_its_name_first_what_it_belongs_to() {
    run(async {
        let organization = three_tasks().await;
        let mut t = at_the_tasks(&organization, Role::Staff).await;
        t.expect_rows([
            selected("○ to do").with("Order coffee"),
            row("… in progress").with("Paint the sign"),
            row("✓ done").with("Print badges"),
        ]);
        t.snapshot("tasks").await;
        t.press("enter").await.expect("Order coffee  task");
        t.snapshot("task").await;
        t.press("esc").await.expect_row(selected("Order coffee"));
    });
}

#[test]
fn a_record_is_added_and_edited_where_it_is_listed() {
    run(async {
        let organization = three_tasks().await;
        let mut t = at_the_tasks(&organization, Role::Staff).await;
        t.press("a")
            .await
            .expect("Add task")
            .expect("Launch · given");
        t.type_text("Sweep the hall")
            .await
            .snapshot("task_add")
            .await;
        t.press("ctrl-s")
            .await
            .expect_toast("Added the task: Sweep the hall")
            .expect(" 4 tasks ");
        t.select("Sweep").await.press("e").await;
        t.type_text(" twice")
            .await
            .press("ctrl-s")
            .await
            .expect("Title: Sweep the hall → Sweep the hall twice");
        t.press("y")
            .await
            .expect_toast("Saved Sweep the hall")
            .expect_row(selected("Sweep the hall twice"));
    });
}

#[test]
fn what_is_not_offered_is_refused_with_the_reason() {
    run(async {
        let organization = three_tasks().await;
        let mut t = at_the_tasks(&organization, Role::Finance).await;
        t.press("a")
            .await
            .expect_toast("create_event_task is not offered to you (finance)");
        t.press("d").await.expect_toast("no tool deletes tasks");
        t.press("space").await.expect("Update event task");
        t.expect("not offered to you (finance)");
    });
}

#[test]
fn a_list_is_narrowed_by_what_its_tool_takes() {
    run(async {
        let organization = three_tasks().await;
        let mut t = at_the_tasks(&organization, Role::Staff).await;
        t.press("f")
            .await
            .expect("Show only")
            .expect("Status: in progress");
        t.press("i")
            .await
            .expect(" 1 task [Status: in progress] ")
            .expect_row(selected("Paint the sign"));
        t.press("esc").await.expect(" 3 tasks ");
    });
}

#[test]
fn on_a_board_a_task_is_moved_from_state_to_state() {
    run(async {
        let organization = three_tasks().await;
        let mut t = at_the_tasks(&organization, Role::Staff).await;
        t.press("b")
            .await
            .expect("○ to do 1")
            .expect("… in progress 1")
            .expect_row(selected("Order coffee"));
        t.press(">")
            .await
            .expect("○ to do 0")
            .expect("… in progress 2")
            .expect_row(selected("Order coffee"));
        t.snapshot("task_board").await;
        t.press("b")
            .await
            .expect_row(selected("… in progress").with("Order coffee"));
    });
}
