//! The check-in journal: nothing is lost or duplicated after a failure at any point.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use frontdesk_client::{Action, DeliveryOutcome, Entry, Journal};
use jiff::Timestamp;
use tempfile::TempDir;
use uuid::Uuid;

fn entry(name: &str) -> Entry {
    let id = |last: u8| format!("0190a1b2-0000-7000-8000-0000000000{last:02}");
    Entry::new(
        "https://desk.example.org/events",
        id(1).parse().expect("an id"),
        id(2).parse().expect("an id"),
        id(3).parse().expect("an id"),
        name,
        at(),
        Action::CheckIn,
    )
}

fn at() -> Timestamp {
    "2026-01-05T18:00:00.123456Z".parse().expect("a time")
}

fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("data").join("journal.jsonl");
    (directory, path)
}

fn open(path: &Path) -> Journal {
    Journal::open(path).expect("can be opened")
}

fn names(journal: &Journal) -> Vec<String> {
    let waiting = journal.waiting().expect("can be read");
    waiting.into_iter().map(|entry| entry.guest_name).collect()
}

#[test]
fn entries_wait_in_order_until_they_are_settled() {
    let (_directory, path) = place();
    let journal = open(&path);
    assert_eq!(names(&journal), Vec::<String>::new());
    let (first, second, third) = (entry("Ana"), entry("Bruno"), entry("Carla"));
    for entry in [&first, &second, &third] {
        journal.append(entry).expect("is written");
    }
    let all = [first.clone(), second.clone(), third.clone()];
    assert_eq!(open(&path).waiting().expect("can be read"), all);

    journal
        .settle(second.id, DeliveryOutcome::Delivered)
        .expect("is written");
    assert_eq!(names(&open(&path)), ["Ana", "Carla"]);
    journal
        .settle(first.id, DeliveryOutcome::Already { at: at() })
        .expect("is written");
    assert_eq!(names(&open(&path)), ["Carla"]);
}

#[test]
fn when_nothing_waits_the_file_is_empty() {
    let (_directory, path) = place();
    let journal = open(&path);
    let (first, second) = (entry("Ana"), entry("Bruno"));
    journal.append(&first).expect("is written");
    journal.append(&second).expect("is written");
    let refused = DeliveryOutcome::Refused {
        message: "not on the list".to_owned(),
    };
    journal.settle(first.id, refused).expect("is written");
    assert_eq!(
        fs::read_to_string(&path).expect("is there").lines().count(),
        3
    );
    journal
        .settle(second.id, DeliveryOutcome::Delivered)
        .expect("is written");
    assert_eq!(fs::read(&path).expect("is there"), b"");
    journal.append(&entry("Carla")).expect("is written");
    assert_eq!(names(&journal), ["Carla"]);
}

#[test]
fn settling_twice_or_what_is_not_there_changes_nothing() {
    let (_directory, path) = place();
    let journal = open(&path);
    let (first, second) = (entry("Ana"), entry("Bruno"));
    journal.append(&first).expect("is written");
    journal.append(&second).expect("is written");
    journal
        .settle(first.id, DeliveryOutcome::Delivered)
        .expect("is written");
    let before = fs::read(&path).expect("is there");
    journal
        .settle(first.id, DeliveryOutcome::Delivered)
        .expect("is no error");
    journal
        .settle(Uuid::now_v7(), DeliveryOutcome::Delivered)
        .expect("is no error");
    assert_eq!(fs::read(&path).expect("is there"), before);
}

#[test]
fn a_line_reads_as_documented() {
    let (_directory, path) = place();
    let journal = open(&path);
    let mut first = entry("Zoë \"Z\"\nMüller");
    first.id = "0190a1b2-0000-7000-8000-000000000009"
        .parse()
        .expect("an id");
    journal.append(&first).expect("is written");
    journal.append(&entry("Bruno")).expect("is written");
    journal
        .settle(first.id, DeliveryOutcome::Already { at: at() })
        .expect("is written");
    let text = fs::read_to_string(&path).expect("is there");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[0],
        r#"{"id":"0190a1b2-0000-7000-8000-000000000009","host_url":"https://desk.example.org/events","account_id":"0190a1b2-0000-7000-8000-000000000001","event_id":"0190a1b2-0000-7000-8000-000000000002","guest_id":"0190a1b2-0000-7000-8000-000000000003","guest_name":"Zoë \"Z\"\nMüller","at":"2026-01-05T18:00:00.123456Z","action":"check_in"}"#
    );
    assert_eq!(
        lines[2],
        r#"{"id":"0190a1b2-0000-7000-8000-000000000009","done":{"outcome":"already","at":"2026-01-05T18:00:00.123456Z"}}"#
    );
}

#[test]
fn times_are_kept_as_exactly_as_the_hosts_keep_them() {
    let now = "2026-01-05T18:00:00.123456789Z".parse().expect("a time");
    let mut made = entry("Ana");
    made = Entry::new(
        made.host_url,
        made.account,
        made.event_id,
        made.guest_id,
        "Ana",
        now,
        Action::Undo,
    );
    assert_eq!(made.at.to_string(), "2026-01-05T18:00:00.123457Z");
}

// ---- crashes ----

#[test]
fn an_entry_that_was_cut_anywhere_is_dropped_or_whole() {
    let (_directory, path) = place();
    let journal = open(&path);
    journal.append(&entry("Ana")).expect("is written");
    journal.append(&entry("Bruno")).expect("is written");
    let whole = fs::read(&path).expect("is there").len();
    journal.append(&entry("Carla")).expect("is written");
    let bytes = fs::read(&path).expect("is there");

    for cut in whole..=bytes.len() {
        fs::write(&path, &bytes[..cut]).expect("is written");
        let journal = open(&path);
        // Complete, or complete except its line feed.
        let expected: &[&str] = match cut + 1 >= bytes.len() {
            true => &["Ana", "Bruno", "Carla"],
            false => &["Ana", "Bruno"],
        };
        assert_eq!(names(&journal), expected, "cut at {cut}");
        // The incomplete line is removed.
        let left = fs::read(&path).expect("is there");
        match expected.len() {
            2 => assert_eq!(left, bytes[..whole], "cut at {cut}"),
            _ => assert_eq!(left, bytes, "cut at {cut}"),
        }
        // The next entry starts on a new line.
        journal.append(&entry("Dora")).expect("is written");
        let mut expected = expected.to_vec();
        expected.push("Dora");
        assert_eq!(names(&open(&path)), expected, "cut at {cut}");
    }
}

#[test]
fn a_settlement_that_was_cut_anywhere_leaves_the_entry_waiting() {
    let (_directory, path) = place();
    let journal = open(&path);
    let first = entry("Ana");
    journal.append(&first).expect("is written");
    journal.append(&entry("Bruno")).expect("is written");
    let whole = fs::read(&path).expect("is there").len();
    journal
        .settle(first.id, DeliveryOutcome::Delivered)
        .expect("is written");
    let bytes = fs::read(&path).expect("is there");

    for cut in whole..=bytes.len() {
        fs::write(&path, &bytes[..cut]).expect("is written");
        let journal = open(&path);
        let expected: &[&str] = match cut + 1 >= bytes.len() {
            true => &["Bruno"],
            false => &["Ana", "Bruno"],
        };
        assert_eq!(names(&journal), expected, "cut at {cut}");
        // Delivered again after the crash, and settled.
        journal
            .settle(first.id, DeliveryOutcome::Delivered)
            .expect("is written");
        assert_eq!(names(&open(&path)), ["Bruno"], "cut at {cut}");
    }
}

#[test]
fn a_crash_of_another_process_is_repaired_before_the_next_line() {
    let (_directory, path) = place();
    let journal = open(&path);
    journal.append(&entry("Ana")).expect("is written");
    // An incomplete line, and zeros left by a power failure.
    for torn in [&b"{\"id\":\"0190a1"[..], &[0; 512]] {
        let mut file = fs::OpenOptions::new()
            .append(true)
            .open(&path)
            .expect("is there");
        file.write_all(torn).expect("is written");
        drop(file);
        journal.append(&entry("Bruno")).expect("is written");
    }
    assert_eq!(names(&journal), ["Ana", "Bruno", "Bruno"]);
}

#[test]
fn a_line_of_a_newer_version_is_kept() {
    let (_directory, path) = place();
    let journal = open(&path);
    let first = entry("Ana");
    journal.append(&first).expect("is written");
    let strange = "{\"from\":\"a newer version\"}\n";
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("is there");
    file.write_all(strange.as_bytes()).expect("is written");
    drop(file);
    let second = entry("Bruno");
    journal.append(&second).expect("is written");
    assert_eq!(names(&journal), ["Ana", "Bruno"]);
    journal
        .settle(first.id, DeliveryOutcome::Delivered)
        .expect("is written");
    journal
        .settle(second.id, DeliveryOutcome::Delivered)
        .expect("is written");
    assert_eq!(fs::read_to_string(&path).expect("is there"), strange);
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let (_directory, path) = place();
    fs::create_dir_all(&path).expect("is made");
    // A directory has the path of the file.
    Journal::open(&path).expect_err("cannot be opened");
}

// ---- several processes ----

#[test]
fn many_writers_lose_nothing() {
    let (_directory, path) = place();
    // Each with its own file, like processes.
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let journal = open(path);
                for number in 0..25 {
                    let made = entry(&format!("{writer}-{number}"));
                    journal.append(&made).expect("is written");
                    if number % 2 == 0 {
                        journal
                            .settle(made.id, DeliveryOutcome::Delivered)
                            .expect("is written");
                    }
                }
            });
        }
    });
    let mut left = names(&open(&path));
    left.sort();
    let mut expected: Vec<_> = (0..4)
        .flat_map(|writer| {
            (1..25)
                .step_by(2)
                .map(move |number| format!("{writer}-{number}"))
        })
        .collect();
    expected.sort();
    assert_eq!(left, expected);
}

const CHILD: &str = "FRONTDESK_TEST_JOURNAL";

/// Not a separate test: the process that the next test kills. It prints each entry once it is
/// safely written.
#[test]
fn child_that_is_killed() {
    let Ok(path) = std::env::var(CHILD) else {
        return;
    };
    let journal = open(Path::new(&path));
    let mut out = std::io::stdout();
    for number in 0.. {
        journal
            .append(&entry(&format!("guest {number}")))
            .expect("is written");
        writeln!(out, "safe: {number}").expect("is told");
    }
}

#[test]
fn killing_the_process_loses_nothing_that_was_said_to_be_safe() {
    for told in [1, 7, 20] {
        let (_directory, path) = place();
        let mut child = Command::new(std::env::current_exe().expect("a path"))
            .args(["--exact", "journal::child_that_is_killed", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let out = BufReader::new(child.stdout.take().expect("a pipe"));
        let safe = out
            .lines()
            .map_while(Result::ok)
            .filter(|line| line.contains("safe: "))
            .take(told)
            .count();
        child.kill().expect("is killed");
        child.wait().expect("has ended");
        assert_eq!(safe, told);

        let waiting = names(&open(&path));
        assert!(waiting.len() >= told, "{} of {told}", waiting.len());
        let expected: Vec<_> = (0..waiting.len())
            .map(|number| format!("guest {number}"))
            .collect();
        assert_eq!(waiting, expected);
    }
}
