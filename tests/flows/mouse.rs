//! The mouse: a click selects and opens, the wheel scrolls.

use frontdesk_protocol::Role;
use frontdesk_tests::{row, selected};

use crate::flows::board::museum;
use crate::flows::programs::{at_the, fellowship};

#[test]
fn a_click_selects_a_row_and_a_second_one_opens_it() {
    let mut t = at_the(&museum(), Role::Staff, "tasks (work");
    let task = "RS-2 Half price";
    t.click(task).expect_row(selected("Half price"));
    t.click(task).expect_head("Half price  task");
    // A hint of the footer is a button, and a tab is one, too.
    t.click("esc back").expect_row(selected("Half price"));
    t.wheel(true).expect_row(selected("RS-4"));
    t.wheel(false).expect_row(selected("RS-1"));
}

#[test]
fn a_card_a_tab_and_an_item_of_a_menu_are_clicked() {
    let mut t = museum().desk(Role::Staff).size(160, 40).at_home();
    t.go_to("board");
    t.click("RS-3").expect_row(selected("RS-3"));
    t.press("=").click("blocked").click("blocked");
    t.expect_toast("Set “Paint the hall” to blocked")
        .expect_row(row("! blocked"));
    let mut t = at_the(&fellowship(), Role::Owner, "programs");
    t.press("enter").click(" Facts ").expect_title("Facts");
    t.click(" Tree ").expect_row(selected("Fellowship"));
}
