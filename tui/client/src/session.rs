//! MCP sessions: one for each host, opened when it is first needed and shared by all calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use frontdesk_protocol::Host;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use rmcp::RoleClient;
use rmcp::model::{
    ClientCapabilities, ClientConfig, ClientRequest, Implementation, ProtocolVersion,
    RequestMetaObject, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, PeerRequestOptions,
    RunningService, ServiceError,
};
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};

use crate::addresses::Addresses;
use crate::auth::Auth;
use crate::error::CallError;
use crate::failure::Failure;
use crate::http::Http;
use crate::result;
use crate::transport::Transport;

/// An answer that comes as a stream of events may take longer than one request, because the
/// stream may be taken up again; not longer than this many times.
const STREAMED: u32 = 3;

/// An open session with one host.
#[derive(Debug)]
pub(crate) struct Session {
    service: RunningService<RoleClient, ClientConfig>,
    limit: Duration,
}

/// Why a request brought no result.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The exchange failed.
    Exchange(Failure),
    /// The host answered with an error.
    Answer(CallError),
}

impl Session {
    async fn open(
        http: Http,
        auth: Arc<Auth>,
        addresses: Arc<Addresses>,
        host: Host,
    ) -> Result<Arc<Self>, CallError> {
        let limit = http.timeouts.request.saturating_mul(STREAMED);
        let transport = Transport::new(http, auth, host);
        let open = |lifecycle| {
            let mut config = StreamableHttpClientTransportConfig::with_uri(addresses.mcp(host));
            config.retry_config = Arc::new(resume_policy());
            let worker = StreamableHttpClientTransport::with_client(transport.clone(), config);
            identity().serve_with_lifecycle(worker, lifecycle)
        };
        // Nothing was asked for yet, so that no outcome can be unknown.
        let base = addresses.base(host);
        let failed = |error| match transport.take_failure() {
            Some(failure) => failure.into_error(&base, true),
            None => of_handshake(error),
        };

        let refused = match open(ClientLifecycleMode::Initialize).await {
            Ok(service) => return Ok(Arc::new(Session { service, limit })),
            Err(error @ ClientInitializeError::JsonRpcError(_)) => failed(error),
            Err(error) => return Err(failed(error)),
        };
        // A host of the newest revision has no handshake to answer.
        let newest = ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        };
        match open(newest).await {
            Ok(service) => Ok(Arc::new(Session { service, limit })),
            Err(_) => Err(refused),
        }
    }

    /// Whether calls can still go this way.
    fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed()
    }

    /// Sends a request and waits for its result.
    pub(crate) async fn request(
        &self,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
    ) -> Result<ServerResult, Trouble> {
        let mut options = PeerRequestOptions::with_timeout(self.limit);
        options.meta = meta;
        let handle = self
            .service
            .send_cancellable_request(request, options)
            .await
            .map_err(trouble)?;
        handle.await_response().await.map_err(trouble)
    }
}

/// Who calls, and with which revision: the newest with a handshake. A host that knows only older
/// ones answers with its newest.
fn identity() -> ClientConfig {
    ClientConfig::new(
        ClientCapabilities::default(),
        Implementation::new("frontdesk", env!("CARGO_PKG_VERSION")),
    )
    .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

/// How often an answer that broke off is taken up again, where the host can do that.
fn resume_policy() -> ExponentialBackoff {
    let mut policy = ExponentialBackoff::default();
    policy.max_times = Some(STREAMED as usize);
    policy
}

fn of_handshake(error: ClientInitializeError) -> CallError {
    match error {
        ClientInitializeError::JsonRpcError(error) => result::of_rpc_error(error),
        error => CallError::Protocol(error.to_string()),
    }
}

fn trouble(error: ServiceError) -> Trouble {
    let failure = match error {
        ServiceError::McpError(error) => return Trouble::Answer(result::of_rpc_error(error)),
        ServiceError::TransportSend(error) => {
            match error.error.downcast::<StreamableHttpError<Failure>>() {
                Ok(error) => of_transport(*error),
                Err(error) => Failure::Lost(error.to_string()),
            }
        }
        ServiceError::TransportClosed => {
            Failure::Lost("the connection ended before the answer".to_owned())
        }
        ServiceError::Timeout { .. } => Failure::Lost("nothing came in time".to_owned()),
        ServiceError::Cancelled { .. } => Failure::Lost("the host gave the call up".to_owned()),
        error => Failure::NotProtocol(error.to_string()),
    };
    Trouble::Exchange(failure)
}

fn of_transport(error: StreamableHttpError<Failure>) -> Failure {
    match error {
        StreamableHttpError::Client(failure) => failure,
        // Whatever happened, it happened after the request was handed over.
        error => Failure::Lost(error.to_string()),
    }
}

type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, CallError>>>;

/// A session as calls use it, with the number under which it can be given up.
#[derive(Debug, Clone)]
pub(crate) struct Current {
    pub(crate) session: Arc<Session>,
    number: u64,
}

#[derive(Debug)]
struct Slot {
    number: u64,
    opening: Opening,
}

/// The sessions of one client.
#[derive(Debug)]
pub(crate) struct Sessions {
    http: Http,
    auth: Arc<Auth>,
    addresses: Arc<Addresses>,
    slots: Mutex<Slots>,
}

#[derive(Debug, Default)]
struct Slots {
    opened: u64,
    by_host: HashMap<Host, Slot>,
}

impl Sessions {
    pub(crate) fn new(http: Http, auth: Arc<Auth>, addresses: Arc<Addresses>) -> Self {
        Sessions {
            http,
            auth,
            addresses,
            slots: Mutex::default(),
        }
    }

    /// The session with this host, opened if there is none. Calls that come meanwhile wait for
    /// the same handshake and share what comes of it.
    ///
    /// # Errors
    /// Why it cannot be opened. The next call tries anew.
    pub(crate) async fn get(&self, host: Host) -> Result<Current, CallError> {
        let (number, opening) = self.opening(host);
        let session = opening.await?;
        Ok(Current { session, number })
    }

    fn opening(&self, host: Host) -> (u64, Opening) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = slots.by_host.get(&host) {
            let is_good = match slot.opening.peek() {
                None => true,
                Some(Ok(session)) => session.is_open(),
                Some(Err(_)) => false,
            };
            if is_good {
                return (slot.number, slot.opening.clone());
            }
        }
        slots.opened += 1;
        let number = slots.opened;
        // In a task of its own, so that it goes on when the call that began it is dropped.
        let task = tokio::spawn(Session::open(
            self.http.clone(),
            Arc::clone(&self.auth),
            Arc::clone(&self.addresses),
            host,
        ));
        let opening = task
            .map(|opened| match opened {
                Ok(opened) => opened,
                Err(error) => Err(CallError::Protocol(format!(
                    "the handshake broke off: {error}"
                ))),
            })
            .boxed()
            .shared();
        slots.by_host.insert(
            host,
            Slot {
                number,
                opening: opening.clone(),
            },
        );
        (number, opening)
    }

    /// Gives up a session that the host does not know any more. Calls that are under way on it
    /// go on; one that was opened meanwhile stays.
    pub(crate) fn retire(&self, host: Host, current: &Current) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots
            .by_host
            .get(&host)
            .is_some_and(|slot| slot.number == current.number)
        {
            slots.by_host.remove(&host);
        }
    }

    /// Gives up all sessions: they belong to the one who was signed in.
    pub(crate) fn clear(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.by_host.clear();
    }
}
