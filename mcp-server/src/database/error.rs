//! Maps errors of PostgreSQL and of transactions to tool errors.

use frontdesk_postgres::{Error, Refusal};
use frontdesk_protocol::{ErrorCode, ToolError};
use tokio_postgres::error::SqlState;

use super::TransactionError;

/// The tool error for a failed transaction.
pub fn refusal(error: &TransactionError) -> ToolError {
    match error {
        TransactionError::Statement(error) => match error {
            Error::Refused(refused) => statement(refused),
            Error::Lost(_) | Error::Unreachable(_) | Error::Connect(_) => unavailable(),
            // A bug: the server passed a wrong value.
            Error::Parameter { .. } | Error::Parameters { .. } => internal(),
        },
        TransactionError::Busy => busy(),
        TransactionError::Connect(_) => unavailable(),
    }
}

/// The tool error for a failed deletion of a record of this kind.
pub fn refusal_to_delete(record: &str, error: &TransactionError) -> ToolError {
    let TransactionError::Statement(Error::Refused(refused)) = error else {
        return refusal(error);
    };
    // A trigger has already named the records that refer to it.
    if refused.constraint.as_deref() == Some("in_use") {
        return ToolError::new(ErrorCode::Conflict, &refused.message).on("id");
    }
    let referring = match refused.code {
        SqlState::FOREIGN_KEY_VIOLATION | SqlState::RESTRICT_VIOLATION => refused.table.as_deref(),
        _ => None,
    };
    let Some(table) = referring else {
        return refusal(error);
    };
    // Tables are named after their rows, in the plural.
    let (others, record) = (table.replace('_', " "), record.replace('_', " "));
    ToolError::new(
        ErrorCode::Conflict,
        format!("{others} refer to this {record}; nothing was deleted"),
    )
    .on("id")
    .hint(format!(
        "delete those first, or let them refer to another {record}"
    ))
}

/// The tool error for a failed commit. If the connection was lost during it, the outcome is unknown.
pub fn commit_refusal(error: &TransactionError) -> ToolError {
    let TransactionError::Statement(lost) = error else {
        return refusal(error);
    };
    // If PostgreSQL refuses, nothing was changed. A lost connection (class 08) and a server shutdown (class
    // 57) can come after the commit as well as before it.
    let has_refused = lost
        .code()
        .is_some_and(|code| !matches!(&code.code()[..2], "08" | "57"));
    match has_refused {
        true => refusal(error),
        false => ToolError::new(
            ErrorCode::OutcomeUnknown,
            "the database was lost at the last step: it may or may not have been done",
        )
        .hint("look whether it was done before you send it again"),
    }
}

fn statement(error: &Refusal) -> ToolError {
    match &error.code {
        // Only a trigger's refusal names a constraint, and its message is written for users.
        &SqlState::INSUFFICIENT_PRIVILEGE => ToolError::new(
            ErrorCode::Forbidden,
            match error.constraint {
                Some(_) => &error.message,
                None => "your role does not permit this",
            },
        ),
        &SqlState::UNIQUE_VIOLATION => {
            // A constraint can have its message as its name: "id is reversed already".
            match in_words(error) {
                Some((field, message)) => ToolError::new(ErrorCode::Conflict, message).on(field),
                None => {
                    let error_ = ToolError::new(
                        ErrorCode::Conflict,
                        "there is already a record with this value",
                    );
                    named(error_, error, "_key")
                }
            }
        }
        &SqlState::FOREIGN_KEY_VIOLATION => named(no_such_reference(), error, "_fkey"),
        &SqlState::CHECK_VIOLATION => {
            // A check can have its message as its name: "end_at must not be before start_at".
            match in_words(error) {
                Some((field, message)) => ToolError::invalid(field, message),
                None => {
                    let error_ = ToolError::new(ErrorCode::InvalidArgument, "is not valid");
                    named(error_, error, "_check")
                }
            }
        }
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
        &SqlState::DISK_FULL => ToolError::new(
            ErrorCode::Unavailable,
            "the database's disk is full; nothing was changed",
        )
        .hint("its administrator has to make room; reading goes on"),
        code => match &code.code()[..2] {
            // Values that PostgreSQL cannot hold: a date too far away, a number too large.
            "22" | "54" => ToolError::new(
                ErrorCode::InvalidArgument,
                format!("a value cannot be stored: {}", error.message),
            ),
            // Connections refused or ended, and exhausted resources.
            "08" | "53" | "57" => unavailable(),
            _ => internal(),
        },
    }
}

/// An argument refers to a record that does not exist or belongs to another organisation. The error must not
/// reveal which.
pub(crate) fn no_such_reference() -> ToolError {
    ToolError::new(
        ErrorCode::NotFound,
        "there is no such record, or it is not your organisation's",
    )
}

/// The field and the message, if the constraint's name contains both.
fn in_words(error: &Refusal) -> Option<(&str, &str)> {
    error.constraint.as_deref()?.split_once(' ')
}

/// Adds the field to the error, from a constraint named `{table}_{field}_{kind}`.
fn named(refusal: ToolError, error: &Refusal, kind: &str) -> ToolError {
    let field = error
        .constraint
        .as_deref()
        .and_then(|constraint| constraint.strip_suffix(kind))
        .zip(error.table.as_deref())
        .and_then(|(constraint, table)| constraint.strip_prefix(table)?.strip_prefix('_'));
    match field {
        Some(field) => refusal.on(field),
        None => refusal,
    }
}

fn unavailable() -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "the database cannot be reached just now",
    )
    .hint("try again in a moment")
}

fn busy() -> ToolError {
    ToolError::new(
        ErrorCode::Unavailable,
        "the host has more to do than it can just now; nothing was changed",
    )
    .hint("try again in a moment")
}

/// An error of the host. The cause is only logged.
pub(crate) fn internal() -> ToolError {
    ToolError::new(ErrorCode::Internal, "the host failed; its log says more")
}

/// An error with its chain of causes: the outermost message alone often says little.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
