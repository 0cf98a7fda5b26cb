//! Restores a backup into an empty database.

#[cfg(feature = "embedded")]
use std::fs;
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::Path;

use super::file::{Reader, Start, Totals, read};
use super::load::load;
use super::{BackupError, catalogue};
#[cfg(not(feature = "embedded"))]
use crate::database::OpenError;
#[cfg(feature = "embedded")]
use crate::database::Scratch;
use crate::database::{Location, OLDEST, Raw, needed};

/// Restores a backup into an empty database, which gets this program's schema. The whole file is checked
/// before anything is changed. `stop` interrupts it.
///
/// # Errors
/// [`BackupError`]; nothing is restored then.
pub async fn restore(
    file: File,
    location: &Location,
    stop: impl Future<Output = ()>,
) -> Result<(Start, Totals), BackupError> {
    let mut file = file;
    let (start, _) = check(BufReader::new(&file))?;
    expect_known(&start)?;
    file.rewind().map_err(BackupError::Write)?;
    let totals = match location {
        Location::Memory => return Err(BackupError::Memory),
        Location::Server { .. } => into_open(Raw::open(location).await?, file, stop).await?,
        #[cfg(feature = "embedded")]
        Location::Directory(directory) => into_directory(directory, file, stop).await?,
        #[cfg(not(feature = "embedded"))]
        Location::Directory(_) => return Err(OpenError::NoEmbedded.into()),
    };
    Ok((start, totals))
}

/// Reads a whole backup, and checks it and that this program can restore it.
///
/// # Errors
/// [`BackupError`] if it is damaged or incomplete, or has a schema that this program does not know.
pub fn check(file: impl Read) -> Result<(Start, Totals), BackupError> {
    let (start, totals) = read(file)?;
    expect_known(&start)?;
    Ok((start, totals))
}

/// Fails unless the upgrades of this program lead from the backup's schema to its own.
fn expect_known(start: &Start) -> Result<(), BackupError> {
    let (found, known) = (start.schema(), needed());
    match found {
        _ if found < OLDEST => Err(BackupError::TooOld(found)),
        _ if found > known => Err(BackupError::Newer { found, known }),
        _ => Ok(()),
    }
}

/// Restores into a new directory, which then takes the place of the given one.
#[cfg(feature = "embedded")]
async fn into_directory(
    directory: &Path,
    file: File,
    stop: impl Future<Output = ()>,
) -> Result<Totals, BackupError> {
    let at = |error| BackupError::at(directory, error);
    expect_empty(directory).await?;
    // Other files of the directory stay.
    let directory = &frontdesk_embedded::root(directory);
    let parent = parent(directory);
    fs::create_dir_all(parent).map_err(at)?;
    let new = Scratch::new(parent).map_err(at)?;
    let restored = new.path().join("postgres");
    let raw = Raw::open(&Location::Directory(restored.clone())).await?;
    let totals = into_open(raw, file, stop).await?;
    if directory.exists() {
        fs::remove_dir_all(directory).map_err(at)?;
    }
    fs::rename(&restored, directory).map_err(at)?;
    Ok(totals)
}

/// Fails if the directory has a database with data, or that a server uses.
#[cfg(feature = "embedded")]
async fn expect_empty(directory: &Path) -> Result<(), BackupError> {
    let is_empty = match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !directory.exists(),
    };
    if is_empty {
        return Ok(());
    }
    let raw = match Raw::open(&Location::Directory(directory.to_owned())).await {
        Err(error) if error.is_in_use() => return Err(BackupError::InUse),
        raw => raw?,
    };
    let population = match raw.is_prepared().await? {
        true => catalogue::population(raw.client()).await?,
        false => (0, 0),
    };
    raw.close().await?;
    match population {
        (0, 0) => Ok(()),
        (organizations, accounts) => Err(BackupError::NotEmpty {
            organizations,
            accounts,
        }),
    }
}

async fn into_open(
    raw: Raw,
    file: File,
    stop: impl Future<Output = ()>,
) -> Result<Totals, BackupError> {
    let loaded = tokio::select! {
        loaded = into_raw(&raw, file) => loaded,
        () = stop => Err(BackupError::Interrupted),
    };
    raw.close().await?;
    loaded
}

async fn into_raw(raw: &Raw, file: File) -> Result<Totals, BackupError> {
    if raw.is_authenticator().await? {
        return Err(BackupError::NotOwner);
    }
    if raw.has_others().await? {
        return Err(BackupError::InUse);
    }
    if raw.is_prepared().await? {
        raw.become_owner().await?;
        let (organizations, accounts) = catalogue::population(raw.client()).await?;
        if organizations + accounts > 0 {
            return Err(BackupError::NotEmpty {
                organizations,
                accounts,
            });
        }
    }
    raw.migrate().await?;
    let (mut reader, start) = Reader::new(BufReader::new(file))?;
    load(raw.client(), &mut reader, &start).await
}

/// The directory of a path.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
