//! A morning at the door, from the first key to the last.

use frontdesk_protocol::Role;
use frontdesk_tests::School;
use frontdesk_tests::builder::PASSWORD;
use vt100::{Cell, Color, MouseProtocolMode, Screen};

use crate::terminal::program::Stage;
use crate::terminal::tty::Tty;

#[test]
fn one_signs_in_checks_in_and_leaves_and_the_terminal_is_as_it_was() {
    let stage = Stage::set();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("Sign in to Frontdesk");
    assert!(tty.screen().alternate_screen());
    assert!(tty.screen().bracketed_paste());
    assert_ne!(tty.screen().mouse_protocol_mode(), MouseProtocolMode::None);
    assert!(tty.is_raw());

    tty.type_text(&format!(
        "{}\t{PASSWORD}\r",
        stage.organization.email(Role::Staff)
    ));
    tty.wait_for("▸ Launch");
    tty.type_text("\r");
    tty.wait_for("2 on this desk ✓");
    tty.type_text("zoe");
    tty.wait_for("╭ 1 found");
    // Enter alone, as soon as this test presses it, would be a scanner's.
    tty.type_text("\x1b[B\r");
    tty.wait_for("✓ CHECKED IN  Zoë Müller");
    assert_eq!(stage.here(), 1);

    // A scanner that pastes.
    let ulla = School::of(&stage.organization).guest("Ulla Lindqvist");
    tty.type_text(&format!("\x1b[200~{}\r\x1b[201~", ulla.id));
    tty.wait_for("✓ CHECKED IN  Ulla Lindqvist");
    assert_eq!(stage.here(), 2);

    // ctrl-q leaves the desk.
    tty.type_text("\x11");
    tty.wait_for("Today and coming up");
    tty.type_text("q");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn no_key_is_lost_that_comes_together_with_another_size() {
    let stage = Stage::signed_in();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("▸ Launch");
    for columns in 80..110 {
        tty.resize(columns, 24);
        tty.type_text("e");
        tty.wait_for(" 1 event ");
        tty.resize(columns, 25);
        tty.type_text("\x1b");
        tty.wait_for("Today and coming up");
    }
    tty.type_text("q");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn the_screen_follows_the_window() {
    let stage = Stage::signed_in();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("▸ Launch");
    tty.resize(50, 12);
    tty.wait_for("This terminal is too small.");
    tty.resize(120, 40);
    tty.wait_for("▸ Launch");
    tty.type_text("q");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn colours_are_those_for_the_background_that_the_terminal_reports() {
    let stage = Stage::signed_in();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("▸ Launch");
    assert!(tty.asks_background);
    tty.type_text("e\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\");
    tty.wait_for(" 1 event ");
    let key = |screen: &Screen| screen.cell(23, 0).map(Cell::fgcolor);
    tty.wait("a dark key", |screen| key(screen) == Some(Color::Idx(24)));
    tty.type_text("\x1b");
    tty.wait_for("Today and coming up");
    tty.type_text("q");
    assert_eq!(tty.end().exit_code(), 0);
}
