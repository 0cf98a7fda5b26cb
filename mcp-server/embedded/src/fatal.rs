//! Errors that end a connection.

use std::borrow::Cow;

use crate::{Error, reply};

/// The SQLSTATE `statement_too_complex`: a recursion was deeper than the engine's stack allows.
pub(crate) const STACK_DEPTH_EXCEEDED: &str = "54001";

/// An error that is sent to the client before its connection ends.
#[derive(Debug)]
pub(crate) struct Fatal {
    code: Cow<'static, str>,
    message: String,
}

impl Fatal {
    fn new(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
        }
    }

    /// PostgreSQL's own error, or `58000` if the engine gave no answer. In that case it is unknown
    /// whether the statement took effect.
    pub(crate) fn engine(error: &oliphaunt_wasix::Error) -> Self {
        match error.postgres_error() {
            Some(error) => {
                let code = error.sqlstate.clone().unwrap_or_else(|| "XX000".to_owned());
                Self::new(code, error.message.clone())
            }
            None => Self::new("58000", format!("the embedded database failed: {error}")),
        }
    }

    /// The engine could not be started again.
    pub(crate) fn start(error: &Error) -> Self {
        Self::new("58000", error.to_string())
    }

    /// The engine has failed for good.
    pub(crate) fn lost() -> Self {
        Self::new("57P02", Error::Lost.to_string())
    }

    /// The engine has to be restarted; the next connection restarts it.
    pub(crate) fn restart() -> Self {
        Self::new(
            "57P01",
            "the embedded database is restarted after a statement that exhausted it: connect again",
        )
    }

    /// Its SQLSTATE.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }

    /// The engine's answer is incomplete.
    pub(crate) fn incomplete() -> Self {
        Self::new("58000", "the embedded database gave an incomplete answer")
    }

    /// The database has been closed, or is being closed.
    pub(crate) fn closed() -> Self {
        Self::new("57P01", "the embedded database is closed")
    }

    /// Another connection holds the session and did not release it in time.
    pub(crate) fn busy() -> Self {
        Self::new(
            "53300",
            "the embedded database serves one connection at a time, and another one is open",
        )
    }

    /// The client broke the protocol.
    pub(crate) fn protocol(message: impl Into<String>) -> Self {
        Self::new("08P01", message)
    }

    /// The client requested a feature that the embedded engine lacks.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new("0A000", message)
    }

    /// A request is too long.
    pub(crate) fn too_long(limit: usize) -> Self {
        Self::new(
            "54000",
            format!("a request to the embedded database may have {limit} bytes at most"),
        )
    }

    /// The error as an `ErrorResponse` message.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        reply::error(&mut bytes, "FATAL", &self.code, &self.message);
        bytes
    }
}
