//! The context of each step of a sign-in with a browser: the server's address, the browser's cookie, and the way back
//! to the client.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use url::Url;

use super::flow::{Asked, Flow, FlowKey};
use super::page;
use crate::identity::{Identity, Provider};

/// The cookie that ties a sign-in to its browser.
const COOKIE: &str = "frontdesk_sign_in";
/// The lifetime of the cookie in seconds: the time limit for a sign-in.
const COOKIE_LIFETIME: u32 = 600;

/// The context of a page.
pub(in crate::identity) struct PageContext {
    pub(in crate::identity) identity: Identity,
    pub(in crate::identity) key: FlowKey,
    /// The base address of the service, also its issuer as an authorization server.
    pub(in crate::identity) base: String,
    /// The browser's cookie; empty if it has none.
    pub(in crate::identity) cookie: String,
}

/// Why this server offers no sign-in.
pub(in crate::identity) enum Absent {
    /// An external identity provider issues the tokens.
    NotOurs,
    /// The request names no host.
    Address,
}

impl IntoResponse for Absent {
    fn into_response(self) -> Response {
        let (status, text) = match self {
            Absent::NotOurs => (
                StatusCode::NOT_FOUND,
                "This server takes another identity provider's tokens: sign in there.",
            ),
            Absent::Address => (
                StatusCode::BAD_REQUEST,
                "The address of this server is not known.",
            ),
        };
        page::refusal(status, text)
    }
}

impl FromRequestParts<Identity> for PageContext {
    type Rejection = Absent;

    async fn from_request_parts(parts: &mut Parts, identity: &Identity) -> Result<Self, Absent> {
        let provider = identity.0.provider.as_ref().ok_or(Absent::NotOurs)?;
        let base = identity.0.public_address.base(&parts.headers);
        Ok(PageContext {
            identity: identity.clone(),
            key: FlowKey::new(&provider.sign_in_key),
            base: base.ok_or(Absent::Address)?,
            cookie: cookie(&parts.headers).unwrap_or_default().to_owned(),
        })
    }
}

impl PageContext {
    pub(in crate::identity) fn now(&self) -> Timestamp {
        self.identity.0.clock.now()
    }

    pub(in crate::identity) fn provider(&self) -> Option<&Provider> {
        self.identity.0.provider.as_ref()
    }

    /// Begins a sign-in. `answer` turns it into a page or a redirect, which also sets the browser's cookie. An invalid
    /// request is reported to the client.
    pub(in crate::identity) fn begin(
        &self,
        asked: Asked<'_>,
        answer: impl FnOnce(&Flow, &str) -> Response,
    ) -> Response {
        let cookie = self.browser();
        let back = Back {
            redirect: asked.redirect.clone(),
            state: asked.state.map(str::to_owned),
            issuer: asked.client.as_ref().map(|_| self.base.clone()),
        };
        let flow = match Flow::begin(asked, &cookie, self.now()) {
            Ok(flow) => flow,
            Err(what) => return back.with_error("invalid_request", what),
        };
        let Some(sealed) = self.key.seal(&flow) else {
            return page::refusal(StatusCode::INTERNAL_SERVER_ERROR, "The server failed.");
        };
        self.remember(&cookie, answer(&flow, &sealed))
    }

    /// The browser's cookie, or a new one. All forms in a browser share it, because several can be in progress.
    pub(in crate::identity) fn browser(&self) -> String {
        match self.cookie.as_str() {
            "" => URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()),
            cookie => cookie.to_owned(),
        }
    }

    /// Sets the browser's cookie with a page.
    pub(in crate::identity) fn remember(&self, cookie: &str, mut page: Response) -> Response {
        let cookie = cookie_header(&self.base, COOKIE, cookie, COOKIE_LIFETIME);
        if let Some(cookie) = cookie {
            page.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        page
    }

    /// The way back to the client of this sign-in.
    pub(in crate::identity) fn back(&self, flow: &Flow) -> Back {
        Back {
            redirect: flow.redirect.clone(),
            state: flow.state.clone(),
            issuer: flow.client.as_ref().map(|_| self.base.clone()),
        }
    }

    /// Whether an address belongs to this service, by its origin or a subdomain of it. A resource has no fragment
    /// (RFC 8707, section 2).
    pub(super) fn is_ours(&self, resource: &str) -> bool {
        let (Ok(resource), Ok(base)) = (Url::parse(resource), Url::parse(&self.base)) else {
            return false;
        };
        let (Some(name), Some(own)) = (resource.host_str(), base.host_str()) else {
            return false;
        };
        let below = name.strip_suffix(own);
        resource.scheme() == base.scheme()
            && resource.port_or_known_default() == base.port_or_known_default()
            && resource.username().is_empty()
            && resource.password().is_none()
            && resource.fragment().is_none()
            && below.is_some_and(|below| below.is_empty() || below.ends_with('.'))
    }
}

/// The way back to the client.
pub(in crate::identity) struct Back {
    pub(super) redirect: Url,
    pub(super) state: Option<String>,
    /// The issuer, in the standard grant (RFC 9207).
    pub(super) issuer: Option<String>,
}

impl Back {
    fn address(&self, parameters: &[(&str, &str)]) -> Url {
        let mut address = self.redirect.clone();
        let mut query = address.query_pairs_mut();
        query.extend_pairs(parameters);
        if let Some(state) = &self.state {
            query.append_pair("state", state);
        }
        if let Some(issuer) = &self.issuer {
            query.append_pair("iss", issuer);
        }
        drop(query);
        address
    }

    /// The address that hands the client this code.
    pub(super) fn to_code(&self, code: &str) -> Url {
        self.address(&[("code", code)])
    }

    /// The codes are those of RFC 6749, section 4.1.2.1. Everyone can register an https address, so the browser only
    /// goes there with an error if its user chooses to.
    pub(in crate::identity) fn with_error(&self, error: &str, description: &str) -> Response {
        let address = self.address(&[("error", error), ("error_description", description)]);
        match address.scheme() {
            "https" => page::stop(description, &address),
            _ => page::redirect(&address),
        }
    }

    /// The address that reports to the client that its user cancelled.
    pub(super) fn cancelled(&self) -> Url {
        let description = "the sign-in was cancelled";
        self.address(&[
            ("error", "access_denied"),
            ("error_description", description),
        ])
    }
}

/// A cookie for the paths under `/auth/v1`, with this lifetime in seconds.
pub(in crate::identity) fn cookie_header(
    base: &str,
    name: &str,
    value: &str,
    seconds: u32,
) -> Option<HeaderValue> {
    let base = Url::parse(base).ok()?;
    let path = base.path().trim_end_matches('/');
    let secure = match base.scheme() {
        "https" => "; Secure",
        _ => "",
    };
    let cookie = format!(
        "{name}={value}; Max-Age={seconds}; Path={path}/auth/v1; HttpOnly; SameSite=Lax{secure}"
    );
    HeaderValue::from_str(&cookie).ok()
}

/// The value of the cookie, if it has the format of one set here.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let value = named_cookie(headers, COOKIE)?;
    let is_ours = URL_SAFE_NO_PAD.decode(value).is_ok_and(|it| it.len() == 32);
    is_ours.then_some(value)
}

/// The value of the first cookie with this name.
pub(in crate::identity) fn named_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let mut pairs = cookies
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let (_, value) = pairs.find(|(known, _)| *known == name)?;
    Some(value)
}
