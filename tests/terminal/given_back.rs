//! The terminal is restored when the program ends or panics, and while it is stopped.

use std::path::Path;

use frontdesk::Launch;
use frontdesk_client::{Addresses, Client, Config, CredentialStore, Journal, Trace, paths};
use frontdesk_tests::world;
use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use crate::terminal::program::{Stage, plain};
use crate::terminal::tty::Tty;

/// Gives the program of a panic, a test of this file, the address of the hosts.
const URL: &str = "TEST_URL";

#[test]
fn a_terminal_that_cannot_show_the_app_gets_a_sentence() {
    let stage = Stage::signed_in();
    let mut dumb = stage.frontdesk();
    dumb.env("TERM", "dumb");
    for (command, size, sentence) in [
        (dumb, (80, 24), "TERM is “dumb”"),
        (stage.frontdesk(), (0, 0), "the terminal has no size"),
    ] {
        let mut tty = Tty::start_in(command, size.0, size.1);
        tty.wait_for(sentence);
        assert!(!tty.screen().alternate_screen());
        assert_ne!(tty.end().exit_code(), 0);
    }
}

#[test]
fn ctrl_c_leaves_at_once() {
    let stage = Stage::signed_in();
    let mut tty = Tty::start(stage.frontdesk());
    tty.wait_for("▸ Launch");
    tty.type_text("\x03");
    assert_eq!(tty.end().exit_code(), 0);
}

#[test]
fn a_signal_that_ends_the_program_gives_the_terminal_back() {
    for how in [Signal::TERM, Signal::HUP, Signal::INT] {
        let stage = Stage::signed_in();
        let mut tty = Tty::start(stage.frontdesk());
        tty.wait_for("▸ Launch");
        assert!(tty.is_raw());
        tty.signal(how);
        assert_eq!(tty.end().exit_code(), 0, "{how:?}");
    }
}

#[test]
fn a_panic_restores_the_terminal_and_is_reported_there() {
    let stage = Stage::signed_in();
    let this = std::env::current_exe().expect("this test is a file");
    let mut command = plain(&this, stage.directory.path());
    command.args([
        "--exact",
        "--ignored",
        "--nocapture",
        "terminal::given_back::panics_at_the_screen",
    ]);
    command.env(URL, world().url());
    let mut tty = Tty::start(command);
    tty.wait_for("▸ Launch");
    assert!(tty.screen().alternate_screen() && tty.is_raw());
    tty.signal(Signal::USR1);
    tty.wait_for("on purpose");
    assert!(!tty.screen().alternate_screen());
    assert_ne!(tty.end().exit_code(), 0);
}

/// The app as the program runs it; it panics on request.
#[test]
#[ignore = "is run by the test above, in a terminal"]
fn panics_at_the_screen() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    let directory = std::env::var("HOME").expect("a directory");
    let url = std::env::var(URL).expect("an address");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("runs");
    runtime.block_on(async {
        let directory = Path::new(&directory);
        let store = CredentialStore::file(paths::credentials_file(directory));
        let addresses = Addresses::new(&url).expect("an address");
        let launch = Launch {
            trace: Trace::default(),
            client: Some(Client::new(addresses, store).expect("a client")),
            journal: Journal::open(paths::journal_file(directory)).expect("a journal"),
            config: Config::default(),
            config_file: None,
            api_key: "demo".to_owned(),
            exports: Vec::new(),
            editor: None,
            data: directory.to_owned(),
            is_trial: false,
            read_only: false,
            no_color: false,
        };
        let mut told = signal(SignalKind::user_defined1()).expect("a signal");
        tokio::select! {
            ended = frontdesk::run(launch) => panic!("it ended: {ended:?}"),
            _ = told.recv() => panic!("on purpose"),
        }
    });
}

#[test]
fn ctrl_z_lends_the_terminal_to_the_shell_and_fg_takes_it_back() {
    let stage = Stage::signed_in();
    let frontdesk = stage.frontdesk();
    let mut shell = plain(Path::new("/bin/sh"), stage.directory.path());
    let script = "\"$@\"; echo stopped; read line; fg >/dev/null; echo stopped again; read line; \
                  fg >/dev/null; echo \"ended with $?\"";
    shell.args(["-m", "-c", script, "sh"]);
    shell.args(frontdesk.get_argv());
    let mut tty = Tty::start(shell);
    tty.wait_for("▸ Launch");
    assert!(tty.is_raw());
    // The second time draws the same frame.
    for stopped in ["stopped", "stopped again"] {
        tty.type_text("\x1a");
        tty.wait("the shell", |screen| {
            !screen.alternate_screen() && screen.contents().contains(stopped)
        });
        assert!(!tty.is_raw() && !tty.screen().bracketed_paste());
        tty.type_text("\r");
        tty.wait("the app", |screen| {
            screen.alternate_screen() && screen.contents().contains("▸ Launch")
        });
        assert!(tty.is_raw());
    }
    tty.type_text("q");
    tty.wait_for("ended with 0");
    assert_eq!(tty.end().exit_code(), 0);
}
