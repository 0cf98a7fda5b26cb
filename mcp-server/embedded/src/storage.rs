use std::path::PathBuf;

/// Where the database lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// In memory: gone when the database is closed.
    Memory,
    /// In this directory, which is created if it is not there (its parent too). It belongs to one
    /// [`Embedded`](crate::Embedded) at a time: a lock file beside it, released by the operating
    /// system when the process ends, however it ends, keeps a second one out.
    Directory(PathBuf),
}
