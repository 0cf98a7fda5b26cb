//! A plain HTTP client: it sends what any MCP client sends.

use frontdesk_protocol::wire;
use frontdesk_protocol::{Host, Tool};
use reqwest::header::HeaderMap;
use reqwest::{RequestBuilder, StatusCode};
use serde_json::{Value, json};

/// A caller with a token and, once opened, a session.
#[derive(Debug, Clone)]
pub struct Http {
    client: reqwest::Client,
    url: String,
    /// The access token.
    pub token: String,
    /// The refresh token.
    pub refresh_token: String,
    session: Option<(Host, String)>,
    /// How the calling program names itself.
    pub agent: Option<&'static str>,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; null if it is not JSON.
    pub body: Value,
}

/// A call that waits for a person: its answer is a stream that begins with a question.
#[derive(Debug)]
pub struct Waiting {
    response: reqwest::Response,
    read: String,
}

impl Waiting {
    /// Sends a request.
    ///
    /// # Panics
    ///
    /// If its answer is no stream.
    pub async fn to(request: RequestBuilder) -> Waiting {
        let response = request.send().await.expect("an answer");
        if response.headers()["content-type"] != "text/event-stream" {
            panic!("nobody was asked: {:?}", response.text().await);
        }
        Waiting {
            response,
            read: String::new(),
        }
    }

    /// The next message of the stream.
    ///
    /// # Panics
    ///
    /// If the stream ends before.
    pub async fn message(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(serde_json::from_str);
                self.read = rest.to_owned();
                if let Some(message) = data {
                    return message.expect("JSON");
                }
                continue;
            }
            let chunk = self.response.chunk().await.expect("a stream");
            let chunk = chunk.expect("a further message");
            self.read
                .push_str(std::str::from_utf8(&chunk).expect("text"));
        }
    }

    /// Whether the stream ends without a further message.
    pub async fn is_over(&mut self) -> bool {
        loop {
            match self.response.chunk().await {
                Ok(None) => return !self.read.contains("data:"),
                Ok(Some(chunk)) => self.read.push_str(&String::from_utf8_lossy(&chunk)),
                Err(_) => return false,
            }
        }
    }

    /// The answer to the call.
    pub async fn end(mut self) -> Answer {
        Answer {
            status: self.response.status(),
            headers: self.response.headers().clone(),
            body: self.message().await,
        }
    }
}

impl Answer {
    /// Sends a request.
    ///
    /// # Panics
    ///
    /// If there is no answer.
    pub async fn to(request: RequestBuilder) -> Answer {
        Answer::if_any(request).await.expect("an answer")
    }

    /// Sends a request to which there may be no answer.
    ///
    /// # Errors
    ///
    /// If the connection breaks first.
    pub async fn if_any(request: RequestBuilder) -> reqwest::Result<Answer> {
        let response = request.send().await?;
        Ok(Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: serde_json::from_slice(&response.bytes().await?).unwrap_or(Value::Null),
        })
    }

    /// A header's value; empty if missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().expect("text"))
    }

    /// The JSON-RPC result.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn result(&self) -> &Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        self.body
            .get("result")
            .unwrap_or_else(|| panic!("no result: {}", self.body))
    }

    /// The tool's output.
    ///
    /// # Panics
    ///
    /// If the tool returned an error.
    pub fn output(&self) -> &Value {
        let result = self.result();
        assert_eq!(result["isError"], false, "{result}");
        &result["structuredContent"]
    }

    /// The tool's error: `code`, `message`, `field`, `hint`.
    ///
    /// # Panics
    ///
    /// If the tool returned no error.
    pub fn tool_error(&self) -> Value {
        let result = self.result();
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().expect("text");
        serde_json::from_str::<Value>(text).expect("JSON")["error"].clone()
    }

    /// Asserts that the tool's error has this code and field.
    ///
    /// # Panics
    ///
    /// If it has not.
    #[track_caller]
    pub fn refuses(&self, code: &str, field: &str) {
        let error = self.tool_error();
        assert_eq!(
            (&error["code"], &error["field"]),
            (&code.into(), &field.into()),
            "{error}"
        );
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "{error}"
        );
    }

    /// Asserts that the tool's error has this code, field and message.
    ///
    /// # Panics
    ///
    /// If it has not.
    #[track_caller]
    pub fn refuses_with(&self, code: &str, field: &str, message: &str) {
        self.refuses(code, field);
        assert_eq!(self.tool_error()["message"], message);
    }

    /// The tool's result parsed from the text for models.
    ///
    /// # Panics
    ///
    /// If there is no text.
    pub fn text(&self) -> Value {
        let text = self.result()["content"][0]["text"].as_str().expect("text");
        serde_json::from_str(text).expect("JSON")
    }

    /// The code of the JSON-RPC error.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn rpc_code(&self) -> i64 {
        self.body["error"]["code"]
            .as_i64()
            .unwrap_or_else(|| panic!("no error: {}", self.body))
    }

    /// The code of an error of the tool or of the request.
    pub fn refusal(&self) -> String {
        let code = match self.body.get("error") {
            Some(error) => error["data"]["code"].clone(),
            None => self.tool_error()["code"].clone(),
        };
        code.as_str()
            .unwrap_or_else(|| panic!("no code: {}", self.body))
            .to_owned()
    }
}

impl Http {
    /// A caller with this token.
    pub fn with_token(url: &str, token: &str) -> Http {
        let _ = rustls::crypto::ring::default_provider().install_default();
        Http {
            client: reqwest::Client::builder()
                .no_proxy()
                // The platform's certificates take longer to read than most calls.
                .tls_certs_only([])
                .build()
                .expect("a client"),
            url: url.to_owned(),
            token: token.to_owned(),
            refresh_token: String::new(),
            session: None,
            agent: None,
        }
    }

    /// Signs in with a password.
    pub async fn sign_in(url: &str, email: &str, password: &str) -> Http {
        let mut http = Http::with_token(url, "");
        let answer = http.password_grant(email, password).await;
        http.take_tokens(&answer);
        http
    }

    /// The access token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// `POST /auth/v1/token?grant_type=password`.
    pub async fn password_grant(&self, email: &str, password: &str) -> Answer {
        let url = format!("{}/auth/v1/token?grant_type=password", self.url);
        let body = json!({ "email": email, "password": password });
        Answer::to(self.client.post(url).header("apikey", "demo").json(&body)).await
    }

    /// A request to a path of the service, without a token.
    pub fn request(&self, method: reqwest::Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.url))
    }

    /// `POST /{area}/mcp` with the token, but without a session or a body.
    pub fn post(&self, host: Host) -> RequestBuilder {
        self.post_to(host.area())
    }

    /// The same at this area, which can be that of agents.
    pub fn post_to(&self, area: &str) -> RequestBuilder {
        let request = self.request(reqwest::Method::POST, &format!("/{area}/mcp"));
        let request = match self.agent {
            Some(agent) => request.header("user-agent", agent),
            None => request,
        };
        request
            .bearer_auth(&self.token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    /// `initialize` with this revision.
    pub async fn initialize(&self, host: Host, version: &str) -> Answer {
        self.initialize_with(host, version, json!({})).await
    }

    async fn initialize_with(&self, host: Host, version: &str, capabilities: Value) -> Answer {
        let body = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": version, "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "0" },
            },
        });
        Answer::to(self.post(host).json(&body)).await
    }

    /// The session with this host; opens one if there is none.
    pub async fn session(&mut self, host: Host) -> String {
        match &self.session {
            Some((of, session)) if *of == host => session.clone(),
            _ => {
                let answer = self.initialize(host, "2025-11-25").await;
                answer.result();
                let session = answer.header("mcp-session-id").to_owned();
                self.session = Some((host, session.clone()));
                session
            }
        }
    }

    /// The same caller at another server.
    pub fn at(&self, url: &str) -> Http {
        Http {
            url: url.to_owned(),
            session: None,
            ..self.clone()
        }
    }

    /// Sends later requests to another server, in the same session.
    pub fn move_to(&mut self, url: &str) {
        url.clone_into(&mut self.url);
    }

    /// Uses the tokens of this answer from now on.
    ///
    /// # Panics
    ///
    /// If the answer is not that of a sign-in or a refresh.
    pub fn take_tokens(&mut self, answer: &Answer) {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let token = |name: &str| answer.body[name].as_str().expect("a token").to_owned();
        self.token = token("access_token");
        self.refresh_token = token("refresh_token");
    }

    /// The same caller in a new session of this revision.
    pub async fn speaking(&self, host: Host, version: &str) -> Http {
        self.speaking_with(host, version, json!({})).await
    }

    /// The same with these capabilities.
    pub async fn speaking_with(&self, host: Host, version: &str, capabilities: Value) -> Http {
        let answer = self.initialize_with(host, version, capabilities).await;
        assert_eq!(answer.result()["protocolVersion"], version);
        let session = answer.header("mcp-session-id").to_owned();
        Http {
            session: Some((host, session)),
            ..self.clone()
        }
    }

    /// Sends a raw body in the session.
    pub async fn send(&mut self, host: Host, body: impl Into<reqwest::Body>) -> Answer {
        let session = self.session(host).await;
        Answer::to(self.post(host).header("mcp-session-id", session).body(body)).await
    }

    /// `POST /{area}/auth/refresh`, or without an area at the base address.
    pub async fn refresh(&self, host: Option<Host>, refresh_token: &str) -> Answer {
        let path = host.map_or(String::new(), |host| format!("/{host}"));
        let body = json!({ "refresh_token": refresh_token });
        Answer::to(
            self.request(reqwest::Method::POST, &format!("{path}/auth/refresh"))
                .json(&body),
        )
        .await
    }

    /// Sends one JSON-RPC request in the session.
    pub async fn rpc(&mut self, host: Host, method: &str, params: Value) -> Answer {
        Answer::to(self.request_of(host, method, params).await).await
    }

    /// Builds one JSON-RPC request in the session.
    pub async fn request_of(&mut self, host: Host, method: &str, params: Value) -> RequestBuilder {
        let session = self.session(host).await;
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.post(host)
            .header("mcp-session-id", session)
            .json(&body)
    }

    /// Opens the stream of the session.
    pub async fn stream(&mut self, host: Host) -> Waiting {
        let session = self.session(host).await;
        let request = self.request(reqwest::Method::GET, &format!("/{host}/mcp"));
        let request = request.bearer_auth(&self.token);
        let request = request.header("accept", "text/event-stream");
        Waiting::to(request.header("mcp-session-id", session)).await
    }

    /// Calls a tool by name.
    pub async fn call(&mut self, host: Host, tool: &str, arguments: Value) -> Answer {
        self.rpc(
            host,
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )
        .await
    }

    /// Calls an events tool with the time at which the reported action happened.
    pub async fn events_at(&mut self, tool: &str, arguments: Value, occurred_at: &str) -> Answer {
        let meta = json!({ "frontdesk/occurredAt": occurred_at });
        let params = json!({ "name": tool, "arguments": arguments, "_meta": meta });
        self.rpc(Host::Events, "tools/call", params).await
    }

    /// Calls an events tool by name.
    pub async fn events(&mut self, tool: &str, arguments: Value) -> Answer {
        self.call(Host::Events, tool, arguments).await
    }

    /// Calls a tool by its type; its answer must parse as the declared output.
    pub async fn typed<T: Tool>(&mut self, arguments: &T) -> T::Output {
        let answer = self.call(T::HOST, T::NAME, arguments.write()).await;
        wire::read(answer.output())
            .unwrap_or_else(|error| panic!("{}: {error}: {}", T::NAME, answer.body))
    }
}
