//! Guest lists on disk: what a desk opens with while its host is away.
//!
//! There is a file for each of the last events that an account has opened, readable by its owner only,
//! as the credentials are. Signing out removes them.

use std::io;
use std::path::{Path, PathBuf};

use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::id::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lock;

/// Events whose lists are kept for an account. The one that was written longest ago goes.
const MOST_EVENTS: usize = 5;

/// An event and its guests, as a host told of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GuestList {
    /// The base address of the host.
    pub host_url: String,
    /// When the host was heard last.
    pub at: Timestamp,
    /// The event.
    pub event: Event,
    /// Its guests; of a large event those who were looked at.
    pub guests: Vec<Guest>,
}

/// The guest lists in a directory. All of its work touches the disk: call it where blocking is
/// allowed.
#[derive(Debug, Clone)]
pub struct GuestLists {
    directory: PathBuf,
}

impl GuestLists {
    /// The lists in this directory, which need not be there yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        GuestLists {
            directory: directory.into(),
        }
    }

    /// Keeps a list instead of the one that was kept of its event.
    ///
    /// # Errors
    /// It cannot be written; what was kept stays.
    pub fn keep(&self, account: UserId, list: &GuestList) -> io::Result<()> {
        let directory = self.of(account);
        let file = directory.join(format!("{}.json", list.event.id));
        lock::replace(&file, &serde_json::to_vec(list)?)?;
        for (_, old) in files(&directory)?.into_iter().skip(MOST_EVENTS) {
            remove(std::fs::remove_file(old))?;
        }
        Ok(())
    }

    /// The lists that an account has of this host, the one that was written last first. A file that
    /// does not hold one is passed over.
    ///
    /// # Errors
    /// The directory or a file cannot be read.
    pub fn of_host(&self, account: UserId, host_url: &str) -> io::Result<Vec<GuestList>> {
        let mut lists = Vec::new();
        for (_, file) in files(&self.of(account))? {
            match serde_json::from_slice::<GuestList>(&std::fs::read(&file)?) {
                Ok(list) if list.host_url == host_url => lists.push(list),
                Ok(_) => {}
                Err(_) => tracing::warn!(file = %file.display(), "this is no guest list"),
            }
        }
        Ok(lists)
    }

    /// Removes the lists of an account.
    ///
    /// # Errors
    /// Some are still there.
    pub fn forget(&self, account: UserId) -> io::Result<()> {
        remove(std::fs::remove_dir_all(self.of(account)))
    }

    fn of(&self, account: UserId) -> PathBuf {
        self.directory.join(account.to_string())
    }
}

/// The lists in a directory with the times at which they were written, the last one first.
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

/// What is gone already need not be removed.
fn remove(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
