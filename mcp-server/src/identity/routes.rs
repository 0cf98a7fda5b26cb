//! The routes under `/auth/v1`, with the bodies of supabase/auth.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::claims::{AUDIENCE, Bearer};
use super::tokens::NO_STORE;
use super::{AuthError, Identity, TokenError, Tokens, session, sign_in};
use crate::database::{Access, Actor};

/// The most bytes that a body may have.
const MAX_BODY: usize = 8 * 1024;

/// How long others may keep the public keys, in seconds.
const KEYS_CACHED: &str = "public, max-age=600";

pub(super) fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/v1/token", post(token))
        .route("/auth/v1/.well-known/jwks.json", get(jwks))
        .route("/auth/v1/user", get(user))
        .route("/auth/v1/logout", post(logout))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// Which grant; a repeated parameter is none.
#[derive(Deserialize)]
struct Grant {
    grant_type: String,
}

#[derive(Deserialize)]
struct PasswordGrant {
    email: String,
    password: String,
}

#[derive(Deserialize)]
struct RefreshGrant {
    refresh_token: String,
}

async fn token(
    State(identity): State<Identity>,
    grant: Result<Query<Grant>, QueryRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Tokens, Response> {
    let provider = identity.provider().map_err(AuthError::into_response)?;
    if let Some(public_key) = &provider.settings.public_key {
        check_public_key(public_key, &headers)?;
    }
    grant_tokens(&identity, grant, body)
        .await
        .map_err(AuthError::into_response)
}

async fn grant_tokens(
    identity: &Identity,
    grant: Result<Query<Grant>, QueryRejection>,
    body: Result<Bytes, BytesRejection>,
) -> Result<Tokens, AuthError> {
    let grant_type = grant
        .map(|Query(grant)| grant.grant_type)
        .unwrap_or_default();
    match grant_type.as_str() {
        "password" => {
            let grant: PasswordGrant =
                read(body, "send {\"email\": …, \"password\": …}, both strings")?;
            sign_in::sign_in(identity, &grant.email, grant.password).await
        }
        "refresh_token" => {
            let grant: RefreshGrant = read(body, "send {\"refresh_token\": …}, a string")?;
            identity.refresh(&grant.refresh_token).await
        }
        _ => Err(AuthError::BadRequest {
            error_code: "unsupported_grant_type",
            msg: "unsupported_grant_type: send grant_type=password or grant_type=refresh_token",
        }),
    }
}

/// The body. What is wrong with it is not repeated: it may hold a password.
fn read<T: for<'de> Deserialize<'de>>(
    body: Result<Bytes, BytesRejection>,
    expected: &'static str,
) -> Result<T, AuthError> {
    let body = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => AuthError::TooLarge,
        _ => AuthError::BadRequest {
            error_code: "bad_json",
            msg: "the body ended early",
        },
    })?;
    serde_json::from_slice(&body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => AuthError::BadRequest {
            error_code: "validation_failed",
            msg: expected,
        },
        _ => AuthError::BadRequest {
            error_code: "bad_json",
            msg: "Could not parse request body as JSON",
        },
    })
}

/// The `apikey` header, as the gateway before supabase/auth checks it.
fn check_public_key(public_key: &str, headers: &HeaderMap) -> Result<(), Response> {
    let body = match headers.get("apikey") {
        Some(sent) if sent.as_bytes() == public_key.as_bytes() => return Ok(()),
        Some(_) => json!({
            "message": "Invalid API key",
            "hint": "the `apikey` header is not this project's public key",
        }),
        None => json!({
            "message": "No API key found in request",
            "hint": "send the project's public key in the `apikey` header",
        }),
    };
    Err((StatusCode::UNAUTHORIZED, Json(body)).into_response())
}

async fn jwks(State(identity): State<Identity>) -> Result<Response, AuthError> {
    let keys = identity.provider()?.key.jwks();
    Ok(([(header::CACHE_CONTROL, KEYS_CACHED)], Json(keys)).into_response())
}

/// Who the token names, and what they are in the database at this moment.
async fn user(State(identity): State<Identity>, headers: HeaderMap) -> Result<Response, Response> {
    let bearer = bearer(&identity, &headers).await?;
    let mut transaction = identity
        .0
        .database
        .transaction(Actor::Caller(bearer.user), Access::Read);
    let rows = transaction
        .query(
            "select (select name from app.organizations where id = (select app.caller_org())),
                    app.caller_role(), app.caller_level()",
            &[],
        )
        .await
        .map_err(|error| AuthError::from(error).into_response())?;
    let Some(row) = rows.first() else {
        return Err(AuthError::Internal("the caller could not be read").into_response());
    };
    let body = json!({
        "id": bearer.user,
        "email": bearer.email,
        "aud": AUDIENCE,
        "role": AUDIENCE,
        "app_metadata": {
            "organization": row.get::<_, Option<String>>(0),
            "role": row.get::<_, Option<String>>(1),
            "level": row.get::<_, Option<i32>>(2),
        },
    });
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(body)).into_response())
}

/// Ends the sign-in that the token comes from.
async fn logout(
    State(identity): State<Identity>,
    headers: HeaderMap,
) -> Result<StatusCode, Response> {
    identity.provider().map_err(AuthError::into_response)?;
    let bearer = bearer(&identity, &headers).await?;
    if let Some(session) = bearer.session {
        session::end(&identity, session)
            .await
            .map_err(AuthError::into_response)?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Who calls, by the `Authorization` header.
async fn bearer(identity: &Identity, headers: &HeaderMap) -> Result<Bearer, Response> {
    let token = match headers.get(header::AUTHORIZATION) {
        None => return Err(refuse(TokenError::Missing)),
        Some(value) => value.to_str().ok().and_then(|value| value.split_once(' ')),
    };
    match token {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            identity.bearer(token).await.map_err(refuse)
        }
        _ => Err(refuse(TokenError::Malformed)),
    }
}

fn refuse(error: TokenError) -> Response {
    let (status, error_code) = match error {
        TokenError::ProviderUnavailable => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        TokenError::Missing => (StatusCode::UNAUTHORIZED, "no_authorization"),
        _ => (StatusCode::UNAUTHORIZED, "bad_jwt"),
    };
    let body = json!({
        "code": status.as_u16(),
        "error_code": error_code,
        "msg": error.to_string(),
    });
    let challenge = match error {
        TokenError::ProviderUnavailable => return (status, Json(body)).into_response(),
        // A request without a token is told how to ask, not what is wrong (RFC 6750, section 3.1).
        TokenError::Missing => "Bearer".to_owned(),
        error => format!(r#"Bearer error="invalid_token", error_description="{error}""#),
    };
    (status, [(header::WWW_AUTHENTICATE, challenge)], Json(body)).into_response()
}
