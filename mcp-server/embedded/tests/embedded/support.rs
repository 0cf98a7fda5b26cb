//! One database shared by tests that need no private one; each test uses its own tables.

use frontdesk_embedded::{Embedded, Storage};
use tokio::sync::OnceCell;
use tokio_postgres::{Client, Config, Error, NoTls};

static SHARED: OnceCell<Embedded> = OnceCell::const_new();

/// Opened by the first test.
pub(crate) async fn database() -> &'static Embedded {
    let open = || async { Embedded::open(Storage::Memory).await.unwrap() };
    SHARED.get_or_init(open).await
}

/// A connection to the shared database. The tests queue for it.
pub(crate) async fn client() -> Client {
    connect(database().await).await
}

pub(crate) async fn connect(database: &Embedded) -> Client {
    try_connect(database).await.unwrap()
}

/// A connection, or the error.
pub(crate) async fn try_connect(database: &Embedded) -> Result<Client, Error> {
    let mut config = Config::new();
    config.user("postgres").application_name("tests");
    let (client, connection) = config.connect_raw(database.connect(), NoTls).await?;
    tokio::spawn(async move {
        // The client sees how the connection ends.
        let _ = connection.await;
    });
    Ok(client)
}

/// The SQLSTATE of an error that the database sent.
pub(crate) fn code(error: &Error) -> &str {
    error.code().map_or("none", |code| code.code())
}
