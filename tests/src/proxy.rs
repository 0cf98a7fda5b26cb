//! A faulty network between app and server: an HTTP proxy on loopback.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::SignedDuration;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::task::{JoinHandle, JoinSet};

use crate::world::{enter, run};

/// The fate of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Mode {
    /// Forwarded, and the answer comes back.
    Pass,
    /// Answered by the proxy, with status, headers and body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// Never answered.
    Hang,
    /// Forwarded after [`Proxy::release`].
    Hold,
    /// Answered with an HTML page, as by the sign-in page of a hotel's network.
    NotJson,
    /// Forwarded; the answer is dropped and the connection closed.
    CutAfterRequest,
    /// Forwarded; answered as by a host that lost its database before the change was confirmed.
    Unconfirmed,
}

impl Mode {
    /// An answer of the proxy with plain text.
    pub fn status(status: u16, body: &str) -> Mode {
        let headers = vec![("content-type", "text/plain".to_owned())];
        Mode::Status(status, headers, body.to_owned())
    }

    /// An error in the hosts' format: a JSON-RPC error with an HTTP status.
    pub fn refusal(status: u16, code: &str, message: &str) -> Mode {
        let body = serde_json::json!({
            "jsonrpc": "2.0", "id": null,
            "error": { "code": -32000, "message": message, "data": { "code": code, "message": message } },
        });
        let headers = vec![("content-type", "application/json".to_owned())];
        Mode::Status(status, headers, body.to_string())
    }

    /// The same with one more header.
    pub fn header(mut self, name: &'static str, value: &str) -> Mode {
        if let Mode::Status(_, headers, _) = &mut self {
            headers.push((name, value.to_owned()));
        }
        self
    }
}

/// The proxy's settings, and the requests that it received.
#[derive(Debug)]
struct Rules {
    all: Mode,
    some: HashMap<String, Mode>,
    next: HashMap<String, Mode>,
    /// Seconds added to the dates of answers.
    ahead: i64,
    seen: Vec<String>,
}

/// The proxy. A request is named by its tool, else by its JSON-RPC method, else by its path.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    target: String,
    rules: Arc<Mutex<Rules>>,
    held: Arc<Semaphore>,
    arrived: Arc<Notify>,
    network: Mutex<Option<Network>>,
    /// Reserves the port while nothing listens on it.
    _place: TcpSocket,
}

/// The tasks that end when the network goes down, or when this is dropped.
#[derive(Debug)]
struct Network {
    stop: oneshot::Sender<()>,
    listening: JoinHandle<()>,
}

impl Proxy {
    /// Starts a proxy in front of the server at this address. It forwards everything.
    pub fn before(url: &str) -> Proxy {
        let place = socket(SocketAddr::from(([127, 0, 0, 1], 0)));
        let address = place.local_addr().expect("an address");
        let proxy = Proxy {
            address,
            target: url.to_owned(),
            rules: Arc::new(Mutex::new(Rules {
                all: Mode::Pass,
                some: HashMap::new(),
                next: HashMap::new(),
                ahead: 0,
                seen: Vec::new(),
            })),
            held: Arc::new(Semaphore::new(0)),
            arrived: Arc::default(),
            network: Mutex::new(None),
            _place: place,
        };
        proxy.come_back();
        proxy
    }

    /// The proxy's address, to be used in place of the server's.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Refuses connections from now on, and breaks open ones.
    pub fn go_down(&self) {
        let network = self.network().take();
        if let Some(Network { stop, listening }) = network {
            drop(stop);
            run(listening).expect("the network goes down");
        }
    }

    /// Accepts connections again.
    pub fn come_back(&self) {
        let _inside = enter();
        let listener = socket(self.address).listen(64).expect("listens");
        let connection = Connection {
            client: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client"),
            target: self.target.clone(),
            rules: Arc::clone(&self.rules),
            held: Arc::clone(&self.held),
            arrived: Arc::clone(&self.arrived),
        };
        let (stop, stopped) = oneshot::channel();
        let listening = tokio::spawn(accept(listener, connection, stopped));
        *self.network() = Some(Network { stop, listening });
    }

    /// Forwards a held request, or the next one to be held.
    pub fn release(&self) {
        self.held.add_permits(1);
    }

    /// Sets the mode of every request from now on.
    pub fn set(&self, mode: Mode) {
        let mut rules = self.rules();
        rules.all = mode;
        rules.some.clear();
        rules.next.clear();
    }

    /// Sets the mode of requests of this name from now on, before the general mode.
    pub fn set_for(&self, name: &str, mode: Mode) {
        self.rules().some.insert(name.to_owned(), mode);
    }

    /// Sets the mode of the next request of this name only.
    pub fn set_next(&self, name: &str, mode: Mode) {
        self.rules().next.insert(name.to_owned(), mode);
    }

    /// Sets the server's clock ahead by this much, as the app sees it.
    pub fn put_clock_ahead(&self, by: SignedDuration) {
        self.rules().ahead = by.as_secs();
    }

    /// The names of all requests.
    pub fn requests(&self) -> Vec<String> {
        self.rules().seen.clone()
    }

    /// Waits for the first request of this name.
    pub async fn reached(&self, name: &str) {
        loop {
            let arrived = self.arrived.notified();
            if self.count_of(name) > 0 {
                return;
            }
            arrived.await;
        }
    }

    /// The number of requests.
    pub fn count(&self) -> usize {
        self.rules().seen.len()
    }

    /// The number of requests of this name.
    pub fn count_of(&self, name: &str) -> usize {
        self.rules()
            .seen
            .iter()
            .filter(|seen| *seen == name)
            .count()
    }

    fn rules(&self) -> MutexGuard<'_, Rules> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn network(&self) -> MutexGuard<'_, Option<Network>> {
        self.network.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A socket of this address that can share it: one reserves the port, another listens.
fn socket(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("an option");
    #[cfg(unix)]
    socket.set_reuseport(true).expect("an option");
    socket.bind(address).expect("the address is free");
    socket
}

/// Accepts connections until stopped, and then breaks open ones.
async fn accept(listener: TcpListener, connection: Connection, mut stopped: oneshot::Receiver<()>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            _ = &mut stopped => break,
            accepted = listener.accept() => {
                let (stream, _) = accepted.expect("a connection");
                connections.spawn(connection.clone().serve(stream));
            }
        }
    }
    drop(listener);
    connections.shutdown().await;
}

#[derive(Debug, Clone)]
struct Connection {
    client: reqwest::Client,
    target: String,
    rules: Arc<Mutex<Rules>>,
    held: Arc<Semaphore>,
    arrived: Arc<Notify>,
}

/// A received request.
#[derive(Debug)]
struct Request {
    method: Method,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Connection {
    /// Answers one request and closes the connection: with a kept connection, the moment at which
    /// the client notices that the network is down would be random.
    async fn serve(self, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let Some(request) = Request::read(&mut stream).await else {
            return;
        };
        if let Some(answer) = self.answer(request).await {
            // The client may have stopped waiting.
            let _ = answer.write(&mut stream).await;
        }
    }

    fn mode(&self, request: &Request) -> Mode {
        let name = request.name();
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let mode = match rules.next.remove(&name) {
            Some(mode) => mode,
            None => rules.some.get(&name).unwrap_or(&rules.all).clone(),
        };
        rules.seen.push(name);
        self.arrived.notify_waiters();
        mode
    }

    /// The answer; `None` closes the connection.
    async fn answer(&self, request: Request) -> Option<Answer> {
        match self.mode(&request) {
            Mode::Pass => self.forward(request).await,
            Mode::Status(status, headers, body) => {
                let headers = headers.iter().map(|(name, value)| (*name, value.as_str()));
                Some(written(status, headers, body.as_bytes()).into())
            }
            Mode::Hang => std::future::pending().await,
            Mode::Hold => {
                self.held
                    .acquire()
                    .await
                    .expect("it is never closed")
                    .forget();
                self.forward(request).await
            }
            Mode::NotJson => {
                let headers = [("content-type", "text/html")].into_iter();
                let page = b"<html><h1>Welcome to Hotel Wi-Fi</h1></html>";
                Some(written(200, headers, page).into())
            }
            Mode::CutAfterRequest => {
                self.forward(request).await;
                None
            }
            Mode::Unconfirmed => {
                self.forward(request).await;
                let lost = "the database was lost before it confirmed the change";
                let Mode::Status(status, headers, body) =
                    Mode::refusal(504, "outcome_unknown", lost)
                else {
                    unreachable!("a refusal has a status")
                };
                let headers = headers.iter().map(|(name, value)| (*name, value.as_str()));
                Some(written(status, headers, body.as_bytes()).into())
            }
        }
    }

    async fn forward(&self, request: Request) -> Option<Answer> {
        let mut forwarded = self
            .client
            .request(request.method, format!("{}{}", self.target, request.path))
            .body(request.body);
        for (name, value) in request.headers {
            // The client writes these itself.
            if !matches!(name.as_str(), "host" | "content-length" | "connection") {
                forwarded = forwarded.header(name, value);
            }
        }
        let response = forwarded.send().await.ok()?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let is_stream = headers
            .get("content-type")
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let (body, rest) = match is_stream {
            true => (None, Some(response)),
            false => (Some(response.bytes().await.ok()?), None),
        };
        let date = self.date(&headers);
        let headers = headers
            .iter()
            .filter(|(name, _)| {
                !matches!(
                    name.as_str(),
                    "connection" | "content-length" | "transfer-encoding" | "date"
                )
            })
            .filter_map(|(name, value)| Some((name.as_str(), value.to_str().ok()?)))
            .chain(date.iter().map(|date| ("date", date.as_str())));
        let begun = match body {
            Some(body) => written(status, headers, &body),
            None => head(status, headers, None),
        };
        Some(Answer { begun, rest })
    }

    /// The date of an answer, shifted as the test has set.
    fn date(&self, headers: &HeaderMap) -> Option<String> {
        let rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        let ahead = SignedDuration::from_secs(rules.ahead);
        let date = rfc2822::parse(headers.get("date")?.to_str().ok()?).ok()?;
        let date = (date.timestamp() + ahead).to_zoned(TimeZone::UTC);
        Some(date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string())
    }
}

/// An answer: what is known of it, and the stream that follows, if it is one.
struct Answer {
    begun: Vec<u8>,
    rest: Option<reqwest::Response>,
}

impl From<Vec<u8>> for Answer {
    fn from(begun: Vec<u8>) -> Answer {
        Answer { begun, rest: None }
    }
}

impl Answer {
    async fn write(mut self, stream: &mut BufReader<TcpStream>) -> io::Result<()> {
        stream.write_all(&self.begun).await?;
        while let Some(rest) = &mut self.rest
            && let Ok(Some(chunk)) = rest.chunk().await
        {
            stream.write_all(&chunk).await?;
        }
        Ok(())
    }
}

fn written<'a>(
    status: u16,
    headers: impl Iterator<Item = (&'a str, &'a str)>,
    body: &[u8],
) -> Vec<u8> {
    let mut answer = head(status, headers, Some(body.len()));
    answer.extend_from_slice(body);
    answer
}

/// The head of an answer. A body without a length ends with the connection.
fn head<'a>(
    status: u16,
    headers: impl Iterator<Item = (&'a str, &'a str)>,
    length: Option<usize>,
) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} \r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if let Some(length) = length {
        head.push_str(&format!("content-length: {length}\r\n"));
    }
    head.push_str("connection: close\r\n\r\n");
    head.into_bytes()
}

impl Request {
    /// Reads a request; `None` if the connection closes before its end.
    async fn read(stream: &mut BufReader<TcpStream>) -> Option<Request> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let mut words = lines.first()?.split(' ');
        let method = words.next()?.parse().ok()?;
        let path = words.next()?.to_owned();
        let headers: Vec<(String, String)> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .map_or(0, |(_, value)| value.parse().expect("a length"));
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await.ok()?;
        Some(Request {
            method,
            path,
            headers,
            body,
        })
    }

    fn name(&self) -> String {
        let body: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        text(&body["params"]["name"])
            .or_else(|| text(&body["method"]))
            .unwrap_or_else(|| self.path.clone())
    }
}
