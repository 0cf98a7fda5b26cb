//! How a call can end other than well, by what a person can do about it.

use std::time::Duration;

use frontdesk_protocol::ToolError;

/// Why a call brought no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// Nobody is signed in, or the token is refused and cannot be refreshed (HTTP 401).
    #[error("sign in again: {0}")]
    SignedOut(String),
    /// The caller may not do this (HTTP 403).
    #[error("not permitted: {}", .0.message)]
    Forbidden(ToolError),
    /// The tool refused; the field it names, if any, is in the error.
    #[error("{}", .0.message)]
    Tool(ToolError),
    /// Too many calls (HTTP 429): the next one is welcome after this time.
    #[error("too many calls; wait {} s", .retry_after.as_secs())]
    RateLimited {
        /// How long to wait.
        retry_after: Duration,
    },
    /// The host has more to do than it can (HTTP 503 with `Retry-After`): nothing was done, and the call
    /// is welcome after this time.
    #[error("the host is busy and did nothing; wait {} s", .retry_after.as_secs())]
    Busy {
        /// How long to wait.
        retry_after: Duration,
    },
    /// The host cannot be reached; nothing was sent, or nothing that counts.
    #[error("{host} cannot be reached: {reason}")]
    Unreachable {
        /// The address that was tried.
        host: String,
        /// Why, as the network said.
        reason: String,
    },
    /// The call was sent and no answer came: it may or may not have been done.
    #[error("no answer: it may or may not have been done ({0})")]
    OutcomeUnknown(String),
    /// The host answered with a failure of its own (5xx), or with another status that says nothing
    /// about the call.
    #[error("the host failed (HTTP {status}): {message}")]
    Host {
        /// The HTTP status.
        status: u16,
        /// What it said, shortened.
        message: String,
    },
    /// The answer is not what the protocol says it must be.
    #[error("the answer cannot be read: {0}")]
    Protocol(String),
}

impl CallError {
    /// Whether the same call can be sent again later as it is: nothing is wrong with the call
    /// itself, only with reaching the host.
    pub fn is_transient(&self) -> bool {
        match self {
            CallError::RateLimited { .. }
            | CallError::Busy { .. }
            | CallError::Unreachable { .. }
            | CallError::OutcomeUnknown(_)
            | CallError::Protocol(_) => true,
            CallError::Host { status, .. } => *status >= 500,
            CallError::SignedOut(_) | CallError::Forbidden(_) | CallError::Tool(_) => false,
        }
    }
}
