//! Section 5.5: a new token for a refresh token, at every host.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization, answer_to, world};
use reqwest::{Method, StatusCode};
use serde_json::json;

#[test]
fn every_host_gives_a_new_token_for_a_refresh_token() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let mut refresh_token = staff.refresh_token.clone();
    let hosts = Host::ALL.into_iter().map(Some).chain([None]);
    for host in hosts {
        let answer = staff.refresh(host, &refresh_token);
        assert_eq!(answer.status, StatusCode::OK, "{host:?}: {}", answer.body);
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.body["token_type"], "bearer");
        assert_eq!(answer.body["expires_in"], 3600);
        assert!(answer.body["expires_at"].is_i64());
        let next = answer.body["refresh_token"]
            .as_str()
            .expect("a refresh token");
        assert_ne!(next, refresh_token);
        refresh_token = next.to_owned();
        let token = answer.body["access_token"].as_str().expect("a token");
        let refreshed = Http::with_token(&world().url(), token);
        refreshed.initialize(Host::Events, "2025-06-18").result();
    }
}

#[test]
fn a_refresh_is_addressed_by_subdomain_as_well() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let request = staff
        .request(Method::POST, "/auth/refresh")
        .header("host", "events.localhost")
        .json(&json!({ "refresh_token": staff.refresh_token }));
    assert_eq!(answer_to(request).status, StatusCode::OK);
}

#[test]
fn a_refresh_does_not_look_at_the_authorization_header() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let request = staff
        .request(Method::POST, "/events/auth/refresh")
        .bearer_auth("expired")
        .json(&json!({ "refresh_token": staff.refresh_token }));
    assert_eq!(answer_to(request).status, StatusCode::OK);
}

#[test]
fn a_body_without_a_good_refresh_token_is_refused() {
    let http = Http::with_token(&world().url(), "");
    for (body, code) in [
        ("", "validation_failed"),
        ("{", "validation_failed"),
        ("[]", "validation_failed"),
        ("null", "validation_failed"),
        ("{}", "validation_failed"),
        (r#"{"refresh_token":null}"#, "validation_failed"),
        (r#"{"refresh_token":1}"#, "validation_failed"),
        (r#"{"refresh_token":""}"#, "refresh_token_not_found"),
        (r#"{"refresh_token":"\u0000"}"#, "refresh_token_not_found"),
        (
            r#"{"refresh_token":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
            "refresh_token_not_found",
        ),
    ] {
        let request = http
            .request(Method::POST, "/events/auth/refresh")
            .body(body);
        let answer = answer_to(request.header("content-type", "application/json"));
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.body["error_code"], code, "{body}");
    }
}
