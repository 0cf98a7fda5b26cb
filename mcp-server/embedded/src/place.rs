//! Where the engine finds its files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Storage;

/// What the private directories of temporary databases are called, before a random rest.
const PREFIX: &str = "frontdesk-database-";

/// In a private directory, held by the process that uses it.
const LOCK: &str = "lock";

/// The engine's directory.
#[derive(Debug)]
pub(crate) struct Place {
    directory: PathBuf,
    temporary: Option<Temporary>,
}

/// Removes the directory when dropped.
#[derive(Debug)]
struct Temporary {
    _lock: File,
    _directory: TempDir,
}

impl Place {
    /// Finds the directory, or makes a private one.
    pub(crate) fn of(storage: &Storage) -> io::Result<Self> {
        match storage {
            Storage::Directory(directory) => Ok(Self {
                directory: directory.clone(),
                temporary: None,
            }),
            Storage::Memory => Self::temporary(&std::env::temp_dir()),
        }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether what is committed has to outlive the process.
    pub(crate) fn is_durable(&self) -> bool {
        self.temporary.is_none()
    }

    fn temporary(parent: &Path) -> io::Result<Self> {
        sweep(parent);
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        // Only a lock that is held gets the name that a sweep looks for.
        let unlocked = directory.path().join("unlocked");
        let lock = File::create_new(&unlocked)?;
        lock.lock()?;
        fs::rename(&unlocked, directory.path().join(LOCK))?;
        Ok(Self {
            directory: directory.path().join("data"),
            temporary: Some(Temporary {
                _lock: lock,
                _directory: directory,
            }),
        })
    }
}

/// Removes what processes left behind that ended without closing their database.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        if let Ok(lock) = File::open(entry.path().join(LOCK))
            && lock.try_lock().is_ok()
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            tracing::debug!(%error, path = %entry.path().display(), "cannot remove");
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_takes_the_abandoned_and_leaves_what_is_used() {
        let parent = tempfile::tempdir().unwrap();
        let abandoned = parent.path().join(format!("{PREFIX}abandoned"));
        fs::create_dir(&abandoned).unwrap();
        File::create_new(abandoned.join(LOCK)).unwrap();
        let starting = parent.path().join(format!("{PREFIX}starting"));
        fs::create_dir(&starting).unwrap();

        let used = Place::temporary(parent.path()).unwrap();
        let another = Place::temporary(parent.path()).unwrap();

        assert!(!abandoned.exists());
        assert!(starting.exists());
        assert!(used.directory().parent().unwrap().exists());
        let gone = used.directory().parent().unwrap().to_owned();
        drop(used);
        assert!(!gone.exists());
        drop(another);
    }
}
