//! The servers of the tests: the embedded database, and a scripted one.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use frontdesk_embedded::{Embedded, Storage};
use frontdesk_postgres::{Error, Session};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf};
use tokio::sync::OnceCell;
use tokio_postgres::Config;

static SHARED: OnceCell<Embedded> = OnceCell::const_new();

fn config() -> Config {
    let mut config = Config::new();
    config.user("postgres");
    config
}

/// A session of the embedded database. The tests share it and queue for it.
pub(crate) async fn session() -> Session {
    counted().await.0
}

/// The same, and a count of what it has sent since the login.
pub(crate) async fn counted() -> (Session, Arc<Sent>) {
    let open = || async { Embedded::open(Storage::Memory).await.unwrap() };
    let database = SHARED.get_or_init(open).await;
    let sent = Arc::new(Sent::default());
    let stream = Counted(database.connect(), Arc::clone(&sent));
    let session = Session::over(stream, &config()).await.unwrap();
    sent.since();
    (session, sent)
}

/// Counts of the messages that a session has sent.
#[derive(Default)]
pub(crate) struct Sent {
    flights: AtomicUsize,
    prepared: AtomicUsize,
}

impl Sent {
    /// Since the last call: the number of answers requested (Sync and Query), and of statements prepared.
    pub(crate) fn since(&self) -> (usize, usize) {
        (
            self.flights.swap(0, Ordering::Relaxed),
            self.prepared.swap(0, Ordering::Relaxed),
        )
    }
}

/// A stream that counts messages; a session writes each flight in one piece.
struct Counted(DuplexStream, Arc<Sent>);

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let mut rest = bytes;
        while let [kind, a, b, c, d, ..] = rest {
            let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
            match kind {
                b'S' | b'Q' => _ = self.1.flights.fetch_add(1, Ordering::Relaxed),
                b'P' => _ = self.1.prepared.fetch_add(1, Ordering::Relaxed),
                _ => {}
            }
            rest = rest.get(length + 1..).unwrap_or_default();
        }
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// A message from a server.
pub(crate) fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut message = vec![kind];
    message.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
    message.extend_from_slice(body);
    message
}

/// `ReadyForQuery`, outside a transaction.
pub(crate) fn ready() -> Vec<u8> {
    message(b'Z', b"I")
}

/// An error response with this SQLSTATE.
pub(crate) fn refusal(severity: &str, code: &str, text: &str) -> Vec<u8> {
    message(
        b'E',
        format!("S{severity}\0V{severity}\0C{code}\0M{text}\0\0").as_bytes(),
    )
}

/// A connection after its login, with the test as the server.
pub(crate) struct Server(pub(crate) DuplexStream);

impl Server {
    /// Reads the next flight, up to its Sync.
    pub(crate) async fn flight(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(&message(b'S', b"")) {
            assert_ne!(self.0.read_buf(&mut bytes).await.unwrap(), 0, "it ended");
        }
        bytes
    }

    pub(crate) async fn say(&mut self, messages: &[Vec<u8>]) {
        self.0.write_all(&messages.concat()).await.unwrap();
    }
}

/// A session with such a server, whose greeting ends with these messages.
pub(crate) async fn scripted(greeting: &[Vec<u8>]) -> (Result<Session, Error>, Server) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let mut server = Server(theirs);
    let config = config();
    let (session, ()) = tokio::join!(Session::over(ours, &config), async {
        let length = server.0.read_u32().await.unwrap() as usize;
        server.0.read_exact(&mut vec![0; length - 4]).await.unwrap();
        let ok = message(b'R', &0_u32.to_be_bytes());
        server.say(&[vec![ok], greeting.to_vec()].concat()).await;
    });
    (session, server)
}

/// The same, with the usual greeting.
pub(crate) async fn greeted() -> (Session, Server) {
    let (session, server) = scripted(&[ready()]).await;
    (session.unwrap(), server)
}
