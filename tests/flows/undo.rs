//! Undoing a check-in.

use frontdesk_tests::{Desk, LAUNCH, Mode, at, at_a_shaky_door, at_the_door, row, selected};

/// A desk at which Zoë was just checked in.
fn after_zoe() -> Desk {
    let mut t = at_the_door();
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.expect_head("3 of 12");
    t.database().guest("Zoë Müller").is_checked_in();
    t
}

#[test]
fn an_undo_is_under_way_while_the_next_name_is_typed() {
    let mut t = at_a_shaky_door();
    t.enter("zoe").expect_banner(&["CHECKED IN"]);
    t.network().set_for("update_event_guest", Mode::Hold);
    t.press_at_once("ctrl-u")
        .expect_banner(&["UNDOING", "Zoë Müller"]);
    t.press_at_once("u l l a");
    t.network().release();
    // The answers before the next name leave with its first letter.
    t.settle()
        .expect_row(selected("Ulla Lindqvist"))
        .text_snapshot("undone");
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn u_is_a_letter_and_undoes_nothing() {
    let mut t = after_zoe();
    t.press("u").expect_row(row("Ulla Lindqvist"));
    t.seconds(5).expect_head("3 of 12");
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn ctrl_u_clears_the_search_before_it_undoes_anything() {
    let mut t = after_zoe();
    t.type_text("li")
        .press("ctrl-u")
        .expect_title("12 on this desk ✓");
    t.database().guest("Zoë Müller").is_checked_in();
    t.press("ctrl-u").expect_banner(&["UNDONE", "Zoë Müller"]);
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn ctrl_u_undoes_at_once_one_after_the_other() {
    let mut t = after_zoe();
    t.enter("ulla")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Ulla Lindqvist"]);
    t.database().guest("Ulla Lindqvist").is_not_checked_in();
    t.database().guest("Zoë Müller").is_checked_in();
    t.press("ctrl-u")
        .expect_banner(&["UNDONE", "Zoë Müller"])
        .expect_head("2 of 12");
    t.database().guest("Zoë Müller").is_not_checked_in();
    t.press("ctrl-u").expect_toast("None at this desk yet");
    assert!(t.cannot_run("guest.undo").contains("none at this desk yet"));
}

#[test]
fn another_desk_s_check_in_is_undone_after_a_question() {
    let mut t = at_the_door();
    let came = at("2025-03-12T12:30:00Z");
    t.database().another_desk_checks_in("Zoë Müller", came);
    t.enter("zoe")
        .expect_banner(&["↺ ALREADY CHECKED IN", "since 09:30 at another desk"]);
    t.expect_colour("↺ ALREADY", "Magenta");
    t.press("ctrl-u")
        .expect_title("Undo this check-in?")
        .expect_row(row("Zoë Müller is in since 09:30."));
    t.press("n");
    t.database().guest("Zoë Müller").came_at(came);
    t.press("ctrl-u")
        .press("y")
        .expect_banner(&["UNDONE", "Zoë Müller"])
        .expect_head("2 of 12");
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn a_check_in_from_before_a_restart_is_undone_after_a_question() {
    let mut t = after_zoe().crash().at(LAUNCH);
    t.type_text("zoe").press("down up ctrl-u");
    t.expect_title("Undo this check-in?").press("y");
    t.expect_banner(&["UNDONE", "Zoë Müller"])
        .expect_head("2 of 12");
    t.database().guest("Zoë Müller").is_not_checked_in();
}

#[test]
fn who_was_undone_can_be_checked_in_again() {
    let mut t = after_zoe();
    t.press("ctrl-u").enter("zoe");
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .expect_head("3 of 12");
    t.expect_row(row("✓ Zoë Müller"));
    t.database().guest("Zoë Müller").is_checked_in();
}
