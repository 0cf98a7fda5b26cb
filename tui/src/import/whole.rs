//! Files that are imported whole: a calendar, a bank's statement.

use std::path::{Path, PathBuf};

use frontdesk_client::imports::{Columns, Imports};
use frontdesk_client::{CallError, Client, Watch};
use frontdesk_protocol::financing::statement::{Ingested, LineOutcome};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::{Action, CallMeta};
use frontdesk_protocol::wire;
use frontdesk_protocol::work::meeting::ImportedCalendar;
use frontdesk_protocol::{Host, ToolError};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::doubt::{About, Doubt, Part};
use super::sheet::{SheetError, bytes};
use super::{Choices, Open, Sheet, calendar, statement, text};
use crate::look::locale::Locale;

/// A kind of file that one call imports.
#[derive(Debug)]
pub struct Whole {
    /// Its word on the command line.
    pub word: &'static str,
    /// The host of the tool.
    pub host: Host,
    /// The tool.
    pub tool: &'static str,
    /// The argument that takes what the file says.
    pub argument: &'static str,
    /// The kind of the records that are added.
    pub kind: &'static str,
    /// What they are called.
    pub many: &'static str,
    /// Whether it is a table, whose columns can be chosen.
    pub is_table: bool,
    says: fn(&Path, &How<'_>) -> Result<Said, SheetError>,
    read: fn(&Value) -> Result<Outcome, ToolError>,
}

/// All kinds.
pub static WHOLE: [Whole; 2] = [
    Whole {
        word: "calendar",
        host: Host::Work,
        tool: "import_calendar",
        argument: "calendar",
        kind: "meeting",
        many: "meetings",
        is_table: false,
        says: says_calendar,
        read: read_calendar,
    },
    Whole {
        word: "statement",
        host: Host::Financing,
        tool: "ingest_statement",
        argument: "lines",
        kind: "statement_line",
        many: "statement lines",
        is_table: true,
        says: says_statement,
        read: read_statement,
    },
];

/// How a file is read.
#[derive(Debug, Default)]
pub struct How<'a> {
    /// What columns are, as chosen now.
    pub map: &'a [(String, String)],
    /// How columns are read that do not show it.
    pub choices: Choices,
    /// The encoding.
    pub encoding: Option<&'a str>,
    /// The sheet of a workbook.
    pub sheet: Option<&'a str>,
    /// The program that reads workbooks.
    pub program: Option<&'a Path>,
    /// The directory with the columns of earlier imports.
    pub directory: Option<PathBuf>,
    /// The time zone of the organisation.
    pub zone: Option<&'a str>,
}

/// What a file says.
#[derive(Debug, Default)]
pub struct Said {
    /// The values of the argument, each for one call.
    pub values: Vec<Value>,
    /// The parts that cannot be imported.
    pub wrong: Vec<Part>,
    /// What is said of the file as a whole.
    pub notes: Vec<String>,
    /// The columns: name, a value, and what they are.
    pub columns: Vec<(String, String, Option<String>)>,
    /// What the file does not show.
    pub open: Open,
    /// Why it cannot be imported before somebody says more.
    pub problem: Option<String>,
    /// The visible sheets of a workbook.
    pub sheets: Vec<String>,
    /// A digest of the file.
    pub digest: String,
    remembers: Option<(Imports, Vec<String>)>,
}

impl Said {
    /// Remembers what the columns are for the next file with the same header.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn remember(&self) -> std::io::Result<()> {
        let Some((imports, header)) = &self.remembers else {
            return Ok(());
        };
        let columns = self.columns.iter();
        let columns: Columns = columns
            .map(|(name, _, what)| (name.clone(), what.clone().unwrap_or_default()))
            .collect();
        imports.save_columns(STATEMENT, header, &columns)
    }
}

/// The name under which columns of statements are remembered.
const STATEMENT: &str = "statement";

/// The outcome of an import, or of its dry run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The number of records that are added.
    pub added: usize,
    /// The parts of the file that the host lists.
    pub parts: Vec<Part>,
    /// What is said of the file as a whole.
    pub notes: Vec<String>,
}

impl PartialEq for Whole {
    fn eq(&self, other: &Whole) -> bool {
        self.tool == other.tool
    }
}

impl Whole {
    /// The kind with this word.
    #[must_use]
    pub fn named(word: &str) -> Option<&'static Whole> {
        WHOLE.iter().find(|whole| whole.word == word)
    }

    /// What its columns can be.
    pub(super) fn arguments(&self) -> Vec<String> {
        let all = statement::arguments().into_iter().filter(|_| self.is_table);
        all.map(|one| one.name).collect()
    }

    /// What a file says.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn says(&self, path: &Path, how: &How<'_>) -> Result<Said, SheetError> {
        (self.says)(path, how)
    }

    /// Imports what a file says, with these other arguments, until it is done or stopped; as a dry run, nothing is
    /// written. The second value is the change of the history.
    ///
    /// # Errors
    /// As a call.
    pub async fn import(
        &self,
        client: &Client,
        said: &Said,
        arguments: Map<String, Value>,
        is_dry_run: bool,
        watch: &Watch,
    ) -> Result<(Outcome, Option<ChangeId>), CallError> {
        let mut whole = Outcome::default();
        let mut change = None;
        for value in &said.values {
            let mut arguments = arguments.clone();
            arguments.insert(self.argument.to_owned(), value.clone());
            arguments.insert("dry_run".to_owned(), json!(is_dry_run));
            let meta = CallMeta {
                action: (said.values.len() > 1 && !is_dry_run)
                    .then(|| change.map_or(Action::New, Action::Of)),
                ..CallMeta::default()
            };
            let made = client.call_watched(self.host, self.tool, arguments, meta, watch);
            let result = made.await?;
            change = result.action().or(change);
            whole.add(self.outcome(&result.into_value()?, is_dry_run)?);
        }
        whole.end(said);
        Ok((whole, change))
    }

    /// The outcome in the result of the call.
    ///
    /// # Errors
    /// It has none.
    pub fn outcome(&self, result: &Value, is_dry_run: bool) -> Result<Outcome, CallError> {
        (self.read)(result).map_err(|error| {
            CallError::Protocol(format!("{}: {error}", self.tool)).of_call(is_dry_run)
        })
    }
}

impl Outcome {
    /// Adds the outcome of the next call.
    pub fn add(&mut self, next: Outcome) {
        self.added += next.added;
        self.parts.extend(next.parts);
        for note in next
            .notes
            .into_iter()
            .filter(|note| !self.notes.contains(note))
            .collect::<Vec<_>>()
        {
            self.notes.push(note);
        }
    }

    /// Adds what the file says itself, in the order of its lines.
    pub fn end(&mut self, said: &Said) {
        self.parts.extend(said.wrong.iter().cloned());
        if self.parts.iter().all(|part| part.line.is_some()) {
            self.parts.sort_by_key(|part| part.line);
        }
        let notes = said.notes.iter().chain(&said.open.sign);
        self.notes.splice(0..0, notes.cloned());
    }
}

fn says_statement(path: &Path, how: &How<'_>) -> Result<Said, SheetError> {
    let mut sheet = Sheet::read(path, how.encoding, how.sheet, how.program)?;
    sheet.find_header(statement::fitting);
    let imports = how.directory.clone().map(Imports::new);
    let chosen = imports
        .as_ref()
        .map(|imports| imports.columns(STATEMENT, &sheet.header));
    let chosen = chosen.transpose()?.unwrap_or_default();
    let zone = how.zone.and_then(|name| TimeZone::get(name).ok());
    let locale = Locale::from(zone.unwrap_or_else(TimeZone::system));
    let read = statement::read(
        &sheet,
        how.map,
        &chosen,
        how.choices,
        (Timestamp::now(), &locale),
    );
    Ok(Said {
        values: match read.lines.is_empty() {
            true => Vec::new(),
            false => vec![Value::Array(read.lines)],
        },
        wrong: read.wrong,
        notes: std::iter::once(sheet.format_words())
            .chain(read.notes)
            .collect(),
        columns: read.columns,
        open: read.open,
        problem: read.problem,
        remembers: imports.map(|imports| (imports, sheet.header.clone())),
        sheets: sheet.sheets,
        digest: sheet.digest,
    })
}

fn says_calendar(path: &Path, _: &How<'_>) -> Result<Said, SheetError> {
    let text = text(bytes(path)?)?;
    Ok(Said {
        digest: format!("{:x}", Sha256::digest(text.as_bytes())),
        values: calendar::parts(&text)
            .into_iter()
            .map(Value::from)
            .collect(),
        ..Said::default()
    })
}

fn read_statement(value: &Value) -> Result<Outcome, ToolError> {
    let read: Ingested = wire::read(value)?;
    let questionable = read.questionable.unwrap_or_default();
    let parts = read.lines.unwrap_or_default().into_iter().map(|line| {
        let mut text = format!("{} {:.2} {}", line.date, line.amount, line.description);
        let doubts = questionable.iter().filter(|one| one.line == line.line);
        let doubts = doubts.flat_map(|one| {
            let known = one.known.as_ref();
            let known = known.map(|known| Doubt::new(About::Similar, format!("may be {known}")));
            let reason = one.reason.clone();
            known
                .into_iter()
                .chain(reason.map(|why| Doubt::new(About::Cell, why)))
        });
        let doubts: Vec<_> = doubts.collect();
        for doubt in &doubts {
            text.push_str(&format!("; {}", doubt.reason));
        }
        let word = match line.outcome {
            LineOutcome::Add => "add",
            LineOutcome::Same => "same",
            LineOutcome::Questionable => "questionable",
        };
        Part {
            line: Some(line.line),
            word,
            doubts,
            text,
        }
    });
    let unknown = read
        .unknown_columns
        .map(|names| format!("not read: {}", names.join(", ")));
    Ok(Outcome {
        added: read.added as usize,
        parts: parts.collect(),
        notes: unknown.into_iter().collect(),
    })
}

fn read_calendar(value: &Value) -> Result<Outcome, ToolError> {
    let read: ImportedCalendar = wire::read(value)?;
    let mut all_series = read.series.iter();
    let added = read.added.iter().map(|meeting| {
        // Both are in the order of the file.
        let series = all_series
            .by_ref()
            .take(usize::from(meeting.is_recurring))
            .next();
        let when = match (series, meeting.meeting_date) {
            (Some(series), _) => {
                format!(
                    "{}: {} ({})",
                    series.recurrence_rule,
                    series.starts.join(", "),
                    meeting.time_zone
                )
            }
            (None, Some(at)) => {
                let zone = TimeZone::get(&meeting.time_zone).unwrap_or(TimeZone::UTC);
                at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string()
            }
            (None, None) => String::new(),
        };
        Part {
            line: None,
            word: "add",
            doubts: Vec::new(),
            text: format!("{}, {when}", meeting.title),
        }
    });
    let skipped = read.skipped.iter().map(|entry| Part {
        line: Some(entry.line),
        word: "wrong",
        doubts: Vec::new(),
        text: format!("{}: {}", entry.title, entry.reason),
    });
    let known = (read.known > 0).then(|| format!("{} imported before", read.known));
    Ok(Outcome {
        added: read.added.len(),
        parts: added.chain(skipped).collect(),
        notes: known.into_iter().collect(),
    })
}
