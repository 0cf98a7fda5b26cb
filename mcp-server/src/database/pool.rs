//! The database and its pool of connections. Pooled sessions have no rights of their own.

use std::sync::Arc;
use std::time::Duration;

use deadpool::managed;
use tokio::sync::{Notify, Semaphore};
use tokio_postgres::Client;

use super::directory;
use super::gate::Gate;
use super::manager::{Manager, settings};
use super::migrate::{PLAIN, migrate};
use super::raw::Raw;
use super::replica::Replicas;
#[cfg(all(unix, feature = "embedded"))]
use super::source::Streams;
#[cfg(feature = "embedded")]
use super::source::embedded;
use super::source::{Condition, OpenError, Source, expect_current};
use super::{Access, Actor, Location, Transaction, TransactionError};
use crate::limits::Limits;

/// The database. Cheap to clone.
#[derive(Clone)]
pub struct Database {
    gate: Gate,
    source: Source,
    /// The standbys that answer reads.
    readers: Vec<Source>,
    replicas: Option<Arc<Replicas>>,
    limits: Limits,
    /// Notified when a call of this process may have added events to the outbox.
    outbox: Arc<Notify>,
    /// The directory of an embedded database.
    directory: Option<Arc<std::path::Path>>,
    /// Whether calls leave entries in the history of changes.
    records_changes: bool,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Database")
    }
}

/// The owner's connection; dropping this closes it.
pub struct Owner {
    client: Client,
    /// The only connection of the embedded database's pool, reserved meanwhile.
    _place: Option<managed::Object<Manager>>,
}

impl std::fmt::Debug for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Owner")
    }
}

impl std::ops::Deref for Owner {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl std::ops::DerefMut for Owner {
    fn deref_mut(&mut self) -> &mut Client {
        &mut self.client
    }
}

/// The pool of connections to this database.
fn gate(source: &Source, size: usize, limits: Limits) -> Result<Gate, OpenError> {
    let pool = managed::Pool::builder(Manager {
        source: source.clone(),
        limits,
    })
    .max_size(size)
    // Last in, first out: the session used last has the warmest caches.
    .queue_mode(managed::QueueMode::Lifo)
    .wait_timeout(Some(limits.connection))
    .create_timeout(Some(limits.connection * 2))
    .runtime(deadpool::Runtime::Tokio1)
    .build()
    .map_err(|_| OpenError::NoEmbedded)?;
    let settings = source.is_pooled().then(|| settings(&limits, true).into());
    Ok(Gate::new(
        pool,
        Semaphore::MAX_PERMITS,
        limits.connection,
        settings,
        source.is_cluster(),
    ))
}

impl Database {
    /// Opens the database and migrates it. `connections` is the size of the pool; the embedded database
    /// always has one connection.
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    pub async fn open(location: &Location, connections: usize) -> Result<Database, OpenError> {
        Database::open_after(location, connections, async |_: &Raw| Ok(())).await
    }

    /// The same, after `before` has had the connection of the migrations, unless the login cannot migrate.
    ///
    /// # Errors
    /// [`OpenError`], and the errors of `before`; nothing is migrated then.
    pub(crate) async fn open_after<E: From<OpenError>>(
        location: &Location,
        connections: usize,
        before: impl AsyncFnOnce(&Raw) -> Result<(), E>,
    ) -> Result<Database, E> {
        let source = Source::open(location).await?;
        let readers = match location {
            Location::Server { replicas, .. } => replicas
                .iter()
                .map(Source::replica)
                .collect::<Result<_, OpenError>>()?,
            Location::Memory | Location::Directory(_) => Vec::new(),
        };
        let database = Database::prepared(source, readers, connections, before).await?;
        let directory = match location {
            Location::Directory(path) => Some(path.as_path().into()),
            Location::Memory | Location::Server { .. } => None,
        };
        Ok(Database {
            directory,
            ..database
        })
    }

    /// Waits for a PostgreSQL server that is not up yet, at most this long.
    ///
    /// # Errors
    /// [`OpenError`] if the location cannot be used.
    pub async fn wait_for(location: &Location, limit: Duration) -> Result<(), OpenError> {
        if let Location::Server { .. } = location {
            Source::open(location).await?.wait(location, limit).await;
        }
        Ok(())
    }

    /// The files and functions that a database lacks, in order. Nothing is created or migrated.
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    pub async fn missing(location: &Location) -> Result<Vec<String>, OpenError> {
        let raw = Raw::open_existing(location).await?;
        let missing = async {
            if raw
                .is_prepared()
                .await
                .map_err(frontdesk_postgres::Error::from)?
            {
                let owner = raw.become_owner().await;
                owner.map_err(frontdesk_postgres::Error::from)?;
            }
            Ok::<_, OpenError>(raw.missing().await?.names)
        };
        let missing = missing.await;
        raw.close().await?;
        missing
    }

    /// Opens a database that exists and has this program's schema, with one connection. Nothing is created or migrated.
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    pub async fn open_existing(location: &Location) -> Result<Database, OpenError> {
        let source = Source::existing(location).await?;
        let current = async { expect_current(&source.client().await?).await }.await;
        match current {
            Ok(()) => Database::over(source, Vec::new(), 1, Limits::default()),
            Err(error) => {
                // The refusal is the more useful error.
                let _ = source.close().await;
                Err(error)
            }
        }
    }

    /// A temporary embedded database that starts as a copy of this directory, as [`Embedded::copy_to`] leaves it.
    ///
    /// [`Embedded::copy_to`]: frontdesk_embedded::Embedded::copy_to
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    #[cfg(feature = "embedded")]
    pub async fn open_copy(directory: &std::path::Path) -> Result<Database, OpenError> {
        let storage = frontdesk_embedded::Storage::CopyOf(directory.to_owned());
        let nothing = async |_: &Raw| Ok(());
        Database::prepared(embedded(storage).await?, Vec::new(), 1, nothing).await
    }

    /// Migrates the database.
    async fn prepared<E: From<OpenError>>(
        source: Source,
        readers: Vec<Source>,
        connections: usize,
        before: impl AsyncFnOnce(&Raw) -> Result<(), E>,
    ) -> Result<Database, E> {
        let size = match &source {
            Source::Server { .. } => connections,
            #[cfg(feature = "embedded")]
            _ => 1,
        };
        let raw = Raw::over(source.clone()).await?;
        if raw.is_authenticator().await? {
            expect_current(raw.client()).await?;
        } else {
            before(&raw).await?;
            let client = raw.into_client();
            migrate(&client).await.map_err(OpenError::from)?;
        }
        // The embedded database has one session, which is free now, so that the pool can connect.
        Ok(Database::over(source, readers, size, Limits::default())?)
    }

    /// The embedded database of another process, which has migrated it.
    ///
    /// # Errors
    /// [`OpenError`] if it does not answer, or has another version's schema.
    #[cfg(all(unix, feature = "embedded"))]
    pub(crate) async fn elsewhere(streams: Streams) -> Result<Database, OpenError> {
        let source = Source::Elsewhere(streams);
        expect_current(&source.client().await?).await?;
        Database::over(source, Vec::new(), 1, Limits::default())
    }

    /// The pools of these connections.
    fn over(
        source: Source,
        readers: Vec<Source>,
        size: usize,
        limits: Limits,
    ) -> Result<Database, OpenError> {
        let pools = readers.iter().map(|reader| {
            let gate = gate(reader, size, limits)?;
            Ok((reader.clone(), gate))
        });
        let pools = pools.collect::<Result<Vec<_>, OpenError>>()?;
        let replicas = (!pools.is_empty()).then(|| Arc::new(Replicas::of(source.clone(), pools)));
        Ok(Database {
            gate: gate(&source, size, limits)?,
            source,
            readers,
            replicas,
            limits,
            outbox: Arc::default(),
            directory: None,
            records_changes: true,
        })
    }

    /// The same database with other time limits, in new connections.
    ///
    /// # Errors
    /// [`OpenError`] outside a runtime.
    pub fn with_limits(self, limits: Limits) -> Result<Database, OpenError> {
        let (source, readers) = (self.source.clone(), self.readers.clone());
        let limited = Database::over(source, readers, self.gate.connections(), limits)?;
        Ok(Database {
            gate: limited.gate,
            replicas: limited.replicas,
            limits,
            ..self
        })
    }

    /// The same database with a different limit on waiting calls.
    #[must_use]
    pub fn with_queue(mut self, most: usize) -> Database {
        self.gate = self.gate.with_queue(most);
        self.replicas = (self.replicas).map(|replicas| Arc::new(replicas.with_queue(most)));
        self
    }

    /// The same database, with or without entries in the history of changes.
    #[must_use]
    pub fn recording_changes(mut self, records_changes: bool) -> Database {
        self.records_changes = records_changes;
        self
    }

    /// Whether calls leave entries in the history of changes.
    pub fn records_changes(&self) -> bool {
        self.records_changes
    }

    /// Prepares a transaction as this caller. Nothing is sent before its first statement.
    pub fn transaction(&self, actor: Actor, access: Access) -> Transaction {
        Transaction::new(self.gate.clone(), self.replicas.clone(), actor, access)
    }

    /// A connection as the owner, which policies do not restrict: for loading fixtures, never for a call.
    /// The embedded database has only one connection, so calls wait meanwhile.
    ///
    /// # Errors
    /// [`TransactionError::Busy`] if the embedded database's connection does not become free,
    /// [`TransactionError::Statement`] if the login user cannot become the owner.
    pub async fn owner(&self) -> Result<Owner, TransactionError> {
        let place = match &self.source {
            #[cfg(feature = "embedded")]
            Source::Embedded(_) => Some(self.place().await?),
            #[cfg(all(unix, feature = "embedded"))]
            Source::Elsewhere(_) => Some(self.place().await?),
            Source::Server { .. } => None,
        };
        let client = self.source.client().await?;
        let owner = format!("{PLAIN}; set role frontdesk_owner");
        let role = client.batch_execute(&owner).await;
        role.map_err(frontdesk_postgres::Error::from)?;
        Ok(Owner {
            client,
            _place: place,
        })
    }

    /// The embedded database's only connection, closed: another one can have its session until this is dropped.
    #[cfg(feature = "embedded")]
    async fn place(&self) -> Result<managed::Object<Manager>, TransactionError> {
        let mut place = self.gate.patiently().await?;
        place.close();
        Ok(place)
    }

    /// The embedded database, without a connection until the second value is dropped.
    #[cfg(all(unix, feature = "embedded"))]
    pub(crate) async fn borrow_embedded(
        &self,
    ) -> Result<(frontdesk_embedded::Embedded, impl Send + use<>), TransactionError> {
        match &self.source {
            Source::Embedded(embedded) => Ok((embedded.clone(), self.place().await?)),
            _ => Err(TransactionError::Busy),
        }
    }

    /// Reports that a transaction of this process has just committed and may have added events to the outbox.
    pub fn ring_outbox(&self) {
        self.outbox.notify_one();
    }

    /// Waits for [`Database::ring_outbox`]; returns at once if it was called since the last wait.
    pub async fn outbox_changed(&self) {
        self.outbox.notified().await;
    }

    /// Whether the disk of an embedded database is full. Its engine says so in many ways, or fails.
    pub(crate) fn is_full(&self) -> bool {
        let directory = self.directory.as_ref();
        directory.is_some_and(|path| !directory::has_room(path))
    }

    /// The condition of the database. The check bypasses the queue: a busy database is still up.
    pub async fn condition(&self) -> Condition {
        if self.is_full() {
            return Condition::Unwritable("its disk is full");
        }
        let asked = async {
            match self.gate.free().await {
                Ok(Some(mut session)) => self.source.condition_of(&mut session).await,
                Ok(None) => self.source.condition().await,
                Err(_) => None,
            }
        };
        let answer = tokio::time::timeout(self.limits.connection, asked).await;
        answer.ok().flatten().unwrap_or(Condition::Unreachable)
    }

    /// Waits for running transactions, then closes the connections and, if it is embedded, the database.
    ///
    /// # Errors
    /// [`OpenError::Embedded`] if the embedded database could not be closed; acknowledged commits are on
    /// disk nevertheless.
    pub async fn close(&self) -> Result<(), OpenError> {
        self.gate.close();
        if let Some(replicas) = &self.replicas {
            replicas.close();
        }
        self.source.close().await
    }
}

#[cfg(all(test, feature = "embedded"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_existing_database_is_opened_as_it_is() {
        let place = tempfile::tempdir().unwrap();
        let location = Location::Directory(place.path().join("postgres"));
        for (statement, says) in [
            ("select 1", "there is no Frontdesk in the database"),
            (
                "create schema app; comment on schema app is 'schema 125'",
                "has schema 125, and this program needs",
            ),
        ] {
            let raw = Raw::open(&location).await.unwrap();
            raw.client().batch_execute(statement).await.unwrap();
            raw.close().await.unwrap();
            let told = Database::open_existing(&location).await.unwrap_err();
            let missing = Database::missing(&location).await.unwrap();
            assert_eq!(
                missing.first().map(String::as_str),
                Some("schema/caller/tables")
            );
            assert!(told.to_string().contains(says), "{told}");
        }
        let raw = Raw::open_existing(&location).await.unwrap();
        let ours = "select from pg_class where relnamespace = 'app'::regnamespace";
        assert_eq!(raw.client().query(ours, &[]).await.unwrap().len(), 0);
    }
}
