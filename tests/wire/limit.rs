//! Section 8: the rate limit, for each caller and host.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use reqwest::{Method, StatusCode};
use serde_json::json;

/// Any request of this caller; it needs no session to be counted.
fn status(caller: &Http, host: Host) -> StatusCode {
    answer_to(caller.post(host).body("{}")).status
}

#[track_caller]
fn is_limited(answer: &Answer) -> u64 {
    assert_eq!(
        answer.status,
        StatusCode::TOO_MANY_REQUESTS,
        "{}",
        answer.body
    );
    assert_eq!(answer.refusal(), "rate_limited");
    assert_eq!(answer.rpc_code(), -32029);
    let seconds = answer.header("retry-after").parse().expect("seconds");
    for text in [
        &answer.body["error"]["message"],
        &answer.body["error"]["data"]["hint"],
    ] {
        let text = text.as_str().expect("text");
        assert!(text.contains(&format!("{seconds} s")), "{text}");
    }
    assert_eq!(answer.body["error"]["data"]["retry_after_s"], seconds);
    seconds
}

#[test]
fn a_call_that_is_allowed_soon_waits() {
    let organization = Organization::create();
    // The next call is allowed every 0.6 s.
    let server = world().server(Clock::system(), 100);
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    for _ in 0..102 {
        staff.rpc(Host::Events, "ping", json!({})).result();
    }
}

#[test]
fn a_refusal_has_the_id_of_its_request() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 1);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    let ping = json!({ "jsonrpc": "2.0", "id": "seven", "method": "ping" });
    let send = || answer_to(staff.post(Host::Events).json(&ping));
    for status in [StatusCode::BAD_REQUEST, StatusCode::TOO_MANY_REQUESTS] {
        let answer = send();
        assert_eq!(
            (answer.status, &answer.body["id"]),
            (status, &json!("seven"))
        );
    }
}

#[test]
fn handshakes_are_not_calls() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 2);
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    staff.session(Host::Events);
    for _ in 0..2 {
        staff.rpc(Host::Events, "ping", json!({})).result();
    }
    is_limited(&staff.rpc(Host::Events, "ping", json!({})));
}

#[test]
fn calls_above_the_limit_are_refused_with_the_time_to_wait() {
    let organization = Organization::create();
    let clock = Clock::with_manual_limits();
    let server = world().server(clock.clone(), 3);
    let mut staff = organization.sign_in(Role::Staff).at(&server.url());
    for _ in 0..3 {
        staff.rpc(Host::Events, "ping", json!({})).result();
    }
    let seconds = is_limited(&staff.rpc(Host::Events, "ping", json!({})));
    assert_eq!(seconds, 20);

    clock.advance(Duration::from_secs(seconds));
    staff.rpc(Host::Events, "ping", json!({})).result();
    is_limited(&staff.rpc(Host::Events, "ping", json!({})));

    clock.advance(Duration::from_secs(60));
    for _ in 0..3 {
        staff.rpc(Host::Events, "ping", json!({})).result();
    }
}

#[test]
fn each_caller_has_a_separate_limit_for_each_host() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 1);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    let owner = organization.sign_in(Role::Owner).at(&server.url());
    for (caller, host) in [
        (&staff, Host::Events),
        (&staff, Host::Work),
        (&owner, Host::Events),
    ] {
        assert_eq!(status(caller, host), StatusCode::BAD_REQUEST);
        assert_eq!(status(caller, host), StatusCode::TOO_MANY_REQUESTS);
    }
}

#[test]
fn a_new_token_or_session_brings_no_new_allowance() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 1);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    staff.initialize(Host::Events, "2025-06-18").result();
    let again = organization.sign_in(Role::Staff).at(&server.url());
    is_limited(&again.initialize(Host::Events, "2025-06-18"));
}

#[test]
fn the_limit_comes_after_the_token_and_before_the_session() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 1);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    let nobody = Http::with_token(&server.url(), "not.a.token");
    for _ in 0..3 {
        assert_eq!(status(&nobody, Host::Events), StatusCode::UNAUTHORIZED);
    }
    assert_eq!(status(&staff, Host::Events), StatusCode::BAD_REQUEST);
    assert_eq!(status(&staff, Host::Events), StatusCode::TOO_MANY_REQUESTS);
}

#[test]
fn every_message_of_a_batch_counts() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 4);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    let mut staff = staff.speaking(Host::Events, "2025-03-26");
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let batch = json!(vec![ping; 5]).to_string();
    let answer = staff.send(Host::Events, batch);
    assert_eq!(answer.status, StatusCode::OK);
    for at in 0..4 {
        assert_eq!(answer.body[at]["result"], json!({}), "{at}");
    }
    for at in 4..5 {
        assert_eq!(
            answer.body[at]["error"]["data"]["code"], "rate_limited",
            "{at}"
        );
    }
}

#[test]
fn health_and_refresh_are_not_counted() {
    let organization = Organization::create();
    let server = world().server(Clock::with_manual_limits(), 1);
    let staff = organization.sign_in(Role::Staff).at(&server.url());
    for _ in 0..5 {
        let health = answer_to(staff.request(Method::GET, "/events/health"));
        assert_eq!(health.status, StatusCode::OK);
        let refreshed = staff.refresh(Some(Host::Events), &staff.refresh_token);
        assert_eq!(refreshed.status, StatusCode::OK);
    }
    staff.initialize(Host::Events, "2025-06-18").result();
}

#[test]
fn a_limit_of_0_does_not_limit() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    for _ in 0..150 {
        staff.rpc(Host::Events, "ping", json!({})).result();
    }
}
