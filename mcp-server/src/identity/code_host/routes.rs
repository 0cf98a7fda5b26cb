//! The two addresses that a browser visits for the terminal: `authorize`, which sends it to the provider,
//! and `callback`, to which the provider sends it back; and the routes of the standard grant.

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{DefaultBodyLimit, Query};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;

use super::code::{self, Binding};
use super::flow::Asked;
use super::stage::{Back, Stage};
use super::{oauth, page};
use crate::identity::Identity;

/// The most bytes that a body may have.
const MAX_BODY: usize = 16 * 1024;

/// A repeated parameter is none.
#[derive(Deserialize)]
struct Authorize {
    provider: Option<String>,
    redirect_to: Option<String>,
    code_challenge: Option<String>,
    code_challenge_method: Option<String>,
    state: Option<String>,
}

#[derive(Deserialize)]
struct Callback {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

pub(in crate::identity) fn router(identity: Identity) -> Router {
    Router::new()
        .route("/auth/v1/authorize", get(authorize))
        .route("/auth/v1/callback", get(callback))
        .route("/auth/v1/oauth/authorize", get(oauth::authorize))
        .route("/auth/v1/oauth/token", post(oauth::token))
        .route("/auth/v1/oauth/register", post(oauth::register))
        .route(
            "/.well-known/oauth-authorization-server",
            get(oauth::metadata),
        )
        .route(
            "/.well-known/oauth-authorization-server/{*path}",
            get(oauth::metadata_below),
        )
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(identity)
}

/// Sends the browser to the provider.
async fn authorize(stage: Stage, query: Result<Query<Authorize>, QueryRejection>) -> Response {
    let Ok(Query(asked)) = query else {
        return page::refusal(
            StatusCode::BAD_REQUEST,
            "This address is not one to sign in at. Run frontdesk login again.",
        );
    };
    let name = stage.host.name();
    if asked.provider.as_deref() != Some(name) {
        let text = format!(
            "This server signs people in through {name} only: frontdesk login --provider {name}."
        );
        return page::refusal(StatusCode::BAD_REQUEST, &text);
    }
    let asked = Asked {
        redirect: asked.redirect_to.as_deref(),
        challenge: asked.code_challenge.as_deref(),
        method: asked.code_challenge_method.as_deref(),
        state: asked.state.as_deref(),
        client: None,
    };
    stage.begin(&asked)
}

/// Takes what the provider says, and sends the browser on to where the sign-in began.
async fn callback(stage: Stage, query: Result<Query<Callback>, QueryRejection>) -> Response {
    let answer = query.ok().map(|Query(answer)| answer);
    let sealed = answer.as_ref().and_then(|it| it.state.as_deref());
    let found = sealed.and_then(|sealed| {
        let flow = stage.key.open(sealed, &stage.cookie, stage.now())?;
        Some((sealed, flow))
    });
    let (Some(answer), Some((sealed, flow))) = (&answer, found) else {
        return page::refusal(
            StatusCode::BAD_REQUEST,
            "This sign-in did not begin in this browser, or took longer than ten minutes. Run frontdesk \
             login again.",
        );
    };
    let binding = Binding::to(&flow);
    let back = Back {
        redirect: flow.redirect,
        state: flow.state,
        issuer: flow.client.map(|_| stage.base.clone()),
    };
    let name = stage.host.name();
    let code = match (&answer.error, &answer.code) {
        (Some(error), _) => {
            let text = format!("{name} did not let you sign in here");
            return match error.as_str() {
                "access_denied" => back.with_error("access_denied", &text),
                _ => back.with_error("server_error", &text),
            };
        }
        (None, Some(code)) => code,
        (None, None) => {
            return back.with_error("server_error", &format!("{name} sent no code"));
        }
    };
    let verifier = stage.key.verifier(sealed);
    let address = match stage.host.address(stage.callback, code, verifier).await {
        Ok(address) => address,
        Err(error) => return back.with_trouble(name, &error),
    };
    match code::issue(&stage.identity, &address, binding).await {
        Ok(Some(code)) => back.with_code(&code),
        Ok(None) => {
            tracing::info!(
                provider = name,
                "nobody has the address of a sign-in through the provider"
            );
            let text = format!(
                "nobody here has the address {address}, which is yours at {name}; ask an owner of your \
                 organisation for an account"
            );
            back.with_error("access_denied", &text)
        }
        Err(error) => {
            tracing::error!(%error, "a sign-in through the provider could not be stored");
            back.with_error("server_error", "the server failed; try again")
        }
    }
}
