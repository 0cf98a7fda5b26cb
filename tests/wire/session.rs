//! Section 4.1: the session, and section 7: answers without one.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::wire::SESSION_LIFETIME;
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use frontdesk_tests::builder::PASSWORD;
use reqwest::{RequestBuilder, StatusCode};
use serde_json::json;

#[track_caller]
fn has_no_valid_session(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert_eq!(answer.body["error"]["message"], "No valid session");
    assert_eq!(answer.rpc_code(), -32000);
}

/// A request in this session at the events host.
pub(super) fn in_session(http: &Http, session: &str) -> RequestBuilder {
    http.post(Host::Events).header("mcp-session-id", session)
}

#[test]
fn a_session_is_opened_used_and_bound_to_its_caller_and_host() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let answer = staff.initialize(Host::Events, "2025-06-18");
    assert_eq!(answer.result()["protocolVersion"], "2025-06-18");
    let session = answer.header("mcp-session-id").to_owned();

    let list = json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/list" });
    let answer = answer_to(in_session(&staff, &session).json(&list));
    assert_eq!(answer.body["id"], "a");
    assert_eq!(
        answer.result()["tools"].as_array().map(Vec::len),
        Some(Host::Events.tools().count())
    );

    let owner = organization.sign_in(Role::Owner);
    for request in [
        staff.post(Host::Events),
        staff.post(Host::Work).header("mcp-session-id", &session),
        in_session(&owner, &session),
        in_session(&staff, "forged"),
        in_session(&staff, ""),
        in_session(&staff, &format!("{session}A")),
        in_session(&staff, &session[1..]),
        staff
            .post(Host::Events)
            .header("mcp-session-id", &b"\xff\xfe"[..]),
    ] {
        has_no_valid_session(&answer_to(request.json(&list)));
    }
}

#[test]
fn no_method_but_initialize_goes_without_a_session() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for host in [Host::Staff, Host::Events, Host::Skills] {
        for method in [
            "ping",
            "tools/list",
            "tools/call",
            "notifications/initialized",
            "resources/list",
            "server/discover",
            "Initialize",
            "initialized",
            "",
        ] {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} });
            has_no_valid_session(&answer_to(staff.post(host).json(&body)));
        }
    }
}

#[test]
fn initialize_is_a_request_and_no_notification() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let body = json!({
        "jsonrpc": "2.0", "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "0" },
        },
    });
    let answer = answer_to(staff.post(Host::Events).json(&body));
    has_no_valid_session(&answer);
    let answer = staff.send(Host::Events, body.to_string());
    assert_eq!(answer.status, StatusCode::ACCEPTED);
}

#[test]
fn the_session_is_looked_at_before_the_body() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for body in [
        "",
        "{",
        "[]",
        "null",
        r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    ] {
        has_no_valid_session(&answer_to(staff.post(Host::Events).body(body)));
    }
    let request = staff
        .request(reqwest::Method::POST, "/events/mcp")
        .bearer_auth(&staff.token)
        .header("content-type", "text/plain")
        .header("accept", "text/html")
        .header("mcp-protocol-version", "1999-01-01")
        .body("ping");
    has_no_valid_session(&answer_to(request));
}

#[test]
fn initialize_opens_a_new_session_whatever_session_it_carries() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let first = staff.session(Host::Events);
    for carried in ["forged", first.as_str()] {
        let body = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "protocolVersion": "2025-03-26", "capabilities": {},
                "clientInfo": { "name": "test", "version": "0" },
            },
        });
        let answer = answer_to(in_session(&staff, carried).json(&body));
        assert_eq!(answer.result()["protocolVersion"], "2025-03-26");
        assert!(!answer.header("mcp-session-id").is_empty());
    }
}

#[test]
fn initialize_with_other_parameters_opens_no_session() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    for params in [
        json!(null),
        json!({}),
        json!([]),
        json!({ "protocolVersion": "2025-06-18", "capabilities": {} }),
        json!({ "protocolVersion": 20250618, "capabilities": {}, "clientInfo": { "name": "a", "version": "0" } }),
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "a" } }),
        json!({ "protocolVersion": "2025-06-18", "capabilities": 1, "clientInfo": { "name": "a", "version": "0" } }),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params });
        let answer = answer_to(staff.post(Host::Events).json(&body));
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{params}");
        assert_eq!(answer.rpc_code(), -32602);
        assert_eq!(answer.body["id"], 7);
        assert_eq!(answer.header("mcp-session-id"), "");
    }
}

#[test]
fn an_expired_session_is_not_found_and_a_new_one_opens() {
    let organization = Organization::create();
    let clock = Clock::system();
    let server = world().server(clock.clone(), 0);
    let staff = Http::sign_in(&server.url(), &organization.email(Role::Staff), PASSWORD);
    let session = staff
        .initialize(Host::Events, "2025-06-18")
        .header("mcp-session-id")
        .to_owned();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });

    clock.advance(SESSION_LIFETIME - Duration::from_secs(60));
    let mut staff = Http::sign_in(&server.url(), &organization.email(Role::Staff), PASSWORD);
    let request = in_session(&staff, &session).json(&ping);
    assert_eq!(answer_to(request).status, StatusCode::OK);

    clock.advance(Duration::from_secs(60));
    let answer = answer_to(in_session(&staff, &session).json(&ping));
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.rpc_code(), -32000);
    assert_eq!(
        staff.rpc(Host::Events, "ping", json!({})).status,
        StatusCode::OK
    );
}

#[test]
fn a_session_is_good_at_every_server_of_the_database() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    let session = staff.session(Host::Events);
    let server = world().server(Clock::system(), 0);
    let there = staff.at(&server.url());
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let request = in_session(&there, &session).json(&ping);
    assert_eq!(answer_to(request).status, StatusCode::OK);
}
