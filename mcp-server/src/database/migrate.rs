//! Creates and upgrades the schema of a database, as its owner.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use tokio::time::sleep;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::causes::causes;
use super::files::{self, Part, Upgrade, files, upgrades};
use super::functions::{FUNCTIONS, Function};
use super::schema::{self, Applied, OLDEST, SchemaError, SchemaVersion};

/// Why the database could not be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The roles and the schema could not be created.
    #[error("the database could not be prepared: {}{}", causes(.0), remedy(.0))]
    Bootstrap(#[source] tokio_postgres::Error),
    /// A file failed and was rolled back, with all others of the same start.
    #[error("the migration {name} failed, and nothing was changed: {}", causes(.error))]
    Migration {
        /// The name of its file, or of its function.
        name: String,
        /// The cause.
        #[source]
        error: tokio_postgres::Error,
    },
    /// The database belongs to another version of this program.
    #[error(transparent)]
    Schema(#[from] SchemaError),
}

impl MigrateError {
    /// Whether somebody else held a table for too long.
    fn is_blocked(&self) -> bool {
        let error = match self {
            MigrateError::Bootstrap(error) | MigrateError::Migration { error, .. } => error,
            MigrateError::Schema(_) => return false,
        };
        error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
    }
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

const BOOTSTRAP: &str = include_str!("../../schema/bootstrap.sql");
const OWNER: &str = include_str!("owner.sql");
const OWNER_POLICIES: &str = include_str!("owner_policies.sql");
/// Several processes can start on one database: one migrates, the others wait for it.
const LOCK: &str = "hashtext('frontdesk migrations')";
/// How long an upgrade tries to get its tables, and the pause after an attempt.
const LONGEST_BLOCK: Duration = Duration::from_secs(10 * 60);
const BETWEEN_ATTEMPTS: Duration = Duration::from_secs(5);
/// Takes the lock of migrations until the transaction ends.
pub(crate) const LOCK_MIGRATIONS: &str =
    "select pg_advisory_xact_lock(hashtext('frontdesk migrations'))";

/// The settings of the owner's work: those that a role or a database can have been given, and that it does not work with.
pub(super) const PLAIN: &str = "set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; \
     set standard_conforming_strings = on; set row_security = on; \
     set default_transaction_isolation = 'read committed'; set idle_in_transaction_session_timeout = 0; \
     set statement_timeout = 0";

/// The names of the schemas that the files create.
fn created() -> Vec<String> {
    let lines = files().flat_map(|file| file.text.lines());
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
    upgrades().last().map_or(OLDEST, |last| last.version)
}

/// The digest of the functions that this program needs.
pub(crate) fn needed_functions() -> &'static str {
    &FUNCTIONS.digest
}

/// A digest of everything that prepares a database: with the same one, two databases have the same schema.
pub fn digest() -> u64 {
    let mut hasher = DefaultHasher::new();
    [OWNER, OWNER_POLICIES].hash(&mut hasher);
    for text in files::texts() {
        text.hash(&mut hasher);
    }
    hasher.finish()
}

/// Migrates the database. Afterwards the connection still runs as the owner.
///
/// # Errors
/// [`MigrateError`]; each step is all or nothing.
pub(super) async fn migrate(client: &Client) -> Result<(), MigrateError> {
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
    let migrated = run_in_turn(client).await;
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

/// As [`run`], again and again while somebody else holds a table: calls that need the table would queue behind an upgrade that
/// waits for it, so it does not wait long.
async fn run_in_turn(client: &Client) -> Result<(), MigrateError> {
    let begun = Instant::now();
    loop {
        let ended = run(client).await;
        match &ended {
            Err(error) if error.is_blocked() && begun.elapsed() < LONGEST_BLOCK => {
                let by = blockers(client).await.map_err(MigrateError::Bootstrap)?;
                tracing::warn!(by, "the upgrade waits for others to end their transactions");
                sleep(BETWEEN_ATTEMPTS).await;
            }
            _ => return ended,
        }
    }
}

/// The sessions with locks on tables of this database, as far as the owner sees them.
async fn blockers(client: &Client) -> Result<String, tokio_postgres::Error> {
    let find = "select coalesce(string_agg(format('process %s (%s, %s)', s.pid, s.usename, \
             coalesce(nullif(s.application_name, ''), 'without a name')), '; ' order by s.pid), '') \
         from (select distinct a.pid, a.usename, a.application_name \
           from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_class c on c.oid = l.relation \
           where l.granted and l.database = (select d.oid from pg_database d where d.datname = current_database()) \
             and c.relowner = 'frontdesk_owner'::regrole and a.pid <> pg_backend_pid() limit 10) s";
    Ok(client.query_one(find, &[]).await?.get(0))
}

/// Brings the schema up to date, in one transaction: killed in the middle, the database is as before.
async fn run(client: &Client) -> Result<(), MigrateError> {
    let applied = Applied::read(client).await;
    let applied = applied.map_err(MigrateError::Bootstrap)?;
    expect_known(&applied)?;
    client
        .batch_execute(
            "begin; set local check_function_bodies = off; set local lock_timeout = '3s'",
        )
        .await
        .map_err(MigrateError::Bootstrap)?;
    let migrated = async {
        match applied.versions.is_empty() {
            true => create(client).await?,
            false => upgrade(client, &applied).await?,
        }
        finish(client).await.map_err(MigrateError::Bootstrap)
    };
    let migrated = migrated.await;
    let end = if migrated.is_ok() {
        "commit"
    } else {
        "rollback"
    };
    // A failed migration is the error to report.
    let ended = client.batch_execute(end).await;
    migrated?;
    ended.map_err(MigrateError::Bootstrap)
}

/// Runs all files in a new database.
async fn create(client: &Client) -> Result<(), MigrateError> {
    for file in files() {
        execute(client, file.name, file.text).await?;
    }
    let keep = async {
        client.batch_execute(OWNER_POLICIES).await?;
        keep_upgrades(client, &upgrades()).await?;
        keep_functions(client, &FUNCTIONS.all.iter().collect::<Vec<_>>()).await
    };
    keep.await.map_err(MigrateError::Bootstrap)?;
    tracing::info!(schema = needed(), "created");
    Ok(())
}

/// Runs the upgrades that a database lacks, and the functions whose text has changed: those that tables need, the tables,
/// all other functions, the policies, the rows.
async fn upgrade(client: &Client, applied: &Applied) -> Result<(), MigrateError> {
    let missing = missing_upgrades(applied);
    let changed = changed_functions(applied);
    if missing.is_empty() && has_functions(applied) {
        return Ok(());
    }
    for function in changed.iter().filter(|function| function.is_of_tables) {
        execute(client, &function.declaration, &function.sql).await?;
    }
    run_parts(client, &missing, Part::Tables).await?;
    for function in changed.iter().filter(|function| !function.is_of_tables) {
        execute(client, &function.declaration, &function.sql).await?;
    }
    drop_undefined(client).await?;
    execute(client, "grants of functions", &FUNCTIONS.grants.join("\n")).await?;
    run_parts(client, &missing, Part::Policies).await?;
    let keep = async {
        client.batch_execute(OWNER_POLICIES).await?;
        keep_upgrades(client, &missing).await?;
        keep_functions(client, &changed).await
    };
    keep.await.map_err(MigrateError::Bootstrap)?;
    run_parts(client, &missing, Part::Data).await?;
    for upgrade in &missing {
        tracing::info!(upgrade = upgrade.version, "migrated");
    }
    tracing::info!(replaced = changed.len(), "functions");
    Ok(())
}

/// Runs a part of each of these upgrades.
async fn run_parts(client: &Client, upgrades: &[Upgrade], part: Part) -> Result<(), MigrateError> {
    for upgrade in upgrades {
        execute(client, &upgrade.name(), upgrade.part(part)).await?;
    }
    Ok(())
}

async fn execute(client: &Client, name: &str, sql: &str) -> Result<(), MigrateError> {
    let executed = client.batch_execute(sql).await;
    executed.map_err(|error| MigrateError::Migration {
        name: name.to_owned(),
        error,
    })
}

/// Drops the functions of earlier programs that no file defines any more. Functions of others are not known here.
async fn drop_undefined(client: &Client) -> Result<(), MigrateError> {
    let known = schema::functions(client).await;
    let known = known.map_err(MigrateError::Bootstrap)?;
    for declaration in known.keys() {
        if FUNCTIONS
            .all
            .iter()
            .all(|function| function.declaration != *declaration)
        {
            let drop = format!("drop routine if exists {declaration}");
            execute(client, declaration, &drop).await?;
            let forget = "delete from app.functions where declaration = $1";
            let forgotten = client.execute(forget, &[declaration]).await;
            forgotten.map_err(MigrateError::Bootstrap)?;
        }
    }
    Ok(())
}

async fn keep_upgrades(client: &Client, upgrades: &[Upgrade]) -> Result<(), tokio_postgres::Error> {
    let versions: Vec<_> = upgrades.iter().map(|upgrade| upgrade.version).collect();
    let keep = "insert into app.migrations (version, name, applied_on, checksum)
         select v, 'upgrade', to_char(now() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), '' from unnest($1::int4[]) v";
    client.execute(keep, &[&versions]).await.map(drop)
}

/// Keeps the digests of functions that were run, and of all as a whole.
async fn keep_functions(
    client: &Client,
    functions: &[&Function],
) -> Result<(), tokio_postgres::Error> {
    let declarations: Vec<_> = functions.iter().map(|one| &*one.declaration).collect();
    let digests: Vec<_> = functions.iter().map(|one| &*one.digest).collect();
    let keep = "insert into app.functions (declaration, digest) select * from unnest($1::text[], $2::text[])
         on conflict (declaration) do update set digest = excluded.digest";
    client.execute(keep, &[&declarations, &digests]).await?;
    let digest = needed_functions();
    let again = "delete from app.function_sets where digest = $1";
    client.execute(again, &[&digest]).await?;
    let keep = "insert into app.function_sets (number, digest, program)
         select coalesce(max(s.number), 0) + 1, $1, $2 from app.function_sets s";
    client.execute(keep, &[&digest, &program()]).await.map(drop)
}

/// What each start does.
async fn finish(client: &Client) -> Result<(), tokio_postgres::Error> {
    // Partitions that a process has made since.
    client.batch_execute(OWNER_POLICIES).await?;
    schema::mark(client, needed(), needed_functions()).await
}

/// The version of this program, as numbers.
fn program() -> Vec<i32> {
    let numbers = [
        env!("CARGO_PKG_VERSION_MAJOR"),
        env!("CARGO_PKG_VERSION_MINOR"),
        env!("CARGO_PKG_VERSION_PATCH"),
    ];
    numbers
        .iter()
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// Whether its functions and their grants are those of this program.
fn has_functions(applied: &Applied) -> bool {
    let latest = applied.sets.first();
    latest.is_some_and(|(digest, _)| digest == needed_functions())
}

fn missing_upgrades(applied: &Applied) -> Vec<Upgrade> {
    let all = upgrades().into_iter();
    all.filter(|upgrade| !applied.versions.contains(&upgrade.version))
        .collect()
}

fn changed_functions(applied: &Applied) -> Vec<&'static Function> {
    let is_known = |function: &Function| {
        let known = applied.functions.as_ref();
        known.and_then(|known| known.get(&function.declaration)) == Some(&function.digest)
    };
    FUNCTIONS
        .all
        .iter()
        .filter(|function| !is_known(function))
        .collect()
}

/// What a database lacks.
#[derive(Debug)]
pub(crate) struct Missing {
    /// Whether it has nothing of this program.
    pub(crate) is_new: bool,
    /// The names of files and functions, in the order in which they would run.
    pub(crate) names: Vec<String>,
}

/// What a database lacks, as its owner.
pub(super) async fn missing(client: &Client) -> Result<Missing, MigrateError> {
    let applied = Applied::read(client).await;
    let applied = applied.map_err(MigrateError::Bootstrap)?;
    expect_known(&applied)?;
    if applied.versions.is_empty() {
        let names = files()
            .map(|file| format!("schema/{}", file.name))
            .collect();
        return Ok(Missing {
            is_new: true,
            names,
        });
    }
    let mut names: Vec<_> = missing_upgrades(&applied)
        .into_iter()
        .map(Upgrade::name)
        .collect();
    match &applied.functions {
        None => names.push("all functions".to_owned()),
        Some(_) if has_functions(&applied) => {}
        Some(_) => {
            let changed = changed_functions(&applied).into_iter();
            names.extend(changed.map(|function| format!("function {}", function.declaration)));
            names.push("grants of functions".to_owned());
        }
    }
    Ok(Missing {
        is_new: false,
        names,
    })
}

/// The statements about rows of the upgrades that a backup lacks, which has these.
pub(crate) fn data_after(versions: &[SchemaVersion]) -> String {
    let lacking = upgrades()
        .into_iter()
        .filter(|upgrade| !versions.contains(&upgrade.version));
    lacking.map(|upgrade| upgrade.part(Part::Data)).collect()
}

/// The tables that the upgrades create which a backup lacks, which has these.
pub(crate) fn tables_after(versions: &[SchemaVersion]) -> Vec<&'static str> {
    let lacking = upgrades()
        .into_iter()
        .filter(|upgrade| !versions.contains(&upgrade.version));
    let lines = lacking.flat_map(|upgrade| upgrade.part(Part::Tables).lines());
    let names = lines.filter_map(|line| line.strip_prefix("create table ")?.split(' ').next());
    names.collect()
}

/// Fails if the database is too old for the upgrades, or newer than this program.
fn expect_known(applied: &Applied) -> Result<(), SchemaError> {
    let needed = needed();
    match applied.versions.last() {
        Some(&found) if found < OLDEST => Err(SchemaError::TooOld(found)),
        Some(&found) if found > needed => Err(SchemaError::Newer { found, needed }),
        _ => expect_older_functions(&applied.sets, needed_functions(), &program()),
    }
}

/// Fails if a newer program has replaced the functions. Of two programs of one version, that one is newer whose functions
/// the database has had later: the functions of the other are known, and were left behind.
fn expect_older_functions(
    sets: &[(String, Vec<i32>)],
    ours: &str,
    program: &[i32],
) -> Result<(), SchemaError> {
    let Some((latest, last)) = sets.first() else {
        return Ok(());
    };
    let is_left_behind = || sets.iter().any(|(digest, _)| digest == ours);
    if latest == ours || program > &**last || program == &**last && !is_left_behind() {
        return Ok(());
    }
    let numbers: Vec<_> = last.iter().map(ToString::to_string).collect();
    Err(SchemaError::NewerFunctions(numbers.join(".")))
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
        let (client, connection) = connected.unwrap();
        tokio::spawn(connection);
        client
            .batch_execute(
                "create role modest login createrole; alter database postgres owner to modest; \
                 set session authorization modest",
            )
            .await
            .unwrap();
        migrate(&client).await.unwrap();
        assert_eq!(schema::marked(&client).await.unwrap(), Some(needed()));
        client
            .batch_execute("reset role; set role authenticator")
            .await
            .unwrap();
    }

    #[test]
    fn functions_only_go_forward() {
        let set = |digest: &str, program: [i32; 3]| (digest.to_owned(), program.to_vec());
        let sets = [set("b", [0, 3, 0]), set("a", [0, 3, 0])];
        for (digest, program, is_newer) in [
            ("b", [0, 3, 0], true),
            ("b", [0, 2, 0], true),
            ("c", [0, 3, 0], true),
            ("a", [0, 3, 0], false),
            // A release that takes a change back.
            ("a", [0, 3, 1], true),
            ("c", [0, 2, 9], false),
        ] {
            let refused = expect_older_functions(&sets, digest, &program);
            assert_eq!(refused.is_ok(), is_newer, "{digest} {program:?}");
        }
        assert!(expect_older_functions(&[], "a", &[0, 3, 0]).is_ok());
    }
}
