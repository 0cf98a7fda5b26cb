//! A receiver of webhooks on loopback. The test decides when and what it answers.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::process::{self, Process};
use crate::world::PATIENCE;

/// The receiver's secret.
pub const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
/// A previous or future secret of the receiver.
pub const OTHER_SECRET: &str = "whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI=";

/// Starts a server process on this database that delivers to this address, and waits until it
/// listens.
pub fn serve_telling(webhook_url: &str, database: &str) -> Process {
    let mut command = process::serve(database);
    command.env("FRONTDESK_WEBHOOK_URL", webhook_url);
    command.env("FRONTDESK_WEBHOOK_SECRET", SECRET);
    command.env("FRONTDESK_WEBHOOK_ALLOW_PRIVATE", "true");
    Process::start(&mut command)
}

/// The receiver; dropping it stops it.
pub struct Receiver {
    address: SocketAddr,
    arrived: UnboundedReceiver<Arrived>,
    serving: JoinHandle<()>,
}

/// An unanswered request. Dropping it closes its connection without an answer.
#[derive(Debug)]
pub struct Arrived {
    /// What was asked.
    pub request: Request,
    answer: oneshot::Sender<Response>,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Path and query.
    pub uri: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Receiver {
    /// Starts a receiver.
    pub async fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (arrivals, arrived) = unbounded_channel();
        let router = Router::new().fallback(take).with_state(arrivals);
        let serving = tokio::spawn(async move {
            axum::serve(listener, router).await.expect("it serves");
        });
        Receiver {
            address,
            arrived,
            serving,
        }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("http://{}/hook?from=frontdesk", self.address)
    }

    /// Waits for the next request.
    pub async fn next(&mut self) -> Arrived {
        // A test without its request then fails and does not block the others.
        let arrived = tokio::time::timeout(PATIENCE, self.arrived.recv()).await;
        arrived.expect("a request").expect("it listens")
    }

    /// Waits for the next request and answers it.
    pub async fn answer(&mut self, answer: impl IntoResponse) -> Request {
        self.next().await.answer(answer)
    }

    /// Waits for this many requests and answers each with 204.
    pub async fn take(&mut self, count: usize) -> Vec<Request> {
        let mut requests = Vec::new();
        while requests.len() < count {
            requests.push(self.answer(axum::http::StatusCode::NO_CONTENT).await);
        }
        requests
    }

    /// Whether no received request is left.
    pub fn is_quiet(&mut self) -> bool {
        self.arrived.try_recv().is_err()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn take(
    State(arrivals): State<UnboundedSender<Arrived>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let (answer, answered) = oneshot::channel();
    let request = Request {
        method,
        uri,
        headers,
        body,
    };
    let arrival = Arrived { request, answer };
    if arrivals.send(arrival).is_err() {
        panic!("the test is over");
    }
    answered.await.expect("the test answers")
}

impl Arrived {
    /// Answers the request.
    pub fn answer(self, answer: impl IntoResponse) -> Request {
        // The worker may have ended: then nothing waits for the answer.
        let _ = self.answer.send(answer.into_response());
        self.request
    }
}

impl Request {
    /// A header's value.
    ///
    /// # Panics
    ///
    /// If it is missing.
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        let value = value.unwrap_or_else(|| panic!("no {name}: {:?}", self.headers));
        value.to_str().expect("text")
    }

    /// The webhook's id, which is the same at every attempt.
    #[track_caller]
    pub fn id(&self) -> String {
        self.header("webhook-id").to_owned()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The id of the webhook's meeting.
    pub fn meeting(&self) -> uuid::Uuid {
        let meeting = &self.json()["data"]["meeting_id"];
        meeting.as_str().expect("an id").parse().expect("a UUID")
    }

    /// Whether a receiver with this secret accepts the signature, checked as the Standard Webhooks
    /// specification requires.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let key = secret.strip_prefix("whsec_").expect("a secret");
        let key = STANDARD.decode(key).expect("base64");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
        mac.update(format!("{}.{}.", self.id(), self.header("webhook-timestamp")).as_bytes());
        mac.update(&self.body);
        let expected = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        self.header("webhook-signature")
            .split(' ')
            .any(|signature| signature == expected)
    }
}
