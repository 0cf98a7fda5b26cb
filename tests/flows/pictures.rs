//! The pictures of the README, drawn from the screens themselves.

use frontdesk_protocol::Role;
use frontdesk_tests::{LAUNCH, School, row};

use crate::board::museum;
use crate::programs::{at_the, fellowship};
use crate::removal::weekly;

#[test]
fn the_check_in_desk() {
    let mut t = School::launch().desk(Role::Staff).size(100, 24).at(LAUNCH);
    t.type_text("asa").press("enter").seconds(75);
    t.type_text("zoe").press("enter");
    t.expect_banner(&["CHECKED IN", "Zoë Müller"])
        .picture("desk");
}

#[test]
fn what_removing_a_series_would_do() {
    let school = weekly();
    let mut t = school.at_removal();
    t.resize(100, 24)
        .expect_head("Weekly leaders")
        .picture("removal");
}

#[test]
fn a_program() {
    let mut t = at_the(&fellowship(), Role::Owner, "programs");
    t.press("enter").resize(100, 24);
    t.expect_row(row("Meet the house")).picture("program");
}

#[test]
fn the_board() {
    let mut t = museum().desk(Role::Staff).size(120, 24).at_home();
    t.press(":").type_text("board").press("enter");
    t.expect_row(row("Call the bank")).picture("board");
}
