//! Servers whose answers are wrong, but usable in part: what is readable is shown, and the rest is named.

use frontdesk_tests::odd;

use super::child;
use super::foreign::Foreign;

#[test]
fn what_came_of_a_list_stays_and_the_rest_is_named() {
    let (foreign, server) = (Foreign::start(), odd::start());
    for (way, command, shown, said) in [
        (
            "cursor-stays",
            "tools",
            "say order",
            "the rest of the tools: the same items come again",
        ),
        (
            "cursor-number",
            "tools",
            "say order",
            "the rest of the tools: its cursor 2 is not a text",
        ),
        (
            "cursor-circles",
            "tools",
            "say order more most",
            "the rest of the tools: its cursor “a” comes again",
        ),
        (
            "page-fails",
            "tools",
            "say order",
            "the rest of the tools: not here",
        ),
        (
            "page-is-none",
            "tools",
            "say order",
            "the rest of the tools: the answer cannot be read: it is not a list of tools",
        ),
        (
            "announces-all",
            "resources",
            "",
            "the list of resources, which it announces: not here",
        ),
        (
            "announces-nameless",
            "resources",
            "odd://plan",
            "item 1 of the resources: it has no address or name",
        ),
    ] {
        let address = format!("{server}/{way}");
        let listed = foreign.frontdesk(&[command, &address]);
        assert_eq!(listed.code, Some(0), "{way}: {listed:?}");
        let lines = listed.stdout.lines();
        let names = lines.map(|it| it.trim_start_matches(&address).split_whitespace().next());
        let names: Vec<_> = names.flatten().collect();
        assert_eq!(names.join(" "), shown, "{way}");
        let said = format!("frontdesk: left out: {said}\n");
        assert_eq!(listed.stderr, said, "{way}");

        let tried = foreign.frontdesk(&["connect", &address]);
        assert_eq!(tried.code, Some(0), "{way}: {tried:?}");
        assert!(
            tried.stdout.starts_with(&format!("{way} 1, protocol ")),
            "{tried:?}"
        );
        assert!(tried.stderr.contains(&said), "{way}: {tried:?}");
    }
}

#[test]
fn a_call_that_ran_keeps_its_answer_whatever_its_picture_is() {
    let (foreign, server) = (Foreign::start(), odd::start());
    let address = format!("{server}/pictures");
    let directory = tempfile::tempdir().expect("a directory");
    for tool in odd::PICTURES {
        let file = directory.path().join(tool);
        let path = file.to_str().expect("text");
        let called = foreign.frontdesk(&["call", &address, tool, "-o", "text", "--save", path]);
        assert_eq!(called.code, Some(0), "{tool}: {called:?}");
        let (shown, said) = match tool {
            "broken" => (
                "order 77 was written\n[image/png, 29 bytes]\n",
                "frontdesk: not saved: image/png, because its base64 is broken\n".to_owned(),
            ),
            _ => {
                assert_eq!(std::fs::read(&file).expect(tool), odd::PICTURE, "{tool}");
                let size = odd::PICTURE.len();
                let said = format!("frontdesk: saved {path} (image/png, {size} bytes)\n");
                ("order 77 was written\n", said)
            }
        };
        assert_eq!(
            (called.stdout.as_str(), called.stderr),
            (shown, said),
            "{tool}"
        );
    }
}

#[test]
fn a_process_that_ends_during_a_read_is_asked_once() {
    let foreign = Foreign::start();
    let ended = foreign.with_program(child::DIES, &["call", "say", "text=a"]);
    let said = "did not answer: it ended (exit status: 4) and said: ";
    ended.fails(6, said);
    assert!(ended.stderr.ends_with("the disk is full\n"), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
}

#[test]
fn a_command_can_begin_the_session_in_another_era() {
    let foreign = Foreign::start();
    // The server does not know `server/discover`.
    for server in ["stub", foreign.url().as_str()] {
        for (era, code) in [("auto", 0), ("handshake", 0), ("2026-07-28", 5)] {
            let listed = foreign.frontdesk(&["tools", server, "--era", era]);
            assert_eq!(listed.code, Some(code), "{server} {era}: {listed:?}");
        }
    }
    let refused = foreign.frontdesk(&["tools", "stub", "--era", "old"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("\"handshake\""), "{refused:?}");
    let refused = foreign.frontdesk(&["tools", "staff", "--era", "auto"]);
    refused.fails(2, "--era is for other servers");
    let connect = [
        "connect",
        &foreign.url(),
        "--era",
        "handshake",
        "--name",
        "two",
    ];
    assert_eq!(foreign.frontdesk(&connect).code, Some(0));
    assert!(foreign.config().contains("era = \"handshake\""));
}

#[test]
fn a_server_that_names_an_older_revision_is_asked_with_it() {
    let (foreign, server) = (Foreign::start(), odd::start());
    for way in ["older-in-words", "older-in-data"] {
        let tried = foreign.frontdesk(&["connect", &format!("{server}/{way}")]);
        let said = format!("{way} 1, protocol {}", odd::OLDER);
        assert!(tried.stdout.starts_with(&said), "{tried:?}");
    }
}

#[test]
fn a_refusal_that_questions_would_lift_says_how_they_are_answered() {
    let (foreign, server) = (Foreign::start(), odd::start());
    let address = format!("{server}/asks");
    let refused = foreign.frontdesk(&["call", &address, "say"]);
    refused.fails(
        5,
        "frontdesk: `--answers -` answers the questions of a server on the terminal\n",
    );
    let missing = foreign.frontdesk(&["call", &address, "draw"]);
    missing.fails(
        2,
        "some servers offer more to those who answer questions (`--answers -`)",
    );
    let answering = foreign.frontdesk(&["call", &address, "say", "--answer", "name=Ana"]);
    assert!(!answering.stderr.contains("--answers"), "{answering:?}");
}
