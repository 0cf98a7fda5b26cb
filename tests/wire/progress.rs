//! Progress of a call: reported to a client that sent a token, before the result.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, Waiting};
use serde_json::{Value, json};

use super::sessionless::request_of;

/// A batch of this many reads.
fn reads(number: usize) -> Value {
    let calls = vec![json!({ "tool": "list_events", "arguments": {} }); number];
    json!({ "host": "events", "calls": calls })
}

fn params(tool: &str, arguments: &Value, token: &Value) -> Value {
    json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": token } })
}

/// What is told before the answer, and that.
fn heard(mut stream: Waiting) -> (Vec<Value>, Value) {
    let mut told = Vec::new();
    loop {
        let message = stream.message();
        if message["method"] != "notifications/progress" {
            return (told, message);
        }
        told.push(message["params"].clone());
    }
}

/// Whether an answer is one JSON message.
fn is_plain(answer: &Answer) -> bool {
    answer.header("content-type") == "application/json"
}

/// The stream that answers a batch: in a session of a revision, or in the revision without.
fn streams(owner: &Http, token: &Value) -> [Waiting; 2] {
    let params = params("run_batch", &reads(40), token);
    let mut session = owner.speaking(Host::Ops, "2025-06-18");
    let request = request_of(owner.post(Host::Ops), "tools/call", params.clone());
    [session.wait(Host::Ops, params), owner.listen_to(request)]
}

#[test]
fn a_batch_tells_a_client_with_a_token_how_far_it_is() {
    let owner = Organization::create().sign_in(Role::Owner);
    for token in [json!("batch"), json!(7)] {
        for stream in streams(&owner, &token) {
            let (told, last) = heard(stream);
            let done: Vec<_> = told
                .iter()
                .filter_map(|it| it["progress"].as_u64())
                .collect();
            assert_eq!(done, (0..40).collect::<Vec<_>>());
            assert!(told.iter().all(|it| it["progressToken"] == token));
            assert!(told.iter().all(|it| it["total"] == 40));
            let results = &last["result"]["structuredContent"]["results"];
            assert_eq!(results.as_array().map(Vec::len), Some(40), "{last}");
        }
    }
}

#[test]
fn an_undo_tells_what_it_does() {
    let mut owner = Organization::create().sign_in(Role::Owner);
    let made = owner.call(Host::Work, "create_project", json!({ "name": "Hut" }));
    let change = made.result()["_meta"]["frontdesk/change"].clone();
    let undo = params("undo_change", &json!({ "change_id": change }), &json!("u"));
    let (told, last) = heard(owner.wait(Host::Ops, undo));
    let told: Vec<_> = told
        .iter()
        .filter_map(|it| it["message"].as_str())
        .collect();
    assert_eq!(
        told,
        [
            "looking for later changes",
            "checking the rights",
            "restoring"
        ]
    );
    assert_eq!(last["result"]["isError"], false, "{last}");
}

#[test]
fn what_is_done_at_once_is_answered_plainly_whatever_the_token() {
    let mut owner = Organization::create().sign_in(Role::Owner);
    let few = reads(3);
    for (tool, arguments) in [("run_batch", &few), ("get_context", &json!({}))] {
        let params = params(tool, arguments, &json!("few"));
        let answer = owner.rpc(Host::Ops, "tools/call", params);
        assert!(is_plain(&answer));
        answer.output();
    }
    let many = json!({ "name": "run_batch", "arguments": reads(40) });
    assert!(is_plain(&owner.rpc(Host::Ops, "tools/call", many)));
    let wrong = owner.rpc(
        Host::Ops,
        "tools/call",
        params("run_batch", &few, &json!({ "a": 1 })),
    );
    let error = &wrong.body["error"];
    assert_eq!(error["code"], -32602, "{error}");
}

#[test]
fn a_call_that_waits_for_a_person_gives_a_sign() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let mut http = owner.speaking_with(Host::Staff, "2025-11-25", json!({ "elicitation": {} }));
    let link = json!({ "id": organization.user(Role::Teacher) });
    let link = params("issue_password_link", &link, &json!("link"));
    let mut waiting = http.wait(Host::Staff, link);
    let question = waiting.message();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    let sign = waiting.message();
    let said = json!({ "progressToken": "link", "progress": 0.001, "message": "waiting for a person's answer" });
    assert_eq!(sign["params"], said, "{sign}");
    let no = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } });
    http.send(Host::Staff, no.to_string());
    assert_eq!(waiting.message()["result"]["isError"], true);
}
