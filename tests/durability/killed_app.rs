//! `kill -9` ends the app, which cannot clean up. What it started ends as well.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use frontdesk_tests::program::command;

/// Holds the pipe with this name open, as a program that it starts does; ends neither with its stdin nor when it is asked
/// to.
const STUBBORN: &str = "exec 3>\"$0\"; trap '' TERM; echo up >&3; while :; do sleep 60; done";
/// Far longer than it takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(super) fn kill_9_leaves_no_process_of_a_server_behind() {
    let directory = tempfile::tempdir().expect("a directory");
    let pipe = directory.path().join("pipe").display().to_string();
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let mut app = command("frontdesk", &["tools", "--", "sh", "-c", STUBBORN, &pipe]);
    let app = app.env("HOME", directory.path()).stdout(Stdio::null());
    let mut app = app.stderr(Stdio::null()).spawn().expect("it starts");

    let (said, heard) = channel();
    std::thread::spawn(move || {
        let server = File::open(&pipe).expect("a server");
        BufReader::new(server)
            .lines()
            .try_for_each(|line| said.send(line.expect("text")))
    });
    assert_eq!(heard.recv_timeout(PATIENCE).as_deref(), Ok("up"));
    app.kill().expect("it is killed");
    app.wait().expect("it has ended");
    // The pipe ends with the last process that holds it.
    let end = heard.recv_timeout(PATIENCE);
    assert_eq!(end, Err(RecvTimeoutError::Disconnected));
}
