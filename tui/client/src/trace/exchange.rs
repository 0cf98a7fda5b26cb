//! HTTP exchanges beside the messages: those of a sign-in, streams, ends of sessions, and refusals.
//!
//! What is shown of addresses, headers and forms is listed here; everything else in them is hidden, and hidden from then
//! on wherever it stands.

use std::time::Instant;

use http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use url::Url;
use url::form_urlencoded::{byte_serialize, parse};

use super::hide::{self, HIDDEN};
use super::{Direction, Kind, Message, Tap};
use crate::failure::Failure;
use crate::http::Response;
use crate::secret::is_secret_name;

/// The fields of forms and queries whose values are shown.
const FIELDS: [&str; 9] = [
    "audience",
    "client_id",
    "code_challenge_method",
    "grant_type",
    "redirect_uri",
    "resource",
    "response_type",
    "scope",
    "token_type_hint",
];
/// The headers of a request whose values are shown.
const ASKED: [&str; 5] = [
    "accept",
    "content-type",
    "last-event-id",
    "mcp-method",
    "mcp-protocol-version",
];
/// The headers of an answer that are shown.
const ANSWERED: [&str; 5] = [
    "allow",
    "content-type",
    "location",
    "retry-after",
    "www-authenticate",
];
/// Words of names whose values are secret in a request of a sign-in, beside those that are secret everywhere.
const ONCE: [&str; 5] = ["code", "verifier", "state", "assertion", "otp"];

/// Hidden values of at least this length are hidden everywhere from then on. Shorter ones occur in other words.
const SHORTEST: usize = 6;

/// A request that is being sent.
#[derive(Debug)]
pub(crate) struct Exchange {
    tap: Tap,
    request: reqwest::Request,
    begun: Instant,
}

/// An exchange as shown.
#[derive(Serialize)]
struct Shown {
    request: Asked,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    headers: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

#[derive(Serialize)]
struct Asked {
    method: String,
    url: String,
    headers: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<Box<RawValue>>,
}

impl Exchange {
    /// The exchange that this request begins; `None` if the trace is off.
    pub(crate) fn begin(tap: &Tap, request: &reqwest::RequestBuilder) -> Option<Self> {
        tap.0.as_ref()?;
        Some(Exchange {
            tap: tap.clone(),
            request: request.try_clone()?.build().ok()?,
            begun: Instant::now(),
        })
    }

    /// Whether it carries a message, which is traced by itself.
    pub(crate) fn is_message(&self) -> bool {
        self.request.method() == http::Method::POST
    }

    /// Notes an exchange, without the body of its answer.
    pub(crate) fn end(exchange: Option<Self>, sent: &Result<reqwest::Response, Failure>) {
        match (exchange, sent) {
            (Some(exchange), Ok(it)) => exchange.answered(it.status(), it.headers(), &[]),
            (Some(exchange), Err(failure)) => exchange.failed(failure),
            (None, _) => {}
        }
    }

    /// Notes an exchange with its complete answer.
    pub(crate) fn end_whole(exchange: Option<Self>, answer: &Result<Response, Failure>) {
        match (exchange, answer) {
            (Some(exchange), Ok(it)) => exchange.answered(it.status, &it.headers, &it.body),
            (Some(exchange), Err(failure)) => exchange.failed(failure),
            (None, _) => {}
        }
    }

    fn answered(self, status: StatusCode, headers: &HeaderMap, body: &[u8]) {
        let mut secrets = Vec::new();
        let shown = Shown {
            request: self.asked(&mut secrets),
            status: Some(status.as_u16()),
            headers: answered(headers, &mut secrets),
            body: content(body, false, &mut secrets),
            failure: None,
        };
        self.note(&shown, body.len(), secrets);
    }

    fn failed(self, why: &Failure) {
        let mut secrets = Vec::new();
        let shown = Shown {
            request: self.asked(&mut secrets),
            status: None,
            headers: Map::new(),
            body: None,
            failure: Some(hide::in_line(&why.details(), &[])),
        };
        self.note(&shown, 0, secrets);
    }

    fn asked(&self, secrets: &mut Vec<String>) -> Asked {
        let headers = self.request.headers().iter().map(|(name, value)| {
            let is_shown = ASKED.contains(&name.as_str());
            let value = value.to_str().ok().filter(|_| is_shown);
            (name.to_string(), Value::from(value.unwrap_or(HIDDEN)))
        });
        let body = self.request.body().and_then(reqwest::Body::as_bytes);
        Asked {
            method: self.request.method().to_string(),
            url: address(self.request.url().clone(), secrets),
            headers: headers.collect(),
            body: content(body.unwrap_or_default(), true, secrets),
        }
    }

    fn note(&self, shown: &Shown, bytes: usize, secrets: Vec<String>) {
        let Some(inside) = &self.tap.0 else { return };
        for secret in secrets.into_iter().filter(|it| it.len() >= SHORTEST) {
            inside.know(byte_serialize(secret.as_bytes()).collect());
            inside.know(secret);
        }
        let text = serde_json::to_string(shown).unwrap_or_default();
        let text = hide::everywhere(text, &inside.known());
        inside.trace.note(Message {
            method: Some(self.request.method().to_string()),
            took: Some(self.begun.elapsed()),
            ..inside.blank(Direction::Sent, Kind::Exchange, bytes, text)
        });
    }
}

/// An address without the secrets of its query.
fn address(mut url: Url, secrets: &mut Vec<String>) -> String {
    // An address that cannot have a password has none.
    let _ = url.set_password(None);
    if let Some(query) = url.query() {
        let shown = fields(query.as_bytes(), secrets);
        let shown = shown.into_iter().map(|(name, value)| {
            let value = value.as_str().unwrap_or_default().to_owned();
            (name, value)
        });
        let shown: Vec<_> = shown.collect();
        url.query_pairs_mut().clear().extend_pairs(shown);
    }
    // `[hidden]` is easier to read than its coding.
    url.to_string().replace("%5Bhidden%5D", HIDDEN)
}

/// The fields of a form or query, hidden unless they are listed.
fn fields(form: &[u8], secrets: &mut Vec<String>) -> Map<String, Value> {
    let shown = parse(form).into_owned().map(|(name, value)| {
        let is_shown = FIELDS.contains(&name.as_str()) || value.is_empty();
        match is_shown {
            true => (name, value.into()),
            false => {
                secrets.push(value);
                (name, HIDDEN.into())
            }
        }
    });
    shown.collect()
}

fn answered(headers: &HeaderMap, secrets: &mut Vec<String>) -> Map<String, Value> {
    let mut shown = Map::new();
    for name in ANSWERED {
        let values = headers.get_all(name).iter();
        let values: Vec<_> = values.filter_map(|it| it.to_str().ok()).collect();
        if !values.is_empty() {
            // The parameters of a challenge are quoted, and some are addresses.
            let text = values.join(", ");
            let parts = text.split('"').map(|part| match Url::parse(part) {
                Ok(url) if url.has_host() => address(url, secrets),
                _ => part.to_owned(),
            });
            let text = parts.collect::<Vec<_>>().join("\"");
            shown.insert(name.to_owned(), text.into());
        }
    }
    shown
}

/// A body: JSON, a form, or a text.
fn content(body: &[u8], is_request: bool, secrets: &mut Vec<String>) -> Option<Box<RawValue>> {
    let text = hide::text(body);
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if serde_json::from_str::<&RawValue>(text).is_ok() {
        let is_secret = |name: &str| is_secret_name(name) || (is_request && is_once(name));
        let shown = hide::values(text, is_secret, |value| secrets.extend(of_json(value)));
        return RawValue::from_string(shown).ok();
    }
    match is_form(text) {
        true => to_raw_value(&fields(text.as_bytes(), secrets)).ok(),
        false => to_raw_value(&hide::in_line(text, &[])).ok(),
    }
}

fn is_form(text: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || b"_-.%+".contains(&it);
    text.split('&').all(|field| {
        let name = field.split_once('=').map(|(name, _)| name);
        name.is_some_and(|name| name.bytes().all(is_part))
    })
}

fn of_json(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// Whether a name is that of a code or something else that is used once.
fn is_once(name: &str) -> bool {
    let mut words = name.trim_matches('"').split(['_', '-']);
    words.any(|word| ONCE.contains(&word))
}
