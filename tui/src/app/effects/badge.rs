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

use super::effect::{ExportError, Outcome};
use super::export::{export, slug};
use crate::badges::{self, Paper};

/// The time within which the program has to end.
const TO_PRINT: Duration = Duration::from_secs(30);
/// How much of the program's last output is read, in bytes.
const LAST_WORDS: u64 = 4096;

/// The program that prints badges, one at a time.
#[derive(Debug, Clone)]
pub(crate) struct Printer {
    command: Vec<String>,
    turn: Arc<Mutex<()>>,
}

impl Printer {
    /// The printer with this command; none if it is empty.
    pub(crate) fn new(command: &[String]) -> Option<Printer> {
        (!command.is_empty()).then(|| Printer {
            command: command.to_vec(),
            turn: Arc::default(),
        })
    }

    /// Runs the program with the badge as the last argument. The file is gone afterwards.
    ///
    /// # Errors
    /// The program and the last line of its stderr, or why it did not run.
    async fn print(&self, badge: &[u8]) -> Result<(), String> {
        let _turn = self.turn.lock().await;
        let program = self.command.first().map_or("", String::as_str);
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
        let mut command = Command::new(self.command.first().map_or("", String::as_str));
        command
            .args(self.command.iter().skip(1))
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

/// Prints the badge of a guest of the event with this name; without a printer, writes it to the first of these
/// directories that accepts it.
pub(crate) async fn badge(
    printer: Option<Printer>,
    directories: Vec<PathBuf>,
    event: String,
    guest: Guest,
) -> Outcome {
    let name = guest.name.clone();
    let file = format!("badge-{}.pdf", slug(&name));
    let drawn = tokio::task::spawn_blocking(move || {
        badges::pdf(&event, &[guest], Paper::A7).map_err(|error| error.to_string())
    });
    match (
        drawn.await.map_err(|error| error.to_string()).flatten(),
        printer,
    ) {
        (Ok(badge), Some(printer)) => Outcome::Printed {
            result: printer.print(&badge).await,
            name,
        },
        (Ok(badge), None) => Outcome::Exported(export(directories, file, badge).await),
        (Err(reason), _) => Outcome::Exported(Err(ExportError {
            path: PathBuf::from(file),
            reason,
        })),
    }
}
