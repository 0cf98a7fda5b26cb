//! `/auth/v1/user/factor`: the holder of an account turns its second factor on and off.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::{Cleared, Enrolment, Shown, check, turn_on};
use crate::database::{Access, Actor, params};
use crate::identity::claims::Bearer;
use crate::identity::routes::{MAX_BODY, WRONG_PASSWORD, read, signed_in};
use crate::identity::sign_in::{self, Wanted};
use crate::identity::tokens::{Account, NO_STORE};
use crate::identity::visitor::Visitor;
use crate::identity::{AuthError, Identity};

pub(in crate::identity) fn router(identity: Identity) -> Router {
    Router::new()
        .route(
            "/auth/v1/user/factor",
            post(begin).put(confirm).delete(turn_off),
        )
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

const HAS_ONE: AuthError = AuthError::BadRequest {
    error_code: "second_factor_exists",
    msg: "the account has a second factor: turn it off first",
};

/// The account of the token, with its present epoch, and whether it has a factor and has to have one.
async fn account(identity: &Identity, bearer: &Bearer) -> Result<(Account, bool, bool), AuthError> {
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Read);
    let sql = "select u.email, u.epoch, auth.sign_in_needs(u.id) = 'code', auth.requires_factor(u.id) \
               from auth.users u where u.id = $1";
    let rows = transaction.query(sql, params![bearer.user.0]).await?;
    let row = rows.first().ok_or(AuthError::InvalidCredentials)?;
    let account = Account::new(bearer.user, row.get(0), row.get(1));
    Ok((account, row.get(2), row.get(3)))
}

#[derive(Deserialize)]
struct Begin {
    password: String,
}

/// A key for the authenticator of the token's subject, who gives the password: a stolen token turns nothing on.
async fn begin(
    State(identity): State<Identity>,
    headers: HeaderMap,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, AuthError> {
    let bearer = signed_in(&identity, &headers).await?;
    let begin: Begin = read(body, "send {\"password\": …}, a string")?;
    let (account, has_one, _) = account(&identity, &bearer).await?;
    if has_one {
        return Err(HAS_ONE);
    }
    let wanted = Wanted::Only(bearer.user);
    let checked = sign_in::check(&identity, &account.email, begin.password, wanted, &visitor).await;
    checked.map_err(|error| match error {
        AuthError::InvalidCredentials => WRONG_PASSWORD,
        error => error,
    })?;
    let enrolment = Enrolment::begin(&identity, &account)?;
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(enrolment)))
}

#[derive(Deserialize)]
struct Confirm {
    enrolment: String,
    code: String,
}

/// Turns it on. The account's other sign-ins end.
async fn confirm(
    State(identity): State<Identity>,
    headers: HeaderMap,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<impl IntoResponse, AuthError> {
    let bearer = signed_in(&identity, &headers).await?;
    let confirm: Confirm = read(body, "send {\"enrolment\": …, \"code\": …}, both strings")?;
    let (account, has_one, _) = account(&identity, &bearer).await?;
    if has_one {
        return Err(HAS_ONE);
    }
    let shown = Shown {
        code: Some(&confirm.code),
        enrolment: Some(&confirm.enrolment),
    };
    let Cleared { recovery, .. } =
        turn_on(&identity, account, shown, &visitor, bearer.session).await?;
    let body = json!({ "recovery_codes": recovery });
    Ok(([(header::CACHE_CONTROL, NO_STORE)], Json(body)))
}

#[derive(Deserialize)]
struct TurnOff {
    code: String,
}

/// Turns it off, with a code. The account's other sign-ins end.
async fn turn_off(
    State(identity): State<Identity>,
    headers: HeaderMap,
    visitor: Visitor,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, AuthError> {
    let bearer = signed_in(&identity, &headers).await?;
    let off: TurnOff = read(body, "send {\"code\": …}, a string")?;
    let (_, has_one, is_required) = account(&identity, &bearer).await?;
    if !has_one {
        return Err(AuthError::BadRequest {
            error_code: "second_factor_missing",
            msg: "the account has no second factor",
        });
    }
    if is_required {
        return Err(AuthError::BadRequest {
            error_code: "second_factor_enrolment",
            msg: "your organisation requires a second factor of owners and admins: an owner can remove yours, and you \
                  turn it on again at the next sign-in",
        });
    }
    check(&identity, bearer.user, &off.code, &visitor).await?;
    let database = &identity.0.database;
    let mut transaction = database.transaction(Actor::Identity, Access::Write);
    let sql = "select auth.turn_off_factor($1, $2)";
    transaction
        .query(sql, params![bearer.user.0, bearer.session])
        .await?;
    transaction.commit().await?;
    tracing::info!(user = %bearer.user, "a second factor was turned off");
    Ok(StatusCode::NO_CONTENT.into_response())
}
