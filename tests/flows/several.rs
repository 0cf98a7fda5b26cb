//! Several records at once: marked in a list, changed after one table and one confirmation, and
//! undone together.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, Mode, School, row, selected};
use serde_json::json;

use crate::flows::board::museum;
use crate::flows::programs::at_the;

/// The tasks of the museum, in a list.
fn at_the_tasks(school: &School) -> Desk {
    let mut t = at_the(school, Role::Staff, "tasks (work");
    t.expect_title(" 4 tasks ");
    t
}

#[test]
fn marked_rows_are_changed_after_one_table_and_undone_together() {
    let school = museum();
    let mut t = at_the_tasks(&school);
    t.select("RS-1").press("m");
    t.expect_title("✓ 1 marked").expect_row(row("✓ RS-1"));
    t.select("RS-4").press("m").expect_title("✓ 2 marked");
    t.press("=").expect_title("2 tasks").press("b");
    t.expect_path("› 2 tasks")
        .expect_head("not done yet, 2 of 2: a does exactly this")
        .expect_head("Change 2 tasks.")
        .expect_row(selected("Sell at the door").with("Status: ○ to do → ! blocked"))
        .expect_row(row("Call the bank").with("Status: ○ to do → ! blocked"));
    t.text_snapshot("several");
    t.press("a")
        .expect_panel("Set 2 tasks to blocked?", "Change 2 tasks.");
    t.press("n").press("a y");
    t.expect_toast("Set 2 tasks to blocked · U undoes")
        .expect_title(" 4 tasks ")
        .expect_no("marked")
        .expect_row(row("RS-1").with("! blocked"))
        .expect_row(selected("RS-4").with("! blocked"))
        .expect_row(row("RS-3").with("○ to do"));
    // One change, undone as a whole.
    t.press("U").expect_path("› Preview");
    t.expect_row(row("Call the bank"));
    t.press("a y")
        .expect_toast("Undone: changed 2 tasks, removed 2 task status changes");
    t.expect_row(row("RS-1").with("○ to do"))
        .expect_row(selected("RS-4").with("○ to do"));
}

#[test]
fn a_record_that_is_so_already_is_done() {
    let school = museum();
    let mut t = at_the_tasks(&school);
    t.press("* = o").expect_head("not done yet, 3 of 4");
    t.expect_row(row("Half price").with("nothing would change"));
    t.press("a");
    t.expect_panel("Set 3 tasks to done?", "Nothing changes for 1 task.");
    t.press("y").expect_toast("Set 4 tasks to done");
    t.expect_title(" 4 tasks ").expect_no("marked");
}

#[test]
fn a_range_and_all_that_match_are_marked() {
    let school = museum();
    let mut t = at_the_tasks(&school);
    t.press("m down M").expect_title("✓ 3 marked");
    t.press("*").expect_title("✓ 4 marked");
    t.press("*").expect_no("marked");
    // All that match a search, also after it is closed.
    t.press("/").enter("the").press("*");
    t.expect_title("✓ 3 marked").press("esc");
    t.expect_title(" 4 tasks ✓ 3 marked");
    t.press("esc").expect_no("marked");
}

#[test]
fn a_form_asks_once_for_what_all_have_in_common() {
    let school = museum();
    let mut t = at_the_tasks(&school);
    t.press("*").press("e").expect_path("Edit 4 tasks");
    t.press("ctrl-s")
        .expect_row(row("fill in at least one field"));
    for _ in 0..20 {
        if !t.screen().contains("▸ Points") {
            t.press("tab");
        }
    }
    t.type_text("5").press("ctrl-s");
    t.expect_row(row("Paint the hall").with("Points: empty → 5"));
    t.press("a y").expect_toast("Saved 4 tasks");
}

#[test]
fn a_deletion_asks_for_the_number_of_records() {
    let school = museum();
    let mut t = at_the(&school, Role::Owner, "tasks (work");
    t.select("Paint the hall").press("m m d");
    t.expect_head("Delete 2 tasks, 2 status changes.")
        .press("a");
    t.expect_title("Delete 2 tasks?");
    t.type_text("3")
        .press("ctrl-y")
        .expect_title("Delete 2 tasks?");
    t.press("backspace").type_text("2").press("ctrl-y");
    t.expect_toast("Deleted 2 tasks").expect_title(" 2 tasks ");
}

#[test]
fn what_fails_stays_marked() {
    let school = School::launch();
    let mut owner = school.colleague(Role::Owner);
    for name in ["Ana", "Bea", "Zoe"] {
        let invoice = json!({
            "billed_to": name, "description": "Spring term", "amount": 300, "due_on": "2025-04-01",
        });
        let invoice = owner.make(Host::Staff, "create_invoice", invoice);
        if name == "Bea" {
            let id = json!({ "id": invoice["id"] });
            owner.make(Host::Staff, "cancel_invoice", id);
        }
    }
    let mut t = at_the(&school, Role::Owner, "invoices");
    t.press("*").expect_title("✓ 3 marked").press("space");
    t.select("Mark invoice sent").press("enter");
    t.expect_head("not done yet, 2 of 3");
    t.expect_row(row("✗").with("Bea"));
    t.press("a")
        .expect_panel("Mark invoice sent: 2 invoices?", "Not done for 1 invoice.");
    t.press("y")
        .expect_head("2 of 3")
        .expect_head("1 invoice not done; still marked.");
    t.expect_toast("Done for 2 invoices: Mark invoice sent · U undoes");
    t.expect_row(row("✓").with("Ana").with("done"));
    t.press("esc").expect_title("✓ 1 marked");
    t.expect_row(row("✓").with("Bea"));
}

#[test]
fn a_lost_connection_leaves_the_rest_marked_and_a_second_try_repeats_nothing() {
    let school = museum();
    let setup = school.desk(Role::Staff).size(120, 40);
    let mut t = setup.over_a_network().at_home();
    t.go_to("tasks (work");
    t.press("* = b").expect_head("not done yet, 4 of 4");
    t.network().set_next("update_task", Mode::CutAfterRequest);
    t.press("a y").expect_head("Stopped. Outcome unknown");
    t.expect_head("3 tasks not done, outcome unknown for 1 task; still marked.");
    t.expect_row(row("!").with("outcome unknown"));
    t.text_snapshot("several_unknown");
    t.press("r").expect_toast("Set 4 tasks to blocked");
    t.expect_no("marked");
    assert_eq!(school.count("work.tasks where status = 'blocked'"), 4);
}

#[test]
fn a_call_that_is_under_way_when_the_rest_is_stopped_counts() {
    let school = museum();
    let setup = school.desk(Role::Staff).size(120, 40);
    let mut t = setup.over_a_network().at_home();
    t.go_to("tasks (work");
    t.press("* = b").expect_head("not done yet, 4 of 4");
    t.network().set_next("update_task", Mode::Hold);
    t.press("a")
        .press_at_once("y")
        .settle_but(1)
        .expect("esc stop");
    t.press_at_once("esc").expect_head("Stopped.");
    t.network().release();
    t.settle().expect_head("3 tasks not done; still marked.");
    t.expect_toast("Set 1 task to blocked");
}

#[test]
fn a_limit_of_calls_is_waited_for() {
    let school = museum();
    let setup = school.desk(Role::Staff).size(120, 40);
    let mut t = setup.over_a_network().at_home();
    t.go_to("tasks (work");
    t.press("* = b").expect_head("not done yet, 4 of 4");
    let too_many = Mode::refusal(429, "rate_limited", "too many calls").header("retry-after", "7");
    t.network().set_next("update_task", too_many);
    t.press("a y").expect_head("0 of 4");
    t.seconds(8).expect_toast("Set 4 tasks to blocked");
    assert_eq!(school.count("work.tasks where status = 'blocked'"), 4);
}

#[test]
fn more_than_a_page_is_marked() {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let tasks = (0..120).map(|number| {
        let task = json!({ "event_id": event, "title": format!("Task {number:03}") });
        ("create_event_task", task)
    });
    school.calls(Role::Owner, Host::Events, tasks);
    let mut t = at_the(&school, Role::Staff, "tasks (events");
    t.press("enter").expect_title(" 100 of 120 tasks ");
    t.press("*")
        .expect_title(" 120 tasks of Launch ✓ 120 marked");
}

/// Two batches of an import, each of them a step.
#[test]
fn an_undo_of_a_large_action_goes_on_by_itself_after_one_confirmation() {
    let school = School::new();
    let event = school.add_event("Open day");
    let mut other = school.colleague(Role::Staff);
    let mut action = json!("new");
    for part in ["A", "B"] {
        let guest = |number| {
            json!({ "tool": "create_event_guest", "arguments": {
            "event_id": event, "name": format!("{part} {number:03}") } })
        };
        let calls: Vec<_> = (0..250).map(guest).collect();
        action = other.batch(Host::Events, &calls, &action);
    }
    let mut t = at_the(&school, Role::Owner, "changes");
    t.expect_row(selected("added 500 guests")).press("U");
    t.expect_head("delete 250 guests")
        .expect_head("250 more rows in further steps")
        .press("a");
    t.expect_toast("Undone in steps, the last: removed 250 guests · U undoes");
    let left = "select count(*)::text from events.guests where event_id = $1";
    assert_eq!(school.texts(left, &[&event.0]), [Some("0".to_owned())]);
    t.press("U").expect_head("add 250 guests");
    t.press("a")
        .expect_toast("Undone in steps, the last: added 250 guests");
}
