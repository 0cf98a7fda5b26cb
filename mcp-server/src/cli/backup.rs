//! `backup`, `restore`, `move` and `migrate`.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use frontdesk_server::backup::{self, BackupError, Start, Totals};
use frontdesk_server::clock::Clock;
use frontdesk_server::control;
use frontdesk_server::database::{Database, Location, LocationError, needed};

use super::{CliResult, DatabaseArgs, invalid, stop_signal};

#[derive(Debug, Args)]
pub(super) struct Backup {
    #[command(flatten)]
    database: DatabaseArgs,
    /// File to create, or `-` for the standard output. It contains password hashes and keys: keep it safe.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// FILE is a directory: create a file there that is named after the time, and keep only the N newest of these files.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    #[command(flatten)]
    database: DatabaseArgs,
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only check the file, and that this program can restore it.
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Args)]
pub(super) struct Move {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Address of the empty PostgreSQL database.
    #[arg(long, value_name = "URL")]
    to: String,
    /// Copy this backup instead of the database.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Migrate {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    before: BeforeMigrating,
    /// Only list the upgrades and functions that the database lacks, and change nothing.
    #[arg(long)]
    dry_run: bool,
}

/// The backup of a database whose schema is older than this program's.
#[derive(Debug, Args)]
pub(super) struct BeforeMigrating {
    /// Directory for a backup before an older schema is migrated, or `none` [default: `backups` beside an embedded
    /// database, otherwise in your data directory]
    #[arg(long, env = "FRONTDESK_MIGRATION_BACKUP", value_name = "DIR|none")]
    migration_backup: Option<PathBuf>,
}

impl BeforeMigrating {
    /// Its directory, unless it is refused.
    pub(super) fn directory(&self, location: &Location) -> Option<PathBuf> {
        match (&self.migration_backup, location) {
            (Some(none), _) if none == Path::new("none") => None,
            (Some(directory), _) => Some(directory.clone()),
            (None, Location::Directory(path)) => Some(path.with_file_name("backups")),
            (None, _) => super::default_directory("backups"),
        }
    }
}

impl Backup {
    pub(super) async fn run(self) -> CliResult {
        let location = self.database.location()?;
        let stop = stop_signal()?;
        if self.file == Path::new("-") {
            let (_, mut out) = backup::write(&location, io::stdout(), stop).await?;
            out.flush()?;
            record(&location).await;
            return Ok(());
        }
        let file = match self.keep {
            Some(_) => self.file.join(backup::name(Clock::system().now())),
            None => self.file.clone(),
        };
        let written = backup::write_file(&location, &file, stop).await?;
        record(&location).await;
        tell(&format!(
            "backed up {} to {}",
            contents(&written),
            file.display()
        ))?;
        if let Some(most) = self.keep {
            for removed in backup::keep(&self.file, most.into())? {
                tell(&format!("removed {}", removed.display()))?;
            }
        }
        Ok(())
    }
}

impl Restore {
    pub(super) async fn run(self) -> CliResult {
        let file = open(&self.file)?;
        if self.check {
            let read = backup::check(io::BufReader::new(file))?;
            return tell(&format!(
                "{} is complete: {}, made {:.0}",
                self.file.display(),
                contents(&read),
                read.0.created_at
            ));
        }
        let location = self.database.location()?;
        let restored = backup::restore(file, &location, stop_signal()?).await?;
        tell(&format!(
            "restored {} to {location}; counts and checksums match",
            contents(&restored)
        ))
    }
}

impl Move {
    pub(super) async fn run(self) -> CliResult {
        // Not parsed by clap, whose error would show the address with its password.
        let to = self.to.parse();
        let to = to.unwrap_or_else(|error: LocationError| invalid("--to", &error));
        if !matches!(to, Location::Server { .. }) {
            let error = "it looks like postgres://user:password@host:5432/database";
            invalid("--to", &*Box::<dyn std::error::Error>::from(error));
        }
        let file = match &self.from {
            Some(path) => open(path)?,
            None => {
                let from = self.database.location()?;
                if control::is_served(&from).await {
                    return Err(
                        "a server uses the database, and its later changes would be lost: \
                                stop it first"
                            .into(),
                    );
                }
                let written = backup::write(&from, tempfile::tempfile()?, stop_signal()?).await?;
                let mut file = written.1;
                io::Seek::rewind(&mut file)?;
                file
            }
        };
        let moved = backup::restore(file, &to, stop_signal()?).await?;
        tell(&format!(
            "copied {} to {to}; counts and checksums match. Start the server with --database",
            contents(&moved)
        ))
    }
}

impl Migrate {
    pub(super) async fn run(self) -> CliResult {
        let location = self.database.location()?;
        if self.dry_run {
            let missing = Database::missing(&location).await?;
            return match missing.len() {
                0 => tell(&format!("{location} has schema {}", needed())),
                _ => tell(&missing.join("\n")),
            };
        }
        let directory = self.before.directory(&location);
        let now = Clock::system().now();
        let opened = backup::open_backed_up(&location, 1, directory.as_deref(), now).await;
        let (database, file) = opened?;
        if let Some(file) = file {
            tell(&format!("backed up to {}", file.display()))?;
        }
        database.close().await?;
        tell(&format!("{location} has schema {}", needed()))
    }
}

/// Records the time of a backup that was made, which counts without it.
async fn record(location: &Location) {
    if let Err(error) = backup::record(location).await {
        let note = format!("the backup is complete, but its time could not be recorded: {error}\n");
        // If stderr is closed, the note cannot be shown.
        let _ = io::stderr().write_all(note.as_bytes());
    }
}

fn open(path: &Path) -> Result<File, BackupError> {
    File::open(path).map_err(|error| BackupError::at(path, error))
}

fn contents((start, totals): &(Start, Totals)) -> String {
    let Totals { tables, rows } = totals;
    let plural = if *rows == 1 { "" } else { "s" };
    format!(
        "{rows} row{plural} of {tables} tables, schema {}",
        start.schema()
    )
}

fn tell(line: &str) -> CliResult {
    Ok(writeln!(io::stdout(), "{line}")?)
}
