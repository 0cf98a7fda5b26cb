//! The version of the database's schema, and whether this program can use it.

use tokio_postgres::{Client, Error};

/// The version of a schema: the number of its last migration.
pub type SchemaVersion = i32;

/// The last version before the migrations were numbered from 1 again. Its schema is that of the [`BASELINE`].
pub(crate) const BEFORE_BASELINE: SchemaVersion = 90;
/// The last of the migrations that create the schema. The earlier numbering did not use this number.
pub(crate) const BASELINE: SchemaVersion = 41;

/// The schema is not the one that this program needs.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// It was never prepared.
    #[error(
        "there is no Frontdesk in the database: check --database; `frontdesk-server migrate --database …`, as the \
         database's owner, creates it"
    )]
    Missing,
    /// It lacks migrations of this program.
    #[error(
        "the database has schema {found}, and this program needs {needed}: migrate it with this program, as the \
         database's owner (`frontdesk-server migrate --database …`)"
    )]
    Older {
        /// The version of the database.
        found: SchemaVersion,
        /// The version of this program.
        needed: SchemaVersion,
    },
    /// It has migrations that this program does not know.
    #[error(
        "the database has schema {found}, and this program only knows {needed}: use the newer frontdesk-server that \
         migrated it"
    )]
    Newer {
        /// The version of the database.
        found: SchemaVersion,
        /// The version of this program.
        needed: SchemaVersion,
    },
    /// It cannot hold every text.
    #[error(
        "the database has the encoding {0}, and Frontdesk needs UTF8: create another one \
         (`create database … encoding 'UTF8' template template0`)"
    )]
    Encoding(String),
    /// Its migrations have the numbers that were used before the baseline.
    #[error(
        "the database has schema {0} of the earlier numbering, which this program cannot migrate: with the \
         frontdesk-server that last used it, bring it to schema {BEFORE_BASELINE} (`migrate`) and back it up \
         (`backup`); then restore the backup into a new database with this program (`restore`)"
    )]
    Earlier(SchemaVersion),
    /// Another program has created schemas with the names of ours.
    #[error(
        "the database has schemas of another program ({0}): choose an empty database, or rename them"
    )]
    Foreign(String),
}

impl SchemaError {
    /// Fails unless a schema has the version that this program needs.
    pub(super) fn unless_current(
        found: Option<SchemaVersion>,
        needed: SchemaVersion,
    ) -> Result<(), SchemaError> {
        match found {
            Some(found) if is_earlier(found) => Err(SchemaError::Earlier(found)),
            Some(found) if found > needed => Err(SchemaError::Newer { found, needed }),
            Some(found) if found < needed => Err(SchemaError::Older { found, needed }),
            Some(_) => Ok(()),
            None => Err(SchemaError::Missing),
        }
    }
}

/// Whether the mark of a database is of the earlier numbering: it is set after the last migration.
pub(crate) fn is_earlier(marked: SchemaVersion) -> bool {
    marked <= BEFORE_BASELINE && marked != BASELINE
}

/// The version that the database is marked with; `None` if it is not. Everybody can read the mark, also a login without
/// rights in the schema.
///
/// # Errors
/// If the connection is lost.
pub(crate) async fn marked(client: &Client) -> Result<Option<SchemaVersion>, Error> {
    let row = client
        .query_opt(
            "select substring(obj_description(oid, 'pg_namespace') from '^schema (\\d+)$')::int
               from pg_namespace where nspname = 'app'",
            &[],
        )
        .await?;
    Ok(row.and_then(|row| row.get(0)))
}

/// Marks the database, as its owner.
pub(super) async fn mark(client: &Client, version: SchemaVersion) -> Result<(), Error> {
    match marked(client).await? == Some(version) {
        true => Ok(()),
        false => {
            let mark = format!("comment on schema app is 'schema {version}'");
            client.batch_execute(&mark).await
        }
    }
}

/// The migrations of the database with their names, in order, read as the owner.
pub(super) async fn applied(client: &Client) -> Result<Vec<(SchemaVersion, String)>, Error> {
    let exists = "select to_regclass('app.migrations') is not null";
    if !client.query_one(exists, &[]).await?.get::<_, bool>(0) {
        return Ok(Vec::new());
    }
    let migrations = "select version::int, name::text from app.migrations order by version";
    let rows = client.query(migrations, &[]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
