//! The errors of authentication, with their answers. The bodies have the format of supabase/auth.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::ErrorCode;
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::HashError;
use super::factor::Enrolment;
use super::sign_in::Found;
use crate::database::{TransactionError, quoted, refusal};

/// Why an access token is refused. The messages are plain ASCII without quotes, as the `error_description` of
/// `WWW-Authenticate` requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The request has no token.
    #[error("a bearer token is required")]
    Missing,
    /// The token is not a JWT, or its claims cannot be read.
    #[error("the access token is malformed")]
    Malformed,
    /// The token was valid and has expired.
    #[error("the access token has expired")]
    Expired,
    /// No accepted issuer has its key.
    #[error("the access token is signed with an unknown key: it is from another issuer")]
    UnknownKey,
    /// Its issuer is another one.
    #[error("the access token is from another issuer than this server accepts")]
    Issuer,
    /// It is for another service.
    #[error("the access token is for another audience than this server")]
    Audience,
    /// It will be valid later: one of the two clocks is wrong.
    #[error(
        "the access token is not valid yet: the clock of this server or of the issuer is wrong"
    )]
    NotYet,
    /// Its algorithm, signature or claims are not accepted.
    #[error("the access token is not valid here")]
    Invalid,
    /// The provider's keys could not be fetched, so the token cannot be checked.
    #[error("the identity provider cannot be reached to check the access token")]
    ProviderUnavailable,
}

impl TokenError {
    /// Whether a wrong setting or clock is the cause, rather than the caller.
    pub(crate) fn is_setup_mistake(&self) -> bool {
        use TokenError::{Audience, Issuer, NotYet, ProviderUnavailable, UnknownKey};
        matches!(
            self,
            UnknownKey | Issuer | Audience | NotYet | ProviderUnavailable
        )
    }

    /// The `WWW-Authenticate` header of the refusal, or `None` if the token is not the cause. `metadata` is the
    /// address of the resource's metadata (RFC 9728, section 5.1).
    pub fn challenge(&self, metadata: Option<&str>) -> Option<String> {
        let mut parameters = match self {
            // A request without a token gets no error code (RFC 6750, section 3.1).
            TokenError::Missing => Vec::new(),
            TokenError::ProviderUnavailable => return None,
            error => vec![
                r#"error="invalid_token""#.to_owned(),
                format!(r#"error_description="{error}""#),
            ],
        };
        if let Some(metadata) = metadata {
            parameters.push(format!(r#"resource_metadata="{metadata}""#));
        }
        let challenge = format!("Bearer {}", parameters.join(", "));
        Some(challenge.trim_end().to_owned())
    }
}

/// Why a request under `/auth/v1` is refused.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// No such account, an inactive account, or a wrong password. The error must not reveal which.
    #[error("Invalid login credentials")]
    InvalidCredentials,
    /// The password matches accounts at several organisations.
    #[error("The password fits accounts at several organisations: name one of {}", names(.0))]
    OrganizationRequired(Vec<Found>),
    /// The refresh token does not exist or has expired, or its sign-in has ended.
    #[error("Invalid Refresh Token: Refresh Token Not Found")]
    RefreshTokenNotFound,
    /// The refresh token was used before, and so was its child. Its sign-in is ended.
    #[error("Invalid Refresh Token: Already Used")]
    RefreshTokenAlreadyUsed,
    /// The account of the refresh token was deactivated.
    #[error("the account was deactivated; ask an owner of your organisation")]
    Deactivated,
    /// The account has a second factor, and no code was sent.
    #[error("A code is required: of your authenticator, or a recovery code (`code`)")]
    CodeRequired,
    /// The code of the second factor is wrong, or was used before; with what it was to confirm.
    #[error("The code is wrong, or was used before: wait for the next one of your authenticator")]
    WrongCode(Option<Box<Enrolment>>),
    /// The account has to turn a second factor on first.
    #[error(
        "Your organisation requires a second factor: add the key to an authenticator, and send `code` and `enrolment`"
    )]
    EnrolmentRequired(Box<Enrolment>),
    /// The account of the refresh token has to turn a second factor on.
    #[error("your organisation requires a second factor: sign in again to turn it on")]
    FactorMissing,
    /// The code does not exist or was used.
    #[error("invalid flow state, no valid flow state found")]
    CodeNotFound,
    /// The code has expired.
    #[error("invalid flow state, flow state has expired")]
    CodeExpired,
    /// The code's sign-in was begun by a different client.
    #[error("code challenge does not match previously saved code verifier")]
    WrongVerifier,
    /// Too many passwords were tried for this e-mail address.
    #[error("Request rate limit reached: try again in {} s", seconds(.retry_after))]
    TooManyAttempts {
        /// The time until the next attempt.
        retry_after: Duration,
    },
    /// Too many passwords are being checked.
    #[error("Request rate limit reached: too many people are signing in at once, try again in 1 s")]
    Busy,
    /// An external provider issues the tokens.
    #[error("this server takes another identity provider's tokens: sign in and refresh there")]
    NotOurs,
    /// The `apikey` header is missing.
    #[error("No API key found in request")]
    NoApiKey,
    /// The `apikey` header is not the public key.
    #[error("Invalid API key")]
    WrongApiKey,
    /// The access token is refused.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The access token only reads.
    #[error("this token only reads: use one of a sign-in")]
    ReadsOnly,
    /// The request cannot be parsed.
    #[error("{msg}")]
    BadRequest {
        /// The `error_code` of the answer.
        error_code: &'static str,
        /// What is wrong with the request.
        msg: &'static str,
    },
    /// The body is too large.
    #[error("Request body too large")]
    TooLarge,
    /// The transaction failed.
    #[error(transparent)]
    Database(#[from] TransactionError),
    /// An internal error; the text is for the log.
    #[error("{0}")]
    Internal(&'static str),
}

/// An organisation that a person is known to belong to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Organization {
    /// The organisation's id.
    pub id: Uuid,
    /// Its name; not unique.
    pub name: String,
}

fn names(accounts: &[Found]) -> String {
    let names = accounts.iter().map(|account| quoted(account.name()));
    names.collect::<Vec<_>>().join(", ")
}

/// Whole seconds, rounded up, so that waiting this long is enough.
fn seconds(wait: &Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}

impl AuthError {
    /// The HTTP status of the answer.
    pub fn status(&self) -> StatusCode {
        match self {
            AuthError::InvalidCredentials
            | AuthError::OrganizationRequired(_)
            | AuthError::RefreshTokenNotFound
            | AuthError::RefreshTokenAlreadyUsed
            | AuthError::Deactivated
            | AuthError::CodeRequired
            | AuthError::WrongCode(_)
            | AuthError::EnrolmentRequired(_)
            | AuthError::FactorMissing
            | AuthError::CodeNotFound
            | AuthError::CodeExpired
            | AuthError::WrongVerifier
            | AuthError::BadRequest { .. } => StatusCode::BAD_REQUEST,
            AuthError::TooManyAttempts { .. } | AuthError::Busy => StatusCode::TOO_MANY_REQUESTS,
            AuthError::NotOurs => StatusCode::NOT_FOUND,
            AuthError::Token(TokenError::ProviderUnavailable) => StatusCode::SERVICE_UNAVAILABLE,
            AuthError::NoApiKey | AuthError::WrongApiKey | AuthError::Token(_) => {
                StatusCode::UNAUTHORIZED
            }
            AuthError::ReadsOnly => StatusCode::FORBIDDEN,
            AuthError::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            AuthError::Database(error) if is_unavailable(error) => StatusCode::SERVICE_UNAVAILABLE,
            AuthError::Database(error) if is_closed(error) => StatusCode::UNAUTHORIZED,
            AuthError::Database(_) | AuthError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The `error_code` of the answer.
    pub fn error_code(&self) -> &'static str {
        match self {
            AuthError::InvalidCredentials => "invalid_credentials",
            AuthError::OrganizationRequired(_) => "organization_required",
            AuthError::RefreshTokenNotFound => "refresh_token_not_found",
            AuthError::RefreshTokenAlreadyUsed => "refresh_token_already_used",
            AuthError::Deactivated => "user_banned",
            AuthError::CodeRequired => "second_factor_required",
            AuthError::WrongCode(_) => "second_factor_wrong",
            AuthError::EnrolmentRequired(_) | AuthError::FactorMissing => "second_factor_enrolment",
            AuthError::CodeNotFound => "flow_state_not_found",
            AuthError::CodeExpired => "flow_state_expired",
            AuthError::WrongVerifier => "bad_code_verifier",
            AuthError::TooManyAttempts { .. } | AuthError::Busy => "over_request_rate_limit",
            AuthError::NotOurs => "not_found",
            AuthError::NoApiKey | AuthError::WrongApiKey => "no_authorization",
            AuthError::Token(TokenError::Missing) => "no_authorization",
            AuthError::Token(TokenError::ProviderUnavailable) => "unavailable",
            AuthError::Token(_) => "bad_jwt",
            AuthError::BadRequest { error_code, .. } => error_code,
            AuthError::ReadsOnly => "insufficient_scope",
            AuthError::TooLarge => "request_too_large",
            AuthError::Database(error) if is_unavailable(error) => "unavailable",
            AuthError::Database(error) if is_closed(error) => match refusal(error).field {
                Some(_) => "user_banned",
                None => "session_not_found",
            },
            AuthError::Database(_) | AuthError::Internal(_) => "unexpected_failure",
        }
    }

    /// The time until the next attempt, in seconds.
    pub(super) fn retry_after(&self) -> Option<u64> {
        match self {
            AuthError::TooManyAttempts { retry_after } => Some(seconds(retry_after)),
            AuthError::Busy | AuthError::Database(TransactionError::Busy) => Some(1),
            _ => None,
        }
    }
}

fn is_unavailable(error: &TransactionError) -> bool {
    refusal(error).code == ErrorCode::Unavailable
}

/// Whether the caller's account was deactivated or removed, or its sign-in has ended.
fn is_closed(error: &TransactionError) -> bool {
    refusal(error).code == ErrorCode::Unauthorized
}

impl AuthError {
    fn body(&self) -> serde_json::Value {
        // Database errors are only logged.
        let msg = match self {
            AuthError::Database(error) if is_closed(error) => refusal(error).message,
            AuthError::Database(error) => {
                tracing::error!(%error, "identity: a transaction failed");
                refusal(error).message
            }
            AuthError::Internal(error) => {
                tracing::error!(error, "identity: internal error");
                "the server failed; its log says more".to_owned()
            }
            error => error.to_string(),
        };
        match self {
            // With supabase/auth a gateway checks the key, and its errors have this format.
            AuthError::NoApiKey | AuthError::WrongApiKey => json!({
                "message": msg,
                "hint": "send the project's public key in the `apikey` header",
            }),
            error => json!({
                "code": error.status().as_u16(),
                "error_code": error.error_code(),
                "msg": msg,
            }),
        }
    }
}

impl IntoResponse for AuthError {
    fn into_response(self) -> Response {
        let mut body = self.body();
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, super::tokens::NO_STORE);
        if let Some(seconds) = self.retry_after() {
            body["retry_after"] = seconds.into();
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let AuthError::OrganizationRequired(accounts) = &self {
            let organizations = accounts.iter().filter_map(|it| it.organization.as_ref());
            body["organizations"] = organizations.map(|it| json!(it)).collect();
        }
        if let AuthError::EnrolmentRequired(enrolment) | AuthError::WrongCode(Some(enrolment)) =
            &self
        {
            body["enrolment"] = json!(enrolment);
        }
        if let AuthError::Token(error) = &self
            && let Some(challenge) = error.challenge(None)
            && let Ok(challenge) = challenge.try_into()
        {
            headers.insert(header::WWW_AUTHENTICATE, challenge);
        }
        (self.status(), headers, Json(body)).into_response()
    }
}

/// Why authentication cannot be set up.
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
    /// The HTTP client for an external provider could not be set up.
    #[error("the identity provider cannot be reached: {0}")]
    Client(#[from] reqwest::Error),
    /// Passwords cannot be hashed.
    #[error(transparent)]
    Hash(#[from] HashError),
}
