//! A tool that asks during a call.

use serde_json::{Value, json};

use super::child;
use super::foreign::Foreign;

/// What the server writes when the tool `ask` is called, and when its question is answered; `None`
/// for other messages.
pub(super) fn turn(message: &Value) -> Option<Value> {
    let answer = |id: &Value, text: String| {
        let result = json!({ "content": [{ "type": "text", "text": text }] });
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    };
    // The question has the id of the call, with a mark.
    if let Some(call) = message["id"]
        .as_str()
        .and_then(|id| id.strip_prefix("question of "))
    {
        let call: Value = serde_json::from_str(call).expect("an id");
        return Some(answer(&call, message["result"].to_string()));
    }
    if message["params"]["name"] != "ask" {
        return None;
    }
    if message["params"]["arguments"]["bare"] == true {
        return Some(json!({
            "jsonrpc": "2.0", "id": format!("question of {}", message["id"]),
            "method": "elicitation/create",
            "params": { "message": "Delete all?", "requestedSchema": { "type": "object", "properties": {} } },
        }));
    }
    let schema = json!({ "type": "object", "required": ["name", "size"], "properties": {
        "name": { "type": "string" }, "age": { "type": "integer" },
        "size": { "type": "string", "enum": ["s", "m"], "default": "m" },
    } });
    Some(json!({
        "jsonrpc": "2.0", "id": format!("question of {}", message["id"]),
        "method": "elicitation/create",
        "params": { "message": "Who are you?", "requestedSchema": schema },
    }))
}

#[test]
fn a_question_is_answered_from_the_command_line_or_declined() {
    let foreign = Foreign::start();
    let ask = |more: &[&str]| {
        foreign.with_program(child::ODD, &[&["call", "ask", "-o", "text"], more].concat())
    };
    let answered = ask(&["--answer", "name=Ana", "--answer", "age=7"]);
    assert_eq!(
        answered.json(),
        json!({ "action": "accept", "content": { "size": "m", "name": "Ana", "age": 7 } }),
        "{answered:?}"
    );
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "{\"name\": \"Bia\", \"unasked\": 1}").expect("it is written");
    let path = file.path().to_str().expect("text");
    let answered = ask(&["--answers", path, "--answer", "size=s"]);
    assert_eq!(
        answered.json()["content"],
        json!({ "size": "s", "name": "Bia" }),
        "{answered:?}"
    );
    let declined = ask(&["--answer", "age=7"]);
    assert_eq!(declined.json(), json!({ "action": "decline" }));
    let said = "declined “Who are you?”: name is required; --answer name=value answers it";
    assert!(declined.stderr.contains(said), "{declined:?}");
    assert_eq!(ask(&[]).json(), json!({ "action": "decline" }));

    // A question without fields is not agreed to with answers to others.
    let declined = ask(&["bare:=true", "--answer", "name=Ana"]);
    assert_eq!(
        declined.json(),
        json!({ "action": "decline" }),
        "{declined:?}"
    );
    assert!(
        declined.stderr.contains("it asks for a yes"),
        "{declined:?}"
    );
    std::fs::write(file.path(), "{}").expect("it is written");
    let agreed = ask(&["bare:=true", "--answers", path]);
    assert_eq!(agreed.json()["action"], "accept", "{agreed:?}");
}
