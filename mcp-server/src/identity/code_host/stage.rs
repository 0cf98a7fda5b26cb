//! What every step of a sign-in in a browser needs: the provider, where the server is, the browser's cookie,
//! and the way back.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use oauth2::RedirectUrl;
use url::Url;

use super::exchange::{CodeHost, ExchangeError};
use super::flow::{Asked, Flow, FlowKey};
use super::page;
use crate::identity::Identity;

/// The cookie that says that a browser comes back which was sent to the provider from here.
const COOKIE: &str = "frontdesk_sign_in";
/// How long it is kept, in seconds: as long as somebody has to sign in.
const COOKIE_LIFETIME: u32 = 600;

/// What every step needs of the server.
pub(super) struct Stage {
    pub(super) identity: Identity,
    pub(super) host: Arc<CodeHost>,
    pub(super) key: FlowKey,
    /// The base address of the service: who it is as an authorization server.
    pub(super) base: String,
    /// Where the provider sends browsers back to.
    pub(super) callback: RedirectUrl,
    /// The browser's cookie; empty where it has none.
    pub(super) cookie: String,
}

/// Why nobody can sign in through a provider here.
pub(super) enum Absent {
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

impl FromRequestParts<Identity> for Stage {
    type Rejection = Absent;

    async fn from_request_parts(parts: &mut Parts, identity: &Identity) -> Result<Self, Absent> {
        let provider = identity.0.provider.as_ref().ok_or(Absent::Provider)?;
        let host = provider.code_host.as_ref().ok_or(Absent::Provider)?;
        let base = identity.0.public_address.base(&parts.headers);
        let base = base.ok_or(Absent::Address)?;
        let callback = RedirectUrl::new(format!("{base}/auth/v1/callback"));
        Ok(Stage {
            identity: identity.clone(),
            host: Arc::clone(host),
            key: FlowKey::new(&provider.sign_in_key),
            callback: callback.map_err(|_| Absent::Address)?,
            base,
            cookie: cookie(&parts.headers).unwrap_or_default().to_owned(),
        })
    }
}

impl Stage {
    pub(super) fn now(&self) -> Timestamp {
        self.identity.0.clock.now()
    }

    /// Sends the browser to the provider for this.
    pub(super) fn begin(&self, asked: &Asked<'_>) -> Response {
        // One cookie for all sign-ins of a browser, which may be several at once.
        let cookie = match self.cookie.as_str() {
            "" => URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
            cookie => cookie.to_owned(),
        };
        let flow = match Flow::begin(asked, &cookie, self.now()) {
            Ok(flow) => flow,
            Err((what, Some(redirect))) => {
                let back = Back {
                    redirect,
                    state: asked.state.map(str::to_owned),
                    issuer: asked.client.map(|_| self.base.clone()),
                };
                return back.with_error("invalid_request", what);
            }
            Err((what, None)) => {
                let text = format!("Nobody is sent on from here: {what}.");
                return page::refusal(StatusCode::BAD_REQUEST, &text);
            }
        };
        let Some(state) = self.key.seal(&flow) else {
            return page::refusal(StatusCode::INTERNAL_SERVER_ERROR, "The server failed.");
        };
        let verifier = self.key.verifier(&state);
        let is_secure = self.callback.url().scheme() == "https";
        let path = self.callback.url().path().trim_end_matches("/callback");
        let cookie = format!(
            "{COOKIE}={cookie}; Max-Age={COOKIE_LIFETIME}; Path={path}; HttpOnly; SameSite=Lax{}",
            if is_secure { "; Secure" } else { "" }
        );
        let page = self.host.page(self.callback.clone(), state, verifier);
        let mut response = page::redirect(&page);
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }

    /// Whether an address is one of this service, by the name of its machine: hosts have names below it.
    pub(super) fn is_ours(&self, resource: &str) -> bool {
        let (Ok(resource), Ok(base)) = (Url::parse(resource), Url::parse(&self.base)) else {
            return false;
        };
        let (Some(name), Some(own)) = (resource.host_str(), base.host_str()) else {
            return false;
        };
        let below = name.strip_suffix(own);
        resource.scheme() == base.scheme()
            && below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    }
}

/// Where the browser goes in the end: to the one who began, on the browser's own machine.
pub(super) struct Back {
    pub(super) redirect: Url,
    pub(super) state: Option<String>,
    /// Who answers, for those who ask in the standard way (RFC 9207).
    pub(super) issuer: Option<String>,
}

impl Back {
    fn with(mut self, parameters: &[(&str, &str)]) -> Response {
        let mut query = self.redirect.query_pairs_mut();
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        if let Some(issuer) = &self.issuer {
            query.append_pair("iss", issuer);
        }
        drop(query);
        page::redirect(&self.redirect)
    }

    pub(super) fn with_code(self, code: &str) -> Response {
        self.with(&[("code", code)])
    }

    /// The codes are those of RFC 6749, section 4.1.2.1.
    pub(super) fn with_error(self, error: &str, description: &str) -> Response {
        self.with(&[("error", error), ("error_description", description)])
    }

    pub(super) fn with_trouble(self, name: &str, error: &ExchangeError) -> Response {
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
