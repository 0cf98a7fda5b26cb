//! The network fails at the door: check-ins wait on disk and reach the host later.

use frontdesk_client::Action;
use frontdesk_protocol::Role;
use frontdesk_tests::{
    Desk, LAUNCH, Mode, NOW, School, at, at_a_shaky_door, at_the_door, row, selected,
};
use jiff::{SignedDuration, Timestamp};

/// Seconds after the story's beginning.
fn after(seconds: i64) -> Timestamp {
    NOW + SignedDuration::from_secs(seconds)
}

/// Zoë comes at once, Ulla after twenty seconds, Åsa after forty; none reaches the host.
fn three_come(t: &mut Desk) {
    t.enter("zoe").expect_banner(&["WAITING", "Zoë Müller"]);
    t.seconds(20).enter("ulla");
    t.seconds(20).enter("asa");
    t.expect_banner(&["WAITING", "Åsa Öberg"]);
}

const THREE: [(&str, i64); 3] = [("Zoë Müller", 0), ("Ulla Lindqvist", 20), ("Åsa Öberg", 40)];

#[test]
fn three_check_ins_wait_on_disk_and_are_delivered_with_their_times() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    three_come(&mut t);
    t.expect_path("◌ 3 waiting")
        .expect_row(row("Åsa Öberg").with("◌ waiting"));
    t.expect_row(row("09:45 ◌ Zoë Müller"));
    assert_eq!(t.waiting(), 3);
    let written = t.on_disk();
    for (entry, (name, seconds)) in written.iter().zip(THREE) {
        assert_eq!(entry.guest_name, name);
        assert_eq!(entry.at, after(seconds));
        assert_eq!(entry.action, Action::CheckIn);
        t.database().guest(name).is_not_checked_in();
    }
    assert_eq!(written.len(), 3);
    t.text_snapshot("three_waiting");

    t.network().come_back();
    t.seconds(40)
        .expect_toast("3 waiting check-ins delivered")
        .expect_head("5 of 12");
    for (name, seconds) in THREE {
        t.database().guest(name).came_at(after(seconds));
    }
    assert_eq!(t.database().here(), 5);
    assert_eq!(t.waiting(), 0);
    assert!(t.on_disk().is_empty());
    t.expect_row(row("09:45 ✓ Zoë Müller")).expect_no("waiting");
}

#[test]
fn where_another_desk_was_earlier_the_earlier_time_stands() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    three_come(&mut t);
    let earlier = at("2025-03-12T12:40:00Z");
    let later = after(30);
    t.database().another_desk_checks_in("Zoë Müller", earlier);
    t.database().another_desk_checks_in("Ulla Lindqvist", later);

    t.network().come_back();
    t.seconds(40)
        .expect_toast("Ulla Lindqvist is in, but let in at another desk, too")
        .expect_toast("3 waiting check-ins delivered")
        .expect_head("5 of 12");
    t.expect_row(row("09:40 ✓ Zoë Müller"));
    t.database().guest("Zoë Müller").came_at(earlier);
    t.database().guest("Ulla Lindqvist").came_at(after(20));
    t.database().guest("Åsa Öberg").came_at(after(40));
}

#[test]
fn a_crash_loses_none_and_doubles_none() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    three_come(&mut t);

    let mut t = t.crash().at_home();
    t.expect_toast("3 check-ins from before, still to be delivered")
        .expect_path("◌ 3 waiting");
    t.expect_head("Host not reachable");
    t.text_snapshot("home_after_crash");
    // And again, before a delivery.
    let mut t = t.crash().at_home();
    t.expect_toast("3 check-ins from before, still to be delivered");
    assert_eq!(t.on_disk().len(), 3);

    t.network().come_back();
    t.seconds(40).expect_toast("3 waiting check-ins delivered");
    for (name, seconds) in THREE {
        t.database().guest(name).came_at(after(seconds));
    }
    assert_eq!(t.database().here(), 5);
    let t = t.crash().at_home();
    assert_eq!(t.waiting(), 0);
    assert!(t.on_disk().is_empty());
}

#[test]
fn home_asks_again_as_soon_as_a_call_succeeds() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    let mut t = t.crash().at_home();
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_head("Host not reachable");
    t.network().come_back();
    t.seconds(1)
        .expect_toast("1 waiting check-in delivered")
        .expect_row(selected(LAUNCH).with("3 of 12"))
        .expect_no("Host not reachable")
        .expect_no("away");
}

#[test]
fn home_asks_again_by_itself() {
    let t = School::launch()
        .desk(Role::Staff)
        .over_a_network()
        .at_home();
    t.network().go_down();
    let mut t = t.crash().at_home();
    t.expect_row(row("Host not reachable"))
        .expect_row(row("✗ 15 away"));
    t.seconds(60).expect_row(row("Host not reachable"));
    t.network().come_back();
    t.seconds(30)
        .expect_row(selected(LAUNCH).with("2 of 12"))
        .expect_no("Hosts:")
        .expect_no("away");
}

#[test]
fn a_crash_between_delivery_and_the_note_of_it_changes_nothing() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    let written = t.on_disk();
    t.network().come_back();
    t.seconds(10).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);

    // As after a power failure before the delivery was noted.
    let setup = t.crash();
    let file = frontdesk_client::paths::journal_file(setup.directory());
    let journal = frontdesk_client::Journal::open(file).expect("a journal");
    journal.append(&written[0]).expect("is written");
    let mut t = setup.at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
    assert!(t.on_disk().is_empty());
}

#[test]
fn an_answer_that_is_lost_doubles_nothing_and_hides_nothing() {
    let mut t = at_a_shaky_door();
    t.network().set(Mode::CutAfterRequest);
    t.enter("zoe");
    // The host has it, but the app cannot know.
    t.database().guest("Zoë Müller").is_checked_in();
    t.expect_banner(&["WAITING", "Zoë Müller"]);
    t.text_snapshot("answer_lost");
    assert_eq!(t.waiting(), 1);

    t.network().set(Mode::Pass);
    t.seconds(10)
        .expect_toast("1 waiting check-in delivered")
        .expect_head("3 of 12");
    // The time of the key, not of the second delivery.
    t.database().guest("Zoë Müller").came_at(NOW);
    assert_eq!(t.database().here(), 3);
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_row(row("09:45 ✓ Zoë Müller"));
}

#[test]
fn a_check_in_that_waits_can_be_undone() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    three_come(&mut t);
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Åsa Öberg"])
        .expect_path("◌ 2 waiting");
    assert_eq!(t.on_disk().len(), 2);

    t.network().come_back();
    t.seconds(40)
        .expect_toast("2 waiting check-ins delivered")
        .expect_head("4 of 12");
    t.database().guest("Åsa Öberg").is_not_checked_in();
    assert_eq!(t.database().here(), 4);
}

#[test]
fn one_whose_answer_was_lost_is_undone_at_the_host_too() {
    let mut t = at_a_shaky_door();
    t.network().set(Mode::CutAfterRequest);
    t.enter("zoe").expect_banner(&["WAITING"]);
    t.database().guest("Zoë Müller").is_checked_in();
    t.network().go_down();
    t.press("ctrl-u")
        .expect_banner(&["UNDO WAITS", "Zoë Müller"]);
    assert_eq!(t.on_disk().len(), 1);
    assert_eq!(t.on_disk()[0].action, Action::Undo);
    t.text_snapshot("undo_waits");

    t.network().set(Mode::Pass);
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert_eq!(t.database().here(), 2);
    t.expect_head("2 of 12")
        .expect_banner(&["UNDONE", "Zoë Müller"]);
}

#[test]
fn an_undo_that_the_host_cannot_hear_waits_too() {
    let mut t = at_a_shaky_door();
    t.enter("zoe").expect_banner(&["CHECKED IN"]);
    t.network().go_down();
    t.press("ctrl-u")
        .expect_banner(&["UNDO WAITS", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_checked_in();
    let mut t = t.crash().at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_full_disk_is_reported_loudly() {
    let mut t = at_a_shaky_door();
    // A directory stands in place of the journal.
    let file = frontdesk_client::paths::journal_file(t.directory());
    std::fs::create_dir(&file).expect("a directory");
    t.network().go_down();
    t.enter("zoe");
    t.expect_banner(&["✗ NOT SAVED", "Zoë Müller", "keep the app open"]);
    t.text_snapshot("not_saved");
    t.expect_toast("Zoë Müller is NOT saved on this machine")
        .press("ctrl-x");
    t.expect_row(row("Zoë Müller").with("✗ not saved"));

    t.seconds(20)
        .press("ctrl-q q")
        .expect_title("Leave now?")
        .expect_panel("Leave now?", "would lose");
    t.text_snapshot("leave_unsaved");
    t.press("n").expect_no("Leave now?");
    assert!(!t.is_over());

    std::fs::remove_dir(&file).expect("the directory goes");
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn leaving_while_something_waits_asks_first() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    t.press("ctrl-q q")
        .expect_title("Leave now?")
        .expect_panel("Leave now?", "safe on this machine");
    t.press("y");
    assert!(t.is_over());
    assert_eq!(t.on_disk().len(), 1);
}

#[test]
fn a_refused_check_in_is_reported_and_waits_no_longer() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    three_come(&mut t);
    t.database().remove_guest("Zoë Müller");
    t.network().come_back();
    t.seconds(40).expect_toast("Zoë Müller was not checked in");
    t.expect_toast("2 waiting check-ins delivered")
        .expect_head("4 of 11");
    t.database().guest("Ulla Lindqvist").came_at(after(20));
    t.database().guest("Åsa Öberg").came_at(after(40));
    assert!(t.on_disk().is_empty());
}

#[test]
fn a_slow_host_delays_nobody() {
    let mut t = at_a_shaky_door();
    t.network().set_for("check_in_guest", Mode::Hold);
    t.type_text("zoe")
        .press_at_once("enter")
        .expect_banner(&["CHECKING IN"]);
    t.seconds_while_held(3)
        .expect_banner(&["WAITING", "Zoë Müller"]);
    assert_eq!(t.waiting(), 1);

    t.network().release();
    t.settle()
        .expect_toast("1 waiting check-in delivered")
        .expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_head("3 of 12");
    assert_eq!(t.waiting(), 0);
    assert!(t.on_disk().is_empty());
    t.database().guest("Zoë Müller").is_checked_in();
    assert_eq!(t.database().here(), 3);
}

#[test]
fn a_crash_while_a_host_takes_long_loses_nothing() {
    let mut t = at_a_shaky_door();
    t.network().set_for("check_in_guest", Mode::Hang);
    t.type_text("zoe").press_at_once("enter");
    // It is on disk before the host is asked.
    t.writes(1).expect_banner(&["CHECKING IN", "Zoë Müller"]);
    let setup = t.crash();
    setup.network().set(Mode::Pass);
    let mut t = setup.at_home();
    t.expect_toast("1 check-in from before, still to be delivered");
    t.expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn the_same_guest_twice_while_the_host_is_away_waits_once() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    let zoe = t.database().guest("Zoë Müller");
    t.paste(&zoe.id.to_string())
        .seconds(5)
        .paste(&zoe.id.to_string());
    assert_eq!(t.waiting(), 1);
    assert_eq!(t.on_disk().len(), 1);
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn another_account_s_check_ins_wait_for_that_account() {
    let setup = School::launch().desk(Role::Staff).over_a_network();
    let mut t = setup.clone().at(LAUNCH);
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    let directory = t.directory().to_owned();
    drop(t.crash());
    setup.network().come_back();

    std::fs::remove_file(frontdesk_client::paths::credentials_file(&directory))
        .expect("nobody is signed in");
    let mut t = setup.clone().signed_in_as(Role::Teacher).at(LAUNCH);
    t.expect_toast("1 check-in from before, still to be delivered")
        .expect_title("Take over 1 check-in?")
        .press("n");
    t.enter("ulla");
    t.seconds(60);
    t.database().guest("Zoë Müller").is_not_checked_in();
    assert_eq!(t.on_disk().len(), 1, "it must not be lost");
    drop(t.crash());

    std::fs::remove_file(frontdesk_client::paths::credentials_file(&directory))
        .expect("nobody is signed in");
    let mut t = setup.at_home();
    t.expect_toast("from before, still to be delivered");
    t.seconds(60).expect_toast("delivered");
    t.database().guest("Zoë Müller").came_at(NOW);
}

#[test]
fn a_guest_who_turns_out_to_be_in_is_shown_so() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("zoe").expect_banner(&["WAITING"]);
    t.database()
        .another_desk_checks_in("Zoë Müller", at("2025-03-12T12:20:00Z"));
    t.network().come_back();
    t.seconds(20).expect_toast("1 waiting check-in delivered");
    t.expect_banner(&["ALREADY CHECKED IN", "Zoë Müller", "since 09:20"]);
}

/// Quentin, who is not on the list, comes while the host is away.
fn a_walk_in_comes(t: &mut Desk) {
    t.type_text("Quentin Blake")
        .press("ctrl-a ctrl-s")
        .expect_banner(&["WAITING", "Quentin Blake", "added once the host answers"]);
}

#[test]
fn the_form_for_a_walk_in_says_that_the_guest_waits() {
    let mut t = at_a_shaky_door();
    t.press("ctrl-a").expect_no("waits here").press("esc");
    t.network().go_down();
    t.seconds(15)
        .press("ctrl-a")
        .expect("◌ This guest waits here, and is added once the host answers.");
}

#[test]
fn a_walk_in_waits_and_is_added_once() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    a_walk_in_comes(&mut t);
    t.expect_path("◌ 1 waiting")
        .expect_row(row("Quentin Blake").with("◌ waiting"))
        .expect_row(row("09:45 ◌ Quentin Blake"));
    t.text_snapshot("walk_in_waits");
    let mut t = t.crash().at_home();
    t.expect_toast("1 check-in from before, still to be delivered");

    // The host adds the guest, but its answer is lost.
    t.network()
        .set_next("create_event_guest", Mode::CutAfterRequest);
    t.network().come_back();
    t.seconds(40).expect_toast("1 waiting check-in delivered");
    assert_eq!(t.network().count_of("create_event_guest"), 2);
    t.database().guest("Quentin Blake").came_at(NOW);
    assert_eq!(t.database().here(), 3);
    assert!(t.on_disk().is_empty());
    t.press("r")
        .open_desk(LAUNCH)
        .expect_head("3 of 13")
        .expect_row(row("09:45 ✓ Quentin Blake"));
}

#[test]
fn a_walk_in_who_waits_is_taken_back_without_a_trace() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    a_walk_in_comes(&mut t);
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Quentin Blake", "was not added"]);
    assert!(t.on_disk().is_empty());
    t.network().come_back();
    t.seconds(40).expect_head("2 of 12").expect_no("waiting");
    assert_eq!(t.database().guests(), 12);
}

#[test]
fn a_walk_in_that_the_host_may_know_is_removed_there_too() {
    let mut t = at_a_shaky_door();
    t.network()
        .set_for("create_event_guest", Mode::CutAfterRequest);
    a_walk_in_comes(&mut t);
    t.network().go_down();
    t.press("ctrl-u")
        .expect_banner(&["UNDO WAITS", "Quentin Blake"]);
    t.network().set(Mode::Pass);
    t.network().come_back();
    t.seconds(40)
        .expect_toast("1 waiting check-in delivered")
        .expect_banner(&["UNDONE", "Quentin Blake", "was not added"]);
    assert_eq!(t.database().guests(), 12);
}

#[test]
fn a_desk_opens_from_its_data_on_disk() {
    let setup = at_a_shaky_door().crash();
    setup.network().go_down();
    let mut t = setup.at_home();
    t.expect_row(row("Host not reachable (as of 09:45)"))
        .expect_row(selected(LAUNCH).with("2 of 12"));
    t.text_snapshot("home_from_disk");
    t.open_desk(LAUNCH)
        .expect_title("12 on this desk ✓ as of 09:45")
        .expect_head("Host not reachable");
    t.text_snapshot("desk_from_disk");
    t.enter("zoe").expect_banner(&["WAITING", "Zoë Müller"]);
    a_walk_in_comes(&mut t);

    t.network().come_back();
    t.seconds(40)
        .expect_toast("2 waiting check-ins delivered")
        .expect_head("4 of 13")
        .expect_no("as of");
    t.database().guest("Zoë Müller").came_at(NOW);
    t.database().guest("Quentin Blake").came_at(NOW);
}

#[test]
fn signing_out_takes_the_guest_lists_off_the_disk() {
    let mut t = at_the_door();
    let lists = frontdesk_client::paths::guest_lists_directory(t.directory());
    let account = t.client().last_account().expect("an account").id;
    let of_account = lists.join(account.to_string());
    let mut files = std::fs::read_dir(&of_account).expect("lists");
    let file = files.next().expect("a list").expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = file.metadata().expect("its mode").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let text = std::fs::read_to_string(file.path()).expect("a text");
    assert!(text.contains("Zoë Müller"), "{text}");
    t.run("session.sign_out").press("y");
    assert!(!of_account.exists());
}

#[test]
fn what_waits_is_delivered_in_its_order() {
    let mut t = at_a_shaky_door();
    t.enter("zoe").expect_banner(&["CHECKED IN"]);
    t.network().go_down();
    t.press("ctrl-u").expect_banner(&["UNDO WAITS"]);
    t.seconds(20)
        .enter("zoe")
        .expect_banner(&["WAITING", "Zoë Müller"]);
    t.seconds(20).enter("ulla");
    let actions: Vec<_> = t.on_disk().iter().map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::Undo, Action::CheckIn, Action::CheckIn]);

    t.network().come_back();
    t.seconds(40)
        .expect_toast("3 waiting check-ins delivered")
        .expect_head("4 of 12");
    // In the other order she would be out, or in since before the undo.
    t.database().guest("Zoë Müller").came_at(after(20));
    t.database().guest("Ulla Lindqvist").came_at(after(40));
}
