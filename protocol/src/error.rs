//! What a tool answers when it cannot do what was asked.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::words::words;

words! {
    /// Why a call was refused. One list for every tool and for the HTTP refusals around them.
    ErrorCode {
        /// An argument is missing, unknown, of the wrong type or out of bounds; `field` names it.
        InvalidArgument = "invalid_argument",
        /// The row to change, or one that was referred to, is not there or not visible.
        NotFound = "not_found",
        /// Another row already has what must be unique.
        Conflict = "conflict",
        /// A guard of the tool refuses: the state of the data does not allow it.
        Refused = "refused",
        /// No token, or one that is not valid any more (HTTP 401).
        Unauthorized = "unauthorized",
        /// The caller may not do this (HTTP 403).
        Forbidden = "forbidden",
        /// Too many calls (HTTP 429).
        RateLimited = "rate_limited",
        /// The host is busy or its database is away; try again (HTTP 503).
        Unavailable = "unavailable",
        /// The database was lost before it said how a change ended: it may or may not have been done (HTTP
        /// 504).
        OutcomeUnknown = "outcome_unknown",
        /// The host failed; the message says nothing more, its log does (HTTP 500).
        Internal = "internal",
    }
}

/// The body of a refusal: `{"error": {"code", "message", "field"?, "hint"?, "details"?}}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct ToolError {
    /// What kind of refusal this is.
    pub code: ErrorCode,
    /// What is wrong, for a person to read.
    pub message: String,
    /// The argument that is wrong, as a path: `name`, `tags.colour`, `member_ids[2]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What would be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// More of it, for programs: what it is, the tool says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Map<String, Value>>>,
}

impl ToolError {
    /// A refusal of this kind.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        ToolError {
            code,
            message: message.into(),
            field: None,
            hint: None,
            details: None,
        }
    }

    /// The argument `field` is wrong.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        ToolError::new(ErrorCode::InvalidArgument, message).on(field)
    }

    /// There is no such record, or the caller cannot see it.
    pub fn not_found(record: &str) -> Self {
        ToolError::new(
            ErrorCode::NotFound,
            format!(
                "there is no such {}, or you cannot see it",
                record.replace('_', " ")
            ),
        )
    }

    /// The same refusal, naming the argument.
    #[must_use]
    pub fn on(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// The same refusal, where the argument of a field is called otherwise than the field.
    #[must_use]
    pub fn called(self, field: &str, argument: &str) -> Self {
        match self.field.as_deref() == Some(field) {
            true => self.on(argument),
            false => self,
        }
    }

    /// The same refusal, saying what would be right.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same refusal, with more of it for programs. What is no JSON object is left out.
    #[must_use]
    pub fn with(mut self, details: &impl Serialize) -> Self {
        if let Ok(Value::Object(details)) = serde_json::to_value(details) {
            self.details = Some(Box::new(details));
        }
        self
    }

    /// What the refusal carries for programs, if it carries that.
    pub fn details<T: DeserializeOwned>(&self) -> Option<T> {
        let details = self.details.as_deref()?.clone();
        serde_json::from_value(Value::Object(details)).ok()
    }
}

/// A [`ToolError`] in its envelope, as it stands in a tool's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// The refusal.
    pub error: ToolError,
}
