//! A relay before a PostgreSQL server, which counts flights, and holds a session between two of its statements.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader, copy, sink};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::unix::{OwnedReadHalf as FromServer, OwnedWriteHalf as ToServer};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::Cluster;

/// The first message of a client that asks for TLS. The startup message follows the answer.
const TLS_REQUEST: [u8; 4] = 80_877_103_u32.to_be_bytes();

/// A relay. Its connections end with their clients.
#[derive(Debug)]
pub struct Relay {
    address: String,
    shared: Arc<Shared>,
    listening: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    hold: Mutex<Option<Hold>>,
    held: Notify,
    flights: AtomicUsize,
}

/// The session to hold.
#[derive(Debug)]
struct Hold {
    /// It is the first session that sends these bytes.
    marker: Vec<u8>,
    /// The number of statements that pass, from the flight with the marker on.
    statements: usize,
}

/// A message of a client: its type, and all of its bytes.
type Message = (u8, Vec<u8>);

impl Relay {
    /// Starts a relay before the cluster.
    ///
    /// # Panics
    ///
    /// If it cannot listen.
    pub async fn start(cluster: &Cluster) -> Relay {
        Relay::before(cluster.directory().join(".s.PGSQL.5432")).await
    }

    /// Starts a relay before the server with this socket.
    ///
    /// # Panics
    ///
    /// As [`Relay::start`].
    pub async fn before(socket: PathBuf) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let listening = tokio::spawn(accept(listener, socket, Arc::clone(&shared)));
        Relay {
            address: format!("postgres://postgres@127.0.0.1:{port}/postgres"),
            shared,
            listening,
        }
    }

    /// The address of the database, through the relay.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The number of flights so far: messages up to one that the server answers, each a round trip.
    pub fn flights(&self) -> usize {
        self.shared.flights.load(Ordering::Relaxed)
    }

    /// Holds the first session that sends these bytes, after this many statements.
    pub fn hold(&self, marker: &[u8], statements: usize) {
        *self.shared.hold() = Some(Hold {
            marker: marker.to_vec(),
            statements,
        });
    }

    /// Waits until a session is held.
    pub async fn held(&self) {
        self.shared.held.notified().await;
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

impl Shared {
    fn hold(&self) -> std::sync::MutexGuard<'_, Option<Hold>> {
        self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of statements that pass, if this is the session to hold.
    fn statements(&self, flight: &[Message]) -> Option<usize> {
        let mut hold = self.hold();
        let has = |marker: &[u8]| {
            let mut messages = flight.iter();
            messages.any(|(_, bytes)| bytes.windows(marker.len()).any(|part| part == marker))
        };
        let hold = hold.take_if(|hold| has(&hold.marker))?;
        Some(hold.statements)
    }
}

async fn accept(listener: TcpListener, socket: PathBuf, shared: Arc<Shared>) {
    loop {
        let (client, _) = listener.accept().await.expect("a connection");
        let server = UnixStream::connect(&socket).await.expect("the cluster");
        tokio::spawn(carry(client, server, Arc::clone(&shared)));
    }
}

/// Carries a session. When the client has gone, the server still receives what was carried before, and its answers are
/// dropped.
async fn carry(client: TcpStream, server: UnixStream, shared: Arc<Shared>) {
    let (from_client, mut to_client) = client.into_split();
    let (mut from_server, to_server): (FromServer, ToServer) = server.into_split();
    tokio::spawn(async move {
        if copy(&mut from_server, &mut to_client).await.is_err() {
            let _ = copy(&mut from_server, &mut sink()).await;
        }
    });
    // Both ends break their connections in these tests.
    let _ = forward(BufReader::new(from_client), to_server, &shared).await;
}

async fn forward(
    mut client: BufReader<OwnedReadHalf>,
    mut server: ToServer,
    shared: &Shared,
) -> std::io::Result<()> {
    loop {
        let first = body(&mut client).await?;
        server.write_all(&first).await?;
        if first[4..8] != TLS_REQUEST {
            break;
        }
    }
    let mut left = None;
    loop {
        let flight = flight(&mut client).await?;
        shared.flights.fetch_add(1, Ordering::Relaxed);
        left = left.or_else(|| shared.statements(&flight));
        for (kind, bytes) in flight {
            let is_statement = matches!(kind, b'E' | b'Q');
            match &mut left {
                // The end of a flight, or another statement.
                Some(0) if is_statement || kind == b'S' => {
                    shared.held.notify_one();
                    return copy(&mut client, &mut sink()).await.map(drop);
                }
                Some(statements) if is_statement => *statements -= 1,
                _ => {}
            }
            server.write_all(&bytes).await?;
        }
    }
}

/// The messages up to the next one that the server answers.
async fn flight(client: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Vec<Message>> {
    let mut messages = Vec::new();
    loop {
        let kind = client.read_u8().await?;
        let body = body(client).await?;
        messages.push((kind, [&[kind], body.as_slice()].concat()));
        if !matches!(kind, b'P' | b'B' | b'D' | b'E' | b'C') {
            return Ok(messages);
        }
    }
}

/// A length and the bytes that it counts.
async fn body(client: &mut (impl AsyncRead + Unpin)) -> std::io::Result<Vec<u8>> {
    let length = client.read_u32().await?;
    let mut body = vec![0; length as usize];
    body[..4].copy_from_slice(&length.to_be_bytes());
    client.read_exact(&mut body[4..]).await?;
    Ok(body)
}
