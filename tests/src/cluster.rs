//! A PostgreSQL cluster for one test, which can kill it, fill its disk and measure it.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Lines};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::server;

/// A cluster that listens only on a socket in its directory.
///
/// If root runs the test, the cluster belongs to the user `postgres`: PostgreSQL refuses to run as
/// root.
#[derive(Debug)]
pub struct Cluster {
    programs: PathBuf,
    directory: TempDir,
    /// The server's settings besides its address: `name=value`.
    settings: Vec<String>,
    server: Option<(Child, Lines<BufReader<ChildStderr>>)>,
}

impl Cluster {
    /// Creates and starts a cluster.
    ///
    /// # Panics
    ///
    /// If PostgreSQL is not installed: run such a test as a trial that needs it.
    pub fn start_new() -> Cluster {
        Cluster::start_with(&[])
    }

    /// Creates and starts a cluster with settings, `name=value` each.
    ///
    /// # Panics
    ///
    /// As [`Cluster::start_new`].
    pub fn start_with(settings: &[&str]) -> Cluster {
        let mut cluster =
            Cluster::prepared(settings.iter().map(|&setting| setting.to_owned()).collect());
        let mut initdb = cluster.command("initdb");
        initdb
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C.UTF-8", "--no-sync"])
            .stdout(Stdio::null());
        succeed(&mut initdb);
        cluster.start();
        cluster
    }

    /// Creates and starts a standby of this cluster.
    ///
    /// # Panics
    ///
    /// If it cannot be copied.
    pub fn start_standby(&self) -> Cluster {
        // A standby with lower limits than its primary does not start.
        let mut standby = Cluster::prepared(self.settings.clone());
        let mut copy = standby.command("pg_basebackup");
        copy.args(["--username=postgres", "--write-recovery-conf", "--no-sync"])
            .args(["--wal-method=stream", "--checkpoint=fast", "--host"])
            .arg(self.directory());
        succeed(&mut copy);
        standby.start();
        standby
    }

    /// A cluster without data.
    fn prepared(settings: Vec<String>) -> Cluster {
        let directory = tempfile::tempdir().expect("a directory");
        // PostgreSQL's user creates its own directory in it.
        std::fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).expect("a mode");
        Cluster {
            programs: server::programs().expect("PostgreSQL's programs"),
            directory,
            settings,
            server: None,
        }
    }

    /// The directory with the sockets and the data.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    fn data(&self) -> PathBuf {
        self.directory().join("data")
    }

    /// One of PostgreSQL's programs, run as the cluster's user in its directory.
    pub fn program(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid=postgres", "--regid=postgres", "--init-groups"])
                .arg(program);
            command
        } else {
            Command::new(program)
        };
        command.current_dir(self.directory()).stdin(Stdio::null());
        command
    }

    /// A program with the data directory set.
    fn command(&self, program: &str) -> Command {
        let mut command = self.program(program);
        command.arg("-D").arg(self.data());
        command
    }

    /// Starts the server, after a crash too, and waits until it accepts connections.
    ///
    /// # Panics
    ///
    /// If it exits instead.
    pub fn start(&mut self) {
        let sockets = format!(
            "unix_socket_directories={}",
            self.directory.path().display()
        );
        let settings = self.settings.iter().map(String::as_str);
        let settings = ["listen_addresses=", &sockets].into_iter().chain(settings);
        let mut server = self
            .command("postgres")
            .args(settings.flat_map(|setting| ["-c", setting]))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("postgres runs");
        let mut log = BufReader::new(server.stderr.take().expect("stderr")).lines();
        let mut said = Vec::new();
        loop {
            match log.next() {
                Some(Ok(line)) if line.contains("ready to accept") => break,
                Some(line) => said.push(line.expect("text")),
                None => panic!("postgres ended:\n{}", said.join("\n")),
            }
        }
        self.server = Some((server, log));
    }

    /// Stops the server without waiting for clients: sessions get an error and end.
    ///
    /// # Panics
    ///
    /// If it does not stop.
    pub fn stop(&mut self) {
        if let Some((mut server, log)) = self.server.take() {
            let mut stop = self.command("pg_ctl");
            succeed(
                stop.args(["-m", "fast", "-w", "stop"])
                    .stdout(Stdio::null()),
            );
            server.wait().expect("its end");
            log.for_each(drop);
        }
    }

    /// Makes a standby a primary.
    ///
    /// # Panics
    ///
    /// If it is not a standby.
    pub fn promote(&self) {
        let mut promote = self.command("pg_ctl");
        succeed(promote.args(["-w", "promote"]).stdout(Stdio::null()));
    }

    /// Sends a signal to every process of the server, as SIGSTOP, after which it accepts connections and does not answer.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn signal(&self, signal: Signal) {
        let postmaster = self.process();
        let children = format!("/proc/{postmaster}/task/{postmaster}/children");
        let children = std::fs::read_to_string(children).expect("its processes");
        let children = children
            .split_whitespace()
            .map(|id| id.parse().expect("an id"));
        for id in std::iter::once(postmaster).chain(children) {
            let process = i32::try_from(id).ok().and_then(Pid::from_raw);
            // A session can have ended meanwhile.
            let _ = kill_process(process.expect("an id"), signal);
        }
    }

    /// The process id of the postmaster, the parent of all sessions.
    ///
    /// # Panics
    ///
    /// If it does not run.
    pub fn process(&self) -> u32 {
        let (server, _) = self.server.as_ref().expect("it runs");
        server.id()
    }

    /// Sends SIGKILL to the postmaster. Returns when every process of the cluster has ended: they
    /// share its stderr, which the last of them closes.
    ///
    /// # Panics
    ///
    /// If it cannot be killed.
    pub fn kill(&mut self) {
        if let Some((mut server, log)) = self.server.take() {
            server.kill().expect("it is killed");
            server.wait().expect("its end");
            log.for_each(drop);
        }
    }

    /// Gives a file to the cluster's user alone, as PostgreSQL demands of its key.
    ///
    /// # Panics
    ///
    /// If the file cannot be copied.
    pub fn install(&self, from: &Path, name: &str) -> PathBuf {
        let to = self.directory().join(name);
        let mut install = Command::new("install");
        install.arg("--mode=0600").args([from, &to]);
        if rustix::process::geteuid().is_root() {
            install.arg("--owner=postgres");
        }
        succeed(&mut install);
        to
    }

    /// Starts it again with these settings, too.
    ///
    /// # Panics
    ///
    /// As [`Cluster::start`].
    pub fn restart_with(&mut self, settings: &[String]) {
        self.stop();
        self.settings.extend_from_slice(settings);
        self.start();
    }

    /// The address of its database.
    ///
    /// # Panics
    ///
    /// If its directory is not UTF-8.
    pub fn address(&self) -> String {
        let directory: &Path = self.directory.path();
        let host = directory.to_str().expect("UTF-8").replace('/', "%2F");
        format!("postgres://postgres@{host}/postgres")
    }
}

/// Runs a program to its end.
fn succeed(command: &mut Command) {
    let status = command.status().expect("it runs");
    assert!(status.success(), "{command:?}: {status}");
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kill();
    }
}
