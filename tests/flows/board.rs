//! The board of tasks: its columns are stages; cards are moved, added and filtered, and tasks outside the
//! board are one key away.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Colleague, Desk, Mode, School, row, selected};
use serde_json::{Value, json};

/// Creates a record with a tool of the Work host.
pub(crate) fn add(by: &mut Colleague, tool: &str, arguments: Value) -> Value {
    by.make(Host::Work, tool, arguments)
}

/// A school with the project Museum, whose epic Tickets has two of its four tasks, one of them late.
pub(crate) fn museum() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let project = add(&mut owner, "create_project", json!({ "name": "Museum" }));
    let epic = json!({ "name": "Tickets", "project_id": project["id"] });
    let epic = add(&mut owner, "create_epic", epic);
    let tasks = [
        json!({
            "name": "Sell at the door", "stage_id": "spec", "priority": 1, "points": 3,
            "estimated_date": "2025-03-08", "epic_id": epic["id"],
        }),
        json!({
            "name": "Half price", "stage_id": "decision", "priority": 2, "epic_id": epic["id"],
            "estimated_date": "2025-03-08", "status": "done",
        }),
        json!({ "name": "Paint the hall", "stage_id": "qa", "priority": 3 }),
        json!({ "name": "Call the bank", "stage_id": "spec", "priority": 4 }),
    ];
    for mut task in tasks {
        task["context"] = json!({ "why": "The museum opens." });
        task["owner_id"] = json!(school.organization.fellow);
        add(&mut owner, "create_task", task);
    }
    school
}

/// Opens the board of all tasks, in a terminal that is wide enough for all columns.
fn at_the_board(school: &School) -> Desk {
    at_the_board_as(school, Role::Staff)
}

fn at_the_board_as(school: &School, role: Role) -> Desk {
    let mut t = school.desk(role).size(160, 40).at_home();
    t.go_to("board");
    t
}

fn at_the_board_over_a_network(school: &School) -> Desk {
    let setup = school.desk(Role::Staff).size(160, 40);
    let mut t = setup.over_a_network().at_home();
    t.go_to("board");
    t
}

#[test]
fn tasks_stand_in_the_columns_of_their_stages() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.expect_head("4 tasks")
        .expect_title("Shaping 2")
        .expect_title("Ideation 0");
    t.expect_title("Ready to build 0")
        .expect_title("Design Review 1")
        .expect_title("QA / Test 1");
    t.expect_row(row("Sell at the door"))
        .expect_row(row("P1 · 3 pt · ○ to do"));
    // A task that is done is not late.
    t.expect_row(row("! 4 days late")).expect_row(row("8 Mar"));
    t.text_snapshot("board");
    t.press("enter").expect_head("Sell at the door  task");
    t.expect_row(row("Shaping"))
        .expect_row(row("why: The museum opens."));
}

#[test]
fn a_card_that_is_moved_is_where_the_host_says_that_it_is() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.expect_row(selected("RS-1")).press("shift-right");
    t.expect_toast("Moved “Sell at the door” to Ideation")
        .expect_title("Shaping 1")
        .expect_title("Ideation 1")
        .expect_row(selected("RS-1"));
    // Another person sees it there, too.
    let mut t = at_the_board(&school);
    t.expect_title("Ideation 1");
    t.press("right").expect_row(selected("RS-1"));
}

#[test]
fn a_card_goes_through_both_badges_of_the_last_column() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.press("right right right right")
        .expect_row(selected("RS-3 · Design"));
    t.press("shift-right")
        .expect_toast("to QA / Test · Engineering")
        .expect_row(selected("RS-3 · Engineering"));
    // It is the last one.
    t.press("shift-right")
        .expect_row(selected("RS-3 · Engineering"));
    t.press("shift-left shift-left")
        .expect_toast("to QA / Test · Design")
        .expect_toast("to Design Review")
        .expect_title("Design Review 2");
}

#[test]
fn a_card_that_cannot_be_moved_stays_with_the_reason() {
    let school = museum();
    let mut t = at_the_board_over_a_network(&school);
    t.network().go_down();
    t.press("shift-right").expect_toast("Not moved. ");
    t.expect_row(selected("RS-1")).expect_title("Shaping 2");
}

#[test]
fn a_card_is_looked_for_where_no_answer_says_whether_it_was_moved() {
    let school = museum();
    let mut t = at_the_board_over_a_network(&school);
    t.network().set_next("update_task", Mode::CutAfterRequest);
    t.press("shift-right").expect_toast("Outcome unknown");
    t.expect_title("Shaping 1").expect_title("Ideation 1");
}

#[test]
fn a_card_that_is_moved_while_another_is_on_its_way_has_its_own_answer() {
    let school = museum();
    let mut t = at_the_board_over_a_network(&school);
    school.change(
        "delete from work.tasks where name = 'Call the bank' and organization_id = $1",
        &[&school.organization.id.0],
    );
    t.network().set_next("update_task", Mode::Hold);
    // The first move is the one that is held.
    t.press_at_once("shift-right").reaches("update_task");
    t.press_at_once("down shift-right").hears("Not moved");
    t.expect_title("Ideation 0");
    t.network().release();
    t.settle()
        .expect_toast("Not moved")
        .expect_toast("Moved “Sell at the door”");
    t.expect_head("3 tasks").expect_title("Ideation 1");
}

#[test]
fn a_card_that_is_gone_leaves_the_board() {
    let school = museum();
    let mut t = at_the_board(&school);
    school.change(
        "delete from work.tasks where name = 'Sell at the door' and organization_id = $1",
        &[&school.organization.id.0],
    );
    t.press("shift-right").expect_toast("Not moved");
    // A deleted task leaves the board.
    t.expect_head("3 tasks").expect_title("Shaping 1");
}

#[test]
fn tasks_outside_the_board_are_counted_and_opened() {
    let school = museum();
    school.change(
        "update work.tasks set stage_id = null where name = 'Call the bank' and organization_id = $1",
        &[&school.organization.id.0],
    );
    let mut t = at_the_board(&school);
    t.expect_row(row("! 1 task not on the board: no stage · o show"));
    t.press("o")
        .expect_row(selected("Call the bank"))
        .expect_no("Half price");
    t.press("esc").expect_row(selected("RS-1"));
}

#[test]
fn a_task_that_is_added_stands_in_the_column_where_it_was_added() {
    let school = museum();
    // A caller who is a member owns the tasks that they add.
    let mut t = at_the_board_as(&school, Role::Fellow);
    t.press("right right").press("a");
    t.expect_path("Add task").expect_head("execution");
    t.type_text("Order the signs").press("down down ctrl-a");
    t.enter("why").type_text("They have to be found.");
    t.press("ctrl-s")
        .expect_toast("Added task “Order the signs”");
    t.expect_title("Ready to build 1")
        .expect_row(selected("RS-5"));
}

#[test]
fn the_status_of_a_card_is_set_where_it_stands() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.press("=")
        .expect_row(selected("○ to do (as it is)"))
        .press("b");
    t.expect_toast("Set “Sell at the door” to blocked")
        .expect_row(row("P1 · 3 pt · ! blocked"))
        .expect_title("Shaping 2");
}

#[test]
fn a_board_is_narrowed_to_a_project_an_epic_or_an_owner() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.press("f").expect_row(row("Status: blocked")).press("p");
    t.expect_title("Tasks: which project?")
        .expect_row(selected("Museum"))
        .press("enter");
    t.expect_head("2 tasks [Project: Museum]")
        .expect_title("QA / Test 0");
    t.press("f").expect_row(row("✓ Project: Museum")).press("m");
    t.expect_head("4 tasks").expect_title("QA / Test 1");
    // The same from the epic itself.
    t.press("esc").go_to("epics");
    t.expect_row(selected("Tickets")).press("B");
    t.expect_head("2 tasks [Epic: Tickets]")
        .expect_title("Shaping 1");
    // The command opens the board of all tasks from any screen.
    t.press("esc").go_to("board").expect_head("4 tasks");
    t.press("esc B");
    t.press("a").expect_head("Tickets · given");
}

#[test]
fn in_a_small_terminal_the_columns_go_by_sideways() {
    let school = museum();
    let mut t = at_the_board(&school);
    t.resize(80, 24)
        .expect_title("Shaping 2")
        .expect_head("Design Review 1 · QA / Test 1 ›");
    t.press("right right right right");
    t.expect_head("‹ Shaping 2 · Ideation 0")
        .expect_row(selected("RS-3 · Design"));
}

#[test]
fn projects_epics_and_deliveries_show_their_progress() {
    let school = museum();
    let mut t = school.desk(Role::Staff).size(120, 40).at_home();
    t.go_to("projects");
    t.expect_row(selected("Museum")).press("enter");
    t.expect_head("1 epic: ○ 1 pending");
    t.select("Tickets").press("enter");
    t.expect_head("2 tasks: ○ 1 to do, ✓ 1 done  0 deliveries");
    t.expect_row(row("Sell at the door").with("! 4 days late"));
    t.press("esc home d");
    t.expect_toast("This project still has 1 epic (“Tickets”)");
}
