//! A fake host on a socket: behaves like a real one unless a test sets a reply.

#![allow(unreachable_pub, missing_docs, clippy::unwrap_used)]

pub mod browser;
pub mod files;
pub mod wire;

use std::collections::{HashMap, HashSet, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};

use frontdesk_client::{
    Account, Addresses, CallError, Client, CredentialStore, Credentials, Secret,
};
use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::{Host, Role};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{JoinHandle, JoinSet};

pub const GUEST: &str = "0190a1b2-0000-7000-8000-000000000001";
pub const EVENT: &str = "0190a1b2-0000-7000-8000-000000000002";
pub const USER: &str = "0190a1b2-0000-7000-8000-000000000003";
pub const EMAIL: &str = "staff@demo.test";

/// A received request.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

impl Request {
    /// The JSON-RPC method, otherwise the path.
    pub fn name(&self) -> &str {
        self.body["method"].as_str().unwrap_or(&self.path)
    }

    pub fn token(&self) -> Option<&str> {
        self.headers.get("authorization")?.strip_prefix("Bearer ")
    }

    pub fn session(&self) -> Option<&str> {
        self.headers.get("mcp-session-id").map(String::as_str)
    }
}

/// The reaction to a request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// Status, additional headers, content type, body.
    Answer(u16, Vec<(&'static str, String)>, &'static str, String),
    /// Never answer.
    Hang,
    /// Answer as usual after [`Server::release`].
    Hold,
    /// Tell that half is done, then answer as usual, as a stream of events.
    Halves,
    /// Close the connection without an answer.
    Disconnect,
    /// Announce a body, send half of it, and close.
    Break,
    /// Start an event stream with these events, and send nothing more.
    Events(&'static str),
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Reply::Answer(status, Vec::new(), "application/json", body.to_string())
    }

    pub fn text(status: u16, content_type: &'static str, body: &str) -> Self {
        Reply::Answer(status, Vec::new(), content_type, body.to_owned())
    }

    pub fn status(status: u16) -> Self {
        Reply::text(status, "text/plain", "")
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Reply::Answer(_, headers, ..) = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }

    /// A JSON-RPC error with an HTTP status, like a refusal by a host.
    pub fn refusal(status: u16, code: &str, message: &str) -> Self {
        let data = json!({ "code": code, "message": message });
        let error = json!({ "code": -32000, "message": message, "data": data });
        Reply::json(
            status,
            &json!({ "jsonrpc": "2.0", "id": null, "error": error }),
        )
    }
}

#[derive(Default)]
struct State {
    log: Vec<Request>,
    scripted: HashMap<String, VecDeque<Reply>>,
    results: HashMap<String, Value>,
    tokens: HashSet<String>,
    refresh_tokens: HashSet<String>,
    sessions: HashSet<String>,
    issued: usize,
    opened: usize,
    given_up: usize,
}

/// The fake host. Its address is that of the whole service; it answers for the area `events`.
pub struct Server {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    arrivals: tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>,
    held: Arc<Semaphore>,
    listening: Mutex<Option<JoinHandle<()>>>,
    connections: Arc<Mutex<JoinSet<Option<()>>>>,
}

/// Recorded when the client closed the connection of a hanging request.
const GONE: &str = "(gone)";

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let (arrived, arrivals) = mpsc::unbounded_channel();
        let held = Arc::new(Semaphore::new(0));
        let (shared, release) = (Arc::clone(&state), Arc::clone(&held));
        let connections = Arc::new(Mutex::new(JoinSet::new()));
        let all = Arc::clone(&connections);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (state, held) = (Arc::clone(&shared), Arc::clone(&release));
                let arrived = arrived.clone();
                let serving = async move { serve(stream, &state, &arrived, &held).await };
                all.lock().unwrap().spawn(serving);
            }
        });
        Server {
            address,
            state,
            arrivals: tokio::sync::Mutex::new(arrivals),
            held,
            listening: Mutex::new(Some(listening)),
            connections,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn addresses(&self) -> Addresses {
        Addresses::new(&self.url()).unwrap()
    }

    /// Sets the reply to the next request with this name (a JSON-RPC method or a path). Several
    /// calls set replies in order.
    pub fn next(&self, name: &str, reply: Reply) {
        let mut state = self.state();
        state
            .scripted
            .entry(name.to_owned())
            .or_default()
            .push_back(reply);
    }

    /// Sets a tool's `CallToolResult` until it is replaced.
    pub fn result(&self, tool: &str, result: Value) {
        self.state().results.insert(tool.to_owned(), result);
    }

    /// Drops all sessions, like a restart.
    pub fn forget_sessions(&self) {
        self.state().sessions.clear();
    }

    /// Expires all access tokens.
    pub fn end_tokens(&self) {
        self.state().tokens.clear();
    }

    /// Refuses all refresh tokens.
    pub fn end_refresh_tokens(&self) {
        self.state().refresh_tokens.clear();
    }

    /// Issues credentials without a sign-in, valid for this part of an hour.
    pub fn credentials(&self, left: SignedDuration) -> Credentials {
        let (access, refresh) = self.state().issue();
        Credentials {
            access_token: Secret::new(access),
            refresh_token: Secret::new(refresh),
            expires_at: Timestamp::now() + left,
            lifetime: 3600,
            url: self.url(),
            email: EMAIL.to_owned(),
            api_key: "demo".to_owned(),
            account: Some(account()),
        }
    }

    /// A store in memory with credentials valid for an hour.
    pub fn store(&self) -> CredentialStore {
        let store = CredentialStore::memory();
        store
            .save(&self.credentials(SignedDuration::from_hours(1)))
            .unwrap();
        store
    }

    /// A signed-in client.
    pub fn client(&self) -> Client {
        Client::new(self.addresses(), self.store()).unwrap()
    }

    pub fn requests(&self) -> Vec<Request> {
        let state = self.state();
        let others = state
            .log
            .iter()
            .filter(|request| request.method != "DELETE");
        others.cloned().collect()
    }

    /// The names of all requests so far.
    pub fn names(&self) -> Vec<String> {
        self.requests()
            .iter()
            .map(|request| request.name().to_owned())
            .collect()
    }

    /// The number of requests with this name.
    pub fn count(&self, name: &str) -> usize {
        self.names().iter().filter(|it| *it == name).count()
    }

    /// Waits for a request with this name.
    pub async fn arrived(&self, name: &str) {
        let mut arrivals = self.arrivals.lock().await;
        while arrivals.recv().await.unwrap() != name {}
    }

    /// Stops the host: closes its connections and accepts no new ones.
    pub async fn stop(&self) {
        let listening = self.listening.lock().unwrap().take();
        if let Some(listening) = listening {
            listening.abort();
            let _ = listening.await;
        }
        let mut connections = std::mem::take(&mut *self.connections.lock().unwrap());
        connections.shutdown().await;
    }

    /// Answers a held request.
    pub fn release(&self) {
        self.held.add_permits(1);
    }

    /// Waits until the client has given up a hanging request.
    pub async fn gone(&self) {
        self.arrived(GONE).await;
    }

    /// The number of hanging requests that the client has given up.
    pub fn given_up(&self) -> usize {
        self.state().given_up
    }
}

impl State {
    fn issue(&mut self) -> (String, String) {
        self.issued += 1;
        let access = format!("access-{}", self.issued);
        let refresh = format!("refresh-{}", self.issued);
        self.tokens.insert(access.clone());
        self.refresh_tokens.insert(refresh.clone());
        (access, refresh)
    }

    fn grant(&mut self) -> Reply {
        let (access, refresh) = self.issue();
        Reply::json(
            200,
            &json!({ "access_token": access, "token_type": "bearer", "expires_in": 3600,
                "expires_at": (Timestamp::now().as_second() + 3600), "refresh_token": refresh,
                "user": user() }),
        )
    }

    fn reply(&mut self, request: &Request) -> Reply {
        if let Some(reply) = self
            .scripted
            .get_mut(request.name())
            .and_then(VecDeque::pop_front)
        {
            return reply;
        }
        let has_token = request
            .token()
            .is_some_and(|token| self.tokens.contains(token));
        match request.path.as_str() {
            "/events/health" => Reply::json(200, &json!({ "status": "ok", "host": "events" })),
            "/auth/v1/token?grant_type=password" => match request.body["password"].as_str() {
                Some("demo-password") => self.grant(),
                _ => Reply::json(
                    400,
                    &json!({ "error_code": "invalid_credentials", "msg": "Invalid login" }),
                ),
            },
            "/auth/v1/token?grant_type=pkce" => match request.body["auth_code"].as_str() {
                Some("the-code") => self.grant(),
                _ => Reply::json(
                    400,
                    &json!({ "error_code": "flow_state_not_found", "msg": "no valid flow" }),
                ),
            },
            "/events/auth/refresh" | "/auth/v1/token?grant_type=refresh_token" => {
                let token = request.body["refresh_token"].as_str().unwrap_or_default();
                if self.refresh_tokens.remove(token) {
                    return self.grant();
                }
                let text = json!({ "error": "invalid_grant", "error_description": "Used before" });
                Reply::json(400, &text)
            }
            _ if !has_token => Reply::refusal(401, "unauthorized", "The token is not valid")
                .header("www-authenticate", "Bearer"),
            "/auth/v1/user" => Reply::json(200, &user()),
            "/auth/v1/logout" => Reply::status(204),
            "/events/mcp" => self.mcp(request),
            _ => Reply::status(404),
        }
    }

    fn mcp(&mut self, request: &Request) -> Reply {
        if request.method != "POST" {
            return Reply::status(405);
        }
        let answer = |result: Value| {
            let id = &request.body["id"];
            Reply::json(
                200,
                &json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            )
        };
        let method = request.name();
        if method == "initialize" {
            self.opened += 1;
            let session = format!("session-{}", self.opened);
            self.sessions.insert(session.clone());
            return answer(json!({
                "protocolVersion": request.body["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "fake", "version": "1" },
            }))
            .header("mcp-session-id", &session);
        }
        if !request
            .session()
            .is_some_and(|session| self.sessions.contains(session))
        {
            return Reply::refusal(400, "invalid_argument", "No valid session");
        }
        match method {
            "notifications/initialized" => Reply::status(202),
            "tools/call" => {
                let tool = request.body["params"]["name"].as_str().unwrap_or_default();
                match self.results.get(tool) {
                    Some(result) => answer(result.clone()),
                    None => answer(json!({
                        "content": [], "structuredContent": request.body["params"] })),
                }
            }
            _ => Reply::refusal(400, "invalid_argument", "no such method"),
        }
    }
}

/// A call that writes.
pub async fn write(client: &Client) -> Result<Value, CallError> {
    let (tool, meta) = ("check_in_guest", CallMeta::default());
    let called = client.call_tool(Host::Events, tool, Map::new(), meta);
    called.await?.into_value()
}

/// The account of all tests.
pub fn account() -> Account {
    Account {
        id: USER.parse().unwrap(),
        email: EMAIL.to_owned(),
        organization: Some("Demo".to_owned()),
        organization_slug: None,
        time_zone: None,
        name: None,
        member: None,
        role: Some(Role::Staff),
        level: 0,
    }
}

/// The same account, in the format of the identity provider.
pub fn user() -> Value {
    json!({ "id": USER, "email": EMAIL,
        "app_metadata": { "organization": "Demo", "role": "staff", "level": 0 } })
}

/// A guest, in the format of a host.
pub fn guest(check_in_at: &str) -> Value {
    json!({ "id": GUEST, "event_id": EVENT, "name": "Zoë Müller", "email": null,
        "phone_number": null, "role": null, "member_id": null, "chat_id": null,
        "check_in_at": check_in_at, "tags": {} })
}

async fn serve(
    stream: TcpStream,
    state: &Mutex<State>,
    arrived: &mpsc::UnboundedSender<String>,
    held: &Semaphore,
) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let request = read(&mut stream).await?;
        let reply = {
            let mut state = state.lock().unwrap();
            state.log.push(request.clone());
            state.reply(&request)
        };
        let _ = arrived.send(request.name().to_owned());
        let reply = match reply {
            Reply::Hold => {
                held.acquire().await.ok()?.forget();
                state.lock().unwrap().reply(&request)
            }
            Reply::Halves => {
                let usual = state.lock().unwrap().reply(&request);
                halves(&request, usual)
            }
            reply => reply,
        };
        match reply {
            Reply::Answer(status, headers, content_type, body) => {
                let mut head = format!(
                    "HTTP/1.1 {status} Any\r\ncontent-length: {}\r\n",
                    body.len()
                );
                if !body.is_empty() {
                    head += &format!("content-type: {content_type}\r\n");
                }
                for (name, value) in headers {
                    head += &format!("{name}: {value}\r\n");
                }
                let answer = format!("{head}\r\n{body}");
                stream.get_mut().write_all(answer.as_bytes()).await.ok()?;
            }
            // Until the client gives up.
            Reply::Hang => {
                let _ = stream.read_u8().await;
                state.lock().unwrap().given_up += 1;
                let _ = arrived.send(GONE.to_owned());
                return None;
            }
            Reply::Events(events) => {
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
                let begun = format!("{head}{events}");
                stream.get_mut().write_all(begun.as_bytes()).await.ok()?;
                let _ = stream.read_u8().await;
                return None;
            }
            Reply::Disconnect | Reply::Hold | Reply::Halves => return None,
            Reply::Break => {
                let half = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
                    content-length: 1000\r\n\r\n{\"jsonrpc\":";
                stream.get_mut().write_all(half).await.ok()?;
                return None;
            }
        }
    }
}

/// The progress of a request, and its usual answer.
fn halves(request: &Request, usual: Reply) -> Reply {
    let Reply::Answer(_, _, _, answer) = usual else {
        return usual;
    };
    let token = &request.body["params"]["_meta"]["progressToken"];
    let params = json!({ "progressToken": token, "progress": 1, "total": 2 });
    let method = "notifications/progress";
    let told = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let events = format!("data: {told}\n\ndata: {answer}\n\n");
    Reply::text(200, "text/event-stream", &events)
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let sent = wire::read(stream).await?;
    Some(Request {
        method: sent.method,
        path: sent.path,
        headers: sent.headers,
        body: serde_json::from_slice(&sent.body).unwrap_or(Value::Null),
    })
}
