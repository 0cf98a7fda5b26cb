//! Check-ins that need attention: failures while the desk went on.

use frontdesk_client::Config;
use frontdesk_protocol::Role;
use frontdesk_tests::{Desk, LAUNCH, Mode, School, at, at_a_shaky_door, row, selected};

/// A desk where a name and a code have failed while the next guest came.
fn after_two_failures() -> Desk {
    let mut t = at_a_shaky_door();
    t.network().set_for("list_event_guests", Mode::Hold);
    t.press_at_once("q u e n t i n enter");
    t.press_at_once("u l l a enter")
        .hears("✓ CHECKED IN  Ulla Lindqvist");
    t.network().set_for("list_event_guests", Mode::Pass);
    t.network().release();
    t.settle();
    t.paste("0190a1b2-0000-7000-8000-00000000ffff");
    t.enter("asa");
    t.expect_banner(&["CHECKED IN", "Åsa Öberg"]);
    t
}

#[test]
fn failed_scans_are_counted_listed_and_searched_again() {
    let mut t = after_two_failures();
    t.expect_head("! 2 need attention: ctrl-t");
    t.press("ctrl-t").expect_rows([
        selected("code …0000ffff").with("no guest you can see has this code"),
        row("quentin").with("no guest has this name"),
    ]);
    t.text_snapshot("attention");
    // One entry is dismissed; the other is searched again, and the guest can be added.
    t.press("del").expect_row(selected("quentin"));
    t.press("enter").expect("│ quentin ").press("esc");
    t.expect_head("! 1 needs attention: ctrl-t");
    // It stays until somebody has decided.
    t.press("ctrl-t enter ctrl-a")
        .expect_path("Add a guest and check in");
    assert_eq!(t.database().here(), 4);
    t.press("ctrl-s")
        .expect_banner(&["CHECKED IN", "quentin"])
        .expect_no("attention");
}

#[test]
fn a_guest_who_was_in_already_is_listed_once_the_desk_has_gone_on() {
    let mut t = at_a_shaky_door();
    let zoe = t.database().guest("Zoë Müller");
    let ulla = t.database().guest("Ulla Lindqvist");
    let came = at("2025-03-12T12:20:00Z");
    t.database().another_desk_checks_in("Zoë Müller", came);
    t.paste_at_once(&zoe.id.to_string());
    t.paste_at_once(&ulla.id.to_string());
    t.settle()
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"])
        .expect_head("! 1 needs attention");
    t.press("ctrl-t")
        .expect_row(selected("Zoë Müller").with("already in since 09:20"));
    t.press("enter").expect_row(selected("Zoë Müller"));
}

#[test]
fn an_empty_attention_list_is_stated() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    t.press("ctrl-t").expect_toast("Nothing needs attention");
}

#[test]
fn whatever_is_not_green_rings_the_bell_unless_that_is_turned_off() {
    let not_in = |config: Config| {
        let mut t = School::launch().desk(Role::Staff).config(config).at(LAUNCH);
        t.enter("zoe").expect_banner(&["CHECKED IN"]);
        assert_eq!(t.rings(), 0);
        t.seconds(1).enter("zoe");
        t.expect_banner(&["ALREADY CHECKED IN"]);
        t.enter("quentin");
        t.expect_banner(&["NOBODY BY THAT NAME"]);
        t.paste("0190a1b2-0000-7000-8000-00000000ffff");
        t.expect_banner(&["UNKNOWN TICKET"]);
        t.rings()
    };
    assert_eq!(not_in(Config::default()), 3);
    let quiet = Config {
        bell: Some(false),
        ..Config::default()
    };
    assert_eq!(not_in(quiet), 0);
}

#[test]
fn who_came_when_knows_the_other_desks_of_a_large_event() {
    let school = School::new().with_crowd("Stadium", 1200);
    let late = school.last_guests("Stadium", 2);
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.expect_row(row("Nobody yet."));
    school.came(late[0], at("2025-03-12T12:44:00Z"));
    school.came(late[1], at("2025-03-12T12:43:00Z"));
    t.seconds(10)
        .expect_rows([row("09:44 ✓ Guest 1200"), row("09:43 ✓ Guest 1199")]);
}
