//! `frontdesk play`: tapes at the demo and at a service.

use std::fs;
use std::path::PathBuf;

use frontdesk_protocol::Role;
use frontdesk_tests::program::{Ended, command};
use frontdesk_tests::run;
use tempfile::TempDir;

use crate::commands::stage::Stage;

/// The repository's tapes.
const TAPES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tapes");

/// A folder for tapes and their screens.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn tape(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, text).expect("is written");
        path.to_str().expect("text").to_owned()
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

/// Plays without the configuration of the user who runs the test.
fn play(arguments: &[&str]) -> Ended {
    let home = tempfile::tempdir().expect("a directory");
    let mut command = command("frontdesk", &["play", "--home"]);
    command.arg(home.path()).args(arguments);
    command.env("HOME", home.path());
    Ended::of(command.output().expect("it runs"))
}

fn tapes() -> Vec<String> {
    let files = fs::read_dir(TAPES).expect("the tapes");
    let paths = files.map(|file| file.expect("a file").path());
    let tapes = paths.filter(|path| path.extension().is_some_and(|it| it == "tape"));
    let mut tapes: Vec<_> = tapes.map(|path| path.display().to_string()).collect();
    tapes.sort();
    tapes
}

#[test]
fn the_tapes_of_the_repository_show_the_stored_screens() {
    let tapes = tapes();
    let mut arguments = vec!["--demo"];
    arguments.extend(tapes.iter().map(String::as_str));
    let updates = std::env::var_os("UPDATE_REFERENCE").is_some();
    if updates {
        arguments.push("--update");
    }
    let ended = play(&arguments);
    assert_eq!(
        ended.code,
        Some(0),
        "UPDATE_REFERENCE=1 cargo test --workspace --test suite commands::play stores new screens\n{}\n{}",
        ended.stdout,
        ended.stderr
    );
    assert_eq!(ended.stdout.matches("ok      ").count(), tapes.len());
}

#[test]
fn a_screen_is_stored_compared_and_shown_where_it_differs() {
    let stage = Stage::of(Role::Staff);
    let folder = Folder::new();
    let tape = folder.tape(
        "events.tape",
        "Set Width 90 Set Height 20 Set Clock 2025-03-12T09:45Z\n\
         Type ':' Type events Enter\nScreenshot events\nExpect /Launch/\n\
         Region Path\nScreenshot path.txt\nOutput end.svg",
    );
    let ended = stage.frontdesk(&["play", &tape]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("events.tape:3:1  Screenshot events\n  not stored: "),
        "{ended:?}"
    );
    assert!(!folder.path("events.txt").exists(), "only --update writes");

    let ended = stage.frontdesk(&["play", "--update", &tape]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let names = ["events.txt", "events.ansi", "events.svg", "path.txt"];
    let stored = names.map(|name| folder.text(name));
    assert!(stored[0].contains("Launch"), "{}", stored[0]);
    assert!(stored[1].contains("\x1b[0"), "{}", stored[1]);
    assert!(stored[2].starts_with("<svg "), "{}", stored[2]);
    assert_eq!(stored[3].lines().count(), 1);

    // The second run is the same to the byte.
    let report = folder.path("flows.xml");
    let report = report.to_str().expect("text");
    let ended = stage.frontdesk(&["play", "--junit", report, &tape]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(ended.stdout, format!("ok      {tape}  4 checks\n"));
    let xml = folder.text("flows.xml");
    assert!(
        xml.contains("tests=\"4\" skipped=\"0\" failures=\"0\""),
        "{xml}"
    );

    // A stored screen that is another one.
    fs::write(
        folder.path("events.txt"),
        stored[0].replace("Launch", "Dinner"),
    )
    .expect("is written");
    let ended = stage.frontdesk(&["play", "--junit", report, &tape]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(ended.stderr, "frontdesk: 1 of 1 tapes failed\n");
    let lines: Vec<_> = ended.stdout.lines().map(str::trim_start).collect();
    for (sign, name) in [('-', "Dinner"), ('+', "Launch")] {
        let mut lines = lines.iter();
        let is_shown = lines.any(|line| line.starts_with(sign) && line.contains(name));
        assert!(is_shown, "{sign}{name}: {ended:?}");
    }
    let xml = folder.text("flows.xml");
    assert!(
        xml.contains("tests=\"4\" skipped=\"0\" failures=\"1\""),
        "{xml}"
    );
    assert!(xml.contains("name=\"line 3: Screenshot events\""), "{xml}");
}

#[test]
fn what_is_expected_and_not_seen_fails_with_the_screen() {
    let stage = Stage::of(Role::Staff);
    let folder = Folder::new();
    let tape = folder.tape(
        "home.tape",
        "Expect /Closing night/\nExpect /Opening night/\nWait@1ms /Encore/\nExpect /never asked/\n",
    );
    let ended = stage.frontdesk(&["play", &tape]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("home.tape:1:1  Expect /Closing night/"),
        "{ended:?}"
    );
    for missing in ["/Closing night/", "/Opening night/"] {
        let missing = format!("not on the screen: {missing}");
        assert!(ended.stdout.contains(&missing), "{ended:?}");
    }
    assert!(
        ended.stdout.contains("Signed in as staff@"),
        "the screen is shown: {ended:?}"
    );
    assert!(
        !ended.stdout.contains("never asked"),
        "without what it waits for, it ends: {ended:?}"
    );
}

#[test]
fn a_mistake_is_reported_before_anything_is_played() {
    let folder = Folder::new();
    let good = folder.tape("good.tape", "Enter\n");
    let bad = folder.tape("bad.tape", "Type \"a\"\n  Entr 2\n");
    let ended = play(&["--demo", &good, &bad]);
    ended.fails(
        2,
        "bad.tape:2:3: there is no command `Entr`; did you mean `Enter`?",
    );
    let missing = folder.path("missing.tape");
    play(&["--demo", missing.to_str().expect("text")]).fails(1, "missing.tape: No such file");
}

#[test]
fn a_tape_is_played_at_a_service_as_the_user_who_is_signed_in() {
    let stage = Stage::of(Role::Staff);
    run(stage.organization.guests(stage.event, &["Zoë Müller"]));
    let folder = Folder::new();
    let tape = folder.tape(
        "desk.tape",
        "Type ':' Type events Enter\nWait /Launch/\nRegion Path\nExpect /· staff/\n",
    );
    let ended = stage.frontdesk(&["play", &tape]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let at = stage.frontdesk(&["play", "--server", "http://127.0.0.1:9", &tape]);
    assert_ne!(at.code, Some(0), "{at:?}");
    let account = folder.tape("account.tape", "Set Account finance\nEnter\n");
    let ended = stage.frontdesk(&["play", &account]);
    ended.fails(2, "`Set Account finance` needs --demo");
}

#[test]
fn an_app_that_has_ended_takes_no_more_keys() {
    let stage = Stage::of(Role::Staff);
    let folder = Folder::new();
    let tape = folder.tape("quit.tape", "Type q\nType a\n");
    let ended = stage.frontdesk(&["play", &tape]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(
        ended
            .stdout
            .contains("quit.tape:2:1  Type a\n  the app has ended before this step"),
        "{ended:?}"
    );
}
