//! The errors of a call, grouped by what the user can do about them.

use std::time::Duration;

use frontdesk_protocol::ToolError;
use jiff::SignedDuration;

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
    /// The host cannot be reached, or did not answer a call that changes nothing.
    #[error("{host} {reason}")]
    Unreachable {
        /// The address that was tried.
        host: String,
        /// What happened, as the rest of a sentence about the host: `cannot be reached: …`,
        /// `did not answer: …`.
        reason: String,
    },
    /// The call was sent, but no answer arrived, or one that does not say what happened: it may have
    /// been executed.
    #[error("outcome unknown: it may or may not have been done ({0})")]
    OutcomeUnknown(Doubt),
    /// The host failed (5xx), or answered with another unexpected status.
    #[error("the host failed (HTTP {status}): {message}")]
    Host {
        /// The HTTP status.
        status: u16,
        /// Its message.
        message: String,
    },
    /// The server answered with an error that is not about the call.
    #[error("the server failed: {0}")]
    Failed(String),
    /// The answer violates the protocol.
    #[error("the answer cannot be read: {0}")]
    Protocol(String),
}

/// Why the outcome of a call is unknown.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{reason}")]
pub struct Doubt {
    /// What happened, for people.
    pub reason: String,
    /// Whether there was an answer, which does not say what happened.
    pub is_answered: bool,
}

impl CallError {
    /// No answer arrived.
    pub fn no_answer(reason: impl Into<String>) -> Self {
        CallError::OutcomeUnknown(Doubt {
            reason: reason.into(),
            is_answered: false,
        })
    }

    /// The answer does not say what happened.
    pub fn unclear(reason: impl Into<String>) -> Self {
        CallError::OutcomeUnknown(Doubt {
            reason: reason.into(),
            is_answered: true,
        })
    }

    /// The error of a call whose answer cannot be read: if the call writes, its outcome is unknown.
    pub fn of_call(self, is_safe: bool) -> Self {
        match self {
            CallError::Protocol(_) if !is_safe => CallError::unclear(self.to_string()),
            error => error,
        }
    }

    /// Whether a write with this error may have been executed. Decided where the answer is read, by what the host says
    /// ([`ErrorCode::may_be_done`]) or by its status: of every other error nothing was done.
    ///
    /// [`ErrorCode::may_be_done`]: frontdesk_protocol::ErrorCode::may_be_done
    pub fn may_be_done(&self) -> bool {
        match self {
            CallError::OutcomeUnknown(_) => true,
            CallError::SignedOut(_)
            | CallError::AccountClosed(_)
            | CallError::Forbidden(_)
            | CallError::Tool(_)
            | CallError::RateLimited { .. }
            | CallError::Busy { .. }
            | CallError::Unreachable { .. }
            | CallError::Host { .. }
            | CallError::Failed(_)
            | CallError::Protocol(_) => false,
        }
    }

    /// The time after which the host accepts a call that it has not made.
    pub fn wait(&self) -> Option<SignedDuration> {
        match self {
            CallError::RateLimited { retry_after } | CallError::Busy { retry_after } => {
                Some(SignedDuration::try_from(*retry_after).unwrap_or(SignedDuration::MAX))
            }
            _ => None,
        }
    }

    /// Whether the same call can be retried later: the call is valid, but the host could not be
    /// reached.
    pub fn is_transient(&self) -> bool {
        match self {
            CallError::RateLimited { .. }
            | CallError::Busy { .. }
            | CallError::Unreachable { .. }
            | CallError::OutcomeUnknown(_)
            | CallError::Failed(_)
            | CallError::Protocol(_) => true,
            CallError::Host { status, .. } => *status >= 500,
            CallError::SignedOut(_)
            | CallError::AccountClosed(_)
            | CallError::Forbidden(_)
            | CallError::Tool(_) => false,
        }
    }
}
