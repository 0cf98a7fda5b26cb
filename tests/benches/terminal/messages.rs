//! Keys and memory beside the most messages of a server that the app keeps: 100,000 short ones, then 32 MiB of long ones.

use std::io::{BufRead, Write};
use std::time::Duration;

use frontdesk_tests::world;
use serde_json::{Value, json};

use crate::hostile::{resident, until};
use crate::program::Stage;
use crate::tty::Tty;
use crate::{Options, SIZES, cells, machine, say};

/// The argument with which this program plays the server.
pub(crate) const PLAY: &str = "play-messages";
/// How often each key is pressed.
const TIMES: usize = 10;
/// The pause between two keys, as of a fast typist.
const PAUSE: Duration = Duration::from_millis(50);
/// More messages than are kept.
const MESSAGES: usize = 101_000;
/// The bytes of a text: so that 100,000 messages are kept, and so that 32 MiB are.
const TEXTS: [usize; 2] = [8, 2_000];
/// The bytes of the last message.
const LARGE: usize = 250_000;

/// Plays a server that sends its messages as soon as its tools are listed.
pub(crate) fn play() {
    let length = std::env::args().next_back().and_then(|it| it.parse().ok());
    let text = "x".repeat(length.expect("the length of a text"));
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let request: Value = serde_json::from_str(&line).expect("JSON");
        let result = match request["method"].as_str().expect("a method") {
            "server/discover" => json!({
                "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private", "resultType": "complete",
                "capabilities": { "tools": {} }, "serverInfo": { "name": "hall", "version": "1" },
            }),
            _ => json!({
                "tools": [{ "name": "look", "inputSchema": { "type": "object" } }], "resultType": "complete",
                "ttlMs": 0, "cacheScope": "private",
            }),
        };
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        writeln!(stdout, "{answer}").expect("it is read");
        if request["method"] == "tools/list" {
            let last = std::iter::once("y".repeat(LARGE));
            let texts = std::iter::repeat_n(text.clone(), MESSAGES).chain(last);
            for (at, text) in texts.enumerate() {
                let params = json!({ "row": at, "text": text });
                let seen =
                    json!({ "jsonrpc": "2.0", "method": "notifications/seen", "params": params });
                writeln!(stdout, "{seen}").expect("it is read");
            }
        }
        stdout.flush().expect("it is read");
    }
}

pub(crate) fn run(options: &Options) {
    say("\n| messages | size | p50 ms | p95 | p99 | longest |\n|---|---|---|---|---|---|");
    for length in TEXTS {
        for size in SIZES {
            measure(options, length, size);
        }
    }
}

fn measure(options: &Options, length: usize, size: (u16, u16)) {
    let stage = Stage::signed_in();
    let config = stage.directory.path().join("hall.toml");
    let this = std::env::current_exe().expect("this program is a file");
    let server = format!("[servers.hall]\ncommand = [{this:?}, \"{PLAY}\", \"{length}\"]\n");
    std::fs::write(&config, server).expect("it is written");
    let mut command = options.frontdesk(&world().url(), stage.directory.path());
    command.arg("--config");
    command.arg(&config);
    let mut tty = Tty::start(command, size);
    tty.frame_with("Launch");
    let before = resident(tty.id());
    tty.type_text("t");
    tty.frame_with("› Tools");
    tty.type_text("/");
    tty.frame_with("│/ ");
    tty.type_text("hall");
    tty.frame_with("hall");
    tty.type_text("\r");
    tty.type_text("/");
    tty.frame_with("│/ ");
    tty.type_text("\x15hall look");
    tty.frame_with("look");
    tty.type_text("\x13");
    tty.frame_with("› hall");
    tty.type_text("\t");
    tty.frame_with("[Messages]");
    // The last message is the largest one.
    tty.type_text("/yyyy");
    tty.frame_with(" 1 message");
    tty.type_text("\x1b");
    tty.frame_with(" messages");
    tty.listen(Duration::from_secs(2));
    let (mut typed, mut found, mut moved, mut opened) = (vec![], vec![], vec![], vec![]);
    let mut spent = Duration::ZERO;
    for _ in 0..options.times.unwrap_or(TIMES) {
        let mut word = String::new();
        tty.type_text("/");
        tty.listen(PAUSE);
        let processor = machine::processor(tty.id());
        // No message has this word, so that each letter searches every text.
        for letter in "chairs".chars() {
            word.push(letter);
            typed.push(until(&mut tty, &letter.to_string(), &format!("/ {word}")));
            tty.listen(PAUSE);
        }
        spent += machine::processor(tty.id()) - processor;
        tty.until_quiet(Duration::from_secs(1));
        tty.type_text("\x15");
        tty.frame_with(" messages");
        tty.until_quiet(Duration::from_secs(1));
        found.push(until(&mut tty, "z", " 0 messages"));
        tty.type_text("\x1b");
        tty.until_quiet(Duration::from_secs(1));
        for key in ["j", "\x1b[6~", "G", "g"] {
            tty.listen(PAUSE);
            let start = std::time::Instant::now();
            tty.type_text(key);
            moved.push(tty.frame().at.duration_since(start));
        }
        tty.listen(PAUSE);
        opened.push(until(&mut tty, "\r", "\"method\""));
        tty.type_text("\x1b");
        tty.frame_with(" messages");
    }
    for (what, times) in [
        ("a letter of a search", &mut typed),
        ("from a letter to the end of its search", &mut found),
        ("a step, a page, the last, the first", &mut moved),
        ("250 kB opened", &mut opened),
    ] {
        say(&format!(
            "| texts of {length} bytes: {what} | {}x{} | {} |",
            size.0,
            size.1,
            cells(times)
        ));
    }
    let each = spent.as_millis() / typed.len() as u128;
    say(&format!(
        "processor for a letter: {each} ms; resident before: {before} MB, at most: {} MB",
        resident(tty.id())
    ));
}
