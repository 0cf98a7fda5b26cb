//! What a grant answers.

use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::id::UserId;
use serde::Serialize;

/// Tokens, and refusals of them, are nobody's to keep on the way.
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What a grant answers.
#[derive(Clone, Serialize)]
pub struct Tokens {
    /// The bearer token, a JWT.
    pub access_token: String,
    /// `bearer`.
    pub token_type: &'static str,
    /// For how many seconds the access token is good.
    pub expires_in: i64,
    /// When it expires, in seconds since 1970.
    pub expires_at: i64,
    /// What to send for the next access token.
    pub refresh_token: String,
    /// Who signed in.
    pub user: Account,
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

/// Who signed in.
#[derive(Clone, Serialize)]
pub struct Account {
    /// The account: the token's subject.
    pub id: UserId,
    /// The address that it signs in with.
    pub email: String,
    /// `authenticated`.
    pub aud: &'static str,
    /// `authenticated`: what a caller may do is in the database, not in the token.
    pub role: &'static str,
}

impl Account {
    pub(super) fn new(id: UserId, email: String) -> Self {
        Account {
            id,
            email,
            aud: super::claims::AUDIENCE,
            role: super::claims::AUDIENCE,
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
