//! Read-only: commands that write are hidden until they are allowed again.

use frontdesk_protocol::Role;
use frontdesk_tests::{School, at_the_door, row, selected};

#[test]
fn what_writes_is_hidden_until_it_is_allowed_again() {
    let mut t = at_the_door();
    t.expect_keys("check in").press("f8");
    t.expect_toast("Read-only: commands that write are hidden, and waiting check-ins are kept")
        .expect_path("read-only")
        .text_snapshot("read_only_desk");
    t.search("zoë").expect_row(selected("Zoë Müller"));
    t.press("enter")
        .expect_toast("Read-only mode is on; f8 turns it off");
    t.database().guest("Zoë Müller").is_not_checked_in();
    t.press("f8").expect_toast("Writing is allowed again");
    t.press("enter");
    t.database().guest("Zoë Müller").is_checked_in();
}

#[test]
fn tools_that_write_are_not_listed() {
    let mut t = School::launch().desk(Role::Owner).read_only().at_home();
    t.press("t").expect_row(row("list_members"));
    t.expect_no("create_member")
        .text_snapshot("read_only_tools");
    t.press("/").type_text("check_in_guest");
    t.expect_no("▸ events check_in_guest");
    t.press("esc esc :");
    t.type_text("check_in_guest");
    t.expect_no("events check_in_guest");
    t.press("esc");
    // Started with the option, it cannot be turned off.
    assert!(
        t.cannot_run("app.read_only")
            .contains("started with --read-only")
    );
}
