//! Failures of an HTTP exchange, before they are related to a call.

use std::error::Error;
use std::time::Duration;

use frontdesk_protocol::{ErrorCode, ToolError};
use http::header::{LOCATION, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde_json::Value;

use crate::error::CallError;

/// Maximum size of an answer in bytes, far above a hundred of the largest records.
pub(crate) const LARGEST_ANSWER: usize = 16 * 1024 * 1024;

/// The wait after a 429 without a time: the default limit is 100 calls a minute, so a few seconds
/// allow several calls.
const USUAL_WAIT: Duration = Duration::from_secs(5);
/// The maximum wait accepted from a host.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);
/// Maximum length of a message in characters.
const LONGEST_MESSAGE: usize = 300;
/// The longest text of an error, in characters.
const LONGEST_TEXT: usize = 10_000;

/// Why an exchange failed.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Failure {
    /// There was no connection: nothing was sent.
    #[error("no connection: {0}")]
    Connect(String),
    /// The request was sent, at least in part, but no answer arrived.
    #[error("no answer: {0}")]
    Lost(String),
    /// The host does not know the session (any more). The call was not executed.
    ///
    /// rmcp has its own error for this and would reopen the session itself, which cancels the calls
    /// in progress on the old session and loses the cause for all but one waiting call. It is
    /// therefore not used; `Client::request` reopens the session.
    #[error("no valid session (HTTP {})", .0.status)]
    NoSession(Box<Refusal>),
    /// A status other than success.
    #[error("HTTP {}", .0.status)]
    Status(Box<Refusal>),
    /// The answer violates the protocol.
    #[error("{0}")]
    NotProtocol(String),
    /// The token is missing. Nothing was sent.
    #[error("no token: {0}")]
    Token(CallError),
    /// The caller stopped waiting.
    #[error("abandoned")]
    Abandoned,
}

impl Failure {
    /// The error for the caller. `host` is the address; `is_safe` means that the call changes
    /// nothing, so an unknown outcome is harmless.
    pub(crate) fn into_error(self, host: &str, is_safe: bool) -> CallError {
        let unreachable = |reason| CallError::Unreachable {
            host: host.to_owned(),
            reason,
        };
        match self {
            Failure::Connect(reason) => unreachable(format!("cannot be reached: {reason}")),
            Failure::Lost(reason) if is_safe => unreachable(format!("did not answer: {reason}")),
            Failure::Lost(reason) => CallError::no_answer(reason),
            Failure::NoSession(refusal) => CallError::Host {
                status: refusal.status,
                message: refusal.message,
            },
            Failure::Status(refusal) => refusal.into_error(is_safe),
            Failure::NotProtocol(reason) => CallError::Protocol(reason).of_call(is_safe),
            Failure::Token(error) => error,
            Failure::Abandoned => unreachable("did not answer: the call was cancelled".to_owned()),
        }
    }

    /// The failure with what the server said, for a trace.
    pub(crate) fn details(&self) -> String {
        match self {
            Failure::NoSession(refusal) | Failure::Status(refusal) => {
                format!("HTTP {}: {}", refusal.status, refusal.message)
            }
            failure => failure.to_string(),
        }
    }

    /// Whether a server answered, without saying that the caller or the time is wrong.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Failure::NoSession(_) | Failure::NotProtocol(_) => true,
            Failure::Status(refusal) => {
                !matches!(refusal.status, 401 | 403 | 429 | 502..=504) && refusal.status >= 400
            }
            _ => false,
        }
    }

    /// Classifies an error of the HTTP client.
    pub(crate) fn from_reqwest(error: &reqwest::Error) -> Self {
        if error.is_connect() || error.is_builder() {
            return Failure::Connect(reason(error));
        }
        Failure::Lost(reason(error))
    }
}

/// The innermost cause: the outer ones repeat the address and add little.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return match error.is_connect() {
            true => "no connection in time".to_owned(),
            false => "no answer in time".to_owned(),
        };
    }
    let Some(mut cause) = error.source() else {
        return "the request failed".to_owned();
    };
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// A status other than success, with the message of the body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    /// The HTTP status.
    pub(crate) status: u16,
    /// A message for people.
    pub(crate) message: String,
    /// The structured error, if the body has one.
    pub(crate) error: Option<ToolError>,
    /// The time to wait, from the header or the body.
    pub(crate) retry_after: Option<Duration>,
    /// Whether the body is a JSON object. Hosts and identity providers send JSON; other systems on
    /// the way, such as the sign-in page of a hotel network, send HTML.
    pub(crate) is_json: bool,
    closes_account: bool,
}

impl Refusal {
    /// Reads status, headers and body.
    pub(crate) fn read(
        status: StatusCode,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Self {
        let json: Option<Value> = serde_json::from_slice(body).ok();
        let error = json.as_ref().and_then(tool_error);
        let code = json.as_ref().and_then(|json| json.get("error_code"));
        let closes_account = code.is_some_and(|code| code == "user_banned")
            || (error.as_ref()).is_some_and(|error| {
                error.code == ErrorCode::Unauthorized && error.field.as_deref() == Some("account")
            });
        let message = match &error {
            Some(error) => error.message.clone(),
            None => cut(&message(status, headers, json.as_ref(), body)),
        };
        let header = headers
            .get(RETRY_AFTER)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| header_delay(value, now));
        let in_body = json.as_ref().and_then(body_delay);
        Refusal {
            status: status.as_u16(),
            message,
            error,
            // The header has whole seconds, the body can be more precise. The longer one is used: a
            // call too early is refused again.
            retry_after: header.max(in_body),
            is_json: json.is_some_and(|json| json.is_object()),
            closes_account,
        }
    }

    /// Whether this says that the server does not know the session (any more). It was sent with
    /// the request, or the server knows its clients otherwise.
    pub(crate) fn is_about_session(&self, was_sent: bool) -> bool {
        match self.status {
            404 | 410 => was_sent,
            400 | 401 => {
                is_uninitialized(&self.message) || (was_sent && has_session(&self.message))
            }
            _ => false,
        }
    }

    /// Whether the account was deactivated or removed: a host says so of a token, an identity
    /// provider of a grant.
    pub(crate) fn is_about_account(&self) -> bool {
        self.closes_account
    }

    /// Whether an identity provider refused a grant.
    pub(crate) fn is_about_grant(&self) -> bool {
        self.is_json && matches!(self.status, 400 | 401 | 403 | 422)
    }

    /// Whether another program than an identity provider refused: a web server without our paths, or
    /// one that expects TLS.
    pub(crate) fn is_of_another_program(&self) -> bool {
        !self.is_json && matches!(self.status, 400 | 404 | 405)
    }

    /// Whether a write with this refusal may have been executed.
    fn may_be_done(&self) -> bool {
        match &self.error {
            Some(error) => error.code.may_be_done(),
            None => may_be_done(self.status),
        }
    }

    fn into_error(self, is_safe: bool) -> CallError {
        match self.status {
            401 if self.is_about_account() => CallError::AccountClosed(self.message),
            401 => CallError::SignedOut(self.message),
            // Otherwise a proxy refused it, and the call can succeed later.
            403 if self.is_json => CallError::Forbidden(
                self.error
                    .unwrap_or_else(|| ToolError::new(ErrorCode::Forbidden, self.message)),
            ),
            429 => CallError::RateLimited {
                retry_after: self.retry_after.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT),
            },
            503 if self.retry_after.is_some() => CallError::Busy {
                retry_after: self.retry_after.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT),
            },
            // A proxy or the host gave up, perhaps after the call was executed. A host that says
            // what it did is believed.
            status if !is_safe && self.may_be_done() => {
                CallError::unclear(format!("HTTP {status}: {}", self.message))
            }
            status => CallError::Host {
                status,
                message: self.message,
            },
        }
    }
}

fn has_session(text: &str) -> bool {
    text.to_ascii_lowercase().contains("session")
}

/// Whether a server says that there was no handshake.
pub(crate) fn is_uninitialized(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    ["not initialized", "not been initialized", "uninitialized"]
        .iter()
        .any(|it| text.contains(it))
}

/// Whether an error of a server says that it lost the session. A tool can have sessions of its own.
pub(crate) fn is_lost_session(text: &str) -> bool {
    let words = [
        "expired",
        "invalid",
        "not found",
        "unknown",
        "no valid",
        "terminated",
        "closed",
        "missing",
        "not exist",
        "no longer",
    ];
    let lower = text.to_ascii_lowercase();
    has_session(text) && words.iter().any(|word| lower.contains(word))
}

/// Whether a call with this status may have been executed: the server failed or ran out of time, or
/// a proxy lost the connection to it (499).
fn may_be_done(status: u16) -> bool {
    matches!(status, 408 | 499) || (status >= 500 && status != 501)
}

/// The wait of a tool or JSON-RPC error that means 429 but came with a different status.
pub(crate) fn wait(data: Option<&Value>) -> Duration {
    data.and_then(body_delay)
        .unwrap_or(USUAL_WAIT)
        .min(LONGEST_WAIT)
}

/// `{"error": {…, "data": {"code", "message"}}}` of JSON-RPC, or `{"error": {"code", "message"}}`.
fn tool_error(json: &Value) -> Option<ToolError> {
    let error = json.get("error")?;
    error
        .get("data")
        .and_then(|data| serde_json::from_value(data.clone()).ok())
        .or_else(|| serde_json::from_value(error.clone()).ok())
}

/// The message in a body, in the formats of hosts and identity providers.
fn message(status: StatusCode, headers: &HeaderMap, json: Option<&Value>, body: &[u8]) -> String {
    if let Some(json) = json {
        let texts = [
            json.pointer("/error/message"),
            json.get("msg"),
            json.get("error_description"),
            json.get("message"),
            json.get("error"),
        ];
        let text = texts.into_iter().flatten().find_map(Value::as_str);
        match (text, json.pointer("/error/data/supported")) {
            (Some(text), Some(supported)) => return format!("{text} (supported: {supported})"),
            (Some(text), None) => return text.to_owned(),
            (None, _) => {}
        }
    }
    if status.is_redirection() {
        let to = headers.get(LOCATION).and_then(|to| to.to_str().ok());
        return format!(
            "it sends on to {}; configure that address",
            to.unwrap_or("nowhere")
        );
    }
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    // HTML has no one-line message.
    let is_empty = matches!(text, "" | "{}" | "[]" | "null");
    if is_empty || text.starts_with('<') {
        return status
            .canonical_reason()
            .unwrap_or("no reason given")
            .to_owned();
    }
    text.to_owned()
}

/// The reason of an answer above the maximum.
pub(crate) fn too_large() -> String {
    format!("it is larger than {} MiB", LARGEST_ANSWER / 1024 / 1024)
}

/// Cuts a message that nobody can read to its end.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => {
            let left = text.len() - end;
            format!("{}… ({left} more bytes)", &text[..end])
        }
        None => text.to_owned(),
    }
}

/// Shortens a message to fit the screen.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// `Retry-After`: seconds, or a date.
fn header_delay(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let until = jiff::fmt::rfc2822::parse(value).ok()?.timestamp();
    Some(
        until
            .duration_since(now)
            .try_into()
            .unwrap_or(Duration::ZERO),
    )
}

/// `retry_after` in seconds or `retry_after_ms`, in the error's data, in the error, or at the top
/// level.
fn body_delay(json: &Value) -> Option<Duration> {
    let places = [json.pointer("/error/data"), json.get("error"), Some(json)];
    places.into_iter().flatten().find_map(|place| {
        let seconds = ["retry_after", "retryAfter", "retry_after_seconds"]
            .iter()
            .find_map(|key| place.get(key)?.as_f64());
        let seconds = match seconds {
            Some(seconds) => seconds,
            None => place.get("retry_after_ms")?.as_f64()? / 1000.0,
        };
        Duration::try_from_secs_f64(seconds).ok()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn read(status: u16, headers: &[(http::HeaderName, &str)], body: &str) -> Refusal {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name, value.parse().expect("a header"));
        }
        let status = StatusCode::from_u16(status).expect("a status");
        Refusal::read(status, &map, body.as_bytes(), at("1994-11-06T08:49:07Z"))
    }

    fn wait_of(headers: &[(http::HeaderName, &str)], body: &str) -> CallError {
        read(429, headers, body).into_error(true)
    }

    fn limited(millis: u64) -> CallError {
        CallError::RateLimited {
            retry_after: Duration::from_millis(millis),
        }
    }

    #[test]
    fn the_wait_is_in_the_header_or_in_the_body() {
        assert_eq!(wait_of(&[(RETRY_AFTER, "7")], ""), limited(7000));
        assert_eq!(
            wait_of(&[(RETRY_AFTER, "Sun, 06 Nov 1994 08:49:37 GMT")], ""),
            limited(30_000)
        );
        assert_eq!(
            wait_of(&[(RETRY_AFTER, "Sun, 06 Nov 1994 08:00:00 GMT")], ""),
            limited(0)
        );
        let body = json!({ "error": { "code": -32029, "message": "slow", "data": {
            "code": "rate_limited", "message": "slow", "retry_after": 1.25 } } });
        assert_eq!(wait_of(&[], &body.to_string()), limited(1250));
        assert_eq!(
            wait_of(&[(RETRY_AFTER, "2")], &body.to_string()),
            limited(2000)
        );
        assert_eq!(wait_of(&[], r#"{"retry_after_ms": 400}"#), limited(400));
    }

    #[test]
    fn a_missing_or_absurd_wait_is_replaced() {
        assert_eq!(wait_of(&[], "too many"), limited(5000));
        assert_eq!(wait_of(&[(RETRY_AFTER, "soon")], ""), limited(5000));
        assert_eq!(
            wait_of(&[(RETRY_AFTER, "99999999999")], ""),
            limited(3_600_000)
        );
        assert_eq!(wait_of(&[], r#"{"retry_after": -1}"#), limited(5000));
    }

    #[test]
    fn messages_are_found_in_every_shape() {
        for (body, message) in [
            (
                r#"{"error":{"code":-32000,"message":"No valid session"}}"#,
                "No valid session",
            ),
            (
                r#"{"error_code":"invalid_credentials","msg":"Invalid login"}"#,
                "Invalid login",
            ),
            (
                r#"{"error":"invalid_grant","error_description":"Used"}"#,
                "Used",
            ),
            (r#"{"error":"invalid_grant"}"#, "invalid_grant"),
            (r#"{"detail":["no"]}"#, r#"{"detail":["no"]}"#),
            ("  nothing here ", "nothing here"),
            ("<html><body>Bad gateway</body></html>", "Bad Gateway"),
            ("", "Bad Gateway"),
        ] {
            assert_eq!(read(502, &[], body).message, message, "{body}");
        }
        let long = "ä".repeat(1000);
        assert_eq!(read(502, &[], &long).message, long);
    }

    #[test]
    fn a_redirect_names_its_goal() {
        let error = read(302, &[(LOCATION, "https://b.example.org/")], "").into_error(true);
        let message = "it sends on to https://b.example.org/; configure that address".to_owned();
        assert_eq!(
            error,
            CallError::Host {
                status: 302,
                message
            }
        );
    }

    #[test]
    fn forbidden_is_the_error_of_the_body_or_made_from_its_message() {
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": {
            "code": -32003, "message": "no", "data": {
                "code": "forbidden", "message": "Teachers do not edit events", "field": "name" } } });
        let told = ToolError::new(ErrorCode::Forbidden, "Teachers do not edit events").on("name");
        assert_eq!(
            read(403, &[], &body.to_string()).into_error(true),
            CallError::Forbidden(told)
        );
        let made = ToolError::new(ErrorCode::Forbidden, "go away");
        let body = r#"{"error":{"code":-32003,"message":"go away"}}"#;
        assert_eq!(
            read(403, &[], body).into_error(true),
            CallError::Forbidden(made)
        );
    }

    #[test]
    fn a_page_forbids_nothing_and_refuses_no_grant() {
        let page = read(403, &[], "<h1>Accept our terms</h1>");
        assert!(!page.is_about_grant());
        let message = "Forbidden".to_owned();
        assert_eq!(
            page.into_error(true),
            CallError::Host {
                status: 403,
                message
            }
        );
        assert!(read(400, &[], r#"{"error":"invalid_grant"}"#).is_about_grant());
        assert!(!read(500, &[], r#"{"error":"no"}"#).is_about_grant());
    }

    #[test]
    fn a_busy_host_did_nothing_and_says_when_to_come_back() {
        let refusal = r#"{"error":{"code":-32053,"message":"busy"}}"#;
        let busy = read(503, &[(RETRY_AFTER, "2")], refusal);
        let retry_after = Duration::from_secs(2);
        assert_eq!(busy.into_error(false), CallError::Busy { retry_after });
    }

    #[test]
    fn a_status_of_a_server_that_gave_up_leaves_a_write_unknown() {
        for status in [408, 499, 500, 502, 503, 504, 520, 524] {
            let lost = || read(status, &[], r#"{"error":{"code":-32054,"message":"lost"}}"#);
            let unknown = CallError::unclear(format!("HTTP {status}: lost"));
            assert_eq!(lost().into_error(false), unknown);
            let message = "lost".to_owned();
            assert_eq!(lost().into_error(true), CallError::Host { status, message });
        }
        for status in [400, 404, 413, 422, 501] {
            let refused = read(status, &[], "no").into_error(false);
            assert!(matches!(refused, CallError::Host { .. }), "{status}");
        }
        let told = json!({ "error": { "code": -32603, "message": "rolled back", "data": {
            "code": "internal", "message": "rolled back" } } });
        let told = read(500, &[], &told.to_string()).into_error(false);
        assert!(matches!(told, CallError::Host { .. }), "{told}");
        let open = json!({ "error": { "code": -32054, "message": "lost", "data": {
            "code": "outcome_unknown", "message": "lost" } } });
        let open = read(504, &[], &open.to_string()).into_error(false);
        assert_eq!(open, CallError::unclear("HTTP 504: lost"));
    }

    #[test]
    fn what_is_lost_is_unknown_only_where_it_matters() {
        let lost = || Failure::Lost("reset".to_owned());
        assert_eq!(lost().into_error("h", false), CallError::no_answer("reset"));
        assert!(matches!(
            lost().into_error("h", true),
            CallError::Unreachable { .. }
        ));
        assert!(matches!(
            Failure::Connect("refused".to_owned()).into_error("h", false),
            CallError::Unreachable { .. }
        ));
    }
}
