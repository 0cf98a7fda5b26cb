//! Why a flight failed.

use std::io;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::{ErrorFields, ErrorResponseBody, NoticeResponseBody};
use tokio_postgres::error::SqlState;

/// Why a flight failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No server could be reached, or none matched `target_session_attrs`.
    #[error("{0}")]
    Unreachable(io::Error),
    /// The database refused or aborted the login.
    #[error(transparent)]
    Connect(#[from] tokio_postgres::Error),
    /// PostgreSQL refused a statement. It skipped the rest of the flight.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The connection was lost. The statements sent may have been executed.
    #[error("the connection to the database was lost: {0}")]
    Lost(io::Error),
    /// A value does not fit the parameter's type. Nothing was sent.
    #[error("parameter {number} cannot be sent: {cause}")]
    Parameter {
        /// The parameter, counted from 1.
        number: usize,
        /// Why the conversion failed.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The number of parameters is wrong. Nothing was sent.
    #[error("the statement takes {expected} parameters and {given} were given")]
    Parameters {
        /// The number of parameters of the statement.
        expected: usize,
        /// The number of values passed.
        given: usize,
    },
    /// A value has a type that is not written as JSON, such as an interval, or is not in its format.
    #[error("column {column} cannot be written as JSON: {cause}")]
    Value {
        /// Its name.
        column: String,
        /// Why.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// An error on the connection of a session. Its text is part of the message, so it is not the source too.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Lost(error)
    }
}

impl Error {
    /// PostgreSQL's SQLSTATE if the server refused a statement or the login.
    pub fn code(&self) -> Option<&SqlState> {
        match self {
            Error::Refused(refusal) => Some(&refusal.code),
            Error::Connect(error) => error.code(),
            _ => None,
        }
    }

    /// PostgreSQL's error for a statement.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    pub(crate) fn closed() -> Error {
        Error::Lost(io::Error::new(
            io::ErrorKind::NotConnected,
            "it was closed before",
        ))
    }

    pub(crate) fn unexpected(what: impl Into<String>) -> Error {
        Error::Lost(io::Error::new(io::ErrorKind::InvalidData, what.into()))
    }
}

/// The fields of PostgreSQL's error that a caller can use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The SQLSTATE.
    pub code: SqlState,
    /// One sentence, in the server's language.
    pub message: String,
    /// The affected table, if PostgreSQL names one.
    pub table: Option<String>,
    /// The affected column, if PostgreSQL names one.
    pub column: Option<String>,
    /// The violated constraint, if there is one.
    pub constraint: Option<String>,
    /// Whether it came before the last statement of its flight had begun.
    pub is_before_last: bool,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code.code(), self.message)
    }
}

impl Refusal {
    pub(crate) fn of(body: &ErrorResponseBody) -> io::Result<Refusal> {
        Refusal::read(body.fields())
    }

    /// What a notice at the end of a transaction means: a warning says that the wait for a synchronous standby has ended.
    /// The transaction is committed here, and is lost if the standby takes over.
    pub(crate) fn of_commit(body: &NoticeResponseBody) -> io::Result<Option<Refusal>> {
        let notice = Refusal::read(body.fields())?;
        let is_doubtful = matches!(notice.code, SqlState::WARNING | SqlState::ADMIN_SHUTDOWN);
        Ok(is_doubtful.then_some(Refusal {
            code: SqlState::TRANSACTION_RESOLUTION_UNKNOWN,
            ..notice
        }))
    }

    fn read(mut fields: ErrorFields<'_>) -> io::Result<Refusal> {
        let mut refusal = Refusal {
            code: SqlState::INTERNAL_ERROR,
            message: String::new(),
            table: None,
            column: None,
            constraint: None,
            is_before_last: false,
        };
        while let Some(field) = fields.next()? {
            let value = String::from_utf8_lossy(field.value_bytes());
            match field.type_() {
                b'C' => refusal.code = SqlState::from_code(&value),
                b'M' => refusal.message = value.into_owned(),
                b't' => refusal.table = Some(value.into_owned()),
                b'c' => refusal.column = Some(value.into_owned()),
                b'n' => refusal.constraint = Some(value.into_owned()),
                _ => {}
            }
        }
        Ok(refusal)
    }
}
