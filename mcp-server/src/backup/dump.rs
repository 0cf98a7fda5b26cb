//! Makes a backup, in one transaction that sees one state of the database.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::catalogue::{self, SETTINGS};
use super::file::{Start, Totals, Writer};
use super::{BackupError, restore::parent};
use crate::database::{Location, Raw};

/// Writes a backup of this database to a new file, which exists only if the backup is complete.
///
/// # Errors
/// [`BackupError`]
pub async fn write_file(location: &Location, path: &Path) -> Result<(Start, Totals), BackupError> {
    if path.exists() {
        return Err(BackupError::Exists(path.to_owned()));
    }
    let at_path = |error| BackupError::at(path, error);
    // Readable only by this user.
    let file = tempfile::NamedTempFile::new_in(parent(path)).map_err(at_path)?;
    let (written, file) = write(location, file).await?;
    file.as_file().sync_all().map_err(at_path)?;
    file.persist_noclobber(path)
        .map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => BackupError::Exists(path.to_owned()),
            _ => at_path(error.error),
        })?;
    Ok(written)
}

/// Writes a backup of this database. If a server has the embedded database open, its files are copied first: its calls
/// only wait for the copy.
///
/// # Errors
/// [`BackupError`]
pub async fn write<W: Write>(
    location: &Location,
    out: W,
) -> Result<((Start, Totals), W), BackupError> {
    match location {
        Location::Memory => Err(BackupError::Memory),
        Location::Server(_) => write_open(Raw::open(location).await?, out).await,
        Location::Directory(directory) if !directory.exists() => Err(BackupError::Nothing),
        Location::Directory(directory) => match Raw::open(location).await {
            Err(error) if error.is_in_use() => {
                let mut copies = tempfile::Builder::new();
                let copies = copies.prefix(".backup-").tempdir_in(parent(directory));
                let copies = copies.map_err(|error| BackupError::at(parent(directory), error))?;
                let copy = copies.path().join("postgres");
                copy_running(directory, &copy).await?;
                write_open(Raw::open(&Location::Directory(copy)).await?, out).await
            }
            raw => write_open(raw?, out).await,
        },
    }
}

/// Whether a running server answers for this embedded database.
pub async fn is_served(location: &Location) -> bool {
    match location {
        #[cfg(all(unix, feature = "embedded"))]
        Location::Directory(directory) => crate::control::is_served(directory).await,
        _ => false,
    }
}

#[cfg(all(unix, feature = "embedded"))]
async fn copy_running(directory: &Path, to: &Path) -> Result<(), BackupError> {
    match crate::control::is_served(directory).await {
        true => crate::control::copy(directory, to)
            .await
            .map_err(BackupError::Running),
        false => Err(BackupError::InUse),
    }
}

#[cfg(not(all(unix, feature = "embedded")))]
async fn copy_running(_: &Path, _: &Path) -> Result<(), BackupError> {
    Err(BackupError::InUse)
}

async fn write_open<W: Write>(raw: Raw, out: W) -> Result<((Start, Totals), W), BackupError> {
    let written = write_from(&raw, out).await;
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
    for table in catalogue::tables(client).await? {
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
