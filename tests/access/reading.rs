//! A token that only reads: it writes by no tool and by no way.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::hosts::{AREAS, Made, offered};
use crate::access::stage::{changed, snapshot};

/// The bearer of a token of the same sign-in that only reads.
fn reading(http: &Http) -> Http {
    let token = minted(http);
    let token = token.body["access_token"].as_str().expect("a token");
    Http::with_token(&world().url(), token)
}

fn minted(http: &Http) -> Answer {
    let request = http.request(Method::POST, "/auth/v1/user/token");
    answer_to(request.bearer_auth(&http.token))
}

fn is_hidden(answer: &Answer) -> bool {
    answer
        .body
        .to_string()
        .contains("is hidden: this token only reads")
}

#[test]
fn a_token_that_only_reads_writes_by_no_tool_and_no_way() {
    for area in AREAS {
        let made = Made::new(area);
        let owner = made.organization.sign_in(Role::Owner);
        let mut reader = reading(&owner);
        let reads = area.host.tools().filter(|tool| tool.effect.read_only);
        let reads = reads.filter(|tool| tool.audience.contains(Role::Owner));
        let reads = reads.map(|tool| tool.name.to_owned()).collect();
        assert_eq!(offered(area.host, &mut reader), reads, "{}", area.host);
        let before = snapshot(&[made.organization.id]);
        for case in area.cases {
            let tool = area.host.tool(case.tool).expect(case.tool);
            let arguments = (case.arguments)(&made);
            if tool.effect.read_only {
                let read = reader.call(area.host, case.tool, arguments);
                assert!(!is_hidden(&read), "{}: {}", case.tool, read.body);
                continue;
            }
            let inner = json!({ "host": area.host, "tool": case.tool, "arguments": arguments });
            let mut applied = inner.clone();
            applied["expect"] = "changes:0000".into();
            let batch = json!({
                "host": area.host, "calls": [{ "tool": case.tool, "arguments": arguments }],
            });
            for (host, name, arguments) in [
                (area.host, case.tool, arguments),
                (Host::Ops, "preview_call", inner.clone()),
                (Host::Ops, "apply_call", applied),
                (Host::Ops, "run_batch", batch),
            ] {
                let answer = reader.call(host, name, arguments);
                assert!(
                    is_hidden(&answer),
                    "{} by {name}: {}",
                    case.tool,
                    answer.body
                );
            }
            let params = json!({ "name": "call_tool", "arguments": inner });
            let body =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
            let session = reader.session(Host::Ops);
            let request = reader.post_to("agents").header("mcp-session-id", session);
            let answer = answer_to(request.json(&body));
            let is_done = answer.body["result"]["isError"] == false;
            assert!(!is_done, "{} by call_tool: {}", case.tool, answer.body);
        }
        let written = changed(&before, &snapshot(&[made.organization.id]));
        assert!(written.is_empty(), "{}: {written:?}", area.host);
    }
}

#[test]
fn a_token_that_only_reads_gets_no_other_and_ends_with_its_sign_in() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let made = owner.call(Host::Work, "create_project", json!({ "name": "P" }));
    let change = made.result()["_meta"]["frontdesk/change"].clone();
    let mut reader = reading(&owner);
    let undo = json!({ "change_id": change });
    assert!(is_hidden(&reader.call(
        Host::Ops,
        "undo_change",
        undo.clone()
    )));
    assert_eq!(
        reader.call(Host::Work, "list_projects", json!({})).output()["projects"][0]["name"],
        "P"
    );
    assert_eq!(minted(&owner).body.get("refresh_token"), None);

    // Under /auth/v1 it reads the account, and nothing else.
    let request = |method: Method, path: &str, body: Value| {
        let request = reader.request(method, path).bearer_auth(&reader.token);
        answer_to(request.json(&body))
    };
    assert_eq!(
        request(Method::GET, "/auth/v1/user", json!({})).status,
        StatusCode::OK
    );
    for (method, path) in [
        (Method::POST, "/auth/v1/user/token"),
        (Method::PUT, "/auth/v1/user"),
        (Method::POST, "/auth/v1/user/link"),
        (Method::POST, "/auth/v1/user/factor"),
        (Method::PUT, "/auth/v1/user/factor"),
        (Method::DELETE, "/auth/v1/user/factor"),
        (Method::POST, "/auth/v1/logout"),
    ] {
        let body = json!({
            "current_password": "x", "password": "x", "code": "000000", "enrolment": "x",
        });
        let refused = request(method.clone(), path, body);
        assert_eq!(
            refused.status,
            StatusCode::FORBIDDEN,
            "{method} {path}: {}",
            refused.body
        );
        assert_eq!(
            refused.body["error_code"], "insufficient_scope",
            "{method} {path}"
        );
    }

    // It stores nothing for its session, and answers no question of a call that writes.
    let resource = json!({ "uri": "frontdesk://work/projects" });
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let refused = reader.rpc(Host::Work, method, resource.clone());
        assert_eq!(
            refused.status,
            StatusCode::FORBIDDEN,
            "{method}: {}",
            refused.body
        );
    }
    let mut asked = owner.speaking_with(Host::Ops, "2025-11-25", json!({ "elicitation": {} }));
    asked.token.clone_from(&reader.token);
    let answer = json!({ "jsonrpc": "2.0", "id": "a.1.0", "result": { "action": "accept" } });
    let refused = asked.send(Host::Ops, answer.to_string());
    assert_eq!(refused.status, StatusCode::FORBIDDEN, "{}", refused.body);

    let request = owner
        .request(Method::POST, "/auth/v1/logout")
        .bearer_auth(&owner.token);
    assert!(answer_to(request).status.is_success());
    let over = reader.initialize(Host::Work, "2025-11-25");
    assert_eq!(over.status, StatusCode::UNAUTHORIZED, "{}", over.body);
}
