//! One, two and four processes over one PostgreSQL: directly, through a pooler, with standbys that answer reads, and with
//! both, interleaved in one run. All of it shares this machine's cores: what a part takes of them says more than the rates.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::process::{Child, Stdio};
use std::time::Duration;

use frontdesk_tests::Cluster;

use crate::caller::calls;
use crate::figures::{Figures, micros};
use crate::machine::{Children, describe, processor};
use crate::stage::{Process, Staff};
use crate::{Options, say};

/// Enough for every check-in to be a guest's first: another one changes nothing.
const GUESTS: u32 = 100_000;
const CONNECTIONS: usize = 16;
const PROCESSES: [usize; 3] = [1, 2, 4];
const STANDBYS: usize = 2;
/// One call of so many is a check-in, the others list.
const LOADS: [(&str, Option<usize>); 3] =
    [("lists", None), ("mixed", Some(10)), ("check-ins", Some(1))];
const WARM_UP: Duration = Duration::from_millis(300);
/// As Debian installs it; it is on no search path.
const PGBOUNCER: &str = "/usr/sbin/pgbouncer";

/// A PgBouncer with transaction pooling in front of a cluster, on a socket in the cluster's directory. It is killed when
/// this is dropped.
struct Pooler(Child);

impl Pooler {
    const PORT: u16 = 6432;

    fn start(cluster: &Cluster) -> Option<Pooler> {
        if !std::path::Path::new(PGBOUNCER).exists() {
            return None;
        }
        let directory = cluster.directory().display();
        let users = cluster.directory().join("users");
        let settings = cluster.directory().join("pgbouncer.ini");
        let port = Self::PORT;
        let text = format!(
            "[databases]\n* = host={directory} port=5432\n[pgbouncer]\nlisten_port = {port}\nunix_socket_dir = {directory}\n\
             auth_type = trust\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = 20\nmax_client_conn = 500\n",
            users.display()
        );
        std::fs::write(users, "\"postgres\" \"\"\n").expect("it is written");
        std::fs::write(&settings, text).expect("it is written");
        let child = (cluster.program(PGBOUNCER))
            .arg("-q")
            .arg(settings)
            .stderr(Stdio::null())
            .spawn();
        let pooler = Pooler(child.expect("it starts"));
        let socket = cluster.directory().join(format!(".s.PGSQL.{port}"));
        while !socket.exists() {
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(pooler)
    }

    fn address(cluster: &Cluster) -> String {
        let address = cluster.address();
        let (server, database) = address.rsplit_once('/').expect("a database");
        format!("{server}:{}/{database}", Self::PORT)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(crate) async fn run(options: &Options) {
    let primary = Cluster::start_with(&["max_connections=500"]);
    let first = Process::hosts(&primary.address(), GUESTS);
    let staff = Staff::sign_in(&first).await;
    let standbys: Vec<Cluster> = (0..STANDBYS).map(|_| primary.start_standby()).collect();
    let pooler = Pooler::start(&primary);
    let through = ["--pooler".to_owned(), Pooler::address(&primary)];
    let read_by: Vec<String> = standbys
        .iter()
        .flat_map(|standby| ["--replica".to_owned(), standby.address()])
        .collect();
    let mut ways = vec![("directly", Vec::new()), ("replicas", read_by.clone())];
    if pooler.is_some() {
        ways.push(("pooler", through.to_vec()));
        ways.push(("pooler, replicas", [through.as_slice(), &read_by].concat()));
    } else {
        say("without a pooler: PgBouncer is not installed");
    }
    drop(first);
    let mut all: BTreeMap<(usize, usize, usize), Figures> = BTreeMap::new();
    let arrived = Cell::new(0);
    for round in 0..options.rounds {
        for (way, (name, arguments)) in ways.iter().enumerate() {
            let servers: Vec<Process> = (0..PROCESSES[PROCESSES.len() - 1])
                .map(|_| Process::beside(&primary.address(), arguments))
                .collect();
            for count in PROCESSES {
                let servers = &servers[..count];
                let addresses: Vec<&str> = servers
                    .iter()
                    .map(|server| server.address.as_str())
                    .collect();
                for (load, (_, every)) in LOADS.iter().enumerate() {
                    let list = staff.list();
                    let request = |number: usize| match every {
                        Some(every) if number.is_multiple_of(*every) => {
                            staff.check_in(arrived.replace(arrived.get() + 1), GUESTS)
                        }
                        _ => list.clone(),
                    };
                    calls(&addresses, CONNECTIONS, WARM_UP, request).await;
                    let own = || -> Duration {
                        servers.iter().map(|server| processor(server.id())).sum()
                    };
                    let pooled = || {
                        pooler
                            .as_ref()
                            .map_or(Duration::ZERO, |it| processor(it.0.id()))
                    };
                    let before = [own(), pooled()];
                    let database = Children::of(primary.process());
                    let readers: Vec<Children> = standbys
                        .iter()
                        .map(|standby| Children::of(standby.process()))
                        .collect();
                    let (times, took) =
                        calls(&addresses, CONNECTIONS, options.seconds, request).await;
                    let spent = vec![
                        own().saturating_sub(before[0]),
                        database.spent(),
                        readers.into_iter().map(Children::spent).sum(),
                        pooled().saturating_sub(before[1]),
                    ];
                    let figures = all.entry((load, way, count)).or_default();
                    figures.add(times, took, spent);
                }
            }
            say(&format!("round {round}, {name}"));
        }
    }
    say(&format!(
        "{}; {} check-ins of {GUESTS} guests",
        describe(),
        arrived.get()
    ));
    say(
        "\n| calls | database | processes | calls/s | p50 µs | p99 µs | CPU µs a call: servers | primary | standbys | pooler |",
    );
    say("|---|---|---|---|---|---|---|---|---|---|");
    for ((load, way, count), figures) in &all {
        let parts: Vec<String> = figures.processor().into_iter().map(micros).collect();
        say(&format!(
            "| {} | {} | {count} | {:.0} | {} | {} | {} |",
            LOADS[*load].0,
            ways[*way].0,
            figures.rate(),
            micros(figures.within(0.5)),
            micros(figures.within(0.99)),
            parts.join(" | "),
        ));
    }
}
