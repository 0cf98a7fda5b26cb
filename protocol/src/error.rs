//! The error of a tool call.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::words::words;

words! {
    /// Why a call was refused: by a tool, or by the HTTP layer.
    ErrorCode {
        /// An argument is missing, unknown, of the wrong type or out of bounds; `field` names it.
        InvalidArgument = "invalid_argument",
        /// The record to change, or a referenced one, does not exist or is not visible to the caller.
        NotFound = "not_found",
        /// Another record already has a value that must be unique.
        Conflict = "conflict",
        /// A rule of the tool forbids the call in the current state of the data.
        Refused = "refused",
        /// The token is missing, invalid or expired (HTTP 401).
        Unauthorized = "unauthorized",
        /// The caller lacks the permission (HTTP 403).
        Forbidden = "forbidden",
        /// Too many calls (HTTP 429).
        RateLimited = "rate_limited",
        /// The host is busy or its database is unreachable; try again (HTTP 503).
        Unavailable = "unavailable",
        /// The database connection was lost before a change was confirmed: the change may or may not have been
        /// written (HTTP 504).
        OutcomeUnknown = "outcome_unknown",
        /// The host failed; the details are in its log only (HTTP 500).
        Internal = "internal",
    }
}

impl ErrorCode {
    /// Whether a write with this refusal may have been executed all the same. Of all others nothing was written.
    pub const fn may_be_done(self) -> bool {
        match self {
            ErrorCode::OutcomeUnknown => true,
            ErrorCode::InvalidArgument
            | ErrorCode::NotFound
            | ErrorCode::Conflict
            | ErrorCode::Refused
            | ErrorCode::Unauthorized
            | ErrorCode::Forbidden
            | ErrorCode::RateLimited
            | ErrorCode::Unavailable
            | ErrorCode::Internal => false,
        }
    }

    /// Whether the tool itself refuses: the answer is then a result with `isError`, and no status of HTTP (specification,
    /// section 4.1).
    pub const fn is_of_tool(self) -> bool {
        match self {
            ErrorCode::InvalidArgument
            | ErrorCode::NotFound
            | ErrorCode::Conflict
            | ErrorCode::Refused => true,
            ErrorCode::OutcomeUnknown
            | ErrorCode::Unauthorized
            | ErrorCode::Forbidden
            | ErrorCode::RateLimited
            | ErrorCode::Unavailable
            | ErrorCode::Internal => false,
        }
    }
}

/// The body of a refusal: `{"error": {"code", "message", "field"?, "hint"?, "retry_after_s"?, "details"?}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// The kind of refusal.
    pub code: ErrorCode,
    /// What is wrong, as text for people.
    pub message: String,
    /// The wrong argument, as a path: `name`, `tags.colour`, `member_ids[2]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What would be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The seconds until the same call can succeed, if the host knows them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
    /// Details for programs; the tool defines the format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Map<String, Value>>>,
}

/// The maximum size of each text of a refusal in bytes. A text that repeats what was sent ends there.
pub const TEXT_BYTES: usize = 4000;

/// The text of a refusal, cut at [`TEXT_BYTES`].
pub(crate) fn bounded(text: impl Into<String>) -> String {
    let mut text: String = text.into();
    if text.len() > TEXT_BYTES {
        text.truncate(text.floor_char_boundary(TEXT_BYTES - "…".len()));
        text.push('…');
    }
    text
}

impl ToolError {
    /// A refusal without field, hint and details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ToolError {
            code,
            message: bounded(message),
            field: None,
            hint: None,
            retry_after_s: None,
            details: None,
        }
    }

    /// An `invalid_argument` refusal of the argument `field`.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        ToolError::new(ErrorCode::InvalidArgument, message).on(field)
    }

    /// A `not_found` refusal for a kind of record such as `guest`.
    pub fn not_found(record: &str) -> Self {
        ToolError::new(
            ErrorCode::NotFound,
            format!(
                "there is no such {}, or you cannot see it",
                record.replace('_', " ")
            ),
        )
    }

    /// Sets the argument that is wrong.
    #[must_use]
    pub fn on(mut self, field: impl Into<String>) -> Self {
        self.field = Some(bounded(field));
        self
    }

    /// Renames `field` to `argument`, for an argument whose name differs from the field's.
    #[must_use]
    pub fn called(self, field: &str, argument: &str) -> Self {
        match self.field.as_deref() == Some(field) {
            true => self.on(argument),
            false => self,
        }
    }

    /// Sets the hint: what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(bounded(hint));
        self
    }

    /// Sets the time until the same call can succeed.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }

    /// Sets the details. A value that is not a JSON object is ignored.
    #[must_use]
    pub fn with(mut self, details: &impl Serialize) -> Self {
        if let Ok(Value::Object(details)) = serde_json::to_value(details) {
            self.details = Some(Box::new(details));
        }
        self
    }

    /// The details as `T`, or `None` if they are absent or of another type.
    pub fn details<T: DeserializeOwned>(&self) -> Option<T> {
        let details = self.details.as_deref()?.clone();
        serde_json::from_value(Value::Object(details)).ok()
    }
}

/// A [`ToolError`] in the envelope of a tool's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The refusal.
    pub error: ToolError,
}
