//! An embedded database that moves to a PostgreSQL server.

use std::fs;

use frontdesk_tests::program::run_server;
use frontdesk_tests::{Cluster, Process};

use crate::stage::{Staff, runtime, superuser};

pub(crate) fn a_database_moves_to_a_server_with_everything_or_not_at_all() {
    let cluster = Cluster::start_new();
    let place = tempfile::tempdir().expect("a directory");
    let text = |name: &str| place.path().join(name).to_str().expect("UTF-8").to_owned();
    let (database, address) = (text("postgres"), cluster.address());
    let moves = ["move", "--database", &database, "--to", &address];

    let process = Process::demo(&database);
    runtime().block_on(async {
        Staff::of(&process.url)
            .await
            .add("Ana Moved")
            .await
            .output()
            .clone()
    });
    let refused = run_server(&moves);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("stop it first"), "{refused:?}");
    process.stop();

    let made = run_server(&["backup", "--database", &database, &text("backup")]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let mut bytes = fs::read(text("backup")).expect("the backup");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(text("damaged"), bytes).expect("a file");
    let damaged = run_server(&["move", "--from", &text("damaged"), "--to", &address]);
    assert_eq!(damaged.code, Some(1), "{damaged:?}");
    runtime().block_on(async {
        let exists = "select from pg_namespace where nspname = 'app'";
        let found = superuser(&cluster).await.query(exists, &[]).await;
        assert_eq!(found.expect("an answer").len(), 0, "nothing was prepared");
    });

    let moved = run_server(&moves);
    assert_eq!(moved.code, Some(0), "{moved:?}");
    assert!(
        moved.stdout.contains("counts and checksums match"),
        "{moved:?}"
    );
    let again = run_server(&moves);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(
        again.stderr.contains("restore into an empty one"),
        "{again:?}"
    );

    let process = Process::demo(&address);
    runtime().block_on(async {
        let mut staff = Staff::of(&process.url).await;
        assert_eq!(staff.guests("Ana Moved").await.len(), 1);
        // Sequences, triggers and foreign keys are back.
        staff.add("Bia Added").await.output();
        let superuser = superuser(&cluster).await;
        let disabled = "select from pg_trigger where tgenabled <> 'O' and not tgisinternal";
        let disabled = superuser.query(disabled, &[]).await.expect("an answer");
        assert_eq!(disabled.len(), 0);
        let keys = "select from pg_constraint where contype = 'f'";
        assert!(superuser.query(keys, &[]).await.expect("an answer").len() > 50);
    });
    process.stop();
}
