//! Spreadsheets at a list: importing one, writing one, copying from one.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Desk, LAUNCH, Mode, School, row, selected};
use serde_json::json;

/// At the event's only task.
fn at_the_tasks() -> Desk {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let task = json!({ "event_id": event, "title": "Order coffee" });
    school.calls(Role::Owner, Host::Events, [("create_event_task", task)]);
    let mut t = school.desk(Role::Staff).at_home();
    t.go_to("tasks (events");
    t.expect_title("Tasks: which event?")
        .press("enter")
        .expect_title(" 1 task ");
    t
}

#[test]
fn a_spreadsheet_is_imported_into_the_list() {
    let mut t = at_the_tasks();
    let file = t.directory().join("tasks.csv");
    let text =
        "Title;Progress;Due date;Notes\nSweep;In progress;12.3.2025;x\n;todo;;\nPaint;Done;;\n";
    std::fs::write(&file, text).expect("it is written");
    t.press("I")
        .expect_title("Import a spreadsheet")
        .enter("/nowhere.csv");
    t.expect_row(row("No such file"));
    for _ in 0.."/nowhere.csv".len() {
        t.press("backspace");
    }
    t.type_text(file.to_str().expect("text")).press("enter");
    // What is wrong, and which column has no argument, before anything is written.
    t.expect_row(row("2 to add · 1 wrong"));
    t.expect_row(row("line 3: title is required"))
        .expect_row(row("not imported"));
    // The column of another name is assigned by hand.
    t.select("Progress")
        .press("left")
        .press("left")
        .expect_row(selected("status"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 2 added, 0 changed, 1 not imported"));
    t.press("esc")
        .expect_title(" 3 tasks ")
        .expect_row(row("◐ in progress"));
    // Importing it again adds nothing, and remembers the column.
    t.press("I")
        .type_text(file.to_str().expect("text"))
        .press("enter");
    t.expect_row(row("2 imported earlier · 1 wrong"))
        .expect_row(row("status"));
}

#[test]
fn an_import_is_stopped_and_goes_on() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).over_a_network().at_home();
    let event = school.event_id(LAUNCH);
    let file = t.directory().join("tasks.csv");
    let rows: String = (0..50).map(|n| format!("{event},Task {n}\n")).collect();
    std::fs::write(&file, format!("event_id,title\n{rows}")).expect("it is written");
    t.go_to("tasks (events");
    t.press("enter").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.expect_row(row("50 to add"));
    t.network().set_next("run_batch", Mode::Hold);
    t.press_at_once("ctrl-y").reaches("run_batch");
    t.expect_row(row("esc stops it")).press_at_once("esc");
    t.settle_but(1).expect_row(row("stopping"));
    t.network().release();
    t.settle().expect_toast("Stopped: 20 added, 0 changed");
    t.expect_row(row("30 to add").with("20 imported earlier"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 30 added, 0 changed"));
}

#[test]
fn a_sheet_of_a_workbook_is_chosen() {
    let mut t = at_the_tasks();
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../fixtures/import/sheets.xlsx"
    );
    t.press("I").enter(file);
    t.expect_row(row("sheet “Waiting”, not “Help”"));
    t.press("e").press("e").expect_row(row("(sheet “Guests”)"));
}

#[test]
fn a_list_is_exported_and_a_record_is_copied() {
    let mut t = at_the_tasks();
    t.press("X").expect_title("Export all tasks").press("c");
    t.expect_toast("Exported 1 record to ")
        .expect_title(" 1 task ");
    t.press("X").press("V").expect_toast("Copied 1 record");
    let copied = t.copied().last().expect("a copy").clone();
    assert!(
        copied.contains("Order coffee") && !copied.contains("event_id"),
        "{copied}"
    );
    t.expect_row(selected("Order coffee"))
        .press("y")
        .expect_title("Copy Order coffee")
        .press("i")
        .expect_toast("Copied id");
    let id = t.copied().last().expect("a copy").clone();
    assert_eq!(id.len(), 36, "{id}");
    t.press("y")
        .press("j")
        .expect_toast("Copied record as json");
    assert!(
        t.copied()
            .last()
            .expect("a copy")
            .contains("\"title\": \"Order coffee\"")
    );
}

#[test]
fn a_column_of_another_name_becomes_a_tag() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    let file = t.directory().join("guests.csv");
    std::fs::write(&file, "Name,Ticket code,Seat\nQuentin Blake,TX-9,12\n").expect("it is written");
    t.press("e").press("enter").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.expect("tags.ticket_code")
        .select("Seat")
        .press("left")
        .expect("tags.seat");
    t.press("ctrl-y").expect("Imported: 1 added");
    // The desk knows it as a ticket.
    t.press("esc").press("c").enter("tx-9");
    t.expect_banner(&["CHECKED IN", "Quentin Blake"]);
}

#[test]
fn questionable_rows_wait_for_a_yes() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    let file = t.directory().join("guests.csv");
    let text = "Name,Email,Phone number\nQuentin Blake,q@example.org,\nUna,,\nVic,,\n\
                Wim,wim@example.org,ask him\n";
    std::fs::write(&file, text).expect("it is written");
    t.press("e").press("enter").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    let summary =
        |added, questionable| row(&format!("{added} to add · {questionable} questionable"));
    t.expect_row(summary(1, 3))
        .expect_row(row("line 2: Quentin Blake, q@example.org"))
        .expect_row(row("email · matches records"));
    t.press("f").press("f").expect("rows: questionable");
    t.expect_row(selected("line 3: has no email"));
    t.press("y").expect_row(summary(2, 2));
    t.press("y").expect_row(summary(1, 3));
    t.press("Y").expect_row(summary(3, 1));
    t.press("ctrl-y")
        .expect_row(row("Imported: 3 added, 0 changed, 1 not imported"))
        .expect_row(selected("“ask him” is no telephone number"));
}

#[test]
fn a_file_that_changes_after_its_preview_is_previewed_again() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    let file = t.directory().join("guests.csv");
    let text = "Name,Email\nUna,\nWim,wim@example.org\n";
    std::fs::write(&file, text).expect("it is written");
    t.press("e").press("enter").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.press("f")
        .press("f")
        .press("y")
        .expect_row(row("2 to add"));
    // The accepted line has another person now.
    std::fs::write(&file, text.replace("Una", "Xenia")).expect("it is written");
    t.press("ctrl-y")
        .expect_toast("The file has changed")
        .expect_row(row("1 to add · 1 questionable"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 1 added, 0 changed, 1 not imported"));
}

#[test]
fn a_banks_statement_is_accepted_line_by_line_on_its_account() {
    let school = School::new();
    let bank = json!({ "code": "1000", "name": "Bank", "kind": "asset" });
    school.calls(Role::Owner, Host::Financing, [("create_account", bank)]);
    let mut t = school.desk(Role::Finance).at_home();
    let text = "Date,Description,Amount,Status\n2025-03-05,Rent,-12.50,Completed\n2025-03-06,Hotel,-80.00,Denied\n\
                2025-03-07,Taxi,-9.00,Pending\n";
    let file = t.directory().join("march.csv");
    std::fs::write(&file, text).expect("it is written");
    let file = file.to_str().expect("text").to_owned();
    t.go_to("accounts");
    t.select("Bank").press("enter").expect_head("Bank");
    t.press("I")
        .expect_title("Import a bank statement")
        .enter(&file);
    t.expect_row(row("1 to add · 2 questionable"))
        .expect_row(selected("line 2: 2025-03-05 -12.50 Rent"))
        .expect_row(row("line 4: 2025-03-07 -9.00 Taxi; its status is Pending"));
    t.select("Taxi")
        .press("y")
        .expect_row(row("2 to add · 1 questionable"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 2 added, 0 changed, 1 not imported"));
    t.expect_row(selected(
        "line 3: 2025-03-06 -80.00 Hotel; its status is Denied",
    ));
    t.go_to("statement lines");
    t.expect_title(" 2 unreconciled statement lines ")
        .expect_row(row("Taxi"))
        .expect_row(selected("Rent"));
}

#[test]
fn a_calendar_comes_in_at_the_meetings() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).at_home();
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20250305T140000Z\r\nSUMMARY:Team\r\nEND:VEVENT\r\n\
                BEGIN:VEVENT\r\nUID:b\r\nSUMMARY:Without a day\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let file = t.directory().join("school.ics");
    std::fs::write(&file, text).expect("it is written");
    t.go_to("meetings").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.expect_head("(calendar) into meetings")
        .expect_row(row("1 to add · 1 wrong"))
        .expect_row(selected("Team, 2025-03-05 11:00"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 1 added, 0 changed, 1 not imported"));
    t.press("esc").expect_row(selected("Team"));
}

#[test]
fn a_series_of_another_zone_is_previewed_in_one() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).at_home();
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261230T140000Z\r\n\
                RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=1\r\nSUMMARY:Team\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
    let file = t.directory().join("school.ics");
    std::fs::write(&file, text).expect("it is written");
    t.go_to("meetings").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.expect_row(selected("2026-12-30 11:00 (America"))
        .expect_no("UTC");
}

#[test]
fn an_import_that_its_host_stopped_shows_the_file_again() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).over_a_network().at_home();
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20250305T140000Z\r\nSUMMARY:Team\r\nEND:VEVENT\r\n\
                END:VCALENDAR\r\n";
    let file = t.directory().join("school.ics");
    std::fs::write(&file, text).expect("it is written");
    t.go_to("meetings").press("I");
    t.type_text(file.to_str().expect("text")).press("enter");
    t.expect_row(row("1 to add"));
    let stopped = Mode::refusal(
        200,
        "refused",
        "the call was cancelled; nothing was changed",
    );
    t.network().set_next("import_calendar", stopped);
    t.press_at_once("ctrl-y esc").settle();
    t.expect_toast("Stopped: the call was cancelled; nothing was changed")
        .expect_row(row("1 to add"));
    t.press("ctrl-y")
        .expect_row(row("Imported: 1 added, 0 changed"));
}
