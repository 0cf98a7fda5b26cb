//! Codes: a guest's id, from a scanner that pastes it or types it.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, Mode, School, at_a_shaky_door, at_the_door};

#[test]
fn a_scanned_code_checks_in_at_once() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.paste(&format!("{}\r\n", zoe.id));
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect("3 of 12");
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn a_code_that_the_scanner_types_counts_with_its_enter() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.type_text(&zoe.id.to_string());
    zoe.is_not_checked_in();
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_checked_in();
    t.expect("12 guests");
}

#[test]
fn a_code_replaces_what_was_typed() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.type_text("ul").paste(&zoe.id.to_string());
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect("12 guests");
    t.database().guest("Ulla Lindqvist").is_not_checked_in();
}

#[test]
fn the_same_code_twice_checks_in_once() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.paste(&zoe.id.to_string());
    let first = t.database().guest("Zoë Müller").check_in_at.expect("is in");
    t.paste(&zoe.id.to_string());
    t.expect_banner(&["ALREADY CHECKED IN", "Zoë Müller"])
        .expect("3 of 12");
    t.database().guest("Zoë Müller").came_at(first);
}

#[test]
fn an_unknown_code_is_refused_in_large_letters() {
    let mut t = at_the_door();
    t.paste("0190a1b2-0000-7000-8000-00000000ffff");
    t.expect_banner(&[
        "✗ NOT CHECKED IN",
        "this code is of no guest that you can see",
    ]);
    assert_eq!(t.database().here(), 2);
    t.snapshot("unknown_code");
    t.type_text("z").expect_no("NOT CHECKED IN");
}

#[test]
fn a_code_of_another_event_is_refused() {
    let school = School::launch().with_event("Dinner");
    let quentin = school.add_guests("Dinner", &["Quentin Blake"])[0];
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.paste(&quentin.to_string());
    t.expect_banner(&[
        "✗ NOT CHECKED IN",
        "this code is for a guest of another event",
    ]);
    t.database().guest("Quentin Blake").is_not_checked_in();
}

#[test]
fn a_code_of_somebody_who_was_added_a_moment_ago_is_known() {
    let mut t = at_the_door();
    let quentin = t.database().add_guests(LAUNCH, &["Quentin Blake"])[0];
    t.paste(&quentin.to_string());
    t.expect_banner(&["CHECKED IN", "Quentin Blake"]);
    t.database().guest("Quentin Blake").is_checked_in();
}

#[test]
fn a_code_that_nobody_has_while_the_host_is_away_says_so() {
    let mut t = at_a_shaky_door();
    t.network().set(Mode::status(502, "bad gateway"));
    t.paste("0190a1b2-0000-7000-8000-00000000ffff");
    t.expect_banner(&["✗ NOT CHECKED IN", "the host cannot be asked now"]);
    assert_eq!(t.waiting(), 0);
    assert!(t.on_disk().is_empty());
}
