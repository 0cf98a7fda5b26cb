//! The files of fixtures/import.txt.

use std::path::Path;
use std::sync::Arc;

use frontdesk_protocol::Host;
use frontdesk_protocol::number::Mark;
use jiff::tz::TimeZone;

use super::host::Table;
use crate::import::{Accepted, Choices, Fate, Import, Row, Sheet};

const CASES: &str = include_str!("../../../../fixtures/import.txt");
const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/import");

/// A file, and the rows and records that its import leads to.
#[derive(Debug, Default)]
struct Case<'a> {
    title: &'a str,
    /// The host and the tool.
    tool: Option<&'a str>,
    arguments: Vec<&'a str>,
    zone: Option<&'a str>,
    /// A file that is imported before.
    before: Vec<u8>,
    file: Vec<u8>,
    /// The outcome of each row: line, word, and a part of what is said about it.
    rows: Vec<&'a str>,
    /// Fields of the records after the import, with their values.
    stored: Vec<(&'a str, Vec<&'a str>)>,
    /// A part of the message if the file is refused.
    refused: Option<&'a str>,
    /// Parts of what is said about the file.
    says: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
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
    /// The values of an argument of the command.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let pairs = self.arguments.chunks(2);
        let found = pairs.filter(move |pair| pair[0] == name);
        found.map(|pair| pair[1])
    }

    fn value<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        self.values(name).last()
    }

    /// The import of these bytes, checked.
    ///
    /// # Errors
    /// Why the file is refused.
    async fn import(
        &self,
        table: &Arc<Table>,
        place: &Path,
        bytes: &[u8],
        key: Option<&str>,
    ) -> Result<Import, String> {
        let file = place.join("file.csv");
        std::fs::write(&file, bytes).expect("it is written");
        let sheet = Sheet::read(&file, self.value("--encoding"), self.value("--sheet"), None);
        let sheet = sheet.map_err(|error| error.to_string())?;
        let (_, tool) = self.tool();
        let import = table.open(place, tool, sheet).await;
        let mut import = import.map_err(|error| error.to_string())?;
        let zone = TimeZone::get(self.zone.unwrap_or("UTC"));
        import.reader.locale.zone = zone.expect("a time zone");
        let map = self.values("--map").filter_map(|pair| pair.split_once('='));
        let map: Vec<_> = map
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
            .collect();
        import.assign(&map).map_err(|error| error.to_string())?;
        for accepted in self.values("--accept") {
            import.accept(&accepted.parse()?);
        }
        import.choose(Choices {
            day_first: self.value("--dates").map(|order| order == "day-first"),
            mark: self.value("--decimals").map(|mark| match mark {
                "comma" => Mark::Comma,
                _ => Mark::Point,
            }),
            negate: None,
        });
        let checked = import
            .check(key.or(self.value("--key")), false, |_| {})
            .await;
        checked.map_err(|error| error.to_string())?;
        Ok(import)
    }

    /// The host, and the tool.
    fn tool(&self) -> (Host, &str) {
        let tool = self.tool.unwrap_or("events create_event_guest");
        let (host, tool) = tool.split_once(' ').expect("a tool");
        let mut hosts = Host::ALL.into_iter();
        let host = hosts.find(|one| one.area() == host);
        (host.expect("a host"), tool)
    }

    /// Imports bytes with all that is questionable.
    async fn write(&self, table: &Arc<Table>, place: &Path, bytes: &[u8], key: Option<&str>) {
        let import = self.import(table, place, bytes, key).await;
        let mut import = import.expect("a file");
        import.accept(&"all".parse::<Accepted>().expect("all"));
        let checked = import
            .check(key.or(self.value("--key")), false, |_| {})
            .await;
        checked.expect("it is checked");
        let written = import.run(false, |_| {}).await.expect("it is written");
        assert_eq!(written.failed, [], "{}", self.title);
    }

    /// What is wrong with the outcome.
    async fn fails(&self) -> Vec<String> {
        let place = tempfile::tempdir().expect("a directory");
        let table = Arc::new(Table::new(self.tool().0));
        if !self.before.is_empty() {
            let key = Some("none");
            self.write(&table, place.path(), &self.before, key).await;
        }
        let import = self.import(&table, place.path(), &self.file, None).await;
        let (said, rows) = match &import {
            Ok(import) => (
                import.overview(Path::new("file.csv")).join("\n"),
                import
                    .fates()
                    .map(|(row, fate)| told(import, row, fate))
                    .collect(),
            ),
            Err(said) => (said.clone(), Vec::new()),
        };
        let mut wrong = Vec::new();
        if import.is_err() != self.refused.is_some() {
            wrong.push("is refused, or is not".to_owned());
        }
        let parts = self.refused.iter().chain(&self.says);
        let missing = parts.filter(|part| !said.contains(**part));
        wrong.extend(missing.map(|part| format!("does not say “{part}”")));
        let is_same = rows.len() == self.rows.len() && rows.iter().zip(&self.rows).all(is_it);
        if !is_same {
            wrong.push(format!("expected\n  {}", self.rows.join("\n  ")));
        }
        drop(import);
        if !self.stored.is_empty() {
            self.write(&table, place.path(), &self.file, None).await;
        }
        for (field, expected) in &self.stored {
            let mut found = table.texts(kind_of(self.tool().1), field);
            found.sort();
            let mut expected = expected.clone();
            expected.sort_unstable();
            if found != expected {
                wrong.push(format!("{field}: {found:?} is stored"));
            }
        }
        if !wrong.is_empty() {
            wrong.push(said);
            wrong.extend(rows);
        }
        wrong
    }
}

/// `event_task` for `create_event_task`.
fn kind_of(tool: &str) -> &str {
    let kind = tool.strip_prefix("create_").expect("a tool that adds");
    kind.strip_prefix("event_").unwrap_or(kind)
}

/// Whether a row is as expected: `[kinds]` or the word end what must be at the beginning.
fn is_it((found, expected): (&String, &&str)) -> bool {
    let end = expected.rfind("] ").map(|at| at + 1);
    let word = expected.match_indices(' ').nth(1).map(|(at, _)| at);
    let (head, part) = expected.split_at(end.or(word).unwrap_or(expected.len()));
    found.starts_with(head) && found.contains(part.trim())
}

/// A row as `2 add Ana`. The kinds of a questionable row follow the word.
fn told(import: &Import, row: &Row, fate: &Fate) -> String {
    let kinds = match fate {
        Fate::Questionable(doubts, _) => {
            let mut kinds: Vec<_> = doubts.iter().map(|doubt| doubt.about.word()).collect();
            kinds.dedup();
            format!("[{}] ", kinds.join(","))
        }
        _ => String::new(),
    };
    let (word, text) = (fate.word(), import.told(row, fate));
    format!("{} {word} {kinds}{text}", row.line)
}

#[tokio::test]
async fn each_file_comes_in_as_it_is_meant_or_says_why_not() {
    let cases = cases();
    let mut failed = Vec::new();
    for case in &cases {
        let wrong = case.fails().await;
        if !wrong.is_empty() {
            failed.push(format!("== {}\n{}", case.title, wrong.join("\n")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    assert!(cases.len() >= 80, "{}", cases.len());
}
