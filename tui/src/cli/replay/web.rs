//! The server of a trace over Streamable HTTP, on this machine only.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::net::Ipv4Addr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use http::header::{ALLOW, CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, HeaderName, Method, Request, Response, StatusCode};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use url::Url;

use super::replayer::{Played, Replayer};
use crate::cli::{Failure, say};

const PATH: &str = "/mcp";
const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The largest message in bytes.
const LARGEST: usize = 16 * 1024 * 1024;

/// A body that is sent as it arrives, until its sender is dropped.
struct Sent(UnboundedReceiver<Bytes>);

impl Body for Sent {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.0.poll_recv(cx);
        next.map(|chunk| chunk.map(|it| Ok(Frame::data(it))))
    }
}

/// The server of a trace, with its open streams.
struct Web {
    replayer: Replayer,
    /// The streams of requests that are not answered yet.
    open: HashMap<usize, UnboundedSender<Bytes>>,
    /// The stream for what belongs to no request, once a client reads it.
    beside: Option<UnboundedSender<Bytes>>,
    /// What it has to send first.
    waiting: Vec<Bytes>,
}

/// Answers at this port until the program is ended.
pub(super) async fn serve(port: u16, replayer: Replayer) -> Result<(), Failure> {
    let failed = |error| Failure::file("the port", error);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    say(&format!("http://{address}{PATH}"))?;
    let web = Arc::new(Mutex::new(Web {
        replayer,
        open: HashMap::new(),
        beside: None,
        waiting: Vec::new(),
    }));
    loop {
        let (stream, _) = listener.accept().await.map_err(failed)?;
        // An answer in two parts would wait for the client to confirm the first.
        let _ = stream.set_nodelay(true);
        let web = Arc::clone(&web);
        let service = service_fn(move |request| {
            let web = Arc::clone(&web);
            async move { Ok::<_, Infallible>(answer(&web, request).await) }
        });
        tokio::spawn(async move {
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection failed");
            }
        });
    }
}

async fn answer(web: &Mutex<Web>, request: Request<Incoming>) -> Response<Sent> {
    if !is_of_this_machine(request.headers()) {
        return status(StatusCode::FORBIDDEN);
    }
    if request.uri().path() != PATH {
        return status(StatusCode::NOT_FOUND);
    }
    match *request.method() {
        Method::POST => match read(request.into_body()).await {
            Some(body) => posted(&mut locked(web), &body),
            None => status(StatusCode::PAYLOAD_TOO_LARGE),
        },
        Method::GET => locked(web).listen(),
        Method::DELETE => status(StatusCode::NO_CONTENT),
        _ => {
            let mut refused = status(StatusCode::METHOD_NOT_ALLOWED);
            let methods = http::HeaderValue::from_static("GET, POST, DELETE");
            refused.headers_mut().insert(ALLOW, methods);
            refused
        }
    }
}

fn locked(web: &Mutex<Web>) -> MutexGuard<'_, Web> {
    web.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a request is for this machine, and from no page of another: a page can have a name that leads here.
fn is_of_this_machine(headers: &HeaderMap) -> bool {
    let is_local = |url: &str| {
        let url = Url::parse(url).ok();
        let host = url.as_ref().and_then(Url::host_str);
        matches!(host, Some("127.0.0.1" | "localhost"))
    };
    let text = |name| headers.get(name).map(|it| it.to_str().unwrap_or_default());
    text(HOST).is_some_and(|host| is_local(&format!("http://{host}")))
        && text(ORIGIN).is_none_or(is_local)
}

/// The body of a request; `None` if it is too large or broken off.
async fn read(mut body: Incoming) -> Option<Vec<u8>> {
    let mut read = Vec::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(data) = frame.ok()?.into_data() {
            read.extend_from_slice(&data);
        }
        if read.len() > LARGEST {
            return None;
        }
    }
    Some(read)
}

fn posted(web: &mut Web, body: &[u8]) -> Response<Sent> {
    let Ok(message) = serde_json::from_slice::<Value>(body) else {
        let error = json!({ "code": -32700, "message": "the message is not JSON" });
        let answer = json!({ "jsonrpc": "2.0", "id": null, "error": error });
        return with(
            StatusCode::BAD_REQUEST,
            JSON,
            vec![Bytes::from(answer.to_string())],
        );
    };
    let mut played = web.replayer.hear(&message);
    web.pass_on(std::mem::take(&mut played.beside));
    if message["method"].is_null() || message["id"].is_null() {
        web.go_on(played);
        return status(StatusCode::ACCEPTED);
    }
    if message["method"] == "server/discover" && played.sent.is_empty() {
        // A process can ignore it. Here it would wait for an answer.
        return status(StatusCode::BAD_REQUEST);
    }
    let mut response = web.answer(played);
    if message["method"] == "initialize" {
        let session = http::HeaderValue::from_static("replay");
        response.headers_mut().insert(SESSION, session);
    }
    response
}

impl Web {
    /// The answer to a request: alone, or a stream with what comes before it.
    fn answer(&mut self, mut played: Played) -> Response<Sent> {
        if let ([_], true) = (played.sent.as_slice(), played.is_answered) {
            let code = played.status.and_then(|it| StatusCode::from_u16(it).ok());
            let answer = played.sent.drain(..).map(Bytes::from).collect();
            return with(code.unwrap_or(StatusCode::OK), JSON, answer);
        }
        let (sender, receiver) = unbounded_channel();
        self.open.insert(played.run, sender);
        self.go_on(played);
        stream(receiver)
    }

    /// Sends what belongs to a request on its stream, which ends with the answer.
    fn go_on(&mut self, played: Played) {
        if let Some(stream) = self.open.get(&played.run) {
            for text in &played.sent {
                // A client that is gone reads nothing.
                let _ = stream.send(event(text));
            }
            if played.is_answered {
                self.open.remove(&played.run);
            }
        }
    }

    /// Sends what belongs to no request, as soon as a client reads it.
    fn pass_on(&mut self, texts: Vec<String>) {
        for text in texts {
            let sent = self.beside.as_ref().map(|it| it.send(event(&text)));
            if !matches!(sent, Some(Ok(()))) {
                self.waiting.push(event(&text));
            }
        }
    }

    /// The stream for what belongs to no request.
    fn listen(&mut self) -> Response<Sent> {
        let (sender, receiver) = unbounded_channel();
        for waiting in self.waiting.drain(..) {
            let _ = sender.send(waiting);
        }
        self.beside = Some(sender);
        stream(receiver)
    }
}

fn event(text: &str) -> Bytes {
    Bytes::from(format!("event: message\ndata: {text}\n\n"))
}

fn status(code: StatusCode) -> Response<Sent> {
    with(code, "text/plain", Vec::new())
}

fn with(code: StatusCode, kind: &'static str, chunks: Vec<Bytes>) -> Response<Sent> {
    let (sender, receiver) = unbounded_channel();
    for chunk in chunks {
        let _ = sender.send(chunk);
    }
    let mut response = stream(receiver);
    *response.status_mut() = code;
    let kind = http::HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

fn stream(receiver: UnboundedReceiver<Bytes>) -> Response<Sent> {
    let mut response = Response::new(Sent(receiver));
    let kind = http::HeaderValue::from_static(EVENT_STREAM);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
