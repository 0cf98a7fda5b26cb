//! Frontdesk's binaries, run as a user runs them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::Value;

/// The folders and files of the workspace from which a binary is built.
const SERVER: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    "fixtures",
    "protocol",
    "mcp-server",
];
const APP: [&str; 1] = ["tui"];

/// The path of this binary. Cargo builds it with the workspace's tests, but not with a single
/// selected test: a binary older than its sources is built here, once.
///
/// # Panics
///
/// If it cannot be built.
pub fn program(name: &str) -> PathBuf {
    static CHECKED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let directory = &built();
    let program = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if checked.insert(program.clone()) {
        // Cargo does not touch a binary if its own sources are unchanged: this file records the
        // last build.
        let asked = directory.join(format!(".{name}-asked"));
        let now = SystemTime::now();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let sources = SERVER
            .iter()
            .chain(APP.iter().filter(|_| name == "frontdesk"));
        let sources: Vec<_> = sources.map(|source| root.join(source)).collect();
        if !is_current(&program, &asked, &sources) {
            build(&root, name, directory);
            let stamp = File::create(&asked).and_then(|file| file.set_modified(now));
            stamp.expect("the target directory can be written to");
        }
    }
    program
}

/// The directory of this build, such as `target/debug`.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this test is a file");
    // target/debug/deps/terminal-…
    let directory = test.ancestors().nth(2);
    directory.expect("a target directory").to_owned()
}

/// Whether a binary, or the last build, is newer than its sources.
fn is_current(program: &Path, asked: &Path, sources: &[PathBuf]) -> bool {
    let built = modified(program);
    let changed = sources.iter().filter_map(|source| changed(source)).max();
    built.is_some() && built.max(modified(asked)) >= changed
}

/// A file's time of modification; `None` if it does not exist.
fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// The latest modification of a file or of the files below a directory.
fn changed(path: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let below = entries.map(|entry| changed(&entry.path()));
    below.max().flatten().max(modified(path))
}

/// Builds a binary in the profile of this directory, with the features of the workspace's tests.
fn build(root: &Path, name: &str, directory: &Path) {
    let profile = directory.file_name().and_then(OsStr::to_str);
    let profile = match profile.expect("a profile") {
        "debug" => "dev",
        profile => profile,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "build",
            "--quiet",
            "--workspace",
            "--bin",
            name,
            "--profile",
            profile,
        ])
        .current_dir(root);
    for (variable, _) in std::env::vars_os() {
        // Cargo's variables about the test's package do not apply to other packages, and what makes a test tell its time
        // (.ci/timed) builds the crates below us again.
        let own = variable.to_string_lossy();
        if own.starts_with("CARGO_PKG_")
            || own.starts_with("CARGO_MANIFEST_")
            || own == "RUSTC_BOOTSTRAP"
        {
            command.env_remove(variable);
        }
    }
    let status = command.status().expect("cargo runs");
    assert!(status.success(), "cargo could not build {name}: {status}");
}

/// Whether an environment variable configures one of the binaries.
pub fn configures(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy();
    ["FRONTDESK_", "XDG_", "NO_COLOR", "RUST_"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// The binary's command line, without environment variables that configure it.
///
/// # Panics
///
/// If the binary does not exist.
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

/// The command line of `frontdesk-server`, with its log.
pub fn server(arguments: &[&str]) -> Command {
    let mut command = command("frontdesk-server", arguments);
    command.env("RUST_LOG", "info");
    command
}

/// Runs `frontdesk-server` until it exits.
///
/// # Panics
///
/// If it does not start.
pub fn run_server(arguments: &[&str]) -> Ended {
    Ended::of(server(arguments).output().expect("it runs"))
}

/// The result of a run.
#[derive(Debug)]
pub struct Ended {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// The standard output.
    pub stdout: String,
    /// The standard error.
    pub stderr: String,
}

impl Ended {
    /// The result of this run.
    ///
    /// # Panics
    ///
    /// If the output is not UTF-8.
    pub fn of(output: Output) -> Ended {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The standard output as JSON.
    ///
    /// # Panics
    ///
    /// If the run failed, or the output is not JSON.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Asserts that the run failed with this code, without a result, and with this message.
    ///
    /// # Panics
    ///
    /// If it did not.
    #[track_caller]
    pub fn fails(&self, code: i32, said: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert_eq!(self.stdout, "", "stdout is the result and nothing else");
        assert!(self.stderr.starts_with("frontdesk: "), "{self:?}");
        assert!(self.stderr.contains(said), "{said} is not in {self:?}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_program_is_current_unless_a_source_is_newer() {
        let directory = tempfile::tempdir().expect("a directory");
        let [program, asked, source] =
            ["program", "asked", "src/a/main.rs"].map(|name| directory.path().join(name));
        let sources = [directory.path().join("src")];
        let write = |file: &Path, at: u64| {
            std::fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
            let at = SystemTime::now() + Duration::from_secs(at);
            let file = File::create(file).expect("a file");
            file.set_modified(at).expect("its time");
        };
        write(&source, 10);
        let is_current = || is_current(&program, &asked, &sources);
        assert!(!is_current(), "the program is missing");
        write(&asked, 30);
        assert!(!is_current(), "it is missing although cargo was asked");
        write(&program, 20);
        assert!(is_current());
        write(&source, 25);
        assert!(is_current(), "cargo was asked since");
        write(&source, 35);
        assert!(!is_current());
        write(&program, 40);
        assert!(is_current());
    }
}
