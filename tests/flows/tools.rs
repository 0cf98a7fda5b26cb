//! Any tool of any host: found, filled in, called, and its answer read.

use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, Proxy, desk, row, run, selected, world};
use uuid::Uuid;

use crate::launch::{LAUNCH, launch, school};
use crate::removal::{arrange, meetings, weekly};

/// At the list of tools.
async fn at_the_tools(setup: Setup) -> Desk {
    let mut t = setup.at_home().await;
    t.press("t").await.expect("› Tools");
    t
}

#[test]
fn a_tool_is_found_by_its_name_and_by_what_it_does() {
    run(async {
        let organization = school().await;
        let mut t = at_the_tools(desk(&organization).signed_in_as(Role::Owner)).await;
        t.expect("Staff management · 14 tools")
            .expect_row(selected("list_students"));
        t.snapshot("tools").await;
        t.type_text("merge").await;
        t.expect_row(selected("work merge_meetings"))
            .expect("may remove")
            .expect("merge_meetings(");
        t.press("tab")
            .await
            .expect("Schema of merge_meetings")
            .expect("\"canonical_meeting_id\"");
        t.press("esc esc")
            .await
            .expect("Staff management · 14 tools");
        // Some letters of the name are enough, and the case does not matter.
        t.type_text("CHKGUEST").await;
        t.expect_row(selected("events check_in_guest"));
        t.type_text("!").await.expect("No tool is called");
    });
}

#[test]
fn a_teacher_is_offered_less() {
    run(async {
        let organization = school().await;
        let setup = desk(&organization).signed_in_as(Role::Teacher);
        let mut t = at_the_tools(setup).await;
        t.expect_no("delete_member")
            .snapshot("tools_of_a_teacher")
            .await;
    });
}

#[test]
fn a_host_that_is_away_says_so_and_the_others_are_there() {
    run(async {
        let organization = school().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Owner)
            .over(proxy.url());
        let mut t = setup.at_home().await;
        proxy.go_down().await;
        t.press("t").await.expect("✗ not reachable");
        t.expect("ctrl-r tries again").snapshot("tools_away").await;
        proxy.come_back();
        t.press("ctrl-r")
            .await
            .expect("Staff management · 14 tools");
        t.expect_row(selected("list_students"));
    });
}

/// At the form of a tool.
pub(crate) async fn at_the_form(setup: Setup, tool: &str) -> Desk {
    let mut t = at_the_tools(setup).await;
    t.type_text(tool).await.press("enter").await;
    t.expect(&format!("› {tool}"));
    t
}

#[test]
fn a_tool_that_lists_answers_with_a_table() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "list_events").await;
        t.snapshot("tool_form").await;
        // A number is checked as it is typed, and what is left out is not sent.
        t.press("tab tab").await;
        t.type_text("0").await.expect("✗ must be at least 1");
        t.press("backspace").await.type_text("5").await;
        t.expect_no("✗").press("ctrl-s").await;
        t.expect_row(selected(LAUNCH)).snapshot("tool_table").await;
        t.press("y Y")
            .await
            .expect_toast("Copied as JSON, if your terminal lets programs copy")
            .expect_toast("Copied as a command line, if your terminal lets programs copy");
        let [json, command] = t.copied() else {
            panic!("two things are copied: {:?}", t.copied());
        };
        assert!(json.contains(LAUNCH), "{json}");
        assert_eq!(command, "frontdesk call events list_events limit:=5");
        t.press("enter").await.expect("one record");
        t.snapshot("tool_card").await;
        // The form is as it was.
        t.press("esc esc")
            .await
            .expect_row(selected("Limit").with("5"));
        // The tool was called with it: there is nothing to throw away.
        t.press("esc").await.expect("About it");
    });
}

#[test]
fn a_tool_that_was_seen_is_a_command_of_the_palette() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Teacher);
        let mut t = at_the_tools(setup).await;
        t.press("esc :").await;
        t.type_text("events check_in_guest").await;
        t.expect_row(selected("events check_in_guest").with("writes"))
            .snapshot("tool_in_palette")
            .await;
        t.press("enter").await.expect("› check_in_guest");
        // What is not offered is not there.
        t.press("esc :").await;
        t.type_text("remove_meeting_series").await;
        t.expect_no("work remove_meeting_series");
    });
}

#[test]
fn what_the_host_refuses_stands_at_the_field() {
    run(async {
        let (organization, _) = launch().await;
        let setup = desk(&organization).signed_in_as(Role::Staff);
        let mut t = at_the_form(setup, "check_in_guest").await;
        t.type_text("no-id").await.expect("✗ must be an id");
        t.press("ctrl-s").await.expect("› check_in_guest");
        t.press("ctrl-u").await;
        t.type_text("00000000-0000-7000-8000-00000000dead").await;
        t.expect_no("✗").press("ctrl-s").await;
        t.expect_row(selected("Id").with("dead"))
            .expect("✗ ")
            .snapshot("tool_refused")
            .await;
    });
}

#[test]
fn a_dry_run_comes_first_and_only_what_it_showed_is_done() {
    run(async {
        let school = weekly().await;
        let setup = desk(&school.organization).signed_in_as(Role::Owner);
        let mut t = at_the_form(setup, "remove_meeting_series").await;
        t.expect("previews, and changes nothing");
        for _ in 0..4 {
            if !t.screen().contains("▸ Series meeting id") {
                t.press("tab").await;
            }
        }
        t.type_text(&school.series.to_string()).await;
        t.press("ctrl-s")
            .await
            .expect("not done yet: a does this, or nothing")
            .expect_row(selected("2025-03-04"))
            .expect_row(row("2025-03-11").with("discard_empty"));
        let before = meetings(&school.organization).await;
        // Somebody changes an occurrence meanwhile: what was shown is not what would be done.
        arrange(
            "update work.meeting_occurrences set transcript = null, transcriber_transcript_id = null \
             where id = $1",
            school.occurrences[0].0,
        )
        .await;
        t.press("a").await.expect("Apply remove_meeting_series?");
        t.press("enter").await.expect("type the name first");
        t.type_text("remove_meeting_series").await;
        t.press("ctrl-y")
            .await
            .expect("! Nothing was done: the data has changed since you looked")
            .expect("≠ occurrences");
        assert_eq!(meetings(&school.organization).await, before);
        // It was previewed again; that is done.
        t.press("a").await;
        t.type_text("remove_meeting_series").await;
        t.press("ctrl-y").await.expect("✓ done");
        t.expect_toast("Done: remove_meeting_series");
        assert_ne!(meetings(&school.organization).await, before);
    });
}

#[test]
fn an_answer_that_was_lost_is_not_called_a_failure() {
    run(async {
        let (organization, _) = launch().await;
        let proxy = Proxy::before(&world().url()).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(proxy.url());
        let mut t = at_the_form(setup, "check_in_guest").await;
        t.type_text(&Uuid::now_v7().to_string()).await;
        proxy.set_for("check_in_guest", Mode::CutAfterRequest);
        t.press("ctrl-s")
            .await
            .expect("Not known whether it was done")
            .expect("Look whether it was done before you try again");
        // What was typed is still there.
        proxy.set_for("check_in_guest", Mode::Pass);
        t.press("ctrl-s").await.expect_no("Not known");
    });
}
