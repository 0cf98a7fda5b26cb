//! Four desks of one account at one door, at a server with the usual limit of calls.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::{Desk, LAUNCH, Mode, NOW, School, at_a_shaky_door, row, selected};
use jiff::SignedDuration;

/// Calls a minute that a host accepts from one account.
const LIMIT: u32 = 100;
/// Guests who come within ten minutes.
const COME: usize = 200;

/// 200 guests arrive within ten minutes, at four desks in turn.
fn they_come(guests: i32) {
    let clock = Clock::with_manual_limits();
    let school = School::new().with_crowd("Concert", guests);
    let setup = school.desk(Role::Staff).at_a_server_with(&clock, LIMIT);
    let mut desks: Vec<Desk> = (0..4)
        .map(|number| setup.clone().number(number * 256).at("Concert"))
        .collect();
    let every = 600 / COME as u64;
    for guest in 1..=COME {
        let at = guest % desks.len();
        desks[at]
            .search(&format!("Guest {guest:04}"))
            .press("enter")
            .expect_banner(&["✓ CHECKED IN", &format!("Guest {guest:04}")]);
        for desk in &mut desks {
            assert_eq!(desk.waiting(), 0);
            desk.expect_no("Too many calls").expect_no("as of");
            desk.seconds(every as i64);
        }
        clock.advance(Duration::from_secs(every));
    }
    assert_eq!(school.here(), COME);
    for desk in &mut desks {
        desk.seconds(10).expect_head(&format!("{COME} of {guests}"));
    }
}

#[test]
fn no_check_in_waits_for_the_limit() {
    they_come(COME as i32);
}

#[test]
fn no_check_in_waits_for_the_limit_where_each_name_is_looked_for_at_the_host() {
    they_come(1200);
}

#[test]
fn a_desk_at_which_nothing_happens_calls_fourteen_times_a_minute() {
    let mut t = at_a_shaky_door();
    t.seconds(30);
    let before = t.network().count();
    t.seconds(600);
    assert_eq!(t.network().count() - before, 140);
}

#[test]
fn what_others_change_reaches_an_open_desk_within_five_seconds_with_one_call() {
    let mut t = at_a_shaky_door();
    t.seconds(10);
    let before = t.network().count();
    let zoe = t.database().guest("Zoë Müller").id;
    t.database().change(
        "update events.guests set name = 'Zora Maler', tags = '{\"ticket_code\": \"TX-9\"}' where id = $1",
        &[&zoe.0],
    );
    t.seconds(5).expect_row(row("Zora Maler"));
    assert_eq!(t.network().count() - before, 1);
    t.network().go_down();
    t.scan("TX-9\r").expect_banner(&["WAITING", "Zora Maler"]);
}

#[test]
fn a_desk_that_is_opened_again_asks_only_for_what_changed() {
    let school = School::new().with_crowd("Concert", 300);
    let setup = school.desk(Role::Staff).over_a_network();
    let mut t = setup.clone().at("Concert");
    t.expect_title("300 on this desk ✓").press("ctrl-q");
    drop(t);
    school.add_guests("Concert", &["Zuri Okoye"]);
    let before = setup.network().count_of("list_event_guests");
    let mut t = setup.clone().at("Concert");
    t.expect_title("301 on this desk ✓").type_text("zuri");
    t.expect_row(selected("Zuri Okoye")).press("esc");
    let asked = setup.network().count_of("list_event_guests") - before;
    assert_eq!(asked, 1);
    // Only a removed guest is noticed by the numbers, and looked for.
    let gone = school.guest("Guest 0001").id.0;
    school.change("delete from events.guests where id = $1", &[&gone]);
    t.seconds(30).expect_title("300 on this desk ✓");
    t.expect_no("Guest 0001");
}

#[test]
fn nothing_is_asked_while_the_host_has_too_many_calls_and_desks_go_on_one_by_one() {
    let school = School::launch();
    let setup = school.desk(Role::Staff).over_a_network();
    let too_many = Mode::refusal(429, "rate_limited", "too many calls").header("retry-after", "30");
    let mut asked = Vec::new();
    for number in [0, 256, 512, 768] {
        let mut t = setup.clone().number(number).at(LAUNCH);
        t.network().set_next("check_in_guest", too_many.clone());
        let guest = ["zoe", "ulla", "asa", "lukasz"][asked.len()];
        t.enter(guest);
        t.expect_banner(&["◌ WAITING"]).expect_no("✗");
        let before = t.network().count();
        t.seconds(29);
        assert_eq!(t.network().count(), before, "too early");
        t.seconds(1).expect_toast("1 waiting check-in delivered");
        t.expect_banner(&["✓ CHECKED IN"]);
        let before = t.network().count_of("get_event");
        let mut seconds = 0;
        while t.network().count_of("get_event") == before {
            t.seconds(1);
            seconds += 1;
        }
        asked.push(seconds);
    }
    assert_eq!(asked, [10, 15, 20, 25]);
}

#[test]
fn waiting_check_ins_come_before_refreshes() {
    let mut t = at_a_shaky_door();
    let too_many = Mode::refusal(429, "rate_limited", "too many calls").header("retry-after", "7");
    t.network().set_for("check_in_guest", too_many);
    t.enter("zoe").expect_banner(&["◌ WAITING"]);
    let before = t.network().count_of("get_event");
    t.seconds(50);
    assert!(t.network().count_of("check_in_guest") > 5);
    assert_eq!(t.network().count_of("get_event"), before);
    t.network().set(Mode::Pass);
    t.seconds(7).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
    t.passes(SignedDuration::from_mins(1));
    assert!(t.network().count_of("get_event") > before);
}
