//! Section 4.1: the session, and section 7: what is answered without one.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::wire::SESSION_LIFETIME;
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::{Answer, Http, Organization, run, world};
use reqwest::StatusCode;
use serde_json::json;

#[track_caller]
fn has_no_valid_session(answer: &Answer) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert_eq!(answer.body["error"]["message"], "No valid session");
    assert_eq!(answer.rpc_code(), -32000);
}

#[test]
fn a_session_is_opened_used_and_bound_to_its_caller_and_host() {
    run(async {
        let organization = Organization::create().await;
        let staff = organization.sign_in(Role::Staff).await;
        let answer = staff.initialize(Host::Events, "2025-06-18").await;
        assert_eq!(answer.result()["protocolVersion"], "2025-06-18");
        let session = answer.header("mcp-session-id").to_owned();

        let list = json!({ "jsonrpc": "2.0", "id": "a", "method": "tools/list" });
        let answer = Answer::to(
            staff
                .post(Host::Events)
                .header("mcp-session-id", &session)
                .json(&list),
        )
        .await;
        assert_eq!(answer.body["id"], "a");
        assert_eq!(answer.result()["tools"].as_array().map(Vec::len), Some(24));

        let owner = organization.sign_in(Role::Owner).await;
        for request in [
            staff.post(Host::Events),
            staff.post(Host::Work).header("mcp-session-id", &session),
            owner.post(Host::Events).header("mcp-session-id", &session),
            staff.post(Host::Events).header("mcp-session-id", "forged"),
            staff.post(Host::Events).header("mcp-session-id", ""),
            staff
                .post(Host::Events)
                .header("mcp-session-id", format!("{session}A")),
            staff
                .post(Host::Events)
                .header("mcp-session-id", &session[1..]),
            staff
                .post(Host::Events)
                .header("mcp-session-id", &b"\xff\xfe"[..]),
        ] {
            has_no_valid_session(&Answer::to(request.json(&list)).await);
        }
    });
}

#[test]
fn no_method_but_initialize_goes_without_a_session() {
    run(async {
        let organization = Organization::create().await;
        let staff = organization.sign_in(Role::Staff).await;
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
                has_no_valid_session(&Answer::to(staff.post(host).json(&body)).await);
            }
        }
    });
}

#[test]
fn initialize_is_a_request_and_no_notification() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let body = json!({
            "jsonrpc": "2.0", "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "test", "version": "0" },
            },
        });
        let answer = Answer::to(staff.post(Host::Events).json(&body)).await;
        has_no_valid_session(&answer);
        let answer = staff.send(Host::Events, body.to_string()).await;
        assert_eq!(answer.status, StatusCode::ACCEPTED);
    });
}

#[test]
fn the_session_is_looked_at_before_the_body() {
    run(async {
        let organization = Organization::create().await;
        let staff = organization.sign_in(Role::Staff).await;
        for body in [
            "",
            "{",
            "[]",
            "null",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
        ] {
            has_no_valid_session(&Answer::to(staff.post(Host::Events).body(body)).await);
        }
        let request = staff
            .request(reqwest::Method::POST, "/events/mcp")
            .bearer_auth(&staff.token)
            .header("content-type", "text/plain")
            .header("accept", "text/html")
            .header("mcp-protocol-version", "1999-01-01")
            .body("ping");
        has_no_valid_session(&Answer::to(request).await);
    });
}

#[test]
fn initialize_opens_a_new_session_whatever_session_it_carries() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let first = staff.session(Host::Events).await;
        for carried in ["forged", first.as_str()] {
            let body = json!({
                "jsonrpc": "2.0", "id": 1, "method": "initialize",
                "params": {
                    "protocolVersion": "2025-03-26", "capabilities": {},
                    "clientInfo": { "name": "test", "version": "0" },
                },
            });
            let request = staff
                .post(Host::Events)
                .header("mcp-session-id", carried)
                .json(&body);
            let answer = Answer::to(request).await;
            assert_eq!(answer.result()["protocolVersion"], "2025-03-26");
            assert!(!answer.header("mcp-session-id").is_empty());
        }
    });
}

#[test]
fn initialize_with_other_parameters_opens_no_session() {
    run(async {
        let organization = Organization::create().await;
        let staff = organization.sign_in(Role::Staff).await;
        for params in [
            json!(null),
            json!({}),
            json!([]),
            json!({ "protocolVersion": "2025-06-18", "capabilities": {} }),
            json!({ "protocolVersion": 20250618, "capabilities": {}, "clientInfo": { "name": "a", "version": "0" } }),
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "a" } }),
            json!({ "protocolVersion": "2025-06-18", "capabilities": 1, "clientInfo": { "name": "a", "version": "0" } }),
        ] {
            let body =
                json!({ "jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params });
            let answer = Answer::to(staff.post(Host::Events).json(&body)).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{params}");
            assert_eq!(answer.rpc_code(), -32602);
            assert_eq!(answer.body["id"], 7);
            assert_eq!(answer.header("mcp-session-id"), "");
        }
    });
}

#[test]
fn an_expired_session_is_not_found_and_a_new_one_opens() {
    run(async {
        let organization = Organization::create().await;
        let clock = Clock::system();
        let server = world().server(clock.clone(), 0).await;
        let staff = Http::sign_in(&server.url(), &organization.email(Role::Staff), PASSWORD).await;
        let session = staff
            .initialize(Host::Events, "2025-06-18")
            .await
            .header("mcp-session-id")
            .to_owned();
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });

        clock.advance(SESSION_LIFETIME - Duration::from_secs(60));
        let mut staff =
            Http::sign_in(&server.url(), &organization.email(Role::Staff), PASSWORD).await;
        let request = staff
            .post(Host::Events)
            .header("mcp-session-id", &session)
            .json(&ping);
        assert_eq!(Answer::to(request).await.status, StatusCode::OK);

        clock.advance(Duration::from_secs(60));
        let request = staff
            .post(Host::Events)
            .header("mcp-session-id", &session)
            .json(&ping);
        let answer = Answer::to(request).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.rpc_code(), -32000);
        assert_eq!(
            staff.rpc(Host::Events, "ping", json!({})).await.status,
            StatusCode::OK
        );
    });
}

#[test]
fn a_session_is_good_at_every_server_of_the_database() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
        let session = staff.session(Host::Events).await;
        let server = world().server(Clock::system(), 0).await;
        let there = staff.at(&server.url());
        let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
        let request = there
            .post(Host::Events)
            .header("mcp-session-id", &session)
            .json(&ping);
        assert_eq!(Answer::to(request).await.status, StatusCode::OK);
    });
}
