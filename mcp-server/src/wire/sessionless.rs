//! The revision without a handshake, 2026-07-28: every request stands alone. Its `_meta` names the client and the
//! revision, and its headers repeat the fields that intermediaries use for routing.

use axum::http::{HeaderMap, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use frontdesk_protocol::mcp::{
    META_CAPABILITIES, META_VERSION, METHOD_HEADER, NAME_HEADER, PARAMETER_HEADER, SESSION_HEADER,
    SESSIONLESS, VERSION_HEADER, Version,
};
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::wire::Shape;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::envelope::Envelope;
use super::refusal::Refusal;
use crate::call::Capabilities;

/// The parameters that are checked.
#[derive(Deserialize, Default)]
struct Params {
    #[serde(rename = "_meta", default)]
    meta: Map<String, Value>,
    #[serde(default)]
    name: Option<Value>,
    #[serde(default)]
    uri: Option<Value>,
}

impl Params {
    fn of(envelope: &Envelope<'_>) -> Params {
        // The method that reads the parameters reports errors.
        envelope.params().unwrap_or_default()
    }
}

/// Whether the request is in this revision: its header says so; or it has neither a session nor the header of another
/// revision, and its `_meta` names a revision.
pub(super) fn is_spoken(headers: &HeaderMap, body: &[u8]) -> bool {
    let named = headers
        .get(VERSION_HEADER)
        .map(|named| named.to_str().unwrap_or_default());
    match named {
        Some(SESSIONLESS) => true,
        Some(named) if Version::from_name(named).is_some() => false,
        _ if headers.contains_key(SESSION_HEADER) => false,
        _ => Envelope::read(body)
            .is_ok_and(|envelope| Params::of(&envelope).meta.contains_key(META_VERSION)),
    }
}

/// Checks the headers and `_meta` that the revision requires. Returns what the client can be asked.
///
/// # Errors
/// HTTP 400 with the revision's own error codes.
pub(super) fn check(headers: &HeaderMap, envelope: &Envelope<'_>) -> Result<Capabilities, Refusal> {
    let (Some(method), Some(_)) = (envelope.method.as_deref(), &envelope.id) else {
        // A notification has no effect.
        return Ok(Capabilities::default());
    };
    let params = Params::of(envelope);
    let version = header(headers, VERSION_HEADER)?.ok_or_else(|| missing(VERSION_HEADER))?;
    let Some(named) = params.meta.get(META_VERSION).and_then(Value::as_str) else {
        return Err(incomplete(META_VERSION));
    };
    if version != named {
        return Err(mismatch(VERSION_HEADER, &version, named));
    }
    if named != SESSIONLESS {
        return Err(unsupported(named));
    }
    let declared = params
        .meta
        .get(META_CAPABILITIES)
        .and_then(Value::as_object);
    let Some(declared) = declared else {
        return Err(incomplete(META_CAPABILITIES));
    };
    let client = Capabilities::of(declared);
    let repeated = header(headers, METHOD_HEADER)?.ok_or_else(|| missing(METHOD_HEADER))?;
    if repeated != method {
        return Err(mismatch(METHOD_HEADER, &repeated, method));
    }
    let named = match method {
        "tools/call" | "prompts/get" => params.name,
        "resources/read" => params.uri,
        _ => None,
    };
    if let Some(name) = named.as_ref().and_then(Value::as_str) {
        let repeated = header(headers, NAME_HEADER)?.ok_or_else(|| missing(NAME_HEADER))?;
        if repeated != name {
            return Err(mismatch(NAME_HEADER, &repeated, name));
        }
    }
    Ok(client)
}

/// Checks the headers that repeat arguments of a tool.
///
/// # Errors
/// As [`check`].
pub(super) fn check_arguments(
    headers: &HeaderMap,
    shape: &'static Shape,
    arguments: &str,
) -> Result<(), Refusal> {
    let mut repeated = shape.headers().peekable();
    if repeated.peek().is_none() {
        return Ok(());
    }
    // The tool reports errors.
    let arguments: Value = serde_json::from_str(arguments).unwrap_or_default();
    for (argument, name) in repeated {
        let name = format!("{PARAMETER_HEADER}{name}");
        let body = match &arguments[argument] {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            value => Some(value.to_string()),
        };
        match (header(headers, &name)?, body) {
            (None, Some(_)) => return Err(missing(&name)),
            (Some(header), body) if Some(&header) != body.as_ref() => {
                return Err(mismatch(
                    &name,
                    &header,
                    body.as_deref().unwrap_or_default(),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// All supported revisions, newest first.
pub fn versions() -> Vec<&'static str> {
    let handshake = Version::ALL.iter().rev().map(|version| version.name());
    std::iter::once(SESSIONLESS).chain(handshake).collect()
}

/// The only value of a header. Text that a header cannot contain is encoded as `=?base64?…?=`.
fn header(headers: &HeaderMap, name: &str) -> Result<Option<String>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    let refuse = |what: &str| refusal(code::HEADER_MISMATCH, format!("the header {name} {what}"));
    if values.next().is_some() {
        return Err(refuse("occurs more than once"));
    }
    let value = value.to_str().map_err(|_| refuse("is no text"))?.trim();
    let encoded = value
        .strip_prefix("=?base64?")
        .and_then(|value| value.strip_suffix("?="));
    let Some(encoded) = encoded else {
        return Ok(Some(value.to_owned()));
    };
    let bytes = STANDARD.decode(encoded).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.map(Some)
        .ok_or_else(|| refuse("is not Base64-encoded text"))
}

fn missing(name: &str) -> Refusal {
    refusal(
        code::HEADER_MISMATCH,
        format!("the header {name} is missing"),
    )
}

fn mismatch(name: &str, header: &str, body: &str) -> Refusal {
    let message = format!("the header {name} is `{header}`, but the body has `{body}`");
    refusal(code::HEADER_MISMATCH, message)
}

fn incomplete(key: &str) -> Refusal {
    let message = format!("_meta needs \"{key}\" in every request");
    refusal(code::INVALID_PARAMS, message)
}

fn unsupported(requested: &str) -> Refusal {
    let supported = versions();
    let message = format!(
        "revision {requested} is not supported; supported are {}",
        supported.join(", ")
    );
    let mut error = rpc::Error::new(code::UNSUPPORTED_VERSION, message);
    error.data = Some(json!({ "supported": supported, "requested": requested }));
    Refusal::rpc(StatusCode::BAD_REQUEST, error)
}

fn refusal(code: i64, message: String) -> Refusal {
    Refusal::rpc(StatusCode::BAD_REQUEST, rpc::Error::new(code, message))
}
