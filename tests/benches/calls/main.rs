//! How fast the hosts are, and how much they take.
//!
//! ```text
//! cargo bench -p frontdesk-tests --bench calls               # against pgbench and a bare echo
//! cargo bench -p frontdesk-tests --bench calls -- cluster    # 1 to 4 processes, pooler, replicas
//! cargo bench -p frontdesk-tests --bench calls -- overload   # at twice what it can do
//! cargo bench -p frontdesk-tests --bench calls -- held       # 10,000 sessions and 1,000 connections
//! ```
//!
//! `--seconds N` is how long each thing is measured in a round, `--rounds N` how often. Everything is on
//! this machine, and ends by itself. Needs PostgreSQL's programs, where tests/with-postgres finds them.
//!
//! The measured server is a separate process: this program again.

mod caller;
mod cluster;
mod compare;
mod figures;
mod floor;
mod held;
mod machine;
mod overload;
mod serve;
mod stage;

use std::io::Write;
use std::time::Duration;

// As `frontdesk-server` has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MODES: [&str; 4] = ["compare", "cluster", "overload", "held"];

/// What was asked for.
#[derive(Debug)]
struct Options {
    seconds: Duration,
    rounds: usize,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, rest @ ..] = arguments.as_slice()
        && mode == serve::MODE
    {
        return serve::run(rest);
    }
    let mut options = Options {
        seconds: Duration::from_secs(1),
        rounds: 5,
    };
    let mut what = "compare";
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let number = arguments.next().and_then(|number| number.parse().ok());
            number.filter(|number| *number > 0).expect("a number")
        };
        match argument {
            // Cargo's own.
            "--bench" => {}
            "--seconds" => options.seconds = Duration::from_secs(number()),
            "--rounds" => options.rounds = number() as usize,
            other if MODES.contains(&other) => what = other,
            other => panic!("there is no `{other}`: {}", MODES.join(", ")),
        }
    }
    // One thread makes the load: the cores are for what is measured.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    say(&machine::describe());
    match what {
        "cluster" => runtime.block_on(cluster::run(&options)),
        "overload" => runtime.block_on(overload::run(&options)),
        "held" => runtime.block_on(held::run()),
        _ => runtime.block_on(compare::run(&options)),
    }
}

/// Writes a line.
fn say(line: &str) {
    // Whoever reads no more needs no more.
    let _ = writeln!(std::io::stdout(), "{line}");
}
