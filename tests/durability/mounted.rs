//! The embedded database in a mount point, whose parent is closed, on a small disk.

use std::path::{Path, PathBuf};
use std::process::Command;

use frontdesk_tests::Http;
use frontdesk_tests::Process;
use frontdesk_tests::program::run_server;
use serde_json::json;
use tempfile::TempDir;

use crate::durability::place::runtime;

/// A file system in one that is read-only; dropping it unmounts both.
struct Mounted {
    outer: TempDir,
}

impl Mounted {
    fn new(megabytes: u32) -> Mounted {
        let outer = tempfile::tempdir().expect("a directory");
        mount(&["-o", "size=1m"], outer.path());
        let mounted = Mounted { outer };
        std::fs::create_dir(mounted.path()).expect("a directory");
        let size = format!("size={megabytes}m,mode=700");
        mount(&["-o", &size], &mounted.path());
        std::fs::create_dir(mounted.path().join("lost+found")).expect("a directory");
        mount(&["-o", "remount,ro"], mounted.outer.path());
        mounted
    }

    fn path(&self) -> PathBuf {
        self.outer.path().join("disk")
    }

    fn database(&self) -> String {
        self.path().to_str().expect("a path in UTF-8").to_owned()
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        for place in [self.path().as_path(), self.outer.path()] {
            let unmounted = Command::new("umount").arg("--lazy").arg(place).status();
            assert!(unmounted.is_ok_and(|status| status.success()));
        }
    }
}

fn mount(options: &[&str], place: &Path) {
    let mut command = Command::new("mount");
    command
        .args(["-t", "tmpfs"])
        .args(options)
        .arg("tmpfs")
        .arg(place);
    let mounted = command.status().expect("mount runs");
    assert!(mounted.success(), "mount: {mounted}");
}

pub(crate) fn a_mount_point_whose_parent_is_closed_holds_a_database() {
    let disk = Mounted::new(400);
    let database = disk.database();
    let server = Process::demo(&database);
    let listed = run_server(&["list-accounts", "--database", &database]);
    assert!(listed.stdout.contains("staff@demo.test"), "{listed:?}");
    let elsewhere = tempfile::tempdir().expect("a directory");
    let file = elsewhere.path().join("backup");
    let file = file.to_str().expect("a path in UTF-8");
    let backup = run_server(&["backup", "--database", &database, file]);
    assert_eq!(backup.code, Some(0), "{backup:?}");
    server.stop();
    let checked = run_server(&["check", "--database", &database, "--listen", "127.0.0.1:0"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(
        checked.stdout.contains("embedded, can be opened"),
        "{checked:?}"
    );
}

pub(crate) fn a_full_disk_of_the_embedded_database_is_told_and_reads_go_on() {
    let disk = Mounted::new(250);
    let server = Process::demo(&disk.database());
    let filler = disk.path().join("filler");
    runtime().block_on(async {
        let mut staff = Http::sign_in(&server.url, "staff@demo.test", "demo-password").await;
        let found = staff
            .events("list_events", json!({ "search": "Open Day" }))
            .await;
        let event = found.output()["events"][0]["id"].clone();
        // The disk is filled to its last byte.
        let mut file = std::fs::File::create(&filler).expect("a file");
        let full = std::io::copy(&mut std::io::repeat(1), &mut file).expect_err("an end");
        assert_eq!(full.kind(), std::io::ErrorKind::StorageFull);
        let mut refused = None;
        for number in 0..2_000 {
            let guest =
                json!({ "event_id": event, "name": format!("Guest {number} {}", "x".repeat(100)) });
            let answer = staff.events("create_event_guest", guest).await;
            if answer.status.as_u16() != 200 {
                refused = Some(answer);
                break;
            }
        }
        let refused = refused.expect("there is an end to it");
        assert_eq!(refused.status.as_u16(), 503, "{refused:?}");
        let told = refused.body.to_string();
        assert!(
            told.contains("the database's disk is full; nothing was changed"),
            "{told}"
        );
        let health = reqwest::get(format!("{}/events/health", server.url)).await;
        let health = health.expect("an answer").text().await.expect("text");
        assert!(health.contains("its disk is full"), "{health}");
        let events = staff.events("list_events", json!({})).await;
        assert!(
            events.output()["events"]
                .as_array()
                .is_some_and(|events| !events.is_empty())
        );
    });
    std::fs::remove_file(&filler).expect("room");
}
