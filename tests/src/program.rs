//! The programs themselves, as a user runs them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use serde_json::Value;

/// The folders and files of the workspace that a program is built from.
const SERVER: [&str; 5] = [
    "Cargo.toml",
    "Cargo.lock",
    "fixtures",
    "protocol",
    "mcp-server",
];
const APP: [&str; 1] = ["tui"];

/// The program of this name. Cargo builds it with the workspace's tests, and not with a test that is selected alone:
/// a program older than its sources is built here, once.
///
/// # Panics
/// If it cannot be built.
pub fn program(name: &str) -> PathBuf {
    static CHECKED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let test = std::env::current_exe().expect("this test is a file");
    // target/debug/deps/terminal-…
    let directory = test.ancestors().nth(2).expect("a target directory");
    let program = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut checked = CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
    if checked.insert(program.clone()) {
        // Cargo leaves a program as it is whose own sources did not change: this file remembers that it was asked.
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

/// Whether a program is newer than its sources, or cargo was asked since they changed.
fn is_current(program: &Path, asked: &Path, sources: &[PathBuf]) -> bool {
    let built = modified(program);
    let changed = sources.iter().filter_map(|source| changed(source)).max();
    built.is_some() && built.max(modified(asked)) >= changed
}

/// When a file was written last; none if missing.
fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}

/// When a file, or one below a directory, was written last.
fn changed(path: &Path) -> Option<SystemTime> {
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let below = entries.map(|entry| changed(&entry.path()));
    below.max().flatten().max(modified(path))
}

/// Builds a program in the profile of this directory, with the features that the workspace's tests have.
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
        // What cargo says to a test about its package is nothing to other packages.
        let own = variable.to_string_lossy();
        if own.starts_with("CARGO_PKG_") || own.starts_with("CARGO_MANIFEST_") {
            command.env_remove(variable);
        }
    }
    let status = command.status().expect("cargo runs");
    assert!(status.success(), "cargo could not build {name}: {status}");
}

/// Whether a variable of the environment configures one of the programs.
pub fn configures(variable: &OsStr) -> bool {
    let name = variable.to_string_lossy();
    ["FRONTDESK_", "XDG_", "NO_COLOR", "RUST_"]
        .iter()
        .any(|kind| name.starts_with(kind))
}

/// The program's command line, in an environment that configures nothing.
///
/// # Panics
/// If the program is not there.
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
/// If it does not run.
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
    /// If what it wrote is no text.
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
    /// If it failed, or wrote something else.
    pub fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// It failed with this code, wrote no result, and said this.
    ///
    /// # Panics
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
