//! Why a flight brought nothing.

use std::io;

use fallible_iterator::FallibleIterator;
use postgres_protocol::message::backend::ErrorResponseBody;
use tokio_postgres::error::SqlState;

/// Why a flight brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No server of the address could be reached, or none was of the wanted kind.
    #[error("{0}")]
    Unreachable(io::Error),
    /// The database refused the login, or broke it off.
    #[error(transparent)]
    Connect(#[from] tokio_postgres::Error),
    /// PostgreSQL refused a statement. What followed it in the flight was not run.
    #[error("{0}")]
    Refused(Box<Refusal>),
    /// The connection was lost. What was sent may have been run.
    #[error("the connection to the database was lost: {0}")]
    Lost(io::Error),
    /// A value is not one for the type that PostgreSQL takes there. Nothing was sent.
    #[error("parameter {number} cannot be sent: {cause}")]
    Parameter {
        /// Which, from 1 on.
        number: usize,
        /// What is wrong with it.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A statement has another number of parameters than were given. Nothing was sent.
    #[error("the statement takes {expected} parameters and {given} were given")]
    Parameters {
        /// As many as PostgreSQL takes.
        expected: usize,
        /// As many as there were.
        given: usize,
    },
}

/// While a session is spoken over. What it says is part of the message, and so not told as its source again.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Lost(error)
    }
}

impl Error {
    /// What PostgreSQL said, where it was the one who refused, a login included.
    pub fn code(&self) -> Option<&SqlState> {
        match self {
            Error::Refused(refusal) => Some(&refusal.code),
            Error::Connect(error) => error.code(),
            _ => None,
        }
    }

    /// What PostgreSQL said of a statement.
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

/// A statement that PostgreSQL refused: what of its answer tells a caller what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The SQLSTATE.
    pub code: SqlState,
    /// What is wrong, in a sentence.
    pub message: String,
    /// The table that it is about.
    pub table: Option<String>,
    /// The column that it is about.
    pub column: Option<String>,
    /// The constraint that does not hold.
    pub constraint: Option<String>,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code.code(), self.message)
    }
}

impl Refusal {
    pub(crate) fn of(body: &ErrorResponseBody) -> io::Result<Refusal> {
        let mut refusal = Refusal {
            code: SqlState::INTERNAL_ERROR,
            message: String::new(),
            table: None,
            column: None,
            constraint: None,
        };
        let mut fields = body.fields();
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
