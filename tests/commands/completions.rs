//! `frontdesk completions`, and the completions that shells get.

use frontdesk_protocol::Role;
use frontdesk_tests::program;
#[cfg(unix)]
use frontdesk_tests::{Pty, program::program};

use crate::commands::stage::Stage;

/// The completions of the last word.
fn offered(words: &[&str]) -> Vec<String> {
    let mut command = program::command("frontdesk", &["--", "frontdesk"]);
    command.args(words);
    command.env("COMPLETE", "bash");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    command.env("_CLAP_IFS", "\n");
    let output = command.output().expect("it runs");
    let offered = String::from_utf8(output.stdout).expect("text");
    offered.lines().map(str::to_owned).collect()
}

#[test]
fn hosts_tools_arguments_and_words_are_offered() {
    assert_eq!(offered(&["call", "wo"]), ["work"]);
    assert_eq!(
        offered(&["describe", "events", "get_event_g"]),
        ["get_event_guest"]
    );
    assert_eq!(
        offered(&["call", "work", "merge_meetings", "canon"]),
        ["canonical_meeting_id="]
    );
    assert_eq!(
        offered(&["call", "work", "set_meeting_template", "template="]),
        ["template=default", "template=weekly_leaders"]
    );
    assert!(offered(&["comp"]).contains(&"completions".to_owned()));
}

#[test]
fn each_shell_gets_its_script_and_man_its_page() {
    let stage = Stage::of(Role::Staff);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = stage.frontdesk(&["completions", shell]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.stdout.contains("frontdesk"), "{shell}");
    }
    let ended = stage.frontdesk(&["man"]);
    assert!(ended.stdout.contains(".SH SYNOPSIS"), "{ended:?}");
    let ended = stage.frontdesk(&["man", "call"]);
    assert!(ended.stdout.contains("\\-\\-token\\-env"), "{ended:?}");
    stage
        .frontdesk(&["man", "cal"])
        .fails(2, "there is no command `cal`; did you mean `call`?");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_str().expect("text");
    let ended = stage.frontdesk(&["man", "--dir", path]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(directory.path().join("frontdesk-call.1").exists());
}

#[cfg(unix)]
#[test]
fn bash_completes_the_words_of_an_argument_in_place() {
    use std::time::Duration;

    use portable_pty::CommandBuilder;

    let programs = program("frontdesk");
    let programs = programs.parent().expect("a directory").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut bash = CommandBuilder::new("bash");
    bash.args(["--norc", "--noprofile", "-i"]);
    bash.env("PATH", format!("{programs}:{path}"));
    let mut terminal = Pty::open(200, 24);
    let mut child = terminal.slave.spawn_command(bash).expect("bash starts");
    terminal
        .keyboard
        .type_text("source <(frontdesk completions bash)\n");
    terminal
        .keyboard
        .type_text("frontdesk call work set_meeting_template template=week\t");
    let mut shown = Vec::new();
    while !String::from_utf8_lossy(&shown).contains("ly_leaders") {
        let chunk = terminal.output.recv_timeout(Duration::from_secs(600));
        let (_, chunk) = chunk.unwrap_or_else(|_| {
            panic!("not completed:\n{}", String::from_utf8_lossy(&shown));
        });
        shown.extend(chunk);
    }
    child.kill().expect("bash ends");
}
