//! Why nobody was let in, and the answer that says so. The bodies are those of supabase/auth.

use std::time::Duration;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::ErrorCode;
use serde_json::json;

use super::HashError;
use crate::database::{TransactionError, refusal};

/// Why an access token is refused. The message is plain ASCII without quotes: fit for the
/// `error_description` of `WWW-Authenticate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// There is none.
    #[error("a bearer token is required")]
    Missing,
    /// It is no JWT, or its claims cannot be read.
    #[error("the access token is malformed")]
    Malformed,
    /// It was good once.
    #[error("the access token has expired")]
    Expired,
    /// Its algorithm, signature or claims are not what this server takes.
    #[error("the access token is not valid here")]
    Invalid,
    /// The provider's keys could not be fetched, so nobody can tell.
    #[error("the identity provider cannot be reached to check the access token")]
    ProviderUnavailable,
}

/// Why no tokens are given out.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// No such account, an inactive one, or another password: which one is not told.
    #[error("Invalid login credentials")]
    InvalidCredentials,
    /// No such refresh token, or one that has expired or whose sign-in was ended.
    #[error("Invalid Refresh Token: Refresh Token Not Found")]
    RefreshTokenNotFound,
    /// Somebody used it before, and its child as well. Its sign-in is ended.
    #[error("Invalid Refresh Token: Already Used")]
    RefreshTokenAlreadyUsed,
    /// Too many passwords were tried for this address.
    #[error("Request rate limit reached: try again in {} s", seconds(.retry_after))]
    TooManyAttempts {
        /// When the next one may be tried.
        retry_after: Duration,
    },
    /// Too many passwords are being checked at once.
    #[error("Request rate limit reached: too many are signing in at once, try again in 1 s")]
    Busy,
    /// The tokens are another provider's.
    #[error("this server takes another identity provider's tokens: sign in and refresh there")]
    NotOurs,
    /// The request cannot be read.
    #[error("{msg}")]
    BadRequest {
        /// What kind of mistake.
        error_code: &'static str,
        /// What to send instead.
        msg: &'static str,
    },
    /// The body is too large.
    #[error("Request body too large")]
    TooLarge,
    /// The database did not do it.
    #[error(transparent)]
    Database(#[from] TransactionError),
    /// The server failed.
    #[error("{0}")]
    Internal(&'static str),
}

/// Whole seconds, rounded up: waiting as told is enough.
fn seconds(wait: &Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

impl AuthError {
    /// The status that answers it.
    pub fn status(&self) -> StatusCode {
        match self {
            AuthError::InvalidCredentials
            | AuthError::RefreshTokenNotFound
            | AuthError::RefreshTokenAlreadyUsed
            | AuthError::BadRequest { .. } => StatusCode::BAD_REQUEST,
            AuthError::TooManyAttempts { .. } | AuthError::Busy => StatusCode::TOO_MANY_REQUESTS,
            AuthError::NotOurs => StatusCode::NOT_FOUND,
            AuthError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            AuthError::Database(error) if is_unavailable(error) => StatusCode::SERVICE_UNAVAILABLE,
            AuthError::Database(_) | AuthError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The `error_code` of the answer.
    pub fn error_code(&self) -> &'static str {
        match self {
            AuthError::InvalidCredentials => "invalid_credentials",
            AuthError::RefreshTokenNotFound => "refresh_token_not_found",
            AuthError::RefreshTokenAlreadyUsed => "refresh_token_already_used",
            AuthError::TooManyAttempts { .. } | AuthError::Busy => "over_request_rate_limit",
            AuthError::NotOurs => "not_found",
            AuthError::BadRequest { error_code, .. } => error_code,
            AuthError::TooLarge => "request_too_large",
            AuthError::Database(error) if is_unavailable(error) => "unavailable",
            AuthError::Database(_) | AuthError::Internal(_) => "unexpected_failure",
        }
    }

    /// How long to wait before trying again, in seconds.
    fn retry_after(&self) -> Option<u64> {
        match self {
            AuthError::TooManyAttempts { retry_after } => Some(seconds(retry_after)),
            AuthError::Busy => Some(1),
            _ => None,
        }
    }
}

fn is_unavailable(error: &TransactionError) -> bool {
    refusal(error).code == ErrorCode::Unavailable
}

impl IntoResponse for AuthError {
    fn into_response(self) -> Response {
        let status = self.status();
        // What the database says is for the log.
        let msg = match &self {
            AuthError::Database(error) => {
                tracing::error!(%error, "identity: the database did not answer");
                refusal(error).message
            }
            AuthError::Internal(error) => {
                tracing::error!(error, "identity: failed");
                "the server failed; its log says more".to_owned()
            }
            error => error.to_string(),
        };
        let mut body = json!({
            "code": status.as_u16(),
            "error_code": self.error_code(),
            "msg": msg,
        });
        let retry_after = self.retry_after();
        if let Some(seconds) = retry_after {
            body["retry_after"] = seconds.into();
        }
        let mut response = (status, Json(body)).into_response();
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, super::tokens::NO_STORE);
        if let Some(seconds) = retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Why the server cannot tell who calls.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The keys could not be read from the database or written to it.
    #[error("the keys could not be loaded: {0}")]
    Database(#[from] TransactionError),
    /// A key in `app.secrets` is damaged.
    #[error("the key `{0}` in app.secrets cannot be read")]
    Key(&'static str),
    /// The shared secret is too short to sign with.
    #[error("the JWT secret must have at least 32 bytes")]
    ShortSecret,
    /// The client that fetches the provider's keys could not be set up.
    #[error("the provider's keys cannot be fetched: {0}")]
    Client(#[from] reqwest::Error),
    /// Passwords cannot be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
}
