//! The command lines of the README and of the pages for operators.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use frontdesk_tests::{prepared, program};

const PAGES: [(&str, &str); 2] = [
    ("README.md", include_str!("../../README.md")),
    ("docs/operate.md", include_str!("../../docs/operate.md")),
];
/// What stands in for the programs of a machine. They fail if a file that they are given is missing.
const STAND_INS: [(&str, &str); 9] = [
    ("sudo", "[ \"$1\" = -u ] && shift 2; exec \"$@\""),
    (
        "install",
        "for one; do shift; [ $# = 0 ] && exit 0; case $one in -*) ;; *) [ -e \"$one\" ];; esac; done",
    ),
    (
        "cargo",
        "while [ \"$1\" != --path ]; do shift || exit 0; [ $# -gt 0 ] || exit 0; done\n\
         [ -f \"$2/Cargo.toml\" ]; mkdir -p ~/.cargo/bin; touch ~/.cargo/bin/frontdesk-server",
    ),
    ("docker", "[ \"$1\" != compose ] || [ -f \"$3\" ]"),
    ("man", "cat > /dev/null"),
    ("tee", "cat > /dev/null"),
    ("systemctl", ""),
    ("journalctl", ""),
    ("useradd", ""),
];
const OTHERS: [&str; 7] = [
    "curl",
    "python",
    "openssl",
    "apt-get",
    "dpkg",
    "etcdctl",
    "patronictl",
];

/// A directory in which the lines run.
struct Machine(tempfile::TempDir);

impl Machine {
    fn new() -> Machine {
        let machine = Machine(tempfile::tempdir().expect("a directory"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for name in ["tui", "mcp-server"] {
            symlink(root.join(name), machine.path(name)).expect("a link");
        }
        fs::create_dir(machine.path("docs")).expect("a directory");
        let copied = Command::new("cp")
            .arg("-r")
            .args([root.join("docs/deploy"), machine.path("docs")])
            .status();
        assert!(copied.expect("cp runs").success());
        fs::create_dir(machine.path("bin")).expect("a directory");
        for (name, lines) in STAND_INS {
            machine.program(name, lines);
        }
        for name in OTHERS {
            machine.program(name, "");
        }
        // The options are checked, and nothing is done.
        for name in ["frontdesk", "frontdesk-server"] {
            let lines = format!(
                "case \"$1\" in man|completions) exec {0} \"$@\";; esac\n\
                 args=(); for one; do [ \"$one\" = -- ] && break; args+=(\"$one\"); done\n\
                 exec {0} \"${{args[@]}}\" --help > /dev/null",
                program::program(name).display()
            );
            machine.program(name, &lines);
        }
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, name: &str, lines: &str) {
        let path = self.path("bin").join(name);
        fs::write(&path, format!("#!/bin/bash\nset -e\n{lines}\n")).expect("it is written");
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path, mode).expect("it can be run");
    }

    /// Runs these lines, and returns what is wrong.
    fn run(&self, lines: &str, path: &str) -> Result<(), String> {
        let ended = Command::new("/bin/bash")
            .args(["-euo", "pipefail", "-c", lines])
            .current_dir(self.0.path())
            .env_clear()
            .env("HOME", self.0.path())
            .env("PATH", path)
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&ended.stderr);
        match ended.status.success() {
            true => Ok(()),
            false => Err(format!("{lines}\n{} {said}", ended.status)),
        }
    }
}

/// The blocks of command lines.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut parts = page.split("\n```");
    parts.next();
    while let Some(block) = parts.next() {
        parts.next();
        let (language, lines) = block.split_once('\n').expect("lines");
        if matches!(language, "" | "sh") {
            // Where an example shows what is printed, the commands follow a `$`.
            let typed: Vec<_> = lines
                .lines()
                .filter_map(|line| line.strip_prefix("$ "))
                .collect();
            blocks.push(match typed.is_empty() {
                true => lines.to_owned(),
                false => typed.join("\n"),
            });
        }
    }
    blocks
}

/// The command of a line of cron, without its five times and its user.
fn scheduled(line: &str) -> Option<String> {
    let mut words = line.splitn(7, ' ');
    let is_time = words.next()?.chars().all(|c| c.is_ascii_digit());
    let command = words.nth(5)?;
    (is_time && line.contains(" * * * ")).then(|| command.replace("\\%", "%"))
}

#[test]
fn each_command_line_of_the_pages_can_be_run() {
    let machine = Machine::new();
    let path = format!("{}:/usr/bin:/bin", machine.path("bin").display());
    let mut wrong = Vec::new();
    let mut count = 0;
    for (page, text) in PAGES {
        for block in blocks(text) {
            if block.lines().any(|line| scheduled(line).is_some()) {
                continue;
            }
            count += 1;
            // The configuration that the page installs.
            let block = block.replace("/etc/frontdesk/server.toml", "docs/deploy/server.toml");
            if let Err(error) = machine.run(&block, &path) {
                wrong.push(format!("{page}: {error}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(count >= 12, "{count}");
}

#[test]
fn the_scheduled_backup_is_written_and_checked() {
    let machine = Machine::new();
    let database = machine.path("postgres");
    prepared::copy_to(&database);
    let config = machine.path("server.toml");
    let settings = format!("database = {:?}\n", database.display().to_string());
    fs::write(&config, settings).expect("it is written");
    fs::create_dir(machine.path("backups")).expect("a directory");
    let (_, page) = PAGES[1];
    let line = page.lines().find_map(scheduled).expect("a line of cron");
    let path = page.lines().find_map(|line| line.strip_prefix("PATH="));
    let line = line
        .replace("/etc/frontdesk/server.toml", &config.display().to_string())
        .replace("/backups", &machine.path("backups").display().to_string());
    // Where the page's table of cron looks for programs, with the directory of this one.
    let server = program::program("frontdesk-server");
    let directory = server.parent().expect("a directory").display().to_string();
    let path = path.expect("a path of cron");
    let path = path.replace("/usr/local/bin", &directory);
    machine.run(&line, &path).expect("it is done");
    let written = fs::read_dir(machine.path("backups")).expect("a directory");
    assert_eq!(written.count(), 1);
}
