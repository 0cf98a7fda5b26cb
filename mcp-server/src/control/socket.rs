//! A socket through which other commands of this machine use the embedded database of a running server: the server
//! holds the directory's lock, so they cannot open it themselves.
//!
//! The socket lies next to the directory with mode 0600: whoever can connect could also read the database's files. A
//! client sends one [`Request`] as a line of JSON and gets a [`Reply`] as a line of JSON. After [`Request::Session`],
//! both sides speak PostgreSQL's protocol, and the server's own calls wait until the connection ends.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use frontdesk_embedded::Embedded;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinHandle;
use tokio_io_timeout::TimeoutStream;

use crate::database::{Database, Streams};

/// The length of a request or reply, at most.
const LINE: u64 = 64 * 1024;
/// A session without a byte for this time ends: the server's calls wait for it.
const IDLE: Duration = Duration::from_secs(60);

/// A client's request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    /// A connection to the database, as its superuser.
    Session,
    /// A copy of the database's files, in a directory that does not exist.
    Copy(PathBuf),
}

/// The server's reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    Done,
    Refused(String),
}

/// The path of the socket for this database directory, beside the engine's files.
fn socket(directory: &Path) -> PathBuf {
    let directory = frontdesk_embedded::root(directory);
    let name = directory.file_name().unwrap_or_default().to_string_lossy();
    directory.with_file_name(format!(".{name}.control"))
}

/// The listening socket of a server. Dropping it removes the socket.
#[derive(Debug)]
pub(crate) struct Control {
    path: PathBuf,
    serving: JoinHandle<()>,
}

impl Drop for Control {
    fn drop(&mut self) {
        self.serving.abort();
        // A socket without a listener refuses connections, and the next server replaces it.
        let _ = fs::remove_file(&self.path);
    }
}

impl Control {
    /// Listens for the database of this directory, whose lock this process holds.
    ///
    /// # Errors
    /// If the socket cannot be created, for example because its path is longer than a socket's can be.
    pub(crate) fn listen(directory: &Path, database: Database) -> io::Result<Control> {
        let path = socket(directory);
        // Created in a private directory, so that nobody can connect before it has its mode.
        let parent = path.parent().unwrap_or(Path::new("."));
        let private = tempfile::Builder::new().prefix(".").tempdir_in(parent)?;
        let new = private.path().join("new");
        let listener = UnixListener::bind(&new)?;
        fs::set_permissions(&new, fs::Permissions::from_mode(0o600))?;
        fs::rename(&new, &path)?;
        let serving = tokio::spawn(async move {
            loop {
                match listener.accept().await {
                    Ok((stream, _)) => {
                        let database = database.clone();
                        tokio::spawn(async move {
                            if let Err(error) = serve(stream, &database).await {
                                tracing::debug!(%error, "a control connection ended early");
                            }
                        });
                    }
                    Err(error) => {
                        tracing::warn!(%error, "the control socket is closed");
                        return;
                    }
                }
            }
        });
        Ok(Control { path, serving })
    }
}

/// Answers one client.
async fn serve(stream: UnixStream, database: &Database) -> io::Result<()> {
    let (mut stream, line) = read_line(stream).await?;
    if line.is_empty() {
        return Ok(());
    }
    let request = match serde_json::from_str(&line) {
        Ok(request) => request,
        Err(error) => {
            let reason = format!("the running server has another version: {error}");
            return reply(&mut stream, &Reply::Refused(reason)).await;
        }
    };
    tracing::info!(?request, "control");
    // Held until the end: the database has one session.
    let (embedded, _place) = match database.borrow_embedded().await {
        Ok(borrowed) => borrowed,
        Err(error) => {
            let reason = format!("the running server: {error}");
            return reply(&mut stream, &Reply::Refused(reason)).await;
        }
    };
    match request {
        Request::Session => {
            reply(&mut stream, &Reply::Done).await?;
            pass_on(stream, &embedded).await
        }
        Request::Copy(to) => {
            let mut end = [0; 1];
            let copied = tokio::select! {
                copied = embedded.copy_to(to) => copied,
                // The client has gone, and wants no copy any more.
                _ = stream.read(&mut end) => return Ok(()),
            };
            let outcome = match copied {
                Ok(()) => Reply::Done,
                Err(error) => Reply::Refused(error.to_string()),
            };
            reply(&mut stream, &outcome).await
        }
    }
}

/// Connects the client with the database.
async fn pass_on(stream: UnixStream, embedded: &Embedded) -> io::Result<()> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_read_timeout(Some(IDLE));
    let mut stream = Box::pin(stream);
    let mut session = embedded.connect();
    tokio::io::copy_bidirectional(&mut stream, &mut session).await?;
    Ok(())
}

async fn reply(stream: &mut UnixStream, reply: &Reply) -> io::Result<()> {
    let line = serde_json::to_string(reply)?;
    stream.write_all(format!("{line}\n").as_bytes()).await
}

/// A line, and the stream after it: the other side sends nothing more before it is answered.
async fn read_line(stream: UnixStream) -> io::Result<(UnixStream, String)> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    (&mut stream).take(LINE).read_line(&mut line).await?;
    Ok((stream.into_inner(), line))
}

/// Sends a request to the server that has this directory open.
async fn ask(directory: &Path, request: &Request) -> io::Result<UnixStream> {
    let mut stream = UnixStream::connect(socket(directory)).await?;
    let line = serde_json::to_string(request)?;
    stream.write_all(format!("{line}\n").as_bytes()).await?;
    let (stream, line) = read_line(stream).await?;
    match serde_json::from_str(&line) {
        Ok(Reply::Done) => Ok(stream),
        Ok(Reply::Refused(reason)) => Err(io::Error::other(reason)),
        Err(_) => Err(io::Error::other("the running server gave no answer")),
    }
}

/// Whether a server answers for this directory.
pub(super) async fn is_served(directory: &Path) -> bool {
    UnixStream::connect(socket(directory)).await.is_ok()
}

/// Connections to the database of the server that has this directory open. They fail if no server answers, or its
/// database stays busy.
pub(super) fn sessions(directory: PathBuf) -> Streams {
    let directory = Arc::new(directory);
    Arc::new(move || {
        let directory = directory.clone();
        Box::pin(async move { ask(&directory, &Request::Session).await })
    })
}

/// Lets the server that has this directory open copy the database's files to `to`, which does not exist yet.
///
/// # Errors
/// If no server answers, or the files cannot be copied.
pub(crate) async fn copy(directory: &Path, to: &Path) -> io::Result<()> {
    // The server has another working directory.
    let to = std::path::absolute(to)?;
    ask(directory, &Request::Copy(to)).await.map(drop)
}
