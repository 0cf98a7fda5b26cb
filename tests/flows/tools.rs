//! Any tool of any host: found, filled in, called, and its answer read.

use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Proxy, desk, run, selected, world};

use crate::launch::school;

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
        t.expect("Work · 6 tools")
            .expect("Events · 24 tools")
            .expect_row(selected("list_meeting_series"));
        t.snapshot("tools").await;
        t.type_text("merge").await;
        t.expect_row(selected("work merge_meetings"))
            .expect("may remove")
            .expect("merge_meetings(");
        t.press("tab")
            .await
            .expect("Schema of merge_meetings")
            .expect("\"canonical_meeting_id\"");
        t.press("esc esc").await.expect("Events · 24 tools");
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
        t.expect_no("remove_meeting_series")
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
        t.press("ctrl-r").await.expect("Events · 24 tools");
        t.expect_row(selected("list_meeting_series"));
    });
}
