//! The load: HTTP/1.1 with as little of the client's own work as can be.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A connection over which one request follows another.
#[derive(Debug)]
pub(crate) struct Caller {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Caller {
    pub(crate) async fn connect(address: &str) -> Caller {
        let stream = TcpStream::connect(address).await.expect("a connection");
        stream.set_nodelay(true).expect("an option");
        Caller {
            stream,
            read: Vec::with_capacity(64 * 1024),
        }
    }

    /// Sends a request and reads its answer: the status.
    pub(crate) async fn call(&mut self, request: &[u8]) -> u16 {
        self.stream.write_all(request).await.expect("it is sent");
        self.read.clear();
        let head = loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                break end + 4;
            }
            self.more().await;
        };
        let whole = head + length(&self.read[..head]);
        while self.read.len() < whole {
            self.more().await;
        }
        let status = self.read.get(9..12).map(String::from_utf8_lossy);
        status
            .and_then(|status| status.parse().ok())
            .expect("a status")
    }

    /// The answer that was read last, with its head.
    pub(crate) fn answer(&self) -> String {
        String::from_utf8_lossy(&self.read).into_owned()
    }

    async fn more(&mut self) {
        let read = self.stream.read_buf(&mut self.read).await;
        assert_ne!(read.expect("it is read"), 0, "the server hung up");
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}

fn length(head: &[u8]) -> usize {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.map_or(0, |length| length.trim().parse().expect("a number"))
}

/// Calls for so long over so many connections at once, to these servers in turn, one call after another on each: how
/// long each call took, and how long all of it did. Every one must be answered well.
pub(crate) async fn calls(
    addresses: &[&str],
    connections: usize,
    duration: Duration,
    requests: impl Fn(usize) -> Vec<u8>,
) -> (Vec<Duration>, Duration) {
    let mut callers = Vec::new();
    for address in addresses.iter().cycle().take(connections) {
        callers.push(Caller::connect(address).await);
    }
    let started = Instant::now();
    let one = |mut caller: Caller, first: usize| {
        let requests = &requests;
        async move {
            let mut times = Vec::new();
            // Each its own requests, none of them another's.
            for number in (first..).step_by(connections) {
                let request = requests(number);
                let sent = Instant::now();
                let status = caller.call(&request).await;
                times.push(sent.elapsed());
                assert_eq!(status, 200, "{}", caller.answer());
                if started.elapsed() >= duration {
                    break;
                }
            }
            times
        }
    };
    let all = callers
        .into_iter()
        .enumerate()
        .map(|(at, caller)| one(caller, at));
    let times = futures::future::join_all(all).await;
    (times.concat(), started.elapsed())
}
