//! Makes a backup, in one transaction that sees one state of the database.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
#[cfg(all(unix, feature = "embedded"))]
use std::pin::pin;

use tempfile::NamedTempFile;

use super::catalogue::{self, SETTINGS};
use super::file::{Start, Totals, Writer};
use super::{BackupError, restore::parent};
use crate::database::{Location, Raw};
#[cfg(all(unix, feature = "embedded"))]
use crate::database::{Scratch, beside};

/// The start of the name of a file that is not complete; random characters follow. Its process holds its lock.
const INCOMPLETE: &str = ".frontdesk-backup-";

/// Writes a backup of this database to a new file, which exists only if the backup is complete. `stop` interrupts it.
///
/// # Errors
/// [`BackupError`]
pub async fn write_file(
    location: &Location,
    path: &Path,
    stop: impl Future<Output = ()>,
) -> Result<(Start, Totals), BackupError> {
    let file = begin(path)?;
    let (written, file) = write(location, file, stop).await?;
    complete(file, path)?;
    Ok(written)
}

/// The same through this connection, which stays open.
pub(super) async fn write_new(raw: &Raw, path: &Path) -> Result<(), BackupError> {
    let (_, file) = write_from(raw, begin(path)?).await?;
    complete(file, path)
}

/// An incomplete file beside this path, which does not exist.
fn begin(path: &Path) -> Result<NamedTempFile, BackupError> {
    if path.exists() {
        return Err(BackupError::Exists(path.to_owned()));
    }
    incomplete(parent(path)).map_err(|error| BackupError::at(path, error))
}

/// Gives a complete file its name.
fn complete(file: NamedTempFile, path: &Path) -> Result<(), BackupError> {
    let at_path = |error| BackupError::at(path, error);
    file.as_file().sync_all().map_err(at_path)?;
    file.persist_noclobber(path)
        .map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(path.to_owned()),
            _ => at_path(error.error),
        })?;
    Ok(())
}

/// A file for a backup, readable only by this user. First removes the files that ended processes left. What has such a
/// name and is no file, such as a pipe, is not opened.
fn incomplete(parent: &Path) -> io::Result<NamedTempFile> {
    for entry in fs::read_dir(parent)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(INCOMPLETE)
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
            && let Err(error) = fs::remove_file(entry.path())
        {
            let path = entry.path();
            tracing::warn!(%error, path = %path.display(), "an incomplete backup cannot be removed");
        }
    }
    let file = tempfile::Builder::new()
        .prefix(INCOMPLETE)
        .tempfile_in(parent)?;
    file.as_file().lock()?;
    Ok(file)
}

/// Writes a backup of this database. If a server has the embedded database open, its files are copied first: its calls
/// only wait for the copy. `stop` interrupts it.
///
/// # Errors
/// [`BackupError`]
pub async fn write<W: Write>(
    location: &Location,
    out: W,
    stop: impl Future<Output = ()>,
) -> Result<((Start, Totals), W), BackupError> {
    match location {
        Location::Memory => Err(BackupError::Memory),
        Location::Server { .. } => write_open(Raw::open(location).await?, out, stop).await,
        Location::Directory(directory) => match Raw::open_existing(location).await {
            Err(error) if error.is_in_use() => write_running(location, directory, out, stop).await,
            raw => write_open(raw?, out, stop).await,
        },
    }
}

/// Records in the database that a backup was made, for metrics and `check`: at the primary, if a standby was read.
///
/// # Errors
/// [`BackupError`]
pub async fn record(location: &Location) -> Result<(), BackupError> {
    let database = crate::control::reach(&location.primary()).await?;
    let owner = database.owner().await?;
    owner.execute("select app.record_backup()", &[]).await?;
    drop(owner);
    Ok(database.close().await?)
}

/// Writes a backup of a copy of the files, which the running server makes.
#[cfg(all(unix, feature = "embedded"))]
async fn write_running<W: Write>(
    location: &Location,
    directory: &Path,
    out: W,
    stop: impl Future<Output = ()>,
) -> Result<((Start, Totals), W), BackupError> {
    if !crate::control::is_served(location).await {
        return Err(BackupError::InUse);
    }
    let beside = beside(directory);
    let scratch = Scratch::new(&beside).map_err(|error| BackupError::at(&beside, error))?;
    let copy = scratch.path().join("postgres");
    let mut stop = pin!(stop);
    tokio::select! {
        copied = crate::control::copy(directory, &copy) => copied.map_err(BackupError::Running)?,
        () = stop.as_mut() => return Err(BackupError::Interrupted),
    }
    let copy = Location::Directory(copy);
    let raw = tokio::select! {
        raw = Raw::open(&copy) => raw?,
        () = stop.as_mut() => return Err(BackupError::Interrupted),
    };
    write_open(raw, out, stop).await
}

#[cfg(not(all(unix, feature = "embedded")))]
async fn write_running<W: Write>(
    _: &Location,
    _: &Path,
    _: W,
    _: impl Future<Output = ()>,
) -> Result<((Start, Totals), W), BackupError> {
    Err(BackupError::InUse)
}

async fn write_open<W: Write>(
    raw: Raw,
    out: W,
    stop: impl Future<Output = ()>,
) -> Result<((Start, Totals), W), BackupError> {
    let written = tokio::select! {
        written = write_from(&raw, out) => written,
        () = stop => Err(BackupError::Interrupted),
    };
    // Closed even if it is interrupted: nothing writes into a copy that is removed.
    raw.close().await?;
    written
}

async fn write_from<W: Write>(raw: &Raw, out: W) -> Result<((Start, Totals), W), BackupError> {
    let client = raw.client();
    if raw.is_authenticator().await? {
        return Err(BackupError::NotOwner);
    }
    if !raw.is_prepared().await? {
        return Err(BackupError::Nothing);
    }
    client.batch_execute(SETTINGS).await?;
    client
        .batch_execute("begin isolation level repeatable read, read only")
        .await?;
    let migrations = raw.migrations().await?;
    let postgres = client.query_one("show server_version", &[]).await?.get(0);
    let start = Start::new(migrations, postgres);
    let out = BufWriter::new(out);
    let mut writer = Writer::new(out, start.clone()).map_err(BackupError::Write)?;
    let tables = catalogue::tables(client).await?;
    if let Some(table) = catalogue::left_out(client, &tables, &[]).await? {
        return Err(BackupError::LeftOut(table));
    }
    for table in tables {
        writer.table(table.clone()).map_err(BackupError::Write)?;
        catalogue::each_row(client, &table, |line| {
            writer.row(line).map_err(BackupError::Write)
        })
        .await?;
        writer.end_of_table().map_err(BackupError::Write)?;
    }
    let sequences = catalogue::sequences(client).await?;
    client.batch_execute("commit").await?;
    let (out, totals) = writer.end(sequences).map_err(BackupError::Write)?;
    let out = out
        .into_inner()
        .map_err(|error| BackupError::Write(error.into_error()))?;
    Ok(((start, totals), out))
}
