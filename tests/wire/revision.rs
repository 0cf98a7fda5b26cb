//! Section 9: the protocol's revisions, and the features of each.

use frontdesk_protocol::mcp::Version;
use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Organization, answer_to};
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::session::in_session;

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

#[test]
fn a_revision_that_the_host_speaks_is_taken() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let answer = staff.initialize(Host::Events, version);
        let result = answer.result();
        assert_eq!(
            keys(result),
            [
                "capabilities",
                "instructions",
                "protocolVersion",
                "serverInfo"
            ]
        );
        assert_eq!(result["protocolVersion"], version);
        let offered = json!({
            "tools": {}, "resources": { "subscribe": true }, "prompts": {}, "completions": {},
            "experimental": { "frontdesk/preview": {} },
        });
        assert_eq!(result["capabilities"], offered);
        assert_eq!(result["serverInfo"]["name"], "frontdesk-events");
        let expected: &[&str] = if version < "2025-06-18" {
            &["name", "version"]
        } else {
            &["name", "title", "version"]
        };
        assert_eq!(keys(&result["serverInfo"]), expected, "{version}");
    }
}

#[test]
fn an_unknown_revision_is_answered_with_the_newest() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for version in [
        "2024-10-07",
        "2026-07-28",
        "2099-01-01",
        "1.0",
        "",
        "2025-06-18 ",
    ] {
        let answer = staff.initialize(Host::Events, version);
        assert_eq!(
            answer.result()["protocolVersion"],
            "2025-11-25",
            "{version:?}"
        );
    }
}

#[test]
fn a_tool_is_listed_with_the_fields_of_the_revision() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let oldest: &[&str] = &["description", "inputSchema", "name"];
    let annotated: &[&str] = &["annotations", "description", "inputSchema", "name"];
    for (version, expected) in [
        ("2024-11-05", oldest),
        ("2025-03-26", annotated),
        ("2025-06-18", annotated),
        ("2025-11-25", annotated),
    ] {
        let mut staff = staff.speaking(Host::Events, version);
        for asks in [false, true] {
            let params = json!({ "_meta": { "frontdesk/outputSchemas": asks } });
            let listed = staff.rpc(Host::Events, "tools/list", params);
            let tools = listed.result()["tools"].as_array().expect("tools").clone();
            assert_eq!(tools.len(), Host::Events.tools().count());
            let mut expected = expected.to_vec();
            if asks && version >= "2025-06-18" {
                expected.insert(4, "outputSchema");
            }
            for (tool, declared) in tools.iter().zip(Host::Events.tools()) {
                assert_eq!(keys(tool), expected, "{version}");
                let full = declared.to_listing();
                for key in &expected {
                    assert_eq!(tool[key], full[key], "{version} {} {key}", declared.name);
                }
            }
        }
    }
}

#[test]
fn a_result_is_structured_where_the_revision_knows_that() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let staff = organization.sign_in(Role::Staff);
    for version in Version::ALL {
        let mut staff = staff.speaking(Host::Events, version.name());
        let called = staff.events("get_event", json!({ "id": event }));
        let result = called.result();
        assert_eq!(result["isError"], false);
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1));
        assert_eq!(result["content"][0]["type"], "text");
        assert_eq!(called.text()["event"]["name"], "Launch");
        if version >= Version::V2025_06_18 {
            assert_eq!(keys(result), ["content", "isError", "structuredContent"]);
            assert_eq!(result["structuredContent"], called.text());
        } else {
            assert_eq!(keys(result), ["content", "isError"], "{version:?}");
        }
    }
}

#[test]
fn a_refusal_is_text_in_every_revision() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for version in Version::ALL {
        let mut staff = staff.speaking(Host::Events, version.name());
        let refused = staff.events("get_event", json!({ "id": "5" }));
        assert_eq!(
            keys(refused.result()),
            ["content", "isError"],
            "{version:?}"
        );
        refused.refuses("invalid_argument", "id");
        assert_eq!(keys(&refused.text()), ["error"]);
    }
}

#[test]
fn a_request_may_name_any_known_revision_and_no_other() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let session = staff.session(Host::Events);
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let naming = |version: &[u8]| {
        let request = in_session(&staff, &session).json(&ping);
        answer_to(request.header("mcp-protocol-version", version))
    };
    for version in Version::ALL {
        assert_eq!(naming(version.name().as_bytes()).status, StatusCode::OK);
    }
    for unknown in [&b"1999-01-01"[..], b"2025", b"", b"latest", b"\xff"] {
        let answer = naming(unknown);
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{unknown:?}");
        assert_eq!(answer.rpc_code(), -32600);
        assert_ne!(answer.body["error"]["message"], "No valid session");
    }
}

#[test]
fn one_revision_alone_has_batches() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let mut staff = staff.speaking(Host::Events, version);
        let answer = staff.send(Host::Events, batch);
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{version}");
        assert_eq!(answer.rpc_code(), -32600);
    }
    let mut staff = staff.speaking(Host::Events, "2025-03-26");
    let answer = staff.send(Host::Events, format!(" \n{batch}"));
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.body,
        json!([{ "jsonrpc": "2.0", "id": 1, "result": {} }])
    );
}

#[test]
fn a_batch_answers_each_request_in_its_place() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let staff = organization.sign_in(Role::Staff);
    let mut staff = staff.speaking(Host::Events, "2025-03-26");
    let batch = json!([
        { "jsonrpc": "2.0", "id": "a", "method": "tools/call",
          "params": { "name": "get_event", "arguments": { "id": event } } },
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        { "jsonrpc": "2.0", "id": 2, "method": "no/such/method" },
        { "jsonrpc": "1.0", "id": 3, "method": "ping" },
        7,
        ["2.0", 5, "ping"],
        { "jsonrpc": "2.0", "id": 6, "method": "initialize", "params": {} },
        { "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": { "name": "get_event" } },
        { "jsonrpc": "2.0", "id": 8, "method": "ping" },
    ]);
    let answer = staff.send(Host::Events, batch.to_string());
    assert_eq!(answer.status, StatusCode::OK);
    let answers = answer.body.as_array().expect("a list");
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(json!(ids), json!(["a", 2, 3, null, null, 6, 7, 8]));
    let codes: Vec<_> = answers
        .iter()
        .map(|answer| answer["error"]["code"].clone())
        .collect();
    let none = Value::Null;
    assert_eq!(
        json!(codes),
        json!([none, -32601, -32600, -32600, -32600, -32601, none, none])
    );
    assert_eq!(answers[6]["result"]["isError"], true);
    assert_eq!(answers[7]["result"], json!({}));
}

#[test]
fn errors_in_a_batch_have_the_codes_of_their_http_statuses() {
    let organization = Organization::create();
    let fellow = organization.sign_in(Role::Fellow);
    let mut fellow = fellow.speaking(Host::Events, "2025-03-26");
    let arguments =
        json!({ "name": "Launch", "strategy_business_unit_id": organization.business_unit });
    let batch = json!([
        { "jsonrpc": "2.0", "id": 1, "method": "tools/call",
          "params": { "name": "create_event", "arguments": arguments } },
        { "jsonrpc": "2.0", "id": 2, "method": "ping" },
    ]);
    let answer = fellow.send(Host::Events, batch.to_string());
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body[0]["error"]["data"]["code"], "forbidden");
    assert_eq!(answer.body[1]["result"], json!({}));
}

#[test]
fn a_batch_has_1_to_20_messages() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let mut staff = staff.speaking(Host::Events, "2025-03-26");
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = |messages: usize| format!("[{}]", vec![ping; messages].join(","));
    assert_eq!(staff.send(Host::Events, batch(20)).status, StatusCode::OK);
    for body in [
        batch(0),
        batch(21),
        "[".to_owned(),
        "[1,".to_owned(),
        "[}".to_owned(),
    ] {
        let answer = staff.send(Host::Events, body.clone());
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body:.40}");
    }
    let told = r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#;
    assert_eq!(staff.send(Host::Events, told).status, StatusCode::ACCEPTED);
}
