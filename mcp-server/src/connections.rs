//! Connections: no more at once than there is room for, and none that a client keeps without going on.
//! Where there is no room, those whose clients go on slowest make it.

use std::io::{Error, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

pub(crate) use self::afterwards::afterwards;
use self::again::at_once;
use self::arriving::Arriving;
pub(crate) use self::arriving::Missing;
use self::patient::Patient;
pub(crate) use self::timer::Timer;
use self::waiting::{Turn, Waiting};

mod afterwards;
mod again;
mod arriving;
mod patient;
mod timer;
mod waiting;

/// How long the head of a request may take, from the connection or from the answer before it: so
/// long an idle connection is kept, too. Clients and proxies close theirs before that, so that no
/// request meets a connection that is just being closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The most bytes that are read before a request's head is whole; hyper reads up to as many again.
const MAX_HEAD: usize = 64 * 1024;
/// How long to leave connections waiting where the system gives no more, such as without file
/// descriptors.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to leave one there that made room.
const CLOSING: Duration = Duration::from_millis(1);

/// Serves connections until it is told to stop, then lets requests under way finish. Of more than `most`
/// at once, the one that has waited longest for its client is ended; where none waits, the rest wait to be
/// served.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    most: u32,
    mut stop: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(most as usize));
    let waiting = Arc::new(Waiting::default());
    let mut short = false;
    loop {
        let next = async {
            let stream = accept(&listener, &waiting, &mut short).await;
            Some((stream, place(&room, &waiting).await?))
        };
        let next = tokio::select! {
            next = next => next,
            () = told(&mut stop) => None,
        };
        let Some((stream, place)) = next else { break };
        let turn = Turn::new(&waiting);
        let connection = connection(stream, router.clone(), stop.clone(), turn, place);
        tokio::spawn(at_once(afterwards::serving(connection)));
    }
    drop(listener);
    // Every connection gives its place back when it ends.
    let _ = room.acquire_many(most).await;
}

/// Until it is told to stop. The sender's end means the same as its word.
async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// A place for one more connection, if need be that of another.
async fn place(room: &Arc<Semaphore>, waiting: &Waiting) -> Option<OwnedSemaphorePermit> {
    let given_back = || Arc::clone(room).acquire_owned();
    let place = tokio::select! {
        biased;
        place = given_back() => place,
        () = waiting.end_one() => given_back().await,
    };
    place.ok()
}

/// `short` says whether it was told that the system gives no more connections.
async fn accept(listener: &TcpListener, waiting: &Waiting, short: &mut bool) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The client was gone before it was its turn.
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                // Many come while there are none to give: it is said once, and not for each of them.
                if !std::mem::replace(short, true) {
                    tracing::error!(%error, "a connection cannot be taken");
                }
                let pause = match waiting.end_longest() {
                    true => CLOSING,
                    false => PAUSE,
                };
                tokio::time::sleep(pause).await;
            }
        }
    }
}

fn is_of_client(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::ConnectionRefused | ErrorKind::ConnectionReset
    )
}

async fn connection(
    stream: TcpStream,
    router: Router,
    mut stop: watch::Receiver<bool>,
    turn: Arc<Turn>,
    _place: OwnedSemaphorePermit,
) {
    // An answer is one small write: it must not wait for more.
    let _ = stream.set_nodelay(true);
    let router = TowerToHyperService::new(router);
    let timer = Timer::new();
    let service = service_fn(|request: Request<Incoming>| {
        let in_time = turn.asked();
        let mut request = request.map(|body| Arriving::new(body, &turn));
        request.extensions_mut().insert(timer.clone());
        let answer = router.call(request);
        let turn = &turn;
        async move {
            if !in_time {
                return std::future::pending().await;
            }
            let answer = answer.await;
            turn.answered();
            answer
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(Patient::new(stream, Arc::clone(&turn))),
            service,
        );
    let mut served = pin!(served);
    let served = async {
        tokio::select! {
            ended = served.as_mut() => ended,
            () = told(&mut stop) => {
                served.as_mut().graceful_shutdown();
                served.await
            }
        }
    };
    let ended = tokio::select! {
        biased;
        () = turn.ended() => {
            tracing::debug!("a connection made room");
            return;
        }
        ended = served => ended,
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::{Mutex, mpsc};

    use axum::body::Bytes;
    use axum::routing::{get, post};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpSocket;
    use tokio::sync::{Notify, oneshot};

    use super::*;

    /// What takes longer than this does not happen.
    const PATIENCE: Duration = Duration::from_secs(10);
    /// More than a connection takes that nobody reads.
    const LARGE: usize = 64 * 1024 * 1024;

    /// A server for so many connections, until the sender is dropped: `POST /` repeats what it is sent,
    /// `GET /large` is answered at length.
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
        tokio::spawn(serve(listener, router, most, stop));
        (address, keep)
    }

    /// A client that takes little before it has read it, and has sent this.
    async fn client(address: SocketAddr, sent: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut client = socket.connect(address).await.unwrap();
        client.write_all(sent.as_bytes()).await.unwrap();
        client
    }

    const ASKED: &str = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nyes";
    const BODY: &str = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";

    /// Its request is answered.
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
                // What comes after the end is not taken.
                let _ = slow.write_all(b"x").await;
                tokio::time::sleep(Duration::from_secs(1)).await;
                is_answered(&mut client(address, ASKED).await).await;
                sent += 1;
                assert!(sent < 100, "still waited for: {begun}");
            }
            assert!(sent > 5, "not waited for: {begun}");
        }
    }

    // Time passes where nobody has anything to do, and so not before a time-out is waited for.
    #[tokio::test(start_paused = true)]
    async fn whoever_keeps_a_connection_makes_room_for_others() {
        for kept in [
            "",
            "GET / HT",
            ASKED,
            BODY,
            "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n",
        ] {
            let (address, _keep) = repeat(1).await;
            let mut keeper = client(address, kept).await;
            if kept == ASKED {
                is_answered(&mut keeper).await;
            }
            let asked = tokio::time::Instant::now();
            is_answered(&mut client(address, ASKED).await).await;
            assert!(asked.elapsed() < Duration::from_secs(1), "{kept:?}");
            let mut rest = Vec::new();
            let _ = keeper.read_to_end(&mut rest).await;
            assert!(rest.len() < LARGE, "{kept:?} was answered whole");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn nobody_waits_for_what_is_done_afterwards() {
        use std::io::{Read, Write};
        let (say, is_answered_to) = mpsc::channel();
        let (done, is_done) = oneshot::channel();
        let work = Arc::new(Mutex::new(Some((is_answered_to, done))));
        let answer = async move |body: Bytes| {
            let work = work.lock().unwrap().take();
            afterwards(move || {
                let (is_answered_to, done) = work.unwrap();
                let _ = done.send(is_answered_to.recv_timeout(PATIENCE).is_ok());
            });
            body
        };
        let (address, _keep) = listen(Router::new().route("/", post(answer)), 1).await;
        // One that needs nobody of the runtime, whose thread has to wait.
        let mut client = std::net::TcpStream::connect(address).unwrap();
        client.write_all(ASKED.as_bytes()).unwrap();
        let mut read = [0; 4096];
        assert_ne!(client.read(&mut read).unwrap(), 0);
        assert!(read.starts_with(b"HTTP/1.1 200 "));
        say.send(()).unwrap();
        assert!(is_done.await.unwrap(), "the answer came after it");
    }

    #[tokio::test(start_paused = true)]
    async fn the_connection_that_has_waited_longest_makes_room() {
        let (address, _keep) = repeat(2).await;
        let mut first = client(address, ASKED).await;
        is_answered(&mut first).await;
        let mut second = client(address, ASKED).await;
        is_answered(&mut second).await;
        first.write_all(ASKED.as_bytes()).await.unwrap();
        is_answered(&mut first).await;

        let mut third = client(address, ASKED).await;
        is_answered(&mut third).await;
        assert_eq!(second.read(&mut [0]).await.unwrap(), 0);
        for left in [&mut first, &mut third] {
            left.write_all(ASKED.as_bytes()).await.unwrap();
            is_answered(left).await;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_under_way_makes_no_room() {
        let (begun, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (say, wait) = (Arc::clone(&begun), Arc::clone(&go_on));
        let work = async move |body: Bytes| {
            say.notify_one();
            wait.notified().await;
            body
        };
        let (address, _keep) = listen(Router::new().route("/", post(work)), 1).await;
        let mut first = client(address, ASKED).await;
        begun.notified().await;
        let mut second = client(address, ASKED).await;
        tokio::time::sleep(Duration::from_secs(20)).await;
        assert!(second.try_read(&mut [0]).is_err(), "it has to wait");
        go_on.notify_one();
        is_answered(&mut first).await;
        go_on.notify_one();
        is_answered(&mut second).await;
    }

    // Time that is stopped goes on where everybody waits.
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

    #[tokio::test]
    async fn connections_that_wait_for_a_request_end_with_the_server() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (say, stop) = watch::channel(false);
        let serving = tokio::spawn(serve(listener, Router::new(), 8, stop));
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
