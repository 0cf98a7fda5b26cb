//! Every exit code.

use frontdesk_protocol::Role;
use frontdesk_tests::{Mode, Proxy, run, world};
use serde_json::Value;
use uuid::Uuid;

use crate::commands::stage::Stage;

fn proxied(role: Role) -> (Proxy, Stage) {
    let proxy = Proxy::before(&world().url());
    let stage = Stage::at(role, &proxy.url());
    (proxy, stage)
}

#[test]
fn code_0_it_is_done() {
    let stage = Stage::of(Role::Staff);
    let id = format!("id={}", stage.event);
    let ended = stage.frontdesk(&["call", "events", "get_event", &id]);
    assert_eq!(ended.json()["event"]["name"], "Launch");
    assert_eq!(ended.stderr, "");
}

#[test]
fn code_2_wrong_usage_or_arguments_and_nothing_is_sent() {
    let (proxy, stage) = proxied(Role::Staff);
    let before = proxy.count();
    for (arguments, said) in [
        (vec!["get_event"], "id is required"),
        (
            vec!["list_events", "limit=101"],
            "limit must be at most 100, not `101`",
        ),
        (
            vec!["list_events", "limit=some"],
            "limit must be a whole number, not `some`",
        ),
        (
            vec!["list_events", "title=x"],
            "there is no argument `title`; choose from ",
        ),
        (vec!["list_events", "search"], "`search` is not an argument"),
        (
            vec!["list_events", "--dry-run"],
            "list_events has no dry run",
        ),
        (vec!["get_event", "--all", "id:=1"], "get_event has none"),
    ] {
        let arguments: Vec<_> = ["call", "events"].into_iter().chain(arguments).collect();
        stage.frontdesk(&arguments).fails(2, said);
    }
    assert_eq!(proxy.count(), before, "nothing was sent");
    let ended = stage.frontdesk(&["call", "nowhere", "list_events"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    for (host, tool, instead) in [
        ("events", "list_evnts", "did you mean `list_events`?"),
        ("work", "list_events", "it is a tool of events"),
        ("events", "whisper", "it offers you list_events, "),
    ] {
        let said = format!("host {host} has no tool `{tool}` for you; {instead}");
        stage.frontdesk(&["call", host, tool]).fails(2, &said);
    }
    stage.frontdesk(&["call", "event", "list_events"]).fails(
        2,
        "there is no host or server `event`; did you mean `events`?",
    );
}

#[test]
fn code_1_a_file_that_cannot_be_read_or_written_is_named() {
    let stage = Stage::of(Role::Staff);
    run(stage.organization.guest(stage.event, "Ana"));
    let guests = stage.directory().join("guests.csv");
    std::fs::write(&guests, "name,email\n,ana@example.org\n").expect("it is written");
    let guests = guests.to_str().expect("text");
    let rows = ["import", "events", "create_event_guest"];
    let set = ["--set", "event_id=Launch", "--map", "email=email", "--yes"];
    let list = ["call", "events", "list_events"];
    let nowhere = "/nowhere/a";
    for words in [
        [&list[..], &["--args", nowhere]].concat(),
        [&list[..], &["search:@/nowhere/a"]].concat(),
        [&list[..], &["--save", nowhere]].concat(),
        [&rows[..], &[nowhere], &set].concat(),
        [&rows[..], &[guests, "--failed", nowhere], &set].concat(),
        vec!["import", "calendar", nowhere],
        vec!["import", "statement", nowhere, "--set", "account_id=Bank"],
        vec!["badges", "Launch", "--output", nowhere],
        vec!["play", nowhere],
        vec!["check", nowhere],
        vec!["replay", nowhere],
        vec!["man", "--dir", nowhere],
        vec!["hosts", "--trace", nowhere],
        vec!["hosts", "--log", nowhere],
        vec!["hosts", "--config", "/"],
    ] {
        let ended = stage.frontdesk(&words);
        assert_eq!(ended.code, Some(1), "{words:?}: {ended:?}");
        let file = words.iter().find(|word| word.ends_with(nowhere));
        let file = file.map_or("/", |_| nowhere);
        let said = ended.stderr.lines().last().unwrap_or_default();
        let why = said.strip_prefix(&format!("frontdesk: {file}: "));
        assert!(
            why.is_some_and(|why| why.contains("(os error ")),
            "{words:?}: {said}"
        );
    }
}

#[test]
fn a_wrong_word_is_said_with_what_would_be_right() {
    let stage = Stage::of(Role::Staff);
    for (words, said) in [
        (
            vec!["cal", "events", "x"],
            "there is no command `cal`; did you mean `call`?",
        ),
        (
            vec!["whisper"],
            "there is no command `whisper`; `frontdesk --help` lists them",
        ),
        (vec!["whoami", "cal"], "unexpected argument 'cal' found"),
        (vec!["changes", "nope"], "must be an id, such as "),
        (
            vec!["changes", "--record", "nope"],
            "must be an id, such as ",
        ),
    ] {
        let ended = stage.frontdesk(&words);
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(2), ""),
            "{words:?}: {ended:?}"
        );
        assert!(ended.stderr.contains(said), "{words:?}: {ended:?}");
    }
}

#[test]
fn a_password_from_a_pipe_is_pointed_to_its_option() {
    let stage = Stage::of(Role::Staff);
    let email = run(async { stage.organization.email(Role::Staff) });
    for arguments in [&["login"][..], &["login", "--email", &email]] {
        stage
            .given("demo-password\n", arguments)
            .fails(2, "--password-stdin reads the password from stdin");
    }
}

#[test]
fn code_3_not_signed_in() {
    let stage = Stage::of(Role::Staff);
    stage.frontdesk(&["logout"]);
    let ended = stage.frontdesk(&["call", "events", "list_events"]);
    ended.fails(3, "not signed in; run `frontdesk login");
}

#[test]
fn code_4_not_permitted() {
    let stage = Stage::of(Role::Teacher);
    let id = format!("id={}", stage.event);
    let ended = stage.frontdesk(&["call", "events", "update_event", &id, "name=Mine"]);
    ended.fails(4, "your role does not permit this");
}

#[test]
fn code_5_the_tool_answered_with_an_error() {
    let stage = Stage::of(Role::Staff);
    let times = [
        "start_at=2027-03-12T18:00:00Z",
        "end_at=2027-03-12T17:00:00Z",
    ];
    let update = [&["call", "events", "update_event", "id=Launch"], &times[..]].concat();
    let ended = stage.frontdesk(&update);
    ended.fails(5, "end_at");
    assert!(ended.stderr.contains("field: end_at"), "{ended:?}");
}

#[test]
fn code_11_the_record_does_not_exist() {
    let stage = Stage::of(Role::Staff);
    let id = format!("id={}", Uuid::now_v7());
    let ended = stage.frontdesk(&["call", "events", "check_in_guest", &id]);
    ended.fails(11, "there is no such guest");
    assert!(ended.stderr.contains("field: id"), "{ended:?}");
    let ended = stage.frontdesk(&["call", "events", "get_event", &id]);
    assert_eq!(ended.code, Some(11), "{ended:?}");
    assert!(ended.stdout.contains(r#""event":null"#), "{ended:?}");
}

#[test]
fn code_6_no_connection() {
    let (proxy, stage) = proxied(Role::Staff);
    proxy.go_down();
    let ended = stage.frontdesk(&["call", "events", "list_events"]);
    ended.fails(6, "cannot be reached");
    let ended = stage.frontdesk(&["hosts", "--json"]);
    assert_eq!(ended.code, Some(6), "{ended:?}");
    assert!(
        ended.stdout.contains(r#""state":"not reachable""#),
        "{ended:?}"
    );
}

#[test]
fn code_7_too_many_calls_for_longer_than_a_command_waits() {
    let (proxy, stage) = proxied(Role::Staff);
    let limited = |seconds| {
        let reply = Mode::refusal(429, "rate_limited", "too many");
        reply.header("retry-after", seconds)
    };
    proxy.set_next("list_events", limited("0"));
    stage.frontdesk(&["call", "events", "list_events"]).json();
    assert_eq!(proxy.count_of("list_events"), 2, "it is repeated");
    proxy.set_for("list_events", limited("301"));
    let ended = stage.frontdesk(&["call", "events", "list_events"]);
    ended.fails(7, "too many calls; wait 301 s");
}

#[test]
fn a_write_whose_answer_is_lost_is_made_once() {
    let (proxy, stage) = proxied(Role::Staff);
    let event = format!("event_id={}", stage.event);
    let add = ["call", "events", "create_event_guest", &event, "name=Ana"];
    let mut added = Value::Null;
    for (number, lost) in (1..).zip([Mode::CutAfterRequest, Mode::Unconfirmed]) {
        proxy.set_next("create_event_guest", lost);
        added = stage.frontdesk(&add).json();
        assert_eq!(
            proxy.count_of("create_event_guest"),
            2 * number,
            "it is repeated"
        );
        let listed = stage.frontdesk(&["call", "events", "list_event_guests", &event]);
        assert_eq!(
            listed.json()["guests"].as_array().map(Vec::len),
            Some(number)
        );
    }
    // The same key brings the same guest, and another call with it is refused.
    let keyed = [&["call", "--key", "k"], &add[1..]].concat();
    let first = stage.frontdesk(&keyed).json();
    assert_ne!(first["guest"]["id"], added["guest"]["id"]);
    assert_eq!(stage.frontdesk(&keyed).json(), first);
    let other = [&keyed[..], &["email=ana@example.org"]].concat();
    stage
        .frontdesk(&other)
        .fails(5, "this idempotency key was used");
}

#[test]
fn code_8_nobody_knows_whether_it_was_done() {
    let (proxy, stage) = proxied(Role::Owner);
    for (number, lost) in [Mode::CutAfterRequest, Mode::Unconfirmed]
        .into_iter()
        .enumerate()
    {
        proxy.set_for("invite_staff", lost);
        // The host does not store the link in its result, so that the call is not repeated.
        let email = format!("email={number}@example.org");
        let invite = [
            "call",
            "staff",
            "invite_staff",
            &email,
            "name=Ana",
            "role=staff",
        ];
        let ended = stage.frontdesk(&invite);
        ended.fails(8, "it may or may not have been done");
        assert_eq!(proxy.count_of("invite_staff"), number + 1);
        let pending = stage.frontdesk(&["call", "staff", "list_invitations"]);
        assert_eq!(
            pending.json()["invitations"].as_array().map(Vec::len),
            Some(number + 1)
        );
    }
}

#[test]
fn a_time_limit_ends_a_read_and_leaves_the_outcome_of_a_write_unknown() {
    let (proxy, stage) = proxied(Role::Staff);
    let guest = run(stage.organization.guest(stage.event, "Ana"));
    for tool in ["list_events", "check_in_guest"] {
        proxy.set_for(tool, Mode::Hang);
    }
    let limited = |words: &[&str]| {
        let words: Vec<_> = [&["call", "--timeout", "6s", "events"], words].concat();
        stage.frontdesk(&words)
    };
    limited(&["list_events"]).fails(6, "did not answer within 6 s");
    let id = format!("id={guest}");
    limited(&["check_in_guest", &id]).fails(8, "it may or may not have been done");
    let wrong = stage.frontdesk(&["call", "--timeout", "soon", "events", "list_events"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}
