//! The app line by line, in a terminal that draws no screens.

use frontdesk_protocol::Role;
use frontdesk_tests::builder::PASSWORD;

use crate::terminal::program::Stage;
use crate::terminal::tty::Tty;

#[test]
fn one_signs_in_unseen_and_checks_in_line_by_line() {
    let stage = Stage::set();
    let mut command = stage.frontdesk();
    command.arg("--linear");
    command.env("TERM", "dumb");
    let mut tty = Tty::start(command);
    tty.resize(200, 100);
    tty.wait_for("On E-mail");
    tty.type_text(&format!("{}\n", stage.organization.email(Role::Staff)));
    tty.wait_for("On Password");
    while !tty.is_raw() {
        std::thread::yield_now();
    }
    tty.type_text(&format!("{PASSWORD}\n"));
    tty.wait_for("••••");
    tty.type_text("\n");
    tty.wait_for("1. Launch");
    tty.type_text("1\n");
    tty.wait_for("2 on this desk ✓");
    tty.type_text("zoe\n");
    tty.wait_for("On 1. ○ not yet, Zoë Müller");
    tty.type_text("\n");
    tty.wait_for("✓ CHECKED IN, Zoë Müller");
    assert_eq!(stage.here(), 1);
    let contents = tty.screen().contents();
    assert!(!contents.contains(PASSWORD), "{contents}");
    // The end of the input ends the app.
    tty.type_text("\x04");
    assert_eq!(tty.end().exit_code(), 0);
}
