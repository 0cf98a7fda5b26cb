//! Keys and memory while a hostile server is connected (`tests/src/hostile.rs`): 5,000 tools, an answer of 10 MB, and as a
//! process up to 100,000 notifications a second.

use std::time::{Duration, Instant};

use frontdesk_tests::{hostile, world};

use crate::program::Stage;
use crate::tty::Tty;
use crate::{Options, SIZES, cells, machine, say};

/// The argument with which this program plays the server.
pub(crate) const PLAY: &str = "play-hostile";
/// How often each is typed.
const TIMES: usize = 10;
/// The pause between two keys, as of a fast typist.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) fn run(options: &Options) {
    say(
        "\n| hostile server | size | p50 ms | p95 | p99 | longest | processor ms a key | resident at most, MB |\n|---|---|---|---|---|---|---|---|",
    );
    let this = std::env::current_exe().expect("this program is a file");
    let process = format!("command = [{this:?}, \"{PLAY}\"]");
    for (what, server) in [
        ("at an address", hostile::address()),
        (
            "as a process, up to 100,000 notifications a second",
            process,
        ),
    ] {
        for size in SIZES {
            measure(options, what, &server, size);
        }
    }
}

fn measure(options: &Options, what: &str, server: &str, size: (u16, u16)) {
    let stage = Stage::signed_in();
    let config = stage.directory.path().join("hostile.toml");
    std::fs::write(&config, hostile::configuration(server)).expect("it is written");
    let mut command = options.frontdesk(&world().url(), stage.directory.path());
    command.arg("--config");
    command.arg(&config);
    let mut tty = Tty::start(command, size);
    tty.frame_with("Launch");
    tty.type_text("t");
    tty.frame_with("› Tools");
    tty.type_text("/");
    tty.frame_with("│/ ");
    tty.type_text("hostile");
    tty.frame_with("hostile");
    tty.type_text("\r");
    tty.type_text("/");
    tty.frame_with("│/ ");
    tty.type_text("\x15hostile tool-4999");
    tty.frame_with("tool-4999");
    let mut times = Vec::new();
    let processor = machine::processor(tty.id());
    for _ in 0..options.times.unwrap_or(TIMES) {
        // Each letter is on the screen, in the line of the search.
        let mut typed = String::new();
        tty.type_text("\x15");
        for letter in "hostile tool-4999".chars() {
            tty.listen(PAUSE);
            typed.push(letter);
            times.push(until(&mut tty, &letter.to_string(), &typed));
        }
    }
    row(
        &format!("{what}, a letter of a search in 5,000 tools"),
        size,
        &mut times,
        &tty,
        processor,
    );
    tty.type_text("\x15hostile large");
    tty.frame_with("hostile large");
    tty.type_text("\r");
    tty.frame_with("› Answer");
    let mut times = Vec::new();
    let processor = machine::processor(tty.id());
    for _ in 0..options.times.unwrap_or(TIMES) {
        for (key, text) in [("?", "Keys"), ("\x1b", "› Answer")] {
            tty.listen(PAUSE);
            times.push(until(&mut tty, key, text));
        }
    }
    row(
        &format!("{what}, help over an answer of 10 MB"),
        size,
        &mut times,
        &tty,
        processor,
    );
}

/// A row of the table; `processor` is what the program had taken before the keys.
fn row(
    what: &str,
    (columns, rows): (u16, u16),
    times: &mut [Duration],
    tty: &Tty,
    processor: Duration,
) {
    let processor = machine::processor(tty.id()) - processor;
    let each = processor.as_millis() / times.len() as u128;
    let resident = resident(tty.id());
    say(&format!(
        "| {what} | {columns}x{rows} | {} | {each} | {resident} |",
        cells(times)
    ));
}

/// The time from a key to the frame with this text.
pub(crate) fn until(tty: &mut Tty, key: &str, text: &str) -> Duration {
    let start = Instant::now();
    tty.type_text(key);
    tty.frame_with(text).at.duration_since(start)
}

/// The most memory that a process had, in MB.
pub(crate) fn resident(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.and_then(|most| most.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    most.unwrap_or_default() / 1024
}
