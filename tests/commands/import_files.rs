//! `frontdesk import` with the files of fixtures/import.txt.

use std::sync::atomic::{AtomicUsize, Ordering};

use frontdesk_protocol::Role;
use serde_json::Value;

use crate::commands::stage::{Ended, Stage};

const CASES: &str = include_str!("../../fixtures/import.txt");
const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/import");
/// The number of files that are imported at the same time.
const AT_ONCE: usize = 4;

/// A file, and what becomes of it.
#[derive(Debug, Default)]
pub(crate) struct Case<'a> {
    pub(crate) title: &'a str,
    /// The host and the tool.
    tool: Option<&'a str>,
    arguments: Vec<&'a str>,
    zone: Option<&'a str>,
    /// A file that is imported before.
    before: Vec<u8>,
    pub(crate) file: Vec<u8>,
    /// The outcome of each row: line, word, and a part of what is said about it.
    pub(crate) rows: Vec<&'a str>,
    /// Fields of the records after the import, with their values.
    stored: Vec<(&'a str, Vec<&'a str>)>,
    /// A part of the message if the file is refused.
    pub(crate) refused: Option<&'a str>,
    /// Parts of what is said about the file.
    says: Vec<&'a str>,
}

pub(crate) fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_before = false;
    for line in CASES.lines().filter(|line| !line.starts_with('#')) {
        if let Some(title) = line.strip_prefix("== ") {
            is_before = false;
            cases.push(Case {
                title,
                ..Case::default()
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "before" => is_before = true,
            "file" => is_before = false,
            "|" if is_before => case.before.extend(bytes(rest)),
            "|" => case.file.extend(bytes(rest)),
            "from" => case.file = std::fs::read(format!("{FILES}/{rest}")).expect("a file"),
            "tool" => case.tool = Some(rest),
            "arg" => case.arguments.push(rest),
            "zone" => case.zone = Some(rest),
            "refused" => case.refused = Some(rest),
            "says" => case.says.push(rest),
            "stored" => {
                let (field, values) = rest.split_once(": ").expect("a field");
                case.stored.push((field, values.split(" | ").collect()));
            }
            _ => case.rows.push(line),
        }
    }
    cases
}

/// A line of a file: `\xe9` is a byte, `\u{200b}` a character, and `\` at the end means no line break.
fn bytes(line: &str) -> Vec<u8> {
    let (line, end) = match line.strip_suffix('\\') {
        Some(line) => (line, ""),
        None => (line, "\n"),
    };
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let number = |digits| u32::from_str_radix(digits, 16).expect("a number");
        rest = if let Some(after) = after.strip_prefix('x') {
            bytes.push(u8::try_from(number(&after[..2])).expect("a byte"));
            &after[2..]
        } else if let Some(after) = after.strip_prefix("u{") {
            let (digits, after) = after.split_once('}').expect("a bracket");
            let char = char::from_u32(number(digits)).expect("a character");
            bytes.extend(char.to_string().as_bytes());
            after
        } else {
            let (sign, after) = after.split_at(1);
            bytes.push(match sign {
                "r" => b'\r',
                "n" => b'\n',
                "t" => b'\t',
                _ => b'\\',
            });
            after
        };
    }
    bytes.extend((rest.to_owned() + end).as_bytes());
    bytes
}

impl Case<'_> {
    /// Whether the file has guests of an empty event, and is imported without arguments.
    pub(crate) fn is_plain(&self) -> bool {
        self.tool.is_none()
            && self.arguments.is_empty()
            && self.zone.is_none()
            && self.before.is_empty()
    }

    fn import(&self, stage: &Stage, bytes: &[u8], more: &[&str]) -> Ended {
        let file = stage.directory().join("file.csv");
        std::fs::write(&file, bytes).expect("it is written");
        let file = file.to_str().expect("text");
        let tool = self.tool.unwrap_or("events create_event_guest");
        let (host, tool) = tool.split_once(' ').expect("a tool");
        let set = format!("event_id={}", stage.event);
        let mut arguments = vec!["import", host, tool, file];
        if host == "events" {
            arguments.extend(["--set", &set]);
        }
        let zone = self.zone.unwrap_or("UTC");
        stage.given_in(&[("TZ", zone)], "", &[&arguments, more].concat())
    }

    /// What is wrong with the outcome.
    fn fails(&self) -> Vec<String> {
        let stage = Stage::of(Role::Owner);
        if !self.before.is_empty() {
            let more = ["--yes", "--key", "none", "--accept"];
            let ended = self.import(&stage, &self.before, &more);
            assert_eq!(ended.code, Some(0), "{}: {ended:?}", self.title);
        }
        let mut wrong = Vec::new();
        let more = [&self.arguments[..], &["--dry-run"]].concat();
        let ended = self.import(&stage, &self.file, &more);
        let said = format!("{}\n{}", ended.stdout, ended.stderr);
        let parts = self.refused.iter().chain(&self.says);
        let missing = parts.filter(|part| !said.contains(**part));
        wrong.extend(missing.map(|part| format!("does not say “{part}”")));
        let rows: Vec<_> = said.lines().filter_map(told).collect();
        let is_it = |(found, expected): (&String, &&str)| {
            // `[kinds]` or the word end what must be at the beginning.
            let end = expected.rfind("] ").map(|at| at + 1);
            let word = expected.match_indices(' ').nth(1).map(|(at, _)| at);
            let (head, part) = expected.split_at(end.or(word).unwrap_or(expected.len()));
            found.starts_with(head) && found.contains(part.trim())
        };
        let is_same = rows.len() == self.rows.len() && rows.iter().zip(&self.rows).all(is_it);
        if !is_same {
            wrong.push(format!("expected\n  {}", self.rows.join("\n  ")));
        }
        if !self.stored.is_empty() {
            let more = [&self.arguments[..], &["--yes", "--accept"]].concat();
            let ended = self.import(&stage, &self.file, &more);
            if ended.code != Some(0) && ended.code != Some(5) {
                wrong.push(format!("not imported: {ended:?}"));
            }
        }
        for (field, expected) in &self.stored {
            let found = self.stored(&stage, field);
            let mut expected = expected.clone();
            expected.sort_unstable();
            if found != expected {
                wrong.push(format!("{field}: {found:?} is stored"));
            }
        }
        if !wrong.is_empty() {
            wrong.push(said);
        }
        wrong
    }

    /// The values of a field of all records, sorted.
    fn stored(&self, stage: &Stage, field: &str) -> Vec<String> {
        let event = format!("event_id={}", stage.event);
        let (host, list) = match self.tool {
            None => ("events", "list_event_guests"),
            Some("events create_event_task") => ("events", "list_event_tasks"),
            Some("events create_event_expense") => ("events", "list_event_expenses"),
            Some("events create_event_session") => ("events", "list_event_sessions"),
            Some("learn create_member") => ("learn", "list_members"),
            Some("learn create_cohort") => ("learn", "list_cohorts"),
            Some("staff create_invoice") => ("staff", "list_invoices"),
            Some(other) => panic!("no list for {other}"),
        };
        let mut arguments = vec!["call", host, list];
        if host == "events" {
            arguments.push(&event);
        }
        arguments.push("--all");
        let listed = stage.frontdesk(&arguments).json();
        let records = listed.as_object().expect("a result").values();
        let records = records.filter_map(Value::as_array).flatten();
        let mut values: Vec<_> = records
            .map(|record| {
                let place = format!("/{}", field.replace('.', "/"));
                match record.pointer(&place) {
                    Some(Value::String(text)) => text.clone(),
                    Some(value) => value.to_string(),
                    None => "-".to_owned(),
                }
            })
            .collect();
        values.sort();
        values
    }
}

/// The row of a line such as `  add           line 2: Ana`: `2 add Ana`. For a questionable row, its kinds follow the
/// word.
fn told(line: &str) -> Option<String> {
    let (word, rest) = line.strip_prefix("  ")?.split_once("line ")?;
    let (line, text) = rest.split_once(": ")?;
    line.parse::<u64>().ok()?;
    let kinds = text
        .rsplit_once(" (--accept ")
        .and_then(|(_, kinds)| kinds.strip_suffix(" imports it)"));
    let kinds = kinds.map(|kinds| format!("[{kinds}] ")).unwrap_or_default();
    // The host's refusals come last, without a word.
    let word = match word.trim() {
        "" => "refused",
        word => word,
    };
    Some(format!("{line} {word} {kinds}{text}"))
}

#[test]
fn each_file_comes_in_as_it_is_meant_or_says_why_not() {
    let cases = cases();
    let next = AtomicUsize::new(0);
    let mut failed = Vec::new();
    std::thread::scope(|scope| {
        let workers = (0..AT_ONCE).map(|_| {
            scope.spawn(|| {
                let mut failed = Vec::new();
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let wrong = case.fails();
                    if !wrong.is_empty() {
                        failed.push(format!("== {}\n{}", case.title, wrong.join("\n")));
                    }
                }
                failed
            })
        });
        let workers: Vec<_> = workers.collect();
        for worker in workers {
            failed.extend(worker.join().expect("it ends"));
        }
    });
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(cases.len() >= 80, "{}", cases.len());
}
