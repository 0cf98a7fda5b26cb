//! What the fuzzer has kept, once more: nothing of it may break what it is read with. And what a terminal may send.

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

#[test]
fn foreign_formats_are_read() {
    run("formats", untrusted::formats);
}

#[cfg(unix)]
#[test]
fn terminals_are_read() {
    run("terminal", frontdesk::fuzz_terminal);
}

#[cfg(unix)]
#[test]
fn no_key_is_invented_or_lost_whatever_a_terminal_sends() {
    use frontdesk_tests::property::holds;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    let signs = b"\x1b[]PO_X^?>;0159\\\x07\x90\x9b\x9cnRutcyM~<".to_vec();
    let byte = prop_oneof![2 => Just(0x1b), 4 => select(signs), 2 => any::<u8>()];
    holds(20_000, vec(byte, 0..120), |bytes| {
        frontdesk::fuzz_terminal(&bytes);
        Ok(())
    });
}
