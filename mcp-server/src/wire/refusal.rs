//! Everything that a message can be answered with instead of a result: a JSON-RPC error with an HTTP status.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::rpc::{self, Id, code};
use frontdesk_protocol::{ErrorCode, ToolError};

/// A refusal to answer with.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    /// Boxed, to keep successful results small.
    error: Box<rpc::Error>,
    id: Option<Id>,
    headers: Vec<(header::HeaderName, String)>,
}

impl Refusal {
    /// The refusal with its error code's HTTP status.
    pub(super) fn new(error: &ToolError) -> Self {
        let status = match error.code {
            ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::OutcomeUnknown => StatusCode::GATEWAY_TIMEOUT,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::InvalidArgument
            | ErrorCode::NotFound
            | ErrorCode::Conflict
            | ErrorCode::Refused => StatusCode::BAD_REQUEST,
        };
        let mut error = error.clone();
        if error.code == ErrorCode::Unavailable {
            error = error.retry_after(1);
        }
        let refusal = Refusal::with_status(status, error.clone());
        // A client takes this header as confirmation that nothing was done.
        if let Some(seconds) = error.retry_after_s {
            return refusal.header(header::RETRY_AFTER, seconds.to_string());
        }
        match error.code {
            ErrorCode::Unauthorized => {
                let challenge = format!(
                    r#"Bearer error="invalid_token", error_description="{}""#,
                    error.message
                );
                refusal.header(header::WWW_AUTHENTICATE, challenge)
            }
            _ => refusal,
        }
    }

    /// Of a call that was given up.
    pub(super) fn too_slow() -> Self {
        Refusal::new(&ToolError::new(
            ErrorCode::OutcomeUnknown,
            "the call took too long; its outcome is unknown",
        ))
    }

    /// Of a call that its client has cancelled.
    pub(super) fn cancelled(error: &ToolError) -> Self {
        Refusal::with_status(StatusCode::OK, error.clone())
    }

    /// The refusal with a different status.
    pub(super) fn with_status(status: StatusCode, error: ToolError) -> Self {
        Refusal::rpc(status, rpc::Error::refusal(&error))
    }

    /// A JSON-RPC error with an HTTP status.
    pub(super) fn rpc(status: StatusCode, error: rpc::Error) -> Self {
        Refusal {
            status,
            error: Box::new(error),
            id: None,
            headers: Vec::new(),
        }
    }

    /// Sets the id of the refused request.
    pub(super) fn to(mut self, id: Option<Id>) -> Self {
        self.id = id;
        self
    }

    /// Sets the id of the refused request, unless it is known already.
    pub(super) fn or_to(mut self, id: Option<Id>) -> Self {
        self.id = self.id.or(id);
        self
    }

    /// Adds a header.
    pub(super) fn header(mut self, name: header::HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Whether the same request can succeed later.
    pub(super) fn passes(&self) -> bool {
        matches!(
            self.status,
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS
        )
    }

    /// The request's id and the JSON-RPC error, for a batch.
    pub(super) fn into_parts(self) -> (Option<Id>, rpc::Error) {
        (self.id, *self.error)
    }
}

/// The refusal of parameters.
pub(super) fn invalid(message: impl Into<String>) -> Refusal {
    rpc::Error::new(code::INVALID_PARAMS, message).into()
}

/// An error of the message itself, which JSON-RPC answers with status 200.
impl From<rpc::Error> for Refusal {
    fn from(error: rpc::Error) -> Self {
        Refusal::rpc(StatusCode::OK, error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = rpc::Response::<()>::error(self.id, *self.error);
        let mut response = (self.status, Json(body)).into_response();
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}
