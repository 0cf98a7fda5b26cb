//! Section 5.4: signing in through a code-hosting provider, and its errors.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::accounts::{NewAccount, add, set_password};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{
    Answer, Browser, CodeHost, Http, Organization, answer_to, at_once, invited, world,
};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::{Page, address_with, parameters};
use frontdesk_tests::run;
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The terminal's PKCE verifier.
pub(crate) const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
/// The terminal's redirect address.
const BACK: &str = "http://127.0.0.1:5000/callback";

/// A provider, a server that signs people in through it, and the browser of one of them.
struct Stage {
    organization: Organization,
    provider: CodeHost,
    server: Server,
    clock: Clock,
    browser: Browser,
}

impl Stage {
    /// A stage where this role is at the provider's page.
    fn of(role: Role) -> Stage {
        let organization = Organization::create();
        let provider = CodeHost::start(&organization.email(role));
        let clock = Clock::system();
        Stage {
            server: server(&provider, &clock, None),
            organization,
            provider,
            clock,
            browser: Browser::default(),
        }
    }

    fn http(&self) -> Http {
        Http::with_token(&self.server.url(), "")
    }

    /// The address at which the terminal starts the browser.
    fn begin(&self) -> Url {
        begin_at(&self.server.url(), &[])
    }

    /// The browser's final address.
    fn end(&mut self) -> Url {
        let begin = self.begin();
        self.browser.goes_through(begin.as_str())
    }

    /// The code in the final address.
    fn code(&mut self) -> String {
        let end = parameters(&self.end());
        assert_eq!(end["state"], "mine", "{end:?}");
        end["code"].clone()
    }

    /// Asserts that the sign-in ends with this error and description, without a code.
    fn is_refused(&mut self, error: &str, said: &str) {
        refused(&self.end(), error, said);
    }
}

#[track_caller]
fn refused(end: &Url, error: &str, said: &str) {
    assert!(end.as_str().starts_with(&format!("{BACK}?")), "{end}");
    let end = parameters(end);
    assert_eq!(end["error"], error, "{end:?}");
    assert!(end["error_description"].contains(said), "{end:?}");
    assert_eq!(end["state"], "mine");
    assert!(!end.contains_key("code"), "{end:?}");
}

fn server(provider: &CodeHost, clock: &Clock, public: Option<&str>) -> Server {
    let settings = Settings {
        clock: clock.clone(),
        calls_per_minute: 0,
        identity: IdentitySettings {
            code_host: Some(provider.settings()),
            public_address: public.map_or_else(Default::default, |public| {
                public.parse().expect("an address")
            }),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    };
    world().server_with(settings)
}

/// The address at which a terminal starts the browser, with these parameters replaced; an empty one
/// is removed.
pub(crate) fn begin_at(url: &str, instead: &[(&str, &str)]) -> Url {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    let usual = [
        ("provider", "forge"),
        ("redirect_to", BACK),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
        ("state", "mine"),
    ];
    let address = format!("{url}/auth/v1/authorize");
    address_with(&address, &usual, instead)
}

pub(crate) fn redeem(http: &Http, code: &str, verifier: &str) -> Answer {
    let body = json!({ "auth_code": code, "code_verifier": verifier });
    redeem_with(http, &body)
}

fn redeem_with(http: &Http, body: &Value) -> Answer {
    let request = http
        .request(Method::POST, "/auth/v1/token?grant_type=pkce")
        .header("apikey", "demo");
    answer_to(request.json(body))
}

#[track_caller]
fn is_good_for_nothing(answer: &Answer, error_code: &str) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert_eq!(answer.body["error_code"], error_code);
    assert_eq!(answer.body["access_token"], Value::Null);
}

/// The page is the server's own, loads nothing from elsewhere, and is not cached.
#[track_caller]
fn is_page(page: &Page, status: StatusCode, said: &str) {
    assert_eq!(page.status, status, "{}", page.text);
    assert!(page.text.contains(said), "{}", page.text);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("location"), "");
    assert_eq!(page.header("set-cookie"), "");
    has_strict_headers(page);
}

#[track_caller]
fn has_strict_headers(page: &Page) {
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("referrer-policy"), "no-referrer");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("x-frame-options"), "DENY");
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; style-src 'sha256-"),
        "{policy}"
    );
    assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
}

#[test]
fn the_settings_name_the_provider_to_a_caller_with_the_public_key() {
    let stage = Stage::of(Role::Staff);
    let settings = || {
        let http = stage.http();
        http.request(Method::GET, "/auth/v1/settings")
    };
    let told = answer_to(settings().header("apikey", "demo"));
    assert_eq!(told.status, StatusCode::OK);
    assert_eq!(
        told.body,
        json!({ "external": { "email": true, "forge": true }, "disable_signup": true })
    );
    let untold = answer_to(settings());
    assert_eq!(untold.status, StatusCode::UNAUTHORIZED);

    let settings = Settings {
        identity: identity(),
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let without = Http::with_token(&server.url(), "");
    let asked = without.request(Method::GET, "/auth/v1/settings");
    let told = answer_to(asked.header("apikey", "demo"));
    assert_eq!(told.body["external"], json!({ "email": true }));
}

#[test]
fn a_verified_address_of_an_account_gets_the_same_tokens_as_a_password() {
    let mut stage = Stage::of(Role::Staff);
    let code = stage.code();
    let http = stage.http();
    let answer = redeem(&http, &code, VERIFIER);
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.header("cache-control"), "no-store");
    let email = stage.organization.email(Role::Staff);
    let by_password = http.password_grant(&email, PASSWORD);
    let fields = |answer: &Answer| {
        let fields = answer.body.as_object().expect("an object").keys();
        fields.cloned().collect::<Vec<_>>()
    };
    assert_eq!(fields(&answer), fields(&by_password));
    assert_eq!(answer.body["user"], by_password.body["user"]);

    let token = answer.body["access_token"].as_str().expect("a token");
    let mut staff = Http::with_token(&stage.server.url(), token);
    staff.rpc(Host::Events, "tools/list", json!({})).result();
    let refresh_token = answer.body["refresh_token"].as_str().expect("a token");
    let refreshed = http.refresh(Some(Host::Events), refresh_token);
    assert_eq!(refreshed.status, StatusCode::OK);
}

#[test]
fn the_address_counts_however_it_is_written() {
    let mut stage = Stage::of(Role::Teacher);
    let email = stage.organization.email(Role::Teacher).to_uppercase();
    stage.provider.visited_by(&email, true);
    let code = stage.code();
    assert_eq!(
        redeem(&stage.http(), &code, VERIFIER).status,
        StatusCode::OK
    );
}

#[test]
fn every_step_may_come_to_another_server_process() {
    let mut stage = Stage::of(Role::Staff);
    // Behind one name, as a proxy puts them; the provider sends the browser back to it.
    let public = stage.server.url();
    let first = server(&stage.provider, &stage.clock, Some(&public));
    let third = server(&stage.provider, &stage.clock, None);
    let begin = begin_at(&first.url(), &[]);
    let end = stage.browser.goes_through(begin.as_str());
    let code = &parameters(&end)["code"];
    let http = Http::with_token(&third.url(), "");
    assert_eq!(redeem(&http, code, VERIFIER).status, StatusCode::OK);
    let again = redeem(&stage.http(), code, VERIFIER);
    is_good_for_nothing(&again, "flow_state_not_found");
}

#[test]
fn a_code_is_good_once() {
    let mut stage = Stage::of(Role::Staff);
    let code = stage.code();
    let http = stage.http();
    let both = at_once((0..2).map(|_| || redeem(&http, &code, VERIFIER)));
    let mut statuses = [both[0].status, both[1].status];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::BAD_REQUEST]);
    let again = redeem(&http, &code, VERIFIER);
    is_good_for_nothing(&again, "flow_state_not_found");
}

#[test]
fn a_code_is_good_for_five_minutes() {
    let mut stage = Stage::of(Role::Staff);
    let (early, late) = (stage.code(), stage.code());
    let http = stage.http();
    stage.clock.advance(Duration::from_secs(290));
    assert_eq!(redeem(&http, &early, VERIFIER).status, StatusCode::OK);
    stage.clock.advance(Duration::from_secs(10));
    let answer = redeem(&http, &late, VERIFIER);
    is_good_for_nothing(&answer, "flow_state_expired");
}

#[test]
fn codes_that_are_over_do_not_stay() {
    let mut stage = Stage::of(Role::Staff);
    stage.code();
    stage.clock.advance(Duration::from_secs(300));
    stage.code();
    let user = stage.organization.user(Role::Staff).0;
    let owner = world().owner();
    let kept = owner
        .query_one(
            "select count(*) from auth.sign_in_codes where user_id = $1",
            &[&user],
        )
        .expect("a count");
    assert_eq!(kept.get::<_, i64>(0), 1);
}

#[test]
fn a_code_is_good_for_the_one_who_began_alone() {
    let mut stage = Stage::of(Role::Staff);
    let http = stage.http();
    let other = VERIFIER.replace('d', "e");
    for verifier in ["", "short", &*other, &"a".repeat(129)] {
        let code = stage.code();
        let answer = redeem(&http, &code, verifier);
        is_good_for_nothing(&answer, "bad_code_verifier");
        // A second party has the code, so it is revoked.
        let answer = redeem(&http, &code, VERIFIER);
        is_good_for_nothing(&answer, "flow_state_not_found");
    }
    for code in ["", "code-1", "ä", &"A".repeat(43)] {
        let answer = redeem(&http, code, VERIFIER);
        is_good_for_nothing(&answer, "flow_state_not_found");
    }
    for body in [
        json!({}),
        json!({ "auth_code": "x" }),
        json!({ "auth_code": 1 }),
    ] {
        is_good_for_nothing(&redeem_with(&http, &body), "validation_failed");
    }
}

#[test]
fn a_grant_for_a_code_wants_the_public_key_as_the_others_do() {
    let stage = Stage::of(Role::Staff);
    let request = stage
        .http()
        .request(Method::POST, "/auth/v1/token?grant_type=pkce");
    let answer = answer_to(request.json(&json!({})));
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

#[test]
fn an_account_that_is_deactivated_in_between_gets_nothing() {
    let mut stage = Stage::of(Role::Staff);
    let code = stage.code();
    let statement = "update auth.users set is_active = false where id = $1";
    let user = stage.organization.user(Role::Staff).0;
    let owner = world().owner();
    owner.execute(statement, &[&user]).expect("updated");
    drop(owner);
    let answer = redeem(&stage.http(), &code, VERIFIER);
    is_good_for_nothing(&answer, "flow_state_not_found");
    stage.is_refused("access_denied", "no account here is linked to");
}

#[test]
fn a_visitor_without_an_account_is_refused_and_none_is_created() {
    let mut stage = Stage::of(Role::Staff);
    let stranger = format!("stranger@{}.test", stage.organization.id);
    stage.provider.visited_by(&stranger, true);
    stage.is_refused("access_denied", &stranger);
    let owner = world().owner();
    let count = "select count(*) from auth.users where email = $1";
    let found = owner.query_one(count, &[&stranger]).expect("a count");
    assert_eq!(found.get::<_, i64>(0), 0);
}

#[test]
fn the_provider_opens_an_account_made_by_invitation_once_its_holder_has_linked_it() {
    let mut stage = Stage::of(Role::Staff);
    let email = format!("ana@{}.test", stage.organization.id);
    invited(&stage.organization, &email, "a good password");
    stage.provider.visited_by(&email, true);
    stage.is_refused("access_denied", "no account here is linked to");

    // She links it with a different address at the provider.
    let private = format!("ana.private@{}.test", stage.organization.id);
    stage.provider.visited_by(&private, true);
    let ana = Http::sign_in(&stage.server.url(), &email, "a good password");
    let request = ana.request(Method::POST, "/auth/v1/user/link");
    let link = answer_to(request.bearer_auth(&ana.token));
    let link = link.body["link"].as_str().expect("a link").to_owned();
    let begin = begin_at(&stage.server.url(), &[("link", &link)]);
    let provider = stage.browser.get(begin.as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    let page = stage.browser.get(callback.as_str());
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    assert!(page.text.contains(&private), "{}", page.text);
    // Nothing is linked before she agrees.
    stage.is_refused("access_denied", &private);
    let (flow, choice) = (page.field("flow"), page.field("choice"));
    let label = format!("Link {email} at {}", stage.organization.name());
    let account = page.value_of(&label);
    let fields = [("flow", &*flow), ("choice", &choice), ("account", &account)];
    let end = stage.browser.post(&page.form_address(), &fields);
    let code = &parameters(&end.location())["code"];
    let http = stage.http();
    assert_eq!(redeem(&http, code, VERIFIER).body["user"]["email"], email);

    let code = stage.code();
    assert_eq!(redeem(&http, &code, VERIFIER).body["user"]["email"], email);
    // The address of the invitation still opens nothing.
    stage.provider.visited_by(&email, true);
    stage.is_refused("access_denied", &email);
}

#[test]
fn a_link_is_of_the_one_who_is_signed_in_and_good_for_ten_minutes() {
    let mut stage = Stage::of(Role::Staff);
    let http = stage.http();
    let unsigned = answer_to(http.request(Method::POST, "/auth/v1/user/link"));
    assert_eq!(unsigned.status, StatusCode::UNAUTHORIZED);
    let staff = Http::sign_in(
        &stage.server.url(),
        &stage.organization.email(Role::Staff),
        PASSWORD,
    );
    let request = staff.request(Method::POST, "/auth/v1/user/link");
    let link = answer_to(request.bearer_auth(&staff.token));
    let link = link.body["link"].as_str().expect("a link").to_owned();
    stage.clock.advance(Duration::from_secs(600));
    for link in [&*link, "forged", &staff.token] {
        let begin = begin_at(&stage.server.url(), &[("link", link)]);
        let page = stage.browser.get(begin.as_str());
        is_page(&page, StatusCode::BAD_REQUEST, "login --link again");
    }
}

/// Links the account with its address at the provider; returns the page that asks for agreement.
fn ask_to_link(stage: &mut Stage, http: &Http) -> Page {
    let request = http.request(Method::POST, "/auth/v1/user/link");
    let link = answer_to(request.bearer_auth(&http.token));
    let link = link.body["link"].as_str().expect("a link").to_owned();
    let begin = begin_at(&stage.server.url(), &[("link", &link)]);
    let provider = stage.browser.get(begin.as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    stage.browser.get(callback.as_str())
}

fn agree(stage: &mut Stage, page: &Page, account: &str) -> Page {
    let (flow, choice) = (page.field("flow"), page.field("choice"));
    let fields = [("flow", &*flow), ("choice", &choice), ("account", account)];
    stage.browser.post(&page.form_address(), &fields)
}

fn change_password(http: &Http, current: &str, new: &str) {
    let body = json!({ "current_password": current, "password": new });
    let request = http.request(Method::PUT, "/auth/v1/user");
    let changed = answer_to(request.bearer_auth(&http.token).json(&body));
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.body);
}

#[test]
fn what_was_linked_and_what_asks_to_be_linked_ends_with_a_change_of_the_password() {
    let mut stage = Stage::of(Role::Staff);
    let email = stage.organization.email(Role::Staff);
    let account = stage.organization.user(Role::Staff).to_string();
    let thief = Http::sign_in(&stage.server.url(), &email, PASSWORD);
    stage.provider.visited_by("thief@example.org", true);
    let page = ask_to_link(&mut stage, &thief);
    let linked = agree(&mut stage, &page, &account);
    assert!(parameters(&linked.location()).contains_key("code"));
    stage.code();
    let waiting = ask_to_link(&mut stage, &thief);

    let own = Http::sign_in(&stage.server.url(), &email, PASSWORD);
    change_password(&own, PASSWORD, "a password of her own");
    stage.is_refused("access_denied", "no account here is linked to");
    let refused = agree(&mut stage, &waiting, &account);
    assert!(refused.status.is_client_error(), "{}", refused.text);
    stage.is_refused("access_denied", "no account here is linked to");
    let asked = thief.request(Method::POST, "/auth/v1/user/link");
    let asked = answer_to(asked.bearer_auth(&thief.token));
    assert_eq!(asked.status, StatusCode::UNAUTHORIZED, "{}", asked.body);
}

/// An account at another organisation with the address of the stage's staff.
fn other_account(stage: &Stage) -> NewAccount {
    let other = NewAccount {
        email: stage.organization.email(Role::Staff),
        password: PASSWORD.to_owned(),
        name: String::new(),
        organization: format!("Other {}", stage.organization.id),
        is_new_organization: true,
        role: Role::Owner,
    };
    let mut owner = world().owner();
    run(add(&mut owner, &other)).expect("an account");
    other
}

#[test]
fn a_choice_of_accounts_ends_with_a_change_of_the_password() {
    let mut stage = Stage::of(Role::Staff);
    let other = other_account(&stage);
    let begin = stage.begin();
    let provider = stage.browser.get(begin.as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    let page = stage.browser.get(callback.as_str());
    let account = page.value_of(&other.organization);
    let mut owner = world().owner();
    let new = "a password of her own";
    let changed = set_password(&mut owner, &other.email, Some(&other.organization), new);
    run(changed).expect("a new password");
    drop(owner);
    let refused = agree(&mut stage, &page, &account);
    assert!(refused.status.is_client_error(), "{}", refused.text);
}

#[test]
fn who_has_accounts_at_several_organisations_chooses_one() {
    let mut stage = Stage::of(Role::Staff);
    let other = other_account(&stage);
    let begin = stage.begin();
    let provider = stage.browser.get(begin.as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    let page = stage.browser.get(callback.as_str());
    let account = page.value_of(&other.organization);
    let end = agree(&mut stage, &page, &account);
    let code = &parameters(&end.location())["code"];
    let granted = redeem(&stage.http(), code, VERIFIER);
    assert_eq!(granted.body["user"]["id"], account);
}

#[test]
fn an_unverified_or_secondary_address_identifies_nobody() {
    let mut stage = Stage::of(Role::Owner);
    let email = stage.organization.email(Role::Owner);
    stage.provider.visited_by(&email, false);
    stage.is_refused("access_denied", "no verified primary e-mail");
    let secondary = json!([{ "email": email, "primary": false, "verified": true }]);
    for says in [
        secondary,
        json!([]),
        json!({ "email": email }),
        json!({ "email": email, "email_verified": false }),
    ] {
        stage.provider.says(says);
        stage.is_refused("access_denied", "no verified primary e-mail");
    }
    stage
        .provider
        .says(json!({ "email": email, "email_verified": true }));
    stage.code();
}

#[test]
fn a_refusal_and_a_failure_of_the_provider_are_different_errors() {
    let mut stage = Stage::of(Role::Staff);
    let token = "/login/oauth/access_token";
    for (path, status, body, error, said) in [
        (
            token,
            500,
            "<h1>down</h1>",
            "temporarily_unavailable",
            "cannot be reached",
        ),
        (
            token,
            200,
            "<h1>terms</h1>",
            "temporarily_unavailable",
            "cannot be reached",
        ),
        (
            token,
            302,
            "",
            "temporarily_unavailable",
            "cannot be reached",
        ),
        (
            token,
            200,
            r#"{"error":"bad_verification_code"}"#,
            "access_denied",
            "its own code",
        ),
        (
            token,
            400,
            r#"{"error":"invalid_grant"}"#,
            "access_denied",
            "its own code",
        ),
        (
            "/user/emails",
            403,
            "{}",
            "temporarily_unavailable",
            "cannot be reached",
        ),
        (
            "/user/emails",
            200,
            "no",
            "temporarily_unavailable",
            "cannot be reached",
        ),
    ] {
        stage.provider.breaks(path, status, body);
        stage.is_refused(error, said);
    }
    stage.provider.breaks(token, 200, &" ".repeat(300_000));
    stage.is_refused("temporarily_unavailable", "cannot be reached");
    stage.provider.refuses("access_denied");
    stage.is_refused("access_denied", "refused the sign-in");
    stage.provider.refuses("application_suspended");
    stage.is_refused("server_error", "refused the sign-in");
}

#[test]
fn an_unreachable_provider_is_reported() {
    let mut stage = Stage::of(Role::Staff);
    let provider = stage.browser.get(stage.begin().as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    stage.provider.go_down();
    let end = stage.browser.get(callback.as_str()).location();
    refused(&end, "temporarily_unavailable", "cannot be reached");
}

#[test]
fn redirections_to_other_machines_are_refused() {
    let mut stage = Stage::of(Role::Staff);
    let url = stage.server.url();
    for elsewhere in [
        "",
        "https://evil.test/callback",
        "http://evil.test:5000/callback",
        "http://127.0.0.1.evil.test:5000/",
        "http://127.0.0.1:5000@evil.test:5000/",
        "http://evil.test:5000\\@127.0.0.1:5000/",
        "//evil.test",
        "javascript:alert(1)//127.0.0.1:5000",
        "http://127.0.0.1:5000/#",
    ] {
        let begin = begin_at(&url, &[("redirect_to", elsewhere)]);
        let page = stage.browser.get(begin.as_str());
        is_page(&page, StatusCode::BAD_REQUEST, "must be on this machine");
        assert!(!page.text.contains("evil"), "{}", page.text);
    }
}

#[test]
fn a_sign_in_that_is_not_asked_for_in_full_does_not_begin() {
    let mut stage = Stage::of(Role::Staff);
    let url = stage.server.url();
    for provider in ["", "github", "<script>"] {
        let begin = begin_at(&url, &[("provider", provider)]);
        let page = stage.browser.get(begin.as_str());
        is_page(&page, StatusCode::BAD_REQUEST, "through forge only");
        assert!(!page.text.contains("<script"), "{}", page.text);
    }
    for (name, value) in [
        ("code_challenge", ""),
        ("code_challenge", "short"),
        ("code_challenge_method", ""),
        ("code_challenge_method", "plain"),
    ] {
        let begin = begin_at(&url, &[(name, value)]);
        let end = stage.browser.get(begin.as_str()).location();
        refused(&end, "invalid_request", name);
    }
    let twice = format!("{}&redirect_to=http://evil.test", stage.begin());
    let page = stage.browser.get(&twice);
    is_page(&page, StatusCode::BAD_REQUEST, "not a sign-in address");
    assert_eq!(stage.provider.asked(), 0);
}

#[test]
fn a_forged_an_old_and_another_browser_s_state_are_refused() {
    let mut stage = Stage::of(Role::Staff);
    let provider = stage.browser.get(stage.begin().as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    let said = "did not begin in this browser";

    let page = Browser::default().get(callback.as_str());
    is_page(&page, StatusCode::BAD_REQUEST, said);
    let mut other = Browser::default();
    other.get(stage.begin().as_str());
    let page = other.get(callback.as_str());
    is_page(&page, StatusCode::BAD_REQUEST, said);

    let state = &parameters(&callback)["state"];
    let (claims, signature) = state.split_once('.').expect("two parts");
    let json = URL_SAFE_NO_PAD.decode(claims).expect("base64");
    let json = String::from_utf8(json)
        .expect("text")
        .replace("127.0.0.1", "evil.test");
    let forged = format!("{}.{signature}", URL_SAFE_NO_PAD.encode(json));
    for forged in ["", "x", &*forged, claims] {
        let mut address = callback.clone();
        address.set_query(None);
        address
            .query_pairs_mut()
            .append_pair("code", "code-1")
            .append_pair("state", forged);
        let page = stage.browser.get(address.as_str());
        is_page(&page, StatusCode::BAD_REQUEST, said);
    }
    assert_eq!(
        stage.provider.asked(),
        0,
        "nothing was asked for a forged state"
    );

    stage.clock.advance(Duration::from_secs(600));
    let page = stage.browser.get(callback.as_str());
    is_page(&page, StatusCode::BAD_REQUEST, said);
}

#[test]
fn a_callback_is_good_for_one_code_of_the_provider() {
    let mut stage = Stage::of(Role::Staff);
    let provider = stage.browser.get(stage.begin().as_str()).location();
    let callback = stage.browser.get(provider.as_str()).location();
    stage.browser.get(callback.as_str()).location();
    let again = stage.browser.get(callback.as_str()).location();
    refused(&again, "access_denied", "its own code");
    // A code that was given to another sign-in is not taken in this one.
    let mut other = Browser::default();
    let theirs = other.get(stage.begin().as_str()).location();
    let theirs = parameters(&other.get(theirs.as_str()).location());
    let mine = stage.browser.get(stage.begin().as_str()).location();
    let mine = stage.browser.get(mine.as_str()).location();
    let mixed = mine
        .as_str()
        .replace(&parameters(&mine)["code"], &theirs["code"]);
    let end = stage.browser.get(&mixed).location();
    refused(&end, "access_denied", "its own code");
}

#[test]
fn a_browser_can_sign_in_twice_at_once() {
    let mut stage = Stage::of(Role::Staff);
    let first = stage.browser.get(stage.begin().as_str()).location();
    let second = stage.browser.get(stage.begin().as_str()).location();
    for provider in [first, second] {
        let callback = stage.browser.get(provider.as_str()).location();
        let end = stage.browser.get(callback.as_str()).location();
        assert!(parameters(&end).contains_key("code"), "{end}");
    }
}

#[test]
fn redirections_are_not_cached_and_the_cookie_is_sent_to_the_server_only() {
    let mut stage = Stage::of(Role::Staff);
    let public = "https://example.org/desk";
    let behind = server(&stage.provider, &stage.clock, Some(public));
    let page = stage.browser.get(begin_at(&behind.url(), &[]).as_str());
    has_strict_headers(&page);
    let cookie = page.header("set-cookie");
    let attributes = "; Max-Age=600; Path=/desk/auth/v1; HttpOnly; SameSite=Lax; Secure";
    assert!(cookie.ends_with(attributes), "{cookie}");
    let asked = parameters(&page.location());
    assert_eq!(asked["redirect_uri"], format!("{public}/auth/v1/callback"));
    // The provider knows neither the server's verifier nor the terminal's.
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    assert_ne!(asked["code_challenge"], challenge);

    let page = stage.browser.get(stage.begin().as_str());
    let cookie = page.header("set-cookie");
    assert!(
        cookie.ends_with("; Path=/auth/v1; HttpOnly; SameSite=Lax"),
        "{cookie}"
    );
}

#[test]
fn a_server_without_a_provider_says_so() {
    let mut browser = Browser::default();
    for path in ["authorize", "callback"] {
        let address = format!("{}/auth/v1/{path}?provider=forge", world().url());
        let page = browser.get(&address);
        is_page(
            &page,
            StatusCode::NOT_FOUND,
            "offers no sign-in through a provider",
        );
    }
}

#[test]
fn signing_in_sets_the_login_at_the_code_host_and_links_a_member() {
    let mut stage = Stage::of(Role::Staff);
    let (user, email) = (
        stage.organization.user(Role::Staff),
        stage.organization.email(Role::Staff),
    );
    let mut owner = stage.organization.sign_in(Role::Owner);
    let mut account = || {
        let staff = owner.call(Host::Staff, "list_staff", json!({ "role": "staff" }));
        staff.output()["staff_users"][0].clone()
    };
    assert_eq!(account()["member_id"], json!(null));
    // A provider that does not say the login signs people in all the same.
    stage.provider.breaks("/user", 500, "");
    stage.code();
    assert_eq!(account()["code_host_login"], json!(null));
    let code = stage.code();
    let account = account();
    assert_eq!(account["id"], json!(user));
    assert_eq!(account["code_host_login"], "STAFF");
    let tokens = redeem(&stage.http(), &code, VERIFIER);
    let mut staff = stage.http();
    staff.take_tokens(&tokens);
    let member = json!({ "id": account["member_id"] });
    let member = owner.call(Host::Learn, "get_member", member);
    assert_eq!(member.output()["member"]["corporate_email"], *email);
    let task = json!({ "name": "Call", "stage_id": "spec", "context": { "why": "now" } });
    let task = staff.call(Host::Work, "create_task", task);
    assert_eq!(task.output()["task"]["owner_id"], account["member_id"]);
}
