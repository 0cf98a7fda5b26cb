//! The routes under `/auth/v1`, with request and response bodies in the format of supabase/auth.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::claims::{AUDIENCE, Bearer, Purpose};
use super::factor::{self, Shown};
use super::password::weakness;
use super::sign_in::Wanted;
use super::tokens::{Account, NO_STORE};
use super::visitor::Visitor;
use super::{AuthError, Identity, Verified, bearer_token, session, sign_in};
#[cfg(feature = "code-host")]
use super::{authorization::FlowKey, code_host};
use crate::database::{Access, Actor, Transaction, params};

/// The maximum size of a body in bytes.
pub(super) const MAX_BODY: usize = 8 * 1024;

/// The time others can cache the public keys, in seconds.
const KEYS_CACHED: &str = "public, max-age=600";

pub(super) fn router(identity: Identity) -> Router {
    let router = Router::new()
        .route("/auth/v1/token", post(token))
        .route("/auth/v1/.well-known/jwks.json", get(jwks))
        .route("/auth/v1/settings", get(settings))
        .route("/auth/v1/user", get(user).put(change_password))
        .route("/auth/v1/user/token", post(other_token))
        .route("/auth/v1/logout", post(logout));
    #[cfg(feature = "code-host")]
    let router = router.route("/auth/v1/user/link", post(link));
    router
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// The grant's type; a repeated parameter is refused.
#[derive(Deserialize)]
struct Grant {
    grant_type: String,
}

#[derive(Deserialize)]
struct PasswordGrant {
    email: String,
    password: String,
    /// The id or the name of the organisation, if the password matches accounts at several.
    organization: Option<String>,
    /// The code of the second factor, if the account has one, or the one that confirms `enrolment`.
    code: Option<String>,
    enrolment: Option<String>,
}

#[cfg(feature = "code-host")]
#[derive(Deserialize)]
struct PkceGrant {
    auth_code: String,
    code_verifier: String,
}

#[derive(Deserialize)]
struct RefreshGrant {
    refresh_token: String,
}

/// A token for another program.
#[derive(Deserialize)]
struct OtherToken {
    /// Whether it only reads; also without a body.
    read_only: bool,
}

async fn token(
    State(identity): State<Identity>,
    grant: Result<Query<Grant>, QueryRejection>,
    headers: HeaderMap,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, AuthError> {
    check_public_key(&identity, &headers)?;
    let purpose = Purpose::of(&headers);
    let grant_type = grant
        .map(|Query(grant)| grant.grant_type)
        .unwrap_or_default();
    match grant_type.as_str() {
        "password" => {
            let grant: PasswordGrant =
                read(body, "send {\"email\": …, \"password\": …}, both strings")?;
            password_grant(&identity, &grant, &visitor, purpose).await
        }
        "refresh_token" => {
            let grant: RefreshGrant = read(body, "send {\"refresh_token\": …}, a string")?;
            let tokens = identity.refresh(&grant.refresh_token, purpose).await?;
            Ok(tokens.into_response())
        }
        #[cfg(feature = "code-host")]
        "pkce" => {
            let grant: PkceGrant = read(
                body,
                "send {\"auth_code\": …, \"code_verifier\": …}, both strings",
            )?;
            let (code, verifier) = (&grant.auth_code, &grant.code_verifier);
            let tokens = code_host::redeem(&identity, code, verifier, purpose);
            Ok(tokens.await?.into_response())
        }
        _ => Err(AuthError::BadRequest {
            error_code: "unsupported_grant_type",
            msg: "unsupported_grant_type: send grant_type=password, pkce or refresh_token",
        }),
    }
}

/// The tokens, with the device's cookie.
async fn password_grant(
    identity: &Identity,
    grant: &PasswordGrant,
    visitor: &Visitor,
    purpose: Purpose,
) -> Result<Response, AuthError> {
    let password = grant.password.clone();
    let wanted = match &grant.organization {
        Some(organization) => Wanted::At(organization),
        None => Wanted::Any,
    };
    let signed_in = sign_in::check(identity, &grant.email, password, wanted, visitor).await?;
    let shown = Shown {
        code: grant.code.as_deref(),
        enrolment: grant.enrolment.as_deref(),
    };
    let (user, epoch) = (signed_in.account.id, signed_in.account.epoch);
    let cleared = factor::clear(identity, user, epoch, shown, visitor).await?;
    let tokens = session::begin(identity, cleared, &signed_in.came_from, purpose).await?;
    let mut response = tokens.into_response();
    if let Some(cookie) = signed_in.device {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Parses the body. The error does not repeat its content, which may include a password.
pub(super) fn read<T: for<'de> Deserialize<'de>>(
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

fn check_public_key(identity: &Identity, headers: &HeaderMap) -> Result<(), AuthError> {
    let expected = identity.provider()?.settings.public_key.as_deref();
    match (expected, headers.get("apikey")) {
        (None, _) => Ok(()),
        (Some(expected), Some(sent)) if sent.as_bytes() == expected.as_bytes() => Ok(()),
        (Some(_), sent) => {
            crate::telemetry::record_refusal("apikey", "");
            Err(sent.map_or(AuthError::NoApiKey, |_| AuthError::WrongApiKey))
        }
    }
}

async fn jwks(State(identity): State<Identity>) -> Result<impl IntoResponse, AuthError> {
    let keys = identity.provider()?.key.jwks();
    Ok(([(header::CACHE_CONTROL, KEYS_CACHED)], Json(keys)))
}

/// The available ways to sign in.
async fn settings(
    State(identity): State<Identity>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, AuthError> {
    check_public_key(&identity, &headers)?;
    let provider = identity.provider()?;
    let mut external = serde_json::Map::from_iter([("email".to_owned(), true.into())]);
    external.extend((provider.code_host_name()).map(|name| (name.to_owned(), true.into())));
    let mut body = json!({ "external": external, "disable_signup": true });
    if !identity.has_organization().await? {
        body["needs_setup"] = true.into();
    }
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(body)))
}

/// The token's subject, with its current data in the database.
async fn user(
    State(identity): State<Identity>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, AuthError> {
    let bearer = bearer(&identity, &headers).await?;
    let mut transaction = as_caller(&identity, &bearer);
    let rows = transaction
        .query(
            "select o.name, app.caller_role(), app.caller_level(), o.id, o.slug,
                    (select p.name from learn.profiles p where p.id = (select app.caller_id())), m.id, m.name,
                    o.time_zone
             from (select) caller
             left join app.organizations o on o.id = (select app.caller_org())
             left join learn.members m on m.id = (select app.caller_member())",
            &[],
        )
        .await?;
    let row = rows
        .first()
        .ok_or(AuthError::Internal("the caller could not be read"))?;
    let body = json!({
        "id": bearer.user,
        "email": bearer.email,
        "aud": AUDIENCE,
        "role": AUDIENCE,
        "app_metadata": {
            "organization": row.get::<_, Option<String>>(0),
            "role": row.get::<_, Option<String>>(1),
            "level": row.get::<_, Option<i32>>(2),
            "organization_id": row.get::<_, Option<Uuid>>(3),
            "organization_slug": row.get::<_, Option<String>>(4),
            "time_zone": row.get::<_, Option<String>>(8),
            "name": row.get::<_, Option<String>>(5),
            "member": row.get::<_, Option<Uuid>>(6).map(|id| json!({
                "id": id,
                "name": row.get::<_, Option<String>>(7),
            })),
        },
    });
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(body)))
}

#[derive(Deserialize)]
struct PasswordChange {
    current_password: String,
    password: String,
}

pub(super) const WRONG_PASSWORD: AuthError = AuthError::BadRequest {
    error_code: "invalid_credentials",
    msg: "the current password is wrong",
};

/// Changes the password of the token's subject, who gives the present one. The account's other sign-ins end.
async fn change_password(
    State(identity): State<Identity>,
    headers: HeaderMap,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, AuthError> {
    identity.provider()?;
    let bearer = signed_in(&identity, &headers).await?;
    let change: PasswordChange = read(
        body,
        "send {\"current_password\": …, \"password\": …}, both strings",
    )?;
    let email = bearer.email.clone().unwrap_or_default();
    if let Some(msg) = weakness(&change.password, &email) {
        return Err(AuthError::BadRequest {
            error_code: "weak_password",
            msg,
        });
    }
    let wanted = Wanted::Only(bearer.user);
    let checked = sign_in::check(&identity, &email, change.current_password, wanted, &visitor);
    let checked = checked.await.map_err(|error| match error {
        AuthError::InvalidCredentials => WRONG_PASSWORD,
        error => error,
    })?;
    let hash = sign_in::hash(&identity, &email, change.password).await?;
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let set = "update auth.users u set password_hash = $2 where u.id = $1 and u.epoch = $3 returning u.id";
    let params = params![bearer.user.0, hash, checked.account.epoch];
    if transaction.query(set, params).await?.is_empty() {
        transaction.rollback().await?;
        return Err(WRONG_PASSWORD);
    }
    session::end_others(&mut transaction, bearer.user, bearer.session).await?;
    transaction.commit().await?;
    tracing::info!(user = %bearer.user, "a password was changed");
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Ends the token's sign-in.
async fn logout(
    State(identity): State<Identity>,
    headers: HeaderMap,
) -> Result<StatusCode, AuthError> {
    identity.provider()?;
    if let Some(session) = signed_in(&identity, &headers).await?.session {
        session::end(&identity, session).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// An access token of the caller's sign-in for another program. It has no refresh token, and ends with the sign-in.
async fn other_token(
    State(identity): State<Identity>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, AuthError> {
    let provider = identity.provider()?;
    let bearer = signed_in(&identity, &headers).await?;
    let purpose = match &body {
        Ok(body) if body.is_empty() => Purpose::Reading,
        _ => match read(body, "send nothing, or {\"read_only\": …}, a boolean")? {
            OtherToken { read_only: true } => Purpose::Reading,
            OtherToken { read_only: false } => Purpose::Program,
        },
    };
    let account = Account::new(bearer.user, bearer.email.unwrap_or_default(), 0);
    let (session, now) = (bearer.session.unwrap_or_default(), identity.0.clock.now());
    let (access_token, expires_in) =
        session::access_token(provider, now, session, &account, purpose)?;
    let body =
        json!({ "access_token": access_token, "token_type": "bearer", "expires_in": expires_in });
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(body)))
}

/// A signed parameter for a sign-in through the provider that links this account with the address there.
#[cfg(feature = "code-host")]
async fn link(
    State(identity): State<Identity>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, AuthError> {
    let provider = identity.provider()?;
    let bearer = signed_in(&identity, &headers).await?;
    let key = FlowKey::new(&provider.sign_in_key);
    let session = bearer.session.unwrap_or_default();
    let link = key.sign_link(bearer.user, session, identity.0.clock.now());
    let link = link.ok_or(AuthError::Internal("a link could not be signed"))?;
    Ok((
        [(header::CACHE_CONTROL, NO_STORE)],
        Json(json!({ "link": link })),
    ))
}

/// The caller, from the `Authorization` header.
async fn bearer(identity: &Identity, headers: &HeaderMap) -> Result<Bearer, AuthError> {
    Ok(identity.bearer(bearer_token(headers)?).await?)
}

/// The caller of [`bearer`], whose sign-in has not ended and whose token does more than read.
pub(super) async fn signed_in(
    identity: &Identity,
    headers: &HeaderMap,
) -> Result<Bearer, AuthError> {
    let bearer = bearer(identity, headers).await?;
    if bearer.reads_only {
        return Err(AuthError::ReadsOnly);
    }
    as_caller(identity, &bearer).query("select", &[]).await?;
    Ok(bearer)
}

fn as_caller(identity: &Identity, bearer: &Bearer) -> Transaction {
    let Verified { user, proof, .. } = identity.verified(bearer);
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Caller(user), Access::Read);
    transaction.prove(Some(proof));
    transaction
}
