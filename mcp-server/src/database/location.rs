//! The location of the database: `memory`, a directory or an address.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The location of the database.
#[derive(Clone, PartialEq)]
pub enum Location {
    /// Embedded, deleted when the process ends.
    Memory,
    /// Embedded, in this directory.
    Directory(PathBuf),
    /// A PostgreSQL server, version 15 or newer.
    Server {
        /// PostgreSQL itself.
        address: Box<tokio_postgres::Config>,
        /// A pooler in front of it with transaction pooling, through which calls go.
        pooler: Option<Box<tokio_postgres::Config>>,
    },
}

/// The location cannot be parsed.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is not a PostgreSQL address ({1}); it looks like postgres://user:password@host:5432/database"
)]
pub struct LocationError(String, String);

/// What is wrong with an address whose user or password has characters with a meaning in addresses.
const UNESCAPED: &str = "in the user and the password, write %40 for @, %2F for /, %3A for :, %3F for ?, %23 for # and %25 for %";

/// Whether the user or the password in an address, without its scheme, has characters that must be escaped.
fn is_unescaped(rest: &str) -> bool {
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at(end);
    let (user, _) = authority.rsplit_once('@').unwrap_or_default();
    let path = tail.split('=').next().unwrap_or_default();
    let is_escape = |after: &str| {
        let digits = after.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    path.contains('@') || user.contains('@') || !user.split('%').skip(1).all(is_escape)
}

impl Location {
    /// A server with calls through the pooler at this address.
    ///
    /// # Errors
    /// [`LocationError`] if this or the pooler's is no address of a server.
    pub fn through(self, pooler: &str) -> Result<Self, LocationError> {
        match (self, pooler.parse()?) {
            (
                Location::Server { address, .. },
                Location::Server {
                    address: pooler, ..
                },
            ) => Ok(Location::Server {
                address,
                pooler: Some(pooler),
            }),
            (other, _) => {
                let reason = "a pooler needs a PostgreSQL server behind it";
                Err(LocationError(other.to_string(), reason.to_owned()))
            }
        }
    }
}

/// Each node of a cluster by itself, with its address; empty if there is only one.
pub(crate) fn nodes(cluster: &tokio_postgres::Config) -> Vec<(String, Location)> {
    let (hosts, numbers) = (cluster.get_hosts(), cluster.get_hostaddrs());
    let count = hosts.len().max(numbers.len());
    let ports = cluster.get_ports();
    let node = |at: usize| {
        let mut one = tokio_postgres::Config::new();
        let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        one.port(port);
        let mut name = String::new();
        if let Some(number) = numbers.get(at) {
            one.hostaddr(*number);
            name = number.to_string();
        }
        match hosts.get(at) {
            Some(tokio_postgres::config::Host::Tcp(host)) => {
                one.host(host);
                name.clone_from(host);
            }
            #[cfg(unix)]
            Some(tokio_postgres::config::Host::Unix(path)) => {
                one.host_path(path);
                name = path.display().to_string();
            }
            None => {}
        }
        one.ssl_mode(cluster.get_ssl_mode())
            .ssl_negotiation(cluster.get_ssl_negotiation())
            .channel_binding(cluster.get_channel_binding());
        cluster.get_user().map(|user| one.user(user));
        cluster
            .get_password()
            .map(|password| one.password(password));
        cluster.get_dbname().map(|name| one.dbname(name));
        cluster.get_options().map(|options| one.options(options));
        cluster
            .get_connect_timeout()
            .map(|limit| one.connect_timeout(*limit));
        let address = Box::new(one);
        let pooler = None;
        (
            format!("{name}:{port}"),
            Location::Server { address, pooler },
        )
    };
    match count {
        0 | 1 => Vec::new(),
        _ => (0..count).map(node).collect(),
    }
}

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        if text == "memory" {
            return Ok(Location::Memory);
        }
        if !text.contains("://") {
            return Ok(Location::Directory(PathBuf::from(text)));
        }
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        // The address can contain a password, so the error repeats only its scheme.
        let refused = |reason| Err(LocationError(format!("{scheme}://…"), reason));
        match text.parse() {
            _ if is_unescaped(rest) => refused(UNESCAPED.to_owned()),
            Ok(config) => Ok(Location::Server {
                address: Box::new(config),
                pooler: None,
            }),
            Err(error) => refused(tokio_postgres::Error::to_string(&error)),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Memory => f.write_str("memory"),
            Location::Directory(path) => path.display().fmt(f),
            Location::Server { address, pooler } => {
                show(address, f)?;
                match pooler {
                    Some(pooler) => {
                        f.write_str(", through ")?;
                        show(pooler, f)
                    }
                    None => Ok(()),
                }
            }
        }
    }
}

/// An address without its user and password.
fn show(config: &tokio_postgres::Config, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("postgres://")?;
    for (at, host) in config.get_hosts().iter().enumerate() {
        let separator = if at == 0 { "" } else { "," };
        match host {
            tokio_postgres::config::Host::Tcp(name) => write!(f, "{separator}{name}")?,
            #[cfg(unix)]
            tokio_postgres::config::Host::Unix(path) => {
                write!(f, "{separator}{}", path.display())?;
            }
        }
    }
    write!(f, "/{}", config.get_dbname().unwrap_or_default())
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
