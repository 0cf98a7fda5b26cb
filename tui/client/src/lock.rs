//! Files shared by several processes of this app: locks and atomic replacement.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The polling interval for a lock held by another process.
const LOOK_AGAIN: Duration = Duration::from_millis(25);

/// The path of the lock file. It is a separate file, because the file itself is replaced by
/// renaming and the lock would stay with the old one.
pub(crate) fn beside(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Waits for the lock. It is released when the file is dropped or the process ends.
pub(crate) fn lock(path: &Path) -> io::Result<File> {
    let file = open(path)?;
    file.lock()?;
    Ok(file)
}

/// Waits for the lock for at most `limit`; then fails with `TimedOut`.
///
/// It polls instead of blocking a thread: the holder can be a suspended process, and a blocked
/// thread would prevent this process from ending.
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

/// Creates the directory of this file; a new one is accessible only to its owner.
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

/// Restricts new files to their owner.
pub(crate) fn private(options: &mut OpenOptions) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = options;
}

/// Replaces the content of the file atomically and durably.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private_parent(path)?;
    let directory = parent(path);
    // Created with mode 0600 on Unix.
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(directory)
}

/// Makes creation or removal of a file in this directory durable.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    // On other platforms a directory cannot be opened as a file; the file system handles this.
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
