//! The program `frontdesk` in a pseudo-terminal: how soon its first frame is there, how soon the frame
//! that a key brings, what it does while nothing happens, and what a hostile server or one with many messages does to it.
//!
//! ```text
//! cargo build --profile bench -p frontdesk -p frontdesk-tests --bin frontdesk --bench terminal
//! cargo bench -p frontdesk -p frontdesk-tests --bench terminal             # all of it
//! cargo bench -p frontdesk -p frontdesk-tests --bench terminal -- start    # or keys, idle, hostile
//! ```
//!
//! `--program PATH` takes another build, `--times N` starts it N times and presses N keys of each kind.
//! The hosts run in this process, on the embedded database.

#![cfg(unix)]

#[allow(dead_code, reason = "the rest is for servers")]
#[path = "../calls/figures.rs"]
mod figures;
mod hostile;
mod idle;
mod keys;
#[allow(dead_code, reason = "the rest is for servers")]
#[path = "../calls/machine.rs"]
mod machine;
mod messages;
#[allow(dead_code, reason = "the rest is for tests")]
#[path = "../../terminal/program.rs"]
mod program;
mod start;
mod tty;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use portable_pty::CommandBuilder;

use crate::figures::within;

/// Columns and rows of the terminal.
const SIZES: [(u16, u16); 2] = [(80, 24), (200, 50)];

/// What was asked for.
#[derive(Debug)]
struct Options {
    program: PathBuf,
    times: Option<usize>,
}

impl Options {
    /// The program's command line at these hosts, with its files in this directory.
    fn frontdesk(&self, url: &str, home: &std::path::Path) -> CommandBuilder {
        let mut command = program::plain(&self.program, home);
        command.args(["--url", url]);
        command.arg("--home");
        command.arg(home);
        command
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut what, mut program, mut times) = (None, None, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Cargo's own.
            "--bench" => {}
            "--program" => program = arguments.next().map(PathBuf::from),
            "--times" => times = arguments.next().and_then(|number| number.parse().ok()),
            hostile::PLAY => return frontdesk_tests::hostile::play_noisily(),
            messages::PLAY => return messages::play(),
            "start" | "keys" | "idle" | "hostile" | "messages" => what = Some(argument),
            other => panic!("there is no `{other}`: start, keys, idle, hostile, messages"),
        }
    }
    let options = Options {
        program: program.unwrap_or_else(|| frontdesk_tests::program::program("frontdesk")),
        times,
    };
    say(&machine::describe());
    say(&options.program.display().to_string());
    let is_wanted = |name: &str| what.as_deref().is_none_or(|what| what == name);
    if is_wanted("start") {
        start::run(&options);
    }
    if is_wanted("keys") {
        keys::run(&options);
    }
    if is_wanted("idle") {
        idle::run(&options);
    }
    if is_wanted("hostile") {
        hostile::run(&options);
    }
    if is_wanted("messages") {
        messages::run(&options);
    }
}

/// Writes a line.
fn say(line: &str) {
    // Whoever reads no more needs no more.
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// The median, the 95th and 99th percentile and the longest of these times, in milliseconds, as cells of
/// a table.
fn cells(times: &mut [Duration]) -> String {
    let shares = [0.5, 0.95, 0.99, 1.0].map(|share| {
        let time = within(times, share);
        format!("{:.2}", time.as_secs_f64() * 1e3)
    });
    shares.join(" | ")
}
