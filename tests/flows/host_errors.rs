//! Hosts that refuse and fail: the screen says what happened and what to do.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{LAUNCH, Mode, NOW, School, at_a_shaky_door, row, selected};

/// How long a story waits for a host that does not answer.
const SHORT: Duration = Duration::from_secs(6);

fn over_a_network() -> Setup {
    School::launch().desk(Role::Staff).over_a_network()
}

/// Opens the desk while the events host answers like this; the screen says so, and the key that it names
/// works when the host does.
fn opening_the_desk(mode: Mode, words: &[&str]) {
    let setup = over_a_network();
    let setup = match mode {
        Mode::Hang => setup.timeout(SHORT),
        _ => setup,
    };
    let mut t = setup.at_home();
    for tool in ["initialize", "get_event", "list_event_guests"] {
        t.network().set_for(tool, mode.clone());
    }
    t.open_desk(LAUNCH);
    for words in words {
        t.expect(words);
    }
    t.expect_row(row("ctrl-r tries again"));
    t.network().set(Mode::Pass);
    t.press("ctrl-r")
        .expect_title("12 on this desk ✓")
        .expect_no("✗");
}

/// Checks in while the host answers check-ins like this; the check-in waits, the screen says why, and it is
/// delivered when the host works.
fn checking_in(mode: Mode, why: &str) {
    let setup = over_a_network();
    let setup = match mode {
        Mode::Hang => setup.timeout(SHORT),
        _ => setup,
    };
    let mut t = setup.at(LAUNCH);
    t.network().set_for("check_in_guest", mode);
    t.type_text("zoe");
    t.press_at_once("enter")
        .expect_banner(&["CHECKING IN", "Zoë Müller"]);
    t.settle()
        .expect_banner(&["WAITING", "Zoë Müller"])
        .expect_path("◌ 1 waiting");
    t.expect_head(&format!("✗ {why} (check-ins wait)"))
        .expect_head("next try at 09:45:01");
    assert_eq!(t.on_disk().len(), 1);
    t.database().guest("Zoë Müller").is_not_checked_in();
    t.network().set(Mode::Pass);
    t.seconds(60).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
    t.expect_row(row("09:45 ✓ Zoë Müller"))
        .expect_head("3 of 12");
}

fn forbidden() -> Mode {
    Mode::refusal(
        403,
        "forbidden",
        "you may not read the guests of this event",
    )
}

fn too_many(seconds: &str) -> Mode {
    Mode::refusal(429, "rate_limited", "too many calls").header("retry-after", seconds)
}

#[test]
fn opening_the_desk_at_a_host_that_fails() {
    opening_the_desk(
        Mode::status(500, "internal error"),
        &[
            "✗ Host failed",
            "HTTP 500",
            "See the log of the host for details.",
        ],
    );
}

#[test]
fn opening_the_desk_at_a_host_that_is_not_there() {
    opening_the_desk(
        Mode::status(404, "page not found"),
        &[
            "✗ Wrong address",
            "HTTP 404",
            "address of the host in the configuration may be wrong",
        ],
    );
}

#[test]
fn opening_the_desk_at_a_host_that_does_not_answer() {
    opening_the_desk(Mode::Hang, &["✗ No answer", "no answer in time"]);
}

#[test]
fn opening_the_desk_behind_a_hotels_sign_in_page() {
    opening_the_desk(
        Mode::NotJson,
        &["✗ Unreadable answer", "the sign-in page of a network"],
    );
}

#[test]
fn opening_the_desk_at_a_host_that_asks_to_wait() {
    opening_the_desk(
        too_many("12"),
        &["✗ Too many calls", "The host asks to wait 12 s (HTTP 429)."],
    );
}

#[test]
fn a_desk_that_could_not_be_opened_comes_to_life_by_itself() {
    let mut t = over_a_network().at_home();
    for tool in ["get_event", "list_event_guests"] {
        t.network().set_for(tool, too_many("12"));
    }
    t.open_desk(LAUNCH)
        .expect_row(row("It is retried automatically after that."));
    let asked = t.network().count();
    t.network().set(Mode::Pass);
    t.seconds(11);
    assert_eq!(t.network().count(), asked, "too early");
    t.seconds(1)
        .expect_title("12 on this desk ✓")
        .expect_no("✗");
}

#[test]
fn opening_the_desk_without_permission() {
    let mut t = over_a_network().at_home();
    t.network().set_for("get_event", forbidden());
    t.network().set_for("list_event_guests", forbidden());
    t.open_desk(LAUNCH);
    t.expect_head("✗ Not permitted")
        .expect("may not read the guests of this event.");
    t.text_snapshot("opening_403");
    t.press("ctrl-q").expect_row(row("Today and coming up"));
}

#[test]
fn a_check_in_at_a_host_that_fails_waits() {
    checking_in(Mode::status(500, "internal error"), "Unclear answer");
}

#[test]
fn a_check_in_at_a_host_that_does_not_answer_waits() {
    checking_in(Mode::Hang, "No answer");
}

#[test]
fn a_check_in_behind_a_hotels_sign_in_page_waits() {
    checking_in(Mode::NotJson, "Unclear answer");
}

#[test]
fn a_check_in_that_a_proxy_forbids_waits() {
    checking_in(
        Mode::status(403, "<html>Blocked by policy</html>"),
        "Host failed",
    );
}

#[test]
fn a_check_in_at_an_address_that_is_gone_waits() {
    checking_in(Mode::status(404, "page not found"), "Wrong address");
}

#[test]
fn a_check_in_that_the_host_forbids_is_refused() {
    let mut t = at_a_shaky_door();
    t.network().set_for(
        "check_in_guest",
        Mode::refusal(403, "forbidden", "you may not check guests in"),
    );
    t.enter("zoe");
    t.expect_banner(&["✗ NOT CHECKED IN", "Zoë Müller", "may not check guests in"]);
    assert_eq!(t.waiting(), 0);
    t.expect_row(row("Zoë Müller").with("✗ refused"));
}

#[test]
fn a_host_that_asks_to_wait_is_left_alone_for_as_long_as_it_says() {
    let mut t = at_a_shaky_door();
    t.network().set_for("check_in_guest", too_many("7"));
    t.enter("zoe").expect_banner(&["WAITING", "Zoë Müller"]);
    t.expect_head("◌ 1 waiting, next try at 09:45:07");
    t.text_snapshot("checking_in_429");
    assert_eq!(t.network().count_of("check_in_guest"), 1);
    t.network().set(Mode::Pass);
    t.seconds(6);
    assert_eq!(t.network().count_of("check_in_guest"), 1, "too early");
    t.seconds(1).expect_toast("1 waiting check-in delivered");
    assert_eq!(t.network().count_of("check_in_guest"), 2);
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn the_servers_own_limit_is_waited_out() {
    let clock = Clock::with_manual_limits();
    let setup = School::launch().desk(Role::Staff);
    let mut t = setup.at_a_server_with(&clock, 10).at(LAUNCH);
    let mut checked_in = 0;
    for letters in [
        "zoe", "ulla", "asa", "lukasz", "nguyen", "siobhan", "דנה", "田中",
    ] {
        t.enter(letters);
        checked_in += i64::from(t.banner().contains("✓ CHECKED IN"));
    }
    assert!(
        checked_in > 0 && t.waiting() > 0,
        "{checked_in} in, {} waiting",
        t.waiting()
    );
    t.expect_head("next try at");
    clock.advance(Duration::from_secs(120));
    t.seconds(120)
        .expect_toast("delivered")
        .expect_head("10 of 12");
    assert_eq!(t.waiting(), 0);
}

#[test]
fn at_home_a_host_that_is_away_is_said_to_be() {
    let mut t = over_a_network().at_home();
    t.expect_no("Hosts:");
    t.network()
        .set_for("/events/health", Mode::status(500, "internal error"));
    t.network()
        .set_for("list_events", Mode::status(500, "internal error"));
    t.press("r")
        .expect_row(row("✓ 14 ok"))
        .expect_row(row("✗ away: Events"));
    // The previous data stays, with its time.
    t.expect_row(row("Host failed (as of 09:45)"))
        .expect_row(selected(LAUNCH));
    t.text_snapshot("home_host_failed");
    t.network().set(Mode::Pass);
    t.press("r").expect_no("Hosts:").expect_no("✗");
}
