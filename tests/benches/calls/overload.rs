//! Twice as many calls as can be answered: who is refused is told so at once, the rest is answered, and
//! nothing is left behind.

use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use crate::caller::{Caller, calls};
use crate::figures::{micros, within};
use crate::machine::{describe, files, memory};
use crate::stage::{Process, Staff, cluster};
use crate::{Options, say};

const GUESTS: u32 = 10_000;
/// Connections over which the load comes.
const CONNECTIONS: usize = 500;
const HEALTH: &[u8] = b"GET /events/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
/// How long those wait who are refused.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How often health is looked at.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Default)]
struct Seen {
    answered: Vec<Duration>,
    refused: Vec<Duration>,
    other: Vec<u16>,
}

pub(crate) async fn run(options: &Options) {
    let cluster = cluster();
    let server = Process::hosts(&cluster.address(), GUESTS);
    let staff = Staff::sign_in(&server).await;
    let list = staff.list();
    let before = held(&server);
    pressed(&server, "list_event_guests", options, |_| list.clone()).await;
    let check_in = |number| staff.check_in(number, GUESTS);
    pressed(&server, "check_in_guest", options, check_in).await;
    say(&format!("before everything {before}"));
    say(&describe());
}

/// What the server holds, in words.
fn held(server: &Process) -> String {
    let (memory, files) = (memory(server.id()), files(server.id()));
    format!("{memory} KiB resident, {files} open files")
}

/// Finds out how many calls of this kind it can do, and offers twice as many, round after round: what
/// leaks would grow with each.
async fn pressed(
    server: &Process,
    tool: &str,
    options: &Options,
    request: impl Fn(usize) -> Vec<u8> + Copy,
) {
    let addresses = [server.address.as_str()];
    let alone = || calls(&addresses, 32, options.seconds * 3, request);
    alone().await;
    let (mut times, took) = alone().await;
    let capacity = times.len() as f64 / took.as_secs_f64();
    say(&format!(
        "{tool}: {capacity:.0} calls/s at 32 connections, p50 {} µs, p99 {} µs; {}",
        micros(within(&mut times, 0.5)),
        micros(within(&mut times, 0.99)),
        held(server),
    ));
    for round in 0..options.rounds {
        let (mut seen, offered, mut health) =
            press(server, capacity * 2.0, options.seconds, request).await;
        let looks = health.answered.len() + health.refused.len() + health.other.len();
        say(&format!(
            "round {round}: offered {offered:.0} calls/s; {:.0} answered (p50 {} µs, p99 {} µs), {:.0} refused \
             with 503 (p50 {} µs, p99 {} µs), {} otherwise {:?}; health: {} of {looks} looks ok, p99 {} µs; {}",
            seen.answered.len() as f64 / options.seconds.as_secs_f64(),
            micros(within(&mut seen.answered, 0.5)),
            micros(within(&mut seen.answered, 0.99)),
            seen.refused.len() as f64 / options.seconds.as_secs_f64(),
            micros(within(&mut seen.refused, 0.5)),
            micros(within(&mut seen.refused, 0.99)),
            seen.other.len(),
            seen.other.first(),
            health.answered.len(),
            micros(within(&mut health.answered, 0.99)),
            held(server),
        ));
    }
    // Who was refused comes back after as long as they were told.
    tokio::time::sleep(RETRY_AFTER).await;
    let (times, took) = alone().await;
    let rate = times.len() as f64 / took.as_secs_f64();
    say(&format!(
        "afterwards: {rate:.0} calls/s at 32 connections; {}",
        held(server)
    ));
}

/// Sends calls at this rate for so long, whether they are answered or not, and looks at health.
async fn press(
    server: &Process,
    rate: f64,
    duration: Duration,
    request: impl Fn(usize) -> Vec<u8> + Copy,
) -> (Seen, f64, Seen) {
    let mut idle = Vec::new();
    for _ in 0..CONNECTIONS {
        idle.push(Caller::connect(&server.address).await);
    }
    let mut prober = Caller::connect(&server.address).await;
    let started = Instant::now();
    let probe = async {
        let mut health = Seen::default();
        while started.elapsed() < duration {
            let sent = Instant::now();
            health.note(prober.call(HEALTH).await, sent.elapsed());
            tokio::time::sleep(LOOK).await;
        }
        health
    };
    let press = async {
        let mut seen = Seen::default();
        let mut sent = 0_u32;
        let mut under_way = FuturesUnordered::new();
        loop {
            let elapsed = started.elapsed();
            if elapsed >= duration {
                break;
            }
            let due = (elapsed.as_secs_f64() * rate) as u32;
            while sent < due {
                // Where every connection is taken, the client is the one who cannot.
                let Some(mut caller) = idle.pop() else { break };
                sent += 1;
                let request = request(sent as usize);
                under_way.push(async move {
                    let began = Instant::now();
                    let status = caller.call(&request).await;
                    (caller, status, began.elapsed())
                });
            }
            tokio::select! {
                Some((caller, status, took)) = under_way.next() => {
                    seen.note(status, took);
                    idle.push(caller);
                }
                () = tokio::time::sleep(Duration::from_millis(1)) => {}
            }
        }
        let offered = f64::from(sent) / started.elapsed().as_secs_f64();
        while let Some((_, status, took)) = under_way.next().await {
            seen.note(status, took);
        }
        (seen, offered)
    };
    let ((seen, offered), health) = tokio::join!(press, probe);
    (seen, offered, health)
}

impl Seen {
    fn note(&mut self, status: u16, took: Duration) {
        match status {
            200 => self.answered.push(took),
            503 => self.refused.push(took),
            other => self.other.push(other),
        }
    }
}
