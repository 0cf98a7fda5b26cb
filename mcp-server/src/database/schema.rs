//! The version of the database's schema, and whether this program can use it.

use std::collections::BTreeMap;

use tokio_postgres::{Client, Error};

/// The version of a schema: the number of its last upgrade.
pub type SchemaVersion = i32;

/// The oldest schema that is upgraded: that of 0.2.0.
pub(crate) const OLDEST: SchemaVersion = 124;

/// The schema is not the one that this program needs.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// It was never prepared.
    #[error(
        "there is no Frontdesk in the database: check --database; `frontdesk-server migrate --database …`, as the \
         database's owner, creates it"
    )]
    Missing,
    /// It lacks upgrades of this program.
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
    /// It has upgrades that this program does not know.
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
    /// No upgrade begins with it.
    #[error(
        "the database has schema {0}, and this program upgrades {OLDEST} and newer ones: migrate it with \
         frontdesk-server 0.2.0 first (`migrate`); docs/upgrades.md has the steps"
    )]
    TooOld(SchemaVersion),
    /// A newer program has replaced its functions.
    #[error(
        "the database has functions of frontdesk-server {0} that are newer than those of this program: use the \
         frontdesk-server that migrated it"
    )]
    NewerFunctions(String),
    /// Another program has replaced its functions, and this login cannot see whether that is newer.
    #[error(
        "the database has functions of another frontdesk-server: migrate it with this program, as the database's owner \
         (`frontdesk-server migrate --database …`), or use the program that migrated it"
    )]
    OtherFunctions,
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
            Some(found) if found < OLDEST => Err(SchemaError::TooOld(found)),
            Some(found) if found > needed => Err(SchemaError::Newer { found, needed }),
            Some(found) if found < needed => Err(SchemaError::Older { found, needed }),
            Some(_) => Ok(()),
            None => Err(SchemaError::Missing),
        }
    }
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

/// The digest of the functions that the database is marked with. Everybody can read this mark, too.
///
/// # Errors
/// If the connection is lost.
pub(crate) async fn marked_functions(client: &Client) -> Result<Option<String>, Error> {
    let row = client
        .query_opt(
            "select obj_description(c.oid, 'pg_class') from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'app' and c.relname = 'functions'",
            &[],
        )
        .await?;
    Ok(row.and_then(|row| row.get(0)))
}

/// Marks the database, as its owner, with its version and the digest of its functions.
pub(super) async fn mark(
    client: &Client,
    version: SchemaVersion,
    functions: &str,
) -> Result<(), Error> {
    if marked(client).await? != Some(version) {
        let mark = format!("comment on schema app is 'schema {version}'");
        client.batch_execute(&mark).await?;
    }
    if marked_functions(client).await?.as_deref() != Some(functions) {
        let mark = format!("comment on table app.functions is '{functions}'");
        client.batch_execute(&mark).await?;
    }
    Ok(())
}

/// What a database has had, read as the owner.
#[derive(Debug, Default)]
pub(super) struct Applied {
    /// The numbers of its upgrades, in order. None: it is new.
    pub(super) versions: Vec<SchemaVersion>,
    /// The digest of each function by its declaration; `None` before they were kept.
    pub(super) functions: Option<BTreeMap<String, String>>,
    /// The digests of all functions that programs have written, and the versions of these, latest first.
    pub(super) sets: Vec<(String, Vec<i32>)>,
}

impl Applied {
    /// Reads it.
    pub(super) async fn read(client: &Client) -> Result<Applied, Error> {
        let exist = "select to_regclass('app.migrations') is not null, to_regclass('app.functions') is not null";
        let exist = client.query_one(exist, &[]).await?;
        let mut applied = Applied::default();
        if exist.get(0) {
            let versions = "select version::int from app.migrations order by version";
            let rows = client.query(versions, &[]).await?;
            applied.versions = rows.iter().map(|row| row.get(0)).collect();
        }
        if exist.get(1) {
            applied.functions = Some(functions(client).await?);
            let sets = "select digest, program from app.function_sets order by number desc";
            let rows = client.query(sets, &[]).await?;
            applied.sets = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        }
        Ok(applied)
    }
}

/// The digest of each function that the database has, by its declaration.
pub(super) async fn functions(client: &Client) -> Result<BTreeMap<String, String>, Error> {
    let functions = "select declaration, digest from app.functions";
    let rows = client.query(functions, &[]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
