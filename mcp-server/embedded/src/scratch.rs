//! A private directory for temporary files. If its process is killed, the next process removes it.
//!
//! Others can write into the directory for temporary files, so what has the right name need not be ours: nothing is
//! followed, waited for, or removed unless this user owns it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The start of the directories' names; random characters follow.
const PREFIX: &str = "frontdesk-database-";

/// The start of their names until they are locked.
const UNNAMED: &str = ".frontdesk-starting-";

/// The lock file in each directory. The process that uses the directory holds the lock.
const LOCK: &str = "lock";

/// How often removing a directory is tried when it is dropped, and the pause in between.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// A private directory, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    _lock: File,
    directory: PathBuf,
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Somebody who writes into the directory can be in the middle of a file.
        for _ in 0..ATTEMPTS {
            if remove(&self.directory) {
                return;
            }
            std::thread::sleep(PAUSE);
        }
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
                && let Ok(directory) = own::Directory::open(&entry.path())
                && let Ok(lock) = directory.file(LOCK)
                && lock.try_lock().is_ok()
            {
                remove(&entry.path());
            }
        }
    }
}

/// Removes a directory, its lock last: if something else cannot be removed, a later sweep tries again. Returns whether it
/// is gone.
fn remove(directory: &Path) -> bool {
    let removed = own::Directory::open(directory)
        .and_then(|own| own.empty(LOCK))
        .and_then(|()| fs::remove_dir(directory));
    if let Err(error) = &removed {
        tracing::debug!(%error, path = %directory.display(), "a temporary directory cannot be removed");
    }
    removed.is_ok() || !directory.exists()
}

#[cfg(unix)]
mod own {
    use std::ffi::CString;
    use std::fs::File;
    use std::io;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, unlinkat};
    use rustix::io::Errno;

    const DIRECTORY: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::NOFOLLOW)
        .union(OFlags::CLOEXEC);

    /// An open directory of this user: what its path means from then on does not matter.
    pub(super) struct Directory(OwnedFd);

    impl Directory {
        /// Fails for a link, and for a directory that others own or can write to.
        pub(super) fn open(path: &Path) -> io::Result<Directory> {
            let directory = openat(CWD, path, DIRECTORY, Mode::empty())?;
            let found = fstat(&directory)?;
            let is_own = found.st_uid == rustix::process::geteuid().as_raw();
            match is_own && Mode::from_raw_mode(found.st_mode).as_raw_mode() & 0o022 == 0 {
                true => Ok(Directory(directory)),
                false => Err(io::ErrorKind::PermissionDenied.into()),
            }
        }

        /// Opens a file in it, without waiting. Fails for a pipe, a link and a directory.
        pub(super) fn file(&self, name: &str) -> io::Result<File> {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = openat(&self.0, name, flags, Mode::empty())?;
            match FileType::from_raw_mode(fstat(&file)?.st_mode) {
                FileType::RegularFile => Ok(file.into()),
                _ => Err(io::ErrorKind::InvalidInput.into()),
            }
        }

        /// Removes everything in it, and this file last.
        pub(super) fn empty(&self, last: &str) -> io::Result<()> {
            clear(&self.0, last)?;
            match unlinkat(&self.0, last, AtFlags::empty()) {
                Err(error) if error != Errno::NOENT => Err(error.into()),
                _ => Ok(()),
            }
        }
    }

    fn clear(directory: &OwnedFd, except: &str) -> io::Result<()> {
        let entries = Dir::read_from(directory)?;
        let entries: Vec<_> = entries.collect::<Result<_, _>>()?;
        for entry in entries {
            let name: CString = entry.file_name().to_owned();
            if [".", "..", except]
                .iter()
                .any(|kept| name.to_bytes() == kept.as_bytes())
            {
                continue;
            }
            match unlinkat(directory, &name, AtFlags::empty()) {
                // Linux has the first error for a directory, POSIX the second.
                Err(Errno::ISDIR | Errno::PERM) => {
                    let below = openat(directory, &name, DIRECTORY, Mode::empty())?;
                    clear(&below, "")?;
                    unlinkat(directory, &name, AtFlags::REMOVEDIR)?;
                }
                removed => removed?,
            }
        }
        Ok(())
    }
}

#[cfg(not(unix))]
mod own {
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    pub(super) struct Directory(PathBuf);

    impl Directory {
        pub(super) fn open(path: &Path) -> io::Result<Directory> {
            match fs::symlink_metadata(path)?.is_dir() {
                true => Ok(Directory(path.to_owned())),
                false => Err(io::ErrorKind::InvalidInput.into()),
            }
        }

        pub(super) fn file(&self, name: &str) -> io::Result<File> {
            let path = self.0.join(name);
            match fs::symlink_metadata(&path)?.is_file() {
                true => File::open(path),
                false => Err(io::ErrorKind::InvalidInput.into()),
            }
        }

        pub(super) fn empty(&self, last: &str) -> io::Result<()> {
            for entry in fs::read_dir(&self.0)? {
                let entry = entry?;
                match entry.file_type()?.is_dir() {
                    true => fs::remove_dir_all(entry.path())?,
                    false if entry.file_name() == last => {}
                    false => fs::remove_file(entry.path())?,
                }
            }
            fs::remove_file(self.0.join(last))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A directory as a scratch directory is made.
    fn private(path: &Path) {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path).unwrap();
    }

    #[test]
    fn a_sweep_takes_the_abandoned_and_leaves_what_is_used() {
        let parent = tempfile::tempdir().unwrap();
        let abandoned = parent.path().join(format!("{PREFIX}abandoned"));
        private(&abandoned);
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

    /// What another user can put in the place of a directory.
    #[cfg(unix)]
    #[test]
    fn a_sweep_follows_no_link_and_waits_for_no_pipe() {
        let parent = tempfile::tempdir().unwrap();
        let mine = tempfile::tempdir().unwrap();
        fs::write(mine.path().join("precious"), "").unwrap();
        File::create_new(mine.path().join(LOCK)).unwrap();
        let at = |name: &str| parent.path().join(format!("{PREFIX}{name}"));
        std::os::unix::fs::symlink(mine.path(), at("link")).unwrap();

        // The lock is a pipe, a directory, or a link to a file elsewhere.
        let mode = rustix::fs::Mode::RWXU;
        let pipe = rustix::fs::FileType::Fifo;
        for name in ["pipe", "directory", "elsewhere"] {
            private(&at(name));
        }
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe").join(LOCK), pipe, mode, 0).unwrap();
        fs::create_dir(at("directory").join(LOCK)).unwrap();
        std::os::unix::fs::symlink(mine.path().join(LOCK), at("elsewhere").join(LOCK)).unwrap();

        // What ours links to stays, too.
        private(&at("abandoned"));
        File::create_new(at("abandoned").join(LOCK)).unwrap();
        fs::create_dir_all(at("abandoned").join("below/deep")).unwrap();
        std::os::unix::fs::symlink(mine.path(), at("abandoned").join("below/link")).unwrap();

        Scratch::sweep(parent.path());

        assert!(!at("abandoned").exists());
        for name in ["link", "pipe", "directory", "elsewhere"] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(mine.path().join("precious").exists());
        assert!(mine.path().join(LOCK).exists());
    }

    /// The directories of other users, and those that others can write to.
    #[cfg(unix)]
    #[test]
    fn a_sweep_leaves_what_others_can_write_to() {
        use std::os::unix::fs::PermissionsExt;

        let parent = tempfile::tempdir().unwrap();
        let open = parent.path().join(format!("{PREFIX}open"));
        fs::create_dir(&open).unwrap();
        File::create_new(open.join(LOCK)).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();

        Scratch::sweep(parent.path());

        assert!(open.exists());
    }
}
