//! The import of a file as a job.

use std::path::PathBuf;
use std::sync::Arc;

use frontdesk_client::listener::Progress;
use frontdesk_client::{Callee, Client, paths};
use frontdesk_protocol::Host;
use serde_json::Map;

use super::{
    Accepted, Choices, Doubt, Fate, How, Import, ImportError, Open, Part, Row, Sheet, Step, Whole,
    unknown_zone,
};
use crate::app::effects::job::Job;
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;

/// An import of a file by a tool of a host.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImportJob {
    pub(crate) host: Host,
    pub(crate) tool: String,
    pub(crate) file: PathBuf,
    /// What the file is, if one call imports it.
    pub(crate) whole: Option<&'static Whole>,
    /// Arguments of all rows.
    pub(crate) set: Vec<(String, String)>,
    /// The arguments of columns, as the user chose them.
    pub(crate) map: Vec<(String, String)>,
    /// The argument that matches rows with records, if the user chose one.
    pub(crate) key: Option<String>,
    /// How columns are read that do not show it.
    pub(crate) choices: Choices,
    /// The encoding of the file, as the user chose it.
    pub(crate) encoding: Option<&'static str>,
    /// The sheet of a workbook, as the user chose it.
    pub(crate) sheet: Option<String>,
    /// The questionable rows that are imported.
    pub(crate) accepted: Accepted,
    /// Whether rows are imported; otherwise they are only checked.
    pub(crate) writes: bool,
    /// The digest of the file whose rows the user sees. Another file is not imported.
    pub(crate) seen: String,
}

/// What becomes of the rows of a file, or has become of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ImportReport {
    /// The columns: name, a value, and argument.
    pub(crate) columns: Vec<(String, String, Option<String>)>,
    /// The arguments of the tool.
    pub(crate) arguments: Vec<String>,
    /// Those whose keys the user chooses.
    pub(crate) free: Vec<String>,
    /// The argument that matches rows with records.
    pub(crate) key: Option<String>,
    /// The format of the file.
    pub(crate) format: String,
    /// The visible sheets of a workbook.
    pub(crate) sheets: Vec<String>,
    /// The columns whose cells do not show how they are read.
    pub(crate) open: Open,
    /// The rows; after the import, those that were not imported.
    pub(crate) rows: Vec<ReportRow>,
    /// Why the rows cannot be checked.
    pub(crate) problem: Option<String>,
    /// What was written: added, changed, and the file of the rows that were not.
    pub(crate) written: Option<(usize, usize, Option<PathBuf>)>,
    /// The rows that were left when the user stopped it.
    pub(crate) left: usize,
    /// The id of that in the history of changes.
    pub(crate) change: Option<String>,
    /// The digest of the file.
    pub(crate) digest: String,
}

/// What becomes of a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReportRow {
    /// Its line in the file, if the host names it.
    pub(crate) line: Option<u64>,
    /// The word of its fate.
    pub(crate) word: &'static str,
    /// The word of its fate if its doubts are accepted.
    pub(crate) accepted: &'static str,
    pub(crate) doubts: Vec<Doubt>,
    pub(crate) text: String,
}

impl ReportRow {
    /// Whether it is questionable and accepted.
    pub(crate) fn is_accepted(&self, accepted: &Accepted) -> bool {
        let is_accepted = |line| accepted.has(line, &self.doubts);
        !self.doubts.is_empty() && self.line.is_some_and(is_accepted)
    }

    fn part(part: Part) -> ReportRow {
        ReportRow {
            line: part.line.map(u64::from),
            word: part.word,
            accepted: "add",
            doubts: part.doubts,
            text: part.text,
        }
    }

    fn of(rows: &Import, row: &Row, fate: &Fate) -> ReportRow {
        let (doubts, accepted) = match fate {
            Fate::Questionable(doubts, accepted) => (doubts.clone(), accepted.word()),
            fate => (Vec::new(), fate.word()),
        };
        ReportRow {
            line: Some(row.line),
            word: fate.word(),
            accepted,
            doubts,
            text: rows.told(row, fate),
        }
    }
}

impl Job for ImportJob {
    type Value = ImportReport;
    type Error = String;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<ImportReport, String> {
        let directory = platform.data.as_deref().map(paths::imports_directory);
        import(
            platform.client,
            directory,
            platform.program,
            &self,
            reporter,
        )
        .await
    }
}

/// Checks or imports the rows.
///
/// # Errors
/// A sentence.
async fn import(
    client: Client,
    directory: Option<PathBuf>,
    program: Option<PathBuf>,
    job: &Arc<ImportJob>,
    reporter: Reporter,
) -> Result<ImportReport, String> {
    if let Some(whole) = job.whole {
        return import_whole(client, directory, program, whole, job, &reporter).await;
    }
    let directory = directory.ok_or("there is no directory for imports")?;
    let file = job.file.clone();
    let (encoding, name) = (job.encoding, job.sheet.clone());
    let read = move || Sheet::read(&file, encoding, name.as_deref(), program.as_deref());
    let sheet = match tokio::task::spawn_blocking(read).await {
        Ok(sheet) => sheet.map_err(|error| error.to_string())?,
        Err(error) => return Err(error.to_string()),
    };
    let callee = Callee::Host(client, job.host);
    let imported = imported(callee, sheet, directory, job, &reporter).await;
    imported.map_err(|error| error.to_string())
}

/// Imports a file as a whole. Before it writes, it asks the host again which lines are questionable.
async fn import_whole(
    client: Client,
    directory: Option<PathBuf>,
    program: Option<PathBuf>,
    whole: &'static Whole,
    job: &Arc<ImportJob>,
    reporter: &Reporter,
) -> Result<ImportReport, String> {
    let (own, zone) = (
        job.clone(),
        client.last_account().and_then(|account| account.time_zone),
    );
    let read = move || {
        let how = How {
            map: &own.map,
            choices: own.choices,
            encoding: own.encoding,
            sheet: own.sheet.as_deref(),
            program: program.as_deref(),
            directory,
            zone: zone.as_deref(),
        };
        whole.says(&own.file, &how)
    };
    let said = tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| error.to_string())?;
    let said = said.map_err(|error| error.to_string())?;
    let watch = reporter.watch();
    let import = async |arguments, is_dry_run| {
        let made = whole.import(&client, &said, arguments, is_dry_run, &watch);
        made.await.map_err(|error| error.to_string())
    };
    let mut report = ImportReport {
        columns: said.columns.clone(),
        arguments: whole.arguments(),
        format: whole.word.to_owned(),
        sheets: said.sheets.clone(),
        open: said.open.clone(),
        digest: said.digest.clone(),
        problem: said.problem.clone(),
        ..ImportReport::default()
    };
    if report.problem.is_some() {
        return Ok(report);
    }
    let set = job.set.iter();
    let mut arguments: Map<_, _> = set
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    let (tried, _) = import(arguments.clone(), true).await?;
    report.format = [whole.word.to_owned()]
        .into_iter()
        .chain(tried.notes)
        .collect::<Vec<_>>()
        .join("; ");
    report.rows = tried.parts.into_iter().map(ReportRow::part).collect();
    if !job.writes || report.digest != job.seen {
        return Ok(report);
    }
    let (open, rest): (Vec<_>, Vec<_>) = report
        .rows
        .into_iter()
        .partition(|row| !row.doubts.is_empty());
    let (accepted, open): (Vec<_>, Vec<_>) = open
        .into_iter()
        .partition(|row| row.is_accepted(&job.accepted));
    if !accepted.is_empty() {
        let lines = accepted.iter().filter_map(|row| row.line);
        arguments.insert("accept".to_owned(), lines.collect());
    }
    let (made, change) = import(arguments, false).await?;
    let remembered = said.remember();
    remembered.map_err(|error| format!("the chosen columns: {error}"))?;
    let wrong = rest.into_iter().filter(|row| row.word == "wrong");
    report.rows = open.into_iter().chain(wrong).collect();
    report.written = Some((made.added, 0, None));
    report.change = change.map(|change| change.to_string());
    Ok(report)
}

async fn imported(
    callee: Callee,
    sheet: Sheet,
    directory: PathBuf,
    job: &ImportJob,
    reporter: &Reporter,
) -> Result<ImportReport, ImportError> {
    let step = |step: Step| reporter.progress(Progress::of(step.done as f64, step.total as f64));
    let digest = sheet.digest.clone();
    let writes = job.writes && digest == job.seen;
    let mut rows = Import::open(callee, &job.tool, sheet, directory).await?;
    for (name, value) in &job.set {
        rows.set(name, value).await?;
    }
    rows.assign(&job.map)?;
    let mut report = ImportReport {
        arguments: rows.arguments.iter().map(|one| one.name.clone()).collect(),
        free: (rows.arguments.iter().filter(|one| one.is_free))
            .map(|one| one.name.clone())
            .collect(),
        digest,
        ..ImportReport::default()
    };
    let first = rows.sheet.rows.first();
    let examples = first.map_or(&[][..], |row| row.cells.as_slice());
    let examples = examples
        .iter()
        .map(String::as_str)
        .chain(std::iter::repeat(""));
    report.columns = rows
        .columns()
        .zip(examples)
        .map(|((name, argument), example)| {
            (
                name.to_owned(),
                example.to_owned(),
                argument.map(str::to_owned),
            )
        })
        .collect();
    report.format = rows.sheet.format_words();
    report.sheets.clone_from(&rows.sheet.sheets);
    for note in rows.sheet.notes.iter().chain(&rows.left_out()) {
        report.format.push_str(&format!("; {note}"));
    }
    if let Some(zone) = unknown_zone() {
        let said = format!(", TZ “{zone}” is unknown: times are UTC");
        report.format.push_str(&said);
    }
    rows.choose(job.choices);
    // Before the import, the screen counts accepted rows itself.
    if writes {
        rows.accept(&job.accepted);
    }
    match rows.check(job.key.as_deref(), false, step).await {
        Ok(()) => {}
        // The user can still choose columns.
        Err(ImportError::Usage(message)) if !writes => {
            report.problem = Some(message);
            return Ok(report);
        }
        Err(error) => return Err(error),
    }
    report.open = rows.open_columns().clone();
    report.key = rows.key().map(str::to_owned);
    let all = rows.fates();
    report.rows = all
        .map(|(row, fate)| ReportRow::of(&rows, row, fate))
        .collect();
    if writes {
        rows.remember()?;
        let outcome = rows.run_until(false, || reporter.is_stopped(), step);
        let outcome = outcome.await?;
        let failed = rows.failed(&outcome);
        let path = (!failed.is_empty()).then(|| {
            let path = job.file.with_extension("failed.csv");
            let written = rows.sheet.write_failed(&path, &failed);
            written.map_err(|error| ImportError::File("the file of the failed rows", error))
        });
        let path = path.transpose()?;
        let failed = failed.into_iter().map(|(row, text)| ReportRow {
            line: Some(row.line),
            word: "failed",
            accepted: "failed",
            doubts: Vec::new(),
            text,
        });
        report.rows = failed.collect();
        report.written = Some((outcome.added, outcome.changed, path));
        report.left = outcome.left;
        report.change = rows.change().map(|change| change.to_string());
    }
    Ok(report)
}
