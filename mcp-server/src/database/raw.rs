//! One connection to a database as it is: nothing is migrated unless asked for.

use jiff::Timestamp;
use tokio_postgres::Client;

use super::migrate::{MigrateError, Missing, migrate, missing};
use super::schema::SchemaVersion;
use super::source::{Source, is_authenticator};
use super::{Location, OpenError};

/// One connection to a database, and the embedded database itself. For backups and checks.
pub(crate) struct Raw {
    client: Client,
    source: Source,
}

impl Raw {
    /// Opens the database with its login's rights. An embedded one is created if it does not exist.
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    pub(crate) async fn open(location: &Location) -> Result<Raw, OpenError> {
        Raw::over(Source::open(location).await?).await
    }

    /// The same, of a database that exists. Nothing is created.
    ///
    /// # Errors
    /// [`OpenError`], with advice.
    pub(crate) async fn open_existing(location: &Location) -> Result<Raw, OpenError> {
        Raw::over(Source::existing(location).await?).await
    }

    pub(super) async fn over(source: Source) -> Result<Raw, OpenError> {
        let client = source.client().await?;
        Ok(Raw { client, source })
    }

    /// When the certificate of the server ends; `None` without TLS.
    pub(crate) fn certificate_end(&self) -> Option<Timestamp> {
        self.source.certificate_end()
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Whether the login is `authenticator`, which has no rights of its own.
    pub(crate) async fn is_authenticator(&self) -> Result<bool, OpenError> {
        Ok(is_authenticator(&self.client).await?)
    }

    /// Whether the database has a schema. Needs no rights in it.
    pub(crate) async fn is_prepared(&self) -> Result<bool, tokio_postgres::Error> {
        let row = self
            .client
            .query_one(
                "select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'app' and c.relname = 'migrations')",
                &[],
            )
            .await?;
        Ok(row.get(0))
    }

    /// Takes on the owner's role.
    pub(crate) async fn become_owner(&self) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute("set role frontdesk_owner").await
    }

    /// The numbers of the upgrades that the database has had, in order, as its owner.
    pub(crate) async fn migrations(&self) -> Result<Vec<SchemaVersion>, tokio_postgres::Error> {
        let versions = "select version::int from app.migrations order by version";
        let rows = self.client.query(versions, &[]).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Whether other processes of this program are connected to the database.
    pub(crate) async fn has_others(&self) -> Result<bool, tokio_postgres::Error> {
        let row = self
            .client
            .query_one(
                "select exists (select from pg_stat_activity where application_name = 'frontdesk'
                  and datname = current_database() and pid <> pg_backend_pid())",
                &[],
            )
            .await?;
        Ok(row.get(0))
    }

    /// What the database lacks, as its owner.
    ///
    /// # Errors
    /// [`MigrateError`]
    pub(crate) async fn missing(&self) -> Result<Missing, MigrateError> {
        missing(&self.client).await
    }

    /// Its connection.
    pub(super) fn into_client(self) -> Client {
        self.client
    }

    /// Migrates the database to this program's schema.
    ///
    /// # Errors
    /// [`MigrateError`]
    pub(crate) async fn migrate(&self) -> Result<(), MigrateError> {
        migrate(&self.client).await
    }

    /// Closes the connection and, if it is embedded, the database.
    ///
    /// # Errors
    /// [`OpenError`] if the embedded database could not be closed cleanly.
    pub(crate) async fn close(self) -> Result<(), OpenError> {
        drop(self.client);
        self.source.close().await
    }
}
