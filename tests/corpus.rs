//! What the fuzzer has kept, once more: nothing of it may break what it is read with.

use std::path::Path;

use frontdesk_server::{identity, untrusted, wire};

/// Runs every file of a target's corpus.
fn run(target: &str, read: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let files = std::fs::read_dir(corpus.join(target)).expect("a corpus");
    let mut count = 0;
    for file in files {
        let file = file.expect("a file").path();
        read(&std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
        count += 1;
    }
    assert!(count > 0, "the corpus of {target} is empty");
}

#[test]
fn requests_are_read() {
    run("request", wire::untrusted::request);
}

#[test]
fn session_tokens_are_read() {
    run("session", wire::untrusted::session);
}

#[test]
fn access_tokens_are_read() {
    run("token", identity::untrusted::token);
}

#[test]
fn arguments_are_checked() {
    run("arguments", untrusted::arguments);
}

#[cfg(unix)]
#[test]
fn terminals_are_read() {
    run("terminal", frontdesk::fuzz_terminal);
}
