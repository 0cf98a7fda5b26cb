//! A third-party MCP server, at an address or in a process.

mod child;
mod grants;
pub(crate) mod keys;
mod lines;
mod offers;
mod sign_in;
pub mod tasks;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{ErrorCode, ToolError};
use futures::future::BoxFuture;
use http::header::{ACCEPT, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Method};
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
    ClientNotification, ClientRequest, ListToolsRequest, PaginatedRequestParams, RequestId,
    RequestMetaObject,
};
use rmcp::service::Peer;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use serde_json::{Map, Value};
use tokio::sync::broadcast;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::addresses;
use crate::answers::{Answer, Answers};
use crate::call_result::CallResult;
use crate::catalogue::Page;
use crate::client::{MOST_PAGES, in_list, in_request, no_previews};
use crate::config::servers::{CommandServer, HttpServer, ServerConfig, Token};
use crate::error::CallError;
use crate::failure::Failure;
use crate::http::{Http, Reach, Timeouts};
use crate::listener::{Listener, Notice, Progress};
use crate::question::{Decision, Pages, Question};
use crate::secret::Secret;
use crate::session::{Session, Trouble, of_handshake, resume_policy};
use crate::tasks::Tasks;
use crate::tool_info::ToolInfo;
use crate::transport::{Bearer, Transport};
use child::{Fate, Process};
use grants::Grants;
use keys::Keys;
pub use offers::{Offers, Suggestions};
pub use sign_in::SignIn;

/// The time limit of a call. A progress report restarts it, so only a silent tool is given up.
const ANSWER_WITHIN: Duration = Duration::from_secs(10 * 60);
/// The time limit of an HTTP exchange, longer than any call with its questions.
const EXCHANGE_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);
/// The time limit of a connection.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// The time limit of the handshake; a launcher may have to download the program first.
const HANDSHAKE_WITHIN: Duration = Duration::from_secs(60);
/// How often a tool can ask during a call.
const MOST_QUESTIONS: usize = 10;
/// The time limit of closing a session.
const END_WITHIN: Duration = Duration::from_secs(5);

/// A third-party MCP server. Clones share its session.
///
/// The session is opened on demand, and reopened if the server has dropped it. Dropping the future
/// of a call cancels it at the server. Dropping the last clone closes the session and ends the
/// server's process, if any.
#[derive(Debug, Clone)]
pub struct Server(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    place: String,
    way: Way,
    listener: Listener,
    session: tokio::sync::Mutex<Option<Arc<Session>>>,
    /// Which tools are read-only, from the last list of tools.
    read_only: Mutex<HashMap<String, bool>>,
    /// What is wrong with the items that this list left out.
    odd: Mutex<Vec<String>>,
    /// The tools whose calls are tasks, from the same list.
    task_only: Mutex<HashSet<String>>,
    /// Where begun tasks are kept.
    tasks: OnceLock<Tasks>,
    /// Cancellations that are being sent.
    cancelling: Mutex<Vec<JoinHandle<()>>>,
}

#[derive(Debug)]
enum Way {
    Http(HttpServer, Http, Arc<Keys>),
    Command(CommandServer, Fate),
}

/// The server's description of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// Its title, otherwise its name.
    pub name: Option<String>,
    /// The version of its program.
    pub version: Option<String>,
    /// The negotiated protocol revision.
    pub protocol: String,
    /// Whether the session began with a handshake.
    pub has_handshake: bool,
    /// Instructions for use.
    pub instructions: Option<String>,
    /// The lists beside its tools that it announced.
    pub offers: Vec<Offers>,
    /// What it announced, as received.
    pub capabilities: Value,
}

impl About {
    /// Whether it completes arguments.
    pub fn completes(&self) -> bool {
        self.capabilities.get("completions").is_some()
    }
}

impl Server {
    /// The server configured under this name. The tokens of a sign-in are stored in this file
    /// ([`crate::paths::server_file`]). Sends and starts nothing yet.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the environment variable of the token is missing or invalid,
    /// [`CallError::Protocol`] if the platform's certificates cannot be loaded.
    pub fn new(
        name: &str,
        config: &ServerConfig,
        tokens: Option<PathBuf>,
    ) -> Result<Self, CallError> {
        let way = match config {
            ServerConfig::Http(server) => {
                let timeouts = Timeouts {
                    connect: CONNECT_WITHIN,
                    request: EXCHANGE_WITHIN,
                    health: CONNECT_WITHIN,
                };
                // The authorization server can be elsewhere and use TLS.
                let reach = match addresses::is_loopback(server.url.as_str()) {
                    true => Reach::Local,
                    false => Reach::Anywhere,
                };
                let http = Http::new(timeouts, reach)?;
                let keys = match (&server.token, tokens) {
                    (Some(Token::Given(token)), _) => Keys::fixed(token.clone()),
                    (Some(Token::Variable(variable)), _) => Keys::variable(variable)?,
                    (None, Some(path)) => {
                        Keys::granted(Grants::new(http.clone(), server.url.clone(), path))
                    }
                    (None, None) => Keys::none(),
                };
                Way::Http(server.clone(), http, Arc::new(keys))
            }
            ServerConfig::Command(server) => Way::Command(server.clone(), Fate::default()),
        };
        Ok(Server(Arc::new(Inner {
            name: name.to_owned(),
            place: config.place(),
            way,
            listener: Listener::new(),
            session: tokio::sync::Mutex::default(),
            read_only: Mutex::default(),
            odd: Mutex::default(),
            task_only: Mutex::default(),
            tasks: OnceLock::new(),
            cancelling: Mutex::default(),
        })))
    }

    /// Its name in the configuration, or its address.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The address, or the program.
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// Why nothing has come yet, if the session is being opened: the server is silent, and what its
    /// process has written.
    pub fn silence(&self) -> Option<String> {
        match &self.0.way {
            // While a session is opened, its slot is locked.
            _ if self.0.session.try_lock().is_ok() => None,
            Way::Http(..) => Some("it has not answered".to_owned()),
            Way::Command(_, fate) => Some(fate.silence()),
        }
    }

    /// Answers the server's questions from now on, if the session is not open yet. Without this, the
    /// server learns that questions are not answered. A question that is no longer asked drops its
    /// future.
    pub fn answer_with(
        &self,
        pages: Pages,
        respond: impl Fn(Question) -> BoxFuture<'static, Decision> + Send + Sync + 'static,
    ) {
        self.0.listener.responder.set(pages, respond);
    }

    /// The last lines that its process wrote beside its messages; none at an address.
    pub fn words(&self) -> Vec<String> {
        match &self.0.way {
            Way::Http(..) => Vec::new(),
            Way::Command(_, fate) => fate.words(),
        }
    }

    /// The server's notices from now on.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.0.listener.notices()
    }

    /// The server's description of itself. Opens the session if needed.
    ///
    /// # Errors
    /// Why the session cannot be opened: [`CallError::SignedOut`]; [`CallError::Unreachable`], also
    /// if the program cannot be started or ends immediately; [`CallError::Protocol`] if it is not
    /// an MCP server.
    pub async fn about(&self) -> Result<About, CallError> {
        let session = self.session().await?;
        let about = session
            .about()
            .ok_or_else(|| CallError::Protocol("the server did not say what it is".to_owned()))?;
        let info = about.server_info.as_ref();
        Ok(About {
            name: info.map(|info| info.title.clone().unwrap_or_else(|| info.name.clone())),
            version: info.map(|info| info.version.clone()),
            protocol: about.protocol_version.to_string(),
            has_handshake: about.protocol_version.has_initialize(),
            instructions: about.instructions.clone(),
            offers: [Offers::Resources, Offers::Prompts]
                .into_iter()
                .filter(|offers| session.offers(*offers))
                .collect(),
            capabilities: serde_json::to_value(&about.capabilities).unwrap_or_default(),
        })
    }

    /// The tools of the server.
    ///
    /// # Errors
    /// As for [`Server::about`], and any error of the server.
    pub async fn tools(&self) -> Result<Vec<ToolInfo>, CallError> {
        let (mut tools, mut odd): (Vec<ToolInfo>, _) = (Vec::new(), Vec::new());
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let mut request = ListToolsRequest::default();
            if cursor.is_some() {
                request.params = Some(PaginatedRequestParams::default().with_cursor(cursor));
            }
            let request = ClientRequest::ListToolsRequest(request);
            let page = match self.request(request, in_list(), true, |_| {}).await {
                // It has no tools, only resources or prompts.
                Err(CallError::Tool(_)) if !self.session().await?.has_tools() => {
                    return Ok(tools);
                }
                page => page?,
            };
            let refused = page.refused.clone();
            let page = Page::read(&page, "tools", |tool| {
                self.note_task_only(tool);
                ToolInfo::read(tool)
            })?;
            let previews = self.session().await?.previews();
            odd.extend(page.odd);
            for tool in page.items {
                let name = &tool.name;
                if refused.contains(name) {
                    odd.push(format!("the tool {name} has an invalid x-mcp-header"));
                } else if tools.iter().any(|it| it.name == *name) {
                    odd.push(format!("the tool {name} is listed twice"));
                } else {
                    tools.push(tool.previewed(previews));
                }
            }
            cursor = page.next;
            if cursor.is_none() {
                let read_only = tools.iter().map(|tool| (tool.name.clone(), tool.read_only));
                *self.read_only() = read_only.collect();
                *self.0.odd.lock().unwrap_or_else(PoisonError::into_inner) = odd;
                return Ok(tools);
            }
        }
        Err(CallError::Protocol(
            "the list of tools does not end".to_owned(),
        ))
    }

    /// What is wrong with the items that the last list of tools left out.
    pub fn odd_tools(&self) -> Vec<String> {
        let odd = self.0.odd.lock();
        odd.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Calls a tool. A refusal by the tool is also a result: [`CallResult::is_error`].
    ///
    /// # Errors
    /// As for [`Server::about`]; [`CallError::Tool`] if the server rejects the call;
    /// [`CallError::OutcomeUnknown`] if no answer arrived and the tool is not known to be
    /// read-only.
    pub async fn call_raw(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Result<CallResult, CallError> {
        let meta = CallMeta::default();
        self.call_watched(tool, arguments, meta, |_| {}).await
    }

    /// Calls a tool with additional parameters, and reports its progress.
    ///
    /// # Errors
    /// As for [`Server::call_raw`], and [`CallError::Tool`] for a preview at a server that did not
    /// announce previews.
    pub async fn call_watched(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<CallResult, CallError> {
        if meta.preview && !self.session().await?.previews() {
            return Err(no_previews(self.name()));
        }
        let is_read = self.read_only().get(tool).copied().unwrap_or(false);
        let is_safe = is_read || meta.preview;
        let given = arguments.clone();
        let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        for _ in 0..MOST_QUESTIONS {
            let request = match self.is_task_only(tool).await? {
                true => Server::as_task(tool, &given),
                false => ClientRequest::CallToolRequest(CallToolRequest::new(params.clone())),
            };
            let answer = self
                .request(request, in_request(&meta), is_safe, &mut on_progress)
                .await?;
            let result = CallResult::read(answer).map_err(|error| error.of_call(is_safe))?;
            if let Some(task) = result.task() {
                return self.follow(tool, &task, &mut on_progress).await;
            }
            if !result.asks() {
                return Ok(result);
            }
            let answers = self.0.listener.responder.answers(result.received());
            let (responses, state) = answers.await?;
            params.input_responses = Some(responses);
            params.request_state = state;
        }
        let message = "the tool asks again and again; it was given up";
        Err(CallError::Tool(ToolError::new(ErrorCode::Refused, message)))
    }

    /// Starts signing in to the server in a browser.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if the server has no sign-in: it is a process, its token is
    /// configured, or it does not name an authorization server; otherwise as for any call.
    pub async fn sign_in(&self) -> Result<SignIn, CallError> {
        let (server, http, keys) = match &self.0.way {
            Way::Http(server, http, keys) => (server, http, keys),
            Way::Command(..) => return Err(no_sign_in("the server is a process of your own")),
        };
        let Some(grants) = keys.grants() else {
            return Err(no_sign_in("its token is configured"));
        };
        // A request without a token returns the challenge for the sign-in.
        let ping = serde_json::json!({ "jsonrpc": "2.0", "id": 0, "method": "ping" });
        let asked = http
            .request(Method::POST, server.url.as_str())
            .timeout(HANDSHAKE_WITHIN)
            .headers(headers(server).into_iter().collect())
            .header(ACCEPT, "application/json, text/event-stream")
            .json(&ping);
        let answer = http
            .send(asked)
            .await
            .map_err(|failure| failure.into_error(&self.0.place, true))?;
        let challenges = answer.headers().get_all(WWW_AUTHENTICATE).iter();
        keys.hear_challenge(challenges.filter_map(|value| value.to_str().ok()));
        let secret = server.client_secret_file.as_deref().map(Secret::in_file);
        let secret = secret.transpose().map_err(CallError::SignedOut)?;
        let client = server.client_id.as_deref().map(|id| (id, secret));
        let sign_in = SignIn::begin(grants, keys.challenge().as_deref(), client).await?;
        self.0.session.lock().await.take();
        Ok(sign_in)
    }

    /// Deletes the tokens of a sign-in. Returns whether there were any.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] if their file could not be removed.
    pub async fn sign_out(&self) -> Result<bool, CallError> {
        self.0.session.lock().await.take();
        match &self.0.way {
            Way::Http(_, _, keys) => keys.grants().map_or(Ok(false), |grants| {
                let forgotten = grants.file.forget();
                forgotten.map_err(|error| self.unreachable(format!("was not forgotten: {error}")))
            }),
            Way::Command(..) => Ok(false),
        }
    }

    /// Closes the session and waits for its end, for at most a few seconds. Pending cancellations
    /// are sent first.
    pub async fn close(&self) {
        let cancelling = std::mem::take(&mut *self.cancelling());
        let arriving = futures::future::join_all(cancelling);
        // Cancellations that are late do not matter: the session ends anyway.
        let _ = tokio::time::timeout(END_WITHIN, arriving).await;
        let session = self.0.session.lock().await.take();
        if let Some(session) = session.and_then(Arc::into_inner) {
            session.close(END_WITHIN).await;
        }
    }

    fn note_task_only(&self, tool: &Value) {
        let mut names = self.0.task_only.lock();
        let names = names.as_mut().unwrap_or_else(|poisoned| poisoned.get_mut());
        if let Some(name) = tool["name"].as_str() {
            match tool["execution"]["taskSupport"] == "required" {
                true => drop(names.insert(name.to_owned())),
                false => drop(names.remove(name)),
            }
        }
    }

    /// Whether the calls of a tool have to ask for a task. Without a handshake the server decides.
    async fn is_task_only(&self, tool: &str) -> Result<bool, CallError> {
        let names = self.0.task_only.lock();
        let is_named = names.unwrap_or_else(PoisonError::into_inner).contains(tool);
        Ok(is_named && self.about().await?.has_handshake)
    }

    fn read_only(&self) -> std::sync::MutexGuard<'_, HashMap<String, bool>> {
        let read_only = self.0.read_only.lock();
        read_only.unwrap_or_else(PoisonError::into_inner)
    }

    fn cancelling(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        let cancelling = self.0.cancelling.lock();
        cancelling.unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request over the session. If the server does not know the session, the request was
    /// not executed and is sent once more over a new session.
    async fn request(
        &self,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
        is_safe: bool,
        mut on_progress: impl FnMut(Progress) + Send,
    ) -> Result<Answer, CallError> {
        let mut is_retry = false;
        loop {
            let session = self.session().await?;
            let trouble = match self
                .exchange(&session, request.clone(), meta.clone(), &mut on_progress)
                .await
            {
                Ok(result) => return Ok(result),
                Err(trouble) => self.explained(trouble),
            };
            if let Some(is_repeatable) = trouble.is_forgotten(is_safe) {
                self.retire(&session).await;
                if is_repeatable && !is_retry {
                    is_retry = true;
                    continue;
                }
            }
            return Err(trouble.into_error(&self.0.place, is_safe));
        }
    }

    async fn exchange(
        &self,
        session: &Session,
        request: ClientRequest,
        meta: Option<RequestMetaObject>,
        on_progress: &mut (impl FnMut(Progress) + Send),
    ) -> Result<Answer, Trouble> {
        // Subscribe before sending, so no notice is missed.
        let mut notices = self.notices();
        let handle = session.begin(request, meta).await?;
        let token = handle.progress_token.0.to_string();
        let mut cancel = Cancel {
            server: self,
            session,
            request: Some((handle.peer.clone(), handle.id.clone())),
        };
        let answer = session.response(handle);
        let silence = tokio::time::sleep(ANSWER_WITHIN);
        tokio::pin!(answer, silence);
        let answer = loop {
            tokio::select! {
                biased;
                notice = notices.recv() => {
                    if let Ok(Notice::Progress(progress)) = notice && progress.token == token {
                        on_progress(progress);
                        silence.as_mut().reset(Instant::now() + ANSWER_WITHIN);
                    }
                }
                answer = &mut answer => break answer,
                () = &mut silence => {
                    if !self.0.listener.responder.is_asking() {
                        let reason = "no answer in time".to_owned();
                        return Err(Trouble::Exchange(Failure::Lost(reason)));
                    }
                    // The server waits for the user.
                    silence.as_mut().reset(Instant::now() + ANSWER_WITHIN);
                }
            }
        };
        cancel.request = None;
        answer
    }

    /// The current session, or a new one.
    async fn session(&self) -> Result<Arc<Session>, CallError> {
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
        *slot = Some(Arc::clone(&session));
        Ok(session)
    }

    async fn open(&self) -> Result<Session, CallError> {
        let listener = &self.0.listener;
        let answers = Answers::new(true);
        match &self.0.way {
            Way::Http(server, http, keys) => {
                let bearer = Bearer::Server(Arc::clone(keys));
                let transport = Transport::new(http.clone(), bearer, answers.clone());
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

    /// A lost answer of a process that has ended, with its end.
    fn explained(&self, trouble: Trouble) -> Trouble {
        match (&self.0.way, trouble) {
            (Way::Command(_, fate), Trouble::Exchange(Failure::Lost(reason))) => {
                Trouble::Exchange(Failure::Lost(fate.tell().unwrap_or(reason)))
            }
            (_, trouble) => trouble,
        }
    }

    fn unreachable(&self, reason: String) -> CallError {
        CallError::Unreachable {
            host: self.0.place.clone(),
            reason,
        }
    }

    /// Drops a session that the server does not know any more, unless it was already replaced.
    async fn retire(&self, session: &Arc<Session>) {
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

fn no_sign_in(why: &str) -> CallError {
    CallError::SignedOut(format!("there is nothing to sign in to: {why}"))
}

/// The headers of each request, marked as sensitive for logs.
fn headers(server: &HttpServer) -> HashMap<HeaderName, HeaderValue> {
    let headers = server.headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        let mut value = HeaderValue::from_str(value.expose()).ok()?;
        value.set_sensitive(true);
        Some((name, value))
    });
    headers.collect()
}

/// Cancels the request at the server if it is dropped before the answer.
struct Cancel<'a> {
    server: &'a Server,
    session: &'a Session,
    request: Option<(Peer<RoleClient>, RequestId)>,
}

impl Drop for Cancel<'_> {
    fn drop(&mut self) {
        let Some((peer, id)) = self.request.take() else {
            return;
        };
        self.session.forget(&id);
        // Without a runtime there is no connection either.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let params = CancelledNotificationParam::new(Some(id), Some("nobody waits".to_owned()));
        let notification = CancelledNotification::new(params);
        let task = runtime.spawn(async move {
            let notification = ClientNotification::CancelledNotification(notification);
            // The caller has stopped waiting, so a failure does not matter.
            let _ = peer.send_notification(notification).await;
        });
        let mut cancelling = self.server.cancelling();
        cancelling.retain(|task| !task.is_finished());
        cancelling.push(task);
    }
}
