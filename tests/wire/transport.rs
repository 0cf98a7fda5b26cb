//! Section 4.1: method and path, headers, session, sequence, health.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::{Answer, Http, Organization, run, world};
use reqwest::{Method, StatusCode};
use serde_json::json;

#[test]
fn every_host_answers_health_without_a_token() {
    run(async {
        let http = Http::with_token(&world().url(), "");
        for host in Host::ALL {
            let path = format!("/{host}/health");
            let answer = Answer::to(http.request(Method::GET, &path)).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert_eq!(answer.body["status"], "ok");
            assert_eq!(answer.body["host"], host.area());
        }
    });
}

#[test]
fn a_session_is_opened_used_and_bound_to_its_caller_and_host() {
    run(async {
        let organization = Organization::create().await;
        let mut staff = organization.sign_in(Role::Staff).await;
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
        ] {
            let answer = Answer::to(request.json(&list)).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST);
            assert_eq!(answer.body["error"]["message"], "No valid session");
        }
        staff.session(Host::Events).await;
    });
}
