//! A desk with a wrong clock records the hosts' time.

use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, LAUNCH, NOW, School};
use jiff::{SignedDuration, Timestamp};

/// A desk whose clock is this far behind the hosts' clock.
fn behind(by: SignedDuration) -> Desk {
    let setup = School::launch().desk(Role::Staff).over_a_network();
    setup.network().put_clock_ahead(by);
    setup.at(LAUNCH)
}

/// The clocks are compared by answers, which take time: none took longer than everything since `began`.
fn came_about(t: &Desk, guest: &str, after: SignedDuration, began: Timestamp) {
    let came = t.database().guest(guest).check_in_at.expect("is in");
    let difference = came.duration_since(NOW + after).abs();
    let precision = Timestamp::now().duration_since(began) + SignedDuration::from_secs(1);
    assert!(difference <= precision, "{came}");
}

#[test]
fn a_slow_clock_is_shown_and_arrivals_get_the_hosts_time() {
    let began = Timestamp::now();
    let two_hours = SignedDuration::from_hours(2);
    let mut t = behind(two_hours);
    t.expect_head("! this clock is 2 h slow").expect_toast(
        "Compared with the server, this machine's clock is 2 h slow; set one of them",
    );
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    came_about(&t, "Zoë Müller", two_hours, began);
    // The difference is known while the host is away.
    t.network().go_down();
    t.enter("ulla").expect_banner(&["WAITING"]);
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    came_about(&t, "Ulla Lindqvist", two_hours, began);
}

#[test]
fn a_fast_clock_is_shown_too() {
    let began = Timestamp::now();
    let minutes = SignedDuration::from_mins(-7);
    let mut t = behind(minutes);
    t.expect_head("! this clock is 7 min fast")
        .expect_toast("this machine's clock is 7 min fast");
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    came_about(&t, "Zoë Müller", minutes, began);
}

#[test]
fn entries_from_before_the_first_answer_are_corrected_on_delivery() {
    let began = Timestamp::now();
    let two_hours = SignedDuration::from_hours(2);
    let setup = behind(two_hours).crash();
    setup.network().go_down();
    let mut t = setup.at_home();
    t.open_desk(LAUNCH).expect_no("this clock is");
    t.enter("zoe").expect_banner(&["WAITING", "came at 09:45"]);
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    t.expect_toast("this machine's clock is 2 h slow")
        .expect_head("! this clock is 2 h slow")
        .expect_banner(&["CHECKED IN", "11:4"]);
    came_about(&t, "Zoë Müller", two_hours, began);
}

#[test]
fn a_few_seconds_are_no_difference() {
    let mut t = behind(SignedDuration::from_secs(20));
    t.expect_no("this clock is");
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.database().guest("Zoë Müller").came_at(NOW);
}
