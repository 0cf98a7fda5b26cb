//! A queue at the door: names typed faster than the host answers, and keys hit by reflex.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, Mode, School, at_a_shaky_door, at_the_door, selected};

#[test]
fn enter_right_after_an_unknown_name_is_answered() {
    let mut t = at_the_door();
    t.enter("zoe").expect_banner(&["CHECKED IN", "Zoë Müller"]);
    t.enter("quentin")
        .expect_banner(&["NOBODY BY THAT NAME", "quentin"]);
    // The next letter begins the next name.
    t.type_text("ulla")
        .expect_row(selected("Ulla Lindqvist"))
        .press("enter")
        .expect_banner(&["CHECKED IN", "Ulla Lindqvist"]);
    t.database().guest("Ulla Lindqvist").is_checked_in();
    assert_eq!(t.database().here(), 4);
}

#[test]
fn an_unknown_name_can_be_corrected_or_added() {
    let mut t = at_the_door();
    t.enter("ullx")
        .expect_banner(&["NOBODY BY THAT NAME", "ullx"]);
    t.press("backspace").expect_row(selected("Ulla Lindqvist"));
    t.press("backspace")
        .enter("x")
        .press("ctrl-a")
        .expect_path("Add a guest and check in")
        .expect_head("ulx");
}

#[test]
fn enter_before_the_answer_checks_in_the_guest_that_the_host_finds() {
    let mut t = at_the_door();
    t.database().add_guests(LAUNCH, &["Quentin Blake"]);
    t.enter("quentin")
        .expect_banner(&["CHECKED IN", "Quentin Blake"]);
    t.database().guest("Quentin Blake").is_checked_in();
}

#[test]
fn the_next_guest_is_typed_while_the_host_is_still_asked_for_the_one_before() {
    let mut t = at_a_shaky_door();
    t.database().add_guests(LAUNCH, &["Quentin Blake"]);
    t.network().set_for("list_event_guests", Mode::Hold);
    t.press_at_once("q u e n t i n enter")
        .expect_banner(&["LOOKING FOR", "quentin"]);
    t.press_at_once("r u f u s enter")
        .expect_banner(&["LOOKING FOR", "rufus"]);
    t.press_at_once("u l l a enter")
        .hears("✓ CHECKED IN  Ulla Lindqvist");
    t.network().release();
    t.network().release();
    t.settle()
        .expect_banner(&["CHECKED IN", "Quentin Blake"])
        .expect_head("! 1 needs attention: ctrl-t");
    assert_eq!(t.rings(), 1);
    t.database().guest("Quentin Blake").is_checked_in();
    t.database().guest("Ulla Lindqvist").is_checked_in();
    assert_eq!(t.database().here(), 4);
}

#[test]
fn at_a_large_event_enter_waits_for_the_host_s_answer() {
    let school = School::new().with_crowd("Stadium", 1200);
    school.add_guests("Stadium", &["Abel Zimmer", "Zimmer, Zoë"]);
    let mut t = school.desk(Role::Staff).knowing_a_part().at("Stadium");
    // Of the two, only Abel is among the loaded guests.
    t.type_text("zimmer")
        .expect_row(selected("Abel Zimmer"))
        .press("enter")
        .expect_banner(&["WHICH ONE?", "2 guests match “zimmer”"]);
    assert_eq!(t.database().here(), 0);
    t.enter("zimmer z")
        .expect_banner(&["CHECKED IN", "Zimmer, Zoë"]);
    t.database().guest("Abel Zimmer").is_not_checked_in();
}

#[test]
fn a_host_that_cannot_be_asked_does_not_swallow_enter() {
    let mut t = at_a_shaky_door();
    t.network().go_down();
    t.enter("quentin")
        .expect_banner(&["NOT FOUND HERE", "quentin", "the host cannot be asked"]);
    t.enter("ulla")
        .expect_banner(&["WAITING", "Ulla Lindqvist"]);
}

#[test]
fn esc_by_reflex_does_not_leave_the_desk() {
    let mut t = at_the_door();
    t.type_text("ul")
        .press("esc")
        .expect_title("12 on this desk ✓")
        .press("esc")
        .expect_toast("ctrl-q leaves the desk")
        .enter("ezoe")
        .expect_banner(&["NOBODY BY THAT NAME", "ezoe"]);
    t.press("esc ctrl-q")
        .expect_head("Today and coming up")
        .expect_row(selected(LAUNCH));
}
