//! The engine's root in a directory: the engine refuses a root with other files, and one that its first start left
//! unfinished.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Error;

/// PostgreSQL's files, and the engine's description of them.
const DATA: &str = "pgdata";
const DESCRIPTOR: &str = ".oliphaunt.json";
/// What the engine writes into its root until they are complete.
const UNFINISHED: [&str; 2] = [".pgdata-initdb-", ".oliphaunt.json.oliphaunt-write-"];
/// The root below a directory that has other files, too.
const BESIDE: &str = "frontdesk";
/// The descriptor that the engine writes last, when it creates a database.
const DESCRIPTION: &str = concat!(
    r#"{"schema":"oliphaunt-database-root-v1","engineFamily":"wasix","pgdata":"pgdata","postgresMajor":18,"#,
    r#""physicalFormat":"wasix-pg18-v1"}"#,
    "\n"
);
/// The version of PostgreSQL that it describes.
const VERSION: &str = "18";

/// The engine's root: the directory itself, or one below it if it has other files, or if its parent is closed: the engine
/// has its lock beside its root. Changes nothing.
#[must_use]
pub fn root(directory: &Path) -> PathBuf {
    let beside = directory.join(BESIDE);
    let is_closed =
        || directory.exists() && !directory.join(DATA).exists() && is_parent_closed(directory);
    match beside.join(DATA).exists() || is_closed() {
        true => beside,
        false => directory.to_owned(),
    }
}

/// Whether nothing can be created beside the directory: it is a mount point, for example, and this user's alone.
fn is_parent_closed(directory: &Path) -> bool {
    #[cfg(unix)]
    {
        let parent = directory
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        rustix::fs::access(parent, rustix::fs::Access::WRITE_OK).is_err()
    }
    #[cfg(not(unix))]
    {
        let _ = directory;
        false
    }
}

/// Makes the directory one that the engine opens, and returns the engine's root in it.
pub(crate) fn prepare(directory: &Path) -> Result<PathBuf, Error> {
    if !directory.exists() {
        return Ok(directory.to_owned());
    }
    let unusable = |error| Error::Directory(Arc::new(error));
    let beside = directory.join(BESIDE);
    if !beside.join(DATA).exists() {
        let is_closed = is_parent_closed(directory);
        // Without it, two first starts at once move the same files, and one of them gets the lock of the new root.
        let _lock = match is_closed {
            true => None,
            false => Some(lock(directory)?),
        };
        sweep(directory).map_err(unusable)?;
        let others = others(directory).map_err(unusable)?;
        if others.is_empty() && !beside.exists() && !is_closed {
            complete(directory)?;
            return Ok(directory.to_owned());
        }
        let has_database = directory.join(DATA).exists();
        if let Some(other) = others
            .iter()
            .find(|name| !has_database && !is_harmless(name))
        {
            return Err(Error::NotEmpty {
                path: directory.to_owned(),
                other: other.clone(),
            });
        }
        move_below(directory, &beside).map_err(unusable)?;
    }
    let _lock = lock(&beside)?;
    sweep(&beside).map_err(unusable)?;
    complete(&beside)?;
    Ok(beside)
}

/// Takes the lock under which the engine uses a root. Dropping it releases it.
fn lock(root: &Path) -> Result<File, Error> {
    let unusable = |error| Error::Directory(Arc::new(error));
    let root = std::path::absolute(root).map_err(unusable)?;
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let path = root.with_file_name(format!(".{name}.oliphaunt-wasix-rust.lock"));
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let lock = options.open(path).map_err(unusable)?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(Error::InUse { path: root }),
        Err(TryLockError::Error(error)) => Err(unusable(error)),
    }
}

/// Removes what a first start left that was killed.
fn sweep(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if UNFINISHED.iter().any(|prefix| name.starts_with(prefix)) {
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
    }
    Ok(())
}

/// The names of files that are not the engine's.
fn others(directory: &Path) -> io::Result<Vec<String>> {
    let mut others = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if ![DATA, DESCRIPTOR, BESIDE]
            .map(OsStr::new)
            .contains(&name.as_os_str())
        {
            others.push(name.to_string_lossy().into_owned());
        }
    }
    others.sort_unstable();
    Ok(others)
}

/// Whether a directory with this file can be meant for a new database.
fn is_harmless(name: &str) -> bool {
    name == "lost+found" || name.starts_with('.') || name.starts_with("README")
}

/// Moves the engine's files below the directory. If this is interrupted, the next start goes on.
fn move_below(directory: &Path, beside: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(beside) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for name in [DESCRIPTOR, DATA] {
        match fs::rename(directory.join(name), beside.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Writes the descriptor of complete files that have none: the first start was killed before its last step, or the
/// files were copied without it.
fn complete(root: &Path) -> Result<(), Error> {
    let data = root.join(DATA);
    if data.exists() == root.join(DESCRIPTOR).exists() {
        return Ok(());
    }
    let has_version =
        fs::read_to_string(data.join("PG_VERSION")).is_ok_and(|version| version.trim() == VERSION);
    let has_control = fs::metadata(data.join("global/pg_control")).is_ok_and(|file| file.len() > 0);
    if !has_version || !has_control || !data.join("pg_wal").is_dir() {
        return Err(Error::Incomplete {
            path: root.to_owned(),
        });
    }
    let written = tempfile::Builder::new()
        .prefix(UNFINISHED[1])
        .tempfile_in(root)
        .and_then(|mut file| {
            file.write_all(DESCRIPTION.as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file.persist(root.join(DESCRIPTOR))?)
        });
    written
        .map(drop)
        .map_err(|error| Error::Directory(Arc::new(error)))
}
