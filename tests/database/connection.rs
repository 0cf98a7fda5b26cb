//! One connection, so that one transaction follows another on it.

use frontdesk_server::database::{Database, Transaction};
use frontdesk_tests::world::PATIENT;
use frontdesk_tests::{server, world};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::FromSqlOwned;

/// A database with a single connection: on a server one of its own, and the embedded one has no
/// other.
pub(crate) async fn single() -> Database {
    match server::location() {
        Some(location) => {
            let database = Database::open(&location, 1).await;
            let database = database.expect("the database opens");
            database.with_limits(PATIENT).expect("a pool")
        }
        None => world().database().clone(),
    }
}

/// The first value of the first row.
pub(crate) async fn value<T: FromSqlOwned>(transaction: &mut Transaction, sql: &str) -> T {
    let rows = transaction.query(sql, &[]).await.expect(sql);
    rows.first().expect(sql).get(0)
}

/// The SQLSTATE with which a statement is refused.
///
/// # Panics
/// If it is not.
pub(crate) async fn refused(transaction: &mut Transaction, sql: &str) -> SqlState {
    use frontdesk_server::database::TransactionError::Statement;
    match transaction.query(sql, &[]).await {
        Ok(rows) => panic!("{sql}: {} rows", rows.len()),
        Err(Statement(error)) => error
            .code()
            .cloned()
            .unwrap_or_else(|| panic!("{sql}: {error}")),
        Err(error) => panic!("{sql}: {error}"),
    }
}
