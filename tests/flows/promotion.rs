//! Promoting one occurrence of a series to a separate meeting.

use frontdesk_protocol::Role;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Desk, Mode, row, selected};

use crate::flows::removal::{LEADERS, OCCURRENCES, WEBHOOKS, Weekly, confirm, meetings, weekly};

/// The tool.
const PROMOTE: &str = "promote_occurrence_to_standalone";

/// The owner previews the promotion of the occurrence of this day.
fn at_promotion(school: &Weekly, date: &str) -> Desk {
    let setup = school.desk(Role::Owner);
    looking(setup, date)
}

fn looking(setup: Setup, date: &str) -> Desk {
    let mut t = setup.at_home();
    t.press("R").select(LEADERS).press("enter home");
    t.select(day(date)).press("p");
    t.expect_head(&format!("Promote {date} of Weekly leaders"));
    t
}

/// The day, as the screen of the series shows it.
fn day(date: &str) -> &str {
    match date {
        "2025-03-04" => "Tue  4 Mar",
        "2025-03-11" => "Tue 11 Mar",
        _ => "Tue 25 Mar",
    }
}

#[test]
fn an_occurrence_becomes_a_meeting_under_another_title() {
    let school = weekly();
    let before = school.count(WEBHOOKS);
    let mut t = at_promotion(&school, "2025-03-04");
    t.expect_head("1 becomes a meeting · 1 webhook fires");
    t.text_snapshot("promotion_plan");
    t.press("t").type_text("Kick-off");
    assert!(t.cannot_run("plan.apply").contains("title"));
    t.press("enter");
    t.text_snapshot("promotion_title");
    t.press("a");
    t.expect_panel(
        "Promote this occurrence?",
        "The occurrence leaves its series.",
    );
    // The title of the series is not the title of the new meeting.
    t.type_text(LEADERS).press("ctrl-y");
    t.expect_panel("Promote this occurrence?", "✗ that is not the title");
    t.press("esc");
    confirm(&mut t, "Kick-off");
    t.expect_head("✓ PROMOTED  Kick-off")
        .expect_head("1 became a meeting · 1 webhook queued");
    t.text_snapshot("promotion_done");
    assert!(
        meetings(&school)
            .contains(&"Kick-off · 2025-03-04 18:00 · tr-0304 · Ana: welcome.".to_owned())
    );
    assert_eq!(school.count(OCCURRENCES), 3);
    assert_eq!(school.count(WEBHOOKS), before + 1);
    // The series on the screen below is up to date.
    t.press("esc").expect_no(day("2025-03-04"));
}

#[test]
fn one_looks_and_leaves_and_nothing_has_happened() {
    let school = weekly();
    let before = school.count(WEBHOOKS);
    let mut t = at_promotion(&school, "2025-03-11");
    t.press("o").expect_head("[x] also keep the occurrence");
    t.press("o").expect_head("[ ] also keep the occurrence");
    t.press("a esc");
    t.press("esc").expect_row(selected(day("2025-03-11")));
    assert_eq!(meetings(&school).len(), 1);
    assert_eq!(school.count(OCCURRENCES), 4);
    assert_eq!(school.count(WEBHOOKS), before);
}

#[test]
fn text_without_an_id_is_promoted_where_the_occurrence_is_kept() {
    let school = weekly();
    school.has_text_without_id();
    let mut t = at_promotion(&school, "2025-03-11");
    t.expect_title("✗ Refused for 1 reason: nothing changes")
        .expect_row(row("Press o to also keep the occurrence in its series."))
        .expect_row(row(
            "the occurrence has transcript text but no transcript id",
        ));
    t.text_snapshot("promotion_text_without_id");
    assert!(t.cannot_run("plan.apply").contains("the host refuses"));
    t.press("o").expect_row(row("and also stays an occurrence"));
    t.text_snapshot("promotion_kept");
    confirm(&mut t, LEADERS);
    t.expect_head("✓ PROMOTED  Weekly leaders");
    assert_eq!(school.count(OCCURRENCES), 4);
    let all = meetings(&school);
    assert!(
        all.contains(&"Weekly leaders · 2025-03-11 18:00 · Ana: hm.".to_owned()),
        "{all:?}"
    );
}

#[test]
fn an_occurrence_that_is_a_meeting_already_needs_nothing() {
    let school = weekly();
    let mut t = at_promotion(&school, "2025-03-25");
    t.expect_title("= Nothing to do")
        .expect_row(selected("2025-03-25").with("= already a meeting"));
    t.text_snapshot("promotion_already_there");
    assert!(t.cannot_run("plan.apply").contains("nothing would change"));
}

#[test]
fn data_that_changes_between_looking_and_doing_changes_nothing() {
    let school = weekly();
    let mut t = at_promotion(&school, "2025-03-11");
    t.press("a").type_text(LEADERS);
    school.is_renamed("Leaders");
    t.press("ctrl-y");
    t.expect_title("! Nothing was done: the data has changed since the preview")
        .expect_row(row("≠ title: Weekly leaders before, Leaders now"));
    t.text_snapshot("promotion_changed");
    assert_eq!(meetings(&school).len(), 1);
    confirm(&mut t, "Leaders");
    t.expect_head("✓ PROMOTED  Leaders");
}

#[test]
fn an_answer_that_is_lost_is_looked_after() {
    for keeps in [false, true] {
        let school = weekly();
        let setup = school.desk(Role::Owner).over_a_network();
        let mut t = looking(setup, "2025-03-04");
        if keeps {
            t.press("o");
        }
        t.network().set_next(PROMOTE, Mode::CutAfterRequest);
        confirm(&mut t, LEADERS);
        t.expect_head("✓ PROMOTED  Weekly leaders")
            .expect_head("a check showed that it was done");
        assert_eq!(t.network().count_of(PROMOTE), if keeps { 4 } else { 3 });
        assert_eq!(meetings(&school).len(), 2);
    }
}

#[test]
fn a_teacher_sees_who_can_promote() {
    let school = weekly();
    let mut t = school.desk(Role::Teacher).at_home();
    t.press("R").select(LEADERS).press("enter");
    let why = t.cannot_run("occurrence.promote");
    assert!(why.contains("the owner and global admins"), "{why}");
}
