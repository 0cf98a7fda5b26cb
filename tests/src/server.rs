//! A PostgreSQL server for tests: a configured one, or a temporary cluster if PostgreSQL is
//! installed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use frontdesk_server::database::{Location, ServerAddress};
use libtest_mimic::{Arguments, Trial};
use tokio_postgres::NoTls;
use uuid::Uuid;

use crate::cluster::Cluster;
use crate::world::PATIENCE;

/// The variable with the server's `postgres://` address.
const ADDRESS: &str = "FRONTDESK_TEST_DATABASE";
/// The variable with the directory of PostgreSQL's programs.
const PROGRAMS: &str = "FRONTDESK_TEST_PG_BIN";

/// The variable with the address of a pooler before the server, without a database: `tests/with-pooler` sets it.
const POOLER: &str = "FRONTDESK_TEST_POOLER";

/// The variable with the address of a standby of the server, without a database: `tests/with-postgres` sets it.
const REPLICA: &str = "FRONTDESK_TEST_REPLICA";

/// The longest that a trial takes on a busy machine.
const LONGEST: Duration = Duration::from_secs(900);

/// The cluster that [`run_trials`] started.
static OWN: OnceLock<String> = OnceLock::new();

/// The server that tests share; `None` on the embedded database.
pub fn address() -> Option<String> {
    std::env::var(ADDRESS).ok().or_else(|| OWN.get().cloned())
}

/// The server that tests share, as a location to open; `None` on the embedded database.
///
/// # Panics
///
/// If its address is not one.
pub fn location() -> Option<Location> {
    Some(at(&address()?))
}

/// A database at this address, with time to connect to it.
///
/// # Panics
///
/// If it is not an address.
pub fn at(address: &str) -> Location {
    let parsed = |address: &str| {
        let mut config: tokio_postgres::Config = address.parse().expect("an address");
        config.connect_timeout(PATIENCE);
        Box::new(ServerAddress::from(config))
    };
    let beside = |variable| {
        let server = std::env::var(variable).ok()?;
        let (_, name) = address.rsplit_once('/').expect("a database");
        Some(parsed(&format!("{server}/{name}")))
    };
    Location::Server {
        address: parsed(address),
        pooler: beside(POOLER),
        replicas: beside(REPLICA)
            .into_iter()
            .map(|replica| *replica)
            .collect(),
    }
}

/// The directory of PostgreSQL's programs: from `FRONTDESK_TEST_PG_BIN`, on the PATH, or the newest
/// in the usual places of packages.
pub fn programs() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(PROGRAMS) {
        return Some(named.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).find(|directory| is_complete(directory));
    on_path.or_else(|| {
        let installed = [
            "/usr/lib/postgresql",
            "/usr/local/opt",
            "/opt/homebrew/opt",
            "/usr",
        ];
        let versions = installed.iter().flat_map(|root| versions(Path::new(root)));
        let newest = versions.filter(|(_, bin)| is_complete(bin)).max();
        newest.map(|(_, bin)| bin)
    })
}

fn is_complete(directory: &Path) -> bool {
    ["initdb", "postgres", "pg_ctl", "pg_basebackup"]
        .iter()
        .all(|program| directory.join(program).is_file())
}

/// The `bin` directories below a root, with the version from their parent's name: `15`,
/// `postgresql@15`, `pgsql-15`.
fn versions(root: &Path) -> Vec<(u32, PathBuf)> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let versions = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let number = name.trim_start_matches(|sign: char| !sign.is_ascii_digit());
        Some((number.parse().ok()?, entry.path().join("bin")))
    });
    versions.collect()
}

/// Creates a database on the shared server for one test.
///
/// # Panics
///
/// If there is no server, or it does not create one.
pub async fn new_database() -> String {
    let server = address().expect("a server");
    let name = format!("test_{}", Uuid::now_v7().simple());
    let (client, connection) = tokio_postgres::connect(&server, NoTls)
        .await
        .expect("a server");
    tokio::spawn(connection);
    let created = client
        .batch_execute(&format!("create database {name}"))
        .await;
    created.expect("a database");
    let (before, _) = server.rsplit_once('/').expect("a database in the address");
    format!("{before}/{name}")
}

/// The requirements of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Only the binaries of this workspace.
    Nothing,
    /// A PostgreSQL server or its programs.
    PostgreSql,
    /// Also the right to mount a file system.
    Mount,
}

impl Needs {
    /// The reason why a trial with this requirement cannot run here.
    fn missing(self) -> Option<&'static str> {
        let has_server = programs().is_some();
        match self {
            Needs::Nothing => None,
            _ if !has_server => Some("needs PostgreSQL"),
            Needs::Mount if !rustix::process::geteuid().is_root() => Some("needs root, to mount"),
            Needs::PostgreSql | Needs::Mount => None,
        }
    }
}

/// A trial of a test function, with its path. If it cannot run here, it is reported as ignored, with the reason.
pub fn trial(path: &str, needs: Needs, test: fn()) -> Trial {
    // As other tests, without the crate.
    let name = path.split_once("::").map_or(path, |(_, name)| name);
    let named = name.to_owned();
    let trial = Trial::test(name, move || {
        let begun = Instant::now();
        let _running = ends(&named);
        test();
        said(&named, begun.elapsed());
        Ok(())
    });
    match needs.missing() {
        Some(reason) => trial.with_kind(reason).with_ignored_flag(true),
        None => trial,
    }
}

/// Ends the process, and says which test it is, if this one has not ended after [`LONGEST`]. It has once what is returned
/// is dropped.
#[expect(clippy::print_stderr, reason = "a report of the tests")]
fn ends(name: &str) -> Sender<()> {
    let (running, ended) = channel();
    let name = name.to_owned();
    std::thread::spawn(move || {
        if ended.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
            eprintln!("test {name} has not ended in {} s", LONGEST.as_secs());
            std::process::exit(101);
        }
    });
    running
}

/// Has the programs that tests start get a hangup as by default, also under `nohup`: a program inherits signals that are
/// ignored, but not signals that are handled.
fn hear_hangups() {
    let ignored = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    if ignored.is_some_and(|mask| mask & 1 != 0) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let _inside = runtime.as_ref().expect("a runtime").enter();
        let heard = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup());
        drop(heard.expect("hangups are heard"));
    }
}

/// Says what a test took, as libtest does on request.
#[expect(clippy::print_stdout, reason = "a report of the tests")]
fn said(name: &str, took: Duration) {
    println!("test {name} ... took <{:.3}s>", took.as_secs_f64());
}

/// The trials of several modules: `trials![Needs::PostgreSql => cut::{in_a_statement, in_its_commit}]`.
#[macro_export]
macro_rules! trials {
    ($($needs:expr => $module:ident::{$($test:ident),+ $(,)?}),+ $(,)?) => {
        vec![$($($crate::server::trial(
            concat!(module_path!(), "::", stringify!($module), "::", stringify!($test)),
            $needs,
            $module::$test,
        )),+),+]
    };
}

/// Runs trials. If no server is configured and PostgreSQL is installed, they share a temporary
/// cluster.
pub fn run_trials(trials: Vec<Trial>) -> ExitCode {
    let mut arguments = Arguments::from_args();
    hear_hangups();
    // A trial waits for the processes that it runs, and for its clusters.
    arguments.test_threads.get_or_insert(4);
    let is_run = !arguments.list && trials.iter().any(|trial| !trial.has_ignored_flag());
    let own = (is_run && address().is_none() && programs().is_some())
        .then(|| Cluster::start_with(&["max_connections=200"]));
    if let Some(cluster) = &own {
        OWN.get_or_init(|| cluster.address());
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    // The cluster ends with the process, after the connections of the tests.
    drop(own);
    conclusion.exit_code()
}
