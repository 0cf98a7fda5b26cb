//! The location of the database: `memory`, a directory or an address.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::config::{SslMode, TargetSessionAttrs};

use crate::tls::Verification;

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
        address: Box<ServerAddress>,
        /// A pooler in front of it with transaction pooling, through which calls go.
        pooler: Option<Box<ServerAddress>>,
        /// Standbys of it that answer reads.
        replicas: Vec<ServerAddress>,
    },
}

/// The address of a PostgreSQL server, with what its certificate is verified for.
#[derive(Clone, PartialEq)]
pub struct ServerAddress {
    config: tokio_postgres::Config,
    pub(crate) verification: Verification,
    /// A file of authorities, in place of the machine's.
    pub(crate) roots: Option<PathBuf>,
}

impl std::ops::Deref for ServerAddress {
    type Target = tokio_postgres::Config;

    fn deref(&self) -> &tokio_postgres::Config {
        &self.config
    }
}

impl From<tokio_postgres::Config> for ServerAddress {
    fn from(config: tokio_postgres::Config) -> Self {
        ServerAddress {
            config,
            verification: Verification::default(),
            roots: None,
        }
    }
}

impl ServerAddress {
    /// Parses an address. `sslmode` and `sslrootcert` mean what they mean to libpq.
    fn parse(text: &str) -> Result<ServerAddress, String> {
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        let (mut mode, mut roots, mut rest) = (None, None, Vec::new());
        for option in query.split('&').filter(|option| !option.is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            match name {
                "sslmode" => mode = Some(value),
                "sslrootcert" => {
                    let parsed = url::form_urlencoded::parse(option.as_bytes()).next();
                    roots = parsed.map(|(_, path)| path.into_owned());
                }
                _ => rest.push(option.to_owned()),
            }
        }
        let verification = match (mode, &roots) {
            (Some("verify-full"), _) => Verification::Name,
            (Some("verify-ca"), _) | (Some("require"), Some(_)) => Verification::Authority,
            (_, Some(_)) => {
                return Err("sslrootcert needs sslmode=verify-ca or verify-full".to_owned());
            }
            (Some("disable" | "allow" | "prefer" | "require") | None, None) => {
                Verification::Nothing
            }
            (Some(mode), None) => {
                return Err(format!(
                    "sslmode is disable, allow, prefer, require, verify-ca or verify-full, not {mode}"
                ));
            }
        };
        // Like `prefer`, `allow` is encrypted if the server can.
        let mode = match mode {
            Some("allow") => Some("prefer"),
            Some("verify-ca" | "verify-full") => Some("require"),
            mode => mode,
        };
        rest.extend(mode.map(|mode| format!("sslmode={mode}")));
        let text = match rest.is_empty() {
            true => base.to_owned(),
            false => format!("{base}?{}", rest.join("&")),
        };
        let config: Result<tokio_postgres::Config, _> = text.parse();
        Ok(ServerAddress {
            config: config.map_err(|error| tokio_postgres::Error::to_string(&error))?,
            verification,
            roots: roots.filter(|path| path != "system").map(PathBuf::from),
        })
    }

    /// The name of its `sslmode`.
    pub(crate) fn mode(&self) -> &'static str {
        match (self.verification, self.config.get_ssl_mode()) {
            (Verification::Name, _) => "verify-full",
            (Verification::Authority, _) => "verify-ca",
            (_, SslMode::Disable) => "disable",
            (_, SslMode::Require) => "require",
            _ => "prefer",
        }
    }
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
    pub fn through(mut self, pooler: &str) -> Result<Self, LocationError> {
        let Location::Server { pooler: at, .. } = &mut self else {
            return Err(self.refuse("a pooler needs a PostgreSQL server behind it"));
        };
        *at = Some(Box::new(address(pooler)?));
        Ok(self)
    }

    /// A server whose standby at this address answers reads.
    ///
    /// # Errors
    /// As [`Location::through`].
    pub fn read_by(mut self, replica: &str) -> Result<Self, LocationError> {
        let Location::Server { replicas, .. } = &mut self else {
            return Err(self.refuse("only a PostgreSQL server has replicas"));
        };
        replicas.push(address(replica)?);
        Ok(self)
    }

    /// The same database where it can be written: of several nodes, the primary.
    pub(crate) fn primary(&self) -> Location {
        let mut primary = self.clone();
        if let Location::Server { address, .. } = &mut primary {
            (address.config).target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        primary
    }

    fn refuse(&self, reason: &str) -> LocationError {
        LocationError(self.to_string(), reason.to_owned())
    }
}

/// The address of a server.
fn address(text: &str) -> Result<ServerAddress, LocationError> {
    match text.parse()? {
        Location::Server { address, .. } => Ok(*address),
        other => Err(other.refuse("no address of a server")),
    }
}

/// Each node of a cluster by itself, with its address; empty if there is only one.
pub(crate) fn nodes(cluster: &ServerAddress) -> Vec<(String, Location)> {
    let count = cluster.get_hosts().len().max(cluster.get_hostaddrs().len());
    match count {
        0 | 1 => Vec::new(),
        _ => (0..count).filter_map(|at| node(cluster, at)).collect(),
    }
}

/// One node of a cluster, counted from 0, with its address.
pub(crate) fn node(cluster: &ServerAddress, at: usize) -> Option<(String, Location)> {
    let (host, number) = (cluster.get_hosts().get(at), cluster.get_hostaddrs().get(at));
    let ports = cluster.get_ports();
    let mut one = tokio_postgres::Config::new();
    let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
    one.port(port);
    if let Some(number) = number {
        one.hostaddr(*number);
    }
    let name = match host {
        Some(tokio_postgres::config::Host::Tcp(host)) => {
            one.host(host);
            host.clone()
        }
        #[cfg(unix)]
        Some(tokio_postgres::config::Host::Unix(path)) => {
            one.host_path(path);
            path.display().to_string()
        }
        None => number?.to_string(),
    };
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
    let one = ServerAddress {
        config: one,
        ..cluster.clone()
    };
    Some((format!("{name}:{port}"), Location::from(one)))
}

impl From<ServerAddress> for Location {
    fn from(address: ServerAddress) -> Self {
        Location::Server {
            address: Box::new(address),
            pooler: None,
            replicas: Vec::new(),
        }
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
        match ServerAddress::parse(text) {
            _ if is_unescaped(rest) => refused(UNESCAPED.to_owned()),
            Ok(address) => Ok(Location::from(address)),
            Err(error) => refused(error),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Memory => f.write_str("memory"),
            Location::Directory(path) => path.display().fmt(f),
            Location::Server {
                address,
                pooler,
                replicas,
            } => {
                show(address, f)?;
                let pooler = pooler.iter().map(|pooler| ("through", &**pooler));
                let replicas = replicas.iter().map(|replica| ("read by", replica));
                pooler.chain(replicas).try_for_each(|(how, config)| {
                    write!(f, ", {how} ")?;
                    show(config, f)
                })
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
        let ports = config.get_ports();
        let port = ports.get(at).or(ports.first()).copied();
        write!(f, ":{}", port.unwrap_or(5432))?;
    }
    write!(f, "/{}", config.get_dbname().unwrap_or_default())
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn sslmode_means_what_it_means_to_libpq() {
        let of = |query: &str| {
            let address = ServerAddress::parse(&format!("postgres://a@h/d?{query}"));
            address.map(|address| (address.get_ssl_mode(), address.verification, address.roots))
        };
        let root = Some(PathBuf::from("/a b.pem"));
        for (query, mode, verification, roots) in [
            ("", SslMode::Prefer, Verification::Nothing, None),
            (
                "sslmode=disable",
                SslMode::Disable,
                Verification::Nothing,
                None,
            ),
            (
                "sslmode=allow",
                SslMode::Prefer,
                Verification::Nothing,
                None,
            ),
            (
                "connect_timeout=3&sslmode=require",
                SslMode::Require,
                Verification::Nothing,
                None,
            ),
            (
                "sslmode=require&sslrootcert=/a%20b.pem",
                SslMode::Require,
                Verification::Authority,
                root.clone(),
            ),
            (
                "sslmode=verify-ca",
                SslMode::Require,
                Verification::Authority,
                None,
            ),
            (
                "sslrootcert=/a%20b.pem&sslmode=verify-full",
                SslMode::Require,
                Verification::Name,
                root,
            ),
            (
                "sslrootcert=system&sslmode=verify-full",
                SslMode::Require,
                Verification::Name,
                None,
            ),
        ] {
            assert_eq!(of(query).unwrap(), (mode, verification, roots), "{query}");
        }
        assert!(of("sslmode=on").unwrap_err().contains("not on"));
        assert!(
            of("sslrootcert=/a.pem")
                .unwrap_err()
                .contains("verify-full")
        );
    }
}
