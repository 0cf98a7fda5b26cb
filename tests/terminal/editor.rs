//! The terminal while the user's editor has it.

use std::path::PathBuf;

use portable_pty::CommandBuilder;
use rustix::process::Signal;

use crate::terminal::program::Stage;
use crate::terminal::tty::Tty;

/// The program with this script as its editor, and a file for the script's output.
fn with_editor(stage: &Stage, script: &str) -> (CommandBuilder, PathBuf) {
    let left = stage.directory.path().join("left");
    let path = stage.directory.path().join("editor.sh");
    let script = script.replace("LEFT", &left.display().to_string());
    std::fs::write(&path, script).expect("is written");
    let mut command = stage.frontdesk();
    command.env("EDITOR", format!("sh {}", path.display()));
    (command, left)
}

/// Opens the description in the form of a new event.
fn at_the_description(tty: &mut Tty) {
    tty.wait_for("▸ Launch");
    tty.type_text("t");
    tty.wait_for("› Tools");
    tty.type_text("/");
    tty.wait_for("│/ ");
    tty.type_text("create_event");
    tty.wait_for("▸ events create_event ");
    tty.type_text("\r");
    tty.wait_for("› create_event");
    tty.type_text("\t\t");
    tty.wait_for("▸ Description");
}

#[test]
fn an_editor_has_the_terminal_and_gives_it_back_with_the_text() {
    let stage = Stage::signed_in();
    // It reads a line from the keyboard, as a simple program does.
    let script = "stty -a >LEFT; echo EDITOR IS READY; read line; echo \"$line\" >>\"$1\"; \
                  stat -c '%a %n' \"$1\" >>LEFT";
    let (command, left) = with_editor(&stage, script);
    let mut tty = Tty::start(command);
    at_the_description(&mut tty);
    tty.type_text("By hand: ");
    tty.wait_for("By hand:");
    tty.type_text("\x05");
    tty.wait("the editor", |screen| {
        !screen.alternate_screen() && screen.contents().contains("EDITOR IS READY")
    });
    assert!(!tty.is_raw() && !tty.screen().bracketed_paste());
    tty.type_text("typed in the editor\r");
    tty.wait("the app", |screen| {
        screen.alternate_screen() && screen.contents().contains("By hand: typed in the editor")
    });
    assert!(tty.is_raw() && tty.screen().bracketed_paste());
    // The app has the keyboard again.
    tty.type_text("!");
    tty.wait_for("typed in the editor!");
    let left = std::fs::read_to_string(left).expect("is left");
    assert!(
        left.contains(" icanon") && left.contains(" echo "),
        "{left}"
    );
    let file = left
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("600 "));
    let file = PathBuf::from(file.expect("its owner's alone"));
    assert!(!file.exists(), "{}", file.display());
    tty.type_text("\x03");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn an_editor_that_fails_or_is_missing_says_so_and_nothing_is_lost() {
    for (script, told) in [
        ("echo lost >\"$1\"; exit 7", "status 7"),
        ("no-such-editor \"$1\"", "no such program"),
    ] {
        let stage = Stage::signed_in();
        let (command, _) = with_editor(&stage, script);
        let mut tty = Tty::start(command);
        at_the_description(&mut tty);
        tty.type_text("Mine");
        tty.wait_for("Mine");
        tty.type_text("\x05");
        tty.wait_for(told);
        assert!(tty.screen().alternate_screen() && tty.is_raw());
        let screen = tty.screen().contents();
        assert!(
            screen.contains("Mine") && !screen.contains("lost"),
            "{screen}"
        );
        tty.type_text("\x03");
        assert_eq!(tty.end().exit_code(), 0);
    }
}

#[test]
fn ctrl_c_in_the_editor_is_not_the_end_of_the_app() {
    let stage = Stage::signed_in();
    let (command, _) = with_editor(&stage, "echo EDITOR IS READY; read line");
    let mut tty = Tty::start(command);
    at_the_description(&mut tty);
    tty.type_text("Mine");
    tty.wait_for("Mine");
    tty.type_text("\x05");
    tty.wait_for("EDITOR IS READY");
    tty.type_text("\x03");
    tty.wait("the app", |screen| {
        screen.alternate_screen() && screen.contents().contains("Mine")
    });
    tty.type_text("\x03");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn the_end_waits_for_the_editor() {
    let stage = Stage::signed_in();
    let (command, left) = with_editor(
        &stage,
        "echo EDITOR IS READY; read line; echo \"$line\" >LEFT",
    );
    let mut tty = Tty::start(command);
    at_the_description(&mut tty);
    tty.type_text("\x05");
    tty.wait_for("EDITOR IS READY");
    tty.signal(Signal::TERM);
    tty.type_text("still written\r");
    assert_eq!(tty.end().exit_code(), 0);
    assert_eq!(
        std::fs::read_to_string(left).expect("is left"),
        "still written\n"
    );
}
