//! The errors of a call, grouped by what the user can do about them.

use std::time::Duration;

use frontdesk_protocol::ToolError;

/// Why a call brought no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// Nobody is signed in, or the token was refused and cannot be refreshed (HTTP 401).
    #[error("sign in again: {0}")]
    SignedOut(String),
    /// The account was deactivated or removed; its sign-ins have ended.
    #[error("{0}")]
    AccountClosed(String),
    /// The caller lacks permission (HTTP 403).
    #[error("not permitted: {}", .0.message)]
    Forbidden(ToolError),
    /// The tool refused. The error can name a field.
    #[error("{}", .0.message)]
    Tool(ToolError),
    /// Too many calls (HTTP 429). Retry after this time.
    #[error("too many calls; wait {} s", .retry_after.as_secs())]
    RateLimited {
        /// The time to wait.
        retry_after: Duration,
    },
    /// The host is overloaded (HTTP 503 with `Retry-After`): the call was not executed. Retry after
    /// this time.
    #[error("the host is busy and did nothing; wait {} s", .retry_after.as_secs())]
    Busy {
        /// The time to wait.
        retry_after: Duration,
    },
    /// The host cannot be reached: the call was not executed.
    #[error("{host} cannot be reached: {reason}")]
    Unreachable {
        /// The address that was tried.
        host: String,
        /// The error of the network.
        reason: String,
    },
    /// The call was sent, but no answer arrived: it may have been executed.
    #[error("no answer: it may or may not have been done ({0})")]
    OutcomeUnknown(String),
    /// The host failed (5xx), or answered with another unexpected status.
    #[error("the host failed (HTTP {status}): {message}")]
    Host {
        /// The HTTP status.
        status: u16,
        /// Its message.
        message: String,
    },
    /// The answer violates the protocol.
    #[error("the answer cannot be read: {0}")]
    Protocol(String),
}

impl CallError {
    /// Whether the same call can be retried later: the call is valid, but the host could not be
    /// reached.
    pub fn is_transient(&self) -> bool {
        match self {
            CallError::RateLimited { .. }
            | CallError::Busy { .. }
            | CallError::Unreachable { .. }
            | CallError::OutcomeUnknown(_)
            | CallError::Protocol(_) => true,
            CallError::Host { status, .. } => *status >= 500,
            CallError::SignedOut(_)
            | CallError::AccountClosed(_)
            | CallError::Forbidden(_)
            | CallError::Tool(_) => false,
        }
    }
}
