//! The programs themselves, as a user runs them.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

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

/// The command line of `frontdesk-server`, which logs.
pub fn server(arguments: &[&str]) -> Command {
    let mut command = command("frontdesk-server", arguments);
    command.env("RUST_LOG", "info");
    command
}

/// Runs `frontdesk-server` to its end.
///
/// # Panics
/// Where it does not run.
pub fn run_server(arguments: &[&str]) -> Ended {
    Ended::of(server(arguments).output().expect("it runs"))
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it wrote.
    pub stdout: String,
    /// What it said beside.
    pub stderr: String,
}

impl Ended {
    /// The end of a program that ran like this.
    ///
    /// # Panics
    /// Where what it wrote is no text.
    pub fn of(output: Output) -> Ended {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// What it wrote to stdout, as JSON.
    ///
    /// # Panics
    /// Where it failed, or wrote something else.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It failed with this code, wrote no result, and said this.
    ///
    /// # Panics
    /// Where it did not.
    #[track_caller]
    pub fn fails(&self, code: i32, said: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "stdout is the result and nothing else");
        assert!(self.stderr.starts_with("frontdesk: "), "{self:?}");
        assert!(self.stderr.contains(said), "{said} is not in {self:?}");
    }
}
