//! The client of the hosts' tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use frontdesk_protocol::mcp::{CallMeta, ListMeta};
use frontdesk_protocol::wire;
use frontdesk_protocol::{Declaration, ErrorCode, Host, Tool, ToolError};
use http::Method;
use jiff::{SignedDuration, Timestamp};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, GetExtensions, ListToolsRequest,
    PaginatedRequestParams, RequestMetaObject,
};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::account::Account;
use crate::addresses::Addresses;
use crate::answers::Answer;
use crate::auth::Auth;
use crate::call_result::CallResult;
use crate::catalogue::Page;
use crate::config::servers::{HttpServer, ServerConfig, Token};
use crate::credentials::CredentialStore;
use crate::error::CallError;
use crate::factor::{Enrolment, SignInDetails};
use crate::health::Health;
use crate::http::{Http, Timeouts};
use crate::patience::Patience;
use crate::provider::{ProviderSignIn, SignInWays};
use crate::secret::Secret;
use crate::server::Server;
use crate::session::Sessions;
use crate::tool_info::ToolInfo;
use crate::trace::{Tap, Trace};
use crate::transport::{Abandon, Bearer};
use crate::watch::Watch;

/// A limit above the pages of any host, against circular cursors.
pub(crate) const MOST_PAGES: usize = 100;

/// The name in a trace for exchanges that belong to no single host: those of the sign-in.
const HOSTS: &str = "hosts";

/// Calls the hosts as the signed-in account. Clones share all state.
///
/// Calls need a tokio runtime. Dropping the future of a read cancels it; a write continues, because
/// it may already be in progress.
#[derive(Debug, Clone)]
pub struct Client(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    http: Http,
    addresses: Arc<Addresses>,
    auth: Arc<Auth>,
    sessions: Sessions,
}

impl Client {
    /// A client of the service at these addresses. It is signed in if the store holds credentials
    /// for the service. Sends nothing yet.
    ///
    /// # Errors
    /// [`CallError::Protocol`] if the platform's certificates cannot be loaded.
    pub fn new(addresses: Addresses, store: CredentialStore) -> Result<Self, CallError> {
        Client::with_timeouts(addresses, store, Timeouts::default())
    }

    /// Like [`Client::new`], with other time-outs.
    ///
    /// # Errors
    /// As for [`Client::new`].
    pub fn with_timeouts(
        addresses: Addresses,
        store: CredentialStore,
        timeouts: Timeouts,
    ) -> Result<Self, CallError> {
        let http = Http::new(timeouts, addresses.reach())?;
        let addresses = Arc::new(addresses);
        let auth = Arc::new(Auth::new(http.clone(), Arc::clone(&addresses), store));
        let sessions = Sessions::new(http.clone(), Arc::clone(&auth), Arc::clone(&addresses));
        Ok(Client(Arc::new(Inner {
            http,
            addresses,
            auth,
            sessions,
        })))
    }

    /// Traces the messages of its sessions, if none is open yet.
    pub fn trace(&self, trace: &Trace) {
        // A second trace would get the rest of what the first has begun.
        let _ = self.0.sessions.trace.set(trace.clone());
        self.0.http.trace(Tap::new(trace, HOSTS, Vec::new()));
    }

    /// The addresses of the hosts.
    pub fn addresses(&self) -> &Addresses {
        &self.0.addresses
    }

    /// What a request to a host needs beside its session.
    pub(crate) fn parts_of(&self, host: Host) -> (Http, Bearer, Tap) {
        let inner = &self.0;
        let bearer = Bearer::Host(Arc::clone(&inner.auth), host);
        (inner.http.clone(), bearer, inner.sessions.tap(host))
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// See [`CallError`]. [`CallError::OutcomeUnknown`] comes only from tools that write.
    pub async fn call<T: Tool>(&self, arguments: &T) -> Result<T::Output, CallError> {
        self.call_with(arguments, CallMeta::default()).await
    }

    /// Calls a tool with additional parameters: the time of the event, the expected plan.
    ///
    /// # Errors
    /// As for [`Client::call`].
    pub async fn call_with<T: Tool>(
        &self,
        arguments: &T,
        meta: CallMeta,
    ) -> Result<T::Output, CallError> {
        let mut written = Map::new();
        arguments.write_into(&mut written);
        let value = self
            .call_tool(T::HOST, T::NAME, written, meta)
            .await?
            .into_value()?;
        wire::read(&value).map_err(|error| {
            CallError::Protocol(format!("{}: {error}", T::NAME)).of_call(T::EFFECT.read_only)
        })
    }

    /// Calls a tool by name. An undeclared tool is treated as a write. A refusal by the tool is
    /// also a result: [`CallResult::is_error`].
    ///
    /// # Errors
    /// As for [`Client::call`], except the tool's refusal.
    pub async fn call_tool(
        &self,
        host: Host,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
    ) -> Result<CallResult, CallError> {
        let watch = Watch::default();
        self.call_watched(host, tool, arguments, meta, &watch).await
    }

    /// As [`Client::call_tool`], with the progress of the call. A stopped call is still answered.
    ///
    /// # Errors
    /// As for [`Client::call_tool`].
    pub async fn call_watched(
        &self,
        host: Host,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        watch: &Watch,
    ) -> Result<CallResult, CallError> {
        let is_repeatable = is_repeatable(host, tool, &arguments, &meta);
        let attempt = || self.call_once(host, tool, arguments.clone(), meta.clone(), watch);
        let patience = Patience::Screen(self.0.http.timeouts.failover);
        patience
            .repeat(is_repeatable, || true, |_| {}, attempt)
            .await
    }

    /// As [`Client::call_tool`], without a repetition.
    pub(crate) async fn call_once(
        &self,
        host: Host,
        tool: &str,
        arguments: Map<String, Value>,
        meta: CallMeta,
        watch: &Watch,
    ) -> Result<CallResult, CallError> {
        if meta.preview && !self.0.sessions.get(host).await?.session.previews() {
            return Err(no_previews(host.area()));
        }
        let is_safe = is_safe(host, tool, &meta);
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent = self.request(host, request, in_request(&meta), is_safe, watch);
        let answer = sent.await?;
        match CallResult::read(answer).map_err(|error| error.of_call(is_safe))? {
            // The hosts ask nothing.
            result if result.asks() => {
                let message = "the tool asks for more input, which cannot be given here";
                Err(CallError::Tool(ToolError::new(ErrorCode::Refused, message)))
            }
            result => Ok(result),
        }
    }

    /// The tools that this host offers the signed-in account.
    ///
    /// # Errors
    /// As for [`Client::call`] of a read.
    pub async fn tools(&self, host: Host) -> Result<Vec<ToolInfo>, CallError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let mut request = ListToolsRequest::default();
            if cursor.is_some() {
                request.params = Some(PaginatedRequestParams::default().with_cursor(cursor));
            }
            let request = ClientRequest::ListToolsRequest(request);
            let watch = Watch::default();
            let page = self.request(host, request, in_list(), true, &watch).await?;
            let page = Page::read(&page, "tools", ToolInfo::read)?;
            let previews = self.0.sessions.get(host).await?.session.previews();
            let listed = page.items.into_iter();
            tools.extend(listed.map(|mut tool| {
                // Hosts leave out what only repeats the name.
                if tool.title.is_none() {
                    tool.title = host.tool(&tool.name).map(Declaration::title);
                }
                tool.previewed(previews)
            }));
            cursor = page.next;
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(CallError::Protocol(
            "the list of tools does not end".to_owned(),
        ))
    }

    /// Sends a request over the host's session. If the host does not know the session, the request
    /// was not executed and is sent once more over a new session.
    async fn request(
        &self,
        host: Host,
        mut request: ClientRequest,
        meta: Option<RequestMetaObject>,
        is_safe: bool,
        watch: &Watch,
    ) -> Result<Answer, CallError> {
        // Cancels a read when this future is dropped.
        let _abandon = is_safe.then(|| {
            let token = CancellationToken::new();
            request.extensions_mut().insert(Abandon(token.clone()));
            token.drop_guard()
        });
        let mut is_retry = false;
        loop {
            let current = self.0.sessions.get(host).await?;
            let sent = current
                .session
                .request(request.clone(), meta.clone(), watch);
            let trouble = match sent.await {
                Ok(result) => return Ok(result),
                Err(trouble) => trouble,
            };
            if let Some(is_repeatable) = trouble.is_forgotten(is_safe) {
                self.0.sessions.retire(host, &current);
                if is_repeatable && !is_retry {
                    is_retry = true;
                    continue;
                }
            }
            return Err(trouble.into_error(&self.0.addresses.base(host), is_safe));
        }
    }

    /// The health of a host. Needs no sign-in.
    ///
    /// # Errors
    /// [`CallError::Unreachable`], [`CallError::Host`] for a status other than success, and
    /// [`CallError::Protocol`] for an answer that is not JSON.
    pub async fn health(&self, host: Host) -> Result<Health, CallError> {
        let base = self.0.addresses.base(host);
        let http = &self.0.http;
        let request = http
            .request(Method::GET, &self.0.addresses.health(host))
            .timeout(http.timeouts.health);
        http.exchange(request)
            .await
            .and_then(|answer| answer.json())
            .map_err(|failure| failure.into_error(&base, true))
    }

    /// Signs in with e-mail address and password, and saves the credentials. `api_key` is the
    /// public key of the project.
    ///
    /// # Errors
    /// [`CallError::Tool`] with the code `unauthorized` for a wrong address or password; otherwise
    /// as for any call. On an error the previous sign-in is kept.
    pub async fn sign_in(
        &self,
        api_key: &str,
        email: &str,
        password: &str,
    ) -> Result<Account, CallError> {
        let details = SignInDetails::default();
        let signed_in = self.sign_in_with(&details, api_key, email, password);
        signed_in.await.map(|(account, _)| account)
    }

    /// Like [`Client::sign_in`], with what it needs besides. Also returns the recovery codes, if
    /// that turned a second factor on.
    ///
    /// # Errors
    /// As for [`Client::sign_in`]; [`CallError::Tool`] about the field `organization` if the
    /// password fits several accounts and no organisation is given, and about
    /// [`CODE`](crate::factor::CODE) if a code is required or wrong, with an [`Enrolment`] as its
    /// details if the account has to turn its second factor on.
    pub async fn sign_in_with(
        &self,
        details: &SignInDetails,
        api_key: &str,
        email: &str,
        password: &str,
    ) -> Result<(Account, Vec<String>), CallError> {
        let auth = &self.0.auth;
        let signed_in = auth.sign_in(api_key, email, password, details).await?;
        self.0.sessions.clear();
        Ok(signed_in)
    }

    /// A key for the authenticator of the signed-in account, whose password this is.
    ///
    /// # Errors
    /// [`CallError::Tool`] if the password is wrong, or the account has a second factor;
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub async fn begin_factor(&self, password: &str) -> Result<Enrolment, CallError> {
        self.0.auth.begin_factor(password).await
    }

    /// Turns the second factor of the signed-in account on, and returns its recovery codes. Its
    /// other sign-ins end.
    ///
    /// # Errors
    /// [`CallError::Tool`] if the code is wrong; otherwise as [`Client::begin_factor`].
    pub async fn confirm_factor(
        &self,
        enrolment: &Enrolment,
        code: &str,
    ) -> Result<Vec<String>, CallError> {
        self.0.auth.confirm_factor(enrolment, code).await
    }

    /// Turns it off, with a code. Its other sign-ins end.
    ///
    /// # Errors
    /// As [`Client::confirm_factor`].
    pub async fn turn_off_factor(&self, code: &str) -> Result<(), CallError> {
        self.0.auth.turn_off_factor(code).await
    }

    /// The ways to sign in. `api_key` is the public key of the project.
    ///
    /// # Errors
    /// As for any call; also if the identity provider does not list its providers.
    pub async fn sign_in_ways(&self, api_key: &str) -> Result<SignInWays, CallError> {
        self.0.auth.sign_in_ways(api_key).await
    }

    /// Starts a browser sign-in through this code-hosting provider. `api_key` is the public key of
    /// the project. Sends nothing yet.
    ///
    /// # Errors
    /// [`CallError::Unreachable`] if no port is available for the redirect.
    pub async fn sign_in_through(
        &self,
        provider: &str,
        api_key: &str,
    ) -> Result<ProviderSignIn, CallError> {
        let authorize = self.0.addresses.auth("authorize");
        ProviderSignIn::begin(self.clone(), &authorize, provider, api_key, None).await
    }

    /// Like [`Client::sign_in_through`], but links the provider to the signed-in account.
    /// Afterwards a sign-in through the provider opens this account.
    ///
    /// # Errors
    /// As for [`Client::sign_in_through`]; [`CallError::SignedOut`] if nobody is signed in.
    pub async fn link_through(
        &self,
        provider: &str,
        api_key: &str,
    ) -> Result<ProviderSignIn, CallError> {
        let link = self.0.auth.link().await?;
        let authorize = self.0.addresses.auth("authorize");
        ProviderSignIn::begin(self.clone(), &authorize, provider, api_key, Some(&link)).await
    }

    /// Completes such a sign-in and saves the credentials.
    pub(crate) async fn sign_in_with_code(
        &self,
        api_key: &str,
        code: &str,
        verifier: &str,
    ) -> Result<Account, CallError> {
        let signed_in = self.0.auth.sign_in_with_code(api_key, code, verifier);
        let account = signed_in.await?;
        self.0.sessions.clear();
        Ok(account)
    }

    /// Deletes the credentials and signs out at the identity provider.
    ///
    /// # Errors
    /// The provider could not be reached, or the file could not be removed. This client is signed
    /// out in any case.
    pub async fn sign_out(&self) -> Result<(), CallError> {
        self.0.sessions.clear();
        self.0.auth.sign_out().await
    }

    /// Fetches the signed-in account.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub async fn account(&self) -> Result<Account, CallError> {
        self.0.auth.account().await
    }

    /// Changes the password of the signed-in account. Its other sign-ins end.
    ///
    /// # Errors
    /// [`CallError::Tool`] if the current password is wrong or the new one is refused;
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub async fn change_password(&self, current: &str, new: &str) -> Result<(), CallError> {
        self.0.auth.change_password(current, new).await
    }

    /// An access token for another program, which only reads if that is asked for, and its expiry by this machine's clock.
    ///
    /// # Errors
    /// [`CallError::SignedOut`] if nobody is signed in; otherwise as for any call.
    pub async fn other_token(&self, read_only: bool) -> Result<(Secret, Timestamp), CallError> {
        self.0.auth.other_token(read_only).await
    }

    /// The host as a server: for its resources and prompts, and for questions. It has the token of the signed-in account, with
    /// at least half of its lifetime left.
    ///
    /// # Errors
    /// As [`Client::other_token`] and [`Server::new`].
    pub async fn server(&self, host: Host) -> Result<Server, CallError> {
        let (token, _) = self.0.auth.access_token().await?;
        let url = self.addresses().mcp(host);
        let config = HttpServer::new(&url, Some(Token::Given(token)), BTreeMap::new());
        let config = config.map_err(CallError::Protocol)?;
        let server = Server::new(host.area(), &ServerConfig::Http(config), None)?;
        if let Some(trace) = self.0.sessions.trace.get() {
            server.trace(trace);
        }
        Ok(server)
    }

    /// The account as last fetched, available while no host can be reached.
    pub fn last_account(&self) -> Option<Account> {
        self.0.auth.held().and_then(|held| held.account)
    }

    /// The e-mail address of the last sign-in, also after its end.
    pub fn email(&self) -> Option<String> {
        self.0.auth.held().map(|held| held.email)
    }

    /// How much the hosts' clock is ahead of this machine's: zero if less than 30 s, `None` before
    /// the first answer.
    pub fn clock_ahead(&self) -> Option<SignedDuration> {
        self.0.http.clock.ahead()
    }

    /// The calls that a host accepted at once after its last answer; `None` if it does not say.
    pub fn allowance(&self, host: Host) -> Option<u32> {
        self.0.http.allowances.of(host)
    }

    /// Whether passwords and tokens travel readable over a network: `http://` to another machine.
    pub fn is_readable_by_others(&self) -> bool {
        self.0.addresses.is_readable_by_others()
    }

    /// Whether there are credentials that have not been refused.
    pub fn is_signed_in(&self) -> bool {
        self.0.auth.is_signed_in()
    }
}

/// Whether a call changes nothing.
fn is_safe(host: Host, tool: &str, meta: &CallMeta) -> bool {
    meta.preview || host.tool(tool).is_some_and(|tool| tool.effect.read_only)
}

/// The time for which hosts remember idempotency keys, less an hour.
pub const REMEMBERED: SignedDuration = SignedDuration::from_hours(23);

/// Whether a call can be made again though it may have been made: it changes nothing, or the host keeps its result under
/// its idempotency key.
pub(crate) fn is_repeatable(
    host: Host,
    tool: &str,
    arguments: &Map<String, Value>,
    meta: &CallMeta,
) -> bool {
    let is_kept = |tool: &Declaration| tool.remembers(&Value::Object(arguments.clone()));
    is_safe(host, tool, meta)
        || (meta.idempotency_key.is_some() && host.tool(tool).is_some_and(is_kept))
}

/// Asks for output schemas, from which columns are made. Servers that do not know the key ignore it.
pub(crate) fn in_list() -> Option<RequestMetaObject> {
    in_request(&ListMeta {
        output_schemas: true,
    })
}

/// Options as the `_meta` of a request.
pub(crate) fn in_request(meta: &impl Serialize) -> Option<RequestMetaObject> {
    match serde_json::to_value(meta) {
        Ok(Value::Object(meta)) if !meta.is_empty() => Some(RequestMetaObject::from(meta)),
        _ => None,
    }
}

/// The refusal to send a preview to a server that would make the call.
pub(crate) fn no_previews(name: &str) -> CallError {
    let message = format!("{name} does not offer previews; nothing was sent");
    CallError::Tool(ToolError::new(ErrorCode::Refused, message))
}
