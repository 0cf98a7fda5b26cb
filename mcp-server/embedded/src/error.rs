use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Why a database could not be opened or closed.
///
/// Errors of statements are not here: they arrive on the connection, as PostgreSQL's own.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another database, in this process or in another one, has the directory open.
    #[error("the database in {} is already open, here or in another process", path.display())]
    InUse {
        /// The directory that was to be opened.
        path: PathBuf,
    },
    /// The thread that the database runs on could not be started.
    #[error("the database's thread could not be started")]
    Thread(#[source] Arc<io::Error>),
    /// A directory for a temporary database could not be made.
    #[error("no temporary directory for the database")]
    Directory(#[source] Arc<io::Error>),
    /// The engine failed to open or to close.
    #[error("the embedded database failed: {0}")]
    Engine(#[from] oliphaunt_wasix::Error),
    /// The engine has failed in a way that it cannot recover from inside this process. Acknowledged
    /// commits of a directory are durable: they are there when another process opens it.
    #[error("the embedded database has failed: start the program again")]
    Lost,
    /// The thread that the database runs on has ended unexpectedly. Acknowledged commits of a
    /// directory are durable: open it again.
    #[error("the embedded database has stopped unexpectedly")]
    Stopped,
}
