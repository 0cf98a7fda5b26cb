//! Imports of spreadsheets, on disk: which rows of a file are imported, and the argument of each column as chosen last.
//!
//! A batch of rows is written here before it is sent. If either side ends in the middle, the next run sends the same
//! batch again with the same idempotency key.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::lock;

/// The time to wait for the end of an import of the same file. A process that an importing one starts shares its lock
/// for a moment.
const PATIENCE: Duration = Duration::from_secs(1);

/// The argument of each column by its name; empty for a column that is not imported.
pub type Columns = BTreeMap<String, String>;

/// A call for a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowCall {
    /// The place of the row in the file, counted from 0.
    pub row: usize,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

/// A batch that was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// The idempotency key.
    pub key: String,
    /// When it was sent first.
    pub at: Timestamp,
    /// Its calls.
    pub calls: Vec<RowCall>,
}

/// The imports in one data directory. All methods are short but access the disk: call them where blocking is allowed.
#[derive(Debug, Clone)]
pub struct Imports {
    directory: PathBuf,
}

/// The rows of one file in one import. Only one process at a time has it.
#[derive(Debug)]
pub struct Progress {
    path: PathBuf,
    written: Written,
    _lock: File,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Written {
    /// How many times all was forgotten.
    #[serde(default)]
    round: u64,
    /// The places of the imported rows.
    imported: BTreeSet<usize>,
    /// The places of the rows that may have been imported.
    #[serde(default)]
    unknown: BTreeSet<usize>,
    /// The batch whose outcome is unknown.
    sent: Option<Sent>,
}

impl Imports {
    /// The imports in this directory, which is created on demand; [`crate::paths`] has the default path.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Imports {
            directory: directory.into(),
        }
    }

    /// The choice for this tool and header; empty if there is none.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn columns(&self, tool: &str, header: &[String]) -> io::Result<Columns> {
        read(&self.choice(tool, header))
    }

    /// Saves the choice for this tool and header.
    ///
    /// # Errors
    /// The file could not be written; it is unchanged.
    pub fn save_columns(&self, tool: &str, header: &[String], columns: &Columns) -> io::Result<()> {
        write(&self.choice(tool, header), columns)
    }

    /// The progress of an import: of the same file, by the same account, with the same tool.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`] if another process has it; otherwise the file cannot be read.
    pub async fn progress(&self, import: &[&str]) -> io::Result<Progress> {
        let path = self.directory.join(format!("{}.json", digest(import)));
        let lock = lock::lock_within(&lock::beside(&path), PATIENCE).await?;
        Ok(Progress {
            written: read(&path)?,
            path,
            _lock: lock,
        })
    }

    fn choice(&self, tool: &str, header: &[String]) -> PathBuf {
        let parts = std::iter::once(tool).chain(header.iter().map(String::as_str));
        let name = digest(&parts.collect::<Vec<_>>());
        self.directory.join(format!("columns-{name}.json"))
    }
}

impl Progress {
    /// Whether this row was imported.
    pub fn is_done(&self, row: usize) -> bool {
        self.written.imported.contains(&row)
    }

    /// Whether this row may have been imported: no answer told.
    pub fn is_unknown(&self, row: usize) -> bool {
        self.written.unknown.contains(&row)
    }

    /// The number of this import among those of the same file.
    pub fn round(&self) -> u64 {
        self.written.round
    }

    /// The batch whose outcome is unknown.
    pub fn sent(&self) -> Option<&Sent> {
        self.written.sent.as_ref()
    }

    /// A batch is about to be sent.
    ///
    /// # Errors
    /// The file could not be written: the batch must not be sent.
    pub fn send(&mut self, sent: Sent) -> io::Result<()> {
        self.written.sent = Some(sent);
        write(&self.path, &self.written)
    }

    /// The outcome of the batch is known: these rows are imported.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn settle(&mut self, done: impl IntoIterator<Item = usize>) -> io::Result<()> {
        self.written.sent = None;
        for row in done {
            self.written.unknown.remove(&row);
            self.written.imported.insert(row);
        }
        write(&self.path, &self.written)
    }

    /// The outcome of the batch stays unknown.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn give_up(&mut self) -> io::Result<()> {
        if let Some(sent) = self.written.sent.take() {
            let rows = sent.calls.iter().map(|call| call.row);
            self.written.unknown.extend(rows);
        }
        write(&self.path, &self.written)
    }

    /// These rows are imported once more.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn reopen(&mut self, rows: &[usize]) -> io::Result<()> {
        self.written.round += 1;
        self.written.imported.retain(|row| !rows.contains(row));
        write(&self.path, &self.written)
    }

    /// Forgets what was imported.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn restart(&mut self) -> io::Result<()> {
        self.written = Written {
            round: self.written.round + 1,
            ..Written::default()
        };
        write(&self.path, &self.written)
    }
}

/// The digest of these parts, as a name.
pub fn digest(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    let digest = digest.finalize();
    digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn read<T: DeserializeOwned + Default>(path: &Path) -> io::Result<T> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error),
    }
}

fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    lock::private_parent(path)?;
    lock::replace(path, &serde_json::to_vec(value)?)
}
