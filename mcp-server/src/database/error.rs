//! Maps errors of PostgreSQL and of transactions to tool errors.

use deadpool::managed::PoolError;
use frontdesk_postgres::{Error, Refusal};
use frontdesk_protocol::{ErrorCode, ToolError};
use serde_json::Value;
use tokio_postgres::error::SqlState;

use super::constraint::{self, Convention, Explanation, explain};
use super::source::OpenError;

/// Why a statement failed.
#[derive(Debug, thiserror::Error)]
pub enum TransactionError {
    /// No connection became free in time, or too many calls are waiting already. Nothing was sent.
    #[error("every connection is busy")]
    Busy,
    /// A new connection could not be opened.
    #[error(transparent)]
    Connect(OpenError),
    /// PostgreSQL refused the statement, or the connection was lost.
    #[error(transparent)]
    Statement(#[from] frontdesk_postgres::Error),
    /// The client had cancelled the call before its commit was sent.
    #[error("the call was cancelled")]
    Cancelled,
    /// A bug: the transaction had been committed with its last statement.
    #[error("the transaction is over")]
    Over,
}

impl From<PoolError<OpenError>> for TransactionError {
    fn from(error: PoolError<OpenError>) -> Self {
        match error {
            PoolError::Backend(error) => TransactionError::Connect(error),
            _ => TransactionError::Busy,
        }
    }
}

/// The message if a policy refuses a statement.
pub(crate) const FORBIDDEN: &str = "your role does not permit this";

/// The tool error of a database whose disk is full, whatever the database itself made of it.
pub(crate) fn full() -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "the database's disk is full; nothing was changed",
    )
    .hint("its administrator has to free space; reads still work")
}

/// The tool error of a call that its client has cancelled.
pub(crate) fn cancelled() -> ToolError {
    let message = "the call was cancelled; nothing was changed";
    ToolError::new(ErrorCode::Refused, message)
}

/// The tool error for a failed transaction.
pub fn refusal(error: &TransactionError) -> ToolError {
    match error {
        TransactionError::Statement(error) => match error {
            Error::Refused(refused) => statement(refused),
            Error::Lost(_) | Error::Unreachable(_) | Error::Connect(_) => unavailable(),
            // A bug: the server passed a wrong value.
            Error::Parameter { .. } | Error::Parameters { .. } | Error::Value { .. } => {
                internal(error)
            }
        },
        TransactionError::Busy => busy(),
        TransactionError::Connect(_) => unavailable(),
        TransactionError::Cancelled => cancelled(),
        TransactionError::Over => internal(error),
    }
}

/// The tool error for a failed deletion of a record of this kind, if other records are the reason.
pub fn refusal_to_delete(record: &str, error: &TransactionError) -> Option<ToolError> {
    let TransactionError::Statement(Error::Refused(refused)) = error else {
        return None;
    };
    let record = record.replace('_', " ");
    let referring = match (&refused.code, &refused.table) {
        // A trigger has counted the records that refer to it.
        (&SqlState::RESTRICT_VIOLATION, None) => refused.message.clone(),
        // Tables are named after their rows, in the plural.
        (&SqlState::FOREIGN_KEY_VIOLATION | &SqlState::RESTRICT_VIOLATION, Some(table)) => {
            format!("this {record} still has {}", table.replace('_', " "))
        }
        _ => return None,
    };
    let error = ToolError::new(ErrorCode::Conflict, referring).on("id");
    Some(error.hint(format!(
        "delete these first, or move them to another {record}"
    )))
}

/// The tool error for a failed commit. If the connection was lost during it, the outcome is unknown.
pub fn commit_refusal(error: &TransactionError) -> ToolError {
    let TransactionError::Statement(lost) = error else {
        return refusal(error);
    };
    // If PostgreSQL refuses, nothing was changed. A lost connection (class 08) and a server shutdown (class 57) can come
    // after the commit as well as before it, unless the COMMIT had not begun.
    let has_refused = lost.refusal().is_some_and(|refusal| {
        refusal.is_before_last
            || refusal.code == SqlState::QUERY_CANCELED
            || !matches!(&refusal.code.code()[..2], "08" | "57")
    });
    match has_refused {
        true => refusal(error),
        false => ToolError::new(
            ErrorCode::OutcomeUnknown,
            "the database was lost at the last step: it may or may not have been done",
        )
        .hint("check whether it was done before you send it again"),
    }
}

fn statement(error: &Refusal) -> ToolError {
    match &error.code {
        // Only a trigger's refusal names a constraint, and its message is written for users.
        &SqlState::INSUFFICIENT_PRIVILEGE => ToolError::new(
            ErrorCode::Forbidden,
            match error.constraint {
                Some(_) => &error.message,
                None => FORBIDDEN,
            },
        ),
        // After the token was issued, its account was deactivated or removed, or its sign-in ended. A session that may
        // not connect has no constraint.
        &SqlState::INVALID_AUTHORIZATION_SPECIFICATION if error.constraint.is_some() => {
            let refusal = ToolError::new(ErrorCode::Unauthorized, &error.message);
            match error.constraint.as_deref() {
                Some("account") => refusal
                    .on("account")
                    .hint("ask an owner of your organisation"),
                _ => refusal.hint("sign in again"),
            }
        }
        &SqlState::UNIQUE_VIOLATION | &SqlState::RESTRICT_VIOLATION => {
            violation(error, ErrorCode::Conflict)
        }
        &SqlState::FOREIGN_KEY_VIOLATION => violation(error, ErrorCode::NotFound),
        &SqlState::CHECK_VIOLATION => violation(error, ErrorCode::InvalidArgument),
        &SqlState::NOT_NULL_VIOLATION => {
            let error_ = ToolError::new(ErrorCode::InvalidArgument, "must not be empty");
            match &error.column {
                Some(column) => error_.on(column),
                None => error_,
            }
        }
        &SqlState::LOCK_NOT_AVAILABLE => ToolError::new(
            ErrorCode::Unavailable,
            "another change of the same record is not finished; nothing was changed",
        )
        .hint("try again in a moment"),
        &SqlState::QUERY_CANCELED => ToolError::new(
            ErrorCode::Unavailable,
            "the database took too long; nothing was changed",
        )
        .hint("try again, or ask for less"),
        &SqlState::T_R_SERIALIZATION_FAILURE | &SqlState::T_R_DEADLOCK_DETECTED => ToolError::new(
            ErrorCode::Unavailable,
            "another change came in between; nothing was changed",
        )
        .hint("try again"),
        &SqlState::DISK_FULL => full(),
        &SqlState::READ_ONLY_SQL_TRANSACTION => ToolError::new(
            ErrorCode::Unavailable,
            "the database is read-only; nothing was changed",
        )
        .hint("its administrator has to make it writable; reads still work"),
        code => match &code.code()[..2] {
            // Values that PostgreSQL cannot hold: a date too far away, a number too large.
            "22" | "54" => ToolError::new(
                ErrorCode::InvalidArgument,
                format!("a value cannot be stored: {}", error.message),
            ),
            // Connections refused or ended, and exhausted resources.
            "08" | "53" | "57" => unavailable(),
            _ => internal(error),
        },
    }
}

/// A violated constraint, or a rule that a function enforces: it raises the sentence as the message, and the argument
/// as the column.
fn violation(error: &Refusal, code: ErrorCode) -> ToolError {
    let Some(constraint) = error.constraint.as_deref() else {
        let refusal = ToolError::new(code, &error.message);
        return match &error.column {
            Some(field) => refusal.on(field),
            None => refusal,
        };
    };
    match explain(error.table.as_deref().unwrap_or_default(), constraint) {
        Some(Explanation::Own { field, sentence }) => ToolError::new(code, sentence).on(field),
        Some(Explanation::Named { field, convention }) => {
            ToolError::new(code, constraint::sentence(field, convention, None)).on(field)
        }
        None => ToolError::new(code, "a value is not accepted"),
    }
}

/// Names the value in the error for a duplicate, from the call's arguments.
pub(crate) fn with_value(error: ToolError, arguments: &Value) -> ToolError {
    let about = |value| {
        let field = error.field.as_deref()?;
        Some(constraint::sentence(field, Convention::Unique, value))
    };
    if error.code != ErrorCode::Conflict || about(None).as_ref() != Some(&error.message) {
        return error;
    }
    let value = error
        .field
        .as_deref()
        .and_then(|field| arguments.get(field)?.as_str());
    match value.and_then(|value| about(Some(value))) {
        Some(message) => ToolError { message, ..error },
        None => error,
    }
}

/// An argument refers to a record that does not exist or belongs to another organisation. The error must not
/// reveal which.
pub(crate) fn no_such_reference(field: &str) -> ToolError {
    let message = constraint::sentence(field, Convention::Reference, None);
    ToolError::new(ErrorCode::NotFound, message).on(field)
}

fn unavailable() -> ToolError {
    ToolError::new(ErrorCode::Unavailable, "the database cannot be reached")
        .hint("try again in a moment")
}

fn busy() -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "the host is overloaded; nothing was changed",
    )
    .hint("try again in a moment")
}

/// An error of the host. The caller is only told that there is one: the cause is logged, with the request's id.
pub(crate) fn internal(cause: impl std::fmt::Display) -> ToolError {
    tracing::error!(%cause, "the host failed");
    ToolError::new(ErrorCode::Internal, "the host failed; its log says more")
}
