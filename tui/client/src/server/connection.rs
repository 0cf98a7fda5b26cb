//! The session with a server: opened on demand, at an address or with a process.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderName, HeaderValue};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};

use super::child::Process;
use super::requests::ANSWER_WITHIN;
use super::{Server, Way};
use crate::answers::Answers;
use crate::config::servers::HttpServer;
use crate::error::CallError;
use crate::session::{Session, of_handshake, resume_policy};
use crate::transport::{Bearer, Transport};

/// The time limit of the handshake; a launcher may have to download the program first.
pub(super) const HANDSHAKE_WITHIN: Duration = Duration::from_secs(60);

impl Server {
    /// The current session, or a new one.
    pub(super) async fn session(&self) -> Result<Arc<Session>, CallError> {
        let mut slot = self.0.session.lock().await;
        if let Some(session) = slot.as_ref().filter(|session| session.is_open()) {
            return Ok(Arc::clone(session));
        }
        let opening = self.open();
        let session = match tokio::time::timeout(HANDSHAKE_WITHIN, opening).await {
            Ok(session) => Arc::new(session?),
            Err(_) => {
                let reason = match &self.0.way {
                    Way::Http(..) => "did not answer in time".to_owned(),
                    Way::Command(_, fate) => format!("did not answer: {}", fate.silence()),
                };
                return Err(self.unreachable(reason));
            }
        };
        self.tell_log_level(&session).await;
        *slot = Some(Arc::clone(&session));
        Ok(session)
    }

    pub(super) async fn open(&self) -> Result<Session, CallError> {
        let listener = &self.0.listener;
        let answers = Answers::new(true, self.0.tap.get().cloned().unwrap_or_default());
        match &self.0.way {
            Way::Http(server, http, keys) => {
                let bearer = Bearer::Server(Arc::clone(keys));
                let transport = Transport::new(http.clone(), bearer, answers.clone())
                    .with_tasks(self.0.task_sessions.clone());
                let worker = || {
                    let uri = server.url.as_str().to_owned();
                    let mut config = StreamableHttpClientTransportConfig::with_uri(uri);
                    config.retry_config = Arc::new(resume_policy());
                    config.custom_headers = headers(server);
                    let client = transport.clone();
                    Ok(StreamableHttpClientTransport::with_client(client, config))
                };
                let failed = |error| match transport.take_failure() {
                    Some(failure) => not_mcp(server, failure.into_error(&self.0.place, true)),
                    None => of_handshake(error, &answers),
                };
                Session::establish(
                    listener,
                    ANSWER_WITHIN,
                    &answers,
                    server.era,
                    worker,
                    failed,
                )
                .await
            }
            Way::Command(server, fate) => {
                fate.begin();
                let process = || {
                    Process::start(server, fate.clone(), answers.clone())
                        .map_err(|error| self.unreachable(format!("cannot be started: {error}")))
                };
                let failed = |error| match error {
                    rmcp::service::ClientInitializeError::ConnectionClosed(_)
                    | rmcp::service::ClientInitializeError::TransportError { .. } => {
                        let ended = fate.tell().unwrap_or_else(|| fate.silence());
                        self.unreachable(format!("did not answer: {ended}"))
                    }
                    error => of_handshake(error, &answers),
                };
                Session::establish(
                    listener,
                    ANSWER_WITHIN,
                    &answers,
                    server.era,
                    process,
                    failed,
                )
                .await
            }
        }
    }

    pub(super) fn unreachable(&self, reason: String) -> CallError {
        CallError::Unreachable {
            host: self.0.place.clone(),
            reason,
        }
    }

    /// Drops a session that the server does not know any more, unless it was already replaced.
    pub(super) async fn retire(&self, session: &Arc<Session>) {
        let mut slot = self.0.session.lock().await;
        if slot.as_ref().is_some_and(|it| Arc::ptr_eq(it, session)) {
            *slot = None;
        }
    }
}

/// The error of a handshake. An address without an endpoint is usually that of its web server.
fn not_mcp(server: &HttpServer, error: CallError) -> CallError {
    let is_endpoint = server.url.path().trim_end_matches('/').ends_with("/mcp");
    match error {
        CallError::Host {
            status: status @ (404 | 405),
            message,
        } if !is_endpoint => {
            let place = server.place();
            let place = place.trim_end_matches('/');
            let message = match place.strip_suffix("/sse") {
                Some(base) => format!(
                    "{message}; it is an address of the older HTTP+SSE transport, which is not \
                     supported; try {base}/mcp"
                ),
                None => format!("{message}; the MCP endpoint is usually {place}/mcp"),
            };
            CallError::Host { status, message }
        }
        error => error,
    }
}

/// The headers of each request, marked as sensitive for logs.
pub(super) fn headers(server: &HttpServer) -> HashMap<HeaderName, HeaderValue> {
    let headers = server.headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let mut value = HeaderValue::from_str(value.expose()).ok()?;
        value.set_sensitive(true);
        Some((name, value))
    });
    headers.collect()
}
