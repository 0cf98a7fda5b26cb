//! Two desks, at one door and at two.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, School, at, at_the_door, row, selected};

#[test]
fn a_guest_who_is_in_is_shown_with_the_time() {
    let mut t = at_the_door();
    let came = at("2025-03-12T12:44:00Z");
    t.database().another_desk_checks_in("Zoë Müller", came);

    t.type_text("zoe")
        .expect_row(selected("Zoë Müller").with("not yet"));
    t.press("enter")
        .expect_banner(&["ALREADY CHECKED IN", "Zoë Müller", "since 09:44"]);
    t.expect_row(row("09:44 ✓ Zoë Müller"))
        .expect_head("3 of 12");
    t.database().guest("Zoë Müller").came_at(came);
    t.text_snapshot("already_in");
}

#[test]
fn who_is_known_to_be_in_is_not_checked_in_again() {
    let mut t = at_the_door();
    t.type_text("ana souza")
        .expect_row(selected("Ana Souza").with("in 09:34"));
    t.press("enter")
        .expect_banner(&["ALREADY CHECKED IN", "Ana Souza", "since 09:34"]);
    t.expect_head("2 of 12");
}

#[test]
fn a_guest_of_the_other_desk_appears_within_ten_seconds() {
    let school = School::launch();
    let mut here = school.desk(Role::Staff).at(LAUNCH);
    let mut there = school.desk(Role::Teacher).at(LAUNCH);
    there.enter("zoe").expect_banner(&["CHECKED IN"]);
    here.expect_head("2 of 12").expect_no("✓ Zoë Müller");
    here.seconds(10)
        .expect_head("3 of 12")
        .expect_row(row("✓ Zoë Müller"));

    there.press("ctrl-u").expect_banner(&["UNDONE"]);
    here.seconds(10)
        .expect_head("2 of 12")
        .expect_no("✓ Zoë Müller");
}

#[test]
fn a_guest_whom_the_other_desk_has_let_in_too_is_not_undone_without_a_question() {
    let school = School::launch();
    let mut here = school.desk(Role::Staff).at(LAUNCH);
    let mut there = school.desk(Role::Teacher).at(LAUNCH);
    here.enter("zoe")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    there
        .seconds(1)
        .enter("zoe")
        .expect_banner(&["ALREADY CHECKED IN"]);
    here.press("ctrl-u").expect_toast(
        "The check-in of Zoë Müller is not undone: the guest was also checked in elsewhere",
    );
    here.database().guest("Zoë Müller").is_checked_in();
    here.expect_head("3 of 12")
        .select("Zoë Müller")
        .run("guest.undo")
        .expect_title("Undo this check-in?")
        .press("y")
        .expect_banner(&["UNDONE", "Zoë Müller"]);
    here.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn two_desks_of_one_account_at_a_busy_door_stay_below_the_rate_limit() {
    let school = School::new().with_crowd("Concert", 150);
    let setup = school.desk(Role::Staff).over_a_network();
    let mut here = setup.clone().at("Concert");
    let mut there = setup.at("Concert");
    let before = there.network().count();
    for guest in 1..=12 {
        here.enter(&format!("guest {guest:04}"));
        here.seconds(5);
        there.seconds(5);
    }
    there.seconds(10).expect_head("12 of 150");
    assert_eq!(there.database().here(), 12);
    let requests = there.network().count() - before;
    assert!(requests < 100, "{requests} requests in a minute");
}

#[test]
fn a_guest_of_another_event_is_not_undone_here() {
    let school = School::launch().with_event("Dinner");
    school.add_guests("Dinner", &["Quentin Blake"]);
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.press("ctrl-q")
        .open_desk("Dinner")
        .expect_title("1 on this desk ✓");
    t.cannot_run("guest.undo");
    t.database().guest("Zoë Müller").is_checked_in();

    t.press("ctrl-q up up")
        .open_desk(LAUNCH)
        .press("ctrl-u")
        .expect_banner(&["UNDONE", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_name_and_a_tag_that_the_office_changes_reach_the_open_desk() {
    let mut t = at_the_door();
    t.expect_row(row("Zoë Müller"));
    t.database().change(
        "update events.guests set name = 'Zoë Meier', tags = '{\"blocked\": \"unpaid\"}' \
         where organization_id = $1 and name = 'Zoë Müller'",
        &[&t.database().organization.id.0],
    );
    t.seconds(10).expect_row(row("Zoë Meier"));
    t.enter("meier")
        .expect_banner(&["BLOCKED", "Zoë Meier", "unpaid"]);
}
