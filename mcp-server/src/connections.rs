//! Connections: no more at once than there is room for, and none that a client keeps without going on.

use std::io::{Error, ErrorKind};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use self::patient::Patient;

mod patient;

/// How long the head of a request may take, from the connection or from the answer before it: so
/// long an idle connection is kept, too. Clients and proxies close theirs before that, so that no
/// request meets a connection that is just being closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The most bytes that are read before a request's head is whole; hyper reads up to as many again.
const MAX_HEAD: usize = 64 * 1024;
/// How long to leave connections waiting where the system gives no more, such as without file
/// descriptors.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until it is told to stop, then lets requests under way finish. More than `most`
/// at once wait to be taken.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    most: u32,
    mut stop: watch::Receiver<bool>,
) {
    let room = Arc::new(Semaphore::new(most as usize));
    loop {
        let next = async {
            let place = Arc::clone(&room).acquire_owned().await.ok()?;
            Some((accept(&listener).await, place))
        };
        let next = tokio::select! {
            next = next => next,
            () = told(&mut stop) => None,
        };
        let Some((stream, place)) = next else { break };
        tokio::spawn(connection(stream, router.clone(), stop.clone(), place));
    }
    drop(listener);
    // Every connection gives its place back when it ends.
    let _ = room.acquire_many(most).await;
}

/// Until it is told to stop. The sender's end means the same as its word.
async fn told(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // The client was gone before it was its turn.
            Err(error) if is_of_client(&error) => {}
            Err(error) => {
                tracing::error!(%error, "a connection cannot be taken");
                tokio::time::sleep(PAUSE).await;
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
    _place: OwnedSemaphorePermit,
) {
    // An answer is one small write: it must not wait for more.
    let _ = stream.set_nodelay(true);
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(Patient::new(stream)),
            TowerToHyperService::new(router),
        );
    let mut served = pin!(served);
    let ended = tokio::select! {
        ended = served.as_mut() => ended,
        () = told(&mut stop) => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke off");
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    // Time that is stopped goes on where everybody waits.
    #[tokio::test(start_paused = true)]
    async fn a_head_that_does_not_arrive_whole_is_not_waited_for_for_ever() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (_keep, stop) = watch::channel(false);
        tokio::spawn(serve(listener, Router::new(), 1, stop));
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
