use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a database cannot be opened or closed.
///
/// Statement errors are not included: they arrive on the connection as PostgreSQL sends them.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another database, in this process or another, has the directory open.
    #[error("the database in {} is already open, here or in another process: stop that one, or choose another directory", path.display())]
    InUse {
        /// The requested directory.
        path: PathBuf,
    },
    /// The directory of a new database has other files.
    #[error(
        "{} has other files ({other}); choose an empty directory for the database, such as {}",
        path.display(),
        path.join("frontdesk").display()
    )]
    NotEmpty {
        /// The requested directory.
        path: PathBuf,
        /// One of the files.
        other: String,
    },
    /// PostgreSQL's files are not complete.
    #[error(
        "the database in {} is incomplete: restore a backup into a new directory; if it was never used, remove it",
        path.display()
    )]
    Incomplete {
        /// The directory with the files.
        path: PathBuf,
    },
    /// The operating system did not start the database's thread.
    #[error("the database's thread could not be started")]
    Thread(#[source] Arc<io::Error>),
    /// The directory cannot be read or written.
    #[error("the database's directory cannot be used: {0}")]
    Directory(#[source] Arc<io::Error>),
    /// The database's files could not be copied.
    #[error("the database's files could not be copied: {0}")]
    Copy(#[source] Arc<io::Error>),
    /// The engine failed to open or to close.
    #[error("the embedded database failed: {0}")]
    Engine(#[from] oliphaunt_wasix::Error),
    /// The engine has failed and cannot recover inside this process. Acknowledged commits in a
    /// directory are durable: the next process that opens it finds them.
    #[error("the embedded database has failed: start the program again")]
    Lost,
    /// The database's thread has ended unexpectedly. Acknowledged commits in a directory are
    /// durable: open it again.
    #[error("the embedded database has stopped unexpectedly")]
    Stopped,
}

impl Error {
    pub(crate) fn in_use(directory: &Path) -> Error {
        Error::InUse {
            path: directory.to_owned(),
        }
    }
}
