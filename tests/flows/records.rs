//! Records of any kind, opened by the name of the kind: listed, added, edited, filtered, moved on a board,
//! and refused with the reason.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, School, row, selected};
use serde_json::json;

/// Opens the tasks of the event, one of each state, as this role.
fn at_the_tasks(role: Role) -> Desk {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let tasks = [
        ("Order coffee", "todo", "2025-03-12"),
        ("Paint the sign", "in_progress", "2025-03-13"),
        ("Print badges", "done", "2025-03-14"),
    ];
    let tasks = tasks.map(|(title, status, due)| {
        let task = json!({ "event_id": event, "title": title, "status": status, "due_date": due });
        ("create_event_task", task)
    });
    school.calls(Role::Owner, Host::Events, tasks);
    let mut t = school.desk(role).at_home();
    t.go_to("tasks (events");
    t.expect_title("Tasks: which event?")
        .expect_row(selected(LAUNCH))
        .press("enter")
        .expect_title(" 3 tasks ");
    t
}

#[test]
fn a_kind_is_reached_by_its_name_first_what_it_belongs_to() {
    let mut t = at_the_tasks(Role::Staff);
    t.expect_rows([
        selected("○ to do").with("Order coffee"),
        row("◐ in progress").with("Paint the sign"),
        row("✓ done").with("Print badges"),
    ]);
    t.text_snapshot("tasks");
    t.press("enter").expect_head("Order coffee  task");
    t.text_snapshot("task");
    t.press("esc").expect_row(selected("Order coffee"));
}

#[test]
fn a_record_is_added_and_edited_where_it_is_listed() {
    let mut t = at_the_tasks(Role::Staff);
    t.press("a")
        .expect_path("Add task")
        .expect_head("Launch · given");
    t.type_text("Sweep the hall").text_snapshot("task_add");
    t.press("ctrl-s")
        .expect_toast("Added task “Sweep the hall”")
        .expect_title(" 4 tasks ");
    t.select("Sweep").press("e");
    t.type_text(" twice").press("ctrl-s").expect_panel(
        "Send these changes?",
        "Title: Sweep the hall → Sweep the hall twice",
    );
    t.press("y")
        .expect_toast("Saved Sweep the hall")
        .expect_row(selected("Sweep the hall twice"));
}

#[test]
fn what_is_not_offered_is_refused_with_the_reason() {
    let mut t = at_the_tasks(Role::Finance);
    t.press("a")
        .expect_toast("create_event_task is not offered to you (finance)");
    t.press("d")
        .expect_toast("delete_event_task is not offered to you (finance)");
    t.press("space").expect_row(selected("Update event task"));
    t.expect_row(row("not offered to you (finance)"));
}

#[test]
fn a_list_is_narrowed_by_what_its_tool_takes() {
    let mut t = at_the_tasks(Role::Staff);
    t.press("f")
        .expect_title("Show only")
        .expect_row(row("Status: in progress"));
    t.press("i")
        .expect_title(" 1 task of Launch [Status: in progress] ")
        .expect_row(selected("Paint the sign"));
    t.press("esc").expect_title(" 3 tasks ");
}

#[test]
fn on_a_board_a_task_is_moved_from_state_to_state() {
    let mut t = at_the_tasks(Role::Staff);
    t.press("b")
        .expect_title("○ to do 1")
        .expect_title("◐ in progress 1")
        .expect_row(selected("Order coffee"));
    t.press("L")
        .expect_toast("Moved “Order coffee” to in progress")
        .expect_title("○ to do 0")
        .expect_title("◐ in progress 2")
        .expect_row(selected("Order coffee"));
    t.text_snapshot("task_board");
    t.press("b")
        .expect_row(selected("◐ in progress").with("Order coffee"));
}

#[test]
fn the_payments_of_an_invoice_are_a_table() {
    let school = School::launch();
    let mut owner = school.colleague(Role::Owner);
    let invoice = json!({
        "billed_to": "Ana", "description": "Spring term", "amount": 300, "due_on": "2025-04-01",
    });
    let made = owner.make(Host::Staff, "create_invoice", invoice);
    let id = &made["id"];
    owner.make(Host::Staff, "mark_invoice_sent", json!({ "id": id }));
    for (amount, day) in [(100.0, "2025-03-03"), (50.5, "2025-03-10")] {
        let payment = json!({
            "invoice_id": id, "amount": amount, "paid_on": day, "note": "by transfer",
        });
        owner.make(Host::Staff, "record_payment", payment);
    }
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("invoices").press("enter");
    t.expect_head("Payments")
        .expect_row(row("Amount  Paid on"))
        .expect_row(row("100.00"))
        .expect_row(row(" 50.50"));
}

#[test]
fn who_comes_at_the_desk_is_counted_in_the_list_on_the_way_back() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    t.go_to("events");
    t.expect_row(selected(LAUNCH).with("2 of 12")).press("c");
    t.enter("zoe").expect_banner(&["CHECKED IN"]);
    t.press("ctrl-q")
        .expect_row(selected(LAUNCH).with("3 of 12"));
}

#[test]
fn a_partly_loaded_list_says_what_is_sorted_or_hidden() {
    let school = School::new().with_crowd("Concert", 250);
    let here = school.guest("Guest 0007").id.0;
    school.change(
        "update events.guests set check_in_at = now() where id = $1",
        &[&here],
    );
    let mut t = school.desk(Role::Staff).at_home();
    t.select("Concert")
        .press("o")
        .expect_title(" 100 of 250 guests ");
    t.press("s").expect_title("· by state ↑ of 100 loaded ");
    t.press("f").select("Checked in").press("enter");
    t.expect_title(" 1 of 100 loaded guests [checked in] ")
        .expect_row(selected("Guest 0007"));
    // The two exclude each other.
    t.press("f").select("Not checked in").press("enter");
    t.expect_title(" 99 of 100 loaded guests [not checked in] ");
}
