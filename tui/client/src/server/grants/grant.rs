//! Answers to requests for tokens. Many authorization servers take liberties with them.

use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderValue};
use serde_json::{Map, Value};

use crate::failure::shorten;
use crate::http::Response;

/// An answer without a token.
#[derive(Debug)]
pub(super) struct NoToken {
    /// The reason, for people.
    pub(super) why: String,
    /// The HTTP status.
    pub(super) status: StatusCode,
    /// Whether the grant was refused; otherwise the server failed, or another program answered.
    pub(super) is_refusal: bool,
}

/// Makes an answer with a token one that the library reads.
///
/// # Errors
/// Why there is no token.
pub(super) fn read(answer: &mut Response) -> Result<(), NoToken> {
    let status = answer.status;
    let body = serde_json::from_slice(&answer.body).ok();
    let mut body: Map<String, Value> = body.unwrap_or_default();
    if status.is_success() && body.get("access_token").is_some_and(Value::is_string) {
        mend(&mut body);
        let kind = HeaderValue::from_static("application/json");
        answer.headers.insert(CONTENT_TYPE, kind);
        answer.status = StatusCode::OK;
        answer.body = Value::Object(body).to_string().into();
        return Ok(());
    }
    let is_refused = status.is_client_error() && !matches!(status.as_u16(), 404 | 408 | 429);
    let error = error(&body);
    let is_refusal = is_refused || (status.is_success() && error.is_some());
    let why = error.unwrap_or_else(|| "the authorization server issued no token".to_owned());
    let why = match status.is_success() {
        true => shorten(&why),
        false => format!("{} (HTTP {})", shorten(&why), status.as_u16()),
    };
    Err(NoToken {
        why,
        status,
        is_refusal,
    })
}

/// A lifetime as a text or with a fraction becomes whole seconds, scopes in a list become a text, and
/// a missing type becomes the usual one. What has no meaning is left out.
fn mend(body: &mut Map<String, Value>) {
    let kind = body.get("token_type").and_then(Value::as_str);
    if kind.is_none_or(str::is_empty) {
        body.insert("token_type".to_owned(), "Bearer".into());
    }
    let lifetime = body
        .remove("expires_in")
        .and_then(|lifetime| match lifetime {
            Value::String(text) => text.trim().parse::<f64>().ok(),
            number => number.as_f64(),
        });
    // A fraction of a second is no time for a request.
    if let Some(seconds) = lifetime.filter(|it| it.is_finite() && *it >= 0.0) {
        body.insert("expires_in".to_owned(), (seconds as u64).into());
    }
    let scopes = match body.remove("scope") {
        Some(Value::Array(scopes)) => {
            let scopes: Vec<_> = scopes.iter().filter_map(Value::as_str).collect();
            Some(scopes.join(" "))
        }
        Some(Value::String(scopes)) => Some(scopes),
        _ => None,
    };
    if let Some(scopes) = scopes.filter(|scopes| !scopes.is_empty()) {
        body.insert("scope".to_owned(), scopes.into());
    }
    if body
        .get("refresh_token")
        .is_some_and(|token| !token.is_string())
    {
        body.remove("refresh_token");
    }
}

/// The error with its description.
fn error(body: &Map<String, Value>) -> Option<String> {
    let error = match body.get("error")? {
        Value::Null => return None,
        Value::String(error) => error.clone(),
        error => match error["message"].as_str() {
            Some(message) => message.to_owned(),
            None => error.to_string(),
        },
    };
    match body.get("error_description").and_then(Value::as_str) {
        Some(about) => Some(format!("{error}: {about}")),
        None => Some(error),
    }
}
