use std::path::PathBuf;

/// Where the database lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Storage {
    /// Gone when the database is closed. Not wholly in memory: the engine keeps its files in a
    /// private directory below the system's temporary one, and never waits for the disk. In memory
    /// they would count twice, and would be lost when the engine has to be replaced. What a killed
    /// process leaves there, the next one that opens such a database removes.
    Memory,
    /// In this directory, which is created if it is not there (its parent too). It belongs to one
    /// [`Embedded`](crate::Embedded) at a time: a lock file beside it, released by the operating
    /// system when the process ends, however it ends, keeps a second one out.
    Directory(PathBuf),
}
