//! The screen shows what was drawn last, and nothing of what was there before.

use frontdesk_tests::run;

use crate::terminal::program::Stage;
use crate::terminal::tty::Tty;

fn is_devanagari(char: char) -> bool {
    ('\u{900}'..='\u{97f}').contains(&char)
}

#[test]
fn nothing_of_a_long_letter_is_left_on_the_next_screen() {
    let stage = Stage::signed_in();
    let names = ["क्षितिज शर्मा", "ज्ञानेश्वर कुलकर्णी", "\u{301}\u{308}Mark"];
    run(stage.organization.guests(stage.event, &names));
    let mut tty = Tty::start(stage.frontdesk());
    tty.resize(120, 40);
    tty.wait_for("▸ Launch");
    tty.type_text("\r");
    tty.wait_for("शर्मा");
    tty.wait_for("Mark");
    // ctrl-k opens the commands over the list, and ctrl-q leaves the desk. The arrow is between, because a scanner could have
    // sent both the end of a code and what follows it at once.
    tty.type_text("\x1b[B\x0b");
    tty.wait_for("What do you want to do?");
    assert!(!tty.screen().contents().contains('\u{301}'));
    tty.type_text("\x1b");
    tty.wait("the desk", |screen| {
        !screen.contents().contains("What do you want to do?")
    });
    tty.type_text("\x11");
    tty.wait("another screen", |screen| {
        let text = screen.contents();
        text.contains("Today and coming up") && !text.contains(is_devanagari)
    });
    tty.type_text("q");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn ctrl_l_draws_everything_again() {
    let stage = Stage::signed_in();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("▸ Launch");
    for (key, shown) in [
        ("", "▸ Launch"),
        (":", "What do you want to do?"),
        ("zzz", "zzz"),
    ] {
        tty.type_text(key);
        tty.wait_for(shown);
        tty.disturb("\x1b[2J\x1b[5;5HSomebody is logged in");
        tty.type_text("\x0c");
        tty.wait("the screen", |screen| {
            let text = screen.contents();
            text.contains(shown) && !text.contains("Somebody")
        });
    }
    tty.type_text("\x03");
    assert_eq!(tty.end().exit_code(), 0);
}
