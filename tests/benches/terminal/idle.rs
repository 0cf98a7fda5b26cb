//! What the program does while nothing happens.

use std::collections::HashMap;
use std::time::Duration;

use frontdesk_tests::world;

use crate::program::Stage;
use crate::tty::Tty;
use crate::{Options, SIZES, machine, say};

/// How long it is watched.
const TIME: Duration = Duration::from_secs(10);
/// After this, what was asked has come, and the threads that waited for files have ended.
const REST: Duration = Duration::from_secs(12);

pub(crate) fn run(options: &Options) {
    say(
        "\n| idle for 10 s | size | bytes written | processor ms | context switches |\n|---|---|---|---|---|",
    );
    let stage = Stage::signed_in();
    for size in SIZES {
        let command = options.frontdesk(&world().url(), stage.directory.path());
        let mut tty = Tty::start(command, size);
        tty.frame_with("Launch");
        measure("home", &mut tty, size);
        tty.type_text("o");
        tty.frame_with("Ulla");
        measure("an event and its guests", &mut tty, size);
        tty.type_text("c");
        tty.frame_with("2 guests");
        measure("check-in desk, which asks every 4 s", &mut tty, size);
    }
}

fn measure(what: &str, tty: &mut Tty, size: (u16, u16)) {
    tty.listen(REST);
    let id = tty.id();
    let (processor, switches) = (machine::processor(id), switches(id));
    let bytes = tty.listen(TIME);
    let processor = machine::processor(id) - processor;
    let after = self::switches(id).into_iter();
    let switches: u64 = after
        .map(|(thread, after)| after - switches.get(&thread).copied().unwrap_or_default())
        .sum();
    let (columns, rows) = size;
    say(&format!(
        "| {what} | {columns}x{rows} | {bytes} | {} | {switches} |",
        processor.as_millis()
    ));
}

/// How often each thread of a process was taken off a processor so far, by itself or by others.
fn switches(pid: u32) -> HashMap<std::ffi::OsString, u64> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let of_thread = |thread: std::fs::DirEntry| {
        let status = std::fs::read_to_string(thread.path().join("status")).unwrap_or_default();
        let lines = status.lines().filter(|line| line.contains("ctxt_switches"));
        let numbers = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
        (thread.file_name(), numbers.sum())
    };
    let threads = threads.into_iter().flatten().filter_map(Result::ok);
    threads.map(of_thread).collect()
}
