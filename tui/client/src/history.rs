//! The calls of tools that were made from this machine, so that they can be looked at, compared and
//! made again.
//!
//! One file for each account, and one for nobody: an account is never shown another one's calls, and
//! never pushes them out. A line of JSON for each call, the newest last. A line that a crash tore is
//! skipped. Free text is taken out before anything is written ([`Keep`]).

mod bounded;
mod entry;
mod redact;
mod schema;

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frontdesk_protocol::id::UserId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use entry::{Ended, Ending, Entry, Kept, Outcome};

use crate::lock;

/// More calls than this are not kept of an account; the oldest go.
pub const MOST_ENTRIES: usize = 1000;
/// The file of an account is not larger than this, in bytes; the oldest calls go.
pub const MOST_BYTES: u64 = 5_000_000;
/// How much is left when the oldest go, in percent: not every call is to write the file anew.
const LEFT: usize = 90;

/// What of a call is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// What the schema leaves no room for words in: ids, numbers, dates, flags and listed values.
    #[default]
    Redacted,
    /// Everything, as it was.
    All,
    /// Nothing.
    Off,
}

/// The histories of one data directory. All of its work is short but touches the disk: call it where
/// blocking is allowed.
#[derive(Debug, Clone)]
pub struct History {
    directory: PathBuf,
    keep: Keep,
}

impl History {
    /// The histories in this directory, which need not be there yet.
    pub fn new(directory: impl Into<PathBuf>, keep: Keep) -> Self {
        History {
            directory: directory.into(),
            keep,
        }
    }

    /// What of a call is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Writes down a call, without what is not to be kept; the oldest go where there are too many.
    ///
    /// # Errors
    /// It could not be written.
    pub fn remember(&self, ended: &Ended) -> io::Result<()> {
        let Some(entry) = Entry::of(ended, self.keep) else {
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
            // What was torn stays a line of its own, which nobody can read.
            line.insert(0, b'\n');
        }
        file.write_all(&line)?;
        make_room(&path, &mut file)
    }

    /// The calls of this account, the newest first.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn entries(&self, account: Option<UserId>) -> io::Result<Vec<Entry>> {
        let path = self.path(account);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let _lock = lock::lock(&lock::beside(&path))?;
        let bytes = read(&path)?;
        let mut entries: Vec<Entry> = lines(&bytes).filter_map(entry_of).collect();
        entries.reverse();
        Ok(entries)
    }

    /// Takes one call out.
    ///
    /// # Errors
    /// It could not be taken out; it is still there.
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

    /// Takes out all calls of this account.
    ///
    /// # Errors
    /// They could not be taken out.
    pub fn clear(&self, account: Option<UserId>) -> io::Result<()> {
        let path = self.path(account);
        if !path.exists() {
            return Ok(());
        }
        let _lock = lock::lock(&lock::beside(&path))?;
        std::fs::remove_file(&path)?;
        lock::sync_directory(&self.directory)
    }

    /// Takes out the calls of all accounts.
    ///
    /// # Errors
    /// Some of them could not be taken out.
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

/// The lines, each with its line feed; the last may have none.
fn lines(bytes: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

/// None for a line that was torn, or that another version wrote.
fn entry_of(line: &[u8]) -> Option<Entry> {
    serde_json::from_slice(line).ok()
}

/// Whether the last line has no end.
fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

/// Takes the oldest calls out of a file that has too many.
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
