//! A third-party server, and a user with the server in the configuration.

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use frontdesk_tests::{Mode, Proxy, program, run};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commands::stage::Ended;

/// The server, behind a network that a test can break, and the directory of its user.
pub(crate) struct Foreign {
    proxy: Proxy,
    seen: Arc<Mutex<Seen>>,
    home: TempDir,
}

#[derive(Default)]
struct Seen {
    /// The address in the user's configuration.
    url: String,
    /// The required token; `None` for an open server.
    token: Option<String>,
    called: usize,
    headers: HeaderMap,
}

type Shared = State<Arc<Mutex<Seen>>>;

impl Foreign {
    /// Starts an open server.
    pub(crate) fn start() -> Self {
        let seen = Arc::<Mutex<Seen>>::default();
        let app = Router::new()
            .route("/mcp", post(mcp))
            .route("/.well-known/oauth-protected-resource", get(resource))
            .route(
                "/.well-known/oauth-authorization-server",
                get(authorization),
            )
            .route("/register", post(register))
            .route("/token", post(token))
            .with_state(Arc::clone(&seen));
        let address = run(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("a port");
            let address = listener.local_addr().expect("an address");
            tokio::spawn(async move { axum::serve(listener, app).await });
            address
        });
        let proxy = Proxy::before(&format!("http://{address}"));
        seen.lock().expect("whole").url = proxy.url();
        let foreign = Foreign {
            proxy,
            seen,
            home: tempfile::tempdir().expect("a directory"),
        };
        foreign.write_config(&format!(
            "# Mine.\n[servers.gone]\ncommand = [\"no-such-program\"]\n\n\
             [servers.stub]\nurl = \"{}\" # the stub\n",
            foreign.url()
        ));
        foreign
    }

    /// Starts a server that requires a sign-in.
    pub(crate) fn guarded() -> Self {
        let foreign = Foreign::start();
        foreign.seen.lock().expect("whole").token = Some("the-token".to_owned());
        foreign
    }

    /// Its MCP endpoint.
    pub(crate) fn url(&self) -> String {
        format!("{}/mcp", self.proxy.url())
    }

    pub(crate) fn proxy(&self) -> &Proxy {
        &self.proxy
    }

    /// The number of tool calls.
    pub(super) fn called(&self) -> usize {
        self.seen.lock().expect("whole").called
    }

    /// A header of the last request.
    pub(super) fn last_header(&self, name: &str) -> Option<String> {
        let seen = self.seen.lock().expect("whole");
        let value = seen.headers.get(name)?.to_str().expect("text");
        Some(value.to_owned())
    }

    /// Sets the answer of this tool from now on.
    pub(super) fn answer(&self, tool: &str, status: u16, body: &Value) {
        self.proxy.set_for(tool, answered(status, body));
    }

    /// Sets the answer of every request from now on.
    pub(super) fn answer_all(&self, status: u16, body: &Value) {
        self.proxy.set(answered(status, body));
    }

    pub(crate) fn go_down(&self) {
        self.proxy.go_down();
    }

    fn config_file(&self) -> std::path::PathBuf {
        self.home.path().join("config.toml")
    }

    pub(crate) fn config(&self) -> String {
        std::fs::read_to_string(self.config_file()).expect("it is there")
    }

    pub(super) fn write_config(&self, text: &str) {
        std::fs::write(self.config_file(), text).expect("it is written");
    }

    /// The program as its user runs it.
    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::command("frontdesk", arguments);
        command
            .env("HOME", self.home.path())
            .env("FRONTDESK_HOME", self.home.path())
            .env("FRONTDESK_CONFIG", self.config_file())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    pub(super) fn end(&self, command: &mut Command) -> Ended {
        Ended::of(command.stdin(Stdio::null()).output().expect("it runs"))
    }

    /// Runs it with a program as its server ([`super::child`]).
    pub(super) fn with_program(&self, part: &str, arguments: &[&str]) -> Ended {
        let mut command = self.command(arguments);
        command.arg("--").args(super::child::command());
        self.end(command.env(super::child::PART, part))
    }

    pub(super) fn frontdesk(&self, arguments: &[&str]) -> Ended {
        self.end(&mut self.command(arguments))
    }
}

fn answered(status: u16, body: &Value) -> Mode {
    let headers = vec![("content-type", "application/json".to_owned())];
    Mode::Status(status, headers, body.to_string())
}

fn answer(body: &Value) -> Response {
    ([("content-type", "application/json")], body.to_string()).into_response()
}

async fn mcp(State(seen): Shared, headers: HeaderMap, body: String) -> Response {
    let mut seen = seen.lock().expect("whole");
    let sent = headers.get("authorization").and_then(|it| it.to_str().ok());
    let is_open = match &seen.token {
        Some(token) => sent == Some(&format!("Bearer {token}")),
        None => true,
    };
    seen.headers.clone_from(&headers);
    if !is_open {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let request: Value = serde_json::from_str(&body).expect("JSON");
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    let result = match request["method"].as_str().expect("a method") {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "stub", "title": "A Stub", "version": "7" },
        }),
        "tools/list" => tools(),
        "tools/call" => {
            seen.called += 1;
            match request["params"]["name"].as_str().expect("a tool") {
                "say" => {
                    let said = request["params"]["arguments"]["text"].as_str();
                    text(&format!("{} it is", said.expect("it is a text")))
                }
                "list" => json!({
                    "content": [],
                    "structuredContent": { "files": [
                        { "name": "a", "bytes": 1 }, { "name": "b,c", "bytes": 2 },
                    ] },
                }),
                "draw" => json!({ "content": [
                    { "type": "text", "text": "Here it is" },
                    { "type": "image", "data": "TWFu", "mimeType": "image/png" },
                    { "type": "resource", "resource": { "uri": "demo://1", "text": "one" } },
                ] }),
                "print" => {
                    json!({ "task": { "taskId": "t1", "status": "working", "pollInterval": 50 } })
                }
                "nothing" => json!({ "content": [] }),
                "explain" => {
                    let lines = (1..=60).map(|line| format!("line {line} of the reason"));
                    let lines: Vec<_> = lines.collect();
                    json!({
                        "content": [{ "type": "text", "text": lines.join("\n") }], "isError": true,
                    })
                }
                _ => json!({
                    "content": [{ "type": "text", "text": "no such file" }], "isError": true,
                    "_meta": { "io.modelcontextprotocol/serverInfo": { "name": "stub" }, "files": 3 },
                }),
            }
        }
        "tasks/get" => json!({ "taskId": "t1", "status": "completed", "statusMessage": "3 pages" }),
        "tasks/result" => text("all is printed"),
        _ if request["id"].is_null() => return StatusCode::ACCEPTED.into_response(),
        _ => {
            let error = json!({ "code": -32601, "message": "no such method" });
            return answer(&json!({ "jsonrpc": "2.0", "id": request["id"], "error": error }));
        }
    };
    answer(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": result }))
}

fn tools() -> Value {
    let plain = json!({ "type": "object" });
    let read_only = json!({ "readOnlyHint": true });
    let say = json!({
        "type": "object", "required": ["text"],
        "properties": { "text": { "type": "string" }, "loud": { "type": "boolean" } },
    });
    json!({ "tools": [
        { "name": "say", "description": "Says it.", "inputSchema": say },
        { "name": "list", "inputSchema": plain, "annotations": read_only },
        { "name": "draw", "inputSchema": plain },
        { "name": "refuse", "inputSchema": plain },
        { "name": "nothing", "inputSchema": plain },
        { "name": "explain", "inputSchema": plain },
        { "name": "print", "inputSchema": plain, "execution": { "taskSupport": "required" } },
    ] })
}

async fn resource(State(seen): Shared) -> Response {
    let url = seen.lock().expect("whole").url.clone();
    answer(&json!({ "resource": format!("{url}/mcp"), "authorization_servers": [url] }))
}

async fn authorization(State(seen): Shared) -> Response {
    let url = seen.lock().expect("whole").url.clone();
    answer(&json!({
        "issuer": url, "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "registration_endpoint": format!("{url}/register"),
        "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
    }))
}

async fn register(body: String) -> Response {
    let mut client: Value = serde_json::from_str(&body).expect("JSON");
    client["client_id"] = json!("client-1");
    (StatusCode::CREATED, answer(&client)).into_response()
}

async fn token(State(seen): Shared, body: String) -> Response {
    if !body.contains("code=the-code") {
        return (
            StatusCode::BAD_REQUEST,
            answer(&json!({ "error": "invalid_grant" })),
        )
            .into_response();
    }
    let token = seen.lock().expect("whole").token.clone();
    answer(&json!({ "access_token": token, "token_type": "Bearer", "expires_in": 3600 }))
}
