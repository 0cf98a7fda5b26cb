use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use tokio::io::DuplexStream;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};

use crate::accept::{self, Command};
use crate::fatal::Fatal;
use crate::wire::Wire;
use crate::{Error, Storage};

/// The buffer of a connection, in each direction; when it is full, the writer waits.
const PIPE_BYTES: usize = 256 * 1024;

/// A handle on a running database. Its clones refer to the same database.
///
/// Dropping the last handle closes the database in the background and ends its thread;
/// [`Embedded::close`] does the same and returns the outcome.
#[derive(Debug, Clone)]
pub struct Embedded {
    commands: mpsc::UnboundedSender<Command>,
    closed: watch::Receiver<Option<Result<(), Error>>>,
}

impl Embedded {
    /// Opens the database, creating it if the storage is empty. This takes about a second and does
    /// not block the runtime. The extensions `pg_trgm` and `unaccent` are available; a migration has
    /// to create them with `CREATE EXTENSION`.
    ///
    /// # Errors
    ///
    /// [`Error::InUse`] if the directory is already open, [`Error::Engine`] if it cannot be used,
    /// [`Error::Thread`] if the operating system cannot start a thread.
    pub async fn open(storage: Storage) -> Result<Self, Error> {
        let (commands, inbox) = mpsc::unbounded_channel();
        let (close_done, closed) = watch::channel(None);
        let (open_done, opened) = oneshot::channel();
        thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || accept::run(&storage, open_done, inbox, &close_done))
            .map_err(|error| Error::Thread(Arc::new(error)))?;
        opened.await.unwrap_or(Err(Error::Stopped))?;
        Ok(Self { commands, closed })
    }

    /// A byte stream that speaks PostgreSQL's frontend/backend protocol: hand it to
    /// `tokio_postgres::Config::connect_raw` with `NoTls`.
    ///
    /// The engine has one session, and a connection holds it for its whole life. A second connection
    /// waits for the first one to end, and is refused with `53300` after 30 seconds. (If connections
    /// shared the session by transaction, one would run with the other's user, settings and prepared
    /// statements.) Use a pool of size one.
    ///
    /// Every connection starts with a clean session as the superuser `postgres`. The state of the
    /// previous connection (open transaction, user, settings, prepared statements, temporary tables,
    /// advisory locks) is rolled back or discarded first.
    ///
    /// After [`Embedded::close`], or if the engine has failed, the stream returns the error and ends.
    #[must_use]
    pub fn connect(&self) -> DuplexStream {
        let (client, server) = tokio::io::duplex(PIPE_BYTES);
        if let Err(mpsc::error::SendError(Command::Connect(server))) =
            self.commands.send(Command::Connect(server))
        {
            refuse(Wire::new(server));
        }
        client
    }

    /// Copies the database to a directory that does not exist: the state after the last commit. Waits for the open
    /// connection to end, and nothing runs during the copy. The copy is a database directory like any other. If the
    /// future is dropped, copying ends with the current file.
    ///
    /// # Errors
    ///
    /// [`Error::Copy`] if a file cannot be read or written; a part of the copy may exist then. [`Error::Stopped`] if
    /// the database is closed.
    pub async fn copy_to(&self, directory: PathBuf) -> Result<(), Error> {
        let (done, copied) = oneshot::channel();
        let _ = self.commands.send(Command::Copy(directory, done));
        copied.await.unwrap_or(Err(Error::Stopped))
    }

    /// Closes the database: ends the connections with `57P01`, rolls back open transactions and
    /// flushes all data. Idempotent: every call, including later ones, returns the outcome of the
    /// one closing.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`] if the engine had failed or fails to close. Acknowledged commits in a
    /// directory are durable even then.
    pub async fn close(&self) -> Result<(), Error> {
        // If the send fails, the thread has ended and the outcome is known.
        let _ = self.commands.send(Command::Close);
        let mut closed = self.closed.clone();
        match closed.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone().unwrap_or(Err(Error::Stopped)),
            Err(_) => Err(Error::Stopped),
        }
    }
}

/// Answers a connection to a database that is closed.
fn refuse(wire: Wire) {
    match Handle::try_current() {
        Ok(runtime) => {
            runtime.spawn(async { wire.end(&Fatal::closed()).await });
        }
        Err(_) => wire.abandon(&Fatal::closed()),
    }
}
