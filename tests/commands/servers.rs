//! Other MCP servers, by name and by address: exit codes, output formats, `connect` and the
//! sign-in.

mod checks;
mod child;
mod doctor;
pub(crate) mod foreign;
mod odd;
mod offers;
mod questions;
mod tasks;
mod ways;

use std::io::{BufRead, BufReader, Read, Write};

use frontdesk_tests::Mode;
use serde_json::{Value, json};

use foreign::Foreign;

#[test]
fn tools_are_listed_described_and_called_by_name_and_by_address() {
    let foreign = Foreign::start();
    for server in ["stub", foreign.url().as_str()] {
        let listed = foreign.frontdesk(&["tools", server]);
        assert_eq!(listed.code, Some(0), "{listed:?}");
        let first = listed.stdout.lines().next().expect("a tool");
        assert!(first.starts_with(&format!("{server} say ")), "{first}");
        let described = foreign.frontdesk(&["describe", server, "say"]);
        assert!(described.stdout.contains("  text "), "{described:?}");
        let called = foreign.frontdesk(&["call", server, "say", "text=12"]);
        assert_eq!(
            called.json(),
            json!("12 it is"),
            "the schema says that it is a text"
        );
        assert_eq!(called.stderr, "");
    }
    let listed = foreign.frontdesk(&["tools", "stub", "--json"]);
    assert_eq!(listed.json()[0]["host"], "stub");
}

#[test]
fn every_command_writes_its_messages_to_a_trace() {
    let foreign = Foreign::start();
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("trace.jsonl");
    let path = path.to_str().expect("text");
    let called = foreign.frontdesk(&["--trace", path, "call", "stub", "say", "text=a"]);
    assert_eq!(called.json(), json!("a it is"));
    let written = std::fs::read_to_string(path).expect("it is written");
    let lines = written.lines().map(serde_json::from_str::<Value>);
    let lines: Vec<Value> = lines.map(|line| line.expect("JSON")).collect();
    let of = |kind: &str| {
        let mut lines = lines.iter();
        lines.find(|line| line["method"] == "tools/call" && line["kind"] == kind)
    };
    let (asked, answered) = (
        of("request").expect("asked"),
        of("answer").expect("answered"),
    );
    assert_eq!(
        asked["message"]["params"]["arguments"],
        json!({ "text": "a" })
    );
    assert_eq!(
        (&asked["server"], &asked["direction"]),
        (&"stub".into(), &"sent".into())
    );
    assert_eq!(
        answered["message"]["result"]["content"][0]["text"],
        "a it is"
    );
    assert!(answered["took_ms"].is_number() && answered["bytes"].is_number());
    let nowhere = directory.path().join("missing/trace");
    let nowhere = nowhere.to_str().expect("text");
    foreign
        .frontdesk(&["--trace", nowhere, "tools", "stub"])
        .fails(1, &format!("frontdesk: {nowhere}: "));
}

#[test]
fn a_list_of_records_has_every_form() {
    let foreign = Foreign::start();
    let called = foreign.frontdesk(&["call", "stub", "list"]);
    assert_eq!(called.json()["files"][1]["name"], "b,c");
    let called = foreign.frontdesk(&["call", "stub", "list", "--output", "csv"]);
    assert_eq!(called.stdout, "name,bytes\na,1\n\"b,c\",2\n");
}

#[test]
fn images_and_resources_are_written_as_received_or_described_in_rows() {
    let foreign = Foreign::start();
    let called = foreign.frontdesk(&["call", "stub", "draw"]);
    assert_eq!(
        called.json(),
        json!({ "content": [
            { "type": "text", "text": "Here it is" },
            { "type": "image", "data": "TWFu", "mimeType": "image/png" },
            { "type": "resource", "resource": { "uri": "demo://1", "text": "one" } },
        ] })
    );
    let called = foreign.frontdesk(&["call", "stub", "draw", "--output", "csv"]);
    assert_eq!(
        called.stdout,
        "type,text,mime_type,bytes,uri\ntext,Here it is,,,\nimage,,image/png,3,\nresource,one,,,demo://1\n"
    );
}

#[test]
fn code_2_wrong_usage_or_arguments() {
    let foreign = Foreign::start();
    for (arguments, said) in [
        (vec!["call", "stub", "say"], "text is required"),
        (
            vec!["call", "stub", "say", "loud=maybe"],
            "2 arguments are wrong:\n  text is required\n  loud must be yes or no, not `maybe`",
        ),
        (
            vec!["call", "stub", "say", "text=a", "--header", "X-Team=seven"],
            "--header and --token-env are for a server given by its address",
        ),
        (
            vec!["call", "stub", "whisper"],
            "server stub has no tool `whisper` for you; it offers you say, ",
        ),
        (
            vec!["call", "nobody", "say"],
            "there is no host or server `nobody`; the hosts are staff, ",
        ),
        (
            vec!["call", "nobody", "say"],
            "the configured servers are gone, stub",
        ),
        (
            vec!["tools", "http://me:secret@127.0.0.1/mcp"],
            "must not contain a user name",
        ),
        (
            vec!["call", "stub", "say", "--dry-run", "text=a"],
            "say has no dry run",
        ),
    ] {
        foreign.frontdesk(&arguments).fails(2, said);
    }
    assert_eq!(foreign.called(), 0, "nothing was called");
}

#[test]
fn code_3_not_signed_in() {
    let foreign = Foreign::start();
    foreign.answer_all(401, &json!({ "error": "invalid_token" }));
    let call = ["call", "stub", "say", "text=a"];
    foreign.frontdesk(&call).fails(
        3,
        "not signed in to stub (invalid_token); `frontdesk login --server stub` does that",
    );
    let address = foreign.url();
    foreign
        .frontdesk(&["tools", &address])
        .fails(3, "`frontdesk connect http://127.0.0.1:");
}

#[test]
fn a_refusal_is_said_with_what_is_beside_it() {
    let foreign = Foreign::start();
    let refused = foreign.frontdesk(&["call", "stub", "refuse"]);
    refused.fails(5, "no such file");
    // Its name is not about the refusal.
    let said = "frontdesk: _meta: {\"files\":3}\n";
    assert!(refused.stderr.contains(said), "{refused:?}");

    foreign.proxy().set_for("say", Mode::CutAfterRequest);
    foreign
        .frontdesk(&["call", "stub", "say", "text=a"])
        .fails(8, "it may or may not have been done");
    foreign
        .frontdesk(&["tools", "gone"])
        .fails(6, "no-such-program cannot be started: ");
}

#[test]
fn an_empty_result_is_a_success() {
    let foreign = Foreign::start();
    let called = foreign.frontdesk(&["call", "stub", "nothing"]);
    assert_eq!(called.json(), json!(null));
    for format in ["table", "csv", "markdown", "text"] {
        let called = foreign.frontdesk(&["call", "stub", "nothing", "-o", format]);
        let ended = (called.code, called.stdout.as_str(), called.stderr.as_str());
        assert_eq!(ended, (Some(0), "", ""), "{format}");
    }
}

#[test]
fn the_error_of_a_tool_appears_whole() {
    let foreign = Foreign::start();
    let ended = foreign.frontdesk(&["call", "stub", "explain"]);
    ended.fails(5, "frontdesk: line 1 of the reason");
    assert!(
        ended.stderr.ends_with("\nline 60 of the reason\n"),
        "{ended:?}"
    );
}

#[test]
fn texts_are_written_as_they_are_and_files_are_saved() {
    let foreign = Foreign::start();
    let said = foreign.frontdesk(&["call", "stub", "say", "text=a", "-o", "text"]);
    assert_eq!(said.stdout, "a it is\n");
    let drawn = foreign.frontdesk(&["call", "stub", "draw", "-o", "text"]);
    assert_eq!(drawn.stdout, "Here it is\n[image/png, 3 bytes]\none\n");

    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("drawn.png");
    let path = file.to_str().expect("text");
    let saved = foreign.frontdesk(&["call", "stub", "draw", "-o", "text", "--save", path]);
    assert_eq!(saved.stdout, "Here it is\n", "what is not a file");
    assert!(
        saved.stderr.contains("drawn.png (image/png, 3 bytes)"),
        "{saved:?}"
    );
    assert_eq!(std::fs::read(&file).expect("it is saved"), b"Man");
    let second = std::fs::read(directory.path().join("drawn-2.png"));
    assert_eq!(second.expect("it is saved"), b"one");
}

#[test]
fn a_server_at_an_address_gets_headers_and_a_token() {
    let foreign = Foreign::start();
    let url = foreign.url();
    let call = ["call", &url, "say", "text=a", "--token-env", "STUB_TOKEN"];
    let mut command = foreign.command(&call);
    command.args(["--header", "X-Team: seven"]);
    let ended = foreign.end(command.env("STUB_TOKEN", "hunter2"));
    assert_eq!(ended.json(), "a it is");
    assert_eq!(foreign.last_header("x-team").as_deref(), Some("seven"));
    let sent = foreign.last_header("authorization");
    assert_eq!(sent.as_deref(), Some("Bearer hunter2"));
}

#[test]
fn an_address_without_an_endpoint_is_told_where_it_usually_is() {
    let foreign = Foreign::start();
    let url = foreign.url();
    let base = url.strip_suffix("/mcp").expect("an endpoint");
    foreign
        .frontdesk(&["tools", base])
        .fails(1, &format!("the MCP endpoint is usually {url}"));
}

#[test]
fn a_program_is_called_without_a_configuration() {
    let foreign = Foreign::start();
    let ended = foreign.with_program(child::SERVES, &["call", "say", "text=a", "-o", "text"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "a it is\n"));
    let ended = foreign.with_program(child::SERVES, &["describe", "say"]);
    assert!(
        ended.stdout.contains("\nRequired\n  text  string\n"),
        "{ended:?}"
    );
    let ended = foreign.with_program(child::SERVES, &["tools", "--json"]);
    assert_eq!(ended.json()[0]["name"], "say");
}

#[test]
fn a_silent_program_is_reported_with_what_it_wrote() {
    let foreign = Foreign::start();
    let ended = foreign.with_program(child::SILENT, &["tools", "--timeout", "6"]);
    ended.fails(
        6,
        "did not answer within 6 s; it has not written an MCP message",
    );
    let silent = |line: &str| line.contains(" after 5 s: ") && line.contains("reading the index");
    assert!(ended.stderr.lines().any(silent), "{ended:?}");
}

#[test]
fn a_program_can_ignore_what_it_does_not_know() {
    let foreign = Foreign::start();
    let called = foreign.with_program(child::IGNORES, &["call", "say", "text=a", "-o", "text"]);
    assert_eq!(called.stdout, "a it is\n", "{called:?}");
}

#[test]
fn connect_says_what_it_is_and_keeps_it_under_a_name() {
    let foreign = Foreign::start();
    let url = foreign.url();
    let before = foreign.config();
    let tried = foreign.frontdesk(&["connect", &url]);
    assert_eq!(
        (tried.code, tried.stdout.as_str(), tried.stderr.as_str()),
        (Some(0), "A Stub 7, protocol 2025-11-25, 7 tools\n", "")
    );
    assert_eq!(foreign.config(), before, "it was only tried");

    let header = ["--header", "X-Team=seven"];
    let kept = foreign.frontdesk(&["connect", &url, "--name", "other", header[0], header[1]]);
    assert_eq!(kept.code, Some(0), "{kept:?}");
    assert!(
        kept.stderr.contains("added as [servers.other] in "),
        "{kept:?}"
    );
    assert!(foreign.config().starts_with(&before), "with its comments");
    let called = foreign.frontdesk(&["call", "other", "say", "text=a"]);
    assert_eq!(called.json(), "a it is");
    assert_eq!(foreign.last_header("x-team").as_deref(), Some("seven"));

    let config = foreign.config();
    foreign
        .frontdesk(&["connect", &url, "--name", "other"])
        .fails(2, "a server `other` already exists");
    foreign
        .frontdesk(&["connect", &url, "--name", "events"])
        .fails(2, "`events` is a host of the service");
    foreign.go_down();
    foreign
        .frontdesk(&["connect", &url, "--name", "later"])
        .fails(6, "cannot be reached");
    assert_eq!(foreign.config(), config, "what fails is not kept");
}

#[test]
fn connect_keeps_a_server_that_wants_a_sign_in_because_that_goes_by_its_name() {
    let foreign = Foreign::guarded();
    foreign
        .frontdesk(&["connect", &foreign.url(), "--name", "closed"])
        .fails(3, "`frontdesk login --server closed` does that");
    assert!(foreign.config().contains("[servers.closed]\n"));
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_line() {
    let foreign = Foreign::start();
    foreign.write_config("[servers.stub]\nurl = \"nowhere\"\n");
    foreign
        .frontdesk(&["tools", "stub"])
        .fails(2, "config.toml:1: `nowhere` is not the address of a server");
}

#[test]
fn a_token_comes_from_the_environment_or_its_absence_is_told() {
    let foreign = Foreign::start();
    let url = foreign.url();
    foreign
        .frontdesk(&["connect", &url, "--token-env", "NO_SUCH_TOKEN"])
        .fails(
            3,
            "the variable NO_SUCH_TOKEN that holds the token is not set",
        );
    let mut command = foreign.command(&["connect", &url, "--token-env", "STUB_TOKEN"]);
    let ended = foreign.end(command.env("STUB_TOKEN", "hunter2"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let sent = foreign.last_header("authorization");
    assert_eq!(sent.as_deref(), Some("Bearer hunter2"));
}

#[test]
fn a_sign_in_takes_the_pasted_answer() {
    let foreign = Foreign::guarded();
    let call = ["call", "stub", "say", "text=a"];
    foreign.frontdesk(&call).fails(3, "not signed in to stub");

    let mut login = foreign
        .command(&["login", "--server", "stub"])
        .spawn()
        .expect("it starts");
    let mut told = BufReader::new(login.stderr.take().expect("its stderr")).lines();
    let address = told.find_map(|line| line.ok().filter(|line| line.starts_with("http")));
    let address = address.expect("the address to open");
    let state = address.split("state=").nth(1).expect("a state");
    let state = state.split('&').next().expect("a state");
    let mut input = login.stdin.take().expect("its stdin");
    let answer = format!("http://127.0.0.1:1/callback?code=the-code&state={state}");
    writeln!(input, "{answer}").expect("it reads");
    let mut said = String::new();
    let mut output = login.stdout.take().expect("its stdout");
    output.read_to_string(&mut said).expect("it is text");
    assert_eq!(login.wait().expect("it ends").code(), Some(0));
    assert_eq!(said, "Signed in to stub\n");

    assert_eq!(foreign.frontdesk(&call).json(), "a it is");
    let left = foreign.frontdesk(&["logout", "--server", "stub"]);
    assert_eq!(left.stdout, "Signed out of stub.\n");
    foreign.frontdesk(&call).fails(3, "not signed in to stub");
}

#[test]
fn hosts_lists_the_servers_that_are_configured_without_asking_them() {
    let foreign = Foreign::start();
    foreign.go_down();
    let listed = foreign.frontdesk(&["hosts"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let lines: Vec<Vec<_>> = listed
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let url = foreign.url();
    assert_eq!(
        lines,
        [
            vec!["gone", "process", "no-such-program"],
            vec!["stub", "server", url.as_str()]
        ]
    );
}

#[test]
fn the_names_of_servers_are_completed() {
    let foreign = Foreign::start();
    let mut command = foreign.command(&["--", "frontdesk", "call", "st"]);
    let command = command
        .env("COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", "2")
        .env("_CLAP_IFS", "\n");
    let offered = foreign.end(command).stdout;
    let offered: Vec<_> = offered.lines().collect();
    assert_eq!(offered, ["staff", "studio", "strategy", "stub"]);
}
