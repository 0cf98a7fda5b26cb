//! Where a database listens, and connections to it.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use rand::seq::SliceRandom;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream, lookup_host};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, LoadBalanceHosts};

use crate::error::Error;

/// PostgreSQL's default port.
const PORT: u16 = 5432;

/// A stream to a database.
pub(crate) type Stream = Box<dyn Duplex>;

/// Bytes in both directions.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// An address at which a database may listen.
#[derive(Debug, Clone)]
pub(crate) enum Address {
    Tcp {
        /// The name that the certificate must have.
        name: String,
        at: SocketAddr,
    },
    Unix(PathBuf),
}

impl Address {
    /// The name that the certificate must have; `None` for a local socket, which is not encrypted.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Address::Tcp { name, .. } => Some(name),
            Address::Unix(_) => None,
        }
    }

    /// Opens a connection, within the address's connect timeout if it has one.
    ///
    /// # Errors
    /// [`Error::Unreachable`].
    pub(crate) async fn dial(&self, config: &Config) -> Result<Stream, Error> {
        let dialling = async {
            io::Result::Ok(match self {
                Address::Tcp { at, .. } => {
                    let stream = TcpStream::connect(at).await?;
                    set_up(&stream, config)?;
                    Box::new(stream) as Stream
                }
                Address::Unix(path) => Box::new(UnixStream::connect(path).await?),
            })
        };
        in_time(config, async { dialling.await.map_err(Error::Unreachable) }).await
    }
}

/// Does this within the address's connect timeout if it has one.
///
/// # Errors
/// [`Error::Unreachable`] if it takes longer.
pub(crate) async fn in_time<T>(
    config: &Config,
    doing: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let Some(limit) = config.get_connect_timeout() else {
        return doing.await;
    };
    let done = tokio::time::timeout(*limit, doing).await;
    done.unwrap_or_else(|_| {
        Err(Error::Unreachable(io::Error::new(
            io::ErrorKind::TimedOut,
            format!("there was no answer within {} s", limit.as_secs_f32()),
        )))
    })
}

fn set_up(stream: &TcpStream, config: &Config) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    #[cfg(target_os = "linux")]
    if let Some(limit) = config.get_tcp_user_timeout() {
        socket.set_tcp_user_timeout(Some(*limit))?;
    }
    if config.get_keepalives() {
        let mut keepalive = TcpKeepalive::new().with_time(config.get_keepalives_idle());
        if let Some(interval) = config.get_keepalives_interval() {
            keepalive = keepalive.with_interval(interval);
        }
        if let Some(retries) = config.get_keepalives_retries() {
            keepalive = keepalive.with_retries(retries);
        }
        socket.set_tcp_keepalive(&keepalive)?;
    }
    Ok(())
}

/// The addresses of a database, in the order to try them.
///
/// # Errors
/// [`Error::Unreachable`] if no name can be resolved, or if the numbers of hosts, addresses and ports differ.
pub(crate) async fn addresses(config: &Config) -> Result<Vec<Address>, Error> {
    let hosts = config.get_hosts();
    let numbers = config.get_hostaddrs();
    let ports = config.get_ports();
    let count = hosts.len().max(numbers.len());
    let fit = |some: usize| some == 0 || some == count;
    if count == 0 {
        return Err(no_host());
    }
    if !fit(hosts.len()) || !fit(numbers.len()) {
        return Err(invalid("there are not as many hostaddr as host"));
    }
    if ports.len() > 1 && ports.len() != count {
        return Err(invalid("there are not as many port as host"));
    }

    let is_random = config.get_load_balance_hosts() == LoadBalanceHosts::Random;
    let mut order: Vec<usize> = (0..count).collect();
    if is_random {
        order.shuffle(&mut rand::rng());
    }
    let mut found = Vec::new();
    let mut unknown = None;
    for index in order {
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(PORT);
        match (hosts.get(index), numbers.get(index)) {
            (Some(Host::Unix(directory)), None) => {
                found.push(Address::Unix(directory.join(format!(".s.PGSQL.{port}"))));
            }
            (host, Some(number)) => found.push(Address::Tcp {
                name: match host {
                    Some(Host::Tcp(name)) => name.clone(),
                    _ => number.to_string(),
                },
                at: SocketAddr::new(*number, port),
            }),
            (Some(Host::Tcp(name)), None) => match lookup_host((name.as_str(), port)).await {
                Ok(known) => {
                    let mut known: Vec<_> = known.collect();
                    if is_random {
                        known.shuffle(&mut rand::rng());
                    }
                    found.extend(known.into_iter().map(|at| Address::Tcp {
                        name: name.clone(),
                        at,
                    }));
                }
                Err(error) => unknown = Some(error),
            },
            (None, None) => {}
        }
    }
    match unknown {
        Some(error) if found.is_empty() => Err(Error::Unreachable(error)),
        _ => Ok(found),
    }
}

pub(crate) fn no_host() -> Error {
    invalid("the address names no host")
}

fn invalid(what: &str) -> Error {
    Error::Unreachable(io::Error::new(io::ErrorKind::InvalidInput, what))
}
