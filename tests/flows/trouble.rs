//! Hosts that refuse and fail: each time a screen that says what happened and what one can do.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::desk::Setup;
use frontdesk_tests::{Mode, NOW, Proxy, desk, row, run, world};

use crate::launch::{LAUNCH, launch};

/// How long a story waits for a host that does not answer.
const SHORT: Duration = Duration::from_secs(6);

async fn behind_a_proxy() -> (Proxy, Setup) {
    let (organization, _) = launch().await;
    let proxy = Proxy::before(&world().url()).await;
    let setup = desk(&organization)
        .signed_in_as(Role::Staff)
        .over(proxy.url());
    (proxy, setup)
}

/// Opens the desk while the events host answers like this, sees that the screen says so, and that
/// the key which it names helps once the host is well.
async fn opening_the_desk(name: &str, mode: Mode, words: &[&str]) {
    let (proxy, setup) = behind_a_proxy().await;
    let setup = match mode {
        Mode::Hang => setup.timeout(SHORT),
        _ => setup,
    };
    let mut t = setup.at_home().await;
    for tool in ["initialize", "get_event", "list_event_guests"] {
        proxy.set_for(tool, mode.clone());
    }
    t.open_desk(LAUNCH).await;
    for words in words {
        t.expect(words);
    }
    t.expect("ctrl-r tries again")
        .snapshot(&format!("opening_{name}"))
        .await;
    proxy.set(Mode::Pass);
    t.press("ctrl-r").await.expect("12 guests").expect_no("✗");
}

/// Checks in while the host answers check-ins like this; the check-in waits, the screen says why,
/// and it is delivered once the host is well.
async fn checking_in(name: &str, mode: Mode, why: &str) {
    let (proxy, setup) = behind_a_proxy().await;
    let setup = match mode {
        Mode::Hang => setup.timeout(SHORT),
        _ => setup,
    };
    let mut t = setup.at(LAUNCH).await;
    proxy.set_for("check_in_guest", mode);
    t.type_text("zoe").await;
    t.press_at_once("enter")
        .expect_banner(&["CHECKING IN", "Zoë Müller"]);
    t.settle()
        .await
        .expect_banner(&["WAITING", "Zoë Müller"])
        .expect("◌ 1 waiting");
    t.expect(&format!("✗ {why} (check-ins wait)"))
        .expect("next try at 09:45:01");
    assert_eq!(t.on_disk().len(), 1);
    t.database().guest("Zoë Müller").await.is_not_checked_in();
    t.snapshot(&format!("checking_in_{name}")).await;
    proxy.set(Mode::Pass);
    t.seconds(60)
        .await
        .expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").await.came_at(NOW);
    t.expect_row(row("09:45 ✓ Zoë Müller")).expect("3 of 12");
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
    run(opening_the_desk(
        "500",
        Mode::status(500, "internal error"),
        &[
            "✗ Host failed",
            "HTTP 500",
            "Nothing is wrong on this side.",
        ],
    ));
}

#[test]
fn opening_the_desk_at_a_host_that_is_not_there() {
    run(opening_the_desk(
        "404",
        Mode::status(404, "page not found"),
        &[
            "✗ Not there",
            "HTTP 404",
            "address of the host in the configuration may be wrong",
        ],
    ));
}

#[test]
fn opening_the_desk_at_a_host_that_does_not_answer() {
    run(opening_the_desk(
        "hang",
        Mode::Hang,
        &["✗ Host not reachable", "nothing came in time"],
    ));
}

#[test]
fn opening_the_desk_behind_a_hotels_sign_in_page() {
    run(opening_the_desk(
        "not_json",
        Mode::NotJson,
        &["✗ Unreadable answer", "the sign-in page of a network"],
    ));
}

#[test]
fn opening_the_desk_at_a_host_that_asks_to_wait() {
    run(opening_the_desk(
        "429",
        too_many("12"),
        &["✗ Too many calls", "The host asks to wait 12 s (HTTP 429)."],
    ));
}

#[test]
fn a_desk_that_could_not_be_opened_comes_to_life_by_itself() {
    run(async {
        let (proxy, setup) = behind_a_proxy().await;
        let mut t = setup.at_home().await;
        for tool in ["get_event", "list_event_guests"] {
            proxy.set_for(tool, too_many("12"));
        }
        t.open_desk(LAUNCH)
            .await
            .expect("It is asked again by itself after that.");
        let asked = proxy.count();
        proxy.set(Mode::Pass);
        t.seconds(11).await;
        assert_eq!(proxy.count(), asked, "too early");
        t.seconds(1).await.expect("12 guests").expect_no("✗");
    });
}

#[test]
fn opening_the_desk_without_permission() {
    run(async {
        let (proxy, setup) = behind_a_proxy().await;
        let mut t = setup.at_home().await;
        proxy.set_for("get_event", forbidden());
        proxy.set_for("list_event_guests", forbidden());
        t.open_desk(LAUNCH).await;
        t.expect("✗ Not permitted")
            .expect("may not read the guests of this event.");
        t.snapshot("opening_403").await;
        t.press("ctrl-q").await.expect("Today and coming up");
    });
}

#[test]
fn a_check_in_at_a_host_that_fails_waits() {
    run(checking_in(
        "500",
        Mode::status(500, "internal error"),
        "Host failed",
    ));
}

#[test]
fn a_check_in_at_a_host_that_does_not_answer_waits() {
    run(checking_in("hang", Mode::Hang, "No answer"));
}

#[test]
fn a_check_in_behind_a_hotels_sign_in_page_waits() {
    run(checking_in("not_json", Mode::NotJson, "Unreadable answer"));
}

#[test]
fn a_check_in_that_a_proxy_forbids_waits() {
    run(checking_in(
        "403_page",
        Mode::status(403, "<html>Blocked by policy</html>"),
        "Host failed",
    ));
}

#[test]
fn a_check_in_at_an_address_that_is_gone_waits() {
    run(checking_in(
        "404",
        Mode::status(404, "page not found"),
        "Not there",
    ));
}

#[test]
fn a_check_in_that_the_host_forbids_is_refused() {
    run(async {
        let (proxy, setup) = behind_a_proxy().await;
        let mut t = setup.at(LAUNCH).await;
        proxy.set_for(
            "check_in_guest",
            Mode::refusal(403, "forbidden", "you may not check guests in"),
        );
        t.type_text("zoe").await.press("enter").await;
        t.expect_banner(&["✗ REFUSED", "Zoë Müller", "may not check guests in"]);
        assert_eq!(t.waiting(), 0);
        t.expect_row(row("Zoë Müller").with("✗ refused"));
    });
}

#[test]
fn a_host_that_asks_to_wait_is_left_alone_for_as_long_as_it_says() {
    run(async {
        let (proxy, setup) = behind_a_proxy().await;
        let mut t = setup.at(LAUNCH).await;
        proxy.set_for("check_in_guest", too_many("7"));
        t.type_text("zoe")
            .await
            .press("enter")
            .await
            .expect_banner(&["WAITING", "Zoë Müller"]);
        t.expect("◌ 1 waiting, next try at 09:45:07");
        t.snapshot("checking_in_429").await;
        assert_eq!(proxy.count_of("check_in_guest"), 1);
        proxy.set(Mode::Pass);
        t.seconds(6).await;
        assert_eq!(proxy.count_of("check_in_guest"), 1, "too early");
        t.seconds(1)
            .await
            .expect_toast("1 waiting check-in delivered");
        assert_eq!(proxy.count_of("check_in_guest"), 2);
        t.database().guest("Zoë Müller").await.came_at(NOW);
    });
}

#[test]
fn the_servers_own_limit_is_waited_out() {
    run(async {
        let (organization, _) = launch().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 10).await;
        let setup = desk(&organization)
            .signed_in_as(Role::Staff)
            .over(server.url());
        let mut t = setup.at(LAUNCH).await;
        let mut checked_in = 0;
        for letters in [
            "zoe", "ulla", "asa", "lukasz", "nguyen", "siobhan", "דנה", "田中",
        ] {
            t.type_text(letters).await.press("enter").await;
            checked_in += i64::from(t.banner().contains("✓ CHECKED IN"));
        }
        assert!(
            checked_in > 0 && t.waiting() > 0,
            "{checked_in} in, {} waiting",
            t.waiting()
        );
        t.expect("next try at");
        clock.advance(Duration::from_secs(120));
        t.seconds(120)
            .await
            .expect_toast("delivered")
            .expect("10 of 12");
        assert_eq!(t.waiting(), 0);
    });
}

#[test]
fn at_home_a_host_that_is_away_is_said_to_be() {
    run(async {
        let (proxy, setup) = behind_a_proxy().await;
        let mut t = setup.at_home().await;
        t.expect("✓ Events ok");
        proxy.set_for("/events/health", Mode::status(500, "internal error"));
        proxy.set_for("list_events", Mode::status(500, "internal error"));
        t.press("r")
            .await
            .expect("✗ Events away")
            .expect("✓ Staff management ok");
        // What was there stays, with the time from which it is.
        t.expect("Host failed (as of 09:45)").expect(LAUNCH);
        t.snapshot("home_host_failed").await;
        proxy.set(Mode::Pass);
        t.press("r").await.expect("✓ Events ok").expect_no("✗");
    });
}
