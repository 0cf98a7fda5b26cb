//! Desks at gates: who comes in where, leaves, and comes in again; with the network and without.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{LAUNCH, School, Setup};
use serde_json::json;

/// Direction, verdict and gate of each movement, the first one first.
fn log(school: &School) -> Vec<String> {
    let sql = "select string_agg(concat_ws(' ', direction, verdict, gate, source), '; ' order by created_at) \
         from events.movements where organization_id = $1";
    let log = school.value(sql, &[&school.organization.id.0]);
    let log = log.unwrap_or_default();
    log.split_terminator("; ").map(str::to_owned).collect()
}

#[test]
fn a_guest_leaves_by_one_gate_and_comes_in_again_by_the_other() {
    let school = School::launch();
    school.give_ticket("Zoë Müller", "TX-9");
    let mut north = school.desk(Role::Staff).gate("North").at(LAUNCH);
    let mut south = school.desk(Role::Owner).gate("South").at(LAUNCH);
    north.expect_head("North").enter("zoe");
    north
        .expect_banner(&["✓ CHECKED IN", "Zoë Müller"])
        .expect_head("3 inside");
    south.seconds(5).enter("zoe");
    south.expect_banner(&["ALREADY CHECKED IN", "at North, by "]);
    south.press("f3").expect_banner(&["✓ OUT", "Zoë Müller"]);
    south.expect_head("2 inside");
    north.seconds(5).expect_head("2 inside").scan("TX-9\r");
    north
        .expect_banner(&["✓ CHECKED IN", "Zoë Müller"])
        .expect_head("3 inside");
    assert_eq!(
        log(&school),
        [
            "in passed North name",
            "in already South name",
            "out passed South",
            "in passed North scan"
        ]
    );
    let desks =
        "select string_agg(distinct desk, ', ') from events.movements where organization_id = $1";
    let desks = school.value(desks, &[&school.organization.id.0]);
    assert_eq!(desks.as_deref(), Some("Desk at North, Desk at South"));
    assert_eq!(school.here(), 3);
    let mut admin = school.desk(Role::Admin).at_home();
    admin.press("e v").expect("By quarter of an hour");
    admin.expect("without a gate").expect("North");
    // The undo of a re-entry is an exit: the guest has come all the same.
    north
        .press("ctrl-u")
        .expect_banner(&["✓ UNDONE", "is outside, as before"])
        .expect_head("2 inside");

    assert_eq!(school.here(), 3);
}

#[test]
fn the_log_says_that_a_blocked_guest_was_turned_away() {
    let school = School::launch();
    let blocked = json!({ "alert": "Blocked: unpaid" });
    school.tag(school.guest("Zoë Müller").id, &blocked);
    let mut t = school
        .desk(Role::Staff)
        .over_a_network()
        .gate("North")
        .at(LAUNCH);
    t.enter("zoe").expect_banner(&["BLOCKED"]);
    assert_eq!(log(&school), ["in blocked North name"]);
    t.network().go_down();
    t.seconds(5).enter("zoe");
    t.expect_banner(&["BLOCKED"]);
    t.network().come_back();
    t.seconds(30);
    assert_eq!(
        log(&school),
        ["in blocked North name", "in blocked North name"]
    );
}

#[test]
fn gates_go_on_without_the_network() {
    let school = School::launch();
    let setup = school.desk(Role::Staff).over_a_network().gate("North");
    let mut t = setup.at(LAUNCH);
    t.expect_title("on this desk ✓").network().go_down();
    t.enter("zoe").expect_banner(&["◌ WAITING", "came at"]);
    t.seconds(5)
        .press("f3")
        .expect_banner(&["◌ WAITING", "left at"]);
    t.seconds(5).enter("zoe");
    t.expect_banner(&["◌ WAITING", "came at"])
        .expect_head("3 waiting");
    t.network().come_back();
    t.seconds(10).expect_toast("3 waiting check-ins delivered");
    assert_eq!(
        log(&school),
        [
            "in passed North name",
            "out passed North",
            "in passed North name"
        ]
    );
    t.expect_head("3 inside");
}

/// A desk at a lunch that each guest has once.
fn lunch(school: &School) -> Setup {
    let place = json!({ "event_id": school.event_id(LAUNCH), "name": "Lunch", "once": true, "capacity": 9 });
    let mut staff = school.colleague(Role::Staff);
    staff.make(Host::Events, "create_event_place", place);
    school.desk(Role::Staff).over_a_network().place("Lunch")
}

#[test]
fn an_undone_passage_is_none() {
    for is_online in [true, false] {
        let school = School::launch();
        let mut t = lunch(&school).at(LAUNCH);
        t.expect_title("on this desk ✓");
        t.enter("zoe")
            .expect_banner(&["✓ CHECKED IN", "Zoë Müller"]);
        t.expect_head("1 of 9");
        if !is_online {
            t.network().go_down();
        }
        t.press("ctrl-u").expect_banner(&["Zoë Müller"]);
        t.seconds(5).expect_head("0 of 9");
        t.network().come_back();
        t.seconds(40).expect_head("0 of 9").read_messages();
        assert_eq!(log(&school), Vec::<String>::new());
        t.enter("zoe")
            .expect_banner(&["✓ CHECKED IN", "Zoë Müller"]);
        assert_eq!(log(&school), ["in passed name"]);
    }
}

#[test]
fn who_came_and_left_without_the_network_is_not_inside() {
    let school = School::launch();
    let mut t = lunch(&school).at(LAUNCH);
    t.expect_title("on this desk ✓").network().go_down();
    t.enter("zoe").expect_banner(&["◌ WAITING", "came at"]);
    t.seconds(5).press("f3");
    t.expect_banner(&["◌ WAITING", "left at"]);
    t.expect_head("0 of 9").network().come_back();
    t.seconds(40).expect_head("0 of 9").read_messages();
    // It is said to nobody that they may come again to what is once.
    t.expect_banner(&["OUT", "Zoë Müller"])
        .expect_no("may come in again");
    assert_eq!(log(&school), ["in passed name", "out passed"]);
}

#[test]
fn a_desk_without_a_gate_records_no_movement() {
    let school = School::launch();
    let mut t = school.desk(Role::Staff).over_a_network().at(LAUNCH);
    t.enter("zoe").expect_banner(&["✓ CHECKED IN"]);
    assert_eq!(t.network().count_of("record_movement"), 0);
    assert_eq!(log(&school), Vec::<String>::new());
    t.press("f3").expect_toast("This desk has no gate");
}

#[test]
fn a_reason_is_for_the_guest_about_whom_the_desk_has_asked() {
    let school = School::launch();
    for (name, tags) in [
        ("Zoë Müller", json!({ "blocked": "unpaid" })),
        (
            "Ulla Lindqvist",
            json!({ "blocked": "banned", "ticket_code": "TX-8888" }),
        ),
    ] {
        school.tag(school.guest(name).id, &tags);
    }
    let mut t = school.desk(Role::Staff).gate("North").at(LAUNCH);
    t.search("zoe").press("enter");
    t.expect_banner(&["BLOCKED", "Zoë Müller"]);
    t.press("ctrl-d").expect("Zoë Müller was turned away");
    t.scan("TX-8888\r").read_messages();
    t.type_text("has paid").press("enter");
    school.guest("Ulla Lindqvist").is_not_checked_in();
    school.guest("Zoë Müller").is_checked_in();
}
