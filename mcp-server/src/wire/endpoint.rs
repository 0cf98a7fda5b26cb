//! `POST /mcp`: answers a request.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use frontdesk_protocol::mcp::{
    ALLOWANCE_HEADER, Revision, SESSION_HEADER, TOOLS_HEADER, UNLIMITED, VERSION_HEADER, Version,
};
use frontdesk_protocol::rpc::{self, code};
use frontdesk_protocol::{ErrorCode, ToolError};
use tracing::Instrument;

use super::address::Addressed;
use super::asked::Asked;
use super::envelope::Envelope;
use super::limit::Kind;
use super::method;
use super::refusal::Refusal;
use super::reply::{envelope_text, error_text, json, written};
use super::session::{Rejected, Session};
use super::{MAX_BODY, Service, bearer, conversation, running, sessionless, subscribe, waiting};
use crate::call::{Capabilities, Hosts};
use crate::connections::LateBody;
use crate::identity::Verified;

/// The maximum number of messages in a batch.
const MAX_BATCH: usize = 20;
/// The maximum size of a handshake in bytes.
const HANDSHAKE_BYTES: usize = 16 * 1024;

pub(super) async fn call(
    State(service): State<Service>,
    addressed: Addressed,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match answer(&service, addressed, &headers, body).await {
        Ok(response) => response,
        Err(refusal) => refusal.into_response(),
    }
}

/// Answers other methods. GET opens the stream of a session; DELETE would end a session, which is not supported. A caller
/// without access is refused first.
pub(super) async fn other(
    State(service): State<Service>,
    addressed: Addressed,
    method: Method,
    headers: HeaderMap,
) -> Response {
    let caller = match bearer::caller(&service, addressed, &headers).await {
        Ok(caller) => caller,
        Err(refusal) => return refusal.into_response(),
    };
    if method == Method::GET && headers.contains_key(SESSION_HEADER) {
        let stream = stream(&service, addressed, caller, &headers).await;
        return stream.unwrap_or_else(Refusal::into_response);
    }
    let error = ToolError::new(
        ErrorCode::InvalidArgument,
        format!("{method} is not answered here; send JSON-RPC by POST"),
    );
    Refusal::with_status(StatusCode::METHOD_NOT_ALLOWED, error)
        .header(header::ALLOW, "GET, POST")
        .into_response()
}

/// The stream of a session.
async fn stream(
    service: &Service,
    addressed: Addressed,
    caller: Verified,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let asked = asked(service, addressed, caller, headers)?;
    let (user, host) = (caller.user, addressed.host);
    let limit = &service.inner.limit;
    limit.check(user, host, Kind::Handshake).await?;
    session(&asked)?;
    if !accepts_streams(headers) {
        let error = rpc::Error::new(code::INVALID_REQUEST, "send `Accept: text/event-stream`");
        return Err(Refusal::rpc(StatusCode::NOT_ACCEPTABLE, error));
    }
    subscribe::of_session(&asked)
}

fn asked<'a>(
    service: &'a Service,
    addressed: Addressed,
    caller: Verified,
    headers: &'a HeaderMap,
) -> Result<Asked<'a>, Refusal> {
    Ok(Asked {
        service,
        addressed,
        caller,
        headers,
        hosts: match caller.reads_only {
            true => hosts(service, headers)?.reading(),
            false => hosts(service, headers)?,
        },
        request: format!("{:08x}", rand::random::<u32>()),
        client: Capabilities::default(),
        person: None,
        progress: None,
        stop: None,
        reads: None,
    })
}

async fn answer(
    service: &Service,
    addressed: Addressed,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, Refusal> {
    let caller = bearer::caller(service, addressed, headers).await?;
    let mut asked = asked(service, addressed, caller, headers)?;
    let body = read(body).await?;
    // Of the level of errors, so that they have it whatever else is logged.
    let span = tracing::error_span!("request", id = asked.request);
    let response = respond(&mut asked, &body).instrument(span).await;
    response.map_err(|refusal| match Envelope::read(&body) {
        Ok(envelope) => refusal.or_to(envelope.id),
        Err(_) => refusal,
    })
}

/// All tools, or those that the caller's header leaves.
fn hosts(service: &Service, headers: &HeaderMap) -> Result<Hosts, Refusal> {
    let hosts = &service.inner.hosts;
    let words: Vec<_> = headers.get_all(TOOLS_HEADER).iter().collect();
    if words.is_empty() {
        return Ok(hosts.clone());
    }
    let words = words.iter().map(|word| word.to_str().unwrap_or_default());
    let narrowed = hosts.narrowed(&words.collect::<Vec<_>>().join(","));
    narrowed.map_err(|why| {
        let message = format!("the header {TOOLS_HEADER}: {why}");
        let error = rpc::Error::new(code::INVALID_PARAMS, message);
        Refusal::rpc(StatusCode::BAD_REQUEST, error)
    })
}

/// Counts a request, answers it, and says how many more the caller may make at once.
async fn respond(asked: &mut Asked<'_>, body: &Bytes) -> Result<Response, Refusal> {
    let (user, host) = (asked.caller.user, asked.addressed.host);
    let limit = &asked.service.inner.limit;
    if is_handshake(body) {
        limit.check(user, host, Kind::Handshake).await?;
        return answer_counted(asked, body).await;
    }
    let left = limit.check(user, host, Kind::Call).await?;
    let mut response = answer_counted(asked, body).await?;
    let left = match left {
        Some(left) => HeaderValue::from(left),
        None => HeaderValue::from_static(UNLIMITED),
    };
    response.headers_mut().insert(ALLOWANCE_HEADER, left);
    Ok(response)
}

/// Refuses a token that only reads what the database stores for its session: a subscription, and the answer to a question,
/// which belongs to a call that writes.
fn only_reads(asked: &Asked<'_>, body: &[u8]) -> Result<(), Refusal> {
    const STORED: [&str; 2] = ["resources/subscribe", "resources/unsubscribe"];
    let envelope = match asked.caller.reads_only {
        true => Envelope::read(body).ok(),
        false => None,
    };
    let method = envelope.as_ref().map(|envelope| envelope.method.as_deref());
    match method {
        Some(method) if method.is_none_or(|method| STORED.contains(&method)) => {
            let error = ToolError::new(ErrorCode::Forbidden, "this token only reads");
            Err(Refusal::new(&error.hint(
                "use subscriptions/listen, or the token of a sign-in",
            )))
        }
        _ => Ok(()),
    }
}

async fn answer_counted(asked: &mut Asked<'_>, body: &Bytes) -> Result<Response, Refusal> {
    only_reads(asked, body)?;
    let headers = asked.headers;
    if sessionless::is_spoken(headers, body) {
        media_types(headers)?;
        return without_session(asked, body).await;
    }
    let session = match session(asked) {
        Ok(session) => session,
        Err(refusal) => {
            // Only `initialize` is allowed without a session.
            let opening = Envelope::read(body).ok().filter(Envelope::is_initialize);
            let Some(opening) = opening else {
                return Err(refusal);
            };
            media_types(headers)?;
            return initialize(asked, opening).await;
        }
    };
    media_types(headers)?;
    known_version(headers)?;
    if body.trim_ascii_start().first() == Some(&b'[') {
        return batch(asked, session.version, body).await;
    }
    let envelope = Envelope::read(body)?;
    if envelope.is_initialize() {
        return initialize(asked, envelope).await;
    }
    if envelope.is_call() {
        let hears_more = accepts_streams(headers);
        if hears_more && !asked.caller.reads_only {
            asked.client = session.client;
        }
        return conversation::converse(asked, Some(&session), body, &envelope, hears_more).await;
    }
    if envelope.method.as_deref() == Some(running::METHOD) {
        running::take(asked, &envelope).await;
    } else if !session.client.is_empty() {
        waiting::take(asked, &envelope).await?;
    }
    let id = envelope.id.clone();
    let revision = Revision::Session(session.version);
    match method::answer(asked, revision, &envelope).await? {
        Some(result) => Ok(written(id, &result)),
        None => Ok(StatusCode::ACCEPTED.into_response()),
    }
}

/// Whether the body opens a session, or asks what the host speaks.
fn is_handshake(body: &[u8]) -> bool {
    const METHODS: [&str; 3] = ["initialize", "notifications/initialized", "server/discover"];
    body.len() <= HANDSHAKE_BYTES
        && Envelope::read(body).is_ok_and(|envelope| {
            let method = envelope.method.as_deref();
            method.is_some_and(|method| METHODS.contains(&method))
        })
}

/// Answers a request without a session. Here an unknown method has an HTTP status of its own (404).
async fn without_session(asked: &mut Asked<'_>, body: &Bytes) -> Result<Response, Refusal> {
    let envelope = Envelope::read(body)?;
    let id = envelope.id.clone();
    asked.client = sessionless::check(asked.headers, &envelope)?;
    if envelope.method.as_deref() == Some(subscribe::LISTEN) && subscribe::is_offered(asked) {
        return subscribe::listen(asked, &envelope).await;
    }
    if envelope.is_call() {
        let hears_more = accepts_streams(asked.headers);
        return conversation::converse(asked, None, body, &envelope, hears_more).await;
    }
    match method::answer(asked, Revision::Sessionless, &envelope).await? {
        Some(result) => Ok(written(id, &result)),
        None => Ok(StatusCode::ACCEPTED.into_response()),
    }
}

/// Answers a batch, which only one revision supports. A refusal that would be an HTTP status becomes an error in the
/// batch.
async fn batch(asked: &Asked<'_>, version: Version, body: &Bytes) -> Result<Response, Refusal> {
    let refuse = |message: String| {
        Refusal::rpc(
            StatusCode::BAD_REQUEST,
            rpc::Error::new(code::INVALID_REQUEST, message),
        )
    };
    if version != Version::V2025_03_26 {
        return Err(refuse(format!(
            "revision {} has no batches; send one message a request",
            version.name()
        )));
    }
    let messages: Vec<&serde_json::value::RawValue> = serde_json::from_slice(body)
        .map_err(|error| refuse(format!("the body is not a JSON list of messages: {error}")))?;
    if messages.is_empty() || messages.len() > MAX_BATCH {
        return Err(refuse(format!(
            "a batch holds 1 to {MAX_BATCH} messages, not {}",
            messages.len()
        )));
    }
    let mut answers = Vec::new();
    for (at, message) in messages.into_iter().enumerate() {
        // The request itself has been counted as its first message.
        let limited = if at > 0 {
            let limit = &asked.service.inner.limit;
            let host = asked.addressed.host;
            limit.check(asked.caller.user, host, Kind::Call).await
        } else {
            Ok(None)
        };
        let (id, reply) = match limited.and_then(|_| Envelope::read(message.get().as_bytes())) {
            Ok(envelope) => {
                let revision = Revision::Session(version);
                let reply = method::answer(asked, revision, &envelope).await;
                let reply = reply.map_err(|refusal| refusal.to(envelope.id.clone()));
                (envelope.id, reply)
            }
            Err(refusal) => (None, Err(refusal)),
        };
        match reply {
            Ok(None) => {}
            Ok(Some(result)) => answers.push(envelope_text(id.as_ref(), &result)),
            Err(refusal) => {
                let (id, error) = refusal.into_parts();
                answers.push(error_text(id, error));
            }
        }
    }
    if answers.is_empty() {
        return Ok(StatusCode::ACCEPTED.into_response());
    }
    Ok(json(format!("[{}]", answers.join(","))))
}

async fn initialize(asked: &Asked<'_>, envelope: Envelope<'_>) -> Result<Response, Refusal> {
    let id = envelope.id.clone();
    let (result, session) = method::initialize(asked, &envelope).await?;
    let sessions = &asked.service.inner.sessions;
    let session = sessions.open(asked.addressed.host, asked.caller.user, session);
    let mut response = written(id, &result);
    if let Ok(session) = session.try_into() {
        response.headers_mut().insert(SESSION_HEADER, session);
    }
    Ok(response)
}

/// The request's session.
fn session(asked: &Asked<'_>) -> Result<Session, Refusal> {
    let token = asked.headers.get(SESSION_HEADER);
    let token = token.and_then(|token| token.to_str().ok());
    let sessions = &asked.service.inner.sessions;
    let read = match token {
        Some(token) => sessions.read(token, asked.addressed.host, asked.caller.user),
        None => Err(Rejected::Invalid),
    };
    read.map_err(|rejected| {
        let (status, message) = match rejected {
            Rejected::Invalid => (StatusCode::BAD_REQUEST, "No valid session"),
            Rejected::Expired => (StatusCode::NOT_FOUND, "The session has expired"),
        };
        let mut error = rpc::Error::new(code::NO_SESSION, message);
        let data = ToolError::new(ErrorCode::Refused, message)
            .hint("send initialize, then every request with the mcp-session-id of its response");
        error.data = serde_json::to_value(data).ok();
        Refusal::rpc(status, error)
    })
}

async fn read(body: Body) -> Result<Bytes, Refusal> {
    let error = match axum::body::to_bytes(body, MAX_BODY).await {
        Ok(bytes) => return Ok(bytes),
        Err(error) => error,
    };
    let error: &dyn std::error::Error = &error;
    let causes = || std::iter::successors(Some(error), |error| error.source());
    let late = causes().find_map(|cause| cause.downcast_ref::<LateBody>());
    let (status, message) = match late {
        Some(late) => (StatusCode::REQUEST_TIMEOUT, late.to_string()),
        None if causes().any(|cause| cause.to_string().contains("length limit")) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            format!("a body has at most {MAX_BODY} bytes"),
        ),
        _ => (
            StatusCode::BAD_REQUEST,
            "the body did not arrive whole".to_owned(),
        ),
    };
    Err(Refusal::rpc(
        status,
        rpc::Error::new(code::INVALID_REQUEST, message),
    ))
}

/// Requires a JSON body and a client that accepts JSON.
fn media_types(headers: &HeaderMap) -> Result<(), Refusal> {
    let content_type = text(headers, header::CONTENT_TYPE).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::rpc(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            rpc::Error::new(
                code::INVALID_REQUEST,
                "send `Content-Type: application/json`",
            ),
        ));
    }
    if !accepts(headers, &["application/json", "application/*", "*/*"]) {
        return Err(Refusal::rpc(
            StatusCode::NOT_ACCEPTABLE,
            rpc::Error::new(
                code::INVALID_REQUEST,
                "send `Accept: application/json, text/event-stream`",
            ),
        ));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let value = headers.get(name)?;
    Some(value.to_str().unwrap_or_default())
}

/// Whether the client accepts one of these media ranges.
fn accepts(headers: &HeaderMap, ranges: &[&str]) -> bool {
    text(headers, header::ACCEPT).is_none_or(|accept| {
        accept.split(',').any(|range| {
            let range = range.split(';').next().unwrap_or_default().trim();
            ranges.iter().any(|known| range.eq_ignore_ascii_case(known))
        })
    })
}

/// Whether the client accepts a stream of events.
fn accepts_streams(headers: &HeaderMap) -> bool {
    accepts(headers, &["text/event-stream", "text/*", "*/*"])
}

/// If the request names a revision, it must be a supported one.
fn known_version(headers: &HeaderMap) -> Result<(), Refusal> {
    let Some(named) = headers.get(VERSION_HEADER) else {
        return Ok(());
    };
    if named
        .to_str()
        .is_ok_and(|named| Version::from_name(named).is_some())
    {
        return Ok(());
    }
    let known = Version::ALL.map(Version::name).join(", ");
    Err(Refusal::rpc(
        StatusCode::BAD_REQUEST,
        rpc::Error::new(
            code::INVALID_REQUEST,
            format!("the MCP-Protocol-Version must be one of {known}"),
        ),
    ))
}
