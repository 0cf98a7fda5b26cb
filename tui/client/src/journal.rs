//! The check-in journal: actions at the door that have not been delivered yet.
//!
//! The file has one line of JSON per action and one per settled action. A line counts once its line
//! feed is on disk. All changes are made to the file under a lock: several desks on a machine can
//! write to it, and each can crash at any time.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use frontdesk_protocol::door::GUEST_OF;
use frontdesk_protocol::events::passage::{Source, Verdict};
use frontdesk_protocol::id::{EventId, GuestId, PlaceId, UserId};
use frontdesk_protocol::value::{Line as Text, Name};
use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::account::Account;
use crate::lock;

/// An action at the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The guest arrived.
    CheckIn,
    /// The check-in was a mistake.
    Undo,
    /// A guest without an entry in the list arrived.
    Add,
    /// Adding the guest was a mistake.
    TakeBack,
    /// A guest who came and left comes in again.
    Enter,
    /// The guest leaves, and may come in again.
    Leave,
}

/// Where a guest comes or goes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrance {
    /// The gate of the desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// The name of the desk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub desk: Option<String>,
    /// How the guest was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// A ticket of the guest: if the guest is gone, who has it now is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The place; `None` for the event itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_id: Option<PlaceId>,
    /// What the desk has decided by the rules of the place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

impl Entrance {
    /// Whether check-ins here are movements.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.gate.is_some() || self.place_id.is_some()
    }

    /// Whether the desk has turned the guest away.
    #[must_use]
    pub fn turns_away(&self) -> bool {
        self.verdict.is_some_and(Verdict::turns_away)
    }
}

/// A guest without an entry in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkIn {
    /// Required.
    pub name: Name,
    /// Optional.
    pub email: Option<Text>,
    /// Optional.
    pub phone_number: Option<Text>,
    /// Role at the event.
    pub role: Option<Text>,
    /// The guest that a plus-one accompanies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_of: Option<GuestId>,
}

impl WalkIn {
    /// The tags of the guest.
    #[must_use]
    pub fn tags(&self) -> Map<String, Value> {
        let guest_of = self.guest_of.iter();
        let tags = guest_of.map(|id| (GUEST_OF.to_owned(), id.to_string().into()));
        tags.collect()
    }
}

/// One action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Unique id; entries sort in the order of creation.
    pub id: Uuid,
    /// The base address of the host to notify.
    pub host_url: String,
    /// The account at the desk.
    #[serde(rename = "account_id")]
    pub account: UserId,
    /// Its name and organisation; earlier versions did not write them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<MadeBy>,
    /// The account of the same organisation that has taken it over, and delivers it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_by: Option<UserId>,
    /// The event.
    pub event_id: EventId,
    /// The guest. With `walk_in`, an id chosen by this desk, which is the idempotency key of the
    /// call that adds the guest.
    pub guest_id: GuestId,
    /// The guest's name, for display until delivery.
    pub guest_name: String,
    /// When the action happened.
    pub at: Timestamp,
    /// The kind of action.
    pub action: Action,
    /// The data of a guest whom the host may not know yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk_in: Option<WalkIn>,
    /// Whether the id was scanned: the host decides whether this event has such a guest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scanned: bool,
    /// The scanned or typed code, if no known guest has it: the host decides whose ticket it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Whether the walk-in may be a listed guest: the host is asked before the guest is added.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
    /// Why a guest was admitted who is blocked, or whom the place's rules keep out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where it happened.
    #[serde(flatten)]
    pub entrance: Entrance,
    /// Whether no host had answered yet: `at` is by this machine's clock, which can be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_own_clock: bool,
    /// The recorded time of the check-in that is undone: it is not if another one counts, too. `None`: any is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Timestamp>,
}

/// The account at the desk, for those who may take over its check-ins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBy {
    /// The name, otherwise the e-mail address.
    pub name: String,
    /// The organisation.
    pub organization: String,
}

impl MadeBy {
    /// The name and organisation of an account that has one.
    #[must_use]
    pub fn of(account: &Account) -> Option<MadeBy> {
        let names = [&account.member, &account.name].into_iter().flatten();
        let organization = account.organization_slug.as_ref();
        Some(MadeBy {
            name: names.chain([&account.email]).next()?.clone(),
            organization: organization.or(account.organization.as_ref())?.clone(),
        })
    }
}

impl Entry {
    /// The account that delivers it.
    #[must_use]
    pub fn deliverer(&self) -> UserId {
        self.taken_by.unwrap_or(self.account)
    }

    /// A new entry. `at` is rounded to the microsecond, the precision of the hosts, so it can be
    /// recognised in their answers.
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
            made_by: None,
            taken_by: None,
            event_id,
            guest_id,
            guest_name: guest_name.into(),
            at: at.round(Unit::Microsecond).unwrap_or(at),
            action,
            walk_in: None,
            scanned: false,
            code: None,
            asks: false,
            reason: None,
            entrance: Entrance::default(),
            by_own_clock: false,
            undoes: None,
        }
    }
}

/// The outcome of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum DeliveryOutcome {
    /// The host recorded it.
    Delivered,
    /// Another desk had already checked the guest in.
    Already {
        /// The time of that check-in.
        at: Timestamp,
    },
    /// The host refused. The user must be informed.
    Refused {
        /// The reason.
        message: String,
    },
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Done { id: Uuid, done: DeliveryOutcome },
    Entry(Box<Entry>),
}

/// The journal in one data directory. All methods are short but access the disk: call them where
/// blocking is allowed.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
}

impl Journal {
    /// The journal in this file, which is created on demand. Repairs damage from a crash.
    ///
    /// # Errors
    /// The file or its directory cannot be read or written.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let journal = Journal { path: path.into() };
        journal.waiting().map(|_| journal)
    }

    /// Writes an entry, in place of an earlier one with its id. When this returns, the entry survives a crash and a
    /// power failure.
    ///
    /// # Errors
    /// The entry could not be written; the journal is unchanged.
    pub fn append(&self, entry: &Entry) -> io::Result<()> {
        let _lock = self.lock()?;
        self.write(&Line::Entry(Box::new(entry.clone())))
    }

    /// The entries that are not settled, in the order of writing.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn waiting(&self) -> io::Result<Vec<Entry>> {
        let _lock = self.lock()?;
        Ok(self.read()?.waiting)
    }

    /// Records the outcome of an entry. When all entries are settled, the file is emptied. An
    /// unknown id is ignored.
    ///
    /// # Errors
    /// The outcome could not be written; the entry is still waiting.
    pub fn settle(&self, id: Uuid, outcome: DeliveryOutcome) -> io::Result<()> {
        let _lock = self.lock()?;
        let before = self.read()?;
        if !before.waiting.iter().any(|entry| entry.id == id) {
            return Ok(());
        }
        self.write(&Line::Done { id, done: outcome })?;
        if before.waiting.len() > 1 {
            return Ok(());
        }
        // The entry is settled. If this fails, the file is merely longer than needed.
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
        // Another process may have died while writing.
        let end = repair(&mut file)?;
        let written = file.write_all(&bytes).and_then(|()| file.sync_all());
        if written.is_err() {
            // A full disk can truncate a line. It is removed, so an entry reported as failed does
            // not reappear.
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

/// The content of the file.
#[derive(Debug, Default)]
struct Content {
    waiting: Vec<Entry>,
    /// Lines that this version cannot read. They are kept, because they can be check-ins.
    unreadable: Vec<u8>,
}

impl Content {
    fn of(bytes: &[u8]) -> Self {
        let mut content = Content::default();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Entry(entry)) => {
                    let mut waiting = content.waiting.iter_mut();
                    match waiting.rfind(|before| before.id == entry.id) {
                        Some(before) => *before = *entry,
                        None => content.waiting.push(*entry),
                    }
                }
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
    // Otherwise a power failure could remove the name of the file and lose its content.
    lock::sync_directory(lock::parent(path))?;
    Ok(file)
}

/// Makes the file end with a complete line, and seeks to its end. A last line without a line feed
/// is completed if it is valid, and otherwise removed: its writer has not reported success.
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
