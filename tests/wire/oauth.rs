//! The sign-in of any MCP client at our own hosts: RFC 8414, RFC 7591 and the authorization code grant with
//! PKCE, with a password or through a code-hosting provider.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_client::config::servers::{HttpServer, ServerConfig};
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::{IdentitySettings, OutsideKeys, OutsideProvider, TokenSource};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{
    Answer, Browser, CodeHost, Http, Organization, answer_to, invited, serve, world,
};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::{Page, address_with, parameters};
use frontdesk_tests::run;
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const BACK: &str = "http://127.0.0.1:5000/callback";

struct Stage {
    organization: Organization,
    /// The e-mail address of the user.
    email: String,
    provider: CodeHost,
    server: Server,
    browser: Browser,
}

impl Stage {
    fn of(role: Role) -> Stage {
        Stage::with(role, |settings| settings)
    }

    /// A server with these additional settings, and the browser of a user with this role.
    fn with(role: Role, settings: impl FnOnce(IdentitySettings) -> IdentitySettings) -> Stage {
        let organization = Organization::create();
        let provider = CodeHost::start(&organization.email(role));
        let settings = Settings {
            clock: Clock::with_manual_limits(),
            calls_per_minute: 0,
            identity: settings(IdentitySettings {
                code_host: Some(provider.settings()),
                ..identity()
            }),
            ..Settings::local(Location::Memory)
        };
        Stage {
            email: organization.email(role),
            organization,
            server: world().server_with(settings),
            provider,
            browser: Browser::default(),
        }
    }

    fn http(&self) -> Http {
        Http::with_token(&self.server.url(), "")
    }

    fn register(&self, body: Value) -> Answer {
        let http = self.http();
        let request = http.request(Method::POST, "/auth/v1/oauth/register");
        answer_to(request.json(&body))
    }

    /// Registers a client with the redirect address [`BACK`].
    fn client(&self) -> String {
        let answer = self.register(json!({ "redirect_uris": [BACK] }));
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.body["client_id"].as_str().expect("an id").to_owned()
    }

    /// The address at which this client starts the browser, with these parameters replaced; an
    /// empty one is removed.
    fn begin(&self, client: &str, instead: &[(&str, &str)]) -> Url {
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
        let usual = [
            ("response_type", "code"),
            ("client_id", client),
            ("redirect_uri", BACK),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            ("state", "mine"),
        ];
        let address = format!("{}/auth/v1/oauth/authorize", self.server.url());
        address_with(&address, &usual, instead)
    }

    /// Signs in on the page at this address; returns the redirection.
    fn signs_in(&mut self, begin: &str) -> Url {
        let page = self.browser.signs_in(begin, &self.email, PASSWORD);
        page.location()
    }

    fn code(&mut self, client: &str) -> String {
        let begin = self.begin(client, &[]);
        let end = self.signs_in(begin.as_str());
        parameters(&end)["code"].clone()
    }

    fn token(&self, form: &[(&str, &str)]) -> Answer {
        let body = Url::parse_with_params("http://form.test", form).expect("a form");
        let http = self.http();
        let request = http
            .request(Method::POST, "/auth/v1/oauth/token")
            .header("content-type", "application/x-www-form-urlencoded");
        answer_to(request.body(body.query().unwrap_or_default().to_owned()))
    }

    fn redeem(&self, client: &str, code: &str, instead: &[(&str, &str)]) -> Answer {
        let mut form = HashMap::from([
            ("grant_type", "authorization_code"),
            ("client_id", client),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", BACK),
        ]);
        form.extend(instead.iter().copied());
        let form: Vec<_> = form.into_iter().filter(|(_, it)| !it.is_empty()).collect();
        self.token(&form)
    }
}

#[track_caller]
fn refused(answer: &Answer, status: u16, error: &str) {
    assert_eq!(answer.status.as_u16(), status, "{}", answer.body);
    assert_eq!(answer.body["error"], error);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.body["access_token"], Value::Null);
}

#[test]
fn a_client_finds_registers_signs_in_and_calls() {
    let mut stage = Stage::of(Role::Staff);
    let resource = format!("{}/events/mcp", stage.server.url());
    let config = HttpServer::new(&resource, None, BTreeMap::new()).expect("an address");
    let home = tempfile::tempdir().expect("a directory");
    let client = frontdesk_client::Server::new(
        "events",
        &ServerConfig::Http(config),
        Some(home.path().join("events.json")),
    )
    .expect("a client");
    let sign_in = run(client.sign_in()).expect("it finds where");
    let end = stage.signs_in(sign_in.address());
    run(sign_in.finish(end.as_str())).expect("it is signed in");
    let tools = run(client.tools()).expect("tools");
    assert!(tools.iter().any(|tool| tool.name == "check_in_guest"));
}

#[test]
fn the_server_publishes_its_authorization_server_metadata() {
    let stage = Stage::with(Role::Staff, |settings| IdentitySettings {
        public_address: "https://example.org/desk".parse().expect("an address"),
        ..settings
    });
    for path in ["", "/desk"] {
        let path = format!("/.well-known/oauth-authorization-server{path}");
        let answer = answer_to(stage.http().request(Method::GET, &path));
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        assert_eq!(answer.body["issuer"], "https://example.org/desk");
        let token = "https://example.org/desk/auth/v1/oauth/token";
        assert_eq!(answer.body["token_endpoint"], token);
        assert_eq!(
            answer.body["code_challenge_methods_supported"],
            json!(["S256"])
        );
    }
    let elsewhere = "/.well-known/oauth-authorization-server/other";
    let answer = answer_to(stage.http().request(Method::GET, elsewhere));
    assert_eq!(answer.status, StatusCode::NOT_FOUND);

    // A server with default settings is an authorization server too.
    let http = Http::with_token(&world().url(), "");
    let path = "/.well-known/oauth-authorization-server";
    let answer = answer_to(http.request(Method::GET, path));
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.body["issuer"], world().url());
}

#[test]
fn clients_without_a_secret_that_come_back_over_https_or_to_their_own_machine_are_registered() {
    let stage = Stage::of(Role::Staff);
    let redirects = json!([
        BACK,
        "http://[::1]:1/",
        "http://127.0.0.1/",
        "https://client.test/callback"
    ]);
    // A client that requests a secret is registered without.
    for method in ["none", "client_secret_post"] {
        let answer = stage.register(json!({
            "redirect_uris": redirects, "client_name": "A client",
            "token_endpoint_auth_method": method, "response_types": ["code"],
            "grant_types": ["authorization_code", "refresh_token"], "scope": "x",
        }));
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        assert_eq!(answer.body["redirect_uris"], redirects);
        assert_eq!(answer.body["client_name"], "A client");
        assert_eq!(answer.body["token_endpoint_auth_method"], "none");
        assert_eq!(answer.body["client_secret"], Value::Null);
    }
    for (body, error) in [
        (json!({}), "invalid_client_metadata"),
        (json!({ "redirect_uris": [] }), "invalid_redirect_uri"),
        (
            json!({ "redirect_uris": ["http://evil.test/"] }),
            "invalid_redirect_uri",
        ),
        (
            json!({ "redirect_uris": [BACK, "evil:/callback"] }),
            "invalid_redirect_uri",
        ),
        (
            json!({ "redirect_uris": [BACK], "grant_types": ["password"] }),
            "invalid_client_metadata",
        ),
        (
            json!({ "redirect_uris": [BACK], "client_name": "a".repeat(201) }),
            "invalid_client_metadata",
        ),
    ] {
        refused(&stage.register(body), 400, error);
    }
}

/// Asserts the page's protection against framing, caching and forgery.
#[track_caller]
fn is_page_to_sign_in(page: &Page, status: StatusCode, goes_to: &str) {
    assert_eq!(page.status, status, "{page:?}");
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("x-frame-options"), "DENY");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    // With `no-referrer`, browsers would send the form with a null origin.
    assert_eq!(page.header("referrer-policy"), "same-origin");
    let policy = page.header("content-security-policy");
    let target = format!("form-action 'self' {goes_to}; frame-ancestors 'none'");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(policy.ends_with(&target), "{policy}");
    assert!(!page.text.contains("<script"), "{}", page.text);
}

#[test]
fn the_page_names_the_client_its_request_and_the_redirection() {
    let mut stage = Stage::of(Role::Staff);
    for (name, redirect, said, goes_to) in [
        (
            "A <script> & \"me\"",
            BACK,
            "A &lt;script&gt; &amp; &quot;me&quot;",
            "http://127.0.0.1:5000",
        ),
        (
            "Web",
            "https://client.test/callback",
            "https://client.test",
            "https://client.test",
        ),
        ("Six", "http://[::1]:5000/", "Six", "http:"),
    ] {
        let metadata = json!({ "redirect_uris": [redirect], "client_name": name });
        let client = stage.register(metadata);
        let client = client.body["client_id"].as_str().expect("an id").to_owned();
        let begin = stage.begin(&client, &[("redirect_uri", redirect)]);
        let page = stage.browser.get(begin.as_str());
        is_page_to_sign_in(&page, StatusCode::OK, goes_to);
        assert!(page.text.contains(said), "{}", page.text);
        assert!(page.text.contains("asks to use Frontdesk as you"));
        let cancelled = page.link("Cancel").parse().expect("an address");
        let end = parameters(&cancelled);
        assert_eq!(end["error"], "access_denied");
        assert_eq!(end["iss"], stage.server.url());
        let end = stage.signs_in(begin.as_str());
        assert!(end.as_str().starts_with(redirect), "{end}");
        let answer = stage.redeem(
            &client,
            &parameters(&end)["code"],
            &[("redirect_uri", redirect)],
        );
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    }
}

#[test]
fn a_wrong_password_is_reported_on_the_page_and_too_many_are_refused() {
    let mut stage = Stage::with(Role::Staff, |settings| IdentitySettings {
        password_attempts: NonZeroU32::new(3),
        ..settings
    });
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    let email = format!("\"{}", stage.email);
    let page = stage.browser.signs_in(begin.as_str(), &email, "wrong");
    is_page_to_sign_in(&page, StatusCode::BAD_REQUEST, "http://127.0.0.1:5000");
    assert!(page.text.contains("password is wrong"), "{}", page.text);
    let kept = format!("value=\"&quot;{}\"", stage.email);
    assert!(page.text.contains(&kept), "{}", page.text);
    assert!(!page.text.contains("value=\"wrong\""), "{}", page.text);

    // The limit of an address is shared with the password grant.
    let (action, flow) = page.form();
    let wrong = [
        ("flow", &*flow),
        ("email", &stage.email),
        ("password", "wrong"),
    ];
    for _ in 0..2 {
        let page = stage.browser.post(&action, &wrong);
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
    }
    let http = stage.http();
    let answer = http.password_grant(&stage.email, "wrong");
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let right = [wrong[0], wrong[1], ("password", PASSWORD)];
    let page = stage.browser.post(&action, &right);
    is_page_to_sign_in(
        &page,
        StatusCode::TOO_MANY_REQUESTS,
        "http://127.0.0.1:5000",
    );
    assert!(page.text.contains("rate limit reached"), "{}", page.text);
}

#[test]
fn a_forged_post_does_not_sign_in() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    let (action, flow) = stage.browser.get(begin.as_str()).form();
    let mut other = Browser::default();
    let (_, of_other) = other.get(begin.as_str()).form();
    let email = stage.email.clone();
    let fields = |flow| [("flow", flow), ("email", &*email), ("password", PASSWORD)];
    // Without the cookie, with another browser's cookie, and with an invalid one.
    let pages = [
        Browser::default().post(&action, &fields(&flow)),
        stage.browser.post(&action, &fields(&of_other)),
        stage.browser.post(&action, &fields("")),
        stage.browser.post(&action, &fields(&flow)[1..]),
    ];
    for page in pages {
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{page:?}");
        assert!(page.text.contains("did not begin in this browser"));
    }
    // From another site, by the browser's own headers.
    let page = stage
        .browser
        .post_with(&action, &fields(&flow), ("sec-fetch-site", "cross-site"));
    assert_eq!(page.status, StatusCode::BAD_REQUEST, "{page:?}");
    let page = stage
        .browser
        .post_with(&action, &fields(&flow), ("sec-fetch-site", "same-origin"));
    assert!(parameters(&page.location()).contains_key("code"));
}

#[test]
fn a_client_whose_id_is_a_document_signs_in_without_registering() {
    let document = |url: &str, path: &str, of: &str| {
        let document = json!({
            "client_id": format!("{url}{of}"), "client_name": "Documented",
            "redirect_uris": ["http://127.0.0.1/callback"],
            "token_endpoint_auth_method": "none",
        });
        let answer = move || std::future::ready(axum::Json(document.clone()));
        axum::Router::new().route(path, axum::routing::get(answer))
    };
    let url = serve(|url| {
        let client = document(url, "/client.json", "/client.json");
        client.merge(document(url, "/impostor.json", "/client.json"))
    });
    let mut stage = Stage::with(Role::Staff, |settings| IdentitySettings {
        private_clients: true,
        ..settings
    });
    let path = "/.well-known/oauth-authorization-server";
    let about = answer_to(stage.http().request(Method::GET, path));
    assert_eq!(about.body["client_id_metadata_document_supported"], true);

    let client = format!("{url}/client.json");
    let begin = stage.begin(&client, &[]);
    let page = stage.browser.get(begin.as_str());
    let said = "<b>Documented</b> of <b>127.0.0.1</b>";
    assert!(page.text.contains(said), "{}", page.text);
    let code = stage.code(&client);
    let answer = stage.redeem(&client, &code, &[]);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);

    for (path, said) in [
        ("/impostor.json", "client_id must be its own address"),
        ("/nowhere.json", "cannot be fetched"),
    ] {
        let begin = stage.begin(&format!("{url}{path}"), &[]);
        let page = stage.browser.get(begin.as_str());
        assert_eq!(page.status, StatusCode::BAD_REQUEST);
        assert!(page.text.contains(said), "{}", page.text);
    }
    let elsewhere = stage.begin(&client, &[("redirect_uri", "https://evil.test/")]);
    let page = stage.browser.get(elsewhere.as_str());
    assert_eq!(page.status, StatusCode::BAD_REQUEST, "{page:?}");
    // Private networks are only requested with the operator's permission.
    let mut stage = Stage::of(Role::Staff);
    let page = stage.browser.get(stage.begin(&client, &[]).as_str());
    assert!(page.text.contains("is not registered here"), "{page:?}");
}

#[test]
fn the_page_offers_the_code_hosting_provider_as_well() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    let page = stage.browser.get(begin.as_str());
    let provider = page.link("Sign in with forge");
    let end = stage.browser.comes_back_from(&provider);
    let code = &parameters(&end)["code"];
    let answer = stage.redeem(&client, code, &[]);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

#[test]
fn with_an_outside_provider_nobody_signs_in_here() {
    let settings = Settings {
        identity: IdentitySettings {
            source: TokenSource::Outside(OutsideProvider {
                keys: OutsideKeys::Secret("0123456789abcdef0123456789abcdef".to_owned()),
                issuer: "frontdesk".to_owned(),
                audience: "authenticated".to_owned(),
            }),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let http = Http::with_token(&server.url(), "");
    for path in [
        "/.well-known/oauth-authorization-server",
        "/auth/v1/oauth/authorize",
    ] {
        let answer = answer_to(http.request(Method::GET, path));
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let path = "/.well-known/oauth-protected-resource/events/mcp";
    let answer = answer_to(http.request(Method::GET, path));
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.body["authorization_servers"], Value::Null);
}

#[test]
fn the_answer_names_its_issuer_and_its_tokens_are_refreshed() {
    let mut stage = Stage::of(Role::Teacher);
    let client = stage.client();
    // A native program listens on another port each time.
    let back = "http://127.0.0.1:6000/callback";
    let begin = stage.begin(&client, &[("redirect_uri", back)]);
    let end = stage.signs_in(begin.as_str());
    assert!(end.as_str().starts_with(back), "{end}");
    let end = parameters(&end);
    assert_eq!(end["iss"], stage.server.url());
    assert_eq!(end["state"], "mine");
    let answer = stage.redeem(&client, &end["code"], &[("redirect_uri", back)]);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.body["token_type"], "Bearer");
    let refresh_token = answer.body["refresh_token"].as_str().expect("a token");
    let form = [
        ("grant_type", "refresh_token"),
        ("client_id", &client),
        ("refresh_token", refresh_token),
    ];
    let answer = stage.token(&form);
    let token = answer.body["access_token"].as_str().expect("a token");
    let teacher = Http::with_token(&stage.server.url(), token);
    teacher.initialize(Host::Staff, "2025-06-18").result();
    let form = [form[0], form[1], ("refresh_token", "guessed")];
    refused(&stage.token(&form), 400, "invalid_grant");
}

#[test]
fn a_code_is_the_client_s_that_began_alone() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let other = stage.register(json!({ "redirect_uris": [BACK, "http://[::1]:1/"] }));
    let other = other.body["client_id"].as_str().expect("an id").to_owned();
    let verifier = VERIFIER.replace('d', "e");
    for instead in [
        ("code_verifier", &*verifier),
        ("redirect_uri", "http://127.0.0.1:5001/callback"),
        ("redirect_uri", "https://evil.test/"),
        ("client_id", &other),
    ] {
        let code = stage.code(&client);
        let answer = stage.redeem(&client, &code, &[instead]);
        refused(&answer, 400, "invalid_grant");
        refused(&stage.redeem(&client, &code, &[]), 400, "invalid_grant");
    }
    let code = stage.code(&client);
    assert_eq!(stage.redeem(&client, &code, &[]).status, StatusCode::OK);
    refused(&stage.redeem(&client, &code, &[]), 400, "invalid_grant");

    // The terminal's grant refuses the code too: it proves less.
    let code = stage.code(&client);
    let http = stage.http();
    let request = http
        .request(Method::POST, "/auth/v1/token?grant_type=pkce")
        .header("apikey", "demo");
    let body = json!({ "auth_code": code, "code_verifier": VERIFIER });
    let answer = answer_to(request.json(&body));
    assert_eq!(answer.body["error_code"], "bad_code_verifier");
}

#[test]
fn a_refresh_token_is_the_client_s_that_got_it_alone() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let other = stage.register(json!({ "redirect_uris": [BACK, "http://[::1]:1/"] }));
    let other = other.body["client_id"].as_str().expect("an id").to_owned();
    let http = stage.http();
    let refresh = |stage: &Stage, client: &str, token: &str| {
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", client),
            ("refresh_token", token),
        ];
        stage.token(&form)
    };
    // By another client, and by the service's own grant, which has no client.
    for is_own_grant in [false, true] {
        let code = stage.code(&client);
        let answer = stage.redeem(&client, &code, &[]);
        let token = answer.body["refresh_token"].as_str().expect("a token");
        match is_own_grant {
            false => refused(&refresh(&stage, &other, token), 400, "invalid_grant"),
            true => {
                let answer = http.refresh(None, token);
                assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
            }
        }
        // Two parties had the token: the sign-in ends for both.
        refused(&refresh(&stage, &client, token), 400, "invalid_grant");
    }
    let by_password = Http::sign_in(&stage.server.url(), &stage.email, PASSWORD);
    let token = &by_password.refresh_token;
    refused(&refresh(&stage, &client, token), 400, "invalid_grant");
}

#[test]
fn a_grant_that_is_not_asked_for_in_full_is_refused() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let code = stage.code(&client);
    for (name, value, status, error) in [
        ("client_id", "", 400, "invalid_request"),
        ("client_id", "guessed", 401, "invalid_client"),
        ("code", "", 400, "invalid_request"),
        ("code_verifier", "", 400, "invalid_request"),
        ("redirect_uri", "", 400, "invalid_request"),
        ("grant_type", "password", 400, "unsupported_grant_type"),
        ("resource", "https://evil.test/mcp", 400, "invalid_target"),
    ] {
        let answer = stage.redeem(&client, &code, &[(name, value)]);
        refused(&answer, status, error);
    }
    let twice = [("client_id", &*client), ("client_id", &*client)];
    refused(&stage.token(&twice), 400, "invalid_request");
    let resource = format!("{}/work/mcp", stage.server.url());
    let answer = stage.redeem(&client, &code, &[("resource", &resource)]);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[test]
fn unregistered_redirections_are_refused() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let (said, signature) = client.split_once('.').expect("two parts");
    let said = URL_SAFE_NO_PAD.decode(said).expect("base64");
    let said = String::from_utf8(said)
        .expect("text")
        .replace("127.0.0.1", "evil.test");
    let forged = format!("{}.{signature}", URL_SAFE_NO_PAD.encode(said));
    for (name, value) in [
        ("client_id", ""),
        ("client_id", "guessed"),
        ("client_id", &*forged),
        ("redirect_uri", ""),
        ("redirect_uri", "https://evil.test/callback"),
        ("redirect_uri", "http://127.0.0.1:5000/elsewhere"),
        ("redirect_uri", "http://localhost:5000/callback"),
    ] {
        let begin = stage.begin(&client, &[(name, value)]);
        let page = stage.browser.get(begin.as_str());
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{name}={value}");
        assert_eq!(page.header("location"), "");
    }
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("resource", "https://evil.test/mcp", "invalid_target"),
    ] {
        let begin = stage.begin(&client, &[(name, value)]);
        let end = parameters(&stage.browser.get(begin.as_str()).location());
        assert_eq!(end["error"], error, "{end:?}");
        assert_eq!(end["iss"], stage.server.url());
    }
}

/// Anybody can register an https address.
#[test]
fn errors_redirect_only_after_the_person_has_agreed() {
    let mut stage = Stage::of(Role::Staff);
    let elsewhere = "https://evil.test/cb";
    let client = stage.register(json!({ "redirect_uris": [elsewhere] }));
    let client = client.body["client_id"].as_str().expect("an id").to_owned();
    let is_page = |page: &Page, error: &str| {
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{page:?}");
        assert_eq!(page.header("location"), "");
        assert!(page.text.contains("Not signed in"), "{}", page.text);
        let back = page.link("Back to https://evil.test");
        let back = parameters(&back.parse().expect("an address"));
        assert_eq!(back["error"], error);
        assert_eq!(back["state"], "mine");
    };
    for (name, value, error) in [
        ("response_type", "token", "unsupported_response_type"),
        ("code_challenge", "", "invalid_request"),
        ("code_challenge_method", "plain", "invalid_request"),
        ("resource", "https://evil.test/mcp", "invalid_target"),
    ] {
        let begin = stage.begin(&client, &[("redirect_uri", elsewhere), (name, value)]);
        is_page(&stage.browser.get(begin.as_str()), error);
    }
    // Nor if the provider refuses.
    stage.provider.refuses("access_denied");
    let begin = stage.begin(&client, &[("redirect_uri", elsewhere)]);
    let page = stage.browser.get(begin.as_str());
    let callback = stage.browser.get(&page.link("Sign in with forge"));
    let page = stage.browser.get(callback.location().as_str());
    is_page(&page, "access_denied");
}

/// RFC 6749, section 4.1.2.
#[test]
fn a_code_that_is_used_again_ends_the_sign_in_that_it_began() {
    let mut stage = Stage::of(Role::Staff);
    let client = stage.client();
    let other = stage.code(&client);
    let other = stage.redeem(&client, &other, &[]);
    let code = stage.code(&client);
    let granted = stage.redeem(&client, &code, &[]);
    let again = stage.redeem(&client, &code, &[]);
    refused(&again, 400, "invalid_grant");
    let refresh = |granted: &Answer| {
        let token = granted.body["refresh_token"].as_str().expect("a token");
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", &client),
            ("refresh_token", token),
        ];
        stage.token(&form)
    };
    refused(&refresh(&granted), 400, "invalid_grant");
    let token = granted.body["access_token"].as_str().expect("a token");
    let holder = Http::with_token(&stage.server.url(), token);
    let opened = holder.initialize(Host::Events, "2025-11-25");
    assert_eq!(opened.status, StatusCode::UNAUTHORIZED, "{}", opened.body);
    assert_eq!(refresh(&other).status, StatusCode::OK);
}

#[test]
fn a_client_s_name_is_one_line_of_printable_text() {
    let stage = Stage::of(Role::Staff);
    let register = |name: &str| {
        let metadata = json!({ "redirect_uris": [BACK], "client_name": name });
        stage.register(metadata)
    };
    for name in [
        "Two\nlines",
        "A\ttab",
        "\u{202e}tpircs",
        "zero\u{200b}width",
        "no\u{a0}break",
        "two\u{2028}lines",
        "\u{7f}",
        "\u{e000}",
    ] {
        let answer = register(name);
        refused(&answer, 400, "invalid_client_metadata");
        let described = answer.body["error_description"].as_str();
        assert!(
            described.is_some_and(|it| it.contains("one line")),
            "{name:?}"
        );
    }
    for name in ["Agent 2", "Ação ✓", "桌面", "🤖"] {
        let answer = register(&format!(" {name} "));
        assert_eq!(answer.body["client_name"], name);
    }
}

#[test]
fn a_network_may_register_so_many_clients() {
    let stage = Stage::with(Role::Staff, |settings| IdentitySettings {
        pages_per_minute: NonZeroU32::new(30),
        ..settings
    });
    for _ in 0..3 {
        stage.client();
    }
    let answer = stage.register(json!({ "redirect_uris": [BACK] }));
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert_ne!(answer.header("retry-after"), "");
}

#[test]
fn who_has_accounts_at_several_organisations_chooses_one_on_the_page() {
    let mut stage = Stage::of(Role::Staff);
    let other = Organization::create();
    invited(&other, &stage.email, PASSWORD);
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    let email = stage.email.clone();
    let page = stage.browser.signs_in(begin.as_str(), &email, PASSWORD);
    is_page_to_sign_in(&page, StatusCode::OK, "http://127.0.0.1:5000");
    assert!(
        page.text.contains("Choose an organisation"),
        "{}",
        page.text
    );
    let (flow, choice) = (page.field("flow"), page.field("choice"));
    for organization in [stage.organization, other] {
        let account = page.value_of(&organization.name());
        let fields = [("flow", &*flow), ("choice", &choice), ("account", &account)];
        let end = stage.browser.post(&page.form_address(), &fields);
        let code = parameters(&end.location())["code"].clone();
        let answer = stage.redeem(&client, &code, &[]);
        let token = answer.body["access_token"].as_str().expect("a token");
        let http = Http::with_token(&stage.server.url(), token);
        let request = http
            .request(Method::GET, "/auth/v1/user")
            .bearer_auth(token);
        let user = answer_to(request).body;
        assert_eq!(user["app_metadata"]["organization"], organization.name());
    }
    // Somebody else's account, another sign-in's choice, another browser.
    let owner = stage.organization.user(Role::Owner).to_string();
    let account = page.value_of(&other.name());
    let again = stage.browser.get(begin.as_str()).field("flow");
    let forged = [
        (&flow, &choice, &owner),
        (&again, &choice, &account),
        (&flow, &flow, &account),
    ];
    let mut pages = Vec::new();
    for (flow, choice, account) in forged {
        let fields = [("flow", &**flow), ("choice", choice), ("account", account)];
        pages.push(stage.browser.post(&page.form_address(), &fields));
    }
    let fields = [("flow", &*flow), ("choice", &choice), ("account", &account)];
    pages.push(Browser::default().post(&page.form_address(), &fields));
    for page in pages {
        assert_eq!(page.status, StatusCode::BAD_REQUEST, "{page:?}");
    }
}

#[test]
fn the_page_asks_for_a_second_factor_after_the_password_and_after_a_choice() {
    let mut stage = Stage::of(Role::Staff);
    invited(&Organization::create(), &stage.email, PASSWORD);
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    for (role, chooses) in [(Role::Staff, true), (Role::Teacher, false)] {
        let [code, _] = run(stage.organization.second_factor(role));
        let email = stage.organization.email(role);
        let mut page = stage.browser.signs_in(begin.as_str(), &email, PASSWORD);
        if chooses {
            let account = page.value_of(&stage.organization.name());
            let (flow, choice) = (page.field("flow"), page.field("choice"));
            let fields = [("flow", &*flow), ("choice", &choice), ("account", &account)];
            page = stage.browser.post(&page.form_address(), &fields);
        }
        is_page_to_sign_in(&page, StatusCode::OK, "http://127.0.0.1:5000");
        let (flow, passed) = (page.field("flow"), page.field("passed"));
        let mut enter = |code: &str| {
            let fields = [("flow", &*flow), ("passed", &passed), ("code", code)];
            stage.browser.post(&page.form_address(), &fields)
        };
        assert_eq!(enter("").status, StatusCode::BAD_REQUEST);
        assert_eq!(enter("123456").status, StatusCode::BAD_REQUEST);
        let end = enter(code).location();
        let tokens = stage.redeem(&client, &parameters(&end)["code"], &[]);
        assert!(tokens.body["access_token"].is_string(), "{}", tokens.body);
    }
}

#[test]
fn a_visitor_without_an_account_gets_the_standard_error() {
    let mut stage = Stage::of(Role::Staff);
    let user = stage.organization.user(Role::Staff).0;
    let owner = world().owner();
    let statement = "update auth.users set is_active = false where id = $1";
    owner.execute(statement, &[&user]).expect("updated");
    drop(owner);
    let client = stage.client();
    let begin = stage.begin(&client, &[]);
    let page = stage.browser.get(begin.as_str());
    let provider = page.link("Sign in with forge");
    let end = parameters(&stage.browser.comes_back_from(&provider));
    assert_eq!(end["error"], "access_denied");
    assert_eq!(end["iss"], stage.server.url());
}
