//! A private directory for temporary files. If its process is killed, the next process removes it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The start of the directories' names; random characters follow.
const PREFIX: &str = "frontdesk-database-";

/// The start of their names until they are locked.
const UNNAMED: &str = ".frontdesk-starting-";

/// The lock file in each directory. The process that uses the directory holds the lock.
const LOCK: &str = "lock";

/// A private directory, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    _lock: File,
    directory: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.directory);
    }
}

impl Scratch {
    /// Creates the directory for all temporary files of this process, including those of the engine, which
    /// creates some even if its database is elsewhere. Call it at the start of a program: it changes where
    /// the crate `tempfile` creates files from then on. Only the first call in a process has this effect.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub fn of_process() -> io::Result<Scratch> {
        let scratch = Scratch::new(&std::env::temp_dir())?;
        if let Err(earlier) = tempfile::env::override_temp_dir(scratch.path()) {
            tracing::debug!(path = %earlier.display(), "the directory for temporary files is already set");
        }
        Ok(scratch)
    }

    /// Creates a directory in `parent`. First removes the directories that ended processes left there.
    ///
    /// # Errors
    /// The directory cannot be created.
    pub fn new(parent: &Path) -> io::Result<Scratch> {
        Scratch::sweep(parent);
        // A sweep only looks for the final name, and the lock is already held when the directory gets it.
        let unnamed = tempfile::Builder::new()
            .prefix(UNNAMED)
            .tempdir_in(parent)?;
        let lock = File::create_new(unnamed.path().join(LOCK))?;
        lock.lock()?;
        let name = unnamed.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy().replacen(UNNAMED, PREFIX, 1);
        let directory = parent.join(name);
        fs::rename(unnamed.path(), &directory)?;
        let _ = unnamed.keep();
        Ok(Scratch {
            _lock: lock,
            directory,
        })
    }

    /// Removed with its contents when the [`Scratch`] is dropped.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Removes the directories that ended processes left in `parent`.
    pub fn sweep(parent: &Path) {
        let Ok(entries) = fs::read_dir(parent) else {
            return;
        };
        for entry in entries.flatten() {
            let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
            if is_ours
                && let Ok(lock) = File::open(entry.path().join(LOCK))
                && lock.try_lock().is_ok()
            {
                remove(&entry.path());
            }
        }
    }
}

/// Removes a directory, its lock last: if something else cannot be removed, a later sweep tries again.
fn remove(directory: &Path) {
    let removed = fs::read_dir(directory).and_then(|entries| {
        for entry in entries {
            let entry = entry?;
            match entry.file_type()?.is_dir() {
                true => fs::remove_dir_all(entry.path())?,
                false if entry.file_name() == LOCK => {}
                false => fs::remove_file(entry.path())?,
            }
        }
        fs::remove_dir_all(directory)
    });
    if let Err(error) = removed {
        tracing::debug!(%error, path = %directory.display(), "a temporary directory cannot be removed");
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

        let used = Scratch::new(parent.path()).unwrap();
        let another = Scratch::new(parent.path()).unwrap();

        assert!(!abandoned.exists());
        assert!(starting.exists());
        assert!(used.path().exists());
        let gone = used.path().to_owned();
        drop(used);
        assert!(!gone.exists());
        drop(another);
    }
}
