//! Running a program of the user's choice, beside the screen.

use std::io::{self, Read, Seek, SeekFrom};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use super::job::Job;
use super::platform::Platform;
use crate::app::reporter::Reporter;

/// The time after which the app no longer waits, and the interval of its checks.
const PATIENCE: Duration = Duration::from_secs(600);
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How much of the end of its output is read, in bytes.
const LAST_WORDS: u64 = 64 * 1024;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    /// Why it is not a success: "it ended with status 3".
    pub(crate) failure: Option<String>,
    /// The lines that it wrote, stdout and stderr as they came.
    pub(crate) lines: Vec<String>,
}

/// Runs a program for the command of the user with this name.
#[derive(Debug)]
pub(crate) struct RunProgram {
    pub(crate) name: String,
    /// The program and its arguments.
    pub(crate) line: Vec<String>,
}

impl Job for RunProgram {
    type Value = Ran;
    type Error = String;

    async fn run(self: Arc<Self>, _: Platform, _: Reporter) -> Result<Ran, String> {
        run(&self.line).await
    }
}

/// Runs a program with these arguments, without a shell. It gets no input, and its output is caught: the terminal
/// belongs to the screen.
///
/// # Errors
/// Why it did not start.
async fn run(line: &[String]) -> Result<Ran, String> {
    let program = line.first().map_or("", String::as_str);
    started(line)
        .await
        .map_err(|error| format!("{program}: {error}"))
}

async fn started(line: &[String]) -> io::Result<Ran> {
    // A file, unlike a pipe, stays open for programs that this one leaves behind.
    let mut output = tempfile::tempfile()?;
    let mut command = Command::new(line.first().map_or("", String::as_str));
    command
        .args(line.iter().skip(1))
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?);
    // Ctrl-c in the terminal is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    let ending = async {
        loop {
            match child.try_wait()? {
                Some(status) => return Ok::<_, io::Error>(status),
                None => tokio::time::sleep(LOOK_AGAIN).await,
            }
        }
    };
    let failure = match tokio::time::timeout(PATIENCE, ending).await {
        Ok(status) => failure(status?),
        Err(_) => {
            let minutes = PATIENCE.as_secs() / 60;
            Some(format!("it has not ended within {minutes} minutes"))
        }
    };
    let length = output.seek(SeekFrom::End(0))?;
    output.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
    let mut text = Vec::new();
    output.take(LAST_WORDS).read_to_end(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(str::trim_end);
    let lines = lines.filter(|line| !line.is_empty()).map(str::to_owned);
    Ok(Ran {
        failure,
        lines: lines.collect(),
    })
}

fn failure(status: ExitStatus) -> Option<String> {
    match status.code() {
        Some(0) => None,
        Some(code) => Some(format!("it ended with status {code}")),
        None => Some("it was killed".to_owned()),
    }
}
