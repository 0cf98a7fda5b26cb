//! A server in a process: this test binary, started again as a server.

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// The variable with the role of the process; without it, this is an ordinary test run.
pub(super) const PART: &str = "SERVER_IN_A_TEST";
/// It has a tool that repeats a text.
pub(super) const SERVES: &str = "serves";
/// It has odd tools ([`super::odd`]).
pub(super) const ODD: &str = "odd";
/// It does not answer what it does not know.
pub(super) const IGNORES: &str = "ignores";
/// It ends during a call, which only reads.
pub(super) const DIES: &str = "dies";
/// It ends at a request that it does not know, and says less of itself than it should.
pub(super) const NERVOUS: &str = "nervous";
/// It reads and never answers.
pub(super) const SILENT: &str = "silent";

/// The command that starts it.
pub(super) fn command() -> Vec<String> {
    let program = std::env::current_exe().expect("this test is a file");
    let program = program.to_str().expect("text").to_owned();
    let test = "commands::servers::child::plays_its_part".to_owned();
    let options = ["--exact", "--ignored", "--nocapture"].map(str::to_owned);
    [program, test].into_iter().chain(options).collect()
}

#[test]
#[ignore = "it is what the other tests start"]
fn plays_its_part() {
    let Ok(part) = std::env::var(PART) else {
        return;
    };
    if part == SILENT {
        writeln!(std::io::stderr(), "reading the index").expect("it is written");
    }
    let lines = std::io::stdin().lock().lines();
    for line in lines.map_while(Result::ok).filter(|_| part != SILENT) {
        let request: Value = serde_json::from_str(&line).expect("JSON");
        if let Some(message) = super::questions::turn(&request) {
            let mut stdout = std::io::stdout();
            writeln!(stdout, "{message}").expect("it is written");
            continue;
        }
        let result = match request["method"].as_str().expect("a method") {
            "server/discover" if part == NERVOUS => std::process::exit(3),
            "initialize" if part == NERVOUS => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": { "tools": {} }, "serverInfo": { "name": "child" },
            }),
            "initialize" => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "child", "version": "1" },
            }),
            "tools/list" if part == ODD => super::odd::tools(),
            "tools/call" if part == ODD => {
                let mut stdout = std::io::stdout();
                writeln!(stdout, "{}", super::odd::answer(&line, &request)).expect("it is written");
                stdout.flush().expect("it is written");
                continue;
            }
            "tools/list" => json!({ "tools": [{ "name": "say", "inputSchema": {
                "type": "object", "required": ["text"],
                "properties": { "text": { "type": "string" } },
            }, "annotations": { "readOnlyHint": part == DIES } }] }),
            "tools/call" if part == DIES => {
                writeln!(std::io::stderr(), "the disk is full").expect("it is written");
                std::process::exit(4)
            }
            "tools/call" => {
                let text = &request["params"]["arguments"]["text"];
                let text = format!("{} it is", text.as_str().expect("a text"));
                json!({ "content": [{ "type": "text", "text": text }] })
            }
            _ => match super::offers::answer(&request) {
                Some(result) => result,
                None if request["id"].is_null() || part == IGNORES => continue,
                None => {
                    let error = json!({ "code": -32601, "message": "no such method" });
                    let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "error": error });
                    let mut stdout = std::io::stdout();
                    writeln!(stdout, "{answer}").expect("it is written");
                    continue;
                }
            },
        };
        let answer = json!({ "jsonrpc": "2.0", "id": request["id"], "result": result });
        let mut stdout = std::io::stdout();
        writeln!(stdout, "{answer}").expect("it is written");
        stdout.flush().expect("it is written");
    }
}
