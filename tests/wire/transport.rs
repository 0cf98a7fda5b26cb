//! Section 4.1: method and path, address, headers, sequence, health.

use frontdesk_protocol::{Host, Role};
use frontdesk_server::database::Location;
use frontdesk_server::server::Settings;
use frontdesk_server::wire::MAX_BODY;
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to, world};
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::session::in_session;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A staff member's client, in a session with the events host.
fn staff() -> Http {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    staff.session(Host::Events);
    staff
}

/// `GET {path}` without a token, where the Host header says `name`.
fn get(name: &str, path: &str) -> Answer {
    let http = Http::with_token(&world().url(), "");
    answer_to(http.request(Method::GET, path).header("host", name))
}

#[test]
fn every_host_answers_health_without_a_token() {
    let http = Http::with_token(&world().url(), "");
    for host in Host::ALL {
        let path = format!("/{host}/health");
        let answer = answer_to(http.request(Method::GET, &path));
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.body["status"], "ok");
        assert_eq!(answer.body["host"], host.area());
    }
}

#[test]
fn health_reports_the_version_the_tools_and_the_database() {
    let answer = get("localhost", "/events/health");
    assert_eq!(
        answer.body,
        json!({
            "status": "ok", "host": "events", "version": env!("CARGO_PKG_VERSION"),
            "tools": Host::Events.tools().count(), "database": "ok", "forwarded": 0,
        })
    );
}

#[test]
fn an_unknown_area_names_all_that_there_are() {
    let answer = get("localhost", "/nothing/health");
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let hint = answer.body["error"]["data"]["hint"]
        .as_str()
        .unwrap_or_default();
    let areas = hint.rsplit("are ").next().unwrap_or_default();
    let paths = areas.split(", ").map(|area| format!("/{area}/health"));
    let found = paths.map(|path| get("localhost", &path).status);
    assert_eq!(
        found.filter(StatusCode::is_success).count(),
        Host::ALL.len() + 1,
        "{hint}"
    );
}

#[test]
fn mcp_is_answered_to_post_alone() {
    let staff = staff();
    for path in ["/events/mcp", "/mcp"] {
        for method in [
            Method::GET,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
            Method::OPTIONS,
        ] {
            let request = staff
                .request(method.clone(), path)
                .bearer_auth(&staff.token);
            let answer = answer_to(request);
            assert_eq!(
                answer.status,
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
            assert_eq!(answer.header("allow"), "GET, POST");
            assert!(
                answer.body["error"]["message"].is_string(),
                "{}",
                answer.body
            );
        }
    }
}

#[test]
fn health_and_refresh_have_one_method_each() {
    let http = Http::with_token(&world().url(), "");
    for (method, path) in [
        (Method::POST, "/events/health"),
        (Method::DELETE, "/health"),
        (Method::GET, "/events/auth/refresh"),
        (Method::PUT, "/auth/refresh"),
    ] {
        let answer = answer_to(http.request(method.clone(), path));
        assert_eq!(
            answer.status,
            StatusCode::METHOD_NOT_ALLOWED,
            "{method} {path}"
        );
    }
}

#[test]
fn a_slash_at_the_end_of_an_endpoint_changes_nothing() {
    let staff = staff();
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for path in ["/events/mcp", "/events/mcp/"] {
        let request = staff.request(Method::POST, path);
        let request = request.bearer_auth(&staff.token).body(body);
        // Only the session is missing.
        let answer = answer_to(request.header("content-type", "application/json"));
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{path}: {}",
            answer.body
        );
    }
}

#[test]
fn an_address_of_no_host_is_not_found() {
    let staff = staff();
    for path in [
        "/",
        "/events",
        "/events/",
        "/events/mcp/more",
        "/event/mcp",
        "/Events/mcp",
        "/events/events/mcp",
        "/mcp/events",
    ] {
        for method in [Method::GET, Method::POST] {
            let request = staff
                .request(method.clone(), path)
                .bearer_auth(&staff.token);
            let answer = answer_to(request);
            assert_eq!(answer.status, StatusCode::NOT_FOUND, "{method} {path}");
        }
        let answer = answer_to(staff.request(Method::POST, path).bearer_auth(&staff.token));
        assert_eq!(answer.refusal(), "not_found");
    }
    assert_eq!(
        get("localhost", "/nonsense/health").status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(staff.refresh(None, "token").status, StatusCode::BAD_REQUEST);
    let refresh = staff.request(Method::POST, "/nonsense/auth/refresh");
    assert_eq!(answer_to(refresh.body("{}")).status, StatusCode::NOT_FOUND);
}

#[test]
fn figures_are_not_served_among_the_hosts() {
    for path in ["/metrics", "/events/metrics"] {
        assert_eq!(
            get("localhost", path).status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[test]
fn a_host_is_addressed_by_its_subdomain() {
    let staff = staff();
    for host in Host::ALL {
        for name in [
            format!("{host}.localhost"),
            format!("{host}.localhost:4700"),
            format!("{host}.localhost").to_uppercase(),
        ] {
            assert_eq!(get(&name, "/health").body["host"], host.area(), "{name}");
        }
        let body = json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": { "name": "test", "version": "0" },
            },
        });
        let request = staff
            .request(Method::POST, "/mcp")
            .bearer_auth(&staff.token);
        let answer = answer_to(
            request
                .header("host", format!("{host}.localhost"))
                .json(&body),
        );
        assert_eq!(
            answer.result()["serverInfo"]["name"],
            format!("frontdesk-{host}")
        );
    }
}

#[test]
fn the_staff_management_host_answers_at_the_base_address() {
    for name in [
        "localhost",
        "localhost:4700",
        "127.0.0.1",
        "127.0.0.1:4700",
        "[::1]",
        "[::1]:4700",
    ] {
        assert_eq!(get(name, "/health").body["host"], "staff", "{name}");
    }
}

#[test]
fn the_path_names_the_host_before_the_name_does() {
    assert_eq!(
        get("work.localhost", "/events/health").body["host"],
        "events"
    );
}

#[test]
fn a_dashed_host_name_is_retired() {
    for name in [
        "app-events.localhost",
        "events-app.localhost",
        "nonsense.localhost",
        "x.127.0.0.1",
    ] {
        let answer = get(name, "/health");
        assert_eq!(
            answer.status,
            StatusCode::NOT_FOUND,
            "{name}: {}",
            answer.body
        );
    }
}

#[test]
fn the_host_header_is_one_plain_name_of_the_service() {
    let mut staff = staff();
    let session = staff.session(Host::Events);
    for name in [
        "evil.test",
        "evil.test:80",
        "events.evil.test",
        "localhost.evil.test",
        "notlocalhost",
        "127.0.0.1.evil.test",
        "127.0.0.2",
        "10.0.0.1",
        "localhost@evil.test",
        "evil.test/.localhost",
        "evil.test\", evil=\".localhost",
        "localhost:",
        "localhost:80:80",
        "",
    ] {
        let requests = [
            staff.request(Method::GET, "/events/health"),
            staff.request(Method::POST, "/events/auth/refresh"),
            staff.request(Method::POST, "/auth/v1/token?grant_type=password"),
            in_session(&staff, &session).body(PING),
        ];
        for request in requests {
            let answer = answer_to(request.header("host", name));
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{name:?}");
            assert_eq!(answer.refusal(), "invalid_argument");
            assert_eq!(answer.header("www-authenticate"), "", "{name:?}");
            // Only a plain name comes back, to help set up a proxy.
            let is_plain = !name.contains(['@', '/', '"']);
            let body = answer.body.to_string();
            assert!(is_plain || !body.contains("evil"), "{body}");
        }
    }
    let twice = staff.request(Method::GET, "/events/health");
    let answer = answer_to(
        twice
            .header("host", "localhost")
            .header("host", "localhost"),
    );
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

#[test]
fn a_page_of_another_origin_is_forbidden() {
    let mut staff = staff();
    let session = staff.session(Host::Events);
    let ping = || in_session(&staff, &session).body(PING);
    for origin in [
        "http://evil.test",
        "https://localhost.evil.test",
        "http://localhost@evil.test",
        "null",
        "",
        "localhost",
        "file://",
        "http://evil.test/localhost",
    ] {
        let answer = answer_to(ping().header("origin", origin));
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin:?}");
        assert_eq!(answer.refusal(), "forbidden");
    }
    for origin in [
        "http://localhost",
        "http://localhost:3000",
        "https://app.localhost",
        "http://127.0.0.1:80",
    ] {
        let answer = answer_to(ping().header("origin", origin));
        assert_eq!(answer.status, StatusCode::OK, "{origin}");
    }
}

#[test]
fn pages_of_a_named_origin_may_call() {
    let settings = Settings {
        allowed_origins: vec!["https://app.example.org".to_owned()],
        calls_per_minute: 0,
        identity: identity(),
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let staff = staff().at(&server.url());
    let asking = |origin: &str| {
        let request = staff
            .request(Method::OPTIONS, "/events/mcp")
            .header("origin", origin);
        answer_to(request.header("access-control-request-method", "POST"))
    };
    let answer = asking("https://app.example.org");
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://app.example.org"
    );
    assert!(
        answer
            .header("access-control-allow-headers")
            .contains("mcp-session-id")
    );
    assert_eq!(answer.header("access-control-allow-credentials"), "");
    let call = staff
        .post(Host::Events)
        .header("origin", "https://app.example.org");
    let answer = answer_to(call.json(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "page", "version": "0" },
        },
    })));
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://app.example.org"
    );
    assert!(
        answer
            .header("access-control-expose-headers")
            .contains("mcp-session-id")
    );
    // A page that reads why it is refused can sign in.
    let anonymous = staff
        .request(Method::POST, "/events/mcp")
        .header("origin", "https://app.example.org");
    let answer = answer_to(anonymous);
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        answer.header("access-control-allow-origin"),
        "https://app.example.org"
    );
    for origin in [
        "http://app.example.org",
        "https://app.example.org:8443",
        "https://example.org",
        "null",
    ] {
        let answer = asking(origin);
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}");
        assert_eq!(answer.header("access-control-allow-origin"), "");
    }
}

#[test]
fn the_sequence_of_the_specification_leads_to_a_tool_call() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let staff = organization.sign_in(Role::Staff);

    let answer = staff.initialize(Host::Events, "2024-11-05");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.body["jsonrpc"], "2.0");
    assert_eq!(answer.body["id"], 0);
    answer.result();
    let session = answer.header("mcp-session-id").to_owned();
    assert!(
        session.bytes().all(|byte| byte.is_ascii_graphic()),
        "{session}"
    );

    let send = |body: Value| answer_to(in_session(&staff, &session).json(&body));
    let told = send(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(told.status, StatusCode::ACCEPTED);
    let listed = send(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let named = |tool: &Value| tool["name"] == "get_event";
    let listed = listed.result()["tools"].as_array();
    assert!(listed.is_some_and(|all| all.iter().any(named)));
    let called = send(json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": { "name": "get_event", "arguments": { "id": event } },
    }));
    assert_eq!(called.body["id"], 2);
    assert_eq!(called.text()["event"]["name"], "Launch");
}

#[test]
fn a_body_must_say_that_it_is_json() {
    let mut staff = staff();
    let session = staff.session(Host::Events);
    let ping = |content_type: Option<&str>| {
        let request = staff
            .request(Method::POST, "/events/mcp")
            .bearer_auth(&staff.token)
            .header("mcp-session-id", &session)
            .body(PING);
        match content_type {
            Some(content_type) => request.header("content-type", content_type),
            None => request,
        }
    };
    for refused in [
        None,
        Some(""),
        Some("text/plain"),
        Some("application/jsonp"),
        Some("text/json"),
    ] {
        let answer = answer_to(ping(refused));
        assert_eq!(
            answer.status,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "{refused:?}"
        );
        assert_eq!(answer.rpc_code(), -32600);
    }
    for taken in [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
    ] {
        assert_eq!(
            answer_to(ping(Some(taken))).status,
            StatusCode::OK,
            "{taken}"
        );
    }
}

#[test]
fn a_client_must_take_json() {
    let mut staff = staff();
    let session = staff.session(Host::Events);
    let ping = |accept: Option<&str>| {
        let request = staff
            .request(Method::POST, "/events/mcp")
            .bearer_auth(&staff.token)
            .header("mcp-session-id", &session)
            .header("content-type", "application/json")
            .body(PING);
        match accept {
            Some(accept) => request.header("accept", accept),
            None => request,
        }
    };
    for refused in ["text/html", "text/event-stream", "image/*"] {
        let answer = answer_to(ping(Some(refused)));
        assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE, "{refused}");
        assert_eq!(answer.rpc_code(), -32600);
    }
    for taken in [
        None,
        Some("application/json, text/event-stream"),
        Some("text/event-stream,application/json;q=0.5"),
        Some("application/*"),
        Some("*/*"),
    ] {
        assert_eq!(answer_to(ping(taken)).status, StatusCode::OK, "{taken:?}");
    }
}

#[test]
fn a_body_has_at_most_a_mebibyte() {
    let mut staff = staff();
    let body = |length: usize| format!("{PING}{}", " ".repeat(length - PING.len()));
    assert_eq!(
        staff.send(Host::Events, body(MAX_BODY)).status,
        StatusCode::OK
    );
    let answer = staff.send(Host::Events, body(MAX_BODY + 1));
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(answer.rpc_code(), -32600);
}
