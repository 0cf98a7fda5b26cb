//! Section 5: bearer tokens, and section 7: 401 and 403.

use std::num::NonZeroU32;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::Settings;
use frontdesk_tests::blocking::{Account, Answer, Http, Organization, answer_to, world};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// The token with another header, other claims or another signature.
fn altered(token: &str, header: Value, claims: Value, signature: Option<&str>) -> String {
    let mut parts: Vec<String> = token.split('.').map(str::to_owned).collect();
    for (part, changes) in parts.iter_mut().zip([header, claims]) {
        let bytes = URL_SAFE_NO_PAD.decode(&*part).expect("base64");
        let mut json: Value = serde_json::from_slice(&bytes).expect("JSON");
        for (key, value) in changes.as_object().expect("an object") {
            json[key] = value.clone();
        }
        *part = URL_SAFE_NO_PAD.encode(json.to_string());
    }
    if let Some(signature) = signature {
        parts[2] = signature.to_owned();
    }
    parts.join(".")
}

#[track_caller]
fn is_unauthorized(answer: &Answer, because: &str) {
    assert_eq!(
        answer.status,
        StatusCode::UNAUTHORIZED,
        "{because}: {}",
        answer.body
    );
    assert_eq!(answer.refusal(), "unauthorized", "{because}");
    assert_eq!(answer.rpc_code(), -32001, "{because}");
    assert!(
        answer.header("www-authenticate").starts_with("Bearer"),
        "{because}"
    );
}

/// A client can try ten wrong passwords a minute; strangers' guesses use up their own allowance.
#[test]
fn strangers_do_not_lock_out_a_device_that_has_signed_in_before() {
    let organization = Organization::create();
    let settings = Settings {
        identity: IdentitySettings {
            password_attempts: NonZeroU32::new(3),
            proxies: 1,
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let email = organization.email(Role::Staff);
    // The client's address, as its proxy reports it.
    let grant = |from: &str, cookie: &str, password: &str| {
        let http = Http::with_token(&server.url(), "");
        let request = http
            .request(Method::POST, "/auth/v1/token?grant_type=password")
            .header("apikey", "demo")
            .header("x-forwarded-for", from)
            .header("cookie", cookie)
            .json(&json!({ "email": email, "password": password }));
        answer_to(request)
    };
    let at_home = grant("203.0.113.1", "", PASSWORD);
    assert_eq!(at_home.status, StatusCode::OK, "{}", at_home.body);
    let cookie = at_home.header("set-cookie");
    assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();

    for stranger in 10..30 {
        let from = format!("203.0.113.{stranger}");
        grant(&from, "", "guessed");
    }
    let stranger = grant("203.0.113.99", "", PASSWORD);
    assert_eq!(stranger.status, StatusCode::TOO_MANY_REQUESTS);
    let forged = format!("{}x", cookie);
    let forger = grant("203.0.113.99", &forged, PASSWORD);
    assert_eq!(forger.status, StatusCode::TOO_MANY_REQUESTS);
    // The device at any address, and the address at which it signed in.
    let device = grant("203.0.113.98", &cookie, PASSWORD);
    assert_eq!(device.status, StatusCode::OK, "{}", device.body);
    let address = grant("203.0.113.1", "", PASSWORD);
    assert_eq!(address.status, StatusCode::OK, "{}", address.body);
    // Each has a limit, too.
    for _ in 0..2 {
        grant("203.0.113.98", &cookie, "guessed");
    }
    let device = grant("203.0.113.97", &cookie, PASSWORD);
    assert_eq!(device.status, StatusCode::TOO_MANY_REQUESTS);
}

#[test]
fn every_host_wants_a_token_for_every_method() {
    let http = Http::with_token(&world().url(), "");
    for host in Host::ALL {
        for method in [
            "initialize",
            "ping",
            "tools/list",
            "tools/call",
            "notifications/initialized",
        ] {
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} });
            let path = format!("/{host}/mcp");
            let answer = answer_to(http.request(Method::POST, &path).json(&body));
            is_unauthorized(&answer, method);
            // A caller without a token learns how to sign in, not what is wrong.
            let metadata = format!(
                "{}/.well-known/oauth-protected-resource/{host}/mcp",
                world().url()
            );
            let challenge = format!(r#"Bearer resource_metadata="{metadata}""#);
            assert_eq!(answer.header("www-authenticate"), challenge);
        }
    }
}

#[test]
fn a_malformed_header_is_refused() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let token = &staff.token;
    for header in [
        "",
        "Bearer",
        "Bearer ",
        token,
        &format!("Basic {token}"),
        &format!("Bearer\t{token}"),
        &format!("Bearer  {token}"),
        &format!("Bearer {token} more"),
        &format!("Bearer {token},{token}"),
        "Bearer token",
        "Bearer a.b.c",
        "Bearer ..",
        "Bearer a.b.c.d",
        &format!("Bearer {token}."),
        &format!("Bearer {}", "a".repeat(9000)),
    ] {
        let request = staff
            .request(Method::POST, "/events/mcp")
            .header("authorization", header);
        is_unauthorized(&answer_to(request.body("{}")), header);
    }
    let request = staff
        .request(Method::POST, "/events/mcp")
        .header("authorization", &b"Bearer \xff"[..]);
    is_unauthorized(&answer_to(request.body("{}")), "no text");
    // The scheme's name has no case (RFC 9110).
    let request = staff
        .request(Method::POST, "/events/mcp")
        .header("authorization", format!("bearer {token}"));
    assert_eq!(
        answer_to(request.body("{}")).status,
        StatusCode::BAD_REQUEST
    );
}

#[test]
fn a_forged_token_is_refused() {
    let organization = Organization::create();
    let staff = organization.sign_in(Role::Staff);
    let none = json!({});
    let owner = json!({ "sub": organization.user(Role::Owner) });
    let later = json!({ "exp": 4_000_000_000_u64 });
    let flipped = {
        let (rest, last) = staff.token.split_at(staff.token.len() - 20);
        let other = if last.starts_with('A') { "B" } else { "A" };
        format!("{rest}{other}{}", &last[1..])
    };
    for (forged, because) in [
        (flipped, "another signature"),
        (
            altered(&staff.token, none.clone(), owner.clone(), None),
            "another subject",
        ),
        (
            altered(&staff.token, none.clone(), later.clone(), None),
            "another expiry",
        ),
        (
            altered(&staff.token, none.clone(), none.clone(), Some("")),
            "no signature",
        ),
        (
            altered(
                &staff.token,
                json!({ "alg": "none" }),
                owner.clone(),
                Some(""),
            ),
            "alg none",
        ),
        (
            altered(&staff.token, json!({ "alg": "none" }), none.clone(), None),
            "alg none, signed",
        ),
        (
            altered(
                &staff.token,
                json!({ "alg": "None" }),
                none.clone(),
                Some(""),
            ),
            "alg None",
        ),
        (
            altered(&staff.token, json!({ "alg": "HS256" }), owner.clone(), None),
            "alg HS256",
        ),
        (
            altered(&staff.token, json!({ "alg": "RS256" }), none.clone(), None),
            "alg RS256",
        ),
        (
            altered(&staff.token, json!({ "alg": 5 }), none.clone(), None),
            "alg 5",
        ),
        (
            altered(
                &staff.token,
                json!({ "kid": "another" }),
                none.clone(),
                None,
            ),
            "another key",
        ),
        (
            altered(&staff.token, json!({ "crit": ["x"] }), none.clone(), None),
            "an extension",
        ),
    ] {
        let answer = staff.initialize(Host::Events, "2025-06-18");
        answer.result();
        let forger = Http::with_token(&world().url(), &forged);
        let answer = forger.initialize(Host::Events, "2025-06-18");
        is_unauthorized(&answer, because);
        assert!(
            answer
                .header("www-authenticate")
                .contains(r#"error="invalid_token""#),
            "{because}"
        );
    }
}

#[test]
fn an_expired_token_is_refused_though_its_signature_is_good() {
    let organization = Organization::create();
    let clock = Clock::system();
    let server = world().server(clock.clone(), 0);
    let mut staff = Http::sign_in(&server.url(), &organization.email(Role::Staff), PASSWORD);
    assert_eq!(
        staff.rpc(Host::Events, "ping", json!({})).status,
        StatusCode::OK
    );
    clock.advance(Duration::from_secs(3600));
    let answer = staff.rpc(Host::Events, "ping", json!({}));
    is_unauthorized(&answer, "expired");
    assert!(
        answer.header("www-authenticate").contains("expired"),
        "{:?}",
        answer.headers
    );
    is_unauthorized(&staff.initialize(Host::Events, "2025-06-18"), "expired");
}

#[test]
fn the_token_is_looked_at_before_everything_else() {
    let http = Http::with_token(&world().url(), "not.a.token");
    let mcp = |method: Method| http.request(method, "/events/mcp").bearer_auth(&http.token);
    for (request, what) in [
        (mcp(Method::POST), "no body"),
        (mcp(Method::POST).body("{"), "a body that is no JSON"),
        (
            mcp(Method::POST).header("mcp-session-id", "forged"),
            "a forged session",
        ),
        (
            mcp(Method::POST).header("content-type", "text/plain"),
            "another content type",
        ),
        (
            mcp(Method::POST).header("accept", "text/html"),
            "another accept",
        ),
        (
            mcp(Method::POST).header("mcp-protocol-version", "1999-01-01"),
            "another revision",
        ),
        (mcp(Method::GET), "another method"),
        (mcp(Method::DELETE), "another method"),
    ] {
        is_unauthorized(&answer_to(request), what);
    }
}

#[test]
fn the_staff_management_host_is_for_those_with_a_staff_row() {
    let organization = Organization::create();
    let nobody = Account::create().sign_in();
    let fellow = organization.sign_in(Role::Fellow);
    for caller in [fellow, nobody] {
        let answer = caller.initialize(Host::Staff, "2025-06-18");
        assert_eq!(answer.status, StatusCode::FORBIDDEN);
        assert_eq!(
            answer.body["error"]["message"],
            "Caller is not a registered staff user"
        );
        assert_eq!(answer.refusal(), "forbidden");
        assert_eq!(answer.body["id"], 0);
        assert_eq!(answer.header("mcp-session-id"), "");
        // The other hosts accept the same token.
        caller.initialize(Host::Events, "2025-06-18").result();
    }
    for role in Role::ALL.into_iter().filter(|role| *role != Role::Fellow) {
        let caller = organization.sign_in(role);
        caller.initialize(Host::Staff, "2025-06-18").result();
    }
}

#[test]
fn who_loses_the_staff_row_loses_the_staff_management_host_in_mid_session() {
    let organization = Organization::create();
    let mut staff = organization.sign_in(Role::Staff);
    staff.rpc(Host::Staff, "tools/list", json!({})).result();
    let owner = world().owner();
    let statement = "update staff.users set is_active = false where id = $1";
    owner
        .execute(statement, &[&organization.user(Role::Staff).0])
        .expect("updated");
    drop(owner);
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "list_students" })),
    ] {
        let answer = staff.rpc(Host::Staff, method, params);
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{method}");
        assert_eq!(
            answer.body["error"]["message"],
            "Caller is not a registered staff user"
        );
    }
}

#[test]
fn a_caller_without_a_role_is_offered_nothing_and_sees_nothing() {
    let organization = Organization::create();
    let event = organization.event("Launch");
    let mut nobody = Account::create().sign_in();
    let listed = nobody.rpc(Host::Events, "tools/list", json!({}));
    assert_eq!(listed.result()["tools"], json!([]));
    // Row-level security filters: the call succeeds and returns nothing.
    assert_eq!(
        nobody.events("list_events", json!({})).output()["events"],
        json!([])
    );
    assert_eq!(
        nobody.events("get_event", json!({ "id": event })).output()["event"],
        json!(null)
    );
}

#[test]
fn an_action_that_the_role_does_not_permit_is_forbidden() {
    let organization = Organization::create();
    let mut fellow = organization.sign_in(Role::Fellow);
    let arguments =
        json!({ "name": "Launch", "strategy_business_unit_id": organization.business_unit });
    let answer = fellow.events("create_event", arguments);
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    assert_eq!(answer.refusal(), "forbidden");
    assert_eq!(answer.rpc_code(), -32003);
    assert_eq!(answer.body["id"], 1);
}
