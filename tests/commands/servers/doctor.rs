//! `doctor`: its findings for servers with one fault each.

use frontdesk_tests::{Mode, hostile, odd};
use serde_json::Value;

use super::child;
use super::foreign::Foreign;
use crate::commands::stage::Ended;

/// The result of a check, and what was said.
fn check<'a>(report: &'a Value, name: &str) -> (&'a str, String) {
    let checks = report["checks"].as_array().expect("a list");
    let check = checks.iter().find(|check| check["check"] == name);
    let check = check.unwrap_or_else(|| panic!("no check of {name} in {report}"));
    let said = format!("{} {}", check["what"], check["remedy"]);
    (check["result"].as_str().expect("text"), said)
}

/// Looks for what each of these checks should have said: `check result words`.
fn expect(way: &str, ended: &Ended, expected: &[(&str, &str, &str)]) {
    let report: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    for (name, result, words) in expected {
        let (found, said) = check(&report, name);
        assert_eq!(found, *result, "{way}, {name}: {said}");
        assert!(said.contains(words), "{way}, {name}: {said}");
    }
    let has_failed = expected.iter().any(|(_, result, _)| *result == "failed");
    assert_eq!(ended.code, Some(i32::from(has_failed)), "{way}: {ended:?}");
    assert_eq!(report["ok"], !has_failed, "{way}");
}

#[test]
fn the_first_fault_of_each_odd_server_is_named_with_its_remedy() {
    let foreign = Foreign::start();
    let examined = |server: &str| foreign.frontdesk(&["doctor", server, "--json"]);
    expect(
        "stub",
        &examined("stub"),
        &[
            ("connection", "ok", "HTTP "),
            ("tls", "ok", "on this machine"),
            ("redirects", "ok", "none"),
            ("sign-in", "ok", "not asked for"),
            ("session", "ok", "by a handshake"),
            ("tools", "ok", " on 1 page"),
            ("resources", "skipped", "not announced"),
        ],
    );
    expect(
        "gone",
        &examined("gone"),
        &[("session", "failed", "no-such-program cannot be started")],
    );
    let address = odd::start();
    for (way, expected) in [
        ("fine", ("call", "ok", "say answers")),
        (
            "cursor-stays",
            ("tools", "warning", "the same items come again"),
        ),
        (
            "cursor-number",
            ("tools", "warning", "its cursor 2 is not a text"),
        ),
        (
            "page-fails",
            ("tools", "warning", "the rest of the tools: not here"),
        ),
        (
            "older-in-words",
            ("session", "ok", "2025-03-26 by a handshake"),
        ),
        (
            "announces-all",
            ("resources", "warning", "which it announces: not here"),
        ),
        (
            "announces-nameless",
            (
                "resources",
                "warning",
                "item 1 of the resources: it has no address",
            ),
        ),
        (
            "asks",
            (
                "call",
                "warning",
                "say refuses: Elicitation is not supported",
            ),
        ),
    ] {
        expect(way, &examined(&format!("{address}/{way}")), &[expected]);
    }
    let hostile = hostile::address();
    let hostile = hostile.split('"').nth(1).expect("an address");
    let schemas = ("schemas", "warning", "and 4991 more");
    expect(
        "hostile",
        &examined(hostile),
        &[("tools", "ok", "5000 on 1 page"), schemas],
    );
}

#[test]
fn an_address_that_is_none_is_explained() {
    for (mode, expected) in [
        (
            Mode::Status(401, Vec::new(), String::new()),
            ("sign-in", "failed", "demands a sign-in"),
        ),
        (
            Mode::Status(404, Vec::new(), String::new()),
            ("session", "failed", "usually /mcp"),
        ),
        (
            Mode::Status(
                302,
                vec![("location", "https://elsewhere.example/mcp".to_owned())],
                String::new(),
            ),
            (
                "redirects",
                "failed",
                "leads to https://elsewhere.example/mcp",
            ),
        ),
    ] {
        let foreign = Foreign::start();
        foreign.proxy().set(mode);
        expect(
            expected.0,
            &foreign.frontdesk(&["doctor", "stub", "--json"]),
            &[expected],
        );
    }
    let foreign = Foreign::start();
    foreign.go_down();
    let down = foreign.frontdesk(&["doctor", "stub", "--json"]);
    expect(
        "down",
        &down,
        &[("connection", "failed", "Start the server")],
    );
    let plain = foreign.url().replace("http://", "https://");
    let foreign = Foreign::start();
    let spoken = foreign.url().replace("http://", "https://");
    let spoken = foreign.frontdesk(&["doctor", &spoken, "--json"]);
    expect(
        &plain,
        &spoken,
        &[
            ("connection", "ok", "answers"),
            ("tls", "failed", "certificate for this name"),
        ],
    );
}

#[test]
fn a_sign_in_is_followed_to_its_server() {
    let foreign = Foreign::guarded();
    let report = foreign.frontdesk(&["doctor", "stub", "--json"]);
    let signs_in = ("sign-in", "failed", "frontdesk login --server stub");
    expect(
        "guarded",
        &report,
        &[("metadata", "ok", "sign-in at http://127.0.0.1"), signs_in],
    );
}

#[test]
fn a_process_is_checked_line_by_line() {
    let foreign = Foreign::start();
    let checked = foreign.with_program(child::DIES, &["doctor"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let begin = |line: &str| {
        line.split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let lines = checked.stdout.lines().filter(|line| !line.starts_with(' '));
    let lines: Vec<_> = lines.map(begin).collect();
    let expected = "ok name, ok session, ok tools, skipped resources, skipped templates, skipped prompts, \
                    ok schemas, skipped call, warning stdout";
    assert_eq!(lines.join(", "), expected, "{checked:?}");
    let nervous = foreign.with_program(child::NERVOUS, &["doctor"]);
    assert_eq!(nervous.code, Some(0), "{nervous:?}");
    for said in [
        "by a handshake: child; at server/discover it ended (exit status: 3), and was started again",
        "serverInfo has no version",
        "its stdout has lines that are no messages: running 1 test",
    ] {
        assert!(nervous.stdout.contains(said), "{said}: {nervous:?}");
    }
    let deaf = foreign.with_program(child::IGNORES, &["doctor"]);
    assert_eq!(deaf.code, Some(0), "{deaf:?}");
    let said = "by a handshake: child; it did not answer server/discover";
    assert!(deaf.stdout.contains(said), "{deaf:?}");
    let silent = foreign.with_program(child::SILENT, &["doctor", "--timeout", "0.2"]);
    assert_eq!(silent.code, Some(1), "{silent:?}");
    assert!(silent.stdout.contains("reading the index"), "{silent:?}");
    assert_eq!(silent.stderr, "frontdesk: the check of time failed\n");
}
