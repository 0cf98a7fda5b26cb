use std::sync::Arc;
use std::thread;

use tokio::io::DuplexStream;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};

use crate::accept::{self, Command};
use crate::fatal::Fatal;
use crate::wire::Wire;
use crate::{Error, Storage};

/// Bytes that may stand unread in each direction of a connection before the writer waits.
const PIPE_BYTES: usize = 256 * 1024;

/// A handle on a running database. Clones are handles on the same one.
///
/// When the last handle is dropped, the database is closed in the background and its thread ends;
/// [`Embedded::close`] does the same and says how it went.
#[derive(Debug, Clone)]
pub struct Embedded {
    commands: mpsc::UnboundedSender<Command>,
    closed: watch::Receiver<Option<Result<(), Error>>>,
}

impl Embedded {
    /// Opens the database, creating it if the storage is empty. Takes about a second, during which
    /// the calling task only waits. The extensions `pg_trgm` and `unaccent` are at hand;
    /// `CREATE EXTENSION` is the migrations' to say.
    ///
    /// # Errors
    ///
    /// [`Error::InUse`] when the directory is open already, [`Error::Engine`] when it cannot be
    /// used, [`Error::Thread`] when the operating system gives no thread.
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
    /// The engine has one session, and a connection has it for as long as it lives. A second
    /// connection waits for the first one to end, and is refused with `53300` after 30 seconds.
    /// (Sharing the session transaction by transaction would let one connection run with the
    /// other's user, settings and prepared statements.) Make a pool of it of size one.
    ///
    /// Every connection starts afresh, as the superuser `postgres`: what the last one left
    /// behind – an open transaction, its user, settings, prepared statements, temporary tables,
    /// advisory locks – is rolled back or discarded first.
    ///
    /// After [`Embedded::close`], or should the engine have failed, the stream answers with the
    /// error and ends.
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

    /// Closes the database: ends the connections (each is told `57P01`), rolls back what is open,
    /// and writes everything down. Idempotent: every call, also a later one, returns the outcome
    /// of the one closing.
    ///
    /// # Errors
    ///
    /// [`Error::Engine`] when the engine had failed or fails to close. Acknowledged commits of a
    /// directory are durable also then.
    pub async fn close(&self) -> Result<(), Error> {
        // A failed send means that the thread has ended, and then the outcome is known.
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
