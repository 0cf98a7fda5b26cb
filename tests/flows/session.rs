//! Tokens that expire while somebody works.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{LAUNCH, School, row, selected};

/// Longer than an access token lives.
const LONG: Duration = Duration::from_secs(3700);

#[test]
fn a_token_that_ends_is_renewed_without_a_word() {
    let clock = Clock::system();
    let setup = School::launch().desk(Role::Staff);
    let mut t = setup
        .at_a_server_with(&clock, 0)
        .over_a_network()
        .at(LAUNCH);
    t.type_text("zoe");
    clock.advance(LONG);
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    assert_eq!(
        t.network().count_of("/events/auth/refresh"),
        1,
        "{:?}",
        t.network().requests()
    );
    t.database().guest("Zoë Müller").is_checked_in();
    clock.advance(LONG);
    t.seconds(10).expect_head("3 of 12").expect_no("✗");
    assert_eq!(
        t.network().count_of("/events/auth/refresh"),
        2,
        "{:?}",
        t.network().requests()
    );
}

#[test]
fn a_sign_in_that_has_ended_asks_for_the_password_and_loses_nothing() {
    let clock = Clock::system();
    let setup = School::launch().desk(Role::Staff);
    let mut t = setup.at_a_server_with(&clock, 0).at(LAUNCH);
    t.type_text("zoe");
    t.database().end_sign_ins(Role::Staff);
    clock.advance(LONG);
    t.seconds(10)
        .expect_title("Sign in to Frontdesk")
        .expect_path("✗ signed out");
    t.expect_row(row("Nothing that you typed is lost."));
    t.expect_panel("Sign in to Frontdesk", &t.database().email(Role::Staff));
    t.text_snapshot("signed_out");

    t.enter("wrong");
    t.expect_row(row("Address or password is wrong. Try again."));
    t.enter(PASSWORD).expect_no("Sign in to Frontdesk");
    t.expect("│ zoe ")
        .expect_row(selected("Zoë Müller"))
        .expect_head("2 of 12");
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn a_check_in_at_the_moment_of_the_end_waits_for_the_sign_in() {
    let clock = Clock::system();
    let setup = School::launch().desk(Role::Staff);
    let mut t = setup.at_a_server_with(&clock, 0).at(LAUNCH);
    t.database().end_sign_ins(Role::Staff);
    clock.advance(LONG);
    let pressed = t.now();
    t.enter("zoe").expect_title("Sign in to Frontdesk");
    assert_eq!(t.waiting(), 1);
    assert_eq!(t.on_disk().len(), 1);
    t.database().guest("Zoë Müller").is_not_checked_in();

    t.seconds(60).enter(PASSWORD);
    t.expect_toast("1 waiting check-in delivered")
        .expect_head("3 of 12");
    t.expect_row(row("09:45 ✓ Zoë Müller"));
    t.database().guest("Zoë Müller").came_at(pressed);
    assert!(t.on_disk().is_empty());
}

#[test]
fn work_without_a_sign_in_waits() {
    let clock = Clock::system();
    let setup = School::launch().desk(Role::Staff);
    let mut t = setup.at_a_server_with(&clock, 0).at(LAUNCH);
    t.database().end_sign_ins(Role::Staff);
    clock.advance(LONG);
    t.seconds(10)
        .expect_title("Sign in to Frontdesk")
        .press("esc");
    t.expect_no("Sign in to Frontdesk")
        .expect_path("✗ signed out");
    let pressed = t.now();
    t.enter("zoe").expect_banner(&["WAITING", "Zoë Müller"]);
    t.text_snapshot("signed_out_waiting");
    t.press("f2").expect_title("Sign in to Frontdesk");
    let email = t.database().email(Role::Staff);
    t.enter(&email);
    t.enter(PASSWORD);
    t.expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(pressed);
}
