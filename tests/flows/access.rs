//! The check-in desk for roles with fewer rights.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, School, at_the_door, row, selected};

#[test]
fn a_teacher_checks_in_and_undoes() {
    let mut t = School::launch().desk(Role::Teacher).at(LAUNCH);
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_checked_in();
    t.press("ctrl-u").expect_banner(&["UNDONE"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn finance_sees_the_guests_and_is_refused() {
    let mut t = School::launch().desk(Role::Finance).at(LAUNCH);
    t.enter("zoe");
    t.expect_banner(&["✗ NOT CHECKED IN", "Zoë Müller", "Not permitted"])
        .expect_head("2 of 12");
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert!(t.on_disk().is_empty(), "a refusal must not wait");
    t.text_snapshot("refused");
    t.type_text("ulla").expect_row(selected("Ulla Lindqvist"));
}

#[test]
fn a_fellow_sees_only_themselves_and_is_refused() {
    let school = School::launch();
    school.add_fellow(LAUNCH);
    let mut t = school.desk(Role::Fellow).at(LAUNCH);
    t.expect_title("1 on this desk ✓")
        .expect_head("0 of 1")
        .expect_no("Zoë");
    t.enter("fellow")
        .expect_banner(&["✗ NOT CHECKED IN", "Fellow"]);
    t.database().guest("Fellow").is_not_checked_in();

    let zoe = t.database().guest("Zoë Müller");
    t.paste(&zoe.id.to_string());
    t.expect_banner(&["✗ UNKNOWN TICKET", "no guest you can see"]);
}

#[test]
fn a_fellow_who_is_no_guest_sees_an_empty_list() {
    let mut t = School::launch().desk(Role::Fellow).at(LAUNCH);
    t.expect_row(row("This event has no guests that you can see."));
    t.text_snapshot("no_guests");
}

#[test]
fn automation_sees_no_event() {
    let mut t = School::launch().desk(Role::Automation).at_home();
    t.expect_row(row("no upcoming events")).expect_no("tasks");
    t.text_snapshot("home_nothing");
    assert!(
        t.cannot_run("home.check_in")
            .contains("there is no event to select")
    );
}

#[test]
fn staff_of_another_organisation_sees_nothing_of_this_one() {
    let school = School::launch();
    let other = School::launch().with_event("Reception");
    let mut t = other.desk(Role::Staff).at("Reception");
    let zoe = school.guest("Zoë Müller");
    t.expect_head("0 of 0").paste(&zoe.id.to_string());
    t.expect_banner(&["✗ UNKNOWN TICKET", "no guest you can see"]);
    assert_eq!(t.waiting(), 0);
}

#[test]
fn a_role_that_is_taken_away_counts_from_the_next_key() {
    let mut t = at_the_door();
    t.database().take_role(Role::Staff);
    t.enter("zoe")
        .expect_banner(&["✗ NOT CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert_eq!(t.waiting(), 0);
}
