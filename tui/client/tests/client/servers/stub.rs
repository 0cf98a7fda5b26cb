//! A web server on a socket: a function returns the reply to each request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::support::wire;

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// The submitted form.
    pub(crate) fn form(&self) -> HashMap<String, String> {
        url::form_urlencoded::parse(self.body.as_bytes())
            .into_owned()
            .collect()
    }

    /// The JSON-RPC method, otherwise the HTTP method and path.
    pub(crate) fn name(&self) -> String {
        match self.json()["method"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("{} {}", self.method, self.path),
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// The reply to a request.
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Body,
}

enum Body {
    Whole(Vec<u8>),
    /// Sent as they arrive, until the channel closes.
    Events(mpsc::UnboundedReceiver<Value>),
}

impl Reply {
    pub(crate) fn status(status: u16) -> Self {
        Reply {
            status,
            headers: Vec::new(),
            body: Body::Whole(Vec::new()),
        }
    }

    pub(crate) fn json(body: &Value) -> Self {
        let mut reply = Reply::status(200).header("content-type", "application/json");
        reply.body = Body::Whole(body.to_string().into_bytes());
        reply
    }

    /// The result of a request.
    pub(crate) fn result(request: &Request, result: Value) -> Self {
        let id = &request.json()["id"];
        Reply::json(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
    }

    /// A body of this type.
    pub(crate) fn text(kind: &str, body: String) -> Self {
        let mut reply = Reply::status(200).header("content-type", kind);
        reply.body = Body::Whole(body.into_bytes());
        reply
    }

    /// The same with its body in this coding.
    pub(crate) fn coded(self, name: &str, code: impl Fn(Vec<u8>) -> Vec<u8>) -> Self {
        let mut reply = self.header("content-encoding", name);
        if let Body::Whole(body) = &mut reply.body {
            *body = code(std::mem::take(body));
        }
        reply
    }

    /// An event stream, fed from the other end of the channel.
    pub(crate) fn events() -> (mpsc::UnboundedSender<Value>, Self) {
        let (send, receive) = mpsc::unbounded_channel();
        let mut reply = Reply::status(200).header("content-type", "text/event-stream");
        reply.body = Body::Events(receive);
        (send, reply)
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }
}

type Handler = dyn Fn(&Request) -> Reply + Send + Sync;

/// A server that lives as long as the test's runtime.
pub(crate) struct Stub {
    pub(crate) url: String,
    log: Arc<Mutex<Vec<Request>>>,
    arrivals: tokio::sync::Mutex<mpsc::UnboundedReceiver<String>>,
}

impl Stub {
    /// Starts a server. The function also receives the server's address.
    pub(crate) async fn start(
        handler: impl Fn(&str, &Request) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let log = Arc::new(Mutex::new(Vec::new()));
        let (arrived, arrivals) = mpsc::unbounded_channel();
        let at = url.clone();
        let handler: Arc<Handler> = Arc::new(move |request: &Request| handler(&at, request));
        let logged = Arc::clone(&log);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (handler, log) = (Arc::clone(&handler), Arc::clone(&logged));
                let arrived = arrived.clone();
                tokio::spawn(async move {
                    let mut stream = BufReader::new(stream);
                    let request = read(&mut stream).await?;
                    let reply = handler(&request);
                    log.lock().unwrap().push(request.clone());
                    let _ = arrived.send(request.name());
                    answer(stream.get_mut(), reply).await
                });
            }
        });
        Stub {
            url,
            log,
            arrivals: tokio::sync::Mutex::new(arrivals),
        }
    }

    /// The MCP endpoint.
    pub(crate) fn mcp(&self) -> String {
        format!("{}/mcp", self.url)
    }

    /// The requests of this name, in order.
    pub(crate) fn all(&self, name: &str) -> Vec<Request> {
        let log = self.log.lock().unwrap();
        log.iter().filter(|it| it.name() == name).cloned().collect()
    }

    /// The one request of this name.
    pub(crate) fn one(&self, name: &str) -> Request {
        let mut all = self.all(name);
        assert_eq!(all.len(), 1, "{name}: {all:?}");
        all.remove(0)
    }

    /// Waits for a request with this name.
    pub(crate) async fn arrived(&self, name: &str) {
        let mut arrivals = self.arrivals.lock().await;
        while arrivals.recv().await.unwrap() != name {}
    }
}

async fn answer(stream: &mut TcpStream, reply: Reply) -> Option<()> {
    let mut head = format!("HTTP/1.1 {} Any\r\nconnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    match reply.body {
        Body::Whole(body) => {
            head += &format!("content-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await.ok()?;
            stream.write_all(&body).await.ok()?;
        }
        Body::Events(mut events) => {
            head += "\r\n";
            stream.write_all(head.as_bytes()).await.ok()?;
            while let Some(event) = events.recv().await {
                let event = format!("event: message\ndata: {event}\n\n");
                stream.write_all(event.as_bytes()).await.ok()?;
            }
        }
    }
    stream.shutdown().await.ok()
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
    let sent = wire::read(stream).await?;
    Some(Request {
        method: sent.method,
        path: sent.path,
        headers: sent.headers,
        body: String::from_utf8(sent.body).ok()?,
    })
}

/// How a server of the newest revision answers `server/discover`.
pub(crate) fn discovered(request: &Request) -> Reply {
    Reply::result(
        request,
        json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} }, "ttlMs": 0, "cacheScope": "private",
            "serverInfo": { "name": "stub", "version": "8" },
        }),
    )
}

/// The usual replies of an MCP server, except to calls.
pub(crate) fn usual(request: &Request, version: &str) -> Reply {
    match request.name().as_str() {
        "initialize" => Reply::result(
            request,
            json!({
                "protocolVersion": version,
                "capabilities": { "tools": { "listChanged": true }, "logging": {} },
                "serverInfo": { "name": "stub", "title": "A Stub", "version": "7" },
            }),
        ),
        "tools/list" => Reply::result(
            request,
            json!({ "tools": [
                { "name": "look", "inputSchema": { "type": "object" }, "annotations": { "readOnlyHint": true } },
                { "name": "write", "inputSchema": { "type": "object" } },
            ] }),
        ),
        "server/discover" => Reply::status(400),
        "GET /mcp" | "DELETE /mcp" => Reply::status(405),
        name if name.starts_with("notifications/") => Reply::status(202),
        name => panic!("nobody should ask for {name}"),
    }
}
