//! The engine: PostgreSQL's only session, driven by protocol messages.

use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use oliphaunt_wasix::{DatabaseStorage, ExecResult, Extension, Oliphaunt, StorageErrorCode};

use crate::directory::EngineDirectory;
use crate::fatal::{Fatal, STACK_DEPTH_EXCEEDED};
use crate::reply::{self, IDLE};
use crate::request::Request;
use crate::worked::Worked;
use crate::{Error, Storage, settings};

/// The settings that a server reports to its clients at the start of a connection.
const REPORTED: &str = "select name, setting from pg_settings where name in ('server_version', \
    'server_encoding', 'client_encoding', 'application_name', 'is_superuser', \
    'session_authorization', 'DateStyle', 'IntervalStyle', 'TimeZone', 'integer_datetimes', \
    'standard_conforming_strings', 'default_transaction_read_only', 'in_hot_standby', \
    'scram_iterations', 'search_path') order by name";

/// The running database. It cannot leave the thread that opened it.
pub(crate) struct Engine {
    /// `None` if one instance has ended and starting the next one failed.
    postgres: Option<Oliphaunt>,
    condition: Condition,
    /// The transaction status at the end of the last answer.
    status: u8,
    /// `ParameterStatus` messages for a new connection.
    parameters: Vec<u8>,
    pub(crate) worked: Worked,
    /// The engine's files. Declared last, so it is dropped last.
    directory: EngineDirectory,
}

/// Whether the instance can continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Condition {
    Fit,
    /// It must be replaced before the next connection; closing it is safe.
    Spent,
    /// Its memory is no longer reliable. It must not be closed, because closing would write that
    /// memory to disk; the directory is sound for the next process.
    Lost,
}

impl Engine {
    pub(crate) fn open(storage: &Storage) -> Result<Self, Error> {
        let directory = EngineDirectory::of(storage)?;
        let mut postgres = start(&directory)?;
        let parameters = parameters(&mut postgres)?;
        Ok(Self {
            postgres: Some(postgres),
            condition: Condition::Fit,
            status: IDLE,
            parameters,
            worked: Worked::default(),
            directory,
        })
    }

    /// Answers a request. A statement's error is also an answer.
    pub(crate) fn answer(&mut self, request: &Request) -> Result<Vec<u8>, Fatal> {
        let (Request::Answer(bytes) | Request::Partial(bytes)) = request else {
            return Ok(Vec::new());
        };
        let started = Instant::now();
        let answer = self.call(|postgres| postgres.exec_protocol_raw(bytes))?;
        self.worked.add(started.elapsed());
        for code in reply::error_codes(&answer) {
            self.worked.erred();
            if code == STACK_DEPTH_EXCEEDED.as_bytes() {
                // This one error can have used the whole stack.
                self.condition = Condition::Spent;
            }
        }
        if let Request::Answer(_) = request {
            match reply::final_status(&answer) {
                Some(status) => self.status = status,
                None => {
                    self.condition = Condition::Lost;
                    return Err(Fatal::incomplete());
                }
            }
        }
        Ok(answer)
    }

    /// Resets the session: nothing of the last connection remains.
    pub(crate) fn renew(&mut self) -> Result<(), Fatal> {
        if self.condition == Condition::Spent || self.postgres.is_none() {
            self.replace()?;
        }
        self.roll_back()?;
        // In a single-user session, DISCARD ALL does not reset the user.
        self.run("set session authorization postgres")?;
        self.run("discard all")?;
        Ok(())
    }

    /// Fails if the instance cannot continue with the current connection.
    pub(crate) fn check(&self) -> Result<(), Fatal> {
        match self.condition {
            Condition::Fit => Ok(()),
            Condition::Spent | Condition::Lost => Err(Fatal::restart()),
        }
    }

    /// Whether the session is outside a transaction.
    pub(crate) fn is_idle(&self) -> bool {
        self.status == IDLE
    }

    /// Rolls back the session's transaction, if it has one.
    pub(crate) fn roll_back(&mut self) -> Result<(), Fatal> {
        if self.condition == Condition::Fit && !self.is_idle() {
            self.run("rollback")?;
            self.status = IDLE;
        }
        Ok(())
    }

    /// Changes a setting of the session.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Fatal> {
        self.call(|postgres| {
            postgres
                .sql("select set_config($1, $2, false)")
                .bind(name)
                .bind(value)
                .query()
                .map(drop)
        })
    }

    /// Runs statements with the simple protocol, outside a transaction.
    pub(crate) fn run(&mut self, sql: &str) -> Result<ExecResult, Fatal> {
        self.call(|postgres| postgres.exec(sql))
    }

    /// Sends the crate's own protocol messages and drops the answer.
    pub(crate) fn send(&mut self, messages: &[u8]) -> Result<(), Fatal> {
        self.call(|postgres| postgres.exec_protocol_raw(messages).map(drop))
    }

    /// The `ParameterStatus` messages for a new connection.
    pub(crate) fn parameters(&self) -> &[u8] {
        &self.parameters
    }

    /// Closes the instance and opens a new one, with a new session, on the same files.
    pub(crate) fn replace(&mut self) -> Result<(), Fatal> {
        if let Some(mut postgres) = self.postgres.take()
            && let Err(error) = postgres.close()
        {
            self.condition = Condition::Lost;
            return Err(Fatal::engine(&error));
        }
        let postgres = start(&self.directory).map_err(|error| Fatal::start(&error))?;
        self.postgres = Some(postgres);
        self.condition = Condition::Fit;
        self.status = IDLE;
        self.worked = Worked::default();
        Ok(())
    }

    /// Copies the database's files to a directory that does not exist. The copy is the state after the last commit:
    /// the log holds every committed change, and the engine that opens the copy replays it.
    pub(crate) fn copy_files(
        &mut self,
        to: &Path,
        is_unwanted: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let copied = self.directory.copy_to(to, is_unwanted);
        copied.map_err(|error| Error::Copy(Arc::new(error)))
    }

    /// Flushes all data and ends the engine.
    pub(crate) fn close(&mut self) -> Result<(), Error> {
        // A transaction that cannot be rolled back has not been committed either.
        let _ = self.roll_back();
        match self.postgres.take() {
            Some(mut postgres) if self.condition != Condition::Lost => Ok(postgres.close()?),
            Some(postgres) => {
                mem::forget(postgres);
                Err(Error::Lost)
            }
            None => Err(Error::Lost),
        }
    }

    fn call<T>(
        &mut self,
        call: impl FnOnce(&mut Oliphaunt) -> oliphaunt_wasix::Result<T>,
    ) -> Result<T, Fatal> {
        let postgres = match &mut self.postgres {
            Some(postgres) if self.condition != Condition::Lost => postgres,
            _ => return Err(Fatal::lost()),
        };
        call(postgres).map_err(|error| {
            if error.postgres_error().is_none() {
                self.condition = after(&error);
            }
            Fatal::engine(&error)
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if self.condition == Condition::Lost {
            mem::forget(self.postgres.take());
        }
    }
}

/// The condition of the instance after a failure. Only the error's text tells it.
///
/// If the guest stops in the middle of a statement (because its native stack is exhausted, say),
/// recovery makes PostgreSQL raise an error that nobody waits for: the guest exits with code 100,
/// or throws. A fatal error exits with 1, in order. A panic aborts and can leave memory half
/// changed. The instance can be shut down in all cases except the last.
fn after(error: &oliphaunt_wasix::Error) -> Condition {
    let text = format!("{error:?}");
    let mut exits = text.split("ExitCode::").skip(1).map(|rest| {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        &rest[..digits]
    });
    if exits.any(|code| code == "1" || code == "100") || text.contains("uncaught exception") {
        Condition::Spent
    } else {
        Condition::Lost
    }
}

fn start(directory: &EngineDirectory) -> Result<Oliphaunt, Error> {
    Oliphaunt::builder()
        .storage(DatabaseStorage::Directory(directory.path().to_owned()))
        .extensions([Extension::PG_TRGM, Extension::UNACCENT])
        .startup_gucs(settings::at_start(directory))
        .open()
        .map_err(|error| match error.storage_error() {
            Some(details) if details.code() == StorageErrorCode::Busy => {
                Error::in_use(directory.requested())
            }
            _ => error.into(),
        })
}

fn parameters(postgres: &mut Oliphaunt) -> Result<Vec<u8>, Error> {
    let mut messages = Vec::new();
    for row in postgres.query(REPORTED)?.rows() {
        if let [Some(name), Some(value)] = row.values() {
            let name = String::from_utf8_lossy(name);
            let value = String::from_utf8_lossy(value);
            reply::parameter_status(&mut messages, &name, &value);
        }
    }
    Ok(messages)
}
