//! Calls with expectations, comparisons of servers, and traces that are played again.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use frontdesk_tests::odd;
use serde_json::{Value, json};

use super::child;
use super::foreign::Foreign;

#[test]
fn a_call_is_compared_with_what_is_expected() {
    let foreign = Foreign::start();
    let list = |more: &[&str]| foreign.frontdesk(&[&["call", "stub", "list"], more].concat());
    let met = list(&[
        "--expect",
        "files[1].name=b,c",
        "--expect",
        "files[0].bytes:=1",
    ]);
    assert_eq!(met.json()["files"][1]["name"], "b,c");
    let unmet = list(&["--expect", "files[0].name=b", "--expect", "files[7].name=b"]);
    assert_eq!(unmet.code, Some(10), "{unmet:?}");
    let said = "frontdesk: files[0].name is “a”, not “b”\nfrontdesk: files[7].name is missing\n";
    assert!(unmet.stderr.starts_with(said), "{unmet:?}");
    assert!(
        unmet.stdout.contains("b,c"),
        "the result is shown: {unmet:?}"
    );
    list(&["--expect", "files:=["]).fails(2, "is not JSON");
    list(&["--expect", "one", "--expect", "two"]).fails(2, "--expect takes one digest");
    assert_eq!(foreign.called(), 2, "wrong usage calls nothing");
}

const CALLS: &str = r#"
server = "stub"

[[call]]
tool = "say"
arguments = { text = "a" }
expect = { "" = "a it is" }

[[call]]
name = "two files"
tool = "list"
expect = { "files[0].name" = "a", "files[1].bytes" = 3 }

[[call]]
tool = "refuse"
error = "no such file"

[[call]]
tool = "whisper"
"#;

const OFFERS: &str = r#"
[[call]]
resource = "demo://menu"
expect = { "contents[0].text" = "Soup" }

[[call]]
prompt = "greet"
arguments = { who = "Ana" }
expect = { "messages[0].content.text" = "Greet Bia" }
"#;

#[test]
fn resources_and_prompts_are_compared_as_well() {
    let foreign = Foreign::start();
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("offers.toml");
    std::fs::write(&file, OFFERS).expect("it is written");
    let path = file.to_str().expect("text");
    let checked = foreign.with_program(child::SERVES, &["check", path]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    for said in [
        "ok      demo://menu",
        "FAILED  greet",
        "is “Greet Ana”, not “Greet Bia”",
    ] {
        assert!(checked.stdout.contains(said), "{said}: {checked:?}");
    }
}

#[test]
fn the_calls_of_a_file_are_compared_and_reported_for_ci() {
    let foreign = Foreign::start();
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| {
        directory
            .path()
            .join(name)
            .to_str()
            .expect("text")
            .to_owned()
    };
    let (calls, report) = (path("calls.toml"), path("report.xml"));
    std::fs::write(&calls, CALLS).expect("it is written");
    let checked = foreign.frontdesk(&["check", &calls, "--junit", &report]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert_eq!(
        checked.stderr,
        "frontdesk: 2 of 4 calls are not as expected\n"
    );
    let words = |line: &str| {
        line.trim_end_matches(char::is_alphabetic)
            .trim_end()
            .trim_end_matches(char::is_numeric)
            .to_owned()
    };
    let lines: Vec<_> = checked.stdout.lines().map(words).collect();
    assert_eq!(lines.len(), 6, "{lines:?}");
    assert!(checked.stdout.contains("FAILED  two files"), "{checked:?}");
    assert!(
        checked
            .stdout
            .contains("\n        files[1].bytes is 2, not 3\n"),
        "{checked:?}"
    );
    assert!(
        checked
            .stdout
            .contains("        there is no tool whisper\n"),
        "{checked:?}"
    );
    let report = std::fs::read_to_string(&report).expect("it is written");
    assert!(
        report.contains("tests=\"4\"") && report.contains("failures=\"2\""),
        "{report}"
    );
    assert!(report.contains("files[1].bytes is 2, not 3"), "{report}");
    let json = foreign.frontdesk(&["check", &calls, "--json"]);
    let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        (&json[0]["ok"], &json[1]["unmet"][0]),
        (&json!(true), &json!("files[1].bytes is 2, not 3"))
    );
    let called = foreign.called();
    foreign
        .frontdesk(&["check", &calls, "--read-only"])
        .fails(2, "say writes, and --read-only is given");
    for (text, said) in [
        ("server = \"stub\"", "it has no [[call]]"),
        (
            "server = \"stub\"\n[[call]]\ntool = \"say\"\nprompt = \"a\"",
            "[[call]] 1 needs a tool, a resource or a prompt",
        ),
        (
            "server = \"stub\"\n[[call]]\nresource = \"a:b\"\narguments = { a = 1 }",
            "a resource takes no arguments",
        ),
        ("[[call]]\ntool = \"say\"", "has no `server = \"NAME\"`"),
        (
            "[[call]]\ntool = \"say\"\nexpects = 1",
            "unknown field `expects`",
        ),
    ] {
        std::fs::write(&calls, text).expect("it is written");
        foreign.frontdesk(&["check", &calls]).fails(2, said);
    }
    assert_eq!(foreign.called(), called, "nothing was called");
}

#[test]
fn two_servers_are_compared_by_what_they_list() {
    let (foreign, address) = (Foreign::start(), odd::start());
    let [one, more] = ["fine", "cursor-circles"].map(|way| format!("{address}/{way}"));
    let same = foreign.frontdesk(&["diff", &one, &one]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), ""), "{same:?}");
    let other = foreign.frontdesk(&["diff", &one, &more]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert_eq!(other.stdout, "+ tools more\n+ tools most\n");
    let stub = foreign.frontdesk(&["diff", &one, "stub", "--json"]);
    let stub: Value = serde_json::from_str(&stub.stdout).expect("JSON");
    assert_eq!(stub["tools"]["removed"], json!(["order"]));
    assert_eq!(stub["tools"]["changed"][0]["name"], "say");
    let lines = foreign.frontdesk(&["diff", &one, "stub"]).stdout;
    assert!(
        lines.contains("! tools say\n") && lines.contains("    +   \"description\""),
        "{lines}"
    );
}

/// The command line of a server that plays this trace.
fn replays(foreign: &Foreign, trace: &str, arguments: &[&str]) -> crate::commands::stage::Ended {
    let mut command = foreign.command(arguments);
    let program = command.get_program().to_owned();
    command.arg("--").arg(program).args(["replay", trace]);
    foreign.end(&mut command)
}

#[test]
fn a_trace_answers_as_its_server_did() {
    let foreign = Foreign::start();
    let directory = tempfile::tempdir().expect("a directory");
    let trace = directory.path().join("trace.jsonl");
    let trace = trace.to_str().expect("text");
    let traced = |arguments: &[&str]| foreign.frontdesk(&[&["--trace", trace], arguments].concat());
    for call in [
        &["call", "stub", "draw"][..],
        &["call", "stub", "say", "text=a"],
        &["tools", "stub"],
    ] {
        let real = traced(call);
        let rest: Vec<&str> = call
            .iter()
            .copied()
            .filter(|word| *word != "stub")
            .collect();
        let played = replays(&foreign, trace, &rest);
        let names = |text: &str| {
            text.split_whitespace()
                .skip(1)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match call[0] {
            "tools" => assert_eq!(names(&played.stdout).first(), names(&real.stdout).first()),
            _ => assert_eq!(played.stdout, real.stdout, "{played:?}"),
        }
    }
    traced(&["call", "stub", "say", "text=a"]);
    replays(&foreign, trace, &["call", "say", "text=b"])
        .fails(5, "the trace has no such request: tools/call say");
    // The same of a process.
    let mut command = foreign.command(&["--trace", trace, "call", "say", "text=hi"]);
    command
        .arg("--")
        .args(child::command())
        .env(child::PART, child::SERVES);
    assert_eq!(foreign.end(&mut command).json(), json!("hi it is"));
    assert_eq!(
        replays(&foreign, trace, &["call", "say", "text=hi"]).json(),
        json!("hi it is")
    );
    std::fs::write(trace, "no trace\n").expect("it is written");
    let refused = foreign.frontdesk(&["replay", trace]);
    refused.fails(2, "line 1 is no message of a trace");
}

/// A server that plays this trace at an address, until it is dropped.
struct Playing {
    child: Child,
    address: String,
}

impl Playing {
    fn start(foreign: &Foreign, trace: &str) -> Self {
        let mut command = foreign.command(&["replay", trace, "--port", "0"]);
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("it is started");
        let stdout = child.stdout.as_mut().expect("it is piped");
        let mut address = String::new();
        let read = BufReader::new(stdout).read_line(&mut address);
        read.expect("its address");
        let address = address.trim().to_owned();
        Playing { child, address }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_trace_of_each_transport_plays_on_each_with_its_questions() {
    let foreign = Foreign::start();
    let directory = tempfile::tempdir().expect("a directory");
    let [first, second] = ["first", "second"].map(|name| directory.path().join(name));
    let [first, second] = [&first, &second].map(|path| path.to_str().expect("text"));
    let call = ["call", "ask", "-o", "text", "--answer", "name=Ana"];
    let traced = foreign.with_program(child::ODD, &[&call[..], &["--trace", first]].concat());
    let said = traced.json();
    assert_eq!(said["content"]["name"], "Ana", "{traced:?}");

    // At an address, from the trace of a process, and the same traced once more.
    let playing = Playing::start(&foreign, first);
    let at = |name: &str, more: &[&str]| {
        let call = ["call", &playing.address, "ask", "-o", "text"];
        let answer = ["--answer", name];
        foreign.frontdesk(&[&call[..], &answer, more].concat())
    };
    assert_eq!(at("name=Ana", &["--trace", second]).json(), said);
    at("name=Bia", &[]).fails(5, "the trace has another answer to the question");
    foreign
        .frontdesk(&["call", &playing.address, "ask", "bare:=true"])
        .fails(5, "the trace has no such request: tools/call ask");

    // As a process, from the trace of each.
    for trace in [first, second] {
        let played = replays(&foreign, trace, &call);
        assert_eq!(played.json(), said, "{played:?}");
    }
}

#[test]
fn unchecked_arguments_are_left_to_the_server() {
    let foreign = Foreign::start();
    let say = |more: &[&str]| foreign.frontdesk(&[&["call", "stub", "say"], more].concat());
    say(&["text:=7"]).fails(2, "text must be text");
    let nope = ["call", "stub", "nope", "a=1"];
    foreign.frontdesk(&nope).fails(2, "has no tool `nope`");
    assert_eq!(foreign.called(), 0, "nothing was called");
    let said = say(&["text=7", "loudly:=true", "--unchecked"]);
    assert_eq!(said.json(), "7 it is", "a text stays a text");
    let unlisted = foreign.frontdesk(&[&nope[..], &["--unchecked"]].concat());
    unlisted.fails(5, "no such file");
    assert_eq!(foreign.called(), 2);
    let mut read_only = foreign.command(&[&nope[..], &["--unchecked", "--read-only"]].concat());
    foreign
        .end(&mut read_only)
        .fails(2, "nope writes, and --read-only is given");
}
