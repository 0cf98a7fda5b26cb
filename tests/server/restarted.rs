//! PostgreSQL restarts during calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use frontdesk_tests::program::run_server;
use frontdesk_tests::{Cluster, Process};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::server::stage::{Staff, runtime, serve, superuser};

const WRITERS: usize = 6;
/// The number of answers of each kind to wait for.
const ENOUGH: usize = 30;

/// The code and status of an answer.
type Told = (String, u16);

/// Adds one guest after another, whatever the answers.
async fn write(
    mut staff: Staff,
    writer: usize,
    told: UnboundedSender<Told>,
    over: Arc<AtomicBool>,
) {
    for number in 0.. {
        if over.load(Ordering::Relaxed) {
            break;
        }
        let name = format!("Writer{writer}x{number}y");
        let status = staff.add(&name).await.status.as_u16();
        told.send((name, status)).expect("somebody listens");
    }
}

/// Waits for this many answers of this kind.
async fn wait_for(
    heard: &mut Vec<Told>,
    told: &mut UnboundedReceiver<Told>,
    kind: impl Fn(u16) -> bool,
) {
    let mut left = ENOUGH;
    while left > 0 {
        let (name, status) = told.recv().await.expect("writers");
        left -= usize::from(kind(status));
        heard.push((name, status));
    }
}

pub(crate) fn a_restart_under_load_refuses_what_it_undoes_and_ends_by_itself() {
    let mut cluster = Cluster::start_new();
    let runtime = runtime();
    runtime.block_on(async {
        let server = serve(&cluster, 4).await;
        let mut staff = Staff::of(&server.url()).await;
        let (say, mut told) = unbounded_channel();
        let over = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| write(staff.clone(), writer, say.clone(), Arc::clone(&over)))
            .map(tokio::spawn)
            .collect();
        drop(say);

        let mut heard = Vec::new();
        for _ in 0..2 {
            wait_for(&mut heard, &mut told, |status| status == 200).await;
            tokio::task::block_in_place(|| cluster.stop());
            wait_for(&mut heard, &mut told, |status| status != 200).await;
            tokio::task::block_in_place(|| cluster.start());
        }
        wait_for(&mut heard, &mut told, |status| status == 200).await;
        over.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.await.expect("no call hangs");
        }
        while let Some(last) = told.recv().await {
            heard.push(last);
        }

        let names = staff.names().await;
        for (name, status) in heard {
            let there = names.get(&name).copied().unwrap_or_default();
            match status {
                200 => assert_eq!(there, 1, "{name} was acknowledged"),
                503 => assert_eq!(there, 0, "{name} was called undone"),
                504 => assert!(there <= 1, "{name} may have been added, and once"),
                other => panic!("{name}: HTTP {other}"),
            }
        }
    });
}

pub(crate) fn health_tells_that_the_database_is_away() {
    let mut cluster = Cluster::start_new();
    runtime().block_on(async {
        let server = serve(&cluster, 1).await;
        let staff = Staff::of(&server.url()).await;
        cluster.stop();
        assert_eq!(staff.health().await, 503);
    });
}

pub(crate) fn health_and_check_tell_that_a_cluster_has_no_synchronous_standby() {
    let cluster = Cluster::start_new();
    // A cluster is an address with several nodes.
    let address = cluster.address();
    let (before, host) = address.split_once('@').expect("a user");
    let (host, database) = host.rsplit_once('/').expect("a database");
    let address = format!("{before}@{host},{host}/{database}");
    let process = Process::demo(&address);
    runtime().block_on(async {
        let staff = Staff::of(&process.url).await;
        let told = "a failover would lose changes: it has no synchronous standby";
        assert_eq!(staff.condition().await["database"], told);
    });
    let alone = cluster.address();
    let mut arguments = vec!["check", "--listen", "127.0.0.1:0", "--database", &address];
    arguments.extend(["--pooler", &alone]);
    let checked = run_server(&arguments);
    assert!(
        checked.stdout.contains("without a synchronous standby"),
        "{checked:?}"
    );
    assert!(checked.stdout.contains("all accept writes"), "{checked:?}");
    assert!(checked.stdout.contains("ok    pooler"), "{checked:?}");
    process.stop();
    runtime().block_on(async {
        let looker = superuser(&cluster).await;
        for wait in [
            "alter system set synchronous_standby_names = 'nobody'",
            "select pg_reload_conf()",
        ] {
            looker.batch_execute(wait).await.expect(wait);
        }
    });
    let checked = run_server(&arguments);
    let told = "waits for a synchronous standby, and none is connected";
    assert!(checked.stdout.contains(told), "{checked:?}");
}
