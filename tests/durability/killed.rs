//! kill -9 during writes loses no acknowledged change and leaves none half done.

use std::ffi::OsString;
use std::path::Path;

use frontdesk_tests::process::serve;
use frontdesk_tests::{Cluster, Http, Process};
use serde_json::json;
use tokio::sync::mpsc::unbounded_channel;
use tokio::task::JoinSet;

use crate::durability::desk::Desk;
use crate::durability::place::{Directory, runtime, server_database};
use crate::durability::writer::{Journal, write};

const WRITERS: usize = 6;
/// The number of acknowledged changes before each kill.
const LIVES: [usize; 3] = [1, 40, 120];

/// Runs writers until this many changes are acknowledged, then interrupts the server.
async fn interrupted(desk: &Desk, life: usize, changes: usize, deed: impl FnOnce()) -> Journal {
    let (acknowledge, mut acknowledged) = unbounded_channel();
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let name = format!("{life}.{writer}");
        writers.spawn(write(desk.clone(), name, acknowledge.clone()));
    }
    drop(acknowledge);
    for _ in 0..changes {
        acknowledged.recv().await.expect("an acknowledgement");
    }
    deed();
    let mut journal = Journal::default();
    for written in writers.join_all().await {
        journal.append(written);
    }
    journal
}

fn survives_the_server_s_death(database: &str) {
    let runtime = runtime();
    let mut journal = Journal::default();
    let mut caller: Option<Http> = None;
    for (life, changes) in LIVES.into_iter().enumerate() {
        let server = Process::demo(database);
        runtime.block_on(async {
            let mut desk = Desk::open(&server.url).await;
            journal.verify(&mut desk).await;
            caller.get_or_insert_with(|| desk.http());
            let killed = interrupted(&desk, life, changes, || server.kill()).await;
            journal.append(killed);
        });
    }
    assert!(journal.len() > 0);

    let server = Process::demo(database);
    runtime.block_on(async {
        let mut desk = Desk::open(&server.url).await;
        journal.verify(&mut desk).await;
        let name = json!({ "event_id": desk.event, "name": "Afterwards" });
        let created = desk.acknowledged("create_event_guest", &name).await;
        assert!(created.is_some(), "it works");
        // The first process's token is still valid: its key is in the database.
        let token = caller.expect("a caller").token;
        let mut http = Http::with_token(&server.url, &token);
        let event = http.events("get_event", json!({ "id": desk.event })).await;
        assert_eq!(event.output()["event"]["id"], *desk.event);
    });
    server.stop();
}

pub(crate) fn kill_9_loses_nothing_that_the_embedded_database_has_acknowledged() {
    let directory = Directory::prepared();
    survives_the_server_s_death(&directory.database());
}

pub(crate) fn kill_9_loses_nothing_that_a_postgresql_server_has_acknowledged() {
    survives_the_server_s_death(&server_database());
}

/// The contents of a directory.
fn entries(directory: &Path) -> Vec<OsString> {
    let entries = std::fs::read_dir(directory).expect("a directory");
    entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect()
}

pub(crate) fn kill_9_leaves_no_temporary_file_that_the_next_start_does_not_clear() {
    let directory = Directory::prepared();
    let temporary = tempfile::tempdir().expect("a directory");
    for database in ["memory", &directory.database()] {
        let start = || Process::start(serve(database).env("TMPDIR", temporary.path()));
        start().kill();
        let left = entries(temporary.path());
        assert!(
            !left.is_empty(),
            "{database}: a killed server clears nothing"
        );
        let next = start();
        let now = entries(temporary.path());
        assert!(
            left.iter().all(|left| !now.contains(left)),
            "{database}: {left:?} {now:?}"
        );
        next.stop();
        assert_eq!(entries(temporary.path()), [""; 0], "{database}");
    }
}

pub(crate) fn kill_9_of_postgresql_itself_loses_nothing_and_the_server_lives_on() {
    let mut cluster = Cluster::start_new();
    let server = Process::demo(&cluster.address());
    let runtime = runtime();
    let mut journal = Journal::default();
    for (life, changes) in LIVES.into_iter().enumerate() {
        runtime.block_on(async {
            let mut desk = Desk::open(&server.url).await;
            journal.verify(&mut desk).await;
            let killed = interrupted(&desk, life, changes, || cluster.kill()).await;
            journal.append(killed);
        });
        cluster.start();
    }
    runtime.block_on(async {
        let mut desk = Desk::open(&server.url).await;
        journal.verify(&mut desk).await;
    });
    server.stop();
}
