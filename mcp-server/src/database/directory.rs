//! Checks of a database's directory, before the engine opens it: its own errors would not name their cause.

use std::io;
use std::path::{Path, PathBuf};

/// The room that a new database needs, in bytes.
const ROOM_TO_CREATE: u64 = 128 * 1024 * 1024;
/// The room that an existing database needs for its log, in bytes.
const ROOM_TO_WRITE: u64 = 32 * 1024 * 1024;

/// The crate of the embedded engine, which has a cache of this name.
const ENGINE: &str = "oliphaunt-wasix";

/// The directory cannot hold the database.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// The directory or one above it cannot be created or written.
    #[error(
        "the database's directory {} cannot be written: {error}; choose another with --database, or give this user the \
         rights",
        path.display()
    )]
    Unwritable {
        /// The directory that refuses.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The engine's cache cannot be written.
    #[error(
        "the embedded database unpacks its programs into {}, which cannot be written: {error}; give this user a home \
         directory, or set XDG_CACHE_HOME to a directory of this user",
        path.display()
    )]
    Cache {
        /// The cache.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// The path is a file.
    #[error("{} is a file; --database needs a directory", .0.display())]
    File(PathBuf),
    /// The disk is full.
    #[error(
        "the disk with {} is full: {} MB are free, and the database needs {} MB",
        path.display(),
        free / 1024 / 1024,
        needed / 1024 / 1024
    )]
    Full {
        /// The database's directory.
        path: PathBuf,
        /// Free bytes.
        free: u64,
        /// Needed bytes.
        needed: u64,
    },
}

/// Creates the directory above the database's and tries both, the engine's cache, and the free room.
///
/// # Errors
/// [`DirectoryError`]; nothing was opened.
pub(crate) fn prepare(path: &Path) -> Result<(), DirectoryError> {
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |error| DirectoryError::Unwritable { path, error }
    };
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if path.is_file() {
        return Err(DirectoryError::File(path.to_owned()));
    }
    std::fs::create_dir_all(parent).map_err(unwritable(parent))?;
    tempfile::tempfile_in(parent).map_err(unwritable(parent))?;
    // Copies of the database that a killed process left beside it.
    #[cfg(feature = "embedded")]
    super::Scratch::sweep(parent);
    if let Some(engine) = directories::ProjectDirs::from("dev", ENGINE, ENGINE) {
        let cache = engine.cache_dir();
        let created = std::fs::create_dir_all(cache).and_then(|()| tempfile::tempfile_in(cache));
        created.map_err(|error| DirectoryError::Cache {
            path: cache.to_owned(),
            error,
        })?;
    }
    let data = path.join("pgdata");
    let needed = match data.is_dir() {
        true => {
            tempfile::tempfile_in(&data).map_err(unwritable(&data))?;
            ROOM_TO_WRITE
        }
        false => ROOM_TO_CREATE,
    };
    match free(parent) {
        Some(free) if free < needed => Err(DirectoryError::Full {
            path: path.to_owned(),
            free,
            needed,
        }),
        _ => Ok(()),
    }
}

/// Whether the disk has room for the log of an open database.
pub(crate) fn has_room(path: &Path) -> bool {
    free(path).is_none_or(|free| free >= ROOM_TO_WRITE / 2)
}

/// The free bytes for this user on the disk of this directory; `None` if unknown.
pub(crate) fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(path).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}
