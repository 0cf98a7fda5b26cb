//! Any tool of any host: found, filled in, called, and its answer read.

use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, LAUNCH, Mode, School, row, selected};

use crate::flows::removal::{meetings, weekly};

/// Opens the list of tools.
fn at_the_tools(setup: Setup) -> Desk {
    let mut t = setup.at_home();
    t.press("t").expect_path("› Tools");
    t
}

#[test]
fn a_tool_is_found_by_its_name_and_its_description() {
    let school = School::new();
    let mut t = at_the_tools(school.desk(Role::Owner));
    t.expect_row(row("Staff management · "))
        .expect_row(selected("list_students"));
    t.text_snapshot("tools");
    t.press("/").type_text("skeleton");
    t.expect_row(selected("work merge_meetings"))
        .expect_row(row("may delete"))
        .expect_row(row("merge_meetings("));
    t.press("tab")
        .expect_title("Schema of merge_meetings")
        .expect_row(row("\"canonical_meeting_id\""));
    // Letters do not search while the schema is shown.
    t.press("j j esc")
        .expect_row(selected("work merge_meetings"));
    t.press("esc").expect_row(row("Staff management · "));
    // Some letters of the name are enough, in any case.
    t.press("/").type_text("CHKGUEST");
    t.expect_row(selected("events check_in_guest"));
    t.type_text("!").expect_row(row("No matching tool"));
}

#[test]
fn a_teacher_is_offered_less() {
    let school = School::new();
    let setup = school.desk(Role::Teacher);
    let mut t = at_the_tools(setup);
    t.expect_no("delete_member")
        .text_snapshot("tools_of_a_teacher");
}

#[test]
fn a_host_that_is_away_says_so_and_the_others_are_there() {
    let school = School::new();
    let mut t = school.desk(Role::Owner).over_a_network().at_home();
    t.network().go_down();
    t.press("t").expect_row(row("✗ not reachable"));
    t.expect_row(row("r tries again"))
        .text_snapshot("tools_away");
    t.network().come_back();
    t.press("ctrl-r").expect_row(row("Staff management · "));
    t.expect_row(selected("list_students"));
}

/// Opens the form of a tool.
pub(crate) fn at_the_form(setup: Setup, tool: &str) -> Desk {
    let mut t = at_the_tools(setup);
    t.press("/").enter(tool);
    t.expect_path(&format!("› {tool}"));
    t
}

#[test]
fn a_tool_that_lists_answers_with_a_table() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "list_events");
    t.text_snapshot("tool_form");
    // A number is checked as it is typed, and an empty field is not sent.
    t.press("tab tab");
    t.type_text("0").expect_head("✗ must be at least 1");
    t.press("backspace").type_text("5");
    t.expect_no("✗").press("ctrl-s");
    t.expect_row(selected(LAUNCH)).text_snapshot("tool_table");
    t.press("y Y")
        .expect_toast("Copied as JSON, if your terminal lets programs copy")
        .expect_toast("Copied as a command line, if your terminal lets programs copy");
    let [json, command] = t.copied() else {
        panic!("two things are copied: {:?}", t.copied());
    };
    assert!(json.contains(LAUNCH), "{json}");
    assert_eq!(command, "frontdesk call events list_events limit:=5");
    t.press("enter").expect_head("one record");
    t.text_snapshot("tool_card");
    // The form still has its values.
    t.press("esc esc").expect_row(selected("Limit").with("5"));
    // The tool was called with it: there is nothing to discard.
    t.press("esc").expect_title("Details");
}

#[test]
fn a_tool_that_was_seen_is_a_command_of_the_palette() {
    let school = School::launch();
    let setup = school.desk(Role::Teacher);
    let mut t = at_the_tools(setup);
    t.press("esc :");
    t.type_text("events check_in_guest");
    t.expect_row(selected("check_in_guest (events)").with("writes"))
        .text_snapshot("tool_in_palette");
    t.press("enter").expect_path("› check_in_guest");
    // Tools that are not offered are not listed.
    t.press("esc :");
    t.type_text("remove_meeting_series");
    t.expect_no("remove_meeting_series (work)");
}

#[test]
fn the_host_s_refusal_is_shown_at_the_field() {
    let mut t = at_the_form(School::launch().desk(Role::Staff), "check_in_guest");
    t.type_text("no-id").expect_head("✗ must be an id");
    t.press("ctrl-s").expect_path("› check_in_guest");
    t.press("ctrl-u");
    t.type_text("00000000-0000-7000-8000-00000000dead");
    t.expect_no("✗").press("ctrl-s");
    t.expect_row(selected("Id").with("dead"))
        .expect_head("✗ ")
        .text_snapshot("tool_refused");
}

#[test]
fn only_the_previewed_plan_is_applied() {
    let school = weekly();
    let mut t = at_the_form(school.desk(Role::Owner), "remove_meeting_series");
    t.expect("ctrl-s dry run");
    for _ in 0..4 {
        if !t.screen().contains("▸ Series meeting") {
            t.press("tab");
        }
    }
    t.type_text(&school.series.to_string());
    t.press("ctrl-s")
        .expect_row(row("not applied yet: a applies exactly this"))
        .expect_row(selected("promote").with("4 Mar"))
        .expect_row(row("discard empty").with("11 Mar"));
    let before = meetings(&school);
    // Somebody changes an occurrence meanwhile: the preview is out of date.
    school.loses_a_transcript();
    t.press("a").expect_title("Apply remove_meeting_series?");
    t.press("enter").expect_row(row("type the name first"));
    t.type_text("remove_meeting_series");
    t.press("ctrl-y")
        .expect_row(row(
            "! Nothing was done: the data has changed since the preview",
        ))
        .expect_row(row("≠ occurrences"));
    assert_eq!(meetings(&school), before);
    // The new preview is applied.
    t.press("a");
    t.type_text("remove_meeting_series");
    t.press("ctrl-y").expect_row(row("✓ done"));
    t.expect_toast("Done: remove_meeting_series");
    assert_ne!(meetings(&school), before);
}

#[test]
fn a_write_whose_answer_is_lost_is_no_failure_and_made_once() {
    let school = School::launch();
    let mut t = at_the_form(school.desk(Role::Owner).over_a_network(), "create_project");
    t.type_text("Museum");
    t.network()
        .set_next("create_project", Mode::CutAfterRequest);
    t.press("ctrl-s")
        .expect_head("Outcome unknown")
        .expect_head("Check whether it was done before you try again");
    // The typed text is still there, and the host knows the call.
    t.press("ctrl-s").expect_no("Outcome unknown");
    assert_eq!(school.count("work.projects where true"), 1);
    // A host that lost its database before the change was confirmed is asked again.
    t.press("esc ctrl-u").type_text("Library");
    t.network().set_next("create_project", Mode::Unconfirmed);
    t.press("ctrl-s").expect_no("Outcome unknown");
    assert_eq!(school.count("work.projects where true"), 2);
}

#[test]
fn a_write_of_which_nobody_knows_is_made_once_from_another_form_and_after_a_restart() {
    let school = School::launch();
    let form = |setup: Setup| {
        let mut t = at_the_form(setup.over_a_network(), "create_project");
        t.type_text("Museum");
        t
    };
    let mut t = form(school.desk(Role::Owner));
    let lost = |t: &mut Desk| {
        t.network()
            .set_next("create_project", Mode::CutAfterRequest);
        t.press("ctrl-s").expect_head("Outcome unknown");
    };
    lost(&mut t);
    // Another form.
    t.press("esc").expect_title("Discard changes?");
    t.press("y enter").expect_head("create_project");
    t.type_text("Museum");
    lost(&mut t);
    // That another attempt fails says nothing of the first.
    let refused = Mode::Status(400, Vec::new(), "{}".to_owned());
    t.network().set_next("create_project", refused);
    t.press("ctrl-s").expect_no("Outcome unknown");
    // Another run of the app.
    let directory = t.directory().to_owned();
    let mut t = form(school.desk(Role::Owner).in_directory(&directory));
    t.seconds(60).press("ctrl-s").expect_no("Outcome unknown");
    assert_eq!(school.count("work.projects where true"), 1);
    // The outcome is known: who enters the same again means another one.
    t.press("esc ctrl-u").type_text("Museum");
    t.press("ctrl-s").expect_no("Outcome unknown");
    assert_eq!(school.count("work.projects where true"), 2);
}

#[test]
fn enter_without_a_match_leaves_the_palette_open() {
    let school = School::new();
    let mut t = school.desk(Role::Staff).at_home();
    t.press(":").type_text("no such thing at all");
    t.press("enter").expect_title("What do you want to do?");
    t.press("ctrl-u").type_text("list_guests");
    t.press("esc").expect_no("What do you want to do?");
}

#[test]
fn a_tool_without_arguments_is_called_at_once() {
    let mut t = at_the_tools(School::new().desk(Role::Staff));
    t.press("/").enter("get_context");
    t.expect_row(row("Time zone").with("America/Sao_Paulo"))
        .expect_no("No arguments");
    t.press("esc").expect_path("› Tools");
}

#[test]
fn a_write_that_is_to_stop_says_what_became_of_it() {
    let school = School::new();
    let mut t = at_the_form(school.desk(Role::Owner).over_a_network(), "create_cohort");
    t.network().set_next("create_cohort", Mode::Hold);
    // The host is not told: it makes the cohort, as if told too late.
    let told = Mode::Status(202, Vec::new(), String::new());
    t.network().set_next("notifications/cancelled", told);
    t.type_text("Autumn").press_at_once("ctrl-s");
    t.reaches("create_cohort").expect_row(row("esc stops it"));
    t.press_at_once("esc").reaches("notifications/cancelled");
    t.expect_row(row("stopping")).expect_no("esc stops it");
    t.network().release();
    t.settle().expect_head("✓ answered");
}

#[test]
fn the_app_is_not_left_while_a_call_has_no_answer() {
    let school = School::new();
    let mut t = at_the_form(school.desk(Role::Owner).over_a_network(), "create_cohort");
    t.network().set_for("create_cohort", Mode::Hold);
    t.type_text("Autumn").press_at_once("ctrl-s");
    t.reaches("create_cohort").press_at_once("esc");
    t.settle_but(1).press_at_once("esc");
    t.settle_but(1).press_at_once("y").settle_but(1);
    t.press_at_once("esc q").settle_but(1).expect_path("› Home");
    t.press_at_once("q").settle_but(1);
    t.expect_row(row("create_cohort has no answer yet"));
    assert!(!t.is_over());
    t.press_at_once("n");
    t.network().release();
    t.settle().press_at_once("q");
    assert!(t.is_over());
}
