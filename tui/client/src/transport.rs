//! The HTTP transport of an MCP session: rmcp's transport over our client. It adds the token to
//! each request, refreshes it once after a 401, and keeps the exact failure.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use frontdesk_protocol::mcp::SESSION_HEADER;
use frontdesk_protocol::{ErrorCode, Host, ToolError, exact};
use futures::{StreamExt, stream};
use http::header::{ACCEPT, CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetExtensions, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::common::client_side_sse::BoxedSseResponse;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::answers::Answers;
use crate::auth::Auth;
use crate::error::CallError;
use crate::failure::{Failure, shorten};
use crate::http::coding::Body;
use crate::http::{Http, Response};
use crate::lenient::Odd;
use crate::secret::Secret;
use crate::server::keys::Keys;
use crate::stream::{Event, Events, Pace, TooLarge};
use crate::tasks::TaskSessions;
use crate::trace::Exchange;

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const ACCEPTED: &str = "application/json, text/event-stream";
const LAST_EVENT_ID: &str = "last-event-id";
/// The lifetime of a notification stream; then it is reopened.
pub(crate) const LISTENING: Duration = Duration::from_secs(24 * 60 * 60);

/// Attached to a request inside this process: cancels the exchange when its caller is gone.
#[derive(Clone, Debug)]
pub(crate) struct Abandon(pub(crate) CancellationToken);

/// The source of a session's tokens.
#[derive(Clone, Debug)]
pub(crate) enum Bearer {
    /// A host of the service, with its sign-in.
    Host(Arc<Auth>, Host),
    /// A third-party server, with its credentials.
    Server(Arc<Keys>),
}

impl Bearer {
    /// The token for the next request, if any. A `rejected` token is replaced.
    async fn token(&self, rejected: Option<&Secret>) -> Result<Option<Secret>, CallError> {
        match self {
            Bearer::Host(auth, host) => auth.bearer(Some(*host), rejected).await,
            Bearer::Server(keys) => keys.token(rejected).await,
        }
    }

    /// The current token, without a refresh.
    fn held(&self) -> Option<Secret> {
        match self {
            Bearer::Host(auth, _) => auth.held().map(|held| held.access_token),
            Bearer::Server(keys) => keys.held(),
        }
    }

    /// Stores the sign-in challenge of a server.
    fn hear_challenge(&self, headers: &HeaderMap) {
        if let Bearer::Server(keys) = self {
            let challenges = headers.get_all(WWW_AUTHENTICATE).iter();
            keys.hear_challenge(challenges.filter_map(|value| value.to_str().ok()));
        }
    }

    /// Notes the scopes that a call lacked.
    fn lack(&self, headers: &HeaderMap) {
        let challenge = header(headers, WWW_AUTHENTICATE.as_str()).unwrap_or_default();
        if let (Bearer::Server(keys), true) = (self, challenge.contains("insufficient_scope")) {
            keys.lack(challenge);
        }
    }

    /// Whether notifications are read.
    fn listens(&self) -> bool {
        matches!(self, Bearer::Server(_))
    }
}

/// The requests of one session with one host or server.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    http: Http,
    bearer: Bearer,
    /// The last failure. rmcp keeps the failure of a call, but drops the failure of the second
    /// handshake message.
    last: Arc<Mutex<Option<Failure>>>,
    answers: Answers,
    tasks: TaskSessions,
    /// The waits of the notification stream.
    listening: Pace,
    /// The waits of interrupted answers.
    resuming: Pace,
}

type TransportResult<T> = Result<T, StreamableHttpError<Failure>>;

impl Transport {
    pub(crate) fn new(http: Http, bearer: Bearer, answers: Answers) -> Self {
        Transport {
            http,
            bearer,
            last: Arc::default(),
            answers,
            tasks: TaskSessions::default(),
            listening: Pace::default(),
            resuming: Pace::default(),
        }
    }

    /// The same with these sessions for requests about tasks.
    pub(crate) fn with_tasks(mut self, tasks: TaskSessions) -> Self {
        self.tasks = tasks;
        self
    }

    /// Takes the last failure.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        self.last
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn fail<T>(&self, failure: Failure) -> TransportResult<T> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure.clone());
        Err(StreamableHttpError::Client(failure))
    }

    /// Sends a request to this address with a token. After a 401 the request was not executed, so it is
    /// repeated once with a fresh token, and after a redirect that keeps its method, at the new address
    /// of the same origin.
    pub(crate) async fn send(
        &self,
        uri: &str,
        has_session: bool,
        build: impl Fn(&str) -> reqwest::RequestBuilder + Send,
    ) -> Result<reqwest::Response, Failure> {
        let mut moved: Option<String> = None;
        let mut rejected: Option<Secret> = None;
        loop {
            let token = self
                .bearer
                .token(rejected.as_ref())
                .await
                .map_err(Failure::Token)?;
            let request = build(moved.as_deref().unwrap_or(uri));
            let request = match &token {
                Some(token) => {
                    self.answers.tap.know(token);
                    request.bearer_auth(token.expose())
                }
                None => request,
            };
            let exchange = self.http.begin(&request);
            let sent = self.http.send(request).await;
            let to = match (&moved, &sent) {
                (None, Ok(response)) => moved_to(uri, response),
                _ => None,
            };
            let is_rejected = matches!(&sent, Ok(response) if response.status().as_u16() == 401);
            if !is_rejected {
                // The answer to a message is traced as a message.
                let exchange = exchange.filter(|it| to.is_some() || !it.is_message());
                Exchange::end(exchange, &sent);
                if to.is_none() {
                    return sent;
                }
                moved = to;
                continue;
            }
            let response = sent?;
            self.bearer.hear_challenge(response.headers());
            let answer = Http::read(response).await;
            Exchange::end_whole(exchange, &answer);
            let refusal = answer?.refusal();
            if refusal.is_about_session(has_session) {
                return Err(Failure::NoSession(Box::new(refusal)));
            }
            if refusal.is_about_account() {
                return Err(Failure::Token(CallError::AccountClosed(refusal.message)));
            }
            match (token, &rejected) {
                (Some(token), None) => rejected = Some(token),
                _ => return Err(Failure::Token(CallError::SignedOut(refusal.message))),
            }
        }
    }

    async fn post(
        &self,
        uri: &str,
        message: &ClientJsonRpcMessage,
        session: Option<&str>,
        headers: &HeaderMap,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let of_task = task(message).and_then(|task| self.tasks.of(task));
        if of_task.is_none() {
            self.tasks.note(session);
        }
        let is_of_another = of_task.as_deref().is_some_and(|it| Some(it) != session);
        let session = of_task.as_deref().or(session);
        let body = exact::to_vec(message)
            .map(Bytes::from)
            .map_err(|error| Failure::Connect(format!("the request cannot be written: {error}")))?;
        self.answers.tap.sent(&body);
        let response = self
            .send(uri, session.is_some(), |uri| {
                let mut request = self
                    .http
                    .request(Method::POST, uri)
                    .headers(headers.clone())
                    .header(ACCEPT, ACCEPTED)
                    .header(CONTENT_TYPE, JSON)
                    .body(body.clone());
                if let Some(session) = session {
                    request = request.header(SESSION_HEADER, session);
                }
                request
            })
            .await?;
        if let Bearer::Host(_, host) = &self.bearer {
            self.http.allowances.hear(*host, response.headers());
        }

        let asked = match message {
            JsonRpcMessage::Request(request) => Some(&request.id),
            _ => None,
        };
        let new_session = header(response.headers(), SESSION_HEADER).map(str::to_owned);
        if response.status().is_success()
            && header(response.headers(), CONTENT_TYPE.as_str()).is_some_and(is_event_stream)
        {
            let asked = asked.cloned();
            let body = Body::of(response)?;
            let events = events(body, self.answers.clone(), asked, self.resuming.clone());
            return Ok(StreamableHttpPostResponse::Sse(events, new_session));
        }
        let answer = Http::read(response).await?;
        if !answer.status.is_success() {
            self.bearer.lack(&answer.headers);
            return match refused(&answer, asked, &self.answers, session.is_some()) {
                // The session of this connection is fine.
                Err(Failure::NoSession(_)) if is_of_another => {
                    let message = "the server has ended its session";
                    let error = ToolError::new(ErrorCode::NotFound, message);
                    Err(Failure::Token(CallError::Tool(error)))
                }
                refused => refused,
            };
        }
        match asked {
            None => Ok(StreamableHttpPostResponse::Accepted),
            Some(id) => read_answer(&answer, &self.answers, id)
                .map(|message| StreamableHttpPostResponse::Json(message, new_session)),
        }
    }
}

impl StreamableHttpClient for Transport {
    type Error = Failure;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> TransportResult<StreamableHttpPostResponse> {
        self.answers.ask(&message);
        let headers: HeaderMap = custom_headers.into_iter().collect();
        let exchange = self.post(&uri, &message, session_id.as_deref(), &headers);
        let outcome = match abandon(&message) {
            Some(Abandon(token)) => tokio::select! {
                outcome = exchange => outcome,
                // Dropping the exchange closes its connection, which makes the host stop.
                () = token.cancelled() => Err(Failure::Abandoned),
            },
            None => exchange.await,
        };
        match outcome {
            Ok(response) => Ok(response),
            Err(failure) => {
                let JsonRpcMessage::Request(request) = &message else {
                    self.answers.tap.failed(None, &failure);
                    return self.fail(failure);
                };
                self.answers.forget(&request.id);
                self.answers.tap.failed(Some(&request.id), &failure);
                match (&request.request, failure) {
                    // Older servers refuse it in many ways. The handshake follows.
                    (ClientRequest::DiscoverRequest(_), failure) if failure.is_refusal() => {
                        let error = ErrorData::invalid_request(failure.to_string(), None);
                        let message = ServerJsonRpcMessage::error(error, Some(request.id.clone()));
                        Ok(StreamableHttpPostResponse::Json(message, None))
                    }
                    (_, failure) => self.fail(failure),
                }
            }
        }
    }

    /// Deletes a session at the server. The result is ignored: nothing depends on it.
    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> TransportResult<()> {
        if self.tasks.is_needed(&session_id) {
            return Ok(());
        }
        let mut request = self
            .http
            .request(Method::DELETE, &uri)
            .headers(custom_headers.into_iter().collect())
            .header(SESSION_HEADER, session_id.as_ref());
        match (self.bearer.held(), &self.bearer) {
            (Some(token), _) => request = request.bearer_auth(token.expose()),
            // A host refuses requests without a token.
            (None, Bearer::Host(..)) => return Ok(()),
            (None, Bearer::Server(_)) => {}
        }
        if let Err(error) = self.http.open(request).await {
            tracing::debug!(%error, "a session was not closed");
        }
        Ok(())
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        _auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> TransportResult<BoxedSseResponse> {
        // Without an event id this is the notification stream. It is not opened if nobody reads
        // notifications.
        let is_answer = last_event_id.is_some();
        if !is_answer && !self.bearer.listens() {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        }
        let pace = match is_answer {
            true => &self.resuming,
            false => &self.listening,
        };
        let headers: HeaderMap = custom_headers.into_iter().collect();
        let build = |uri: &str| {
            let mut request = self
                .http
                .request(Method::GET, uri)
                .headers(headers.clone())
                .header(ACCEPT, EVENT_STREAM);
            request = match &last_event_id {
                Some(last_event_id) => request.header(LAST_EVENT_ID, last_event_id),
                None => request.timeout(LISTENING),
            };
            if let Some(session) = &session_id {
                request = request.header(SESSION_HEADER, session.as_ref());
            }
            request
        };
        let mut is_first = !is_answer && pace.is_new();
        loop {
            pace.pause(std::mem::take(&mut is_first)).await;
            match self.send(&uri, session_id.is_some(), build).await {
                Ok(response)
                    if response.status().is_success()
                        && header(response.headers(), CONTENT_TYPE.as_str())
                            .is_some_and(is_event_stream) =>
                {
                    pace.opened();
                    let body = Body::of(response).or_else(|failure| self.fail(failure))?;
                    return Ok(events(body, self.answers.clone(), None, pace.clone()));
                }
                // A server or proxy that is restarted.
                Ok(response) if response.status().is_server_error() && !is_answer => {}
                // The stream is not offered, or the interrupted one cannot be resumed.
                Ok(_) => return Err(StreamableHttpError::ServerDoesNotSupportSse),
                Err(Failure::Connect(_) | Failure::Lost(_)) if !is_answer => {}
                Err(failure) => return self.fail(failure),
            }
        }
    }
}

/// The task that a request is about.
fn task(message: &ClientJsonRpcMessage) -> Option<&str> {
    let JsonRpcMessage::Request(request) = message else {
        return None;
    };
    match &request.request {
        ClientRequest::CustomRequest(custom) if custom.method.starts_with("tasks/") => {
            custom.params.as_ref()?["taskId"].as_str()
        }
        _ => None,
    }
}

/// The address of a redirect that keeps method and body, within the same origin: the token is for no
/// other.
fn moved_to(uri: &str, response: &reqwest::Response) -> Option<String> {
    if !matches!(response.status().as_u16(), 307 | 308) {
        return None;
    }
    let uri = Url::parse(uri).ok()?;
    let to = uri
        .join(header(response.headers(), LOCATION.as_str())?)
        .ok()?;
    (to.origin() == uri.origin()).then(|| to.into())
}

fn abandon(message: &ClientJsonRpcMessage) -> Option<Abandon> {
    match message {
        JsonRpcMessage::Request(request) => request.request.extensions().get::<Abandon>().cloned(),
        _ => None,
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_event_stream(content_type: &str) -> bool {
    is_type(content_type, EVENT_STREAM)
}

fn is_type(content_type: &str, expected: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(expected)
}

/// The messages of an event stream, which answers this request, if any.
fn events(body: Body, answers: Answers, asked: Option<RequestId>, pace: Pace) -> BoxedSseResponse {
    let chunks = stream::unfold(body, async |mut body: Body| {
        let chunk = body.chunk().await.transpose()?;
        Some((chunk, body))
    });
    let bytes = chunks.boxed();
    let state = (bytes, Events::default(), VecDeque::new());
    let messages = stream::unfold(state, move |(mut bytes, mut state, mut read)| {
        let (answers, asked, pace) = (answers.clone(), asked.clone(), pace.clone());
        async move {
            loop {
                if let Some(event) = read.pop_front() {
                    return Some((Ok(event), (bytes, state, read)));
                }
                let mut events = Vec::new();
                let failure = match bytes.next().await? {
                    Ok(chunk) => match state.read(&chunk, &mut events) {
                        Ok(()) => None,
                        Err(TooLarge) => {
                            let answer = answers.too_large(&[], asked.as_ref());
                            if let Some(data) =
                                answer.and_then(|it| serde_json::to_string(&it).ok())
                            {
                                let sse = Sse {
                                    data: Some(data),
                                    ..Sse::default()
                                };
                                return Some((Ok(sse), (stream::empty().boxed(), state, read)));
                            }
                            Some(std::io::Error::other("the answer is too large"))
                        }
                    },
                    Err(error) => Some(std::io::Error::other(error)),
                };
                if let Some(error) = failure {
                    let error = Err(sse_stream::Error::Body(Box::new(error)));
                    return Some((error, (stream::empty().boxed(), state, read)));
                }
                pace.ask(state.retry());
                for event in events {
                    read.extend(messages(event, &answers, asked.as_ref()));
                }
            }
        }
    });
    messages.boxed()
}

/// An event as rmcp reads it: with a message or nothing. Without a `retry` it does not wait by
/// itself.
fn messages(event: Event, answers: &Answers, asked: Option<&RequestId>) -> Vec<Sse> {
    let heard = event.data.map(|data| answers.hear(data.as_bytes(), asked));
    let heard = heard.and_then(Result::ok).unwrap_or_default();
    let data = heard.iter().filter_map(|it| serde_json::to_string(it).ok());
    let sse = |data| Sse {
        id: event.id.clone(),
        data,
        ..Sse::default()
    };
    match heard.is_empty() {
        true => vec![sse(None)],
        false => data.map(|data| sse(Some(data))).collect(),
    }
}

/// A status other than success. A JSON-RPC error is an answer, unless the status has its own
/// meaning.
fn refused(
    answer: &Response,
    asked: Option<&RequestId>,
    answers: &Answers,
    has_session: bool,
) -> Result<StreamableHttpPostResponse, Failure> {
    let refusal = answer.refusal();
    if refusal.is_about_session(has_session) {
        return Err(Failure::NoSession(Box::new(refusal)));
    }
    let status = answer.status.as_u16();
    let challenge = header(&answer.headers, WWW_AUTHENTICATE.as_str()).unwrap_or_default();
    if status == 403 && challenge.contains("insufficient_scope") {
        let error = ToolError::new(
            ErrorCode::Forbidden,
            "the sign-in does not cover this call (insufficient_scope); sign in again, which asks for \
             more",
        );
        return Err(Failure::Token(CallError::Forbidden(error)));
    }
    if let Some(id) = asked
        && answer.status.is_client_error()
        && !matches!(status, 401 | 403 | 404 | 429)
        && let Some(error) = rpc_error(&answer.body)
    {
        answers.tap.heard(&answer.body);
        // The id is null if the host could not read it.
        let message = ServerJsonRpcMessage::error(error, Some(id.clone()));
        return Ok(StreamableHttpPostResponse::Json(message, None));
    }
    Err(Failure::Status(Box::new(refusal)))
}

fn rpc_error(body: &[u8]) -> Option<ErrorData> {
    let mut body: serde_json::Value = serde_json::from_slice(body).ok()?;
    serde_json::from_value(body.get_mut("error")?.take()).ok()
}

/// The answer to request `id` in a successful response.
fn read_answer(
    answer: &Response,
    answers: &Answers,
    id: &RequestId,
) -> Result<ServerJsonRpcMessage, Failure> {
    let wrong = |what: String| Err(Failure::NotProtocol(what));
    if answer.body.is_empty() {
        return wrong(format!("HTTP {} without a body", answer.status.as_u16()));
    }
    let content_type = header(&answer.headers, CONTENT_TYPE.as_str()).unwrap_or("no type");
    let heard = match answers.hear(&answer.body, Some(id)) {
        Ok(heard) => heard,
        Err(Odd::Broken(_, why)) => return wrong(why),
        Err(Odd::Other) if !is_type(content_type, JSON) => {
            return wrong(format!("it is {} instead of JSON", shorten(content_type)));
        }
        Err(Odd::Other) => return wrong("it is not an answer of JSON-RPC".to_owned()),
    };
    let is_request = heard
        .iter()
        .any(|message| matches!(message, JsonRpcMessage::Request(_)));
    let answered = heard.into_iter().find(|message| match message {
        JsonRpcMessage::Response(response) => response.id == *id,
        JsonRpcMessage::Error(error) => error.id.as_ref() == Some(id),
        _ => false,
    });
    match answered {
        Some(message) => Ok(message),
        None if is_request => wrong("it is a question instead of an answer".to_owned()),
        None => wrong("it answers another request".to_owned()),
    }
}
