//! The response of a grant.

use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::id::UserId;
use serde::Serialize;

/// Tokens, and refusals, must not be cached.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// The response of a grant.
#[derive(Clone, Serialize)]
pub struct Tokens {
    /// The bearer token, a JWT.
    pub access_token: String,
    /// `bearer`.
    pub token_type: &'static str,
    /// The lifetime of the access token in seconds.
    pub expires_in: i64,
    /// The end of its validity, in seconds since 1970.
    pub expires_at: i64,
    /// The refresh token for the next access token.
    pub refresh_token: String,
    /// The account that signed in.
    pub user: Account,
    /// The recovery codes, if the sign-in turned a second factor on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovery_codes: Option<Vec<String>>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("expires_at", &self.expires_at)
            .field("user", &self.user.id)
            .finish_non_exhaustive()
    }
}

impl IntoResponse for Tokens {
    fn into_response(self) -> Response {
        ([(header::CACHE_CONTROL, NO_STORE)], Json(self)).into_response()
    }
}

/// An account that signed in.
#[derive(Clone, Serialize)]
pub struct Account {
    /// The account's id: the token's subject.
    pub id: UserId,
    /// The e-mail address to sign in with.
    pub email: String,
    /// `authenticated`.
    pub aud: &'static str,
    /// `authenticated`: rights are in the database, not in the token.
    pub role: &'static str,
    /// The count of changes of its password and state when the sign-in began.
    #[serde(skip)]
    pub(super) epoch: i32,
}

impl Account {
    pub(super) fn new(id: UserId, email: String, epoch: i32) -> Self {
        Account {
            id,
            email,
            aud: super::claims::AUDIENCE,
            role: super::claims::AUDIENCE,
            epoch,
        }
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Account")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
