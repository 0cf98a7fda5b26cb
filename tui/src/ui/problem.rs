//! Messages for failed calls: what happened, and what the user can do.

use frontdesk_client::CallError;
use frontdesk_protocol::ErrorCode;

use crate::look::mark::Mark;

/// The remedy for a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// A retry may help.
    Retry,
    /// Signing in again helps.
    SignIn,
    /// The request must be changed.
    Nothing,
}

/// The message for a failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Two or three words.
    pub(crate) title: &'static str,
    /// A sentence.
    pub(crate) what: String,
    /// A sentence about the consequence or the remedy; can be empty.
    pub(crate) help: String,
    pub(crate) remedy: Remedy,
}

impl Problem {
    /// The message for this error.
    pub(crate) fn of(error: &CallError) -> Problem {
        let problem = |title, what: String, help: &str, remedy| Problem {
            title,
            what,
            help: help.to_owned(),
            remedy,
        };
        match error {
            CallError::SignedOut(reason) => problem(
                "Signed out",
                format!("Your sign-in is no longer accepted: {}.", end(reason)),
                "Nothing that you typed is lost: you continue here after signing in again.",
                Remedy::SignIn,
            ),
            CallError::AccountClosed(reason) => problem(
                "Signed out",
                format!("{}.", sentence(reason)),
                "",
                Remedy::SignIn,
            ),
            CallError::Forbidden(refusal) => problem(
                "Not permitted",
                format!("{}.", sentence(&refusal.message)),
                refusal
                    .hint
                    .as_deref()
                    .unwrap_or("Your role does not allow this; ask a staff member."),
                Remedy::Nothing,
            ),
            CallError::Tool(refusal) => {
                let title = match refusal.code {
                    ErrorCode::InvalidArgument => "Not accepted",
                    ErrorCode::NotFound => "Not found",
                    ErrorCode::Conflict => "Conflict",
                    ErrorCode::Unavailable => "Host is busy",
                    ErrorCode::OutcomeUnknown => "Outcome unknown",
                    ErrorCode::Internal => "Host failed",
                    ErrorCode::RateLimited => "Too many calls",
                    ErrorCode::Refused | ErrorCode::Unauthorized | ErrorCode::Forbidden => {
                        "Refused"
                    }
                };
                let what = match &refusal.field {
                    Some(field) => format!("{field}: {}.", end(&refusal.message)),
                    None => format!("{}.", sentence(&refusal.message)),
                };
                let remedy = match refusal.code {
                    ErrorCode::Unavailable | ErrorCode::RateLimited | ErrorCode::Internal => {
                        Remedy::Retry
                    }
                    ErrorCode::InvalidArgument
                    | ErrorCode::NotFound
                    | ErrorCode::Conflict
                    | ErrorCode::Refused
                    | ErrorCode::Unauthorized
                    | ErrorCode::Forbidden
                    | ErrorCode::OutcomeUnknown => Remedy::Nothing,
                };
                problem(title, what, refusal.hint.as_deref().unwrap_or(""), remedy)
            }
            CallError::RateLimited { retry_after } => problem(
                "Too many calls",
                format!(
                    "The host asks to wait {} s (HTTP 429).",
                    retry_after.as_secs()
                ),
                "It is retried automatically after that.",
                Remedy::Retry,
            ),
            CallError::Busy { retry_after } => problem(
                "Host is busy",
                format!(
                    "The host is overloaded; it asks to wait {} s (HTTP 503).",
                    retry_after.as_secs()
                ),
                "Nothing was done. Try again after that.",
                Remedy::Retry,
            ),
            CallError::Unreachable { host, reason } => problem(
                match reason.starts_with("did not answer") {
                    true => "No answer",
                    false => "Host not reachable",
                },
                format!("{host} {}.", end(reason)),
                "Check the network and the address of the host.",
                Remedy::Retry,
            ),
            CallError::OutcomeUnknown(doubt) if doubt.is_answered => problem(
                "Unclear answer",
                format!("{}.", sentence(&doubt.reason)),
                "The host may have failed, or something on the way answers for it.",
                Remedy::Retry,
            ),
            CallError::OutcomeUnknown(doubt) => problem(
                "No answer",
                format!("The host did not answer: {}.", end(&doubt.reason)),
                "It may be overloaded, or the network is bad.",
                Remedy::Retry,
            ),
            CallError::Host {
                status: 404,
                message,
            } => problem(
                "Wrong address",
                format!("The address does not exist (HTTP 404): {}.", end(message)),
                "The address of the host in the configuration may be wrong.",
                Remedy::Retry,
            ),
            CallError::Host { status, message } => problem(
                "Host failed",
                format!("The host answered with HTTP {status}: {}.", end(message)),
                "See the log of the host for details.",
                Remedy::Retry,
            ),
            CallError::Failed(message) => problem(
                "Host failed",
                format!("The host answered with an error: {}.", end(message)),
                "See the log of the host for details.",
                Remedy::Retry,
            ),
            CallError::Protocol(reason) => problem(
                "Unreadable answer",
                format!("The answer is not from a Frontdesk host: {}.", end(reason)),
                "A proxy or the sign-in page of a network may have answered instead.",
                Remedy::Retry,
            ),
        }
    }

    /// The message for a failed write. A write that may have been executed is not reported as
    /// failed.
    pub(crate) fn of_write(error: &CallError) -> Problem {
        match error {
            CallError::OutcomeUnknown(doubt) => Problem {
                title: "Outcome unknown",
                what: match doubt.is_answered {
                    true => format!("{}.", sentence(&doubt.reason)),
                    false => format!("The host did not answer: {}.", end(&doubt.reason)),
                },
                help: "Check whether it was done before you try again.".to_owned(),
                remedy: Remedy::Nothing,
            },
            error => Problem::of(error),
        }
    }

    /// The message for a failed write, with a beginning such as `Not moved`. A write that may have
    /// been executed is not reported as failed.
    pub(crate) fn message(error: &CallError, failed: &str) -> (Mark, String) {
        let problem = Problem::of_write(error);
        match error {
            CallError::OutcomeUnknown(_) => (Mark::Warn, format!("{}.", end(&problem.line()))),
            _ => (Mark::Bad, format!("{failed}. {}", problem.line())),
        }
    }

    /// Title and text on one line.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}", self.title, self.what)
    }
}

/// The sentence without its full stop.
fn end(text: &str) -> &str {
    text.trim().trim_end_matches('.')
}

/// The sentence without its full stop, with an initial capital.
fn sentence(text: &str) -> String {
    let mut chars = end(text).chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use frontdesk_protocol::ToolError;

    use super::*;

    #[test]
    fn every_failure_says_what_happened() {
        let refusal = ToolError::new(ErrorCode::Forbidden, "a teacher cannot change events.");
        let cases = [
            (
                CallError::SignedOut("the token expired".into()),
                Remedy::SignIn,
            ),
            (CallError::Forbidden(refusal), Remedy::Nothing),
            (
                CallError::Tool(ToolError::not_found("guest")),
                Remedy::Nothing,
            ),
            (
                CallError::RateLimited {
                    retry_after: Duration::from_secs(12),
                },
                Remedy::Retry,
            ),
            (
                CallError::Busy {
                    retry_after: Duration::from_secs(1),
                },
                Remedy::Retry,
            ),
            (
                CallError::Unreachable {
                    host: "http://127.0.0.1:1".into(),
                    reason: "cannot be reached: connection refused".into(),
                },
                Remedy::Retry,
            ),
            (CallError::no_answer("timed out after 10 s"), Remedy::Retry),
            (
                CallError::Host {
                    status: 500,
                    message: "internal".into(),
                },
                Remedy::Retry,
            ),
            (CallError::Protocol("<html>".into()), Remedy::Retry),
        ];
        for (error, remedy) in cases {
            let problem = Problem::of(&error);
            assert_eq!(problem.remedy, remedy, "{error:?}");
            assert!(!problem.what.contains(".."), "{problem:?}");
            assert!(problem.what.ends_with('.'), "{problem:?}");
        }
    }
}
