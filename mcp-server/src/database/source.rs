//! Where connections to the database come from.

use std::io;
#[cfg(all(unix, feature = "embedded"))]
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use frontdesk_postgres::Session;
use jiff::Timestamp;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres_rustls::MakeRustlsConnect;

use super::causes::causes;
use super::directory::DirectoryError;
use super::migrate::{MigrateError, needed, needed_functions};
use super::schema::{self, SchemaError};
use super::{Location, ServerAddress};
use crate::limits::Limits;
use crate::tls::{self, RootsError, Seen};

/// Why the database cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The server cannot be reached or refuses the connection.
    #[error("the database cannot be reached: {}", causes(.0))]
    Connect(#[from] frontdesk_postgres::Error),
    /// The embedded database cannot be opened.
    #[cfg(feature = "embedded")]
    #[error(transparent)]
    Embedded(#[from] frontdesk_embedded::Error),
    /// The embedded database's directory cannot be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// This build has no embedded database.
    #[error("this build has no embedded database; give a postgres:// address")]
    NoEmbedded,
    /// The authorities of the address cannot be read.
    #[error(transparent)]
    Roots(#[from] RootsError),
    /// The schema could not be migrated.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// The schema is another version's, and this login cannot migrate it.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

impl OpenError {
    /// Whether another process has the embedded database open.
    pub(crate) fn is_in_use(&self) -> bool {
        match self {
            #[cfg(feature = "embedded")]
            OpenError::Embedded(frontdesk_embedded::Error::InUse { .. }) => true,
            _ => false,
        }
    }
}

/// Whether a server can be up in a moment: it is starting, or nothing listens yet.
fn is_not_up(error: &frontdesk_postgres::Error) -> bool {
    if error.code() == Some(&SqlState::CANNOT_CONNECT_NOW) {
        return true;
    }
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    let mut kind = match error {
        frontdesk_postgres::Error::Unreachable(error) => Some(error.kind()),
        _ => None,
    };
    while let (None, Some(error)) = (kind, cause) {
        kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
        cause = error.source();
    }
    use io::ErrorKind::{
        ConnectionRefused, ConnectionReset, HostUnreachable, NetworkUnreachable, NotFound, TimedOut,
    };
    matches!(
        kind,
        Some(
            ConnectionRefused
                | ConnectionReset
                | HostUnreachable
                | NetworkUnreachable
                | NotFound
                | TimedOut
        )
    )
}

/// Whether the database can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// It can be read and written.
    Ready,
    /// It can be read and written, but a failover would lose changes, for this reason.
    Unprotected(&'static str),
    /// It can only be read, for this reason.
    Unwritable(&'static str),
    /// It does not answer.
    Unreachable,
}

/// Opens streams to the embedded database of another process.
#[cfg(all(unix, feature = "embedded"))]
pub(crate) type Streams = Arc<
    dyn Fn() -> Pin<Box<dyn Future<Output = std::io::Result<tokio::net::UnixStream>> + Send>>
        + Send
        + Sync,
>;

/// The source of connections.
#[derive(Clone)]
pub(super) enum Source {
    #[cfg(feature = "embedded")]
    Embedded(frontdesk_embedded::Embedded),
    /// The embedded database of another process.
    #[cfg(all(unix, feature = "embedded"))]
    Elsewhere(Streams),
    Server {
        config: Arc<tokio_postgres::Config>,
        tls: MakeRustlsConnect,
        /// The certificate of the server.
        seen: Seen,
        /// The pooler in front of it, for the sessions of calls.
        pooler: Option<(Arc<tokio_postgres::Config>, MakeRustlsConnect)>,
    },
}

impl Source {
    /// Opens a database that exists; nothing is connected yet.
    pub(super) async fn existing(location: &Location) -> Result<Source, OpenError> {
        match location {
            Location::Memory => return Err(SchemaError::Missing.into()),
            Location::Directory(path) => super::directory::expect_database(path)?,
            Location::Server { .. } => {}
        }
        Source::open(location).await
    }

    /// Opens the database, and creates an embedded one that does not exist; nothing is connected yet.
    pub(super) async fn open(location: &Location) -> Result<Source, OpenError> {
        match location {
            #[cfg(feature = "embedded")]
            Location::Memory => embedded(frontdesk_embedded::Storage::Memory).await,
            #[cfg(feature = "embedded")]
            Location::Directory(path) => {
                super::directory::prepare(path)?;
                embedded(frontdesk_embedded::Storage::Directory(path.clone())).await
            }
            #[cfg(not(feature = "embedded"))]
            Location::Memory | Location::Directory(_) => Err(OpenError::NoEmbedded),
            Location::Server {
                address, pooler, ..
            } => {
                let pooler = pooler.as_deref().map(|pooler| {
                    let (tls, _) = encryption(pooler)?;
                    Ok::<_, RootsError>((Arc::new(ours(pooler)), tls))
                });
                let pooler = pooler.transpose()?;
                Source::server(address, pooler)
            }
        }
    }

    fn server(
        address: &ServerAddress,
        pooler: Option<(Arc<tokio_postgres::Config>, MakeRustlsConnect)>,
    ) -> Result<Source, OpenError> {
        let (tls, seen) = encryption(address)?;
        Ok(Source::Server {
            config: Arc::new(ours(address)),
            tls,
            seen,
            pooler,
        })
    }

    /// When the certificate of the server that was connected to ends; `None` without TLS.
    pub(super) fn certificate_end(&self) -> Option<Timestamp> {
        match self {
            Source::Server { seen, .. } => seen.end(),
            #[cfg(feature = "embedded")]
            _ => None,
        }
    }

    /// Waits for a PostgreSQL server that is not up yet, at most this long. Any other error is left to the next use.
    pub(super) async fn wait(&self, shown: &Location, limit: Duration) {
        let started = Instant::now();
        let mut is_told = false;
        while let Err(error) = self.client().await {
            if !is_not_up(&error) || started.elapsed() >= limit {
                return;
            }
            if !std::mem::replace(&mut is_told, true) {
                tracing::warn!(
                    %error, database = %shown,
                    "the database is not up yet; waiting up to {} s", limit.as_secs()
                );
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// A standby that answers reads.
    ///
    /// # Errors
    /// [`OpenError::Roots`]
    pub(super) fn replica(address: &ServerAddress) -> Result<Source, OpenError> {
        Source::server(address, None)
    }

    /// Closes the database if it is embedded in this process.
    pub(super) async fn close(&self) -> Result<(), OpenError> {
        match self {
            #[cfg(feature = "embedded")]
            Source::Embedded(embedded) => Ok(embedded.close().await?),
            #[cfg(all(unix, feature = "embedded"))]
            Source::Elsewhere(_) => Ok(()),
            Source::Server { .. } => Ok(()),
        }
    }

    /// A new session for the pool.
    pub(super) async fn session(&self) -> Result<Session, frontdesk_postgres::Error> {
        match self {
            #[cfg(feature = "embedded")]
            Source::Embedded(embedded) => Session::over(embedded.connect(), &superuser()).await,
            #[cfg(all(unix, feature = "embedded"))]
            Source::Elsewhere(streams) => {
                Session::over(elsewhere(streams).await?, &superuser()).await
            }
            Source::Server {
                pooler: Some((pooler, tls)),
                ..
            } => Session::pooled(pooler, tls).await,
            Source::Server { config, tls, .. } => Session::connect(config, tls).await,
        }
    }

    /// Whether a session of the pool is another one of PostgreSQL in each transaction.
    pub(super) fn is_pooled(&self) -> bool {
        matches!(
            self,
            Source::Server {
                pooler: Some(_),
                ..
            }
        )
    }

    /// Whether it is a server with several nodes.
    pub(super) fn is_cluster(&self) -> bool {
        match self {
            Source::Server { config, .. } => {
                config.get_hosts().len().max(config.get_hostaddrs().len()) > 1
            }
            #[cfg(feature = "embedded")]
            _ => false,
        }
    }

    /// A separate connection for rare work with many statements.
    pub(super) async fn client(&self) -> Result<Client, frontdesk_postgres::Error> {
        match self {
            #[cfg(feature = "embedded")]
            Source::Embedded(embedded) => {
                let (client, connection) = superuser()
                    .connect_raw(embedded.connect(), tokio_postgres::NoTls)
                    .await?;
                tokio::spawn(connection);
                Ok(client)
            }
            #[cfg(all(unix, feature = "embedded"))]
            Source::Elsewhere(streams) => {
                let (client, connection) = superuser()
                    .connect_raw(elsewhere(streams).await?, tokio_postgres::NoTls)
                    .await?;
                tokio::spawn(connection);
                Ok(client)
            }
            Source::Server { config, tls, .. } => {
                let (client, connection) = config.connect(tls.clone()).await?;
                tokio::spawn(connection);
                Ok(client)
            }
        }
    }

    /// As [`condition`], on a connection outside the pool.
    pub(super) async fn condition(&self) -> Option<Condition> {
        match self {
            // If the one session is taken, a call is running: the database is up.
            #[cfg(feature = "embedded")]
            Source::Embedded(_) => Some(Condition::Ready),
            #[cfg(all(unix, feature = "embedded"))]
            Source::Elsewhere(_) => Some(Condition::Ready),
            Source::Server { .. } => self.condition_of(&mut self.session().await.ok()?).await,
        }
    }

    /// Whether the database can be written to: it can be a standby, wait for one, or have a full disk. `None` if it does
    /// not answer.
    pub(super) async fn condition_of(&self, session: &mut Session) -> Option<Condition> {
        let asked = "select current_setting('transaction_read_only')::bool";
        let rows = session.query(&[], asked, &[], &[]).await.ok()?;
        if rows.first()?.get(0) {
            return Some(Condition::Unwritable("it is read-only"));
        }
        if !matches!(self, Source::Server { .. }) {
            return Some(Condition::Ready);
        }
        // Whether a standby is synchronous is visible to monitoring roles only.
        let standbys = "select current_setting('synchronous_standby_names') <> '', \
             exists (select from pg_stat_replication)";
        let rows = session.query(&[], standbys, &[], &[]).await.ok()?;
        let row = rows.first()?;
        let (is_synchronous, has_standby): (bool, bool) = (row.get(0), row.get(1));
        if is_synchronous && !has_standby {
            return Some(Condition::Unwritable("its synchronous standby is missing"));
        }
        match session.batch(SPILL).await {
            Err(error) if error.code() == Some(&SqlState::DISK_FULL) => {
                return Some(Condition::Unwritable("its disk is full"));
            }
            // Another refusal, such as a limit on temporary files, says nothing about the disk.
            Ok(()) | Err(frontdesk_postgres::Error::Refused(_)) => {}
            Err(_) => return None,
        }
        Some(match self.is_cluster() && !is_synchronous {
            true => Condition::Unprotected("it has no synchronous standby"),
            false => Condition::Ready,
        })
    }
}

/// The time after which a machine that confirms nothing that is sent to it is taken to be dead.
const SILENT: Duration = Duration::from_secs(10);

/// The pause between two attempts to reach a server that is not up yet.
const AGAIN: Duration = Duration::from_secs(1);

/// TLS as the address demands it.
fn encryption(address: &ServerAddress) -> Result<(MakeRustlsConnect, Seen), RootsError> {
    let (config, seen) = tls::of_database(address.verification, address.roots.as_deref())?;
    Ok((MakeRustlsConnect::new(config), seen))
}

/// An address with what all our connections have.
fn ours(address: &tokio_postgres::Config) -> tokio_postgres::Config {
    let mut config = address.clone();
    config.application_name("frontdesk");
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(Limits::default().connection);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENT);
    }
    config
}

/// A stream to the embedded database of another process.
#[cfg(all(unix, feature = "embedded"))]
async fn elsewhere(streams: &Streams) -> Result<tokio::net::UnixStream, frontdesk_postgres::Error> {
    streams()
        .await
        .map_err(frontdesk_postgres::Error::Unreachable)
}

/// The embedded database's user.
#[cfg(feature = "embedded")]
fn superuser() -> tokio_postgres::Config {
    let mut config = tokio_postgres::Config::new();
    config.user("postgres");
    config
}

/// Sorts more than fits into the memory of a sort, so that PostgreSQL writes a temporary file of about 1 MB. This needs
/// no rights and leaves nothing behind.
const SPILL: &str = "set local work_mem = '64kB'; \
     select count(*) from (select repeat(md5(n::text), 32) as text from generate_series(1, 1024) n order by text) spilled";

#[cfg(feature = "embedded")]
pub(super) async fn embedded(storage: frontdesk_embedded::Storage) -> Result<Source, OpenError> {
    Ok(Source::Embedded(
        frontdesk_embedded::Embedded::open(storage).await?,
    ))
}

/// Fails unless the database has the schema that this program needs.
pub(super) async fn expect_current(client: &Client) -> Result<(), OpenError> {
    let found = schema::marked(client).await;
    let functions = schema::marked_functions(client).await;
    let found = found.map_err(frontdesk_postgres::Error::from)?;
    let functions = functions.map_err(frontdesk_postgres::Error::from)?;
    SchemaError::unless_current(found, needed())?;
    match functions.as_deref() == Some(needed_functions()) {
        true => Ok(()),
        false => Err(SchemaError::OtherFunctions.into()),
    }
}

/// Whether the address logs in as `authenticator`. Then the database is migrated elsewhere.
pub(super) async fn is_authenticator(client: &Client) -> Result<bool, frontdesk_postgres::Error> {
    let row = client
        .query_one("select session_user = 'authenticator'", &[])
        .await?;
    Ok(row.get(0))
}
