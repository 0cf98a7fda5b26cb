//! The database: its directory or server, its schema and this login's rights.

use std::path::Path;

use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, SimpleQueryMessage};

use super::clock::clock;
use super::{Finding, Settings, nodes};
use crate::clock::Clock;
use crate::control;
use crate::database::{
    DirectoryError, Location, OpenError, Raw, SchemaError, ServerAddress, existing,
    expect_database, expect_room, expect_usable, free, marked, marked_functions, needed,
    needed_functions,
};
use crate::tls::Verification;

const PART: &str = "database";
const SCHEMA: &str = "schema";
const DIRECTORY: &str = "directory";
/// The oldest supported version of PostgreSQL.
const OLDEST: i32 = 150_000;
/// The time before the end of a certificate that is short, in hours.
const SHORT: i64 = 30 * 24;
/// The age from which the last of daily backups is late, in hours.
const DAY: i64 = 26;
pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    match &settings.database {
        Location::Memory => vec![Finding::doubt(
            PART,
            "in memory: everything is lost when the server ends",
            "give --database DIR or a postgres:// address",
        )],
        Location::Directory(path) => directory(settings, path).await,
        Location::Server {
            address,
            pooler,
            replicas,
        } => {
            let mut findings = match Raw::open(&settings.database).await {
                Ok(raw) => {
                    let found = server(settings, address, &raw).await;
                    let _ = raw.close().await;
                    found.unwrap_or_else(|error| vec![Finding::bad(PART, error.to_string(), "")])
                }
                Err(error) => {
                    let change = advice(&error);
                    vec![Finding::bad(PART, error.to_string(), change)]
                }
            };
            findings.extend(nodes::check(address, replicas).await);
            if let Some(pooler) = pooler {
                findings.push(through(pooler).await);
            }
            findings
        }
    }
}

async fn directory(settings: &Settings, path: &Path) -> Vec<Finding> {
    let shown = path.display();
    if let Err(error) = expect_usable(path) {
        return vec![Finding::bad(DIRECTORY, error.to_string(), "")];
    }
    let room = free(existing(path)).map_or(String::new(), |free| {
        format!(", {} MB free", free / 1024 / 1024)
    });
    let mut findings = vec![Finding::good(
        DIRECTORY,
        format!("{shown} can be written{room}"),
    )];
    if let Err(error) = expect_database(path) {
        findings.push(match error {
            DirectoryError::Missing(_) => {
                Finding::good(PART, "embedded, not created yet: `serve` creates it")
            }
            error => Finding::bad(PART, error.to_string(), ""),
        });
        return findings;
    }
    // Opening it directly would migrate it.
    if control::is_served(&settings.database).await {
        match control::reach(&settings.database).await {
            Ok(database) => {
                let says = "embedded, open in a running server of this version";
                findings.push(Finding::good(PART, says));
                if let Ok(owner) = database.owner().await {
                    findings.extend(kept(&owner).await.unwrap_or_default());
                }
                let _ = database.close().await;
            }
            Err(error) => {
                findings.push(Finding::bad(PART, error.to_string(), "restart the server"))
            }
        }
        return findings;
    }
    match Raw::open_existing(&settings.database).await {
        Ok(raw) => {
            findings.push(Finding::good(PART, "embedded, can be opened"));
            let found = async {
                let mut found = vec![schema(raw.client()).await?];
                found.extend(kept(raw.client()).await?);
                Ok::<_, tokio_postgres::Error>(found)
            };
            let found = found.await;
            findings.extend(
                found.unwrap_or_else(|error| vec![Finding::bad(SCHEMA, error.to_string(), "")]),
            );
            let _ = raw.close().await;
        }
        Err(error) => findings.push(Finding::bad(PART, error.to_string(), "")),
    }
    findings
}

async fn server(
    settings: &Settings,
    address: &ServerAddress,
    raw: &Raw,
) -> Result<Vec<Finding>, tokio_postgres::Error> {
    let client = raw.client();
    let mut findings = Vec::new();
    let row = client
        .query_one(
            "select current_setting('server_version'), current_setting('server_version_num')::int,
                    pg_is_in_recovery(), current_setting('default_transaction_read_only')::bool,
                    current_setting('max_connections')::int
                      - current_setting('superuser_reserved_connections')::int,
                    extract(epoch from clock_timestamp())::float8, session_user::text",
            &[],
        )
        .await?;
    let version: &str = row.get(0);
    findings.push(match row.get::<_, i32>(1) >= OLDEST {
        true => Finding::good(
            PART,
            format!("PostgreSQL {version} at {}", settings.database),
        ),
        false => Finding::bad(
            PART,
            format!("PostgreSQL {version} is too old"),
            "use version 15 or newer",
        ),
    });
    if row.get::<_, bool>(2) || row.get::<_, bool>(3) {
        findings.push(Finding::bad(
            PART,
            "the database cannot be written: it is a standby or set to read-only",
            "connect to the primary (target_session_attrs=read-write), or change \
             default_transaction_read_only",
        ));
    }
    // Whether a standby is synchronous is visible to monitoring roles only.
    let alone = "select current_setting('synchronous_standby_names') <> '' and not pg_is_in_recovery() \
         and not exists (select from pg_stat_replication)";
    if client.query_one(alone, &[]).await?.get(0) {
        findings.push(Finding::bad(
            PART,
            "it waits for a synchronous standby, and none is connected: each write waits",
            "start the standby, or change synchronous_standby_names",
        ));
    }
    let most: i32 = row.get(4);
    if i32::from(settings.connections) > most {
        findings.push(Finding::doubt(
            PART,
            format!(
                "--connections {} is more than the server allows: {most}",
                settings.connections
            ),
            "choose fewer, or raise max_connections",
        ));
    }
    findings.extend(encryption(address, raw).await?);
    findings.extend(clock("the database's clock", row.get(5)));
    findings.push(login(client, row.get(6)).await?);
    findings.extend(extensions(client).await?);
    findings.extend(collation(client).await?);
    findings.push(schema(client).await?);
    findings.extend(kept(client).await?);
    Ok(findings)
}

/// How the connection is encrypted; nothing of a socket of this machine.
async fn encryption(
    address: &ServerAddress,
    raw: &Raw,
) -> Result<Option<Finding>, tokio_postgres::Error> {
    const TLS: &str = "tls";
    const VERIFY: &str = "give sslmode=verify-full, and sslrootcert=FILE if this machine does not know its authority";
    let asked = "select inet_server_addr() is null,
            coalesce(inet_client_addr() <<= any ('{127.0.0.0/8, ::1}'::inet[]), false),
            (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl)";
    let row = raw.client().query_one(asked, &[]).await?;
    let (is_socket, is_here): (bool, bool) = (row.get(0), row.get(1));
    if is_socket {
        return Ok(None);
    }
    let mode = address.mode();
    let Some(version) = row.get::<_, Option<String>>(2) else {
        let text = format!("the connection is not encrypted (sslmode={mode})");
        return Ok(Some(match is_here {
            true => Finding::good(TLS, format!("{text}, within this machine")),
            false => Finding::doubt(
                TLS,
                format!("{text}: passwords and records can be read on the way"),
                format!("let PostgreSQL have ssl = on, and {VERIFY}"),
            ),
        }));
    };
    let now = Clock::system().now();
    let end = raw.certificate_end();
    let ends = end.map_or_else(String::new, |end| {
        format!(", the certificate ends {}", end.strftime("%Y-%m-%d"))
    });
    let text = format!("{version}, sslmode={mode}{ends}");
    let is_short = end.is_some_and(|end| end.duration_since(now).as_hours() < SHORT);
    Ok(Some(if is_short {
        Finding::doubt(
            TLS,
            text,
            "renew the certificate of PostgreSQL before it ends",
        )
    } else if address.verification == Verification::Nothing && !is_here {
        let text =
            format!("{text}: it is not verified, so another machine could answer in its place");
        Finding::doubt(TLS, text, VERIFY)
    } else {
        Finding::good(TLS, text)
    }))
}

/// Whether calls through the pooler reach a primary.
async fn through(pooler: &ServerAddress) -> Finding {
    const POOLER: &str = "pooler";
    let location = Location::from(pooler.clone());
    let asked = async {
        let raw = Raw::open(&location).await.map_err(|e| e.to_string())?;
        // A simple query: the pooler may keep no statement.
        let asked = raw.client().simple_query("select pg_is_in_recovery()");
        asked.await.map_err(|error| error.to_string())
    };
    let is_standby = |row: &SimpleQueryMessage| matches!(row, SimpleQueryMessage::Row(row) if row.get(0) == Some("t"));
    match asked.await {
        Ok(rows) if rows.iter().any(is_standby) => Finding::bad(
            POOLER,
            format!("{location} leads to a standby"),
            "let it lead to the primary (docs/deploy/cluster/primary.cfg)",
        ),
        Ok(_) => Finding::good(POOLER, format!("{location} can be reached")),
        Err(error) => Finding::bad(
            POOLER,
            format!("{location}: {error}"),
            "check the address, and that the pooler knows the user and the database",
        ),
    }
}

/// What this login can do.
async fn login(client: &Client, user: &str) -> Result<Finding, tokio_postgres::Error> {
    const LOGIN: &str = "login";
    if user == "authenticator" {
        return Ok(Finding::good(
            LOGIN,
            "authenticator, without rights of its own; another login migrates",
        ));
    }
    let row = client
        .query_one(
            "select r.rolsuper, r.rolcreaterole, has_database_privilege(current_database(), 'CREATE'),
                    (select count(*) from pg_roles f
                      where f.rolname in ('frontdesk_owner', 'authenticator')
                        and pg_has_role(session_user, f.oid, 'MEMBER')),
                    exists (select from pg_namespace where nspname = 'app')
               from pg_roles r where r.rolname = session_user",
            &[],
        )
        .await?;
    let (is_superuser, creates_roles, creates): (bool, bool, bool) =
        (row.get(0), row.get(1), row.get(2));
    let (roles, is_prepared): (i64, bool) = (row.get(3), row.get(4));
    Ok(match (is_superuser, is_prepared) {
        (true, _) => Finding::good(LOGIN, format!("{user}, a superuser")),
        (_, true) if roles == 2 => {
            Finding::good(LOGIN, format!("{user}, without superuser's rights"))
        }
        (_, false) if creates_roles && creates => {
            Finding::good(LOGIN, format!("{user}, which can prepare the database"))
        }
        (_, true) => Finding::bad(
            LOGIN,
            format!("{user} is not a member of frontdesk_owner and authenticator"),
            format!("as an administrator: grant frontdesk_owner, authenticator to \"{user}\""),
        ),
        (_, false) => Finding::bad(
            LOGIN,
            format!("{user} cannot prepare the database"),
            format!(
                "as an administrator: alter role \"{user}\" createrole; grant create on database … to \"{user}\""
            ),
        ),
    })
}

/// Whether the schema of this program's own tables exists.
async fn is_begun(client: &Client) -> Result<bool, tokio_postgres::Error> {
    let begun = "select exists (select from pg_namespace where nspname = 'app')";
    Ok(client.query_one(begun, &[]).await?.get(0))
}

/// The extensions that the schema needs and the PostgreSQL server does not have.
async fn extensions(client: &Client) -> Result<Option<Finding>, tokio_postgres::Error> {
    let missing = "select string_agg(x, ', ') from unnest(array['pg_trgm', 'unaccent']) x \
         where x not in (select name from pg_available_extensions)";
    let missing: Option<String> = client.query_one(missing, &[]).await?.get(0);
    Ok(missing.map(|missing| {
        Finding::bad(
            "extensions",
            format!("the PostgreSQL server does not have {missing}"),
            "install its contrib package (postgresql-contrib), or let its administrator allow them",
        )
    }))
}

/// Whether the database's order of texts is that of the system: it changes with the system's libraries, and the indexes
/// stay as they were.
async fn collation(client: &Client) -> Result<Option<Finding>, tokio_postgres::Error> {
    let versions = "select d.datname::text, d.datcollversion, pg_database_collation_actual_version(d.oid) from pg_database d \
         where d.datname = current_database() and d.datcollversion <> pg_database_collation_actual_version(d.oid)";
    let row = client.query_opt(versions, &[]).await?;
    Ok(row.map(|row| {
        let (name, then, now): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        Finding::bad(
            "collation",
            format!("texts were sorted by version {then} of the system's collation, which now has {now}: indexes can miss rows"),
            format!("as the owner: reindex database \"{name}\"; alter database \"{name}\" refresh collation version"),
        )
    }))
}

/// Whether the schema is this program's.
async fn schema(client: &Client) -> Result<Finding, tokio_postgres::Error> {
    let needed = needed();
    if let Err(error @ SchemaError::Encoding(_)) = expect_room(client).await? {
        return Ok(Finding::bad(SCHEMA, error.to_string(), ""));
    }
    Ok(match marked(client).await? {
        Some(found) if found == needed => {
            match marked_functions(client).await?.as_deref() == Some(needed_functions()) {
                true => Finding::good(SCHEMA, format!("{needed}, as needed")),
                false => Finding::doubt(
                    SCHEMA,
                    format!("{needed}, as needed, with functions of another frontdesk-server"),
                    "`serve` or `migrate` brings them up to date, if this one is newer",
                ),
            }
        }
        Some(found) if found < crate::database::OLDEST => {
            Finding::bad(SCHEMA, SchemaError::TooOld(found).to_string(), "")
        }
        Some(found) if found > needed => Finding::bad(
            SCHEMA,
            format!("{found}, and this program only knows {needed}"),
            "use the newer frontdesk-server that migrated it",
        ),
        Some(found) => Finding::doubt(
            SCHEMA,
            format!("{found}, and this program needs {needed}"),
            "make a backup; then `serve` or `migrate` brings it up to date",
        ),
        None => match expect_room(client).await? {
            Err(foreign) => Finding::bad(SCHEMA, foreign.to_string(), ""),
            Ok(()) if is_begun(client).await? => Finding::bad(
                SCHEMA,
                "the database was prepared, but its migration did not finish",
                "start `frontdesk-server migrate`: it continues, or says what is wrong",
            ),
            Ok(()) => Finding::good(SCHEMA, "none yet: `serve` creates it"),
        },
    })
}

/// How long what is only kept for a time is kept, and webhooks that were given up, for an owner of the current schema.
async fn kept(client: &Client) -> Result<Vec<Finding>, tokio_postgres::Error> {
    const KEPT: &str = "kept";
    let can = "select current_setting('is_superuser')::bool
         or exists (select from pg_roles r where r.rolname = 'frontdesk_owner' and pg_has_role(session_user, r.oid, 'MEMBER'))";
    if marked(client).await? != Some(needed())
        || !client.query_one(can, &[]).await?.get::<_, bool>(0)
    {
        return Ok(Vec::new());
    }
    client.batch_execute("set role frontdesk_owner").await?;
    let days = client
        .query_opt(
            "select days, webhooks, tokens, plans, deliveries from app.retention",
            &[],
        )
        .await?;
    let failed = "select count(*) from webhooks.events e where e.given_up_at is not null";
    let failed: i64 = client.query_one(failed, &[]).await?.get(0);
    let age =
        "select floor(extract(epoch from clock_timestamp() - app.last_backup()) / 3600)::bigint";
    let age: Option<i64> = client.query_one(age, &[]).await?.get(0);
    client.batch_execute("reset role").await?;
    let mut findings = Vec::new();
    if let Some(row) = days {
        let [changes, webhooks, tokens, plans, deliveries] =
            [0, 1, 2, 3, 4].map(|at| row.get::<_, i32>(at));
        findings.push(Finding::good(
            KEPT,
            format!(
                "{changes} days of changes, {webhooks} of delivered webhooks, {tokens} of refresh tokens, {plans} of applied \
                 previews, {deliveries} of a code host's deliveries"
            ),
        ));
    }
    findings.push(backup(age));
    if failed > 0 {
        findings.push(Finding::doubt(
            "webhooks",
            format!("{failed} given up"),
            "frontdesk-server webhooks list shows them, webhooks replay --all-failed sends them again",
        ));
    }
    Ok(findings)
}

/// Whether the last backup, this many hours ago, is that of a day.
fn backup(age: Option<i64>) -> Finding {
    const BACKUP: &str = "backup";
    let change = "run `frontdesk-server backup --keep 14 DIR` every day (docs/operate.md, Backups)";
    match age {
        None => Finding::doubt(BACKUP, "none was made yet", change),
        Some(hours) if hours > DAY => {
            let text = format!("the last one was made {} days ago", (hours + 12) / 24);
            Finding::doubt(BACKUP, text, change)
        }
        Some(0) => Finding::good(BACKUP, "the last one was made within the hour"),
        Some(hours) => Finding::good(BACKUP, format!("the last one was made {hours} h ago")),
    }
}

/// What to change after a failed connection.
fn advice(error: &OpenError) -> &'static str {
    let OpenError::Connect(error) = error else {
        return "";
    };
    match error.code() {
        Some(&SqlState::INVALID_PASSWORD) => "check user and password in the address",
        Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) => {
            "allow this user and machine in pg_hba.conf"
        }
        Some(&SqlState::INVALID_CATALOG_NAME) => "create the database: createdb",
        Some(&SqlState::TOO_MANY_CONNECTIONS) => {
            "close other connections, or raise max_connections"
        }
        Some(_) => "",
        None if is_about_certificate(error) => {
            "give sslrootcert=FILE with the authority that signed the server's certificate, and the name that it has; or \
             sslmode=require, which encrypts and verifies nothing"
        }
        None => {
            "check host and port, that PostgreSQL runs, and that it listens there (listen_addresses, firewall)"
        }
    }
}

/// Whether the connection failed because of the server's certificate.
fn is_about_certificate(error: &frontdesk_postgres::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        let within = error.downcast_ref::<std::io::Error>();
        if within
            .and_then(std::io::Error::get_ref)
            .is_some_and(|error| error.is::<rustls::Error>())
        {
            return true;
        }
        cause = error.source();
    }
    false
}
