//! Where a server listens: at an address with a port, or at a Unix socket behind a proxy of the same machine.

use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
#[cfg(unix)]
use std::path::{Path, PathBuf};

use axum::serve::Listener as Accepts;
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};
#[cfg(unix)]
use tokio_util::either::Either;

/// The address of clients of a socket, which are programs of this machine.
const HERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    /// At an address; port 0 picks a free port.
    Address(SocketAddr),
    /// At a Unix socket with this path.
    #[cfg(unix)]
    Socket(PathBuf),
}

impl Listen {
    /// The address; `None` of a socket.
    pub(crate) fn address(&self) -> Option<SocketAddr> {
        match self {
            Listen::Address(address) => Some(*address),
            #[cfg(unix)]
            Listen::Socket(_) => None,
        }
    }

    /// Listens, and returns where: the port is the one that was picked.
    ///
    /// # Errors
    /// [`ListenError`], with advice.
    pub(crate) async fn open(&self) -> Result<(Listener, Listen), ListenError> {
        let failed = |error| ListenError {
            at: self.clone(),
            error,
        };
        match self {
            Listen::Address(address) => {
                let listener = listen(*address).await?;
                let at = listener.local_addr().map_err(failed)?;
                Ok((Listener::Port(listener), Listen::Address(at)))
            }
            #[cfg(unix)]
            Listen::Socket(path) => {
                let socket = Socket::bind(path).map_err(failed)?;
                Ok((Listener::Socket(socket), self.clone()))
            }
        }
    }
}

/// `127.0.0.1:4700` or `unix:/run/frontdesk/http.sock`.
impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listen::Address(address) => write!(f, "{address}"),
            #[cfg(unix)]
            Listen::Socket(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// An address or a socket cannot be listened on.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {at}: {}", reason(at, error))]
pub struct ListenError {
    at: Listen,
    #[source]
    error: io::Error,
}

/// The cause, and what to change.
fn reason(at: &Listen, error: &io::Error) -> String {
    let reason = match (at, error.kind()) {
        #[cfg(unix)]
        (Listen::Socket(_), io::ErrorKind::AddrInUse) => {
            "another program listens there, perhaps another frontdesk-server; choose another path"
        }
        #[cfg(unix)]
        (Listen::Socket(_), io::ErrorKind::AlreadyExists) => {
            "a file with this name exists, which is no socket; choose another path"
        }
        #[cfg(unix)]
        (Listen::Socket(_), io::ErrorKind::NotFound) => {
            "its directory does not exist (systemd makes one: RuntimeDirectory=frontdesk)"
        }
        #[cfg(unix)]
        (Listen::Socket(_), io::ErrorKind::PermissionDenied) => {
            "this user cannot create it; choose a directory of this user (systemd makes one: RuntimeDirectory=frontdesk)"
        }
        (_, io::ErrorKind::AddrInUse) => {
            "another program has the port, perhaps another frontdesk-server; choose another port, or 0 for a free one"
        }
        (_, io::ErrorKind::PermissionDenied) => {
            "ports below 1024 need special rights; choose a higher one, with a proxy in front of it"
        }
        (_, io::ErrorKind::AddrNotAvailable) => {
            "this machine does not have the address; 127.0.0.1 is for this machine only, 0.0.0.0 for every address"
        }
        _ => return error.to_string(),
    };
    reason.to_owned()
}

/// Listens on an address.
///
/// # Errors
/// [`ListenError`], with advice.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|error| ListenError {
        at: Listen::Address(address),
        error,
    })
}

/// A connection with a client.
#[cfg(unix)]
pub(crate) type Stream = Either<TcpStream, UnixStream>;
#[cfg(not(unix))]
pub(crate) type Stream = TcpStream;

/// What accepts clients.
#[derive(Debug)]
pub(crate) enum Listener {
    Port(TcpListener),
    #[cfg(unix)]
    Socket(Socket),
}

impl Listener {
    /// The next client, and its address.
    pub(crate) async fn accept(&mut self) -> (Stream, SocketAddr) {
        match self {
            Listener::Port(listener) => {
                let (stream, peer) = Accepts::accept(listener).await;
                // An answer is one small write that must not wait for more data.
                let _ = stream.set_nodelay(true);
                #[cfg(unix)]
                let stream = Either::Left(stream);
                (stream, peer)
            }
            #[cfg(unix)]
            Listener::Socket(socket) => {
                let (stream, _) = Accepts::accept(&mut socket.listener).await;
                (Either::Right(stream), HERE)
            }
        }
    }
}

/// A socket, which is removed when this is dropped.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Socket {
    listener: UnixListener,
    path: PathBuf,
}

#[cfg(unix)]
impl Socket {
    /// Everybody of this machine can connect, as with a port of 127.0.0.1; its directory can restrict that. The socket of a
    /// process that was killed is replaced.
    fn bind(path: &Path) -> io::Result<Socket> {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt};
        if let Ok(found) = std::fs::symlink_metadata(path) {
            if !found.file_type().is_socket() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            match std::os::unix::net::UnixStream::connect(path) {
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                    std::fs::remove_file(path)?;
                }
                _ => return Err(io::ErrorKind::AddrInUse.into()),
            }
        }
        let listener = UnixListener::bind(path)?;
        let socket = Socket {
            listener,
            path: path.to_owned(),
        };
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o666))?;
        Ok(socket)
    }
}

#[cfg(unix)]
impl Drop for Socket {
    fn drop(&mut self) {
        // The next server replaces a socket that stays.
        let _ = std::fs::remove_file(&self.path);
    }
}
