//! Backups: a file with every row of the database, which any database of the same or a newer version can restore.
//!
//! The file is compressed text: marks as lines of JSON, and between them the rows of each table in PostgreSQL's COPY
//! format (`file.rs`). It contains password hashes and keys, so it is created with mode 0600.

mod before;
mod catalogue;
mod dump;
mod file;
mod keep;
mod load;
mod restore;
mod row;

use std::io;
use std::path::{Path, PathBuf};

pub use before::open_backed_up;
pub use dump::{record, write, write_file};
pub use file::{FileError, Start, Totals};
pub use keep::{keep, name};
pub use restore::{check, restore};

use crate::database::{MigrateError, OLDEST, OpenError, SchemaVersion, TransactionError};

/// The time in a file's name, so that names are in the order of their times.
const TIME: &str = "%Y-%m-%dT%H%M%SZ";

/// Why a backup could not be made or restored. Nothing is left half-done.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database refused a statement.
    #[error("the database refused: {}", crate::database::causes(.0))]
    Database(#[from] tokio_postgres::Error),
    /// The owner's connection was refused.
    #[error("the login cannot act as the database's owner: {0}")]
    Owner(#[from] TransactionError),
    /// The schema could not be created.
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    /// The file is not a whole backup.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The backup cannot be written.
    #[error("the backup cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The file exists.
    #[error("{} exists already; choose another name", .0.display())]
    Exists(PathBuf),
    /// The program was asked to stop.
    #[error("interrupted; nothing was changed")]
    Interrupted,
    /// The schema is older, and its backup failed.
    #[error(
        "the schema is older than this program, and no backup could be made before it is migrated, so nothing was changed: \
         {0}; --migration-backup DIR names another directory, `none` makes no backup"
    )]
    Before(#[source] Box<BackupError>),
    /// The running server could not copy its database.
    #[error("the running server could not copy its database: {0}")]
    Running(#[source] io::Error),
    /// A server uses the database.
    #[error("a server uses the database: stop it first")]
    InUse,
    /// The database was never prepared.
    #[error("the database is empty: there is nothing to back up")]
    Nothing,
    /// The database has organisations or accounts.
    #[error(
        "the database has {organizations} organisations and {accounts} accounts; restore into an empty one"
    )]
    NotEmpty {
        /// The number of organisations.
        organizations: i64,
        /// The number of accounts.
        accounts: i64,
    },
    /// A database in memory ends with its process.
    #[error("a database in memory cannot be backed up or restored")]
    Memory,
    /// The login cannot read or write everything.
    #[error("connect as the database's owner: `authenticator` has no rights of its own")]
    NotOwner,
    /// The backup was made by a newer version.
    #[error(
        "the backup has schema {found}, and this program only knows {known}: use the version that made it, or a newer \
         one"
    )]
    Newer {
        /// The version of the backup.
        found: SchemaVersion,
        /// The newest version that this program knows.
        known: SchemaVersion,
    },
    /// No upgrade begins with the schema of the backup.
    #[error(
        "the backup has schema {0}, and this program restores {OLDEST} and newer ones: restore it with frontdesk-server \
         0.2.0, which brings it up to date, back that database up, and restore the new backup here (docs/upgrades.md)"
    )]
    TooOld(SchemaVersion),
    /// The backup has a table or column that the schema lacks.
    #[error("the backup does not fit the schema of this program: it has {0}")]
    Unknown(String),
    /// The backup would be, or is, without a table of the database.
    #[error("the backup has no rows of {0}, a table of the database: it cannot be used")]
    LeftOut(String),
    /// A restored table differs from the backup.
    #[error("{table} was not restored as it was backed up; nothing was restored")]
    Different {
        /// The table's name.
        table: String,
    },
}

impl BackupError {
    /// A file at this path cannot be read or written.
    pub fn at(path: &Path, error: io::Error) -> BackupError {
        let path = path.to_owned();
        BackupError::Path { path, error }
    }
}
