//! An older schema with many rows is migrated, although it is killed in the middle.

use std::process::Stdio;

use frontdesk_server::database::{Database, Location, needed};
use frontdesk_tests::Cluster;
use frontdesk_tests::program::{run_server, server};

use crate::server::stage::{runtime, superuser};

/// The oldest schema that is migrated.
const OLDEST: i32 = 41;
/// 35,000 guests of an event of that schema.
const FILL: &str = "with o as (insert into app.organizations (name, slug) values ('River School', 'river-school') returning id),
      u as (insert into strategy.business_units (organization_id, name) select id, 'School' from o returning id, organization_id),
      e as (insert into events.events (organization_id, strategy_business_unit_id, name)
            select organization_id, id, 'Open Day' from u returning id, organization_id)
    insert into events.guests (organization_id, event_id, name, email)
      select e.organization_id, e.id, 'Guest ' || n, 'guest.' || n || '@example.org' from e, generate_series(1, 35000) n";

pub(crate) fn an_upgrade_that_is_killed_twice_loses_nothing_and_begins_with_a_backup() {
    let cluster = Cluster::start_new();
    let address = cluster.address();
    let place = tempfile::tempdir().expect("a directory");
    let backups = place.path().join("backups");
    let option = format!("--migration-backup={}", backups.display());
    let migrate = ["migrate", "--database", &address, &option];
    runtime().block_on(async {
        let location: Location = address.parse().expect("an address");
        let prepared = Database::prepare_older(&location, OLDEST).await;
        prepared.expect("an older database");
        let filling = superuser(&cluster).await;
        filling.batch_execute(FILL).await.expect("rows");
        let counting = superuser(&cluster).await;
        let waits = "select exists (select from pg_locks l where not l.granted and l.mode = 'AccessExclusiveLock')";
        for _ in 0..2 {
            // A migration that changes the table of guests waits for this reader.
            let lock = "begin; lock table events.guests in access share mode";
            filling.batch_execute(lock).await.expect("a lock");
            let mut child = server(&migrate)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            while !counting.query_one(waits, &[]).await.expect("locks").get::<_, bool>(0) {
                assert!(child.try_wait().expect("its state").is_none(), "it ended");
            }
            child.kill().expect("it is killed");
            child.wait().expect("its end");
            filling.batch_execute("rollback").await.expect("the end of the lock");
            let schema = "select max(version) from app.migrations";
            let schema: i32 = counting.query_one(schema, &[]).await.expect("its schema").get(0);
            assert_eq!(schema, OLDEST);
        }
    });
    let migrated = run_server(&migrate);
    assert_eq!(migrated.code, Some(0), "{migrated:?}");
    assert!(
        migrated
            .stdout
            .contains(&format!("has schema {}", needed()))
    );
    runtime().block_on(async {
        let rows = superuser(&cluster).await;
        let guests = "select count(*), count(distinct email) from events.guests";
        let guests = rows.query_one(guests, &[]).await.expect("guests");
        assert_eq!((guests.get(0), guests.get(1)), (35_000_i64, 35_000_i64));
    });
    // One before each attempt.
    let files = std::fs::read_dir(&backups).expect("the backups").flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.sort_unstable();
    assert_eq!(files.len(), 3, "{files:?}");
    let file = files[2].to_str().expect("UTF-8");
    let checked = run_server(&["restore", "--check", file]);
    assert!(checked.stdout.contains("schema 41"), "{checked:?}");
    // A schema that is up to date needs none, and `none` is heeded.
    assert_eq!(run_server(&migrate).code, Some(0));
    assert_eq!(std::fs::read_dir(&backups).expect("the backups").count(), 3);
}

pub(crate) fn without_room_for_its_backup_nothing_is_migrated_unless_it_is_refused() {
    let cluster = Cluster::start_new();
    let address = cluster.address();
    runtime().block_on(async {
        let location: Location = address.parse().expect("an address");
        let prepared = Database::prepare_older(&location, OLDEST).await;
        prepared.expect("an older database");
    });
    let migrate = |backup: &str| {
        run_server(&[
            "migrate",
            "--database",
            &address,
            "--migration-backup",
            backup,
        ])
    };
    let refused = migrate("/proc/nowhere");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("nothing was changed"),
        "{refused:?}"
    );
    let missing = run_server(&["migrate", "--dry-run", "--database", &address]);
    assert!(missing.stdout.starts_with("V91__door"), "{missing:?}");
    let migrated = migrate("none");
    assert_eq!(migrated.code, Some(0), "{migrated:?}");
    assert!(!migrated.stdout.contains("backed up"), "{migrated:?}");
}
