//! The revision without a handshake: 2026-07-28.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

const VERSION: &str = "2026-07-28";

/// Parameters with the `_meta` that every request has.
fn with_meta(mut params: Value, version: &str) -> Value {
    for (key, value) in [
        ("protocolVersion", json!(version)),
        ("clientCapabilities", json!({})),
        ("clientInfo", json!({ "name": "test", "version": "0" })),
    ] {
        let stated = &mut params["_meta"][format!("io.modelcontextprotocol/{key}")];
        if stated.is_null() {
            *stated = value;
        }
    }
    params
}

/// Sends a body with these headers, and without a session.
fn send(http: &Http, host: Host, headers: &[(&str, &str)], body: &Value) -> Answer {
    send_as(http.post(host), headers, body)
}

fn send_as(mut request: RequestBuilder, headers: &[(&str, &str)], body: &Value) -> Answer {
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    answer_to(request.json(body))
}

/// Sends a request in the form of the revision.
pub(crate) fn ask(http: &Http, host: Host, method: &str, params: Value) -> Answer {
    ask_with(http, host, method, params, &[])
}

/// The same with these headers, too.
pub(crate) fn ask_with(
    http: &Http,
    host: Host,
    method: &str,
    params: Value,
    more: &[(&str, &str)],
) -> Answer {
    ask_at(http.post(host), method, params, more)
}

/// The same with this request, which can be that of an address that is no host's.
pub(crate) fn ask_at(
    request: RequestBuilder,
    method: &str,
    params: Value,
    more: &[(&str, &str)],
) -> Answer {
    answer_to(request_with(request, method, params, more))
}

/// A request in the form of the revision.
pub(crate) fn request_of(request: RequestBuilder, method: &str, params: Value) -> RequestBuilder {
    request_with(request, method, params, &[])
}

fn request_with(
    mut request: RequestBuilder,
    method: &str,
    params: Value,
    more: &[(&str, &str)],
) -> RequestBuilder {
    let name = params["name"]
        .as_str()
        .or(params["uri"].as_str())
        .map(str::to_owned);
    let mut headers = vec![("mcp-protocol-version", VERSION), ("mcp-method", method)];
    headers.extend(more);
    headers.extend(name.as_deref().map(|name| ("mcp-name", name)));
    let params = with_meta(params, VERSION);
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    for (name, value) in headers {
        request = request.header(name, value);
    }
    request.json(&body)
}

fn staff() -> (Organization, Http) {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    (organization, staff)
}

#[test]
fn discover_returns_the_revisions_and_the_server_info() {
    let (_, staff) = staff();
    let answer = ask(&staff, Host::Events, "server/discover", json!({}));
    assert_eq!(answer.header("mcp-session-id"), "");
    let result = answer.result();
    assert_eq!(
        result["supportedVersions"],
        json!([
            "2026-07-28",
            "2025-11-25",
            "2025-06-18",
            "2025-03-26",
            "2024-11-05"
        ])
    );
    let offered = json!({
        "tools": {}, "resources": { "subscribe": true }, "prompts": {}, "completions": {},
        "experimental": { "frontdesk/preview": {} },
    });
    assert_eq!(result["capabilities"], offered);
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["cacheScope"], "private");
    assert!(result["ttlMs"].is_u64());
    let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(server["name"], "frontdesk-events");
}

#[test]
fn tools_are_listed_and_called_without_a_session_and_are_the_same() {
    let (organization, mut staff) = staff();
    let event = organization.event("Launch");
    for outputs in [false, true] {
        let params = json!({ "_meta": { "frontdesk/outputSchemas": outputs } });
        let listed = ask(&staff, Host::Events, "tools/list", params.clone());
        let result = listed.result();
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["cacheScope"], "private");
        let in_session = staff.rpc(Host::Events, "tools/list", params);
        assert_eq!(result["tools"], in_session.result()["tools"]);
        assert_eq!(result["tools"][0]["outputSchema"].is_object(), outputs);
        assert_eq!(in_session.result().get("resultType"), None);
    }

    let call = json!({ "name": "get_event", "arguments": { "id": event } });
    let called = ask(&staff, Host::Events, "tools/call", call);
    assert_eq!(called.result()["resultType"], "complete");
    assert_eq!(called.output()["event"]["name"], "Launch");
    assert_eq!(called.text(), *called.output());
    assert_eq!(called.body["id"], 7);
}

#[test]
fn refusals_are_those_of_a_session() {
    let (organization, staff) = staff();
    let call = json!({ "name": "get_event", "arguments": { "id": "one" } });
    let answer = ask(&staff, Host::Events, "tools/call", call);
    answer.refuses("invalid_argument", "id");
    assert_eq!(answer.result()["resultType"], "complete");

    let event = organization.event("Launch");
    let teacher = organization.sign_in(Role::Teacher);
    let call = json!({ "name": "update_event", "arguments": { "id": event, "name": "Mine" } });
    let answer = ask(&teacher, Host::Events, "tools/call", call);
    assert_eq!(
        (answer.status.as_u16(), answer.refusal()),
        (403, "forbidden".to_owned())
    );

    let nobody = Http::with_token(&world().url(), "no-token");
    let answer = ask(&nobody, Host::Events, "tools/list", json!({}));
    assert_eq!(answer.status.as_u16(), 401);

    let fellow = organization.sign_in(Role::Fellow);
    let answer = ask(&fellow, Host::Staff, "server/discover", json!({}));
    assert_eq!(answer.status.as_u16(), 403);
}

#[test]
fn a_header_that_is_missing_twice_or_says_something_else_is_a_mismatch() {
    let (_, staff) = staff();
    let call = json!({ "name": "list_events", "arguments": {} });
    let body = json!({
        "jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": with_meta(call, VERSION),
    });
    let version = ("mcp-protocol-version", VERSION);
    let (method, name) = (("mcp-method", "tools/call"), ("mcp-name", "list_events"));
    for headers in [
        vec![method, name],
        vec![version, name],
        vec![version, method],
        vec![version, ("mcp-method", "tools/list"), name],
        vec![version, method, ("mcp-name", "get_event")],
        vec![version, method, name, ("mcp-name", "list_events")],
        vec![version, method, ("mcp-name", "=?base64?!?=")],
    ] {
        let answer = send(&staff, Host::Events, &headers, &body);
        assert_eq!(answer.status.as_u16(), 400, "{headers:?}: {}", answer.body);
        assert_eq!(answer.rpc_code(), -32020, "{headers:?}: {}", answer.body);
        assert_eq!(answer.body["id"], "a", "{headers:?}");
    }
    let other = with_meta(json!({}), "2025-11-25");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": other });
    let headers = [version, ("mcp-method", "tools/list")];
    let answer = send(&staff, Host::Events, &headers, &body);
    assert_eq!(answer.rpc_code(), -32020, "{}", answer.body);
}

#[test]
fn a_name_may_come_as_base64() {
    let (_, staff) = staff();
    let call = json!({ "name": "list_events", "arguments": {} });
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": with_meta(call, VERSION),
    });
    let headers = [
        ("mcp-protocol-version", VERSION),
        ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?bGlzdF9ldmVudHM=?="),
    ];
    let answer = send(&staff, Host::Events, &headers, &body);
    assert_eq!(answer.output()["events"], json!([]));
}

#[test]
fn a_revision_that_is_not_spoken_is_answered_with_those_that_are() {
    let (_, staff) = staff();
    let params = with_meta(json!({}), "2099-01-01");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": params });
    let headers = [
        ("mcp-protocol-version", "2099-01-01"),
        ("mcp-method", "server/discover"),
    ];
    let answer = send(&staff, Host::Events, &headers, &body);
    assert_eq!((answer.status.as_u16(), answer.rpc_code()), (400, -32022));
    let data = &answer.body["error"]["data"];
    assert_eq!(data["requested"], "2099-01-01");
    assert_eq!(data["supported"][0], VERSION);
}

#[test]
fn every_request_needs_its_metadata() {
    let (_, staff) = staff();
    let headers = [
        ("mcp-protocol-version", VERSION),
        ("mcp-method", "tools/list"),
    ];
    let version = json!({ "io.modelcontextprotocol/protocolVersion": VERSION });
    for meta in [
        json!({}),
        version,
        json!({ "io.modelcontextprotocol/clientCapabilities": {} }),
    ] {
        let params = json!({ "_meta": meta });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params });
        let answer = send(&staff, Host::Events, &headers, &body);
        assert_eq!(
            (answer.status.as_u16(), answer.rpc_code()),
            (400, -32602),
            "{meta}"
        );
        let message = answer.body["error"]["message"].to_string();
        assert!(message.contains("io.modelcontextprotocol/"), "{message}");
    }
}

#[test]
fn methods_of_sessions_do_not_exist() {
    let (_, staff) = staff();
    for method in ["initialize", "ping", "resources/subscribe", "nothing"] {
        let answer = ask(&staff, Host::Events, method, json!({}));
        assert_eq!(
            (answer.status.as_u16(), answer.rpc_code()),
            (404, -32601),
            "{method}"
        );
    }
    let unknown = ask(&staff, Host::Events, "nothing", json!({}));
    let known = unknown.body["error"]["message"]
        .as_str()
        .unwrap_or_default();
    assert!(
        known.ends_with("completion/complete, subscriptions/listen"),
        "{known}"
    );
    let call = json!({ "name": "no_such_tool", "arguments": {} });
    let answer = ask(&staff, Host::Events, "tools/call", call);
    assert_eq!((answer.status.as_u16(), answer.rpc_code()), (200, -32602));
}

#[test]
fn a_notification_is_accepted_and_a_batch_is_refused() {
    let (_, staff) = staff();
    let headers = [
        ("mcp-protocol-version", VERSION),
        ("mcp-method", "notifications/cancelled"),
    ];
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled" });
    let answer = send(&staff, Host::Events, &headers, &body);
    assert_eq!((answer.status.as_u16(), answer.body), (202, Value::Null));
    let answer = send(&staff, Host::Events, &headers, &json!([body]));
    assert_eq!(answer.status.as_u16(), 400);
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        let request = staff
            .request(method, "/events/mcp")
            .bearer_auth(&staff.token);
        let request = request.header("mcp-protocol-version", VERSION);
        assert_eq!(answer_to(request).status.as_u16(), 405);
    }
}

#[test]
fn a_request_of_neither_kind_still_needs_a_session() {
    let (_, staff) = staff();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let answer = send(&staff, Host::Events, &[], &body);
    assert_eq!(answer.status.as_u16(), 400);
    assert_eq!(answer.body["error"]["message"], "No valid session");
    let headers = [("mcp-protocol-version", "2025-11-25")];
    let answer = send(&staff, Host::Events, &headers, &body);
    assert_eq!(answer.body["error"]["message"], "No valid session");
}

#[test]
fn a_session_stays_one_whatever_its_requests_say_of_themselves() {
    let (_, mut staff) = staff();
    let params = with_meta(json!({}), VERSION);
    let answer = staff.rpc(Host::Events, "tools/list", params);
    assert_eq!(
        answer.result()["tools"].as_array().map(Vec::len),
        Some(Host::Events.tools().count())
    );
    assert_eq!(answer.result().get("resultType"), None);
}
