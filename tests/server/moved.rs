//! An embedded database that moves to a PostgreSQL server.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::process::serve;
use frontdesk_tests::program::{run_server, server};
use frontdesk_tests::{Cluster, Desk, Process, School, desk, row, selected};

use crate::server::stage::{Staff, runtime, superuser};

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

/// Adds an owner and the organisation, as the operator does at a shell.
fn add_owner(database: &str, email: &str) {
    let arguments = [
        "add-account",
        "--database",
        database,
        "--email",
        email,
        "--organization",
        "River School",
        "--new-organization",
        "--role",
        "owner",
    ];
    let mut adding = server(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut stdin = adding.stdin.take().expect("stdin");
    writeln!(stdin, "{PASSWORD}").expect("a password");
    drop(stdin);
    assert!(adding.wait().expect("its end").success());
}

/// Adds a record of this kind in the app.
fn add(t: &mut Desk, kind: &str, name: &str) {
    t.go_to(kind).press("a");
    t.type_text(name).press("ctrl-s").expect_toast("Added");
    t.expect_row(row(name));
}

pub(crate) fn the_app_goes_on_where_its_server_has_moved() {
    let cluster = Cluster::start_new();
    let place = tempfile::tempdir().expect("a directory");
    let text = |name: &str| place.path().join(name).to_str().expect("UTF-8").to_owned();
    let (database, address) = (text("postgres"), cluster.address());

    let embedded = Process::start(serve(&database).args(["--rate-limit", "0"]));
    let url = embedded.url.clone();
    add_owner(&database, "ada@river.test");
    let mut t = desk(&School::new()).over(&*url).at_home();
    t.type_text("ada@river.test").press("tab");
    t.enter(PASSWORD);
    t.expect("Signed in as ada@river.test, owner at River School");
    add(&mut t, "business units", "Evening courses");
    let made = run_server(&["backup", "--database", &database, &text("backup")]);
    assert_eq!(made.code, Some(0), "{made:?}");
    add(&mut t, "projects", "Museum");
    embedded.stop();

    let moved = run_server(&["move", "--database", &database, "--to", &address]);
    assert_eq!(moved.code, Some(0), "{moved:?}");
    let listen = url.trim_start_matches("http://");
    let arguments = ["serve", "--listen", listen, "--database", &address];
    let process = Process::start(server(&arguments).args(["--rate-limit", "0"]));
    // The sign-in is still valid, and what was added after the backup is there too.
    t.press("r").expect_row(row("Museum"));
    add(&mut t, "epics", "Tickets");
    t.go_to("business units");
    t.expect_row(selected("Evening courses"));
    process.stop();
}
