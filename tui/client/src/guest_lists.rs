//! Guest lists on disk, for opening a desk while its host cannot be reached.
//!
//! Each of the last events that an account opened has a file that only its owner can read. Signing
//! out removes the files.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use frontdesk_protocol::events::event::Event;
use frontdesk_protocol::events::guest::Guest;
use frontdesk_protocol::events::place::Place;
use frontdesk_protocol::id::{EventId, GuestId, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::lock;

/// The extension of the files of own check-ins.
const OWN: &str = "own";

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
    /// Tags of its guests that have the codes of tickets, in addition to `ticket_code`.
    #[serde(default)]
    pub ticket_tags: Vec<String>,
    /// The place at whose entrance the desk was; the guests have their last passages there.
    #[serde(default)]
    pub place: Option<KnownPlace>,
    /// Up to where the list has all changes, if it is complete: the next `frontdesk/guestsSince`.
    #[serde(default)]
    pub since: Option<Box<str>>,
    /// The entries of the journal whose outcome the guests show.
    #[serde(default)]
    pub seen: Vec<Uuid>,
    /// Its guests, as far as they were loaded.
    #[serde(with = "guests")]
    pub guests: Vec<Arc<Guest>>,
    /// What was settled on this machine since, the last one last.
    #[serde(skip)]
    pub later: Vec<Settled>,
    /// The check-ins made on this machine. They have a file of their own.
    #[serde(skip)]
    pub own: Vec<OwnCheckIn>,
}

/// A place of an event, as far as a desk knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownPlace {
    /// The place, with the guests inside when the host was last asked.
    pub place: Place,
    /// The guests of its session, if known.
    pub members: Option<HashSet<GuestId>>,
}

/// A check-in made on this machine, as the host recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OwnCheckIn {
    /// The guest.
    pub guest_id: GuestId,
    /// The time of arrival.
    pub at: Timestamp,
}

/// An entry of the journal that the host has answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// The entry.
    pub entry: Uuid,
    /// The guest of the entry.
    pub guest_id: GuestId,
    /// The guest as the host returned it; `None` if the guest was removed.
    pub guest: Option<Guest>,
    /// Whether the check-in was made on this machine.
    pub is_own: bool,
}

impl Settled {
    fn own(&self) -> Option<OwnCheckIn> {
        let at = self.guest.as_ref()?.check_in_at.filter(|_| self.is_own)?;
        let guest_id = self.guest_id;
        Some(OwnCheckIn { guest_id, at })
    }
}

/// A line of the file of own check-ins; earlier versions wrote only those.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Settled(Box<Settled>),
    Own(OwnCheckIn),
}

/// A list without its guests.
#[derive(Deserialize)]
struct Heading {
    host_url: String,
    at: Timestamp,
    event: Event,
}

mod guests {
    use std::sync::Arc;

    use frontdesk_protocol::events::guest::Guest;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        guests: &[Arc<Guest>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(guests.iter().map(Arc::as_ref))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Arc<Guest>>, D::Error> {
        let guests = Vec::<Guest>::deserialize(deserializer)?;
        Ok(guests.into_iter().map(Arc::new).collect())
    }
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
            remove(std::fs::remove_file(old.with_extension(OWN)))?;
            remove(std::fs::remove_file(old))?;
        }
        Ok(())
    }

    /// Adds an entry of an event that the host has answered. When this returns, it survives a crash.
    ///
    /// # Errors
    /// The file could not be written.
    pub fn note(&self, account: UserId, event: EventId, settled: &Settled) -> io::Result<()> {
        let file = self.of(account).join(event.to_string()).with_extension(OWN);
        lock::private_parent(&file)?;
        let mut line = serde_json::to_vec(settled)?;
        line.push(b'\n');
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        lock::private(&mut options);
        let mut file = options.open(file)?;
        file.write_all(&line)?;
        file.sync_data()
    }

    /// The events whose lists an account has for this host, with the times of the lists, the last saved first. Invalid
    /// files are skipped.
    ///
    /// # Errors
    /// The directory or a file cannot be read.
    pub fn events(&self, account: UserId, host_url: &str) -> io::Result<Vec<(Event, Timestamp)>> {
        let mut events = Vec::new();
        for (_, file) in files(&self.of(account))? {
            match serde_json::from_slice::<Heading>(&std::fs::read(&file)?) {
                Ok(list) if list.host_url == host_url => events.push((list.event, list.at)),
                Ok(_) => {}
                Err(_) => tracing::warn!(file = %file.display(), "this is not a guest list"),
            }
        }
        Ok(events)
    }

    /// The list of an event, if an account has one for this host. Invalid lines and files are skipped.
    ///
    /// # Errors
    /// The files cannot be read.
    pub fn of_event(
        &self,
        account: UserId,
        host_url: &str,
        event: EventId,
    ) -> io::Result<Option<GuestList>> {
        let file = self.of(account).join(format!("{event}.json"));
        let list = serde_json::from_slice::<GuestList>(&existing(&file)?).ok();
        let Some(mut list) = list.filter(|list| list.host_url == host_url) else {
            return Ok(None);
        };
        let own = existing(&file.with_extension(OWN))?;
        let seen: HashSet<Uuid> = list.seen.iter().copied().collect();
        for line in own.split(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(Line::Own(own)) => list.own.push(own),
                Ok(Line::Settled(settled)) => {
                    list.own.extend(settled.own());
                    if !seen.contains(&settled.entry) {
                        list.later.push(*settled);
                    }
                }
                Err(_) => {}
            }
        }
        Ok(Some(list))
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

/// The content of a file; empty if it is missing.
fn existing(file: &Path) -> io::Result<Vec<u8>> {
    match std::fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        result => result,
    }
}

/// A missing file counts as removed.
fn remove(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
