//! The programs themselves, as a user runs them.

use std::path::PathBuf;
use std::process::Command;

/// The program of this name, built by the same cargo command as the test or by an earlier one.
///
/// # Panics
/// Where it is not there.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    // target/debug/deps/terminal-…
    let profile = test.ancestors().nth(2).expect("a target directory");
    let program = profile.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let release = match profile.file_name().is_some_and(|name| name == "release") {
        true => " --release",
        false => "",
    };
    assert!(
        program.is_file(),
        "{} is not there: `cargo test --workspace{release}` builds it",
        program.display(),
    );
    program
}

/// Whether a variable of the environment configures one of the programs.
pub fn configures(variable: &std::ffi::OsStr) -> bool {
    let name = variable.to_string_lossy();
    ["FRONTDESK_", "XDG_", "NO_COLOR", "RUST_"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// The program's command line, in an environment that configures nothing.
///
/// # Panics
/// Where the program is not there.
pub fn command(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program(name));
    for (variable, _) in std::env::vars_os() {
        if configures(&variable) {
            command.env_remove(variable);
        }
    }
    command.args(arguments);
    command
}
