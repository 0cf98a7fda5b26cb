//! The two addresses that a browser visits: `authorize`, which sends it to the provider, and `callback`,
//! to which the provider sends it back.

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use oauth2::RedirectUrl;
use serde::Deserialize;
use url::Url;

use super::code::{self, Binding};
use super::exchange::{CodeHost, ExchangeError};
use super::flow::{Asked, Flow, FlowKey};
use super::page;
use crate::identity::Identity;

/// The cookie that says that a browser comes back which was sent to the provider from here.
const COOKIE: &str = "frontdesk_sign_in";
/// How long it is kept, in seconds: as long as somebody has to sign in.
const COOKIE_LIFETIME: u32 = 600;

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
        .with_state(identity)
}

/// What both need of the server.
struct Stage<'a> {
    host: &'a CodeHost,
    key: FlowKey,
    /// Where the provider sends browsers back to.
    callback: RedirectUrl,
    /// The browser's cookie; empty where it has none.
    cookie: &'a str,
}

/// Why nobody can sign in through a provider here.
enum Absent {
    Provider,
    Address,
}

impl IntoResponse for Absent {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Absent::Provider => (
                StatusCode::NOT_FOUND,
                "This server signs nobody in through a provider. Sign in with your e-mail address and \
                 password: frontdesk login --email E.",
            ),
            Absent::Address => (
                StatusCode::BAD_REQUEST,
                "The address of this server is not known.",
            ),
        };
        page::refusal(status, text)
    }
}

impl<'a> Stage<'a> {
    fn of(identity: &'a Identity, headers: &'a HeaderMap) -> Result<Self, Absent> {
        let provider = identity.0.provider.as_ref().ok_or(Absent::Provider)?;
        let host = provider.code_host.as_ref().ok_or(Absent::Provider)?;
        let base = identity.0.public_address.base(headers);
        let callback = base.and_then(|it| RedirectUrl::new(format!("{it}/auth/v1/callback")).ok());
        Ok(Stage {
            host,
            key: FlowKey::new(&provider.sign_in_key),
            callback: callback.ok_or(Absent::Address)?,
            cookie: cookie(headers).unwrap_or_default(),
        })
    }
}

/// Sends the browser to the provider.
async fn authorize(
    State(identity): State<Identity>,
    query: Result<Query<Authorize>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let stage = match Stage::of(&identity, &headers) {
        Ok(stage) => stage,
        Err(absent) => return absent.into_response(),
    };
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
    // One cookie for all sign-ins of a browser, which may be several at once.
    let cookie = match stage.cookie {
        "" => URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
        cookie => cookie.to_owned(),
    };
    let asked = Asked {
        redirect: asked.redirect_to.as_deref(),
        challenge: asked.code_challenge.as_deref(),
        method: asked.code_challenge_method.as_deref(),
        state: asked.state.as_deref(),
    };
    let flow = match Flow::begin(&asked, &cookie, identity.0.clock.now()) {
        Ok(flow) => flow,
        Err((what, Some(redirect))) => {
            let back = Back {
                redirect,
                state: asked.state.map(str::to_owned),
            };
            return back.with_error("invalid_request", what);
        }
        Err((what, None)) => {
            let text = format!("Nobody is sent on from here: {what}.");
            return page::refusal(StatusCode::BAD_REQUEST, &text);
        }
    };
    let Some(state) = stage.key.seal(&flow) else {
        return page::refusal(StatusCode::INTERNAL_SERVER_ERROR, "The server failed.");
    };
    let verifier = stage.key.verifier(&state);
    let is_secure = stage.callback.url().scheme() == "https";
    let path = stage.callback.url().path().trim_end_matches("/callback");
    let cookie = format!(
        "{COOKIE}={cookie}; Max-Age={COOKIE_LIFETIME}; Path={path}; HttpOnly; SameSite=Lax{}",
        if is_secure { "; Secure" } else { "" }
    );
    let page = stage.host.page(stage.callback.clone(), state, verifier);
    let mut response = page::redirect(&page);
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Takes what the provider says, and sends the browser on to where the sign-in began.
async fn callback(
    State(identity): State<Identity>,
    query: Result<Query<Callback>, QueryRejection>,
    headers: HeaderMap,
) -> Response {
    let stage = match Stage::of(&identity, &headers) {
        Ok(stage) => stage,
        Err(absent) => return absent.into_response(),
    };
    let answer = query.ok().map(|Query(answer)| answer);
    let sealed = answer.as_ref().and_then(|it| it.state.as_deref());
    let now = identity.0.clock.now();
    let found = sealed.and_then(|sealed| {
        let flow = stage.key.open(sealed, stage.cookie, now)?;
        Some((sealed, flow))
    });
    let (Some(answer), Some((sealed, flow))) = (&answer, found) else {
        return page::refusal(
            StatusCode::BAD_REQUEST,
            "This sign-in did not begin in this browser, or took longer than ten minutes. Run frontdesk \
             login again.",
        );
    };
    let back = Back {
        redirect: flow.redirect,
        state: flow.state,
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
    let binding = Binding::to(&flow.challenge);
    match code::issue(&identity, &address, binding).await {
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

/// Where the browser goes in the end: to the one who began, on the browser's own machine.
struct Back {
    redirect: Url,
    state: Option<String>,
}

impl Back {
    fn with(mut self, parameters: &[(&str, &str)]) -> Response {
        let mut query = self.redirect.query_pairs_mut();
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        drop(query);
        page::redirect(&self.redirect)
    }

    fn with_code(self, code: &str) -> Response {
        self.with(&[("code", code)])
    }

    /// The codes are those of RFC 6749, section 4.1.2.1.
    fn with_error(self, error: &str, description: &str) -> Response {
        self.with(&[("error", error), ("error_description", description)])
    }

    fn with_trouble(self, name: &str, error: &ExchangeError) -> Response {
        tracing::warn!(provider = name, %error, "a sign-in through the provider failed");
        match error {
            ExchangeError::NoAddress => self.with_error(
                "access_denied",
                &format!("{name} has no verified primary e-mail address of yours"),
            ),
            ExchangeError::Refused => self.with_error(
                "access_denied",
                &format!("{name} did not take its own code; sign in again"),
            ),
            ExchangeError::Busy => self.with_error(
                "temporarily_unavailable",
                "too many are signing in at once; try again",
            ),
            _ => self.with_error(
                "temporarily_unavailable",
                &format!("{name} could not be asked who you are; try again"),
            ),
        }
    }
}

/// The value of our cookie, if it looks like one of ours.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(name, _)| *name == COOKIE)?;
    let is_ours = URL_SAFE_NO_PAD.decode(value).is_ok_and(|it| it.len() == 32);
    is_ours.then_some(value)
}
