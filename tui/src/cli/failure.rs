//! Why a command failed, and its exit code.

use std::path::Path;

use frontdesk::RunError;
use frontdesk::import::{ImportError, SheetError};
use frontdesk::local::LocalError;
use frontdesk_client::CallError;
use frontdesk_protocol::ErrorCode;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("{0}")]
    Usage(String),
    #[error("not signed in; run `frontdesk login --url BASE --email E`, or with --provider NAME")]
    SignedOut,
    #[error("address or password is wrong")]
    WrongPassword,
    /// A third-party server requires a sign-in.
    #[error("{0}")]
    Refused(String),
    /// Rows of an import.
    #[error("rows that were not imported: {0}")]
    Rows(usize),
    /// Tapes that failed, of those played.
    #[error("{0} of {1} tapes failed")]
    Tapes(usize, usize),
    /// A check of a server failed; it is said before.
    #[error("the check of {0} failed")]
    Unwell(&'static str),
    /// Calls whose results are not as expected, of those made.
    #[error("{0} of {1} calls are not as expected")]
    Unmet(usize, usize),
    /// What two servers offer differs.
    #[error("they differ")]
    Different,
    /// The result is not as expected, which is said before.
    #[error("the result is not as expected")]
    Unexpected,
    /// The result contradicts the output schema, which is said before.
    #[error("the result is not what the tool declares")]
    Contradiction,
    /// The result of a preview.
    #[error("the call would change nothing")]
    NoChange,
    /// The record that a tool returns does not exist; the message is the host's.
    #[error("{0}")]
    NotFound(String),
    #[error("interrupted")]
    Interrupted,
    #[error(transparent)]
    Call(CallError),
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file, by the name that the user gave, or as what it is known.
    #[error("{0}: {1}")]
    File(String, #[source] std::io::Error),
    #[cfg(feature = "demo")]
    #[error("the demo cannot start: {0}")]
    Demo(#[from] frontdesk_server::server::StartError),
    #[cfg(feature = "demo")]
    #[error("the demo's database did not close cleanly: {0}")]
    DemoEnd(#[from] frontdesk_server::database::OpenError),
    #[error("the hosts of this machine ([local] in the configuration): {0}")]
    Local(#[from] LocalError),
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::SignedOut(_) => Failure::SignedOut,
            error => Failure::Call(error),
        }
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Usage(message) => Failure::Usage(message),
            ImportError::Call(error) => Failure::Call(error),
            ImportError::File(what, error) => Failure::file(what, error),
        }
    }
}

impl Failure {
    /// A file that is known by a name of this program.
    pub(super) fn file(what: &str, error: std::io::Error) -> Failure {
        Failure::File(what.to_owned(), error)
    }

    /// A file that the user gave.
    pub(super) fn at(path: &Path, error: std::io::Error) -> Failure {
        Failure::File(path.display().to_string(), error)
    }

    /// A file of an import.
    pub(super) fn sheet(path: &Path, error: SheetError) -> Failure {
        match error {
            SheetError::File(error) => Failure::at(path, error),
            error => Failure::Usage(format!("{}: {error}", path.display())),
        }
    }

    /// 1 for a failure of the host or of a file, 130 as in shells after ctrl-c.
    pub(super) fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::SignedOut | Failure::WrongPassword | Failure::Refused(_) => 3,
            Failure::Rows(_) => 5,
            Failure::NoChange => 9,
            Failure::NotFound(_) => 11,
            Failure::Contradiction | Failure::Unexpected => 10,
            Failure::Interrupted => 130,
            Failure::Call(error) => code_of(error),
            Failure::Tapes(..)
            | Failure::Unwell(_)
            | Failure::Unmet(..)
            | Failure::Different
            | Failure::Run(_)
            | Failure::File(..)
            | Failure::Local(_) => 1,
            #[cfg(feature = "demo")]
            Failure::Demo(_) | Failure::DemoEnd(_) => 1,
        }
    }
}

/// The exit code after a call with this error.
fn code_of(error: &CallError) -> u8 {
    match error {
        CallError::SignedOut(_) | CallError::AccountClosed(_) => 3,
        CallError::Forbidden(_) => 4,
        CallError::Tool(refusal) => match refusal.code {
            ErrorCode::InvalidArgument | ErrorCode::Conflict | ErrorCode::Refused => 5,
            ErrorCode::NotFound => 11,
            ErrorCode::Unauthorized => 3,
            ErrorCode::Forbidden => 4,
            ErrorCode::RateLimited | ErrorCode::Unavailable => 7,
            ErrorCode::OutcomeUnknown => 8,
            ErrorCode::Internal => 1,
        },
        CallError::Unreachable { .. } => 6,
        CallError::RateLimited { .. } | CallError::Busy { .. } => 7,
        CallError::OutcomeUnknown(_) => 8,
        CallError::Host { .. } | CallError::Failed(_) | CallError::Protocol(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use frontdesk_protocol::ToolError;

    use super::*;

    #[test]
    fn each_error_of_a_call_has_a_documented_code() {
        let text = || "no more paper".to_owned();
        let refusal = |code| ToolError::new(code, text());
        let retry_after = Duration::from_secs(9);
        let unreachable = CallError::Unreachable {
            host: text(),
            reason: text(),
        };
        let host = CallError::Host {
            status: 500,
            message: text(),
        };
        let mut cases = vec![
            (CallError::SignedOut(text()), 3),
            (CallError::AccountClosed(text()), 3),
            (CallError::Forbidden(refusal(ErrorCode::Forbidden)), 4),
            (unreachable, 6),
            (CallError::RateLimited { retry_after }, 7),
            (CallError::Busy { retry_after }, 7),
            (CallError::no_answer(text()), 8),
            (CallError::unclear(text()), 8),
            (host, 1),
            (CallError::Failed(text()), 1),
            (CallError::Protocol(text()), 1),
        ];
        let codes = [5, 11, 5, 5, 3, 4, 7, 7, 8, 1];
        let refusals = ErrorCode::ALL.into_iter().zip(codes);
        cases.extend(refusals.map(|(code, exit)| (CallError::Tool(refusal(code)), exit)));
        assert_eq!(codes.len(), ErrorCode::ALL.len());
        let page = include_str!("../../../docs/command-line.md");
        for (error, code) in cases {
            assert_eq!(code_of(&error), code, "{error:?}");
            assert_eq!(error.may_be_done() || code == 8, code == 8, "{error:?}");
            assert!(page.contains(&format!("\n| {code} | ")), "{code}");
        }
    }
}
