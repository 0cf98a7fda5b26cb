//! Codes: a guest's id, from a scanner that pastes it or types it.

use std::time::Duration;

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, Mode, NOW, School, at_a_shaky_door, at_the_door, selected};

/// Within this time, a host that works has answered.
const SHORT: Duration = Duration::from_secs(6);

#[test]
fn a_scanned_code_checks_in_at_once() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.paste(&format!("{}\r\n", zoe.id));
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_head("3 of 12");
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
    t.expect_title("12 on this desk ✓");
}

#[test]
fn a_code_replaces_typed_text() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.type_text("ul").paste(&zoe.id.to_string());
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_title("12 on this desk ✓");
    t.database().guest("Ulla Lindqvist").is_not_checked_in();
}

#[test]
fn the_same_code_twice_checks_in_once() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.paste(&zoe.id.to_string());
    let first = t.database().guest("Zoë Müller").check_in_at.expect("is in");
    t.seconds(2).paste(&zoe.id.to_string());
    t.expect_banner(&["ALREADY CHECKED IN", "Zoë Müller", "at this desk"])
        .expect_head("3 of 12");
    t.database().guest("Zoë Müller").came_at(first);
}

#[test]
fn an_unknown_code_is_refused_in_large_letters() {
    let mut t = at_the_door();
    t.paste("0190a1b2-0000-7000-8000-00000000ffff");
    t.expect_banner(&["✗ UNKNOWN TICKET", "no guest you can see has this code"]);
    assert_eq!(t.database().here(), 2);
    t.text_snapshot("unknown_code");
    t.type_text("z").expect_no("UNKNOWN TICKET");
}

#[test]
fn a_code_of_another_event_is_refused() {
    let school = School::launch().with_event("Dinner");
    let quentin = school.add_guests("Dinner", &["Quentin Blake"])[0];
    let mut t = school.desk(Role::Staff).at(LAUNCH);
    t.paste(&quentin.to_string());
    t.expect_banner(&[
        "✗ NOT CHECKED IN",
        "this is the code of Quentin Blake, a guest of another event",
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
fn a_code_that_this_desk_does_not_know_is_kept_while_the_host_is_away() {
    let mut t = at_a_shaky_door();
    let quentin = t.database().add_guests(LAUNCH, &["Quentin Blake"])[0];
    t.network().set(Mode::status(502, "bad gateway"));
    t.paste("0190a1b2-0000-7000-8000-00000000ffff");
    t.expect_banner(&["✗ UNKNOWN TICKET", "the host is asked once it answers"]);
    t.text_snapshot("unknown_code_waits");
    t.paste(&quentin.to_string());
    assert_eq!(t.on_disk().len(), 2);

    t.network().set(Mode::Pass);
    t.seconds(10)
        .expect_toast("code …0000ffff was not checked in: no guest you can see has this code")
        .expect_toast("1 waiting check-in delivered")
        .expect_banner(&["CHECKED IN", "Quentin Blake"])
        .expect_head("! 1 needs attention");
    t.database().guest("Quentin Blake").came_at(NOW);
    assert!(t.on_disk().is_empty());
}

#[test]
fn every_code_that_is_scanned_back_to_back_counts_while_the_host_hangs() {
    const MANY: usize = 50;
    let school = School::new().with_crowd("Stadium", 1200);
    let mut t = school
        .desk(Role::Staff)
        .over_a_network()
        .timeout(SHORT)
        .at("Stadium");
    let codes = t.database().last_guests("Stadium", MANY);
    t.network().set(Mode::Hang);
    for code in &codes {
        t.paste_at_once(&format!("{code}\r\n"));
    }
    t.settle();
    assert_eq!(t.on_disk().len(), MANY);

    // Not even a crash loses one.
    let setup = t.crash();
    setup.network().set(Mode::Pass);
    let mut t = setup.at_home();
    t.expect_toast("50 check-ins from before, still to be delivered")
        .expect_toast("50 waiting check-ins delivered");
    assert_eq!(t.database().here(), MANY);
    assert!(t.on_disk().is_empty());
}

#[test]
fn a_name_that_a_busy_machine_gives_at_once_stays_a_name() {
    let mut t = at_the_door();
    t.type_text("zoe m")
        .scan("uller\r")
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    // Not even the first letter came at a person's pace.
    t.scan("ulla\r")
        .expect_banner(&["UNKNOWN TICKET", "ulla", "enter takes Ulla Lindqvist"]);
    t.database().guest("Ulla Lindqvist").is_not_checked_in();
    t.press("enter")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    // One who is not on the list is corrected, or added.
    t.scan("quentin\r")
        .expect_banner(&["UNKNOWN TICKET", "quentin"])
        .press("ctrl-a")
        .expect_head("quentin")
        .press("esc");
    // A ticket of letters is one, also behind a text that was left over.
    t.database().give_ticket("Åsa Öberg", "QWERTZ");
    t.seconds(10)
        .type_text("left over ")
        .scan("QWERTZ\r")
        .expect_banner(&["CHECKED IN", "Åsa Öberg"]);
}

#[test]
fn a_name_that_came_at_once_without_the_network_is_offered_and_written_down() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.scan("ulla\r").expect_banner(&[
        "UNKNOWN TICKET",
        "ulla",
        "enter takes Ulla Lindqvist · saved here",
    ]);
    assert_eq!(t.on_disk().len(), 1);
    t.press("enter")
        .expect_banner(&["WAITING", "Ulla Lindqvist"]);
    t.network().come_back();
    t.seconds(10)
        .expect_toast("ulla was not checked in: no guest has this ticket")
        .expect_toast("1 waiting check-in delivered");
    t.database().guest("Ulla Lindqvist").is_checked_in();
}

#[test]
fn a_code_counts_behind_text_that_was_left_over() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.enter(&format!("ana s{}", zoe.id));
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_head("3 of 12");
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn a_code_may_be_a_url_or_an_object() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    let ulla = t.database().guest("Ulla Lindqvist");
    t.enter(&format!("https://tickets.example/{}?lang=pt", zoe.id))
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.paste(&format!(r#"{{"v": 1, "guest_id": "{}"}}"#, ulla.id))
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    assert_eq!(t.database().here(), 4);
}

#[test]
fn a_code_counts_while_a_walk_in_is_being_written_down() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    let ulla = t.database().guest("Ulla Lindqvist");
    t.type_text("Quentin").press("ctrl-a");
    t.enter(&format!(" Blake{}", zoe.id));
    t.expect_toast("Code scanned; the desk shows the result");
    t.paste(&ulla.id.to_string())
        .expect_toast("Code scanned; the desk shows the result");
    t.database().guest("Zoë Müller").is_checked_in();
    t.database().guest("Ulla Lindqvist").is_checked_in();
    // The typed text is still there, and nothing else.
    t.press("ctrl-s")
        .expect_banner(&["CHECKED IN", "Quentin Blake · "]);
    t.database().guest("Quentin Blake").is_checked_in();
}

#[test]
fn a_code_counts_while_a_question_is_open_and_answers_it_not() {
    let mut t = at_the_door();
    let zoe = t.database().guest("Zoë Müller");
    t.press("down down")
        .expect_row(selected("Anna-Maria").with("not yet"))
        .press("up")
        .press("ctrl-u")
        .expect_title("Undo this check-in?");
    t.enter(&format!("https://my.tickets.example/n/{}", zoe.id))
        .expect_toast("Code scanned; the desk shows the result")
        .expect_title("Undo this check-in?");
    t.database().guest("Zoë Müller").is_checked_in();
    t.press("n").expect_no("Undo this check-in?");
    assert_eq!(t.database().here(), 3);
}

#[test]
fn the_code_of_another_sellers_ticket_is_found_among_all_guests_of_a_large_event() {
    let school = School::new().with_crowd("Stadium", 1200);
    school.add_guests("Stadium", &["Zuri Okoye", "Zuri Abara"]);
    school.give_ticket("Zuri Okoye", "TX-4711");
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    t.enter("tx-4711")
        .expect_banner(&["CHECKED IN", "Zuri Okoye"]);
    t.database().guest("Zuri Okoye").is_checked_in();
    // A code that two guests have is no ticket of either.
    school.give_ticket("Zuri Okoye", "TX-4712");
    school.give_ticket("Zuri Abara", "TX-4712");
    t.enter("tx-4712")
        .expect_banner(&["2 guests have the ticket “tx-4712”"]);
    t.database().guest("Zuri Abara").is_not_checked_in();
}

#[test]
fn signs_around_a_code_are_no_commands() {
    let mut t = School::launch().desk(Role::Staff).at(LAUNCH);
    let zoe = t.database().guest("Zoë Müller");
    t.enter("ulla")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    // STX would write a badge, ETX leave the app.
    t.scan(&format!("\u{2}{}\u{3}\r", zoe.id))
        .expect_banner(&["CHECKED IN", "Zoë Müller"]);
    assert!(!t.is_over());
    // In front of a name, a colon opens the palette.
    t.scan("?:/TX 1\r")
        .expect_banner(&["UNKNOWN TICKET", "?:/TX 1"]);
}

#[test]
fn a_code_that_stalls_is_nobody_elses_ticket() {
    // The scanner stalls behind the first character of 517731: two tickets, and what the desk says.
    for (whole, other, verdict) in [
        ("517731", "", "CHECKED IN"),
        ("517731", "17731", "WHICH ONE?"),
        ("", "17731", "WHICH ONE?"),
        ("", "7731", "UNKNOWN TICKET"),
        ("", "", "UNKNOWN TICKET"),
    ] {
        let school = School::launch();
        school.give_ticket("Zoë Müller", whole);
        school.give_ticket("Ulla Lindqvist", other);
        for end in ["\r", ""] {
            let mut t = school.desk(Role::Staff).at(LAUNCH);
            t.expect_title("on this desk ✓");
            t.type_text("5").scan(&format!("17731{end}"));
            t.passes(jiff::SignedDuration::from_millis(300));
            if !end.is_empty() {
                t.expect_banner(&[verdict]);
            }
            school.guest("Ulla Lindqvist").is_not_checked_in();
        }
        if verdict == "CHECKED IN" {
            school.guest("Zoë Müller").is_checked_in();
        } else {
            school.guest("Zoë Müller").is_not_checked_in();
        }
    }
}
