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
    Server(Box<tokio_postgres::Config>),
}

/// The location cannot be parsed.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is not a PostgreSQL address ({1}); it looks like postgres://user:password@host:5432/database"
)]
pub struct LocationError(String, tokio_postgres::Error);

impl FromStr for Location {
    type Err = LocationError;

    fn from_str(text: &str) -> Result<Self, LocationError> {
        if text == "memory" {
            return Ok(Location::Memory);
        }
        if !text.contains("://") {
            return Ok(Location::Directory(PathBuf::from(text)));
        }
        match text.parse() {
            Ok(config) => Ok(Location::Server(Box::new(config))),
            // The address can contain a password, so the error repeats only its scheme.
            Err(error) => {
                let scheme = text.split("://").next().unwrap_or_default();
                Err(LocationError(format!("{scheme}://…"), error))
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::Memory => f.write_str("memory"),
            Location::Directory(path) => path.display().fmt(f),
            Location::Server(config) => {
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
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
