//! An address whose role cannot prepare a database.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use frontdesk_server::database::{Database, Location, OpenError};
use frontdesk_tests::program::{run_server, server as server_command};
use frontdesk_tests::{Cluster, Process};

use crate::server::stage::{Staff, runtime, superuser};

/// The reason why the database of this address does not open.
async fn refused(address: &str) -> String {
    let location: Location = address.parse().expect("an address");
    let error: OpenError = Database::open(&location, 1)
        .await
        .expect_err("it does not open");
    error.to_string()
}

pub(crate) fn who_may_not_prepare_the_database_is_told_who_may() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let made = superuser.batch_execute("create role modest login").await;
        made.expect("a role");
        let modest = cluster.address().replace("postgres@", "modest@");
        let told = refused(&modest).await;
        assert!(told.contains("CREATEROLE"), "{told}");

        // Another cause has another remedy.
        let lame = "alter role postgres set default_transaction_read_only = on";
        superuser.batch_execute(lame).await.expect("a setting");
        let told = refused(&cluster.address()).await;
        assert!(told.contains("read-only transaction"), "{told}");
        assert!(!told.contains("superuser"), "{told}");
    });
}

pub(crate) fn an_owner_who_can_create_roles_needs_no_superuser() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        for made in [
            "create role modest login createrole",
            "create database school owner modest",
        ] {
            superuser.batch_execute(made).await.expect(made);
        }
    });
    let address = cluster.address().replace("postgres@", "modest@");
    let (server, _) = address.rsplit_once('/').expect("a database");
    let school = format!("{server}/school");
    let process = Process::demo(&school);
    let checked = run_server(&["check", "--database", &school, "--listen", "127.0.0.1:0"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    runtime().block_on(async {
        let mut staff = Staff::of(&process.url).await;
        staff.add("Ana Modest").await.output();
        assert_eq!(staff.guests("Ana Modest").await.len(), 1);
    });
    process.stop();
}

pub(crate) fn a_schema_of_another_version_is_refused() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let location: Location = cluster.address().parse().expect("an address");
        let database = Database::open(&location, 1).await.expect("it is prepared");
        database.close().await.expect("its end");
        let superuser = superuser(&cluster).await;
        let authenticator = cluster.address().replace("postgres@", "authenticator@");
        for (mark, told) in [
            ("null", "there is no Frontdesk in the database"),
            (
                "'schema 123'",
                "migrate it with frontdesk-server 0.2.0 first",
            ),
            ("'schema 9999'", "newer"),
        ] {
            let mark = format!("comment on schema app is {mark}");
            superuser.batch_execute(&mark).await.expect("a mark");
            let told_here = refused(&authenticator).await;
            assert!(told_here.contains(told), "{told_here}");
        }
        let newer =
            "insert into app.migrations values (9999, 'later', '2030-01-01T00:00:00Z', '1')";
        superuser.batch_execute(newer).await.expect("a migration");
        let told = refused(&cluster.address()).await;
        assert!(told.contains("newer"), "{told}");
        let older = "delete from app.migrations; \
                     insert into app.migrations values (123, 'kept', '2026-01-01T00:00:00Z', '1')";
        superuser.batch_execute(older).await.expect("migrations");
        let told = refused(&cluster.address()).await;
        assert!(told.contains("frontdesk-server 0.2.0 first"), "{told}");
    });
}

/// What `check` says about this database, which it fails.
fn check_fails(cluster: &Cluster) -> String {
    let address = cluster.address();
    let checked = run_server(&["check", "--database", &address, "--listen", "127.0.0.1:0"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    checked.stdout
}

pub(crate) fn a_database_of_another_program_is_left_alone() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let made = superuser.batch_execute("create schema events; create schema auth");
        made.await.expect("schemas");
        let told = refused(&cluster.address()).await;
        assert!(told.contains("another program (auth, events)"), "{told}");
        let left = "select from pg_namespace where nspname in ('app', 'extensions')";
        let left = superuser.query(left, &[]).await.expect("schemas");
        assert!(left.is_empty());
    });
    let told = check_fails(&cluster);
    assert!(told.contains("another program (auth, events)"), "{told}");
}

pub(crate) fn a_migration_that_fails_leaves_nothing_behind() {
    const REFUSE: &str = "create function public.refuse() returns event_trigger language plpgsql as $$ begin \
         if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'events.guests') then \
           raise 'no guests here'; \
         end if; end $$; \
         create event trigger refuse on ddl_command_end when tag in ('CREATE TABLE') execute function public.refuse()";
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        superuser.batch_execute(REFUSE).await.expect("a trigger");
        let told = refused(&cluster.address()).await;
        assert!(
            told.contains("migration events/tables failed") && told.contains("no guests here"),
            "{told}"
        );
        let left = "select from pg_namespace where nspname in ('learn', 'auth', 'events')";
        let left = superuser.query(left, &[]).await.expect("schemas");
        assert!(left.is_empty());
    });
    let told = check_fails(&cluster);
    assert!(told.contains("its migration did not finish"), "{told}");
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let allow = superuser.batch_execute("drop event trigger refuse");
        allow.await.expect("no trigger");
        let location: Location = cluster.address().parse().expect("an address");
        let database = Database::open(&location, 1).await.expect("it is prepared");
        database.close().await.expect("its end");
    });
}

pub(crate) fn settings_of_the_database_do_not_reach_its_calls() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        for (setting, value) in [
            ("row_security", "off"),
            ("standard_conforming_strings", "off"),
            ("datestyle", "German"),
            ("intervalstyle", "iso_8601"),
            ("default_transaction_isolation", "serializable"),
            ("idle_in_transaction_session_timeout", "1"),
        ] {
            let set = format!("alter database postgres set {setting} = '{value}'");
            superuser.batch_execute(&set).await.expect(&set);
        }
    });
    let process = Process::demo(&cluster.address());
    runtime().block_on(async {
        let mut staff = Staff::of(&process.url).await;
        staff.add("Ana Odd").await.output();
        assert_eq!(staff.guests("Ana Odd").await.len(), 1);
    });
    process.stop();
}

pub(crate) fn an_encoding_that_cannot_hold_every_text_is_refused() {
    let cluster = Cluster::start_new();
    runtime().block_on(async {
        let superuser = superuser(&cluster).await;
        let ascii = "create database ascii encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0";
        superuser.batch_execute(ascii).await.expect("a database");
    });
    let address = cluster.address();
    let (server, _) = address.rsplit_once('/').expect("a database");
    let ascii = format!("{server}/ascii");
    let told = runtime().block_on(refused(&ascii));
    assert!(told.contains("encoding SQL_ASCII"), "{told}");
}

pub(crate) fn the_log_has_the_cause_of_a_failure_at_the_id_that_the_caller_sees() {
    let cluster = Cluster::start_new();
    let process = Process::demo(&cluster.address());
    let told = runtime().block_on(async {
        let mut staff = Staff::of(&process.url).await;
        let superuser = superuser(&cluster).await;
        let broken = "create function public.broken() returns trigger language plpgsql as $$ begin \
             raise 'an index is corrupt' using errcode = 'XX002'; end $$; \
             create trigger broken before insert on events.guests execute function public.broken()";
        superuser.batch_execute(broken).await.expect("a trigger");
        let answer = staff.add("Ana Lost").await;
        assert_eq!(answer.refusal(), "internal");
        answer.body.to_string()
    });
    let (_, id) = told.split_once("log at request ").expect("an id");
    let id = &id[..8];
    process.wait_for_log(&format!("request{{id=\"{id}\"}}: frontdesk_server::database::error: the host failed cause=XX002 an index is corrupt"));
    process.stop();
}

pub(crate) fn a_server_waits_for_a_database_that_is_not_up_yet_and_says_so() {
    let mut cluster = Cluster::start_new();
    cluster.stop();
    let mut command = server_command(&["serve", "--listen", "127.0.0.1:0", "--database"]);
    command
        .arg(cluster.address())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    let mut server = command.spawn().expect("it starts");
    let mut log = BufReader::new(server.stderr.take().expect("its log")).lines();
    let mut told = log.by_ref().map_while(Result::ok);
    assert!(told.any(|line| line.contains("not up yet; waiting up to 60 s")));
    cluster.start();
    let mut printed = BufReader::new(server.stdout.take().expect("its output")).lines();
    let address = printed.next().expect("a line").expect("text");
    assert!(address.starts_with("listening on http://"), "{address}");
    server.kill().expect("it is killed");
    server.wait().expect("its end");
}
