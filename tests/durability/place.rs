//! The database of a server process.

use frontdesk_tests::server;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A runtime for the test.
pub(crate) fn runtime() -> Runtime {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
}

/// A directory that is deleted with the test.
#[derive(Debug)]
pub(crate) struct Directory(TempDir);

impl Directory {
    pub(crate) fn new() -> Directory {
        Directory(tempfile::tempdir().expect("a directory"))
    }

    /// The value of `--database`: a directory that does not exist yet.
    pub(crate) fn database(&self) -> String {
        let path = self.0.path().join("postgres");
        path.to_str().expect("a path in UTF-8").to_owned()
    }
}

/// A new database on the server that tests share.
pub(crate) fn server_database() -> String {
    runtime().block_on(server::new_database())
}
