//! The one pooled HTTP client, and reading answers within bounds.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde::de::DeserializeOwned;

use crate::clock::{self, HostClock};
use crate::error::CallError;
use crate::failure::{Failure, Refusal};

/// The most bytes of one answer: a hundred of the largest records stay far below.
pub(crate) const LARGEST_ANSWER: usize = 16 * 1024 * 1024;
/// Connections that nobody uses are closed before a host or a proxy does so, which usually is
/// after a minute: a call must not find that out.
const POOL_IDLE: Duration = Duration::from_secs(30);

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection, with its TLS handshake. Never more than half of `request`, so that a
    /// host that is away is told from one that does not answer.
    pub connect: Duration,
    /// For a request, from the connection to the last byte of the answer.
    pub request: Duration,
    /// For a look at a host's health.
    pub health: Duration,
}

impl Default for Timeouts {
    /// 3 s, 10 s and 3 s.
    fn default() -> Self {
        Timeouts {
            connect: Duration::from_secs(3),
            request: Duration::from_secs(10),
            health: Duration::from_secs(3),
        }
    }
}

/// Where the addresses of a client are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Anywhere: behind the environment's proxy where there is one, which may be reached over TLS.
    Anywhere,
    /// On this machine: the proxy is left aside, which would look for the hosts on its own machine.
    Local,
    /// On this machine, and none is `https://`: the certificates of the platform are not read, which takes
    /// longer than a call does.
    Plain,
}

/// The pooled client with its limits. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    client: reqwest::Client,
    pub(crate) timeouts: Timeouts,
    /// The clock of the hosts that answer.
    pub(crate) clock: HostClock,
}

/// A complete answer of any status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Http {
    /// A client for addresses that are within this reach.
    pub(crate) fn new(timeouts: Timeouts, reach: Reach) -> Result<Self, CallError> {
        // reqwest asks for the process's provider. If one is installed already, it serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("frontdesk/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(timeouts.connect.min(timeouts.request / 2))
            .pool_idle_timeout(POOL_IDLE)
            .tcp_nodelay(true)
            // A redirect would carry the token to an address that nobody configured.
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
        })
    }

    /// A request with the usual time-out.
    pub(crate) fn request(&self, method: http::Method, url: &str) -> reqwest::RequestBuilder {
        self.client
            .request(method, url)
            .timeout(self.timeouts.request)
    }

    /// Sends a request and waits for the beginning of the answer.
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

    /// Sends a request and reads the whole answer.
    pub(crate) async fn exchange(
        &self,
        request: reqwest::RequestBuilder,
    ) -> Result<Answer, Failure> {
        let response = self.send(request).await?;
        Http::read(response).await
    }

    /// Reads the rest of an answer.
    pub(crate) async fn read(mut response: reqwest::Response) -> Result<Answer, Failure> {
        let mut body = BytesMut::new();
        while let Some(chunk) = response
            .chunk()
            .await
            .map_err(|error| Failure::from_reqwest(&error))?
        {
            if body.len() + chunk.len() > LARGEST_ANSWER {
                return Err(Failure::NotProtocol(format!(
                    "it is larger than {} MiB",
                    LARGEST_ANSWER / 1024 / 1024
                )));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status: response.status(),
            headers: std::mem::take(response.headers_mut()),
            body: body.freeze(),
        })
    }
}

impl Answer {
    /// What the answer refuses, read as a refusal.
    pub(crate) fn refusal(&self) -> Refusal {
        // A date in `Retry-After` is by the sender's clock.
        let now = clock::told(&self.headers).unwrap_or_else(Timestamp::now);
        Refusal::read(self.status, &self.headers, &self.body, now)
    }

    /// The `error_code` of an identity provider's refusal.
    pub(crate) fn error_code(&self) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&self.body).ok()?;
        Some(body.get("error_code")?.as_str()?.to_owned())
    }

    /// The body of a success.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if !self.status.is_success() {
            return Err(Failure::Status(Box::new(self.refusal())));
        }
        // What was read is not repeated: it may hold tokens or names.
        serde_json::from_slice(&self.body).map_err(|error| {
            let what = match error.classify() {
                serde_json::error::Category::Data => "has another shape than it should",
                _ => "is not JSON",
            };
            Failure::NotProtocol(format!("the body {what}"))
        })
    }
}
