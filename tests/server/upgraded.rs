//! An older schema with rows is upgraded, although it is killed in the middle, and equals a new one.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flate2::read::GzDecoder;
use frontdesk_protocol::Host;
use frontdesk_server::database::needed;
use frontdesk_tests::program::{Ended, run_server, server};
use frontdesk_tests::{Cluster, Process};
use serde_json::json;
use tokio_postgres::{Client, NoTls};

use crate::server::stage::{Staff, runtime, superuser};

/// The oldest schema that is upgraded.
const OLDEST: i32 = 124;
/// A demo of that schema, as `pg_dump` wrote it.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/server/schema-124.sql.gz");
/// 35,000 guests of an event of that schema.
const FILL: &str = "with o as (insert into app.organizations (name, slug) values ('River School', 'river-school') returning id),
      u as (insert into strategy.business_units (organization_id, name) select id, 'School' from o returning id, organization_id),
      e as (insert into events.events (organization_id, strategy_business_unit_id, name)
            select organization_id, id, 'Open Day' from u returning id, organization_id)
    insert into events.guests (organization_id, event_id, name, email)
      select e.organization_id, e.id, 'Guest ' || n, 'guest.' || n || '@example.org' from e, generate_series(1, 35000) n";
/// All objects of a schema.
const CATALOGUE: &str = include_str!("catalogue.sql");

/// A cluster whose database has the oldest schema, with the demo.
fn older() -> Cluster {
    let cluster = Cluster::start_new();
    let mut text = String::new();
    let file = File::open(DEMO).expect("the demo");
    let read = GzDecoder::new(file).read_to_string(&mut text);
    read.expect("its text");
    runtime().block_on(async {
        let loaded = superuser(&cluster).await.batch_execute(&text).await;
        loaded.expect("an older database");
    });
    cluster
}

/// The address of another database of the cluster.
fn beside(cluster: &Cluster, name: &str) -> String {
    let address = cluster.address();
    let (server, _) = address.rsplit_once('/').expect("a database");
    format!("{server}/{name}")
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls)
        .await
        .expect("a connection");
    tokio::spawn(connection);
    client
}

#[track_caller]
fn succeeds(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

pub(crate) fn an_upgrade_that_is_killed_twice_loses_nothing_and_begins_with_a_backup() {
    let cluster = older();
    let address = cluster.address();
    let place = tempfile::tempdir().expect("a directory");
    let backups = place.path().join("backups");
    let option = format!("--migration-backup={}", backups.display());
    let migrate = ["migrate", "--database", &address, &option];
    runtime().block_on(async {
        let filling = superuser(&cluster).await;
        filling.batch_execute(FILL).await.expect("rows");
        let counting = superuser(&cluster).await;
        let waits = "select exists (select from pg_locks l where not l.granted and l.mode = 'AccessExclusiveLock')";
        for _ in 0..2 {
            // An upgrade that changes the table of organisations waits for this reader.
            let lock = "begin; lock table app.organizations in access share mode";
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
    succeeds(&migrated);
    let says = format!("has schema {}", needed());
    assert!(migrated.stdout.contains(&says), "{migrated:?}");
    runtime().block_on(async {
        let rows = superuser(&cluster).await;
        let guests = "select count(*), count(distinct email) from events.guests where email like 'guest.%@example.org'";
        let guests = rows.query_one(guests, &[]).await.expect("guests");
        assert_eq!((guests.get(0), guests.get(1)), (35_000_i64, 35_000_i64));
    });
    // One before each attempt.
    let files = fs::read_dir(&backups).expect("the backups").flatten();
    let mut files: Vec<_> = files.map(|file| file.path()).collect();
    files.sort_unstable();
    assert_eq!(files.len(), 3, "{files:?}");
    let file = files[2].to_str().expect("UTF-8");
    let checked = run_server(&["restore", "--check", file]);
    assert!(checked.stdout.contains("schema 124"), "{checked:?}");
    // A schema that is up to date needs none, and `none` is heeded.
    succeeds(&run_server(&migrate));
    assert_eq!(fs::read_dir(&backups).expect("the backups").count(), 3);
}

pub(crate) fn an_upgrade_that_waits_for_a_reader_holds_up_no_other() {
    let cluster = older();
    let address = cluster.address();
    let migrate = ["migrate", "--database", &address, "--migration-backup=none"];
    runtime().block_on(async {
        let dump = superuser(&cluster).await;
        let lock = "set application_name = 'nightly dump'; begin; lock table app.organizations in access share mode";
        dump.batch_execute(lock).await.expect("a lock");
        let reader = superuser(&cluster).await;
        let mut child = server(&migrate)
            .stdout(Stdio::null())
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let log = BufReader::new(child.stderr.take().expect("its log"));
        let mut lines = log.lines().map_while(Result::ok);
        let waits = lines.find(|line| line.contains("the upgrade waits for others"));
        let waits = waits.expect("it says that it waits");
        assert!(waits.contains("nightly dump"), "{waits}");
        // Between its attempts nobody queues behind it.
        let read = "set statement_timeout = '2s'; select from app.organizations";
        reader.batch_execute(read).await.expect("rows");
        dump.batch_execute("rollback").await.expect("the end of the lock");
        assert!(child.wait().expect("its end").success());
    });
}

pub(crate) fn without_room_for_its_backup_nothing_is_migrated_unless_it_is_refused() {
    let cluster = older();
    let address = cluster.address();
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
    assert!(missing.stdout.starts_with("upgrades/125"), "{missing:?}");
    assert!(missing.stdout.ends_with("all functions\n"), "{missing:?}");
    let migrated = migrate("none");
    succeeds(&migrated);
    assert!(!migrated.stdout.contains("backed up"), "{migrated:?}");
    let missing = run_server(&["migrate", "--dry-run", "--database", &address]);
    let says = format!("has schema {}", needed());
    assert!(missing.stdout.contains(&says), "{missing:?}");
}

pub(crate) fn an_upgraded_database_equals_a_new_one() {
    let cluster = older();
    runtime().block_on(async {
        let created = superuser(&cluster)
            .await
            .batch_execute("create database new")
            .await;
        created.expect("a database");
    });
    let [upgraded, new] = [cluster.address(), beside(&cluster, "new")];
    let mut schemas = [&upgraded, &new].map(|address| {
        succeeds(&run_server(&[
            "migrate",
            "--migration-backup=none",
            "--database",
            address,
        ]));
        runtime().block_on(async {
            let rows = connect(address).await.query(CATALOGUE, &[]).await;
            let rows = rows.expect("its objects");
            rows.iter()
                .map(|row| row.get(0))
                .collect::<BTreeSet<String>>()
        })
    });
    assert!(schemas[1].len() > 2000, "{}", schemas[1].len());
    let same: BTreeSet<_> = schemas[0].intersection(&schemas[1]).cloned().collect();
    for schema in &mut schemas {
        schema.retain(|object| !same.contains(object));
    }
    let [upgraded, new] = schemas;
    assert!(
        upgraded.is_empty() && new.is_empty(),
        "upgraded: {upgraded:#?}\nnew: {new:#?}"
    );
}

/// The rows of a database, from its backup, in any order.
fn rows(database: &str, file: &Path) -> BTreeSet<String> {
    let path = file.to_str().expect("UTF-8");
    succeeds(&run_server(&["backup", "--database", database, path]));
    let mut text = String::new();
    let read = GzDecoder::new(File::open(file).expect("the backup")).read_to_string(&mut text);
    read.expect("its text");
    let mut table = String::new();
    let mut rows = BTreeSet::new();
    // The first line says where the backup comes from.
    for line in text.lines().skip(1) {
        if line.starts_with("{\"table\"") {
            line.clone_into(&mut table);
        } else if !line.starts_with("{\"rows\"") {
            rows.insert(format!("{table} {line}"));
        }
    }
    rows
}

pub(crate) fn a_backup_of_the_oldest_schema_becomes_the_rows_of_an_upgraded_database() {
    let cluster = older();
    let place = tempfile::tempdir().expect("a directory");
    let at = |name: &str| place.path().join(name).to_str().expect("UTF-8").to_owned();
    let address = cluster.address();
    let migrated = run_server(&[
        "migrate",
        "--database",
        &address,
        "--migration-backup",
        &at("backups"),
    ]);
    succeeds(&migrated);
    let file = fs::read_dir(at("backups"))
        .expect("the backups")
        .flatten()
        .next();
    let file = file.expect("a backup").path();
    let file = file.to_str().expect("UTF-8");
    // A mounted disk, for example, has other files, which stay.
    let restored = at("restored");
    let readme = Path::new(&restored).join("README");
    fs::create_dir(&restored).expect("a directory");
    fs::write(&readme, "Frontdesk").expect("a file");
    succeeds(&run_server(&["restore", "--database", &restored, file]));
    assert!(readme.exists());
    let upgraded = rows(&address, &place.path().join("upgraded"));
    assert!(upgraded.len() > 500, "{}", upgraded.len());
    let differ: Vec<_> = rows(&restored, &place.path().join("again"))
        .symmetric_difference(&upgraded)
        .cloned()
        .collect();
    assert!(differ.is_empty(), "{differ:#?}");
    let process = Process::demo(&restored);
    runtime().block_on(async {
        let mut staff = Staff::of(&process.url).await;
        staff.add("Ana After").await.output();
        assert_eq!(staff.guests("Ana After").await.len(), 1);
    });
    process.stop();
}

/// What an older program has left: another text of a function, and a function that no file defines any more; beside it, a
/// function of somebody else.
const LEFT: &str = "set role frontdesk_owner;
    create or replace function app.singular(records text) returns text
      language sql immutable strict parallel safe set search_path = '' return 'thing';
    update app.functions set digest = 'older' where declaration = 'app.singular(records text)';
    create function app.left_behind(x integer) returns integer language sql return x;
    insert into app.functions values ('app.left_behind(x integer)', 'older');
    create function app.of_somebody_else() returns integer language sql return 1;
    update app.function_sets set digest = 'older'";

/// What the history calls the guest that was added last.
async fn kind_of_last(staff: &mut Staff) -> String {
    let listed = staff
        .http
        .call(Host::Ops, "list_changes", json!({ "limit": 1 }))
        .await;
    let summary = &listed.output()["changes"][0]["summary"];
    let summary = summary.as_str().expect("a summary");
    summary.split(' ').nth(1).expect("a kind").to_owned()
}

pub(crate) fn two_versions_on_one_database_keep_working_when_a_function_is_replaced() {
    let cluster = Cluster::start_new();
    let address = cluster.address();
    let older = Process::demo(&address);
    runtime().block_on(async {
        superuser(&cluster)
            .await
            .batch_execute(LEFT)
            .await
            .expect("an older program's functions");
        let mut staff = Staff::of(&older.url).await;
        staff.add("Ana Before").await.output();
        assert_eq!(kind_of_last(&mut staff).await, "thing");
    });
    let missing = run_server(&["migrate", "--dry-run", "--database", &address]);
    assert_eq!(
        missing.stdout,
        "function app.singular(records text)\ngrants of functions\n"
    );

    let is_replaced = AtomicBool::new(false);
    let newer = thread::scope(|scope| {
        let calls = scope.spawn(|| {
            runtime().block_on(async {
                let mut staff = Staff::of(&older.url).await;
                for number in 0.. {
                    let was_replaced = is_replaced.load(Ordering::Relaxed);
                    staff.add(&format!("Guest {number}")).await.output();
                    let said = kind_of_last(&mut staff).await;
                    match was_replaced {
                        true => return said,
                        false => assert!(["thing", "guest"].contains(&&*said)),
                    }
                }
                String::new()
            })
        });
        let newer = Process::demo(&address);
        is_replaced.store(true, Ordering::Relaxed);
        assert_eq!(calls.join().expect("every call is answered"), "guest");
        newer
    });
    runtime().block_on(async {
        let mut staff = Staff::of(&newer.url).await;
        staff.add("Ana After").await.output();
        assert_eq!(kind_of_last(&mut staff).await, "guest");
        let superuser = superuser(&cluster).await;
        let left = "select string_agg(proname, ' ') from pg_proc where proname in ('left_behind', 'of_somebody_else')";
        let left = superuser.query_one(left, &[]).await.expect("functions");
        assert_eq!(left.get::<_, Option<String>>(0).as_deref(), Some("of_somebody_else"));
        // A newer program has come and gone: this one does not start again, and the running ones go on.
        let gone = "insert into app.function_sets values (100, 'newer', '{9,0,0}'); comment on table app.functions is 'newer'";
        superuser.batch_execute(gone).await.expect("a newer program's functions");
    });
    for address in [
        address.clone(),
        address.replace("postgres@", "authenticator@"),
    ] {
        let refused = run_server(&["serve", "--listen", "127.0.0.1:0", "--database", &address]);
        assert_eq!(refused.code, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("has functions of"), "{refused:?}");
    }
    runtime().block_on(async {
        for process in [&older, &newer] {
            let mut staff = Staff::of(&process.url).await;
            assert!(!staff.guests("Ana Before").await.is_empty());
        }
    });
    older.stop();
    newer.stop();
}
