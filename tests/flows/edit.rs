//! Changing an event, and adding a guest at the door.

use std::time::Duration;

use frontdesk_client::Config;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, LAUNCH, Mode, School, at_the_door, row, selected};
use serde_json::json;

use crate::flows::form::go_to;

/// Opens the form that changes the event.
fn at_the_form(setup: Setup) -> Desk {
    let mut t = setup.at_home();
    t.select(LAUNCH)
        .press("o E")
        .expect_head("▸ Name")
        .expect_head("Main hall");
    t
}

/// Somebody else changes the event meanwhile.
fn meanwhile(school: &School, change: &str) {
    let sql = format!("update events.events set {change} where organization_id = $1");
    school.change(&sql, &[&school.organization.id.0]);
}

/// Asserts the stored name of the event.
fn is_called(t: &Desk, name: &str) {
    assert_eq!(t.database().event("name").as_deref(), Some(name));
}

/// Replaces the text of the field.
fn replace(t: &mut Desk, text: &str) {
    t.press("end")
        .press(&["backspace"; 20].join(" "))
        .type_text(text);
}

/// Moves on by this many fields.
fn fields_on(t: &mut Desk, fields: usize) {
    t.press(&vec!["tab"; fields].join(" "));
}

/// Asserts the stored start, in UTC.
fn begins(t: &Desk, time: &str) {
    let start = t.database().event("start_at at time zone 'UTC'");
    assert_eq!(start.as_deref(), Some(time));
}

#[test]
fn changes_are_shown_and_nothing_else_is_sent() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    t.text_snapshot("edit");
    meanwhile(
        &t.database(),
        "location = 'Garden', description = 'Bring a hat.'",
    );
    t.type_text(" party").expect_head("1 changed: Launch");
    t.press("ctrl-s")
        .expect_title("Send these changes?")
        .expect_panel("Send these changes?", "Name: Launch → Launch party");
    t.press("y")
        .expect_toast("Saved Launch")
        .expect_path("Launch party");
    let stored = t.database();
    is_called(&t, "Launch party");
    assert_eq!(stored.event("location").as_deref(), Some("Garden"));
    assert_eq!(stored.event("description").as_deref(), Some("Bring a hat."));
    t.press("esc").expect_row(selected("Launch party"));
}

#[test]
fn values_that_the_form_cannot_show_are_kept() {
    let school = School::launch();
    meanwhile(
        &school,
        "description = E'One\\r\\nTwo\\tThree', start_at = '2025-03-12T13:00:30Z'",
    );
    let (description, start) = (school.event("description"), school.event("start_at"));
    let mut t = at_the_form(school.desk(Role::Staff));
    t.press("ctrl-s").expect_head("no field is changed");
    t.type_text("!")
        .press("ctrl-s y")
        .expect_toast("Saved Launch");
    assert_eq!(t.database().event("description"), description);
    assert_eq!(t.database().event("start_at"), start);
}

#[test]
fn a_field_can_be_cleared() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    fields_on(&mut t, 3);
    t.expect_row(selected("Location"))
        .press("ctrl-n ctrl-s")
        .expect_row(row("Location: Main hall → nothing"))
        .press("y")
        .expect_toast("Saved Launch");
    assert_eq!(t.database().event("location"), None);
    assert!(t.database().event("start_at").is_some());
}

#[test]
fn times_are_written_as_people_write_them() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    fields_on(&mut t, 6);
    t.expect_row(selected("Starts").with("2025-03-12 10:00"));
    replace(&mut t, "soon");
    t.press("ctrl-s")
        .expect_head("✗ write it like 2026-03-12 18:30");
    replace(&mut t, "12 Mar 23:00");
    t.press("ctrl-s")
        .expect_row(row("Starts: 2025-03-12 10:00 → 2025-03-12 23:00"))
        .press("y");
    // The host refuses: it ends before it begins.
    t.expect_row(selected("Ends"))
        .expect_head("✗ must not be before")
        .text_snapshot("edit_wrong");
    begins(&t, "2025-03-12 13:00:00");
    replace(&mut t, "13.3. 1:00");
    t.press("ctrl-s y").expect_toast("Saved Launch");
    begins(&t, "2025-03-13 02:00:00");
}

#[test]
fn a_refused_change_keeps_the_typed_text() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    t.type_text(" party");
    t.database().give_role(Role::Staff, Role::Teacher);
    t.press("ctrl-s y")
        .expect_head("✗ Not permitted")
        .expect_head("Launch party");
    t.text_snapshot("edit_not_permitted");
    is_called(&t, LAUNCH);
    t.database().give_role(Role::Staff, Role::Staff);
    t.press("ctrl-s y").expect_toast("Saved Launch");
    is_called(&t, "Launch party");
}

#[test]
fn leaving_a_changed_form_asks_first() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    t.type_text(" party")
        .press("esc")
        .expect_title("Discard changes?");
    t.expect_colour("● 1 changed", "Yellow");
    t.press("enter").expect_title("Discard changes?");
    t.press("n")
        .expect_head("Launch party")
        .expect_no("Discard changes");
    t.press("esc y")
        .expect_head("[Guests]")
        .expect_no("Launch party");
    is_called(&t, LAUNCH);
    t.press("E esc").expect_head("[Guests]");
}

#[test]
fn a_sign_in_that_ends_while_one_types_loses_nothing() {
    let school = School::launch();
    let clock = Clock::system();
    let setup = school.desk(Role::Staff).at_a_server_with(&clock, 0);
    let mut t = at_the_form(setup);
    t.type_text(" party");
    school.end_sign_ins(Role::Staff);
    clock.advance(Duration::from_secs(3700));
    t.press("ctrl-s y").expect_title("Sign in to Frontdesk");
    is_called(&t, LAUNCH);
    t.enter(PASSWORD).expect_head("Launch party");
    t.press("ctrl-s y").expect_toast("Saved Launch");
    is_called(&t, "Launch party");
}

#[test]
fn a_save_that_the_host_cannot_hear_can_be_tried_again() {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Staff).over_a_network());
    t.type_text(" party");
    t.network().go_down();
    t.press("ctrl-s y").expect_head("✗ Host not reachable");
    t.expect_head("Launch party")
        .text_snapshot("edit_host_away");
    t.network().come_back();
    t.press("ctrl-s y").expect_toast("Saved Launch");
    is_called(&t, "Launch party");
}

#[test]
fn a_save_whose_answer_is_lost_is_not_called_a_failure() {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Staff).over_a_network());
    t.type_text(" party");
    t.network().set_for("update_event", Mode::CutAfterRequest);
    t.press("ctrl-s y")
        .expect_head("Outcome unknown")
        .expect_no("failed");
    t.expect_head("Check whether it was done before you try again.")
        .expect_head("Launch party")
        .text_snapshot("edit_answer_lost");
    is_called(&t, "Launch party");
}

#[test]
fn a_guest_who_is_on_no_list_is_added_at_the_door_and_checked_in() {
    let mut t = at_the_door();
    t.search("Quentin Blake")
        .press("enter")
        .expect_banner(&["NOBODY BY THAT NAME"]);
    t.press("ctrl-a")
        .expect_path("Add a guest and check in")
        .expect_head("Quentin Blake");
    t.press("tab")
        .type_text("quentin@example.org")
        .text_snapshot("add_guest");
    t.press("ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake"])
        .expect_head("3 of 13");
    t.database().guest("Quentin Blake").is_checked_in();
    assert_eq!(t.database().here(), 3);
}

#[test]
fn a_guest_who_was_added_by_mistake_is_taken_back_as_far_as_possible() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake", "ctrl-u undoes it"]);
    // Once others have changed the guest, adding it cannot be undone.
    school.changes_guest("Quentin Blake");
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "stays on the list as “added by mistake”"]);
    assert_eq!(t.database().here(), 2);
    let mut other = school.desk(Role::Owner).at(LAUNCH);
    other
        .expect_row(row("Quentin Blake").with("✗ mistake"))
        .type_text("quentin")
        .press("ctrl-g")
        .expect_row(row("added by mistake"));
    other
        .press("esc esc")
        .type_text("ulla")
        .press("ctrl-g W")
        .expect_row(row("Ulla Lindqvist is no longer checked in"))
        .press("y")
        .expect_row(row("added by mistake"));
}

#[test]
fn a_guest_of_a_name_that_is_on_the_list_is_added_after_one_question() {
    let mut t = at_the_door();
    t.type_text("zoe  MULLER")
        .press("ctrl-a tab")
        .type_text("zoe@example")
        .press("tab")
        .type_text("12 34")
        .press("ctrl-s")
        .expect_head("must look like name@example.org")
        .expect_head("must be 7 to 15 digits");
    t.type_text(".org ")
        .press("tab")
        .type_text("(5678) 90 ")
        .press("ctrl-s")
        .expect_title("A guest of this name is on the list")
        .expect_row(row("Zoë Müller is not in yet"));
    t.text_snapshot("same_name");
    t.press("n ctrl-s")
        .expect_title("A guest of this name is on the list");
    assert_eq!(t.database().guests(), 12);
    t.press("y").expect_banner(&["CHECKED IN", "MULLER"]);
    assert_eq!(t.database().guests(), 13);
    t.type_text("zoe mull")
        .press("down ctrl-g")
        .expect_row(row("zoe@example.org"))
        .expect_row(row("1234567890"));
}

#[test]
fn a_teacher_is_told_first_that_the_role_adds_no_guests() {
    let mut t = School::launch().desk(Role::Teacher).at(LAUNCH);
    t.type_text("Quentin Blake")
        .press("ctrl-a")
        .expect_toast("Your role may not add guests")
        .expect("│ Quentin Blake");
    assert_eq!(t.database().guests(), 12);
}

#[test]
fn a_start_is_written_as_people_say_it() {
    let mut t = at_the_form(School::launch().desk(Role::Staff));
    go_to(&mut t, "Starts");
    t.expect_row(row("= Wed 12 Mar 2025 10:00 Sao Paulo"));
    replace(&mut t, "tomorrow nine");
    t.expect_row(row(
        "write it like 2026-03-12 18:30, 12 Mar 18:30 or friday 18:30",
    ));
    replace(&mut t, "tomorrow 9");
    t.expect_row(row("= Thu 13 Mar 2025 09:00 Sao Paulo"));
    t.press("ctrl-s")
        .expect_row(row("Starts: 2025-03-12 10:00 → 2025-03-13 09:00"))
        .press("n");
    go_to(&mut t, "Ends");
    replace(&mut t, "friday 22");
    t.press("ctrl-s y").expect_toast("Saved Launch");
    begins(&t, "2025-03-13 12:00:00");
}

#[test]
fn dates_and_numbers_are_in_the_reader_s_language() {
    let school = School::launch();
    let expense = json!({ "event_id": school.event_id(LAUNCH), "vendor_name": "Sound", "amount_estimated": 1250.5 });
    school.calls(
        Role::Owner,
        Host::Events,
        [("create_event_expense", expense)],
    );
    let config = Config {
        language: Some("pt".to_owned()),
        ..Config::default()
    };
    let mut t = at_the_form(school.desk(Role::Staff).config(config.clone()));
    go_to(&mut t, "Starts");
    t.expect_row(row("= qua 12 mar 2025 10:00 Sao Paulo"));
    replace(&mut t, "amanhã 22h");
    t.expect_row(row("= qui 13 mar 2025 22:00 Sao Paulo"));

    let mut t = school.desk(Role::Finance).config(config).at_home();
    t.select(LAUNCH)
        .press("o tab tab tab")
        .expect_row(selected("Sound").with("1.250,50"))
        .press("e");
    go_to(&mut t, "Amount estimated");
    t.expect_row(selected("Amount estimated").with("1250,5"));
    replace(&mut t, "2.000,75");
    t.press("ctrl-s")
        .expect_row(row("Amount estimated: 1250,5 → 2000,75"));
}

#[test]
fn a_locked_field_stays_locked_after_a_refusal() {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let task = json!({ "event_id": event, "title": "Chairs" });
    school.calls(Role::Owner, Host::Events, [("create_event_task", task)]);
    let mut t = school.desk(Role::Staff).at_home();
    t.select(LAUNCH).press("o tab tab e").expect_head("▸ Title");
    t.type_text("!");
    let sql = "delete from events.tasks where organization_id = $1";
    school.change(sql, &[&school.organization.id.0]);
    t.press("ctrl-s y").expect_row(row("Chairs · given"));
    t.expect_no("▸ Id").expect_row(selected("Title"));
}
