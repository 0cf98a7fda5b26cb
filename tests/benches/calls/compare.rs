//! Our calls, the floor below them and the ceiling above them, interleaved in one run.

use std::collections::BTreeMap;
use std::time::Duration;

use frontdesk_tests::Cluster;

use crate::caller::calls;
use crate::figures::{Figures, micros};
use crate::floor::{self, Script};
use crate::machine::{Children, describe, memory, processor};
use crate::stage::{Process, Staff, cluster};
use crate::{Options, say};

/// Guests of the event.
const GUESTS: u32 = 10_000;
/// How long each thing runs before it is measured, so that its statements are prepared.
const WARM_UP: Duration = Duration::from_millis(300);
const CONNECTIONS: [usize; 2] = [1, 32];
/// The floor has as many sessions of PostgreSQL as connections, and as our pool has: whichever it is faster
/// with is what we are held against.
const SESSIONS: [usize; 3] = [1, 10, 32];

/// Something that answers.
enum Target<'a> {
    Echo(&'a Process, Vec<u8>),
    Floor(&'a Cluster, &'a Script),
    List(&'a Process, Option<&'a Cluster>, &'a Staff),
    CheckIn(&'a Process, Option<&'a Cluster>, &'a Staff),
}

impl Target<'_> {
    async fn calls(&self, connections: usize, duration: Duration) -> (Vec<Duration>, Duration) {
        match self {
            Target::Echo(process, request) => {
                calls(&[&process.address], connections, duration, |_| {
                    request.clone()
                })
                .await
            }
            Target::Floor(cluster, script) => script.run(cluster, connections, duration),
            Target::List(process, _, staff) => {
                let request = staff.list();
                calls(&[&process.address], connections, duration, |_| {
                    request.clone()
                })
                .await
            }
            Target::CheckIn(process, _, staff) => {
                let request = |number| staff.check_in(number, GUESTS);
                calls(&[&process.address], connections, duration, request).await
            }
        }
    }

    /// The process that answers, unless it is the database itself.
    fn process(&self) -> Option<&Process> {
        match self {
            Target::Echo(process, _) | Target::List(process, ..) | Target::CheckIn(process, ..) => {
                Some(process)
            }
            Target::Floor(..) => None,
        }
    }

    /// The database beside it.
    fn cluster(&self) -> Option<&Cluster> {
        match self {
            Target::Floor(cluster, _) => Some(cluster),
            Target::List(_, cluster, _) | Target::CheckIn(_, cluster, _) => *cluster,
            Target::Echo(..) => None,
        }
    }

    /// The processor time of what answers, so far.
    fn processor(&self) -> Duration {
        let process = self.process();
        process.map_or(Duration::ZERO, |process| processor(process.id()))
    }
}

pub(crate) async fn run(options: &Options) {
    let cluster = cluster();
    let server = Process::hosts(&cluster.address(), GUESTS);
    let embedded = Process::hosts("memory", GUESTS);
    let echo = Process::echo();
    let staff = Staff::sign_in(&server).await;
    let of_embedded = Staff::sign_in(&embedded).await;
    let [list, check_in] = floor::scripts(&cluster, &staff, GUESTS).await;
    let targets = [
        ("echo", Target::Echo(&echo, staff.list())),
        ("list, pgbench", Target::Floor(&cluster, &list)),
        (
            "list, PostgreSQL",
            Target::List(&server, Some(&cluster), &staff),
        ),
        (
            "list, embedded",
            Target::List(&embedded, None, &of_embedded),
        ),
        ("check-in, pgbench", Target::Floor(&cluster, &check_in)),
        (
            "check-in, PostgreSQL",
            Target::CheckIn(&server, Some(&cluster), &staff),
        ),
        (
            "check-in, embedded",
            Target::CheckIn(&embedded, None, &of_embedded),
        ),
    ];
    let mut all: BTreeMap<(usize, usize), Figures> = BTreeMap::new();
    for round in 0..options.rounds {
        for (which, (name, target)) in targets.iter().enumerate() {
            let is_floor = matches!(target, Target::Floor(..));
            let all_connections = if is_floor {
                SESSIONS.as_slice()
            } else {
                &CONNECTIONS
            };
            for &connections in all_connections {
                if !is_floor {
                    target.calls(connections, WARM_UP).await;
                }
                let own = target.processor();
                let database = target
                    .cluster()
                    .map(|cluster| Children::of(cluster.process()));
                let (times, took) = target.calls(connections, options.seconds).await;
                let own = target.processor().saturating_sub(own);
                let spent = vec![own, database.map_or(Duration::ZERO, Children::spent)];
                say(&format!(
                    "round {round}, {name}, {connections}: {} calls",
                    times.len()
                ));
                let figures = all.entry((connections, which)).or_default();
                figures.add(times, took, spent);
            }
        }
    }
    say(&describe());
    say("\n| connections | what | calls/s | p50 µs | p99 µs | CPU µs a call: server | database |");
    say("|---|---|---|---|---|---|---|");
    for ((connections, which), figures) in &all {
        let parts: Vec<String> = figures.processor().into_iter().map(micros).collect();
        say(&format!(
            "| {connections} | {} | {:.0} | {} | {} | {} |",
            targets[*which].0,
            figures.rate(),
            micros(figures.within(0.5)),
            micros(figures.within(0.99)),
            parts.join(" | "),
        ));
    }
    say(
        "\n| connections | what | throughput to pgbench's, as many sessions | to its best | p50 to pgbench's \
         | throughput to the echo's |",
    );
    say("|---|---|---|---|---|---|");
    for connections in CONNECTIONS {
        for (floor, which) in [(1, 2), (1, 3), (4, 5), (4, 6)] {
            let ours = &all[&(connections, which)];
            let alike = &all[&(connections, floor)];
            let floor = SESSIONS
                .iter()
                .filter(|sessions| (**sessions == 1) == (connections == 1))
                .map(|sessions| &all[&(*sessions, floor)])
                .max_by(|one, other| one.rate().total_cmp(&other.rate()))
                .expect("the floor was measured");
            let middle = |figures: &Figures| figures.within(0.5).as_secs_f64();
            // With fewer sessions than connections, who waits does so outside what pgbench times.
            let middle = match connections {
                1 => format!("{:.2}", middle(ours) / middle(floor)),
                _ => "–".to_owned(),
            };
            say(&format!(
                "| {connections} | {} | {:.2} | {:.2} | {middle} | {:.2} |",
                targets[which].0,
                ours.rate() / alike.rate(),
                ours.rate() / floor.rate(),
                ours.rate() / all[&(connections, 0)].rate(),
            ));
        }
    }
    say(&format!(
        "\nresident memory: on PostgreSQL {} MiB, embedded {} MiB, echo {} MiB",
        memory(server.id()) / 1024,
        memory(embedded.id()) / 1024,
        memory(echo.id()) / 1024,
    ));
}
