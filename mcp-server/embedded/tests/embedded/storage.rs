//! Directories: opening, locking, durability.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use frontdesk_embedded::{Embedded, Error, Storage};

use crate::support::{client, connect};

/// The directory for this test program's second process.
const WRITER: &str = "FRONTDESK_EMBEDDED_WRITER";

#[tokio::test]
async fn a_directory_keeps_what_was_committed() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("new/database");

    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("create table kept as select 'kept' as text")
        .await
        .unwrap();
    for (setting, value) in [("fsync", "on"), ("synchronous_commit", "on")] {
        let row = client
            .query_one(&format!("show {setting}"), &[])
            .await
            .unwrap();
        assert_eq!(row.get::<_, &str>(0), value);
    }
    client
        .batch_execute("begin; insert into kept values ('not kept')")
        .await
        .unwrap();
    database.close().await.unwrap();

    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    let rows = client.query("select text from kept", &[]).await.unwrap();
    assert_eq!(rows.len(), 1);
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_directory_belongs_to_one_database() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("database");

    let first = open(&path).await.unwrap();
    let second = open(&path).await.unwrap_err();
    assert!(
        matches!(&second, Error::InUse { path: used } if *used == path),
        "{second}"
    );

    first.close().await.unwrap();
    open(&path).await.unwrap().close().await.unwrap();
}

#[tokio::test]
async fn a_copy_has_what_was_committed_when_it_was_made() {
    let parent = tempfile::tempdir().unwrap();
    let [path, copy] = ["database", "copy"].map(|name| parent.path().join(name));
    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("create table kept as select 'kept' as text")
        .await
        .unwrap();
    drop(client);
    database.copy_to(copy.clone()).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("insert into kept values ('later')")
        .await
        .unwrap();

    let copied = open(&copy).await.unwrap();
    let client_of_copy = connect(&copied).await;
    let rows = client_of_copy.query("select text from kept", &[]).await;
    assert_eq!(rows.unwrap().len(), 1);
    copied.close().await.unwrap();

    drop(client);
    let again = database.copy_to(copy).await;
    assert!(matches!(again, Err(Error::Copy(_))), "{again:?}");
    database.close().await.unwrap();
}

#[tokio::test]
async fn a_killed_process_loses_nothing_that_it_was_told() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("database");
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "storage::write_until_killed", "--nocapture"])
        .env(WRITER, &path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines();
    let mut told = || lines.find_map(|line| line.unwrap().strip_prefix("committed ")?.parse().ok());
    let mut last: i32 = told().unwrap();

    let second = open(&path).await.unwrap_err();
    assert!(matches!(second, Error::InUse { .. }), "{second}");

    while last < 200 {
        last = told().unwrap();
    }
    writer.kill().unwrap();
    writer.wait().unwrap();

    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    let row = client
        .query_one("select max(n), count(*) from written", &[])
        .await
        .unwrap();
    assert!(row.get::<_, i32>(0) >= last);
    assert_eq!(i64::from(row.get::<_, i32>(0)), row.get::<_, i64>(1));
    database.close().await.unwrap();
}

/// The second process of the test above; does nothing when run alone.
#[tokio::test]
async fn write_until_killed() {
    let Some(path) = std::env::var_os(WRITER) else {
        return;
    };
    let database = open(&PathBuf::from(path)).await.unwrap();
    let client = connect(&database).await;
    client
        .batch_execute("create table written (n int primary key)")
        .await
        .unwrap();
    let insert = client
        .prepare("insert into written values ($1)")
        .await
        .unwrap();
    for n in 1_i32.. {
        client.execute(&insert, &[&n]).await.unwrap();
        writeln!(std::io::stdout(), "committed {n}").unwrap();
    }
}

#[tokio::test]
async fn a_temporary_database_does_not_wait_for_the_disk() {
    let client = client().await;
    let row = client.query_one("show fsync", &[]).await.unwrap();
    assert_eq!(row.get::<_, &str>(0), "off");
}

async fn open(path: &Path) -> Result<Embedded, Error> {
    Embedded::open(Storage::Directory(path.to_owned())).await
}

/// What the engine's first start leaves if it is killed, and a directory with other files.
#[tokio::test]
async fn a_directory_opens_after_an_interrupted_first_start_and_beside_other_files() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("database");
    std::fs::create_dir_all(path.join(".pgdata-initdb-killed/base")).unwrap();
    std::fs::write(path.join(".oliphaunt.json.oliphaunt-write-1"), "{").unwrap();
    open(&path).await.unwrap().close().await.unwrap();
    let description = path.join(".oliphaunt.json");
    let described = std::fs::read_to_string(&description).unwrap();

    // Killed before the last step, or copied without hidden files.
    std::fs::remove_file(&description).unwrap();
    open(&path).await.unwrap().close().await.unwrap();
    assert_eq!(std::fs::read_to_string(&description).unwrap(), described);

    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    let kept = "create table kept as select 'kept' as text";
    client.batch_execute(kept).await.unwrap();
    drop(client);
    database.close().await.unwrap();
    // A file manager, or a person, adds something later.
    std::fs::write(path.join(".DS_Store"), "").unwrap();
    std::fs::write(path.join("notes"), "keep me").unwrap();
    let database = open(&path).await.unwrap();
    let client = connect(&database).await;
    let rows = client.query("select text from kept", &[]).await.unwrap();
    assert_eq!(rows.len(), 1);
    let second = open(&path).await.unwrap_err();
    assert!(matches!(&second, Error::InUse { path: used } if *used == path));
    drop(client);
    database.close().await.unwrap();
    assert_eq!(
        std::fs::read_to_string(path.join("notes")).unwrap(),
        "keep me"
    );
}

#[tokio::test]
async fn a_new_database_needs_a_directory_without_other_files() {
    let parent = tempfile::tempdir().unwrap();
    let mounted = parent.path().join("mounted");
    std::fs::create_dir_all(mounted.join("lost+found")).unwrap();
    std::fs::write(mounted.join("README.txt"), "Frontdesk").unwrap();
    open(&mounted).await.unwrap().close().await.unwrap();

    let home = parent.path().join("home");
    std::fs::create_dir_all(home.join("photos")).unwrap();
    let refused = open(&home).await.unwrap_err().to_string();
    assert!(refused.contains("has other files (photos)"), "{refused}");
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 1);

    let broken = parent.path().join("broken");
    std::fs::create_dir_all(broken.join("pgdata")).unwrap();
    let refused = open(&broken).await.unwrap_err().to_string();
    assert!(
        refused.contains("is incomplete: restore a backup"),
        "{refused}"
    );
}
