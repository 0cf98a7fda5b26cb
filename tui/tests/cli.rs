//! The command line, as a shell sees it. That there is a test here also makes cargo build the
//! program for `cargo test`, which the tests in a terminal run.

use std::process::{Command, Output};

fn frontdesk(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .args(args)
        .output()
        .expect("it runs")
}

#[test]
fn the_version_is_told() {
    let output = frontdesk(&["--version"]);
    let told = format!("frontdesk {}\n", env!("CARGO_PKG_VERSION"));
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout), told);
}

#[test]
fn wrong_usage_is_said_on_stderr_with_exit_code_2() {
    let output = frontdesk(&["--no-such-option"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--no-such-option"));
}

#[test]
fn without_a_terminal_there_is_no_app() {
    let directory = tempfile::tempdir().expect("a directory");
    let home = directory.path().to_str().expect("text");
    let output = frontdesk(&["--url", "http://127.0.0.1:1", "--home", home]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("terminal"));
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let output = Command::new(env!("CARGO_BIN_EXE_frontdesk"))
        .env("FRONTDESK_URL", OsStr::from_bytes(b"http://\xff"))
        .arg("hosts")
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(told, "frontdesk: the variable FRONTDESK_URL is not UTF-8\n");
}
