//! Forms of tools: an update that begins with the record, presets, and the user's editor.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Desk, LAUNCH, School, row, selected};
use serde_json::json;

use crate::flows::tools::at_the_form;

/// Moves on to this field.
pub(crate) fn go_to(t: &mut Desk, label: &str) {
    for _ in 0..20 {
        if t.screen().contains(&format!("▸ {label}")) {
            return;
        }
        t.press("tab");
    }
    panic!("there is no field {label}");
}

#[test]
fn an_update_begins_with_the_record_and_sends_what_was_changed() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "update_event");
    t.press("enter enter").expect_head("Launch as of 09:45");
    t.expect_head("Main hall")
        .expect_head("Only changes are sent");
    t.text_snapshot("update_loaded");
    go_to(&mut t, "Location");
    t.press("ctrl-u").type_text("Garden");
    t.expect_head("1 changed: Launch")
        .expect_row(row("was Main hall"));
    t.text_snapshot("update_changed");
    t.press("ctrl-y");
    t.expect_toast("Copied as a command line");
    let command = t.copied().last().cloned().unwrap_or_default();
    let event = t.database().event_id(LAUNCH);
    let sent = format!("frontdesk call events update_event id={event} location=Garden");
    assert_eq!(command, sent);
    t.press("ctrl-s")
        .expect_panel("Send these changes?", "Location: Main hall → Garden")
        .press("y")
        .expect_head("Garden");
    // The form goes on from there.
    t.press("esc").expect_head("Only changes are sent");
}

#[test]
fn an_update_without_a_tool_that_gets_the_record_begins_with_its_row_of_the_list() {
    let school = School::launch();
    let event = school.event_id(LAUNCH);
    let task = json!({ "event_id": event, "title": "Chairs", "due_date": "2025-03-14" });
    school.calls(Role::Owner, Host::Events, [("create_event_task", task)]);
    let mut t = at_the_form(school.desk(Role::Staff), "update_event_task");
    t.press("enter enter enter")
        .expect_head("Chairs as of 09:45")
        .expect_head("2025-03-14");
}

/// Opens the form of the event on the list, and types another place.
fn type_a_place(t: &mut Desk) {
    t.press("e e").expect_head("Edit Launch");
    go_to(t, "Location");
    t.press("ctrl-u").type_text("Garden");
}

#[test]
fn what_was_typed_is_there_after_a_crash_until_it_is_sent() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).at_home();
    type_a_place(&mut t);
    t.seconds(1);
    let mut t = t.crash().at_home();
    t.press("e e")
        .expect_toast("What you typed here today 09:45 was not sent: ctrl-r fills it in");
    t.press("ctrl-r").expect("(not sent) location=Garden");
    t.press("enter")
        .expect_row(row("Location ●").with("Garden"));
    t.press("ctrl-s y").expect_toast("Saved Launch");
    // Another form of the same tool has none, and this one no longer.
    t.press("e")
        .expect_head("Edit Launch")
        .expect_no("not sent");
}

#[test]
fn what_was_typed_is_kept_when_the_app_ends_and_not_when_it_is_discarded() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    type_a_place(&mut t);
    t.press("ctrl-c");
    assert!(t.is_over());
    let mut t = t.crash().at_home();
    t.press("e e")
        .expect_toast("was not sent: ctrl-r fills it in");
    t.press("ctrl-r enter").expect_row(row("Garden"));
    t.press("esc y e")
        .expect_head("Edit Launch")
        .expect_no("not sent");
}

#[test]
fn what_was_tried_is_still_to_be_sent() {
    let setup = School::launch().desk(Role::Owner);
    let mut t = at_the_form(setup, "create_meeting_series");
    t.type_text("Guild").press("tab").type_text("2025-03-20");
    t.press("tab").type_text("10h").press("tab");
    t.type_text("11:00")
        .press("ctrl-s")
        .expect_path("› Preview");
    let mut t = at_the_form(t.crash(), "create_meeting_series");
    t.expect_toast("was not sent: ctrl-r fills it in");
    t.press("ctrl-r enter ctrl-s a").expect_head("✓ done");
    let mut t = at_the_form(t.crash(), "create_meeting_series");
    t.expect_no("not sent");
}

#[test]
fn what_was_typed_is_kept_on_the_way_home_until_its_account_signs_out() {
    let mut t = School::launch().desk(Role::Staff).at_home();
    type_a_place(&mut t);
    t.press("alt-h")
        .expect_toast("Kept what you typed")
        .expect_row(row("Today and coming up"));
    t.press("e e")
        .expect_toast("was not sent: ctrl-r fills it in");
    t.press("alt-h").run("session.sign_out").press("y");
    let email = t.database().email(Role::Staff);
    t.type_text(&email).press("tab");
    t.enter(PASSWORD);
    t.press("e e")
        .expect_head("Edit Launch")
        .expect_no("not sent");
}

#[test]
fn arguments_that_were_kept_are_there_the_next_time() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "list_events");
    go_to(&mut t, "Limit");
    t.type_text("5").press("ctrl-b");
    t.expect_title("Save as a preset").type_text("only a few");
    t.text_snapshot("preset_name");
    t.press("enter").expect_toast("Saved preset “only a few”");
    // The next day.
    let setup = t.crash();
    let mut t = at_the_form(setup, "list_events");
    t.expect_head("ctrl-r 1 preset").press("ctrl-p");
    t.type_text("few").expect_row(selected("only a few"));
    t.text_snapshot("presets");
    t.press("enter");
    go_to(&mut t, "Limit");
    t.expect_row(selected("Limit").with("5"));
    t.press("ctrl-p ctrl-d").expect_title("Delete this preset?");
    t.press("n ctrl-d y")
        .expect_toast("Deleted preset “only a few”");
    t.expect_no("★");
}

#[test]
fn presets_that_cannot_be_read_are_put_aside_and_told_of() {
    let school = School::launch();
    let setup = school.desk(Role::Staff);
    let file = setup.directory().join("presets.json");
    std::fs::write(&file, "{ half").expect("is written");
    let mut t = at_the_form(setup, "list_events");
    t.expect_toast("The presets could not be read");
    let aside = std::fs::read_to_string(file.with_extension("damaged.json"));
    assert_eq!(aside.expect("is there"), "{ half");
    t.press("ctrl-b").enter("new");
    t.expect_toast("Saved preset “new”");
}

#[cfg(unix)]
#[test]
fn a_long_text_is_written_in_an_editor_of_ones_own() {
    let school = School::launch();
    let script = "printf \"# Programme\\n\\n- Doors open\\n- Talks\\n\" >>\"$1\"";
    let mut t = at_the_form(
        school
            .desk(Role::Staff)
            .editor(format!("sh -c '{script}' editor")),
        "create_event",
    );
    go_to(&mut t, "Description");
    t.expect_row(row("ctrl-e opens your editor"))
        .press("ctrl-e");
    t.expect_head("# Programme")
        .expect_head("- Talks")
        .text_snapshot("editor");
}

#[test]
fn without_an_editor_one_is_told_which_variable_names_it() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "create_event");
    go_to(&mut t, "Description");
    t.expect_no("ctrl-e").press("ctrl-e");
    t.expect_toast("Neither $VISUAL nor $EDITOR names an editor");
}
