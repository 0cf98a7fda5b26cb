//! Brings the database up to date: the roles first, then the migrations, as the owner.

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::error::causes;

/// Why the database could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The roles and the schema could not be made.
    #[error("the database could not be prepared: {}{}", causes(.0), remedy(.0))]
    Bootstrap(#[source] tokio_postgres::Error),
    /// A migration failed; it was rolled back.
    #[error("a migration failed: {0}")]
    Migration(#[from] refinery::Error),
}

/// What helps, where that is known.
fn remedy(error: &tokio_postgres::Error) -> &'static str {
    match error.code() {
        Some(&SqlState::INSUFFICIENT_PRIVILEGE) => {
            "; connect once as a superuser, or as a role that may create roles with BYPASSRLS"
        }
        _ => "",
    }
}

mod migrations {
    refinery::embed_migrations!("migrations");
}

const BOOTSTRAP: &str = include_str!("../../migrations/bootstrap.sql");

/// Prepares the database. The connection stays the owner's afterwards.
///
/// # Errors
/// [`MigrateError`]; nothing is half done.
pub(super) async fn migrate(client: &mut Client) -> Result<(), MigrateError> {
    if is_prepared(client).await.map_err(MigrateError::Bootstrap)? {
        client
            .batch_execute("set role frontdesk_owner")
            .await
            .map_err(MigrateError::Bootstrap)?;
    } else {
        client
            .batch_execute(&format!(
                "begin; {BOOTSTRAP} commit; set role frontdesk_owner"
            ))
            .await
            .map_err(MigrateError::Bootstrap)?;
    }
    // Several processes may start on one database: one migrates, the others wait and find it done.
    client
        .batch_execute("select pg_advisory_lock(hashtext('frontdesk migrations'))")
        .await
        .map_err(MigrateError::Bootstrap)?;
    let report = migrations::migrations::runner()
        .set_migration_table_name("app.migrations")
        .run_async(client)
        .await;
    client
        .batch_execute("select pg_advisory_unlock(hashtext('frontdesk migrations'))")
        .await
        .map_err(MigrateError::Bootstrap)?;
    for migration in report?.applied_migrations() {
        tracing::info!(%migration, "migrated");
    }
    Ok(())
}

/// Whether the bootstrap has run here, so that an ordinary owner can do the rest.
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
