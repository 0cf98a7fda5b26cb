//! The database of a server process.

use std::path::PathBuf;

use frontdesk_tests::{prepared, server};
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

    /// The same, with a database without an organisation.
    pub(crate) fn prepared() -> Directory {
        let directory = Directory::new();
        prepared::copy_to(&directory.path());
        directory
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("postgres")
    }

    /// The value of `--database`: a directory that does not exist yet, unless it is prepared.
    pub(crate) fn database(&self) -> String {
        self.path().to_str().expect("a path in UTF-8").to_owned()
    }
}

/// A new database on the server that tests share.
pub(crate) fn server_database() -> String {
    runtime().block_on(server::new_database())
}
