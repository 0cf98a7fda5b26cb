//! Plans: their tasks in order, added from the board or from a list, moved and removed; sent after the
//! differences were shown, and compared with the host's answer.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, Mode, School, row, selected};
use serde_json::{Value, json};

use crate::flows::board::museum;

/// The museum's plan Opening, which shows its first three tasks; and the tasks.
fn opening() -> (School, Vec<Value>) {
    let school = museum();
    let mut owner = school.colleague(Role::Owner);
    let tasks = owner.make(Host::Work, "list_tasks", json!({}));
    let tasks: Vec<Value> = tasks.as_array().into_iter().flatten().cloned().collect();
    owner.make(Host::Plans, "create_plan", json!({ "name": "Opening" }));
    shows(&school, &tasks[..3]);
    (school, tasks)
}

/// Somebody else sets the tasks of the plan.
fn shows(school: &School, tasks: &[Value]) {
    let tasks: Vec<Value> = tasks
        .iter()
        .map(|task| json!({ "task_id": task["id"] }))
        .collect();
    let mut owner = school.colleague(Role::Owner);
    let arguments = json!({ "slug": "opening", "tasks": tasks });
    owner.make(Host::Plans, "set_plan_tasks", arguments);
}

/// Opens the plan.
fn at_the_plan(school: &School) -> Desk {
    let mut t = school.desk(Role::Staff).at_home();
    t.go_to("plans");
    t.expect_row(selected("Opening").with("3")).press("enter");
    t.expect_rows([selected("1.  RS-1"), row("2.  RS-2"), row("3.  RS-3")]);
    t
}

#[test]
fn a_plans_tasks_are_changed_seen_and_sent_at_once() {
    let (school, _) = opening();
    let mut t = at_the_plan(&school);
    t.press("J").select("RS-3").press("d");
    t.press("a").search("bank").press("enter").press("esc");
    t.expect_rows([row("RS-2"), row("RS-1"), selected("+").with("RS-4")]);
    t.expect_head("not sent yet: 1 added, 1 moved, 1 removed.");
    t.text_snapshot("plan_changed");
    t.press("ctrl-s").expect_rows([
        row("RS-2").with("~ ").with("moved from 2. to 1."),
        selected("+  RS-4").with("added as 3."),
        row("RS-3").with("- ").with("removed"),
    ]);
    t.text_snapshot("plan_review");
    t.press("y").expect_toast("Sent: Opening has 3 tasks");
    t.expect_no("not sent yet");
    // Another person reads the same.
    let mut t = school.desk(Role::Fellow).at_home();
    t.go_to("plans").press("enter");
    t.expect_rows([selected("1.  RS-2"), row("2.  RS-1"), row("3.  RS-4")]);
}

#[test]
fn another_person_s_changes_are_shown_before_anything_is_sent() {
    let (school, tasks) = opening();
    let mut t = at_the_plan(&school);
    t.press("J").expect_rows([row("RS-2"), selected("RS-1")]);
    shows(&school, &tasks);
    t.press("ctrl-s").press("y");
    t.expect_head("Somebody else has changed this plan: 1 added (+ RS-4).");
    t.expect("Sending overwrites their changes.");
    t.expect_row(row("RS-4").with("- ").with("removed"));
    // The user's changes are discarded for theirs.
    t.press("u").expect_rows([
        selected("1.  RS-1"),
        row("2.  RS-2"),
        row("3.  RS-3"),
        row("4.  RS-4"),
    ]);
    t.press("end K").press("ctrl-s").press("y");
    t.expect_toast("Sent: Opening has 4 tasks");
}

#[test]
fn a_task_goes_onto_a_plan_from_the_board() {
    let (school, _) = opening();
    let mut t = school.desk(Role::Staff).size(160, 40).at_home();
    t.go_to("board");
    t.press("down").expect_row(selected("RS-4")).press("p");
    t.expect_title("Call the bank: to which plan?")
        .press("enter");
    t.expect_row(selected("+").with("4.  RS-4"))
        .press("ctrl-s")
        .press("y");
    t.expect_toast("Sent: Opening has 4 tasks");
    t.press("esc").expect_row(selected("RS-4"));
}

#[test]
fn leaving_does_not_lose_changes() {
    let (school, _) = opening();
    let mut t = at_the_plan(&school);
    t.press("d").press("esc").expect_title("Discard changes?");
    t.press("n").expect_head("not sent yet: 1 removed.");
    t.press("esc y").expect_row(selected("Opening").with("3"));
}

#[test]
fn a_caller_without_the_right_to_plans_is_refused_with_the_reason() {
    let (school, _) = opening();
    let mut t = school.desk(Role::Fellow).at_home();
    t.go_to("plans").press("enter").press("d");
    t.expect_toast("set_plan_tasks is not offered to you (fellow)");
    t.press("tab")
        .expect_head("[Facts]")
        .expect_head("Questions");
}

#[test]
fn changes_that_did_not_reach_the_host_are_kept() {
    let (school, _) = opening();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    t.go_to("plans").press("enter");
    t.press("d").press("ctrl-s");
    t.network().go_down();
    t.press("y").expect_toast("Not sent.");
    t.network().come_back();
    t.press("y").expect_toast("Sent: Opening has 2 tasks");
}

#[test]
fn the_plan_is_read_where_no_answer_says_whether_it_was_changed() {
    let (school, _) = opening();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    t.go_to("plans").press("enter");
    t.press("d").press("ctrl-s");
    t.network()
        .set_next("set_plan_tasks", Mode::CutAfterRequest);
    t.press("y")
        .expect_toast("No answer: reading the plan to check");
    t.expect_toast("Sent: Opening has 2 tasks");
}
