//! Workbooks are read in a process of this program, with a limit on memory and one on time: a file can make somebody
//! else's reader panic, loop or take all memory.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use frontdesk_protocol::csv::Row;

use super::SheetError;
use super::workbook::{self, Book};

/// The first argument of the program as such a process; the second is the name of the sheet, if one is wanted.
const READ: &str = "--read-workbook";
/// The maximum memory of the process in bytes.
const MOST_MEMORY: u64 = 1 << 30;
/// The maximum time of the process.
const LONGEST: Duration = Duration::from_secs(30);
/// The maximum size of its answer in bytes.
const MOST_ANSWER: u64 = 300_000_000;
/// The exit code of a process whose reader has panicked.
const PANICKED: i32 = 101;

/// The parts of a [`Book`]: its sheet, rows, shown texts, sheets, hidden lines, odd cells and notes.
type Parts = (
    String,
    Vec<(u64, Vec<String>)>,
    Vec<((u64, usize), String)>,
    Vec<String>,
    Vec<u64>,
    BTreeMap<u64, String>,
    Vec<String>,
);

/// Reads the workbook at the standard input, if the program runs as such a process, and ends it.
pub(super) fn answer() {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(READ)) {
        return;
    }
    limit();
    std::panic::set_hook(Box::new(|_| std::process::exit(PANICKED)));
    let wanted = arguments.next();
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    let wanted = wanted.as_deref().and_then(OsStr::to_str);
    let book = read
        .map_err(SheetError::from)
        .and_then(|_| workbook::read(&bytes, wanted));
    let answer: Result<Parts, String> = match book {
        Ok(book) => Ok((
            book.which,
            book.rows
                .into_iter()
                .map(|row| (row.line, row.cells))
                .collect(),
            book.shown.into_iter().collect(),
            book.sheets,
            book.hidden,
            book.cells,
            book.notes,
        )),
        Err(error) => Err(error.to_string()),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let is_written = serde_json::to_writer(&mut out, &answer).is_ok() && out.flush().is_ok();
    std::process::exit(i32::from(!is_written));
}

/// Limits the memory of this process.
fn limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        for (resource, most) in [(Resource::As, MOST_MEMORY), (Resource::Core, 0)] {
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            // A lower limit of the user stays.
            let _ = setrlimit(resource, limit);
        }
    }
}

/// Reads a workbook in a process of this program.
///
/// # Errors
/// [`SheetError`]; of a process that does not end, [`SheetError::Reader`].
pub(super) fn read(program: &Path, bytes: &[u8], wanted: Option<&str>) -> Result<Book, SheetError> {
    read_within(program, bytes, wanted, LONGEST)
}

fn read_within(
    program: &Path,
    bytes: &[u8],
    wanted: Option<&str>,
    longest: Duration,
) -> Result<Book, SheetError> {
    let mut command = Command::new(program);
    command.arg(READ).args(wanted);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (sender, answer) = mpsc::channel();
    let read = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut text = Vec::new();
            let read = stdout.map(|out| out.take(MOST_ANSWER).read_to_end(&mut text));
            let _ = sender.send(read.and_then(Result::ok).map(|_| text));
        });
        scope.spawn(move || {
            // A process that has ended reads no more.
            stdin.map(|mut input| input.write_all(bytes))
        });
        let read = answer.recv_timeout(longest);
        if read.is_err() {
            // Its end closes both pipes.
            let _ = child.kill();
        }
        read
    });
    let status = child.wait()?;
    let Ok(text) = read else {
        return Err(SheetError::Reader("reading it takes longer than 30 s"));
    };
    let answer = text.and_then(|text| serde_json::from_slice::<Result<Parts, String>>(&text).ok());
    match answer.filter(|_| status.success()) {
        Some(Ok((which, rows, shown, sheets, hidden, cells, notes))) => Ok(Book {
            which,
            rows: rows
                .into_iter()
                .map(|(line, cells)| Row { line, cells })
                .collect(),
            shown: shown.into_iter().collect(),
            sheets,
            hidden,
            cells,
            notes,
        }),
        Some(Err(said)) => Err(SheetError::Said(said)),
        None => Err(SheetError::Reader(why(status))),
    }
}

/// Why the process has ended without an answer.
fn why(status: ExitStatus) -> &'static str {
    match status.code() {
        // Rust aborts the process if it gets no more memory.
        None => "reading it takes more than 1 GB of memory",
        Some(_) => "it is damaged, or no workbook",
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_an_end_or_an_answer_is_a_sentence() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().expect("a directory");
        let program = place.path().join("reader");
        for (script, longest, said) in [
            (
                "while :; do :; done",
                Duration::from_millis(50),
                "reading it takes longer than 30 s; save the sheet as CSV",
            ),
            (
                "exit 101",
                LONGEST,
                "it is damaged, or no workbook; save the sheet as CSV",
            ),
            (
                "kill -ABRT $$",
                LONGEST,
                "reading it takes more than 1 GB of memory; save the sheet as CSV",
            ),
        ] {
            std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
            let mode = std::fs::Permissions::from_mode(0o700);
            std::fs::set_permissions(&program, mode).expect("its mode");
            let refused = read_within(&program, b"PK", None, longest);
            assert_eq!(refused.expect_err(script).to_string(), said);
        }
    }
}
