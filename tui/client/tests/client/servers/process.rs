//! A server in a process: this test binary, started again as a server.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

use frontdesk_client::config::servers::{CommandServer, ServerConfig};
use frontdesk_client::{CallError, Content, Doubt, Notice, Secret, Server};
use serde_json::{Map, Value, json};

/// The role of the child process; without it, this is an ordinary test run.
const PART: &str = "SERVER_IN_A_TEST";

pub(super) fn server(part: &str, more: &[(&str, &str)], cwd: Option<&Path>) -> Server {
    let program = std::env::current_exe().unwrap();
    let command = [
        program.to_str().unwrap(),
        "servers::process::plays_its_part",
        "--exact",
        "--ignored",
        "--nocapture",
    ];
    let mut config = CommandServer::new(command.map(str::to_owned).to_vec()).unwrap();
    let variables = more.iter().copied().chain([(PART, part)]);
    config.env = variables
        .map(|(name, value)| (name.to_owned(), Secret::new(value)))
        .collect::<BTreeMap<_, _>>();
    config.cwd = cwd.map(Path::to_owned);
    Server::new("child", &ServerConfig::Command(config), None).unwrap()
}

/// The server process. The test harness prints to stdout first, like some servers.
#[test]
#[ignore = "it is what the other tests start"]
fn plays_its_part() {
    let Ok(part) = std::env::var(PART) else {
        return;
    };
    if part == "fails" {
        writeln!(std::io::stderr(), "the licence has ended").unwrap();
        std::process::exit(3);
    }
    let mut stdout = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let result = match request["method"].as_str().unwrap() {
            "initialize" => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "child", "version": "1" },
            }),
            "tools/call" if part == "dies" || part == "leaves a child" => {
                if part != "dies" {
                    // It holds the pipes.
                    let mut shell = std::process::Command::new("sh");
                    shell.args(["-c", "sleep 1000 &"]).status().unwrap();
                }
                writeln!(std::io::stderr(), "the disk is full").unwrap();
                std::process::exit(4)
            }
            "tools/call" if part == "odd" => {
                stdout.write_all(&odd(&request)).unwrap();
                stdout.flush().unwrap();
                continue;
            }
            "tools/call" => {
                let changed =
                    json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
                writeln!(stdout, "{changed}").unwrap();
                let about = json!({
                    "id": std::process::id(),
                    "secret": std::env::var("SECRET").unwrap_or_default(),
                    "cwd": std::env::current_dir().unwrap(),
                    "arguments": request["params"]["arguments"],
                });
                json!({ "content": [{ "type": "text", "text": about.to_string() }] })
            }
            "server/discover" => {
                let error = json!({ "code": -32601, "message": "no such method" });
                let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "error": error });
                writeln!(stdout, "{answer}").unwrap();
                continue;
            }
            _ => continue,
        };
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        writeln!(stdout, "{answer}").unwrap();
        stdout.flush().unwrap();
    }
    // A server that does not end when asked.
    if part == "lingers" {
        loop {
            std::thread::park();
        }
    }
}

/// The answer of an odd program to a call; the tool names the oddity.
fn odd(request: &Value) -> Vec<u8> {
    let id = &request["id"];
    let result = json!({ "content": [{ "type": "text", "text": "said" }] });
    let answer = json!({ "jsonrpc": "2.0", "id": id, "result": result });
    let with = |text: &str| answer.to_string().replace("said", text);
    let deep = "[".repeat(200) + &"]".repeat(200);
    let line = match request["params"]["name"].as_str().unwrap() {
        "null error" => with("said").replacen('{', "{\"error\":null,", 1),
        "batch" => format!("[{answer}]"),
        "pretty" => serde_json::to_string_pretty(&answer).unwrap(),
        "mark" => format!("\u{feff}{answer}\r"),
        "text id" => json!({ "id": id.to_string(), "result": result }).to_string(),
        "float id" => format!("{{\"id\":{id}.0,\"result\":{result}}}"),
        "tab" => with("sa\tid"),
        "half" => with("said \\ud83d"),
        "nan" => with("said").replacen("{\"content\"", "{\"n\":NaN,\"content\"", 1),
        "chatty" => format!("[info] {{\n{{ loading\n{answer}"),
        "latin-1" => {
            let mut line = with("said caf#").into_bytes();
            line.iter_mut()
                .filter(|byte| **byte == b'#')
                .for_each(|byte| *byte = 0xe9);
            return [line, b"\n".to_vec()].concat();
        }
        "both" => with("said").replacen('{', "{\"error\":{\"code\":1,\"message\":\"no\"},", 1),
        "python" => format!("{{'jsonrpc': '2.0', 'id': {id}, 'result': {{}}}}"),
        "cut" => with("said").split_at(60).0.to_owned(),
        "huge" => with(&"a".repeat(16 * 1024 * 1024 + 1)),
        "deep" => with("said").replace("\"said\"", &deep),
        "error without id" => r#"{"id":null,"error":{"code":-32700,"message":"what?"}}"#.to_owned(),
        other => panic!("{other}"),
    };
    format!("{line}\n").into_bytes()
}

#[tokio::test]
async fn a_line_is_read_or_shown_at_once() {
    let server = server("odd", &[], None);
    for (kind, said) in [
        ("null error", "said"),
        ("batch", "said"),
        ("pretty", "said"),
        ("mark", "said"),
        ("text id", "said"),
        ("float id", "said"),
        ("tab", "sa\tid"),
        ("half", "said \u{fffd}"),
        ("nan", "said"),
        ("chatty", "said"),
        ("latin-1", "said caf\u{e9}"),
    ] {
        let called = server.call_raw(kind, Map::new()).await;
        let content = called.map(|called| called.content);
        assert_eq!(content, Ok(vec![Content::Text(said.to_owned())]), "{kind}");
    }
    for (kind, said) in [
        ("both", "it has both a result and an error: {\"error\""),
        ("python", "it is not JSON"),
        ("cut", "it is not JSON (EOF"),
        ("deep", "recursion limit exceeded"),
        ("huge", "it is larger than 16 MiB"),
        ("error without id", "what?"),
    ] {
        let error = server.call_raw(kind, Map::new()).await.unwrap_err();
        assert!(error.to_string().contains(said), "{kind}: {error}");
    }
    server.close().await;
}

async fn about(server: &Server) -> Value {
    let called = server.call_raw("look", Map::new()).await.unwrap();
    let [Content::Text(text)] = called.content.as_slice() else {
        panic!("{called:?}");
    };
    serde_json::from_str(text).unwrap()
}

#[cfg(target_os = "linux")]
fn runs(about: &Value) -> bool {
    Path::new(&format!("/proc/{}", about["id"])).exists()
}

#[tokio::test]
async fn it_is_started_as_configured_and_called() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path().canonicalize().unwrap();
    let server = server("serves", &[("SECRET", "hunter2")], Some(&directory));
    let mut notices = server.notices();
    let told = server.about().await.unwrap();
    assert_eq!(
        (told.name.as_deref(), told.protocol.as_str()),
        (Some("child"), "2025-11-25")
    );
    let about = about(&server).await;
    assert_eq!(about["secret"], "hunter2");
    assert_eq!(about["cwd"], directory.to_str().unwrap());
    assert_eq!(notices.recv().await.unwrap(), Notice::ToolsChanged);
    server.close().await;
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_ends_when_it_is_closed_even_if_it_does_not_want_to() {
    for part in ["serves", "lingers"] {
        let server = server(part, &[], None);
        let about = about(&server).await;
        assert!(runs(&about), "{part}");
        server.close().await;
        assert!(!runs(&about), "{part}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn it_ends_with_the_program_that_started_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = server("lingers", &[], None);
    let about = runtime.block_on(about(&server));
    assert!(runs(&about));
    drop(runtime);
    assert!(!runs(&about));
}

#[tokio::test]
async fn one_that_fails_has_told_why() {
    let error = server("fails", &[], None).about().await.unwrap_err();
    let CallError::Unreachable { reason, .. } = error else {
        panic!("{error}");
    };
    assert!(reason.contains("exit status: 3"), "{reason}");
    assert!(reason.contains("the licence has ended"), "{reason}");
}

#[tokio::test]
async fn one_that_dies_during_a_call_leaves_its_outcome_unknown_and_is_started_again() {
    let parts = match cfg!(unix) {
        true => vec!["dies", "leaves a child"],
        false => vec!["dies"],
    };
    for part in parts {
        let server = server(part, &[], None);
        let error = server.call_raw("write", Map::new()).await.unwrap_err();
        let CallError::OutcomeUnknown(Doubt { reason, .. }) = error else {
            panic!("{error}");
        };
        let end = "it ended (exit status: 4) and said: the disk is full";
        assert_eq!(reason.replace("running 1 test / ", ""), end, "{part}");
        server.about().await.unwrap();
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_cannot_be_reached() {
    let config = CommandServer::new(vec!["no-such-program".to_owned()]).unwrap();
    let server = Server::new("gone", &ServerConfig::Command(config), None).unwrap();
    let error = server.tools().await.unwrap_err();
    let CallError::Unreachable { host, reason } = error else {
        panic!("{error}");
    };
    assert_eq!(host, "no-such-program");
    assert!(reason.starts_with("cannot be started"), "{reason}");
}
