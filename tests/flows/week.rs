//! My week: the work of the last days, and the text for the daily meeting.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{School, row, selected};
use jiff::tz::{TimeZone, offset};
use serde_json::json;

/// A school whose fellow has done one task and works on another.
fn at_work() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for (name, status) in [
        ("Paint the sign", "done"),
        ("Write the speech", "in_progress"),
    ] {
        let task = json!({
            "name": name, "stage_id": "execution", "context": {},
            "owner_id": school.organization.fellow,
        });
        let task = owner.make(Host::Work, "create_task", task);
        let change = json!({ "id": task["id"], "status": status });
        owner.make(Host::Work, "update_task", change);
    }
    school
}

#[test]
fn my_week_shows_each_source_and_copies_the_text_for_the_daily_meeting() {
    let mut t = at_work().desk(Role::Fellow).at_home();
    t.press("w").expect_row(row("Fellow  7 days"));
    t.expect_row(row("Tasks completed ✓ 1 entry"))
        .expect_row(selected("Paint the sign").with("✓ done"))
        .expect_row(row("Tasks in progress ✓ 1 entry"))
        .expect_row(row("Write the speech").with("◐ in progress"))
        .expect_row(row("Pull requests merged ✓ 0 entries"))
        .expect_row(row("Said in daily meetings ✓ 0 entries"))
        .expect_row(row("Plans whose status changed ✓ 0 entries"));
    t.press("y").expect_toast("Copied the daily text");
    let text = "Bom dia\n\nOntem\n- Paint the sign\n\nHoje\n- Write the speech\n\nNo blockers\n";
    assert_eq!(t.copied(), [text]);
    t.press("tab")
        .expect_row(row("- Write the speech"))
        .expect_no("in progress");
    t.press("tab").select("Write the speech").press("enter");
    t.expect_head("Write the speech  task")
        .expect_row(row("◐ in progress"));
}

#[test]
fn the_days_are_chosen_from_one_to_fourteen() {
    let mut t = at_work().desk(Role::Fellow).at_home();
    t.go_to("my week");
    t.expect_row(row("Fellow  7 days"))
        .press("+")
        .expect_row(row("Fellow  8 days"));
    t.press("+ + + + + +").expect_row(row("Fellow  14 days"));
    assert!(t.cannot_run("week.more").contains("1 to 14 days"));
    t.press("- -").expect_row(row("Fellow  12 days"));
    t.press("- - - - - - - - - - -")
        .expect_row(row("Fellow  1 day,"));
    assert!(t.cannot_run("week.fewer").contains("1 to 14 days"));
}

#[test]
fn staff_choose_whose_week_it_is() {
    let mut t = at_work().desk(Role::Owner).at_home();
    // The owner's account has no member.
    t.press("w")
        .expect_row(row("your account is not linked to a member"));
    t.press("f").expect_title("Whose week?");
    t.select("Fellow").press("enter");
    t.expect_path("A week").expect_row(row("Fellow  7 days"));
    t.expect_row(selected("Paint the sign"));
    t.press("esc").expect_row(row("Signed in as"));
}

#[test]
fn a_source_that_is_cut_says_so() {
    let school = at_work();
    let mut owner = school.colleague(Role::Owner);
    for number in 1..=50 {
        let task = json!({
            "name": format!("Step {number}"), "stage_id": "execution", "context": {},
            "owner_id": school.organization.fellow, "status": "in_progress",
        });
        owner.make(Host::Work, "create_task", task);
    }
    let mut t = school.desk(Role::Fellow).at_home();
    t.press("w");
    t.expect_row(row("Tasks in progress ! the first 50, there are more"));
}

#[test]
fn rows_have_the_days_of_their_report() {
    // On a terminal far in the east, the next day has begun.
    let east = TimeZone::fixed(offset(14));
    let mut t = at_work().desk(Role::Fellow).in_zone(east).at_home();
    t.press("w").expect_row(row("Fellow  7 days"));
    let head = t.screen();
    let days = head.lines().find(|line| line.contains("7 days"));
    let last = days.and_then(|days| days.split('–').nth(1));
    let last = last.and_then(|last| last.split("  ").next());
    let last = last.expect("the last day").trim().to_owned();
    t.expect_row(selected(&last).with("Paint the sign"));
}
