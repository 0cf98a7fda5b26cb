//! Guest lists on disk, for opening a desk while its host cannot be reached.
//!
//! Each of the last events that an account opened has a file that only its owner can read. Signing
//! out removes the files.

use std::io;
use std::path::{Path, PathBuf};

use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lock;

/// Number of events kept per account. The one saved longest ago is removed.
const MOST_EVENTS: usize = 5;

/// An event and its guests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuestList {
    /// The base address of the host.
    pub host_url: String,
    /// When the host last answered.
    pub at: Timestamp,
    /// The event.
    pub event: Event,
    /// Its guests; for a large event, only those that were viewed.
    pub guests: Vec<Guest>,
}

/// The guest lists in a directory. All methods access the disk: call them where blocking is
/// allowed.
#[derive(Debug, Clone)]
pub struct GuestLists {
    directory: PathBuf,
}

impl GuestLists {
    /// The lists in this directory, which is created on demand.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        GuestLists {
            directory: directory.into(),
        }
    }

    /// Saves the list of an event, replacing the previous one.
    ///
    /// # Errors
    /// The file could not be written; the previous list is kept.
    pub fn keep(&self, account: UserId, list: &GuestList) -> io::Result<()> {
        let directory = self.of(account);
        let file = directory.join(format!("{}.json", list.event.id));
        lock::replace(&file, &serde_json::to_vec(list)?)?;
        for (_, old) in files(&directory)?.into_iter().skip(MOST_EVENTS) {
            remove(std::fs::remove_file(old))?;
        }
        Ok(())
    }

    /// The lists of an account for this host, the last saved first. Invalid files are skipped.
    ///
    /// # Errors
    /// The directory or a file cannot be read.
    pub fn of_host(&self, account: UserId, host_url: &str) -> io::Result<Vec<GuestList>> {
        let mut lists = Vec::new();
        for (_, file) in files(&self.of(account))? {
            match serde_json::from_slice::<GuestList>(&std::fs::read(&file)?) {
                Ok(list) if list.host_url == host_url => lists.push(list),
                Ok(_) => {}
                Err(_) => tracing::warn!(file = %file.display(), "this is not a guest list"),
            }
        }
        Ok(lists)
    }

    /// Removes the lists of an account.
    ///
    /// # Errors
    /// Some files could not be removed.
    pub fn forget(&self, account: UserId) -> io::Result<()> {
        remove(std::fs::remove_dir_all(self.of(account)))
    }

    fn of(&self, account: UserId) -> PathBuf {
        self.directory.join(account.to_string())
    }
}

/// The lists in a directory with their times, the last saved first.
fn files(directory: &Path) -> io::Result<Vec<(std::time::SystemTime, PathBuf)>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push((path.metadata()?.modified()?, path));
        }
    }
    files.sort_unstable_by(|a, b| b.cmp(a));
    Ok(files)
}

/// A missing file counts as removed.
fn remove(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
