//! The history of tool calls made on this machine, to view, compare and repeat them.
//!
//! Each account has a file, and calls without an account share one: an account cannot see or
//! displace the calls of another. A file has one line of JSON per call, the newest last; incomplete
//! lines are skipped. Secrets are removed before writing ([`Keep`]).

mod bounded;
mod call;
mod redact;
mod schema;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use call::{CallOutcome, Ended, Ending, Kept, RecordedCall};

use crate::lock;

/// Maximum number of calls per account; the oldest are removed.
pub const MOST_ENTRIES: usize = 1000;
/// Maximum size of an account's file in bytes; the oldest calls are removed.
pub const MOST_BYTES: u64 = 5_000_000;
/// How much remains after removing the oldest calls, in percent, so not every call rewrites the
/// file.
const LEFT: usize = 90;

/// Which parts of a call are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// Arguments, except those that the schema marks as secret; of results only values that cannot
    /// contain words, according to the schema: ids, numbers, dates, flags and listed values.
    #[default]
    Redacted,
    /// Everything.
    All,
    /// The call is not recorded.
    Off,
}

/// The histories in one data directory. All methods are short but access the disk: call them where
/// blocking is allowed.
#[derive(Debug, Clone)]
pub struct History {
    directory: PathBuf,
    keep: Keep,
}

impl History {
    /// The histories in this directory, which is created on demand.
    pub fn new(directory: impl Into<PathBuf>, keep: Keep) -> Self {
        History {
            directory: directory.into(),
            keep,
        }
    }

    /// Which parts of calls are kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Records the allowed parts of a call, and removes the oldest calls if there are too many.
    ///
    /// # Errors
    /// The call could not be written.
    pub fn remember(&self, ended: &Ended) -> io::Result<()> {
        let Some(entry) = RecordedCall::of(ended, self.keep) else {
            return Ok(());
        };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        let path = self.path(ended.account);
        let _lock = lock::lock(&lock::beside(&path))?;
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        lock::private(&mut options);
        let mut file = options.open(&path)?;
        if is_torn(&mut file)? {
            // Terminate an incomplete line, so it is skipped on its own.
            line.insert(0, b'\n');
        }
        file.write_all(&line)?;
        make_room(&path, &mut file)
    }

    /// The calls of this account, the newest first.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn entries(&self, account: Option<UserId>) -> io::Result<Vec<RecordedCall>> {
        let path = self.path(account);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let _lock = lock::lock(&lock::beside(&path))?;
        let bytes = read(&path)?;
        let mut entries: Vec<RecordedCall> = lines(&bytes).filter_map(entry_of).collect();
        entries.reverse();
        Ok(entries)
    }

    /// Removes one call.
    ///
    /// # Errors
    /// The call could not be removed.
    pub fn forget(&self, account: Option<UserId>, id: Uuid) -> io::Result<()> {
        let path = self.path(account);
        if !path.exists() {
            return Ok(());
        }
        let _lock = lock::lock(&lock::beside(&path))?;
        let bytes = read(&path)?;
        let left = lines(&bytes).filter(|line| entry_of(line).is_none_or(|entry| entry.id != id));
        lock::replace(&path, &left.collect::<Vec<_>>().concat())
    }

    /// Removes all calls of this account.
    ///
    /// # Errors
    /// The file could not be changed.
    pub fn clear(&self, account: Option<UserId>) -> io::Result<()> {
        let path = self.path(account);
        if !path.exists() {
            return Ok(());
        }
        let _lock = lock::lock(&lock::beside(&path))?;
        std::fs::remove_file(&path)?;
        lock::sync_directory(&self.directory)
    }

    /// Removes the calls of all accounts.
    ///
    /// # Errors
    /// Some calls could not be removed.
    pub fn clear_everybodys(&self) -> io::Result<()> {
        let files = match std::fs::read_dir(&self.directory) {
            Ok(files) => files,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for file in files {
            let path = file?.path();
            if path.extension().is_some_and(|end| end == "jsonl") {
                let _lock = lock::lock(&lock::beside(&path))?;
                std::fs::remove_file(&path)?;
            }
        }
        lock::sync_directory(&self.directory)
    }

    fn path(&self, account: Option<UserId>) -> PathBuf {
        let name = account.map_or("nobody".to_owned(), |account| account.0.to_string());
        self.directory.join(format!("{name}.jsonl"))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        result => result,
    }
}

/// The lines with their line feeds; the last one can lack it.
fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// `None` for an incomplete line or one from another version.
fn entry_of(line: &[u8]) -> Option<RecordedCall> {
    serde_json::from_slice(line).ok()
}

/// Whether the last line is incomplete.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

/// Removes the oldest calls from a file with too many.
fn make_room(path: &Path, file: &mut File) -> io::Result<()> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let count = lines(&bytes).count();
    if count <= MOST_ENTRIES && bytes.len() as u64 <= MOST_BYTES {
        return Ok(());
    }
    let most = MOST_ENTRIES * LEFT / 100;
    let most_bytes = MOST_BYTES as usize * LEFT / 100;
    let mut from = bytes.len();
    for line in lines(&bytes).rev().take(most) {
        if bytes.len() - from + line.len() > most_bytes {
            break;
        }
        from -= line.len();
    }
    lock::replace(path, &bytes[from..])
}
