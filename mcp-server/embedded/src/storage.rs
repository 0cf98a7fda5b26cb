use std::path::PathBuf;

/// The location of the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// Deleted when the database is closed. Not entirely in memory: the engine keeps its files in a
    /// private directory below the system's temporary directory, and never waits for the disk. Files
    /// in memory would use the memory twice, and would be lost when the engine is replaced. If the
    /// process is killed, the next one that opens such a database removes the directory.
    Memory,
    /// As [`Storage::Memory`], starting as a copy of this database directory, which no engine may have open.
    CopyOf(PathBuf),
    /// In this directory, which is created with its parent if it does not exist. One
    /// [`Embedded`](crate::Embedded) at a time can use it: a lock file next to it keeps a second one
    /// out. The operating system releases the lock when the process ends, even if it is killed.
    Directory(PathBuf),
}
