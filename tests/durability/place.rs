//! Where a server's database is.

use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_postgres::NoTls;
use uuid::Uuid;

/// A runtime for a test's own side.
pub(crate) fn runtime() -> Runtime {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A directory that is gone with the test.
#[derive(Debug)]
pub(crate) struct Directory(TempDir);

impl Directory {
    pub(crate) fn new() -> Directory {
        Directory(tempfile::tempdir().expect("a directory"))
    }

    /// What `--database` takes: a directory that is not there yet.
    pub(crate) fn database(&self) -> String {
        let path = self.0.path().join("postgres");
        path.to_str().expect("a path in UTF-8").to_owned()
    }
}

/// A new database on the server of `FRONTDESK_TEST_DATABASE`; none without one.
pub(crate) fn server_database() -> Option<String> {
    let server = std::env::var("FRONTDESK_TEST_DATABASE").ok()?;
    let name = format!("durability_{}", Uuid::now_v7().simple());
    execute(&server, &format!("create database {name}"));
    let mut address: reqwest::Url = server.parse().expect("an address");
    address.set_path(&name);
    Some(address.to_string())
}

/// Runs a statement on a server, as the user of the address.
pub(crate) fn execute(address: &str, sql: &str) {
    runtime().block_on(async {
        let (client, connection) = tokio_postgres::connect(address, NoTls)
            .await
            .expect("a server");
        tokio::spawn(connection);
        client.batch_execute(sql).await.expect(sql);
    });
}
