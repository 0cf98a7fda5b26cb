//! Migrates the database as its owner: creates the roles, then runs the migrations.

use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

use super::error::causes;

/// Why the database could not be migrated.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// The roles and the schema could not be created.
    #[error("the database could not be prepared: {}{}", causes(.0), remedy(.0))]
    Bootstrap(#[source] tokio_postgres::Error),
    /// A migration failed and was rolled back.
    #[error("a migration failed: {0}")]
    Migration(#[from] refinery::Error),
}

/// Advice, if the cause is known.
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

/// Migrates the database. Afterwards the connection still runs as the owner.
///
/// # Errors
/// [`MigrateError`]; each step is all or nothing.
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
    // Several processes can start on one database: one migrates, the others wait for it.
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
