//! Keys typed faster than the hosts answer.

use frontdesk_protocol::Role;
use frontdesk_tests::{Mode, School, row};
use serde_json::json;

use crate::flows::programs::add;

/// Opens the last program and adds to it.
const BURST: &str = ": p r o g r a m s enter G enter a";

/// A school with two programs.
fn with_programs() -> School {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    for name in ["Pottery", "Weaving"] {
        let program = add(&mut owner, "create_program", json!({ "name": name }));
        let stage = json!({ "program_id": program["id"], "title": "Arrival" });
        add(&mut owner, "create_stage", stage);
    }
    school
}

#[test]
fn a_burst_of_keys_does_what_they_do_one_by_one() {
    let school = with_programs();
    let mut slow = school.desk(Role::Owner).at_home();
    slow.press(BURST).expect_path("› Add");
    let mut fast = school.desk(Role::Owner).at_home();
    fast.press_at_once(BURST).settle();
    assert_eq!(fast.screen(), slow.screen());
}

#[test]
fn esc_drops_the_keys_that_wait() {
    let school = with_programs();
    let mut t = school.desk(Role::Owner).over_a_network().at_home();
    t.network().set_for("list_programs", Mode::Hold);
    t.press_at_once(BURST).expect_keys("3 keys wait");
    t.press_at_once("esc").expect_keys("? help");
    t.network().release();
    t.settle().expect_title(" 2 programs ");
}

#[test]
fn nothing_is_sent_by_a_key_that_was_typed_ahead() {
    let school = with_programs();
    let mut t = school.desk(Role::Owner).at_home();
    t.press_at_once(&format!("{BURST} X ctrl-s y")).settle();
    t.expect_toast("ctrl-s was ignored: it would act on what was not on screen yet")
        .expect_path("› Add");
    assert_eq!(t.database().count("learn.milestones where true"), 0);
    t.press("ctrl-s").expect_toast("Added");
}

#[test]
fn a_question_is_not_answered_before_it_is_on_screen() {
    let school = School::new();
    let mut owner = school.colleague(Role::Owner);
    let article = json!({ "title": "Handbook", "slug": "handbook", "status": "published" });
    add(&mut owner, "create_wiki_article", article);
    let mut t = school.desk(Role::Owner).at_home();
    t.go_to("wiki").press("enter");
    t.press_at_once("A y").settle();
    t.expect_toast("y was ignored").expect_head("✓ published");
    t.expect_row(row("Archive “Handbook”?")).press("y");
    t.expect_toast("Handbook is archived now");
}
