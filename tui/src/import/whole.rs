//! Files that one call imports whole: a calendar, a bank's statement.

use std::path::Path;

use frontdesk_client::{CallError, Client, Watch};
use frontdesk_protocol::financing::statement::{Ingested, LineOutcome};
use frontdesk_protocol::id::ChangeId;
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::wire;
use frontdesk_protocol::work::meeting::ImportedCalendar;
use frontdesk_protocol::{Host, ToolError};
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use super::doubt::{About, Doubt};
use super::sheet::{SheetError, bytes};
use super::text;

/// A kind of file that one call imports.
#[derive(Debug)]
pub struct Whole {
    /// Its word on the command line.
    pub word: &'static str,
    /// The host of the tool.
    pub host: Host,
    /// The tool.
    pub tool: &'static str,
    /// The argument that takes the text of the file.
    pub argument: &'static str,
    /// The kind of the records that are added.
    pub kind: &'static str,
    /// What they are called.
    pub many: &'static str,
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
        read: calendar,
    },
    Whole {
        word: "statement",
        host: Host::Financing,
        tool: "ingest_statement",
        argument: "content",
        kind: "statement_line",
        many: "statement lines",
        read: statement,
    },
];

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

/// A part of a file, such as a line, and its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its line in the file, if the host names it.
    pub line: Option<u32>,
    /// `add`, `same`, `questionable` or `wrong`.
    pub word: &'static str,
    /// Why it is questionable.
    pub doubts: Vec<Doubt>,
    /// What it is.
    pub text: String,
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

    /// The text of a file.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn text(path: &Path) -> Result<String, SheetError> {
        text(bytes(path)?)
    }

    /// Imports this text, with these other arguments, until it is done or stopped; as a dry run, nothing is written. The
    /// second value is the change of the history.
    ///
    /// # Errors
    /// As a call.
    pub async fn import(
        &self,
        client: &Client,
        text: &str,
        mut arguments: Map<String, Value>,
        is_dry_run: bool,
        watch: &Watch,
    ) -> Result<(Outcome, Option<ChangeId>), CallError> {
        arguments.insert(self.argument.to_owned(), json!(text));
        arguments.insert("dry_run".to_owned(), json!(is_dry_run));
        let meta = CallMeta::default();
        let made = client.call_watched(self.host, self.tool, arguments, meta, watch);
        let result = made.await?;
        let change = result.action();
        let outcome = self.outcome(&result.into_value()?, is_dry_run);
        Ok((outcome?, change))
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

fn statement(value: &Value) -> Result<Outcome, ToolError> {
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

fn calendar(value: &Value) -> Result<Outcome, ToolError> {
    let read: ImportedCalendar = wire::read(value)?;
    let added = read.added.iter().map(|meeting| {
        let series = read
            .series
            .iter()
            .find(|series| meeting.is_recurring && series.title == meeting.title);
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
