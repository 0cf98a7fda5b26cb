//! The pooled HTTP client, and reading answers within limits.

pub(crate) mod coding;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::ACCEPT_ENCODING;
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use self::coding::Body;
use crate::allowance::Allowances;
use crate::clock::{self, HostClock};
use crate::error::CallError;
use crate::failure::{Failure, LARGEST_ANSWER, Refusal, too_large};
use crate::patience::FAILOVER;
use crate::trace::{Exchange, Tap};

/// Idle connections are closed before a host or proxy closes them, usually after a minute: a call
/// would otherwise fail on a closed connection.
const POOL_IDLE: Duration = Duration::from_secs(30);

/// The time-outs of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection including the TLS handshake. At most half of `request`, so an unreachable
    /// host is distinguished from a slow one.
    pub connect: Duration,
    /// For a request, from the connection to the last byte of the answer.
    pub request: Duration,
    /// For a health check.
    pub health: Duration,
    /// For a host that cannot make a call now: while another node of its database takes over.
    pub failover: Duration,
}

impl Default for Timeouts {
    /// 3 s, 10 s, 3 s and 30 s.
    fn default() -> Self {
        Timeouts {
            connect: Duration::from_secs(3),
            request: Duration::from_secs(10),
            health: Duration::from_secs(3),
            failover: FAILOVER,
        }
    }
}

/// The locations of a client's addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Anywhere: through the environment's proxy if there is one, possibly over TLS.
    Anywhere,
    /// This machine: the proxy is bypassed, because it would resolve the address on its own
    /// machine.
    Local,
    /// This machine without `https://`: the platform's certificates are not loaded, which takes
    /// longer than a call.
    Plain,
}

/// The pooled client with its limits. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    pub(crate) timeouts: Timeouts,
    /// The clock of the hosts.
    pub(crate) clock: HostClock,
    /// The calls that hosts still accept.
    pub(crate) allowances: Allowances,
    /// Where exchanges are traced. Clones share it.
    tap: Arc<OnceLock<Tap>>,
}

/// A complete answer of any status.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Http {
    /// A client for addresses within this reach.
    pub(crate) fn new(timeouts: Timeouts, reach: Reach) -> Result<Self, CallError> {
        // reqwest requires a default provider. An installed one is used as it is.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("frontdesk/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect.min(timeouts.request / 2))
            .pool_idle_timeout(POOL_IDLE)
            .tcp_nodelay(true)
            // An event stream that a server compresses can be held back.
            .default_headers(HeaderMap::from_iter([(
                ACCEPT_ENCODING,
                HeaderValue::from_static("identity"),
            )]))
            // A redirect could send the token to an address that was not configured.
            .redirect(reqwest::redirect::Policy::none());
        builder = match reach {
            Reach::Anywhere => builder,
            Reach::Local => builder.no_proxy(),
            Reach::Plain => builder.no_proxy().tls_certs_only([]),
        };
        let client = builder
            .build()
            .map_err(|error| CallError::Protocol(format!("no HTTP client: {error}")))?;
        Ok(Http {
            client,
            timeouts,
            clock: HostClock::default(),
            allowances: Allowances::default(),
            tap: Arc::default(),
        })
    }

    /// Traces exchanges here, if they are not traced yet.
    pub(crate) fn trace(&self, tap: Tap) {
        // A second trace would get the rest of what the first has begun.
        let _ = self.tap.set(tap);
    }

    /// The same client with exchanges that are traced here.
    pub(crate) fn traced(&self, tap: Tap) -> Self {
        Http {
            tap: Arc::new(OnceLock::from(tap)),
            ..self.clone()
        }
    }

    /// Where exchanges are traced.
    pub(crate) fn tap(&self) -> Option<&Tap> {
        self.tap.get()
    }

    /// What a request becomes in the trace; `None` if it is off.
    pub(crate) fn begin(&self, request: &reqwest::RequestBuilder) -> Option<Exchange> {
        Exchange::begin(self.tap()?, request)
    }

    /// A request with the default time-out.
    pub(crate) fn request(&self, method: http::Method, url: &str) -> reqwest::RequestBuilder {
        self.client
            .request(method, url)
            .timeout(self.timeouts.request)
    }

    /// Sends a request and waits for the headers of the answer.
    pub(crate) async fn send(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<reqwest::Response, Failure> {
        let asked = Timestamp::now();
        let sent = request.send().await;
        let response = sent.map_err(|error| Failure::from_reqwest(&error))?;
        self.clock.hear(response.headers(), asked, Timestamp::now());
        Ok(response)
    }

    /// Sends a request, waits for the headers of the answer, and traces both.
    pub(crate) async fn open(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<reqwest::Response, Failure> {
        let exchange = self.begin(&request);
        let sent = self.send(request).await;
        Exchange::end(exchange, &sent);
        sent
    }

    /// Sends a request, reads the complete answer, and traces both.
    pub(crate) async fn exchange(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<Response, Failure> {
        let exchange = self.begin(&request);
        let answer = match self.send(request).await {
            Ok(response) => Http::read(response).await,
            Err(failure) => Err(failure),
        };
        Exchange::end_whole(exchange, &answer);
        answer
    }

    /// Reads the body of an answer.
    pub(crate) async fn read(response: reqwest::Response) -> Result<Response, Failure> {
        let status = response.status();
        let headers = response.headers().clone();
        let mut body = BytesMut::new();
        let mut coded = Body::of(response)?;
        while let Some(chunk) = coded.chunk().await? {
            if body.len() + chunk.len() > LARGEST_ANSWER {
                return Err(Failure::NotProtocol(too_large()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Response {
            status,
            headers,
            body: body.freeze(),
        })
    }
}

impl Response {
    /// The answer as a refusal.
    pub(crate) fn refusal(&self) -> Refusal {
        // A date in `Retry-After` refers to the sender's clock.
        let now = clock::sent_at(&self.headers).unwrap_or_else(Timestamp::now);
        Refusal::read(self.status, &self.headers, &self.body, now)
    }

    /// The `error_code` of an identity provider's refusal.
    pub(crate) fn error_code(&self) -> Option<String> {
        self.text("error_code")
    }

    /// A text of the body's object.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get(key)?.as_str()?.to_owned())
    }

    /// The body of a success.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if !self.status.is_success() {
            return Err(Failure::Status(Box::new(self.refusal())));
        }
        // The message omits the content, which can contain tokens or names.
        serde_json::from_slice(&self.body).map_err(|error| {
            let what = match error.classify() {
                serde_json::error::Category::Data => "has another shape than it should",
                _ => "is not JSON",
            };
            Failure::NotProtocol(format!("the body {what}"))
        })
    }
}
