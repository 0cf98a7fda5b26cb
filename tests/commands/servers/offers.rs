//! Resources, prompts and completion of another server.

use serde_json::{Value, json};

use super::child;
use super::foreign::Foreign;

/// The result of a request that is not about tools; `None` for any other.
pub(super) fn answer(request: &Value) -> Option<Value> {
    let params = &request["params"];
    Some(match request["method"].as_str()? {
        "resources/list" if params["cursor"].is_null() => json!({
            "resources": [{ "uri": "demo://menu", "name": "menu", "title": "The menu" }],
            "nextCursor": "2",
        }),
        "resources/list" => json!({ "resources": [{ "uri": "demo://plan", "name": "plan" }, {}] }),
        "resources/templates/list" => json!({
            "resourceTemplates": [{ "uriTemplate": "demo://tables/{table}", "name": "table" }],
        }),
        "resources/read" => match params["uri"].as_str()? {
            "demo://plan" => json!({ "contents": [
                { "uri": "demo://plan", "mimeType": "image/png", "blob": "TWFu" },
            ] }),
            uri => json!({ "contents": [{ "uri": uri, "text": "Soup" }] }),
        },
        "prompts/list" => json!({ "prompts": [{ "name": "greet", "description": "Greets.",
            "arguments": [{ "name": "who", "required": true }, { "name": "how" }] }] }),
        "prompts/get" => {
            let text = format!("Greet {}", params["arguments"]["who"].as_str()?);
            json!({ "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] })
        }
        "completion/complete" => {
            let begun = params["argument"]["value"].as_str()?;
            let known = params["context"]["arguments"]["how"]
                .as_str()
                .unwrap_or("well");
            json!({ "completion": { "values": [format!("{begun}a {known}")], "hasMore": true } })
        }
        _ => return None,
    })
}

#[test]
fn resources_are_listed_read_and_saved() {
    let foreign = Foreign::start();
    let run = |arguments: &[&str]| foreign.with_program(child::SERVES, arguments);
    let listed = run(&["resources"]);
    let lines: Vec<Vec<&str>> = listed
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        lines,
        [
            vec!["demo://menu", "The", "menu"],
            vec!["demo://plan", "plan"],
            vec!["demo://tables/{table}", "table"]
        ]
    );
    let listed = run(&["resources", "--json"]).json();
    assert_eq!(listed["resourceTemplates"][0]["name"], "table");
    assert_eq!(run(&["read", "demo://menu"]).stdout, "Soup\n");
    let read = run(&["read", "demo://menu", "-o", "json"]).json();
    assert_eq!(
        read,
        json!({ "contents": [{ "uri": "demo://menu", "text": "Soup" }] })
    );
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("plan.png");
    let path = file.to_str().expect("text");
    let saved = run(&["read", "demo://plan", "--save", path]);
    assert_eq!(saved.code, Some(0), "{saved:?}");
    assert_eq!(std::fs::read(file).expect("it is saved"), b"Man");
}

#[test]
fn prompts_are_listed_filled_in_and_completed() {
    let foreign = Foreign::start();
    let run = |arguments: &[&str]| foreign.with_program(child::SERVES, arguments);
    let listed = run(&["prompts"]).stdout;
    assert_eq!(
        listed.trim_end(),
        "greet who=… [how=…]                      Greets."
    );
    assert_eq!(run(&["prompt", "greet", "who=Ana"]).stdout, "Greet Ana\n");
    let messages = run(&["prompt", "greet", "who=Ana", "-o", "json"]);
    assert_eq!(messages.json()["messages"][0]["role"], "user");
    assert_eq!(messages.stderr, "");
    let completed = run(&["complete", "greet", "who=An", "how=loudly"]);
    assert_eq!(completed.stdout, "Ana loudly\n");
    assert!(completed.stderr.contains("there are more"), "{completed:?}");
}

#[test]
fn what_is_missing_is_said() {
    let foreign = Foreign::start();
    for (arguments, said) in [
        (
            vec!["read", "stub"],
            "the address of the resource is missing",
        ),
        (
            vec!["prompt", "stub", "greet", "who"],
            "`who` is not an argument; write name=value",
        ),
        (
            vec!["complete", "stub", "greet"],
            "the argument is missing; write name= and its beginning",
        ),
    ] {
        foreign.frontdesk(&arguments).fails(2, said);
    }
    assert_eq!(
        foreign.frontdesk(&["prompts", "stub"]).stdout,
        "",
        "it has none"
    );
}

#[test]
fn a_template_is_filled_in_before_it_is_read() {
    let foreign = Foreign::start();
    let read = |words: &[&str]| {
        let words = [&["read", "-o", "json"], words].concat();
        foreign.with_program(child::SERVES, &words)
    };
    let template = "demo://caf\u{e9}/{table}{?tag*}";
    for (words, uri) in [
        (vec!["table=7"], "demo://caf%C3%A9/7"),
        (vec!["table=\u{e9} 7"], "demo://caf%C3%A9/%C3%A9%207"),
        (
            vec!["table=7", "tag=a", "tag=b"],
            "demo://caf%C3%A9/7?tag=a&tag=b",
        ),
    ] {
        let words = [&[template], words.as_slice()].concat();
        assert_eq!(read(&words).json()["contents"][0]["uri"], uri, "{words:?}");
    }
    for (words, said) in [
        (
            vec![template],
            "table is missing; write table= and its value",
        ),
        (
            vec![template, "seat=7"],
            "has no variable `seat`; it has table, tag",
        ),
        (
            vec!["demo://menu", "seat=7"],
            "demo://menu has no variables; leave seat= out",
        ),
        (vec!["demo://{table"], "table is missing"),
        (vec!["demo://table}"], "demo://table} is not a template: "),
    ] {
        read(&words).fails(2, said);
    }
}
