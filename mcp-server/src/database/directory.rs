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
    /// The directory is another user's.
    #[error(
        "the database in {} belongs to the user {owner}, and this is {user}: run it as {owner} (sudo -u {owner} …)",
        path.display()
    )]
    Owner {
        /// The directory.
        path: PathBuf,
        /// The name or number of its owner.
        owner: String,
        /// The name or number of this user.
        user: String,
    },
    /// The directory has no database.
    #[error(
        "there is no Frontdesk in {}: check --database; `frontdesk-server serve` or `frontdesk-server setup` creates it",
        .0.display()
    )]
    Missing(PathBuf),
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

/// The directory above the database's.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The directory with PostgreSQL's files.
fn data(path: &Path) -> PathBuf {
    #[cfg(feature = "embedded")]
    let path = frontdesk_embedded::root(path);
    path.join("pgdata")
}

/// The directory beside the engine's files, which has its lock, our socket and copies: the one above the database's, or
/// the database's own.
pub(crate) fn beside(path: &Path) -> PathBuf {
    #[cfg(feature = "embedded")]
    let path = &frontdesk_embedded::root(path);
    parent(path).to_owned()
}

/// Fails if the path is a file or another user's directory.
fn expect_own(path: &Path) -> Result<(), DirectoryError> {
    match path.is_file() {
        true => Err(DirectoryError::File(path.to_owned())),
        false => expect_owner(path),
    }
}

/// Fails if the database belongs to another user: what this one writes, its server could not read.
fn expect_owner(path: &Path) -> Result<(), DirectoryError> {
    #[cfg(unix)]
    for path in [path, &data(path)] {
        use std::os::unix::fs::MetadataExt;
        let user = rustix::process::geteuid().as_raw();
        let owner = std::fs::metadata(path).map_or(user, |found| found.uid());
        if owner != user {
            return Err(DirectoryError::Owner {
                path: path.to_owned(),
                owner: name_of(owner),
                user: name_of(user),
            });
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// The name of a user; the number if the machine's file has none.
#[cfg(unix)]
fn name_of(user: u32) -> String {
    let number = user.to_string();
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then(|| name.to_owned())
    });
    name.unwrap_or(number)
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> DirectoryError {
    |error| DirectoryError::Unwritable {
        path: path.to_owned(),
        error,
    }
}

/// Fails unless the directory has a database. Changes nothing.
///
/// # Errors
/// [`DirectoryError`]
pub(crate) fn expect_database(path: &Path) -> Result<(), DirectoryError> {
    expect_own(path)?;
    match std::fs::metadata(data(path)) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(DirectoryError::Missing(path.to_owned()))
        }
        Err(error) => Err(unwritable(path)(error)),
    }
}

/// Creates the directory above the database's, and tests both as [`expect_usable`].
///
/// # Errors
/// [`DirectoryError`]; nothing was opened.
#[cfg(any(test, feature = "embedded"))]
pub(crate) fn prepare(path: &Path) -> Result<(), DirectoryError> {
    expect_own(path)?;
    let beside = beside(path);
    std::fs::create_dir_all(&beside).map_err(unwritable(&beside))?;
    if let Some(engine) = directories::ProjectDirs::from("dev", ENGINE, ENGINE) {
        // A failure is reported by the test of what exists.
        let _ = std::fs::create_dir_all(engine.cache_dir());
    }
    expect_usable(path)?;
    // Copies of the database that a killed process left beside it.
    #[cfg(feature = "embedded")]
    super::Scratch::sweep(&beside);
    Ok(())
}

/// Tries the directories of the database and of the engine's cache, and the free room. Changes nothing: of directories
/// that do not exist, the nearest existing one above is tried.
///
/// # Errors
/// [`DirectoryError`]
pub(crate) fn expect_usable(path: &Path) -> Result<(), DirectoryError> {
    expect_own(path)?;
    let beside = beside(path);
    let above = existing(&beside);
    tempfile::tempfile_in(above).map_err(unwritable(above))?;
    if let Some(engine) = directories::ProjectDirs::from("dev", ENGINE, ENGINE) {
        let cache = engine.cache_dir();
        tempfile::tempfile_in(existing(cache)).map_err(|error| DirectoryError::Cache {
            path: cache.to_owned(),
            error,
        })?;
    }
    let data = data(path);
    let needed = match data.is_dir() {
        true => {
            tempfile::tempfile_in(&data).map_err(unwritable(&data))?;
            ROOM_TO_WRITE
        }
        false => ROOM_TO_CREATE,
    };
    match free(existing(path)) {
        Some(free) if free < needed => Err(DirectoryError::Full {
            path: path.to_owned(),
            free,
            needed,
        }),
        _ => Ok(()),
    }
}

/// The nearest directory that exists: this one or one above.
pub(crate) fn existing(path: &Path) -> &Path {
    let nearest = path.ancestors().find(|above| above.exists());
    nearest
        .filter(|nearest| !nearest.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
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

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_another_user_is_refused_before_it_is_touched() {
        let place = tempfile::tempdir().unwrap();
        let own = place.path().join("postgres");
        std::fs::create_dir(&own).unwrap();
        let anothers = match rustix::process::geteuid().is_root() {
            true => {
                std::os::unix::fs::chown(&own, Some(1), None).unwrap();
                own
            }
            false => PathBuf::from("/usr"),
        };
        for refused in [
            prepare(&anothers),
            expect_usable(&anothers),
            expect_database(&anothers),
        ] {
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains("belongs to the user "), "{refused}");
        }
    }
}
