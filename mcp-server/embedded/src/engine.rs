//! The engine: PostgreSQL's one session, by its protocol.

use std::path::Path;

use oliphaunt_wasix::{DatabaseStorage, Extension, Oliphaunt, StorageErrorCode};

use crate::fatal::Fatal;
use crate::reply::{self, IDLE};
use crate::request::Request;
use crate::{Error, Storage, settings};

/// The settings that a server tells its clients at the start of a connection.
const REPORTED: &str = "select name, setting from pg_settings where name in ('server_version', \
    'server_encoding', 'client_encoding', 'application_name', 'is_superuser', \
    'session_authorization', 'DateStyle', 'IntervalStyle', 'TimeZone', 'integer_datetimes', \
    'standard_conforming_strings', 'default_transaction_read_only', 'in_hot_standby', \
    'scram_iterations', 'search_path') order by name";

/// The running database. It stays on the thread that opened it.
pub(crate) struct Engine {
    postgres: Oliphaunt,
    /// The transaction status that the last answer ended with.
    status: u8,
    /// `ParameterStatus` messages for a new connection.
    parameters: Vec<u8>,
}

impl Engine {
    pub(crate) fn open(storage: &Storage) -> Result<Self, Error> {
        let place = match storage {
            Storage::Memory => DatabaseStorage::Memory,
            Storage::Directory(path) => DatabaseStorage::Directory(path.clone()),
        };
        let mut postgres = Oliphaunt::builder()
            .storage(place)
            .extensions([Extension::PG_TRGM, Extension::UNACCENT])
            .startup_gucs(settings::at_start(storage))
            .open()
            .map_err(|error| match storage {
                Storage::Directory(path) => in_use_or(error, path),
                Storage::Memory => error.into(),
            })?;
        let parameters = parameters(&mut postgres)?;
        Ok(Self {
            postgres,
            status: IDLE,
            parameters,
        })
    }

    /// Has the engine answer a request. An error of a statement is an answer too; when there is no
    /// answer, the engine is of no more use, and says so to every later request.
    pub(crate) fn answer(&mut self, request: &Request) -> Result<Vec<u8>, Fatal> {
        let (Request::Answer(bytes) | Request::Partial(bytes)) = request else {
            return Ok(Vec::new());
        };
        let answer = self
            .postgres
            .exec_protocol_raw(bytes)
            .map_err(|error| { eprintln!("ENGINE {error:?} {error:#}"); Fatal::engine(&error) })?;
        if let Request::Answer(_) = request {
            self.status = reply::final_status(&answer).ok_or_else(Fatal::incomplete)?;
        }
        Ok(answer)
    }

    /// Makes the session as new: nothing of the last connection is left.
    pub(crate) fn renew(&mut self) -> Result<(), Fatal> {
        self.roll_back()?;
        // A single-user session has no user to reset to: the reset in DISCARD ALL does nothing.
        self.run("set session authorization postgres")?;
        self.run("discard all")
    }

    /// Rolls back the transaction that the session is in, if it is in one.
    pub(crate) fn roll_back(&mut self) -> Result<(), Fatal> {
        if self.status != IDLE {
            self.run("rollback")?;
            self.status = IDLE;
        }
        Ok(())
    }

    /// Changes a setting of the session.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Fatal> {
        self.postgres
            .sql("select set_config($1, $2, false)")
            .bind(name)
            .bind(value)
            .query()
            .map(drop)
            .map_err(|error| Fatal::engine(&error))
    }

    /// The `ParameterStatus` messages for a new connection.
    pub(crate) fn parameters(&self) -> &[u8] {
        &self.parameters
    }

    /// Writes everything down and ends the engine.
    pub(crate) fn close(&mut self) -> Result<(), Error> {
        // Should the engine have failed, closing it says so as well.
        let _ = self.roll_back();
        Ok(self.postgres.close()?)
    }

    fn run(&mut self, sql: &str) -> Result<(), Fatal> {
        self.postgres
            .exec(sql)
            .map(drop)
            .map_err(|error| Fatal::engine(&error))
    }
}

fn in_use_or(error: oliphaunt_wasix::Error, path: &Path) -> Error {
    match error.storage_error() {
        Some(details) if details.code() == StorageErrorCode::Busy => Error::InUse {
            path: path.to_owned(),
        },
        _ => error.into(),
    }
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
