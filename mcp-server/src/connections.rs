//! Client connections: their number is bounded, and so is the time for a request's head, for its body, and
//! for reading an answer.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

pub(crate) use self::body::LateBody;
use self::body::TimedBody;
use crate::listen::Listener;
use crate::telemetry::Counted;

mod body;

/// The time limit for a request's head, from the start of the connection or the answer before. It also
/// bounds how long an idle connection is kept. Clients and proxies close idle connections earlier, so a
/// request does not meet a closing connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The maximum size of a request's head in bytes.
const MAX_HEAD: usize = 64 * 1024;

/// The time for an answer to be written after `stop` was set.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// Serves connections until `stop` is set or its sender is dropped, then closes them, except those whose request is being
/// answered. Dropping the future closes these too. At most `most` connections are open; further ones stay unaccepted
/// until one ends. A client has `answer_limit` to read its answer.
pub(crate) async fn serve(
    mut listener: Listener,
    router: Router,
    most: u32,
    answer_limit: Duration,
    mut stop: watch::Receiver<bool>,
) {
    let router = router.layer(middleware::from_fn(bound_request));
    let places = Arc::new(Semaphore::new(most as usize));
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await.ok()?;
            Some((place, listener.accept().await))
        };
        let next = tokio::select! {
            next = next => next,
            _ = stop.wait_for(|stop| *stop) => None,
        };
        let Some((place, (stream, peer))) = next else {
            break;
        };
        while connections.try_join_next().is_some() {}
        let (answering, is_answering) = watch::channel(false);
        let answered = answering.clone();
        // The limit on sign-ins needs the client's address.
        let router = router
            .clone()
            .map_request(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                answering.send_replace(true);
                request
            })
            .map_response(move |response: Response| {
                answered.send_replace(false);
                response
            });
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(answer_limit));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MAX_HEAD)
            .serve_connection(
                TokioIo::new(Box::pin(stream)),
                TowerToHyperService::new(router),
            );
        let counted = Counted::by("frontdesk_client_connections");
        let mut stop = stop.clone();
        connections.spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => Some(ended),
                _ = stop.wait_for(|stop| *stop) => None,
            };
            let ended = match ended {
                Some(ended) => ended,
                None => {
                    connection.as_mut().graceful_shutdown();
                    tokio::select! {
                        ended = connection.as_mut() => ended,
                        () = until_answered(is_answering) => Ok(()),
                    }
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection failed");
            }
            drop((place, counted));
        });
    }
    drop(listener);
    connections.join_all().await;
}

/// Waits until the connection's request is answered and its answer was probably read.
async fn until_answered(mut is_answering: watch::Receiver<bool>) {
    let _ = is_answering.wait_for(|is_answering| !is_answering).await;
    tokio::time::sleep(LAST_ANSWER).await;
}

/// Refuses a head that is too large, and limits the time for the body. If the answer comes before the body
/// was read to its end, it announces that the connection closes.
async fn bound_request(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let (body, was_read) = TimedBody::new(body);
    let mut response = match head_size(&parts) > MAX_HEAD {
        true => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response(),
        false => {
            let request = Request::from_parts(parts, Body::new(body));
            next.run(request).await
        }
    };
    if !was_read.load(Ordering::Relaxed) {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// The size of a request's head in bytes. hyper bounds the head only while it is incomplete; a head that arrives
/// in one read can be larger.
fn head_size(parts: &Parts) -> usize {
    let fields = parts.headers.iter();
    let fields = fields.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    let path = parts.uri.path_and_query();
    path.map_or(0, |path| path.as_str().len()) + fields.sum::<usize>()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::net::SocketAddr;

    use axum::body::Bytes;
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpSocket, TcpStream};
    use tokio::sync::Notify;

    use super::*;
    use crate::limits::Limits;

    /// More than the buffers of an unread connection hold.
    const LARGE: usize = 64 * 1024 * 1024;

    /// A server that accepts `most` connections until the sender is dropped: `POST /` echoes its body, `GET
    /// /large` has a long answer.
    async fn repeat(most: u32) -> (SocketAddr, watch::Sender<bool>) {
        let router = Router::new()
            .route("/", post(async |body: Bytes| body))
            .route("/large", get(async || vec![b'x'; LARGE]));
        listen(router, most).await
    }

    async fn listen(router: Router, most: u32) -> (SocketAddr, watch::Sender<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (keep, stop) = watch::channel(false);
        tokio::spawn(serve(
            Listener::Port(listener),
            router,
            most,
            Limits::default().answer,
            stop,
        ));
        (address, keep)
    }

    /// A client with a small receive buffer that has sent this text.
    async fn client(address: SocketAddr, sent: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut client = socket.connect(address).await.unwrap();
        client.write_all(sent.as_bytes()).await.unwrap();
        client
    }

    const ASKED: &str = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nyes";
    const BODY: &str = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";

    /// Waits for the answer.
    async fn is_answered(client: &mut TcpStream) {
        let mut read = Vec::new();
        while !read.ends_with(b"\r\n\r\nyes") {
            read.push(client.read_u8().await.unwrap());
        }
        assert!(read.starts_with(b"HTTP/1.1 200 "));
    }

    #[tokio::test(start_paused = true)]
    async fn a_byte_a_second_is_not_waited_for_for_ever_and_others_are_served() {
        let (address, _keep) = repeat(8).await;
        for begun in ["GET / HTTP/1.1\r\nX: ", BODY] {
            let mut slow = client(address, begun).await;
            let mut sent = 0;
            while slow.try_read(&mut [0]).is_err() {
                // Writes fail once the server has closed the connection.
                let _ = slow.write_all(b"x").await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                is_answered(&mut client(address, ASKED).await).await;
                sent += 1;
                assert!(sent < 100, "still waited for: {begun}");
            }
            assert!(sent > 5, "not waited for: {begun}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_beyond_the_limit_waits_for_one_to_end() {
        let (address, _keep) = repeat(1).await;
        let mut first = client(address, ASKED).await;
        is_answered(&mut first).await;
        let mut second = client(address, ASKED).await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert!(second.try_read(&mut [0]).is_err(), "it has to wait");
        drop(first);
        is_answered(&mut second).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_its_answer_is_not_waited_for_for_ever() {
        let (address, _keep) = repeat(1).await;
        let asked = "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let mut deaf = client(address, asked).await;
        is_answered(&mut client(address, ASKED).await).await;
        let mut rest = Vec::new();
        let _ = deaf.read_to_end(&mut rest).await;
        assert!(rest.len() < LARGE, "it was answered whole");
    }

    // The paused clock advances when all tasks wait.
    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_arrive_whole_is_not_waited_for_for_ever() {
        let (address, _keep) = listen(Router::new(), 1).await;
        for sent in ["", "GET / HT"] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(sent.as_bytes()).await.unwrap();
            let mut read = Vec::new();
            let _ = client.read_to_end(&mut read).await;
            assert_eq!(String::from_utf8(read).unwrap(), "", "{sent:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_that_has_only_begun_is_not_waited_for_when_the_server_stops() {
        let (begun, end) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (has_begun, may_end) = (Arc::clone(&begun), Arc::clone(&end));
        let wait = async move || {
            begun.notify_one();
            end.notified().await;
            "yes"
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (say, stop) = watch::channel(false);
        let router = Router::new().route("/", get(wait));
        let limit = Limits::default().answer;
        let serving = tokio::spawn(serve(Listener::Port(listener), router, 8, limit, stop));
        let _byte = client(address, "G").await;
        let _head = client(address, "GET / HTTP/1.1\r\nHost: ").await;
        let mut call = client(address, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
        has_begun.notified().await;
        let stopped = tokio::time::Instant::now();
        say.send_replace(true);
        tokio::time::sleep(LAST_ANSWER * 3).await;
        assert!(!serving.is_finished(), "a call is in flight");
        may_end.notify_one();
        is_answered(&mut call).await;
        serving.await.unwrap();
        let waited = stopped.elapsed();
        assert!(waited < LAST_ANSWER * 5, "{waited:?}");
    }

    #[tokio::test]
    async fn connections_that_wait_for_a_request_end_with_the_server() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (say, stop) = watch::channel(false);
        let serving = tokio::spawn(serve(
            Listener::Port(listener),
            Router::new(),
            8,
            Limits::default().answer,
            stop,
        ));
        let mut client = TcpStream::connect(address).await.unwrap();
        client
            .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            .await
            .unwrap();
        assert_eq!(client.read_u8().await.unwrap(), b'H');
        say.send_replace(true);
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        serving.await.unwrap();
    }
}
