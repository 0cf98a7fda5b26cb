//! The check-in journal: what happened at the door and has not been delivered yet.
//!
//! One line of JSON for each thing that happened, and one for each that was settled. A line
//! counts once its line feed is on the disk. Everything is done under a lock, in the file itself:
//! several desks on one machine may write to it, and any of them may die at any moment.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frontdesk_protocol::id::{EventId, GuestId, UserId};
use frontdesk_protocol::value::{Line as Text, Name};
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::lock;

/// What happened at the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The guest arrived.
    CheckIn,
    /// The check-in was a mistake.
    Undo,
    /// A guest who was on no list arrived.
    Add,
    /// Adding the guest was a mistake.
    TakeBack,
}

/// A guest who is on no list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkIn {
    /// Name.
    pub name: Name,
    /// E-mail address.
    pub email: Option<Text>,
    /// Telephone number.
    pub phone_number: Option<Text>,
    /// What the guest is at the event.
    pub role: Option<Text>,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Identifies the entry; entries sort in the order in which they were made.
    pub id: Uuid,
    /// The base address of the host that is to know.
    pub host_url: String,
    /// Who was at the desk.
    #[serde(rename = "account_id")]
    pub account: UserId,
    /// The event.
    pub event_id: EventId,
    /// The guest; with `walk_in` an id of this desk's own, which is the idempotency key of the call
    /// that adds the guest.
    pub guest_id: GuestId,
    /// The guest's name, to show while it waits.
    pub guest_name: String,
    /// When it really happened.
    pub at: Timestamp,
    /// What happened.
    pub action: Action,
    /// The guest, where the host may not know them yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk_in: Option<WalkIn>,
    /// The id was scanned: the host says whether a guest of this event has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scanned: bool,
    /// No host had answered yet: `at` is by this machine's clock, which may be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_own_clock: bool,
}

impl Entry {
    /// An entry with an id of its own. `at` is kept to the microsecond, as the hosts keep it, so
    /// that it is recognised when it comes back.
    pub fn new(
        host_url: impl Into<String>,
        account: UserId,
        event_id: EventId,
        guest_id: GuestId,
        guest_name: impl Into<String>,
        at: Timestamp,
        action: Action,
    ) -> Self {
        Entry {
            id: Uuid::now_v7(),
            host_url: host_url.into(),
            account,
            event_id,
            guest_id,
            guest_name: guest_name.into(),
            at: at.round(Unit::Microsecond).unwrap_or(at),
            action,
            walk_in: None,
            scanned: false,
            by_own_clock: false,
        }
    }
}

/// How an entry was settled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// The host knows.
    Delivered,
    /// Another desk had checked the guest in before.
    Already {
        /// When.
        at: Timestamp,
    },
    /// The host will not have it; a person must be told.
    Refused {
        /// Why.
        message: String,
    },
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Done { id: Uuid, done: Outcome },
    Entry(Entry),
}

/// The journal of one data directory. All of its work is short but touches the disk: call it
/// where blocking is allowed.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal in this file, which need not be there yet. Repairs what a crash left behind.
    ///
    /// # Errors
    /// The file or its directory cannot be read or written.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let journal = Journal { path: path.into() };
        journal.waiting().map(|_| journal)
    }

    /// Writes an entry down. Once this returns, it outlives a crash and a power cut.
    ///
    /// # Errors
    /// It could not be written; the journal is as it was before.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let _lock = self.lock()?;
        self.write(&Line::Entry(entry.clone()))
    }

    /// The entries that are not settled, in the order in which they were written.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn waiting(&self) -> io::Result<Vec<Entry>> {
        let _lock = self.lock()?;
        Ok(self.read()?.waiting)
    }

    /// Writes down how an entry was settled. When none is left waiting, the file is emptied.
    /// Settling an entry that is not there changes nothing.
    ///
    /// # Errors
    /// It could not be written; the entry is still waiting.
    pub fn settle(&self, id: Uuid, outcome: Outcome) -> io::Result<()> {
        let _lock = self.lock()?;
        let before = self.read()?;
        if !before.waiting.iter().any(|entry| entry.id == id) {
            return Ok(());
        }
        self.write(&Line::Done { id, done: outcome })?;
        if before.waiting.len() > 1 {
            return Ok(());
        }
        // The entry is settled already; should this fail, the file is only longer than needed.
        if let Err(reason) = lock::replace(&self.path, &before.unreadable) {
            tracing::warn!(%reason, "the journal is not emptied");
        }
        Ok(())
    }

    fn lock(&self) -> io::Result<File> {
        lock::lock(&lock::beside(&self.path))
    }

    fn existing(&self) -> io::Result<Option<File>> {
        match OpenOptions::new().read(true).write(true).open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, line: &Line) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let mut file = match self.existing()? {
            Some(file) => file,
            None => create(&self.path)?,
        };
        // Another process may have died while it wrote.
        let end = repair(&mut file)?;
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        if written.is_err() {
            // A full disk takes half a line. It is cut off again, so that what is said not to be
            // written is not found later.
            file.set_len(end).and_then(|()| file.sync_all())?;
        }
        written
    }

    fn read(&self) -> io::Result<Content> {
        let mut bytes = Vec::new();
        if let Some(mut file) = self.existing()? {
            repair(&mut file)?;
            file.rewind()?;
            file.read_to_end(&mut bytes)?;
        }
        Ok(Content::of(&bytes))
    }
}

/// What the file says.
#[derive(Debug, Default)]
struct Content {
    waiting: Vec<Entry>,
    /// Lines that this version cannot read. They are kept, because they may be somebody's
    /// check-ins.
    unreadable: Vec<u8>,
}

impl Content {
    fn of(bytes: &[u8]) -> Self {
        let mut content = Content::default();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Entry(entry)) => content.waiting.push(entry),
                Ok(Line::Done { id, .. }) => content.waiting.retain(|entry| entry.id != id),
                Err(_) if line.trim_ascii().is_empty() => {}
                Err(_) => content.unreadable.extend_from_slice(line),
            }
        }
        if !content.unreadable.is_empty() {
            tracing::warn!("the journal has lines that cannot be read; they are kept");
        }
        content
    }
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    lock::private(&mut options);
    let file = options.open(path)?;
    // Else a power cut could take the name of the file away with all that is in it.
    lock::sync_directory(lock::parent(path))?;
    Ok(file)
}

/// Makes the file end with a whole line, and goes there. A last line without its line feed is
/// completed if it is whole but for that, and else cut off: nobody was told that it was written.
fn repair(file: &mut File) -> io::Result<u64> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let whole = bytes
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let torn = &bytes[whole..];
    if torn.is_empty() {
        return file.seek(SeekFrom::End(0));
    }
    if serde_json::from_slice::<Line>(torn).is_ok() {
        file.seek(SeekFrom::End(0))?;
        file.write_all(b"\n")?;
    } else {
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
    }
    file.sync_all()?;
    file.stream_position()
}
