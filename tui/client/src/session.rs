//! MCP sessions: one per host, opened on demand and shared by all calls; and opening sessions in
//! general.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_protocol::changes::EXTENSION;
use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use rmcp::RoleClient;
use rmcp::model::{
    ClientNotification, ClientRequest, CustomNotification, ErrorCode as RpcCode, ErrorData,
    ProtocolVersion, RequestId, RequestMetaObject, ServerPeerInfo, ServerResult,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, ClientServiceExt, PeerRequestOptions,
    RequestHandle, RunningService, ServiceError,
};
use rmcp::transport::IntoTransport;
use rmcp::transport::common::client_side_sse::FixedInterval;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig, StreamableHttpError,
};
use serde_json::{Value, json};

use crate::addresses::Addresses;
use crate::answers::{Answer, Answers};
use crate::auth::Auth;
use crate::config::servers::Era;
use crate::error::CallError;
use crate::failure::{Failure, is_lost_session, is_uninitialized};
use crate::http::Http;
use crate::listener::{Listener, Notice};
use crate::result;
use crate::server::Offers;
use crate::subscribe::{Listening, Subscription};
use crate::trace::{Tap, Trace};
use crate::transport::{Bearer, Transport};
use crate::watch::Watch;

/// A streamed answer can take longer than one request, because the stream can be resumed. This is
/// the maximum, in requests.
const STREAMED: u32 = 3;

/// An open session with a host.
#[derive(Debug)]
pub(crate) struct Session {
    service: RunningService<RoleClient, Listener>,
    limit: Duration,
    answers: Answers,
    _listening: Option<Listening>,
}

/// Why a request failed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The exchange failed.
    Exchange(Failure),
    /// The host answered with an error.
    Answer(ErrorData),
}

impl Trouble {
    /// The error for the caller; see [`Failure::into_error`].
    pub(crate) fn into_error(self, host: &str, is_safe: bool) -> CallError {
        match self {
            Trouble::Exchange(failure) => failure.into_error(host, is_safe),
            Trouble::Answer(error) => result::of_rpc_error(error, is_safe),
        }
    }

    /// The pages without which the server refuses the request, as parameters of questions.
    pub(crate) fn required_pages(&self) -> Option<Vec<Value>> {
        match self {
            Trouble::Answer(error) => result::required_pages(error),
            Trouble::Exchange(_) => None,
        }
    }

    /// Whether the server does not know the session (any more); and if so, whether the request can
    /// be sent again: it was not executed, or `is_safe`.
    pub(crate) fn is_forgotten(&self, is_safe: bool) -> Option<bool> {
        match self {
            Trouble::Exchange(Failure::NoSession(_)) => Some(true),
            Trouble::Answer(error) => {
                let is_lost = is_uninitialized(&error.message) || is_lost_session(&error.message);
                is_lost.then_some(is_safe || error.code != RpcCode::INTERNAL_ERROR)
            }
            Trouble::Exchange(_) => None,
        }
    }
}

impl Session {
    async fn open(
        http: Http,
        auth: Arc<Auth>,
        addresses: Arc<Addresses>,
        host: Host,
        tap: Tap,
    ) -> Result<Arc<Self>, CallError> {
        let limit = http.timeouts.request.saturating_mul(STREAMED);
        let answers = Answers::new(false, tap);
        let transport = Transport::new(http, Bearer::Host(auth, host), answers.clone());
        let worker = || {
            let mut config = StreamableHttpClientTransportConfig::with_uri(addresses.mcp(host));
            config.retry_config = Arc::new(resume_policy());
            Ok(StreamableHttpClientTransport::with_client(
                transport.clone(),
                config,
            ))
        };
        // No call was sent yet, so the outcome is known.
        let base = addresses.base(host);
        let failed = |error| match transport.take_failure() {
            Some(failure) => failure.into_error(&base, true),
            None => of_handshake(error, &answers),
        };
        let listener = Listener::of_host();
        Session::establish(&listener, limit, &answers, Era::Handshake, worker, failed)
            .await
            .map(Arc::new)
    }

    /// Opens a session over a transport, which is created again for each attempt. `failed` converts
    /// an error of the transport.
    pub(crate) async fn establish<T, E, A>(
        listener: &Listener,
        limit: Duration,
        answers: &Answers,
        era: Era,
        transport: impl Fn() -> Result<T, CallError>,
        failed: impl Fn(ClientInitializeError) -> CallError,
    ) -> Result<Self, CallError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let preferred_versions = vec![ProtocolVersion::LATEST];
        let discover = ClientLifecycleMode::Discover {
            preferred_versions: preferred_versions.clone(),
        };
        let first = match era {
            Era::Auto => ClientLifecycleMode::Auto {
                preferred_versions,
                legacy_version: None,
            },
            Era::Handshake => ClientLifecycleMode::Initialize,
            Era::Discover => discover.clone(),
        };
        let serve = async |mode| {
            let serving = listener.clone().serve_with_lifecycle(transport()?, mode);
            Ok(serving.await.map(|service| {
                let listening = Listening::begin(&service, listener);
                Session {
                    service,
                    limit,
                    answers: answers.clone(),
                    _listening: listening,
                }
            }))
        };
        let error = match serve(first).await? {
            Ok(session) => return Ok(session),
            Err(ClientInitializeError::LegacyFallbackFailed { fallback, .. }) => *fallback,
            Err(error) => error,
        };
        let told = match &error {
            ClientInitializeError::JsonRpcError(error) => error.data.clone(),
            _ => None,
        };
        let second = match (era, &error) {
            // A server of the newest revision only.
            (Era::Handshake, ClientInitializeError::JsonRpcError(_)) => Some(discover),
            // A process that ends at a request that it does not know.
            (Era::Auto, ClientInitializeError::ConnectionClosed(_)) => {
                Some(ClientLifecycleMode::Initialize)
            }
            _ => None,
        };
        // The first error is the more telling one of a host.
        let refused = failed(error);
        let said = format!("{refused} {}", told.unwrap_or_default());
        let older = older_revision(&said).filter(|_| era != Era::Discover);
        let older = older.map(|version| ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::LATEST],
            legacy_version: Some(version),
        });
        let Some(second) = older.or(second) else {
            return Err(refused);
        };
        match (serve(second).await?, era) {
            (Ok(session), _) => Ok(session),
            (Err(error), Era::Auto) => Err(failed(error)),
            (Err(_), _) => Err(refused),
        }
    }

    /// Closes the session and waits for its end, at most `limit`.
    pub(crate) async fn close(mut self, limit: Duration) {
        // It does not matter whether the session ended by itself.
        let _ = self.service.close_with_timeout(limit).await;
    }

    /// Whether calls can still use this session.
    pub(crate) fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.is_transport_closed()
    }

    /// The server's description from the handshake.
    pub(crate) fn about(&self) -> Option<Arc<ServerPeerInfo>> {
        self.service.peer_info()
    }

    /// Whether the server announced tools.
    pub(crate) fn has_tools(&self) -> bool {
        self.about()
            .is_some_and(|about| about.capabilities.tools.is_some())
    }

    /// Whether the server announced a log.
    pub(crate) fn has_log(&self) -> bool {
        let about = self.about();
        let announced = about.and_then(|about| about.capabilities.logging.clone());
        announced.is_some()
    }

    /// Whether it began with a handshake.
    pub(crate) fn has_handshake(&self) -> bool {
        self.about()
            .is_none_or(|about| about.protocol_version.has_initialize())
    }

    /// Whether the server announced such lists.
    pub(crate) fn offers(&self, offers: Offers) -> bool {
        self.about().is_some_and(|about| match offers {
            Offers::Resources => about.capabilities.resources.is_some(),
            // Many servers with resources have no templates.
            Offers::Templates => false,
            Offers::Prompts => about.capabilities.prompts.is_some(),
        })
    }

    /// Subscribes to the changes of a resource; `None` if the server does not offer this.
    pub(crate) async fn subscribe(
        &self,
        listener: &Listener,
        uri: &str,
    ) -> Result<Option<Subscription>, Trouble> {
        let about = self.about();
        let resources = about.and_then(|about| about.capabilities.resources.clone());
        if resources.and_then(|it| it.subscribe) != Some(true) {
            return Ok(None);
        }
        let subscription = Subscription::begin(&self.service, listener, uri).await;
        subscription.map(Some).map_err(trouble)
    }

    /// Whether the server announced previews of calls.
    pub(crate) fn previews(&self) -> bool {
        let experimental = self
            .about()
            .and_then(|about| about.capabilities.experimental.clone());
        experimental.is_some_and(|announced| announced.contains_key(EXTENSION))
    }

    /// Sends a request without a time limit; [`Session::response`] waits for its result.
    pub(crate) async fn begin(
        &self,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
    ) -> Result<RequestHandle<RoleClient>, Trouble> {
        let mut options = PeerRequestOptions::no_options();
        options.meta = meta;
        self.service
            .send_cancellable_request(request, options)
            .await
            .map_err(trouble)
    }

    /// Sends a request and waits for its result, also if it is to stop.
    pub(crate) async fn request(
        &self,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
        watch: &Watch,
    ) -> Result<Answer, Trouble> {
        // Subscribe before sending, so no notice is missed.
        let mut notices = self.service.service().notices();
        let mut options = PeerRequestOptions::with_timeout(self.limit);
        options.meta = meta;
        let handle = self
            .service
            .send_cancellable_request(request, options)
            .await
            .map_err(trouble)?;
        let token = handle.progress_token.0.to_string();
        let (peer, id) = (handle.peer.clone(), handle.id.clone());
        let answer = self.response(handle);
        tokio::pin!(answer);
        let (mut is_told, mut last) = (false, f64::NEG_INFINITY);
        loop {
            tokio::select! {
                biased;
                Ok(notice) = notices.recv() => match notice {
                    // rmcp can hand notices over in another order.
                    Notice::Progress(progress) if progress.token == token && progress.done > last => {
                        last = progress.done;
                        watch.hear(progress);
                    }
                    _ => {}
                },
                answer = &mut answer => return answer,
                () = watch.stopped(), if !is_told => {
                    is_told = true;
                    // With its own type, rmcp would give up the answer.
                    let params = json!({ "requestId": id });
                    let stop = CustomNotification::new("notifications/cancelled", Some(params));
                    let stop = ClientNotification::CustomNotification(stop);
                    // If it does not arrive, the answer does not say that the call was cancelled.
                    let _ = peer.send_notification(stop).await;
                }
            }
        }
    }

    /// Waits for the result of a request started with `begin`.
    pub(crate) async fn response(
        &self,
        handle: RequestHandle<RoleClient>,
    ) -> Result<Answer, Trouble> {
        let id = handle.id.clone();
        let answered = handle.await_response().await;
        let kept = self.answers.take(&id);
        let answered = answered.map_err(trouble)?;
        match kept {
            Some(Ok(mut answer)) => {
                // rmcp has left the tools out that it refuses.
                if let ServerResult::ListToolsResult(list) = answered {
                    let is_left = |name: &String| list.tools.iter().any(|it| it.name == *name);
                    answer.refused.retain(|name| !is_left(name));
                }
                Ok(answer)
            }
            Some(Err(why)) => Err(Trouble::Exchange(Failure::NotProtocol(why))),
            None => Err(Trouble::Exchange(Failure::Lost("it was lost".to_owned()))),
        }
    }

    /// Nobody waits for this answer any more.
    pub(crate) fn forget(&self, id: &RequestId) {
        self.answers.forget(id);
    }
}

/// The newest older revision that a server names when it refuses ours.
fn older_revision(said: &str) -> Option<ProtocolVersion> {
    let known = [
        ProtocolVersion::V_2025_06_18,
        ProtocolVersion::V_2025_03_26,
        ProtocolVersion::V_2024_11_05,
    ];
    known.into_iter().find(|one| said.contains(one.as_str()))
}

/// How often an interrupted answer is resumed, if the host supports it. The transport waits in
/// between.
pub(crate) fn resume_policy() -> FixedInterval {
    let mut policy = FixedInterval::default();
    policy.max_times = Some(STREAMED as usize);
    policy.duration = Duration::ZERO;
    policy
}

pub(crate) fn of_handshake(error: ClientInitializeError, answers: &Answers) -> CallError {
    if let Some(why) = answers.take_unreadable() {
        return CallError::Protocol(why);
    }
    match error {
        ClientInitializeError::JsonRpcError(error) => result::of_rpc_error(error, true),
        error => CallError::Protocol(error.to_string()),
    }
}

fn trouble(error: ServiceError) -> Trouble {
    let failure = match error {
        ServiceError::McpError(error) => return Trouble::Answer(error),
        ServiceError::TransportSend(error) => {
            match error.error.downcast::<StreamableHttpError<Failure>>() {
                Ok(error) => of_transport(*error),
                Err(error) => Failure::Lost(error.to_string()),
            }
        }
        ServiceError::TransportClosed => {
            Failure::Lost("the connection ended before the answer".to_owned())
        }
        ServiceError::Timeout { .. } => Failure::Lost("no answer in time".to_owned()),
        ServiceError::Cancelled { .. } => Failure::Lost("the host cancelled the call".to_owned()),
        error => Failure::NotProtocol(error.to_string()),
    };
    Trouble::Exchange(failure)
}

fn of_transport(error: StreamableHttpError<Failure>) -> Failure {
    match error {
        StreamableHttpError::Client(failure) => failure,
        // Any other error happened after the request was handed over.
        error => Failure::Lost(error.to_string()),
    }
}

type Opening = Shared<BoxFuture<'static, Result<Arc<Session>, CallError>>>;

/// A session in use, with the number that identifies it when it is dropped.
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
    /// Where the messages are traced.
    pub(crate) trace: OnceLock<Trace>,
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
            trace: OnceLock::new(),
        }
    }

    /// The session with this host, opened if needed. Concurrent calls wait for the same handshake
    /// and share its result.
    ///
    /// # Errors
    /// Why the session cannot be opened. The next call tries again.
    pub(crate) async fn get(&self, host: Host) -> Result<Current, CallError> {
        let (number, opening) = self.opening(host);
        let session = opening.await?;
        Ok(Current { session, number })
    }

    /// Where the messages of a host are traced.
    pub(crate) fn tap(&self, host: Host) -> Tap {
        let trace = self.trace.get().cloned().unwrap_or_default();
        Tap::new(&trace, host.area(), Vec::new())
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
        let tap = self.tap(host);
        // A separate task, so it continues if the first caller is dropped.
        let task = tokio::spawn(Session::open(
            self.http.traced(tap.clone()),
            Arc::clone(&self.auth),
            Arc::clone(&self.addresses),
            host,
            tap,
        ));
        let opening = task
            .map(|opened| match opened {
                Ok(opened) => opened,
                Err(error) => Err(CallError::Protocol(format!(
                    "the handshake failed: {error}"
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

    /// Drops a session that the host does not know any more, unless it was already replaced. Calls
    /// in progress on it continue.
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

    /// Drops all sessions: they belong to the previous account.
    pub(crate) fn clear(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.by_host.clear();
    }
}
