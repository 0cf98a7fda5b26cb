//! A PostgreSQL cluster of the test's own, to be killed.

use std::fs::Permissions;
use std::io::{BufRead, BufReader, Lines};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use tempfile::TempDir;

/// A cluster that listens on a socket in its directory alone.
#[derive(Debug)]
pub(crate) struct Cluster {
    programs: PathBuf,
    directory: TempDir,
    server: Option<(Child, Lines<BufReader<ChildStderr>>)>,
}

impl Cluster {
    /// A new one, which runs; none where `FRONTDESK_TEST_PG_BIN` does not say where PostgreSQL's
    /// programs are, as tests/with-postgres does.
    pub(crate) fn start_new() -> Option<Cluster> {
        let programs = PathBuf::from(std::env::var_os("FRONTDESK_TEST_PG_BIN")?);
        let directory = tempfile::tempdir().expect("a directory");
        // PostgreSQL's user makes its own directory in it.
        std::fs::set_permissions(directory.path(), Permissions::from_mode(0o777)).expect("a mode");
        let mut cluster = Cluster {
            programs,
            directory,
            server: None,
        };
        let initdb = cluster
            .command("initdb")
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C.UTF-8", "--no-sync"])
            .stdout(Stdio::null())
            .status()
            .expect("initdb runs");
        assert!(initdb.success(), "initdb: {initdb}");
        cluster.start();
        Some(cluster)
    }

    fn data(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// One of PostgreSQL's programs on the cluster. Run by root, it is the user `postgres`'s, since
    /// PostgreSQL refuses to run as root.
    fn command(&self, program: &str) -> Command {
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
        command
            .arg("-D")
            .arg(self.data())
            .current_dir(self.directory.path())
            .stdin(Stdio::null());
        command
    }

    /// Starts it, after a crash too, and waits until it takes connections.
    pub(crate) fn start(&mut self) {
        let sockets = format!(
            "unix_socket_directories={}",
            self.directory.path().display()
        );
        let mut server = self
            .command("postgres")
            .args(["-c", "listen_addresses=", "-c", &sockets])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("postgres runs");
        let mut log = BufReader::new(server.stderr.take().expect("stderr")).lines();
        let mut said = Vec::new();
        loop {
            match log.next() {
                Some(Ok(line)) if line.contains("ready to accept connections") => break,
                Some(line) => said.push(line.expect("text")),
                None => panic!("postgres ended:\n{}", said.join("\n")),
            }
        }
        self.server = Some((server, log));
    }

    /// SIGKILL for the postmaster. Returns when every process of the cluster is gone: they share its
    /// stderr, which ends with the last of them.
    pub(crate) fn kill(&mut self) {
        if let Some((mut server, log)) = self.server.take() {
            server.kill().expect("it is killed");
            server.wait().expect("its end");
            log.for_each(drop);
        }
    }

    /// The address of its database.
    pub(crate) fn address(&self) -> String {
        let directory: &Path = self.directory.path();
        let host = directory.to_str().expect("UTF-8").replace('/', "%2F");
        format!("postgres://postgres@{host}/postgres")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.kill();
    }
}
