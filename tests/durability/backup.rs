//! `backup`, `restore` and `check`, while a server runs on the embedded database.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use frontdesk_protocol::Host;
use frontdesk_tests::program::{Ended, run_server, server as server_command};
use frontdesk_tests::{Http, Process, prepared};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::durability::place::runtime;

/// A directory with a database of the demo, for backups.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a directory"))
    }

    /// The same, with a database without an organisation.
    fn prepared() -> Place {
        let place = Place::new();
        prepared::copy_to(&place.path("postgres"));
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("UTF-8"))
            .collect();
        names.sort();
        names
    }

    fn back_up(&self, database: &str, file: &str) -> Ended {
        run_server(&[
            "backup",
            "--database",
            &self.text(database),
            &self.text(file),
        ])
    }

    fn restore(&self, file: &str, database: &str) -> Ended {
        run_server(&[
            "restore",
            "--database",
            &self.text(database),
            &self.text(file),
        ])
    }
}

/// A change of the history, as the caller sees it.
async fn change_of(http: &mut Http, id: &Value) -> Value {
    let arguments = json!({ "change_id": id });
    let change = http.call(Host::Ops, "get_change", arguments).await;
    change.output()["change"].clone()
}

/// The history of the last changes.
async fn changes(http: &mut Http) -> Vec<Value> {
    let listed = http.call(Host::Ops, "list_changes", json!({})).await;
    let changes = listed.output()["changes"].as_array();
    changes.expect("changes").clone()
}

pub(crate) fn changes_can_be_read_and_undone_in_a_restored_database() {
    let place = Place::prepared();
    let server = Process::demo(&place.text("postgres"));
    let (guest, before, change) = runtime().block_on(async {
        let mut desk = Desk::open(&server.url).await;
        let guest = json!({ "event_id": desk.event, "name": "Ana Before" });
        let added = desk.http.events("create_event_guest", guest).await;
        let guest = added.output()["guest"]["id"].clone();
        let renamed = json!({ "id": guest, "name": "Ana After" });
        desk.http
            .events("update_event_guest", renamed)
            .await
            .output();
        let before = changes(&mut desk.http).await;
        let change = change_of(&mut desk.http, &before[0]["id"]).await;
        (guest, before, change)
    });
    assert_eq!(
        change["changes"]["rows"][0]["after"],
        json!({ "name": "Ana After" })
    );
    succeeds(&place.back_up("postgres", "backup"));
    server.stop();
    succeeds(&place.restore("backup", "restored"));

    let server = Process::demo(&place.text("restored"));
    runtime().block_on(async {
        let mut desk = Desk::open(&server.url).await;
        assert_eq!(changes(&mut desk.http).await, before);
        assert_eq!(change_of(&mut desk.http, &change["id"]).await, change);
        let undo = json!({ "change_id": change["id"] });
        let undone = desk.http.call(Host::Ops, "undo_change", undo).await;
        assert_eq!(undone.output()["change"]["undoes"], change["id"]);
        let found = desk
            .http
            .events("get_event_guest", json!({ "id": guest }))
            .await;
        assert_eq!(found.output()["guest"]["name"], "Ana Before");
    });
    server.stop();
}

/// A staff member of the demo at an event.
struct Desk {
    http: Http,
    event: Value,
}

impl Desk {
    async fn open(url: &str) -> Desk {
        let mut http = Http::sign_in(url, "staff@demo.test", "demo-password").await;
        let found = http
            .events("list_events", json!({ "search": "Open Day" }))
            .await;
        let event = found.output()["events"][0]["id"].clone();
        Desk { http, event }
    }

    async fn add(&mut self, name: &str) {
        let guest = json!({ "event_id": self.event, "name": name });
        self.http.events("create_event_guest", guest).await.output();
    }

    async fn has(&mut self, name: &str) -> bool {
        let search = json!({ "event_id": self.event, "search": name });
        let found = self.http.events("list_event_guests", search).await;
        let guests = found.output()["guests"].as_array().expect("guests");
        guests.iter().any(|guest| guest["name"] == name)
    }
}

#[track_caller]
fn succeeds(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[track_caller]
fn is_refused(ended: &Ended, because: &str) {
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains(because), "{ended:?}");
    assert_eq!(ended.stdout, "");
}

pub(crate) fn a_backup_is_made_while_calls_continue_and_restored_elsewhere() {
    let place = Place::prepared();
    let server = Process::demo(&place.text("postgres"));
    runtime().block_on(async { Desk::open(&server.url).await.add("Ana Before").await });

    let is_made = AtomicBool::new(false);
    thread::scope(|scope| {
        let calls = scope.spawn(|| {
            runtime().block_on(async {
                let mut desk = Desk::open(&server.url).await;
                let mut added = 0;
                while !is_made.load(Ordering::Relaxed) {
                    desk.add(&format!("Guest {added}")).await;
                    added += 1;
                }
            });
        });
        let made = place.back_up("postgres", "backup");
        is_made.store(true, Ordering::Relaxed);
        calls.join().expect("every call is answered");
        succeeds(&made);
    });
    succeeds(&run_server(&["restore", "--check", &place.text("backup")]));
    is_refused(&place.back_up("postgres", "backup"), "exists already");
    is_refused(&place.restore("backup", "postgres"), "stop it first");
    runtime().block_on(async { Desk::open(&server.url).await.add("Zoe After").await });
    server.stop();

    succeeds(&place.restore("backup", "restored"));
    is_refused(&place.restore("backup", "restored"), "organisations");
    let server = Process::demo(&place.text("restored"));
    runtime().block_on(async {
        let mut desk = Desk::open(&server.url).await;
        assert!(desk.has("Ana Before").await);
        assert!(!desk.has("Zoe After").await);
    });
    server.stop();
    let left: Vec<_> = place.names();
    assert!(
        !left.iter().any(|name| name.contains("frontdesk-")),
        "{left:?}"
    );
}

/// Writes a changed copy of a file.
/// A backup of the database that waits for its server, which is paused. It has a directory for the copy and an incomplete
/// file.
fn waiting(place: &Place, server: &Process) -> Child {
    server.signal(Signal::STOP);
    let arguments = [
        "backup",
        "--database",
        &place.text("postgres"),
        &place.text("backup"),
    ];
    let mut command = server_command(&arguments);
    let child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let is_there = |start: &str| place.names().iter().any(|name| name.starts_with(start));
    while !is_there("frontdesk-database-") || !is_there(".frontdesk-backup-") {
        thread::yield_now();
    }
    child
}

/// Names of files that a backup leaves until it is complete.
fn incomplete(place: &Place) -> Vec<String> {
    let names = place.names().into_iter();
    names
        .filter(|name| {
            name.starts_with("frontdesk-database-") || name.starts_with(".frontdesk-backup-")
        })
        .collect()
}

pub(crate) fn an_interrupted_backup_leaves_no_copy_of_the_database() {
    let place = Place::prepared();
    for signal in [Signal::TERM, Signal::INT, Signal::HUP, Signal::QUIT] {
        let server = Process::demo(&place.text("postgres"));
        let backup = waiting(&place, &server);
        let id = Pid::from_child(&backup);
        kill_process(id, signal).expect("a signal");
        let ended = backup.wait_with_output().expect("it ends");
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        let says = String::from_utf8_lossy(&ended.stderr);
        assert!(says.contains("interrupted"), "{says}");
        assert_eq!(incomplete(&place), [""; 0]);
        server.signal(Signal::CONT);
        // In the middle of the copy.
        let backup = waiting(&place, &server);
        server.signal(Signal::CONT);
        let copies = || {
            let names = incomplete(&place).into_iter();
            names.map(|name| place.path(&name).join("postgres/pgdata"))
        };
        while !copies().any(|copy| copy.exists()) {
            thread::yield_now();
        }
        kill_process(Pid::from_child(&backup), signal).expect("a signal");
        backup.wait_with_output().expect("it ends");
        assert_eq!(incomplete(&place), [""; 0]);
        server.stop();
        assert_eq!(incomplete(&place), [""; 0]);
    }
}

pub(crate) fn what_a_killed_backup_left_is_removed_by_the_next_start_and_the_next_backup() {
    let place = Place::prepared();
    let server = Process::demo(&place.text("postgres"));
    let mut backup = waiting(&place, &server);
    backup.kill().expect("it is killed");
    backup.wait().expect("it ends");
    assert_eq!(incomplete(&place).len(), 2);
    server.signal(Signal::CONT);
    server.stop();
    let server = Process::demo(&place.text("postgres"));
    let left = incomplete(&place);
    assert!(
        left.iter()
            .all(|name| name.starts_with(".frontdesk-backup-")),
        "{left:?}"
    );
    succeeds(&place.back_up("postgres", "backup"));
    assert_eq!(incomplete(&place), [""; 0]);
    server.stop();
}

fn change(from: &Path, to: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(from).expect("the file");
    change(&mut bytes);
    fs::write(to, bytes).expect("a file");
}

pub(crate) fn a_damaged_backup_is_refused_and_nothing_is_changed() {
    let place = Place::prepared();
    Process::demo(&place.text("postgres")).stop();
    succeeds(&place.back_up("postgres", "backup"));
    let whole = place.path("backup");
    change(&whole, &place.path("cut"), |bytes| {
        bytes.truncate(bytes.len() / 2);
    });
    change(&whole, &place.path("flipped"), |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
    });
    change(&whole, &place.path("longer"), |bytes| bytes.push(0));
    fs::write(place.path("other"), "name;email\n").expect("a file");

    let before = place.names();
    for (file, because) in [
        ("cut", "damaged or incomplete"),
        ("flipped", "damaged"),
        ("other", "not a backup"),
        ("absent", "No such file"),
    ] {
        is_refused(&place.restore(file, "restored"), because);
    }
    assert_eq!(place.names(), before);
}

pub(crate) fn a_backup_that_is_too_old_is_refused_with_what_to_do() {
    let place = Place::new();
    let lines = [
        json!({ "frontdesk": { "format": 1, "migrations": [1, 41, 123], "program": "0.1.0", "postgres": "18",
                               "created_at": "2026-01-01T00:00:00Z" } }),
        json!({ "sequences": [] }),
        json!({ "end": { "tables": 0, "rows": 0 } }),
    ];
    let file = fs::File::create(place.path("older")).expect("a file");
    let mut file = GzEncoder::new(file, Compression::fast());
    for line in lines {
        writeln!(file, "{line}").expect("a line");
    }
    file.finish().expect("its end");
    let remedy = "has schema 123, and this program restores 124 and newer ones: restore it with frontdesk-server 0.2.0";
    is_refused(
        &run_server(&["restore", "--check", &place.text("older")]),
        remedy,
    );
    is_refused(&place.restore("older", "restored"), remedy);
    assert_eq!(place.names(), ["older"], "nothing was created");
}

pub(crate) fn a_check_finds_nothing_wrong_and_knows_the_last_backup() {
    let place = Place::prepared();
    let database = place.text("postgres");
    let server = Process::demo(&database);
    let address = server.url.trim_start_matches("http://").to_owned();
    let check = |more: &[&str]| {
        let arguments = ["check", "--database", &database, "--listen", &address];
        run_server(&[&arguments, more].concat())
    };
    let fine = check(&["--public-url", &server.url]);
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(fine.stdout.contains("none was made yet"), "{fine:?}");
    succeeds(&place.back_up("postgres", "backup"));
    let fine = check(&[]);
    let says = "backup    the last one was made within the hour";
    assert!(fine.stdout.contains(says), "{fine:?}");
    server.stop();
}

pub(crate) fn what_cannot_be_used_is_named_before_anything_is_migrated() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("its address").to_string();
    let database = place.text("postgres");
    let ended = run_server(&["serve", "--listen", &taken, "--database", &database]);
    is_refused(&ended, &taken);
    is_refused(&ended, "another program has the port");
    assert_eq!(place.names(), [""; 0], "nothing was created");

    fs::write(place.path("file"), "").expect("a file");
    let below = place.text("file/postgres");
    for (database, because) in [
        (place.text("file"), "is a file"),
        (below, "cannot be written"),
    ] {
        let ended = run_server(&["serve", "--listen", "localhost:0", "--database", &database]);
        is_refused(&ended, because);
        assert!(ended.stderr.contains(&place.text("file")), "{ended:?}");
    }

    let mut command = frontdesk_tests::program::server(&["serve", "--database", &database]);
    command.args(["--listen", "localhost:0"]);
    command.env("XDG_CACHE_HOME", place.text("file/cache"));
    let ended = Ended::of(command.output().expect("it runs"));
    is_refused(&ended, "set XDG_CACHE_HOME");
    assert_eq!(place.names(), ["file"], "nothing was created");
}

pub(crate) fn a_file_configures_the_server_and_options_win() {
    let place = Place::prepared();
    let file = place.text("server.toml");
    let text = format!(
        "database = '{}'\nlisten = 'localhost:0'\ndemo = true\nallow-host = ['desk.example.org']\n",
        place.text("postgres")
    );
    fs::write(&file, text).expect("a file");
    let mut command = frontdesk_tests::program::server(&["serve", "--config", &file]);
    let server = Process::start(&mut command);
    assert!(
        server.url.starts_with("http://127.0.0.1:"),
        "{}",
        server.url
    );
    let listed = run_server(&["list-accounts", "--config", &file]);
    assert!(listed.stdout.contains("staff@demo.test"), "{listed:?}");
    server.stop();
    let nowhere = place.text("nowhere");
    let listed = run_server(&["backup", "--config", &file, "--database", &nowhere, "-"]);
    is_refused(&listed, "there is no Frontdesk in");
    fs::write(&file, "lisen = 'localhost:0'").expect("a file");
    is_refused(
        &run_server(&["serve", "--config", &file]),
        "no option `lisen`",
    );
}
