//! JSON-RPC: requests, notifications, and what is neither.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization};
use reqwest::StatusCode;
use serde_json::{Value, json};

fn staff() -> Http {
    Organization::create().sign_in(Role::Staff)
}

#[test]
fn a_notification_is_accepted_and_not_answered() {
    let mut staff = staff();
    for body in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/unheard/of" }),
        json!({ "jsonrpc": "2.0", "method": "ping" }),
        // Answers to a server that never asks.
        json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "no" } }),
    ] {
        let answer = staff.send(Host::Events, body.to_string());
        assert_eq!(answer.status, StatusCode::ACCEPTED, "{body}");
        assert_eq!(answer.header("content-length"), "0", "{body}");
    }
}

#[test]
fn a_tool_is_not_called_by_a_notification() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let guest = organization.guest(event, "Ana");
    let mut staff = organization.sign_in(Role::Staff);
    let body = json!({
        "jsonrpc": "2.0", "method": "tools/call",
        "params": { "name": "check_in_guest", "arguments": { "id": guest } },
    });
    let answer = staff.send(Host::Events, body.to_string());
    assert_eq!(answer.status, StatusCode::ACCEPTED);
    assert_eq!(organization.checked_in_at(guest), None);
}

#[test]
fn a_ping_is_answered_and_the_id_comes_back_as_it_was() {
    let mut staff = staff();
    for id in [
        json!(0),
        json!(-1),
        json!(i64::MAX),
        json!(""),
        json!("a\"b\\\u{1}é"),
        json!("1"),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
        let answer = staff.send(Host::Events, body.to_string());
        assert_eq!(
            answer.body,
            json!({ "jsonrpc": "2.0", "id": id, "result": {} })
        );
    }
}

#[test]
fn an_unknown_method_is_an_error_that_names_it() {
    let mut staff = staff();
    for method in [
        "roots/list",
        "prompts/Get",
        "tools/List",
        "tools/call ",
        "logging/setLevel",
        "",
    ] {
        let answer = staff.rpc(Host::Events, method, json!({}));
        assert_eq!(answer.status, StatusCode::OK, "{method}");
        assert_eq!(answer.rpc_code(), -32601, "{method}");
        assert_eq!(answer.body["id"], 1);
        let message = answer.body["error"]["message"].as_str().expect("a message");
        assert!(message.contains(&format!("`{method}`")), "{message}");
    }
}

#[test]
fn an_unknown_tool_is_an_error_that_names_it() {
    let mut staff = staff();
    for (host, tool) in [
        (Host::Events, "check_in"),
        (Host::Events, "Check_In_Guest"),
        (Host::Events, "invite_staff"),
        (Host::Events, ""),
        (Host::Work, "check_in_guest"),
        (Host::Staff, "list_events"),
    ] {
        let answer = staff.call(host, tool, json!({}));
        assert_eq!(answer.status, StatusCode::OK, "{tool}");
        assert_eq!(answer.rpc_code(), -32602, "{tool}");
        let message = answer.body["error"]["message"].as_str().expect("a message");
        assert!(message.contains(&format!("`{tool}`")), "{message}");
    }
}

#[test]
fn a_body_that_is_not_json_is_a_parse_error() {
    let mut staff = staff();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{}"#,
        "[".repeat(10_000)
    );
    for body in [
        "",
        " ",
        "{",
        "ping",
        "{\"jsonrpc\"",
        "\u{feff}{}",
        "{}}",
        "'x'",
        deep.as_str(),
    ] {
        let answer = staff.send(Host::Events, body.to_owned());
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body:.40}");
        assert!(
            [-32700, -32600].contains(&answer.rpc_code()),
            "{body:.40}: {}",
            answer.body
        );
        assert_eq!(answer.body["id"], Value::Null);
    }
    for body in ["", "{", "ping"] {
        assert_eq!(staff.send(Host::Events, body).rpc_code(), -32700, "{body}");
    }
    let answer = staff.send(
        Host::Events,
        &b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"[..],
    );
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert_eq!(answer.rpc_code(), -32700);
}

#[test]
fn json_that_is_no_message_is_an_invalid_request() {
    let mut staff = staff();
    for body in [
        r#"1"#,
        r#"null"#,
        r#"true"#,
        r#""ping""#,
        r#"{}"#,
        r#"["2.0",1,"ping"]"#,
        r#"{"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":7}"#,
        r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#,
    ] {
        let answer = staff.send(Host::Events, body);
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.rpc_code(), -32600, "{body}: {}", answer.body);
    }
}

#[test]
fn an_id_comes_back_as_it_was_sent() {
    let mut staff = staff();
    let ids = [
        "0",
        "-1",
        "1.0",
        "1.5",
        "1e3",
        "9223372036854775808",
        "18446744073709551615",
        r#""""#,
        r#""a\u0000""#,
    ];
    for id in ids {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let answer = staff.send(Host::Events, body);
        let sent: Value = serde_json::from_str(id).expect(id);
        assert_eq!(
            answer.body,
            json!({ "jsonrpc": "2.0", "id": sent, "result": {} })
        );
    }
}

#[test]
fn what_is_null_or_empty_is_as_good_as_absent() {
    let mut staff = staff();
    let listed = staff.rpc(Host::Events, "tools/list", json!({}));
    for params in [
        json!({ "cursor": "" }),
        json!({ "cursor": null }),
        json!({ "_meta": null }),
    ] {
        let answer = staff.rpc(Host::Events, "tools/list", params.clone());
        assert_eq!(answer.body["result"], listed.body["result"], "{params}");
    }
    let call = json!({ "name": "list_events", "_meta": null });
    staff.rpc(Host::Events, "tools/call", call).output();
}

#[test]
fn the_parameters_of_a_call_must_fit() {
    let mut staff = staff();
    for params in [
        json!({}),
        json!(null),
        json!("list_events"),
        json!({ "arguments": {} }),
        json!({ "name": 5 }),
        json!({ "name": null }),
        json!({ "name": "list_events", "_meta": { "frontdesk/occurredAt": "yesterday" } }),
        json!({ "name": "list_events", "_meta": { "frontdesk/occurredAt": 5 } }),
    ] {
        let answer = staff.rpc(Host::Events, "tools/call", params.clone());
        assert_eq!(answer.status, StatusCode::OK, "{params}");
        assert_eq!(answer.rpc_code(), -32602, "{params}");
    }
}

#[test]
fn parameters_that_are_a_list_do_not_fit() {
    let mut staff = staff();
    let client = json!({ "name": "test", "version": "0" });
    for (method, params) in [
        ("tools/call", json!(["list_events", {}])),
        ("tools/call", json!([])),
        ("tools/call", json!({ "name": "list_events", "_meta": [] })),
        ("tools/list", json!([])),
        ("tools/list", json!([null])),
        ("ping", json!([])),
        ("initialize", json!(["2025-11-25", {}, client])),
        (
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": ["test", "0"] }),
        ),
    ] {
        let answer = staff.rpc(Host::Events, method, params.clone());
        assert_eq!(answer.rpc_code(), -32602, "{method} {params}");
    }
}

#[test]
fn arguments_may_be_left_out_and_must_otherwise_be_an_object() {
    let mut staff = staff();
    for params in [
        json!({ "name": "list_events" }),
        json!({ "name": "list_events", "arguments": null }),
    ] {
        let answer = staff.rpc(Host::Events, "tools/call", params);
        assert_eq!(answer.output()["events"], json!([]));
    }
    for arguments in [
        json!([]),
        json!(["0190a1b2-0000-7000-8000-000000000001"]),
        json!("x"),
        json!(1),
        json!(true),
    ] {
        let answer = staff.events("get_event", arguments.clone());
        assert_eq!(
            answer.tool_error()["code"],
            "invalid_argument",
            "{arguments}"
        );
    }
}

#[test]
fn extra_parameters_of_a_call_are_ignored() {
    let mut staff = staff();
    let params = json!({
        "name": "list_events", "arguments": {}, "task": { "ttl": 1 },
        "_meta": { "progressToken": "abc", "com.example/trace": { "id": 1 } },
    });
    staff.rpc(Host::Events, "tools/call", params).output();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "extra": true });
    assert_eq!(
        staff.send(Host::Events, body.to_string()).status,
        StatusCode::OK
    );
}
