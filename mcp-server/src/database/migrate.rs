//! Migrates the database as its owner: creates the roles, then runs the migrations.

use std::hash::{DefaultHasher, Hash, Hasher};

use refinery::Target;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::causes::causes;
use super::schema::{self, SchemaError, SchemaVersion};

/// Why the database could not be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The roles and the schema could not be created.
    #[error("the database could not be prepared: {}{}", causes(.0), remedy(.0))]
    Bootstrap(#[source] tokio_postgres::Error),
    /// A migration failed and was rolled back, with all others of the same start.
    #[error("the migration {name} failed, and nothing was changed: {}", causes(.error))]
    Migration {
        /// Its number and subject.
        name: String,
        /// The cause.
        #[source]
        error: Box<refinery::Error>,
    },
    /// The database belongs to another version of this program.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

/// Advice, if the cause is known.
fn remedy(error: &tokio_postgres::Error) -> &'static str {
    match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            "; connect as the owner of the database with the right to create roles (CREATEROLE), or once as a superuser"
        }
        _ => "",
    }
}

mod migrations {
    refinery::embed_migrations!("migrations");
}

const BOOTSTRAP: &str = include_str!("../../migrations/bootstrap.sql");
const OWNER: &str = include_str!("owner.sql");
const OWNER_POLICIES: &str = include_str!("owner_policies.sql");
/// Several processes can start on one database: one migrates, the others wait for it.
const LOCK: &str = "hashtext('frontdesk migrations')";
/// Takes the lock of migrations until the transaction ends.
pub(crate) const LOCK_MIGRATIONS: &str =
    "select pg_advisory_xact_lock(hashtext('frontdesk migrations'))";

fn runner() -> refinery::Runner {
    let mut runner = migrations::migrations::runner();
    runner.set_migration_table_name("app.migrations");
    runner
}

/// The settings of the owner's work: those that a role or a database can have been given, and that it does not work with.
pub(super) const PLAIN: &str = "set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; \
     set standard_conforming_strings = on; set row_security = on; \
     set default_transaction_isolation = 'read committed'; set idle_in_transaction_session_timeout = 0; \
     set statement_timeout = 0";

/// The versions of all migrations of this program, in order.
pub(crate) fn versions() -> Vec<SchemaVersion> {
    let runner = runner();
    let versions = runner.get_migrations().iter();
    let mut versions: Vec<_> = versions.map(|migration| migration.version()).collect();
    versions.sort_unstable();
    versions
}

/// The names of the schemas that migrations create.
fn created() -> Vec<String> {
    let runner = runner();
    let texts = runner.get_migrations().iter().filter_map(|one| one.sql());
    let lines = texts.flat_map(str::lines);
    let names = lines.filter_map(|line| line.strip_prefix("create schema ")?.split(' ').next());
    names.map(str::to_owned).collect()
}

/// Fails if the database cannot hold every text, or was never prepared and has schemas with the names of ours.
///
/// # Errors
/// [`SchemaError::Encoding`], [`SchemaError::Foreign`]; the outer error if the connection is lost.
pub(crate) async fn expect_room(
    client: &Client,
) -> Result<Result<(), SchemaError>, tokio_postgres::Error> {
    let encoding = "select current_setting('server_encoding')";
    let encoding: String = client.query_one(encoding, &[]).await?.get(0);
    if encoding != "UTF8" {
        return Ok(Err(SchemaError::Encoding(encoding)));
    }
    let found = "select string_agg(n.nspname, ', ' order by n.nspname) from pg_namespace n \
         where n.nspname = any ($1) and not exists ( \
           select from pg_class c join pg_namespace a on a.oid = c.relnamespace \
           where a.nspname = 'app' and c.relname = 'migrations')";
    let names = created();
    let names: Option<String> = client.query_one(found, &[&names]).await?.get(0);
    Ok(names.map_or(Ok(()), |names| Err(SchemaError::Foreign(names))))
}

/// The version of the schema that this program needs.
pub fn needed() -> SchemaVersion {
    versions().last().copied().unwrap_or_default()
}

/// A digest of everything that prepares a database: with the same one, two databases have the same schema.
pub fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
    [BOOTSTRAP, OWNER, OWNER_POLICIES].hash(&mut hasher);
    for migration in runner().get_migrations() {
        (migration.version(), migration.checksum()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Migrates the database. Afterwards the connection still runs as the owner.
///
/// # Errors
/// [`MigrateError`]; each step is all or nothing.
pub(super) async fn migrate(client: &mut Client) -> Result<(), MigrateError> {
    migrate_to(client, needed()).await
}

/// Migrates the database, but only up to this version.
///
/// # Errors
/// [`MigrateError`]; each step is all or nothing.
pub(crate) async fn migrate_to(
    client: &mut Client,
    version: SchemaVersion,
) -> Result<(), MigrateError> {
    let room = expect_room(client).await;
    room.map_err(MigrateError::Bootstrap)??;
    become_owner(client)
        .await
        .map_err(MigrateError::Bootstrap)?;
    let lock = |function: &str| format!("select {function}({LOCK})");
    client
        .batch_execute(&lock("pg_advisory_lock"))
        .await
        .map_err(MigrateError::Bootstrap)?;
    let migrated = run(client, version).await;
    client
        .batch_execute(&lock("pg_advisory_unlock"))
        .await
        .map_err(MigrateError::Bootstrap)?;
    migrated
}

/// Creates the roles if they do not exist, and takes on the owner's.
async fn become_owner(client: &Client) -> Result<(), tokio_postgres::Error> {
    let prepare = match is_prepared(client).await? {
        true => String::new(),
        false => format!("begin; {OWNER} {BOOTSTRAP} commit;"),
    };
    let owner = format!("{PLAIN}; {prepare} set role frontdesk_owner");
    client.batch_execute(&owner).await
}

async fn run(client: &mut Client, version: SchemaVersion) -> Result<(), MigrateError> {
    let found = schema::applied(client)
        .await
        .map_err(MigrateError::Bootstrap)?;
    expect_known(&found, version)?;
    client
        .batch_execute(OWNER_POLICIES)
        .await
        .map_err(MigrateError::Bootstrap)?;
    let migrated = runner()
        .set_target(Target::Version(version))
        .set_grouped(true)
        .run_async(client)
        .await;
    let report = match migrated {
        Ok(report) => report,
        Err(error) => {
            let name = failing(client, &found, version).await;
            let error = Box::new(error);
            return Err(MigrateError::Migration { name, error });
        }
    };
    for migration in report.applied_migrations() {
        tracing::info!(%migration, "migrated");
    }
    let owner = async {
        client.batch_execute(OWNER_POLICIES).await?;
        schema::mark(client, version).await
    };
    owner.await.map_err(MigrateError::Bootstrap)
}

/// The names of the migrations that a database lacks, in order.
pub(super) async fn missing(client: &Client) -> Result<Vec<String>, MigrateError> {
    let found = schema::applied(client).await;
    let found = found.map_err(MigrateError::Bootstrap)?;
    expect_known(&found, needed())?;
    let runner = runner();
    let is_missing =
        |one: &&refinery::Migration| found.iter().all(|(known, _)| *known != one.version());
    let mut missing: Vec<_> = runner.get_migrations().iter().filter(is_missing).collect();
    missing.sort_unstable_by_key(|one| one.version());
    Ok(missing.iter().map(ToString::to_string).collect())
}

/// The migration that fails: they run in one transaction, whose error names none. They run once more, to be rolled back.
async fn failing(
    client: &mut Client,
    found: &[(SchemaVersion, String)],
    version: SchemaVersion,
) -> String {
    let runner = runner();
    let is_missing = |one: &&refinery::Migration| {
        one.version() <= version && found.iter().all(|(known, _)| *known != one.version())
    };
    let mut missing: Vec<_> = runner.get_migrations().iter().filter(is_missing).collect();
    missing.sort_unstable_by_key(|one| one.version());
    // Dropped, it is rolled back.
    if let Ok(trial) = client.transaction().await {
        for migration in &missing {
            let text = migration.sql().unwrap_or_default();
            if trial.batch_execute(text).await.is_err() {
                return migration.to_string();
            }
        }
    }
    "of the schema".to_owned()
}

/// Fails if the database has migrations of the earlier numbering, or later ones than this version.
fn expect_known(
    found: &[(SchemaVersion, String)],
    needed: SchemaVersion,
) -> Result<(), SchemaError> {
    let Some(&(last, _)) = found.last() else {
        return Ok(());
    };
    let runner = runner();
    let is_known = |(version, name): &(SchemaVersion, String)| {
        let mut known = runner.get_migrations().iter();
        *version > schema::BEFORE_BASELINE
            || known.any(|one| one.version() == *version && one.name() == name)
    };
    match found.iter().all(is_known) {
        false => Err(SchemaError::Earlier(last)),
        true if last > needed => Err(SchemaError::Newer {
            found: last,
            needed,
        }),
        true => Ok(()),
    }
}

/// Whether the roles exist, so that an ordinary owner can run the migrations.
async fn is_prepared(client: &Client) -> Result<bool, tokio_postgres::Error> {
    let row = client
        .query_one(
            "select exists (select from pg_namespace where nspname = 'app')
                and exists (select from pg_extension where extname = 'pg_trgm')
                and (select count(*) = 6 from pg_roles where rolname in
                  ('frontdesk_owner', 'authenticated', 'frontdesk_identity', 'frontdesk_webhooks',
                   'anonymous', 'authenticator'))",
            &[],
        )
        .await?;
    Ok(row.get(0))
}

#[cfg(all(test, feature = "embedded"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use frontdesk_embedded::{Embedded, Storage};

    use super::*;

    /// Since PostgreSQL 16, CREATEROLE grants less: the embedded one is newer, and tests/server has an older one.
    #[tokio::test]
    async fn an_owner_who_can_create_roles_prepares_a_new_postgresql() {
        let database = Embedded::open(Storage::Memory).await.unwrap();
        let mut config = tokio_postgres::Config::new();
        config.user("postgres");
        let stream = database.connect();
        let connected = config.connect_raw(stream, tokio_postgres::NoTls).await;
        let (mut client, connection) = connected.unwrap();
        tokio::spawn(connection);
        client
            .batch_execute(
                "create role modest login createrole; alter database postgres owner to modest; \
                 set session authorization modest",
            )
            .await
            .unwrap();
        migrate(&mut client).await.unwrap();
        assert_eq!(schema::marked(&client).await.unwrap(), Some(needed()));
        client
            .batch_execute("reset role; set role authenticator")
            .await
            .unwrap();
    }

    /// Processes of the version before go on while a cluster is upgraded.
    #[test]
    fn later_migrations_only_add() {
        let removes = [
            "drop table",
            "drop column",
            "drop function",
            "drop schema",
            "rename ",
            "alter column",
        ];
        for migration in runner().get_migrations() {
            // A function's body does nothing yet.
            let text = migration
                .sql()
                .unwrap_or_default()
                .split("$$")
                .step_by(2)
                .collect::<String>()
                .to_lowercase();
            let removes = removes.iter().find(|words| text.contains(**words));
            if migration.version() > schema::BEFORE_BASELINE {
                assert_eq!(removes, None, "{migration}");
            }
        }
    }

    #[test]
    fn each_migration_has_its_own_number() {
        let versions = versions();
        assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
        let is_later = |version: &SchemaVersion| *version > schema::BASELINE;
        let (later, baseline): (Vec<_>, Vec<_>) = versions.into_iter().partition(is_later);
        assert_eq!(baseline, (1..=schema::BASELINE).collect::<Vec<_>>());
        assert!(
            later
                .iter()
                .all(|version| *version > schema::BEFORE_BASELINE)
        );
    }
}
