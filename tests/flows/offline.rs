//! Every guest is on the desk: a large event is loaded page by page, kept on disk, and decided without the network.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::{Desk, LAUNCH, Mode, NOW, School, at, at_a_shaky_door, selected};
use serde_json::json;

/// A concert of so many guests, each with a ticket: TX-0001 and so on.
fn concert(guests: i32) -> School {
    let school = School::new().with_crowd("Concert", guests);
    school.change(
        "update events.guests set tags = jsonb_build_object('ticket_code', 'TX-' || substr(name, 7)) \
         where organization_id = $1",
        &[&school.organization.id.0],
    );
    school
}

/// Twelve tickets and twelve names from the whole list are decided while the network is down.
fn all_are_decided(t: &mut Desk) {
    let before = t.on_disk().len();
    for number in (0..12).map(|number| number * 99 + 7) {
        t.scan(&format!("TX-{number:04}\r"))
            .expect_banner(&["WAITING", &format!("Guest {number:04}")]);
        let named = number + 50;
        t.enter(&format!("guest {named:04}"))
            .expect_banner(&["WAITING", &format!("Guest {named:04}")]);
    }
    assert_eq!(t.on_disk().len(), before + 24);
}

#[test]
fn all_guests_of_a_large_event_are_decided_without_the_network() {
    let mut t = concert(1200)
        .desk(Role::Staff)
        .over_a_network()
        .at("Concert");
    t.expect_title("1,200 on this desk ✓");
    t.network().go_down();
    all_are_decided(&mut t);
    t.network().come_back();
    t.seconds(40)
        .expect_toast("24 waiting check-ins delivered")
        .expect_head("24 of 1200");
}

#[test]
fn a_desk_opens_with_all_guests_from_its_disk() {
    let t = concert(1200)
        .desk(Role::Staff)
        .over_a_network()
        .at("Concert");
    let setup = t.crash();
    setup.network().go_down();
    let mut t = setup.at_home();
    t.open_desk("Concert")
        .expect_title("1,200 on this desk ✓ as of 09:45");
    all_are_decided(&mut t);
}

#[test]
fn guests_who_are_gone_from_the_host_go_from_the_list_on_disk() {
    let school = concert(250);
    let setup = school.desk(Role::Staff).at("Concert").crash();
    school.remove_guest("Guest 0100");
    school.add_guests("Concert", &["Zuri Okoye"]);
    let mut t = setup.at("Concert");
    t.expect_title("250 on this desk ✓")
        .type_text("guest 0100")
        .expect_no("○ not yet");
    t.press("esc")
        .type_text("zuri")
        .expect_row(selected("Zuri Okoye"));
}

#[test]
fn a_second_scan_of_a_ticket_is_told_so_while_the_network_is_down() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().go_down();
    t.scan("TX-0007\r")
        .expect_banner(&["WAITING", "Guest 0007"]);
    t.seconds(20).scan("TX-0007\r").expect_banner(&[
        "ALREADY CHECKED IN",
        "Guest 0007",
        "at 09:45:00 at this desk",
    ]);
    // At another gate in the meantime, before the network failed.
    t.database()
        .another_desk_checks_in("Guest 0008", at("2025-03-12T12:20:00Z"));
    t.network().come_back();
    t.seconds(10).expect_toast("1 waiting check-in delivered");
    t.network().go_down();
    t.scan("TX-0008\r").expect_banner(&[
        "ALREADY CHECKED IN",
        "Guest 0008",
        "since 09:20 at another desk",
    ]);
}

#[test]
fn own_check_ins_stay_ones_own_after_a_restart() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    let setup = t.crash();
    let mut t = setup.at(LAUNCH);
    t.seconds(5)
        .enter("zoe")
        .expect_banner(&["ALREADY CHECKED IN", "since 09:45 at this desk"]);
}

#[test]
fn what_was_settled_here_is_known_after_a_crash_without_the_network() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.scan("TX-0007\r")
        .expect_banner(&["CHECKED IN", "Guest 0007"]);
    t.scan("TX-0008\r")
        .expect_banner(&["CHECKED IN", "Guest 0008"])
        .press("ctrl-u")
        .expect_banner(&["UNDONE", "Guest 0008"]);
    t.type_text("Zuri Okoye")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["CHECKED IN", "Zuri Okoye"]);
    t.database()
        .another_desk_checks_in("Guest 0009", at("2025-03-12T12:20:00Z"));
    t.scan("TX-0009\r")
        .expect_banner(&["ALREADY CHECKED IN", "Guest 0009"]);
    t.network().go_down();
    let mut t = t.crash().at("Concert");
    t.expect_head("3 of 21");
    t.seconds(20).scan("TX-0007\r").expect_banner(&[
        "ALREADY CHECKED IN",
        "Guest 0007",
        "since 09:45 at this desk",
    ]);
    t.scan("TX-0009\r").expect_banner(&[
        "ALREADY CHECKED IN",
        "Guest 0009",
        "since 09:20 at another desk",
    ]);
    t.type_text("zuri")
        .expect_row(selected("Zuri Okoye").with("✓ in 09:45"));
    t.scan("TX-0008\r")
        .expect_banner(&["WAITING", "Guest 0008"]);
}

#[test]
fn a_code_that_is_unknown_without_the_network_is_decided_by_the_host_later() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().go_down();
    t.database().add_guests("Concert", &["Zuri Okoye"]);
    t.database().give_ticket("Zuri Okoye", "TX-NEW");
    t.scan("TX-NEW\r").expect_banner(&[
        "UNKNOWN TICKET",
        "TX-NEW",
        "saved here; the host is asked once it answers",
    ]);
    t.seconds(7)
        .scan("TX-NONE\r")
        .expect_banner(&["UNKNOWN TICKET"]);
    t.scan("TX-NONE\r").expect_banner(&["UNKNOWN TICKET"]);
    t.expect_head("! 2 need attention: ctrl-t");
    assert_eq!(t.on_disk().len(), 2);

    // Not even a crash loses them.
    let setup = t.crash();
    setup.network().come_back();
    let mut t = setup.at_home();
    t.expect_toast("2 check-ins from before, still to be delivered")
        .expect_toast("“TX-NEW” is the ticket of Zuri Okoye, who is in now")
        .expect_toast("TX-NONE was not checked in: no guest has this ticket")
        .expect_toast("1 waiting check-in delivered");
    t.database().guest("Zuri Okoye").came_at(NOW);
    assert!(t.on_disk().is_empty());
    t.press("r")
        .open_desk("Concert")
        .press("ctrl-t")
        .expect_row(
            selected("09:45:07")
                .with("TX-NONE")
                .with("no guest has this ticket"),
        );
}

#[test]
fn an_unknown_code_is_on_disk_while_the_host_is_asked() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.scan("TX-NONE\r")
        .expect_banner(&["UNKNOWN TICKET", "no guest has this ticket"]);
    t.database().add_guests("Concert", &["Zuri Okoye"]);
    t.database().give_ticket("Zuri Okoye", "TX-NEW");
    t.scan("TX-NEW\r")
        .expect_banner(&["CHECKED IN", "Zuri Okoye"]);
    assert!(t.on_disk().is_empty());

    t.database().add_guests("Concert", &["Zuri Abara"]);
    t.database().give_ticket("Zuri Abara", "TX-4711");
    t.network().set(Mode::Hang);
    t.paste_at_once("TX-4711\r");
    t.writes(1);
    let setup = t.crash();
    setup.network().set(Mode::Pass);
    let mut t = setup.at_home();
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_toast("“TX-4711” is the ticket of Zuri Abara, who is in now")
        .expect_toast("1 waiting check-in delivered");
    t.database().guest("Zuri Abara").came_at(NOW);
    assert!(t.on_disk().is_empty());
}

#[test]
fn a_silent_host_is_waited_for_once() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().set(Mode::Hang);
    t.paste_at_once("TX-0007\r").writes(1);
    t.expect_banner(&["CHECKING IN", "Guest 0007"]);
    t.seconds_while_held(4)
        .expect_banner(&["WAITING", "Guest 0007"]);
    for (number, guest) in [(2, "0008"), (3, "0009")] {
        t.paste_at_once(&format!("TX-{guest}\r")).writes(number);
        t.expect_banner(&["WAITING", guest]);
    }
}

#[test]
fn a_host_that_does_not_answer_is_asked_about_one_code_only() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.database().add_guests("Concert", &["Zuri Okoye"]);
    t.database().give_ticket("Zuri Okoye", "TX-NEW");
    t.network().set(Mode::CutAfterRequest);
    let asked = |t: &Desk| t.network().count_of("list_event_guests");
    let before = asked(&t);
    t.scan("TX-NONE\r").expect_banner(&["UNKNOWN TICKET"]);
    let first = asked(&t);
    assert!(first > before);
    t.enter("Zuri Okoye").expect_banner(&["NOT FOUND HERE"]);
    t.press("esc")
        .scan("TX-NEW\r")
        .expect_banner(&["UNKNOWN TICKET"]);
    assert_eq!(asked(&t), first);
    t.network().set(Mode::Pass);
    t.seconds(20)
        .expect_toast("TX-NONE was not checked in: no guest has this ticket")
        .expect_toast("“TX-NEW” is the ticket of Zuri Okoye, who is in now")
        .expect_toast("1 waiting check-in delivered");
    t.database().guest("Zuri Okoye").is_checked_in();
    let before = asked(&t);
    t.scan("TX-LAST\r").expect_banner(&["UNKNOWN TICKET"]);
    assert!(asked(&t) > before);
    assert!(t.on_disk().is_empty());
}

/// Others have blocked this guest.
fn block(t: &Desk, name: &str) {
    let school = t.database();
    school.tag(
        school.guest(name).id,
        &json!({ "ticket_code": "TX-0007", "blocked": "copied" }),
    );
}

#[test]
fn a_guest_who_was_blocked_elsewhere_meanwhile_needs_attention() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().go_down();
    t.scan("TX-0007\r")
        .expect_banner(&["WAITING", "Guest 0007"]);
    block(&t, "Guest 0007");
    t.network().come_back();
    t.seconds(10)
        .expect_toast("Guest 0007 is in, but blocked: copied")
        .expect_toast("1 waiting check-in delivered")
        .expect_head("! 1 needs attention: ctrl-t");
    // Who comes again is not only already in.
    t.scan("TX-0007\r")
        .expect_banner(&["BLOCKED", "Guest 0007", "copied · in since 09:45"]);
}

#[test]
fn a_copied_ticket_that_another_door_takes_after_this_one_is_told() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().go_down();
    t.scan("TX-0007\r")
        .expect_banner(&["WAITING", "Guest 0007"]);
    t.seconds(20);
    t.database()
        .another_desk_checks_in("Guest 0007", at("2025-03-12T12:45:10Z"));
    // The host has the check-in, but its answer is lost.
    t.network()
        .set_next("check_in_guest", Mode::CutAfterRequest);
    t.network().come_back();
    t.seconds(10)
        .expect_toast("Guest 0007 is in, but let in at another desk, too")
        .expect_toast("1 waiting check-in delivered")
        .expect_head("! 1 needs attention: ctrl-t");
    assert_eq!(t.network().count_of("check_in_guest"), 2);
    t.database().guest("Guest 0007").came_at(NOW);
}

#[test]
fn a_lost_answer_is_not_another_desk_and_what_changed_since_is_known() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network()
        .set_next("check_in_guest", Mode::CutAfterRequest);
    t.scan("TX-0007\r")
        .expect_banner(&["WAITING", "Guest 0007"]);
    t.network().go_down();
    block(&t, "Guest 0007");
    t.network().come_back();
    t.seconds(10)
        .expect_toast("Guest 0007 is in, but blocked: copied")
        .expect_toast("1 waiting check-in delivered");
    assert_eq!(t.network().count_of("check_in_guest"), 2);
    t.expect_head("1 of 20");
    t.scan("TX-0007\r")
        .expect_banner(&["BLOCKED", "Guest 0007"])
        .press("ctrl-u")
        .expect_banner(&["UNDONE", "Guest 0007"]);
}

#[test]
fn a_copied_ticket_that_another_door_took_in_the_same_minute_is_told_after_a_restart() {
    let mut t = concert(20).desk(Role::Staff).over_a_network().at("Concert");
    t.network().go_down();
    t.scan("TX-0007\r")
        .expect_banner(&["WAITING", "Guest 0007"]);
    t.database()
        .another_desk_checks_in("Guest 0007", at("2025-03-12T12:44:40Z"));
    let setup = t.crash();
    setup.network().come_back();
    let mut t = setup.at_home();
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_toast("1 waiting check-in delivered");
    t.press("r")
        .open_desk("Concert")
        .press("ctrl-t")
        .expect_row(
            selected("09:45:00")
                .with("Guest 0007")
                .with("already in since 09:44"),
        );
}

/// Quentin is added while the network is down, although the host has him since.
fn quentin_may_be_listed() -> Desk {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.database()
        .add_guest_with(LAUNCH, "Blake, Quentin", "speaker", "q@example.org");
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["WAITING", "Quentin Blake"]);
    t.network().come_back();
    t.seconds(10)
        .expect_toast("Quentin Blake may be on the list: Blake, Quentin · speaker · q@example.org")
        .expect_banner(&["THE SAME PERSON?", "Quentin Blake", "ctrl-t decides"]);
    assert_eq!(t.database().guests(), 13);
    assert_eq!(t.on_disk().len(), 1);
    t
}

#[test]
fn a_walk_in_whom_the_host_lists_is_that_guest_if_a_person_says_so() {
    let t = quentin_may_be_listed();
    // It asks again after a restart.
    let mut t = t.crash().at(LAUNCH);
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_toast("Quentin Blake may be on the list");
    t.press("ctrl-t")
        .expect_row(selected("09:45:00").with("Quentin Blake"))
        .press("enter")
        .expect_banner(&["CHECKED IN", "Blake, Quentin"]);
    t.database().guest("Blake, Quentin").came_at(NOW);
    assert_eq!(t.database().guests(), 13);
    assert!(t.on_disk().is_empty());
    t.expect_no("attention");
}

#[test]
fn a_walk_in_with_the_name_of_a_listed_guest_is_added_if_a_person_says_so() {
    let mut t = quentin_may_be_listed();
    t.press("ctrl-t a")
        .expect_toast("1 waiting check-in delivered")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    t.database().guest("Quentin Blake").came_at(NOW);
    t.database().guest("Blake, Quentin").is_not_checked_in();
    assert_eq!(t.database().guests(), 14);
}

#[test]
fn a_walk_in_who_is_undone_leaves_no_trace() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake"])
        .expect_head("3 of 13");
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Quentin Blake", "was not added"])
        .expect_head("2 of 12")
        .expect_title("12 on this desk ✓");
    assert_eq!(t.database().guests(), 12);
}

#[test]
fn everything_agrees_soon_after_the_network_is_back() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    // Long enough for the longest pauses.
    t.seconds(300).expect_head("Host not reachable");
    t.network().come_back();
    t.seconds(3)
        .expect_toast("1 waiting check-in delivered")
        .expect_head("3 of 12")
        .expect_no("Host not reachable");
    t.database().guest("Zoë Müller").came_at(NOW);
    // A desk at which nothing waits, and Home.
    t.network().go_down();
    t.seconds(300).expect_head("Host not reachable");
    t.network().come_back();
    t.seconds(5).expect_no("Host not reachable");
    t.network().go_down();
    t.press("ctrl-q r").expect_head("Host not reachable");
    t.seconds(300);
    t.network().come_back();
    t.seconds(10)
        .expect_row(selected(LAUNCH).with("3 of 12"))
        .expect_no("Host not reachable");
}

#[test]
fn four_desks_load_at_once_and_delay_nobody() {
    let clock = Clock::with_manual_limits();
    let school = concert(3000);
    let setup = school.desk(Role::Staff).at_a_server_with(&clock, 100);
    let machines: Vec<_> = (0..4)
        .map(|_| tempfile::tempdir().expect("a directory"))
        .collect();
    let mut desks: Vec<Desk> = (0..)
        .zip(&machines)
        .map(|(number, machine)| {
            let setup = setup.clone().number(number * 256);
            setup.in_directory(machine.path()).at("Concert")
        })
        .collect();
    let mut come = 0;
    let mut seconds = 0;
    while !desks
        .iter_mut()
        .all(|desk| desk.screen().contains("3,000 on this desk ✓"))
    {
        assert!(seconds < 240, "loading takes too long");
        seconds += 1;
        clock.advance(Duration::from_secs(1));
        for desk in &mut desks {
            desk.seconds(1);
        }
        if seconds % 5 == 0 {
            come += 1;
            let at = come % desks.len();
            desks[at]
                .scan(&format!("TX-{come:04}\r"))
                .expect_banner(&["✓ CHECKED IN", &format!("Guest {come:04}")]);
        }
    }
    assert_eq!(school.here(), come);
    assert!(come > 4, "loading took only {seconds} s");
}
