//! The badge of a guest: written to a file, or printed by the configured program.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use frontdesk_client::running::Running;
use frontdesk_protocol::events::guest::Guest;
use tempfile::NamedTempFile;
use tokio::sync::Mutex;

use super::Paper;
use crate::app::effects::disk::on_disk;
use crate::app::effects::export::{ExportError, export, slug};
use crate::app::effects::job::{Failure, Job, Lost};
use crate::app::effects::platform::Platform;
use crate::app::reporter::Reporter;
use crate::desk::badges;

/// The time within which the program has to end.
const TO_PRINT: Duration = Duration::from_secs(30);
/// How much of the program's last output is read, in bytes.
const LAST_WORDS: u64 = 4096;

/// One badge is printed at a time.
static TURN: Mutex<()> = Mutex::const_new(());

/// Prints the badge of a guest of the event with this name, or writes it to a new file.
#[derive(Debug)]
pub(crate) struct PrintBadge {
    pub(crate) event: String,
    pub(crate) guest: Box<Guest>,
}

impl Job for PrintBadge {
    /// The path of the file; `None` if the badge was printed.
    type Value = Option<PathBuf>;
    type Error = BadgeFailure;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        _: Reporter,
    ) -> Result<Option<PathBuf>, BadgeFailure> {
        let name = format!("badge-{}.pdf", slug(&self.guest.name));
        let draw = move || badges::pdf(&self.event, std::slice::from_ref(&*self.guest), Paper::A7);
        let badge = on_disk(draw).await.map_err(|error| error.0)?;
        match platform.badge_command.as_slice() {
            [] => Ok(Some(export(platform.exports, name, badge).await?)),
            command => {
                let _turn = TURN.lock().await;
                let printed = Printer(command).print(&badge).await;
                printed.map(|()| None).map_err(BadgeFailure::NotPrinted)
            }
        }
    }
}

/// Why there is no badge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadgeFailure {
    /// It could not be drawn, or its file could not be written.
    #[error("{0}")]
    NotWritten(String),
    /// The program did not print it.
    #[error("{0}")]
    NotPrinted(String),
}

impl From<String> for BadgeFailure {
    fn from(reason: String) -> Self {
        BadgeFailure::NotWritten(reason)
    }
}

impl From<ExportError> for BadgeFailure {
    fn from(error: ExportError) -> Self {
        BadgeFailure::NotWritten(error.to_string())
    }
}

impl From<Lost> for BadgeFailure {
    fn from(lost: Lost) -> Self {
        BadgeFailure::NotWritten(lost.to_string())
    }
}

impl Failure for BadgeFailure {}

/// The program that prints badges, and its arguments.
struct Printer<'a>(&'a [String]);

impl Printer<'_> {
    /// Runs the program with the badge as the last argument. The file is gone afterwards.
    ///
    /// # Errors
    /// The program and the last line of its stderr, or why it did not run.
    async fn print(&self, badge: &[u8]) -> Result<(), String> {
        let program = self.0.first().map_or("", String::as_str);
        let of_program = |why: String| format!("{program}: {why}");
        self.run(badge)
            .await
            .map_err(|error| of_program(error.to_string()))?
            .map_err(of_program)
    }

    async fn run(&self, badge: &[u8]) -> io::Result<Result<(), String>> {
        let mut file = tempfile::Builder::new()
            .prefix("badge-")
            .suffix(".pdf")
            .tempfile()?;
        file.write_all(badge)?;
        file.flush()?;
        // A file, unlike a pipe, needs nobody who reads it.
        let mut words = NamedTempFile::new()?;
        let mut command = Command::new(self.0.first().map_or("", String::as_str));
        command
            .args(self.0.iter().skip(1))
            .arg(file.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(words.reopen()?);
        let mut program = Running::start(&mut command)?;
        let Some(status) = program.wait_within(TO_PRINT).await else {
            let limit = TO_PRINT.as_secs();
            return Ok(Err(format!("it did not end within {limit} seconds")));
        };
        Ok(match status.success() {
            true => Ok(()),
            false => Err(last_line(words.as_file_mut())?.unwrap_or_else(|| ended(status))),
        })
    }
}

/// The last line of a file that is not empty.
fn last_line(file: &mut (impl Read + Seek)) -> io::Result<Option<String>> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::trim).rev();
    Ok(lines.find(|line| !line.is_empty()).map(str::to_owned))
}

fn ended(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it ended with status {code}"),
        None => "it was killed".to_owned(),
    }
}
