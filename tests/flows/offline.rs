//! Every guest is on the desk: a large event is loaded page by page, kept on disk, and decided without the network.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_server::clock::Clock;
use frontdesk_tests::{Desk, School, selected};

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
        t.type_text(&format!("guest {named:04}"))
            .press("enter")
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
fn four_desks_load_at_once_and_delay_nobody() {
    let clock = Clock::with_manual_limits();
    let school = concert(3000);
    let setup = school.desk(Role::Staff).at_a_server_with(&clock, 100);
    let mut desks: Vec<Desk> = (0..4)
        .map(|number| setup.clone().number(number * 256).at("Concert"))
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
