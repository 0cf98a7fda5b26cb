//! Files that several processes of this app share: locks, and replacing a file in one step.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long to wait between two looks at a lock that another process holds.
const LOOK_AGAIN: Duration = Duration::from_millis(25);

/// The lock file of a file. It stands beside it, because the file itself is replaced by renaming
/// and a lock would stay with the file that went away.
pub(crate) fn beside(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Takes the lock, waiting for whoever holds it. Dropping the file gives it back; so does the end
/// of the process, however it ends.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    file.lock()?;
    Ok(file)
}

/// Takes the lock, waiting at most this long; `TimedOut` then.
///
/// It looks again and again instead of blocking a thread: the holder may be a process that was
/// suspended, and a blocked thread would keep this one from ending.
pub(crate) async fn lock_within(path: &Path, limit: Duration) -> io::Result<File> {
    let file = open(path)?;
    let looking = async {
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(LOOK_AGAIN).await,
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    };
    match tokio::time::timeout(limit, looking).await {
        Ok(taken) => taken.map(|()| file),
        Err(_) => Err(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("another process holds {}", path.display()),
        )),
    }
}

fn open(path: &Path) -> io::Result<File> {
    private_parent(path)?;
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    private(&mut options);
    options.open(path)
}

/// Makes the directory of this file, for its owner alone where it is new.
pub(crate) fn private_parent(path: &Path) -> io::Result<()> {
    let Some(parent) = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    else {
        return Ok(());
    };
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(parent)
}

/// Files that are created are for their owner alone.
pub(crate) fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = options;
}

/// Puts these bytes in the place of the file's, or leaves it as it is: never something between,
/// and not lost with the power once this has returned.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private_parent(path)?;
    let directory = parent(path);
    // Created with mode 0600 where there are modes.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(directory)
}

/// Makes a new name in a directory, or one that went away, last.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    // Elsewhere a directory cannot be opened as a file; there the file system orders this.
    #[cfg(unix)]
    File::open(directory)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = directory;
    Ok(())
}

/// The directory of a file.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
