//! The second factor: asked at every sign-in, turned on where an organisation requires it, and removed by an owner.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::accounts::{remove_second_factor, set_password};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::IdentitySettings;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{
    Answer, Browser, CodeHost, Http, Organization, answer_to, invite, join, world,
};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::{Page, parameters};
use frontdesk_tests::run;
use frontdesk_tests::world::identity;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

use super::code_host::{begin_at, redeem};

/// The verifier of the code host's tests.
const VERIFIER: &str = super::code_host::VERIFIER;
const NEW: &str = "another good password";

/// A server with a code host, and its clock.
struct Stage {
    organization: Organization,
    provider: CodeHost,
    server: Server,
    clock: Clock,
}

/// An authenticator with a key.
struct Authenticator {
    key: Secret,
    clock: Clock,
}

impl Authenticator {
    /// The code that it shows in so many steps.
    fn code(&self, steps: i64) -> String {
        let now = self.clock.now().as_second() + 30 * steps;
        let totp = Builder::new()
            .with_secret(self.key.clone())
            .build_noncompliant();
        totp.generate(now.try_into().expect("a time")).to_string()
    }

    /// A code that it never shows around now.
    fn wrong_code(&self) -> String {
        let shown: Vec<_> = (-2..3).map(|step| self.code(step)).collect();
        let mut codes = (0..10).map(|number| format!("{number:06}"));
        codes
            .find(|code| !shown.contains(code))
            .expect("a wrong one")
    }
}

impl Stage {
    /// A stage where this role is at the provider's page.
    fn of(role: Role) -> Stage {
        let organization = Organization::create();
        let provider = CodeHost::start(&organization.email(role));
        let clock = Clock::standing();
        let settings = Settings {
            clock: clock.clone(),
            calls_per_minute: 0,
            identity: IdentitySettings {
                code_host: Some(provider.settings()),
                password_attempts: None,
                ..identity()
            },
            ..Settings::local(Location::Memory)
        };
        let server = world().server_with(settings);
        Stage {
            organization,
            provider,
            server,
            clock,
        }
    }

    fn http(&self) -> Http {
        Http::with_token(&self.server.url(), "")
    }

    fn grant(&self, role: Role, more: Value) -> Answer {
        self.grant_with(role, PASSWORD, more)
    }

    /// The password grant with further fields.
    fn grant_with(&self, role: Role, password: &str, more: Value) -> Answer {
        let mut body = json!({ "email": self.organization.email(role), "password": password });
        for (name, value) in more.as_object().expect("fields") {
            body[name] = value.clone();
        }
        let http = self.http();
        let request = http.request(Method::POST, "/auth/v1/token?grant_type=password");
        answer_to(request.header("apikey", "demo").json(&body))
    }

    fn sign_in(&self, role: Role, more: Value) -> Http {
        let mut http = self.http();
        http.take_tokens(&self.grant(role, more));
        http
    }

    fn authenticator(&self, enrolment: &Value) -> Authenticator {
        let key = enrolment["secret"].as_str().expect("a key");
        let uri = enrolment["uri"].as_str().expect("an address");
        assert!(
            uri.contains(key) && uri.starts_with("otpauth://totp/Frontdesk:"),
            "{uri}"
        );
        Authenticator {
            key: Secret::try_from_base32(key).expect("Base32"),
            clock: self.clock.clone(),
        }
    }

    /// Turns the account's second factor on; also returns the recovery codes.
    fn turn_on(&self, http: &Http) -> (Authenticator, Vec<String>) {
        let begun = factor(http, Method::POST, json!({ "password": PASSWORD }));
        assert_eq!(begun.status, StatusCode::OK, "{}", begun.body);
        let authenticator = self.authenticator(&begun.body);
        let confirm =
            json!({ "enrolment": begun.body["enrolment"], "code": authenticator.code(-1) });
        let on = factor(http, Method::PUT, confirm);
        assert_eq!(on.status, StatusCode::OK, "{}", on.body);
        (authenticator, recovery(&on.body))
    }

    fn require(&self) {
        let mut owner = self.organization.sign_in(Role::Owner);
        let require = json!({ "second_factor": "required" });
        owner
            .call(Host::Staff, "update_organization", require)
            .output();
    }
}

fn factor(http: &Http, method: Method, body: Value) -> Answer {
    let request = http.request(method, "/auth/v1/user/factor");
    answer_to(request.bearer_auth(&http.token).json(&body))
}

fn recovery(body: &Value) -> Vec<String> {
    let codes = body["recovery_codes"].as_array().expect("recovery codes");
    let codes = codes
        .iter()
        .map(|code| code.as_str().expect("text").to_owned());
    codes.collect()
}

#[track_caller]
fn refused(answer: &Answer, error_code: &str) {
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    assert_eq!(answer.body["error_code"], error_code, "{}", answer.body);
    assert_eq!(answer.body["access_token"], Value::Null);
}

fn is_signed_in(http: &Http) -> bool {
    http.initialize(Host::Events, "2025-11-25").status == StatusCode::OK
}

#[test]
fn a_sign_in_asks_for_a_code_and_each_code_works_once() {
    let stage = Stage::of(Role::Staff);
    let elsewhere = stage.sign_in(Role::Staff, json!({}));
    let here = stage.sign_in(Role::Staff, json!({}));
    let wrong = factor(&here, Method::POST, json!({ "password": "not mine" }));
    refused(&wrong, "invalid_credentials");
    let (authenticator, recovery) = stage.turn_on(&here);
    assert!(is_signed_in(&here) && !is_signed_in(&elsewhere));
    refused(
        &factor(&here, Method::POST, json!({ "password": PASSWORD })),
        "second_factor_exists",
    );

    // The code that turned it on is used up.
    for code in [
        authenticator.code(-1),
        authenticator.wrong_code(),
        String::new(),
        "0".repeat(400),
    ] {
        let answer = stage.grant(Role::Staff, json!({ "code": code }));
        refused(&answer, "second_factor_wrong");
    }
    refused(
        &stage.grant(Role::Staff, json!({})),
        "second_factor_required",
    );
    let code = json!({ "code": authenticator.code(0) });
    assert_eq!(
        stage.grant(Role::Staff, code.clone()).status,
        StatusCode::OK
    );
    refused(&stage.grant(Role::Staff, code), "second_factor_wrong");
    let spaced = authenticator.code(1);
    let spaced = json!({ "code": format!(" {} {} ", &spaced[..3], &spaced[3..]) });
    assert_eq!(stage.grant(Role::Staff, spaced).status, StatusCode::OK);
    // One of an earlier step stays used.
    refused(
        &stage.grant(Role::Staff, json!({ "code": authenticator.code(0) })),
        "second_factor_wrong",
    );

    let typed = json!({ "code": recovery[0].to_lowercase().replace('-', " ") });
    assert_eq!(
        stage.grant(Role::Staff, typed.clone()).status,
        StatusCode::OK
    );
    refused(&stage.grant(Role::Staff, typed), "second_factor_wrong");
    // A wrong password learns nothing about the factor, and other accounts notice nothing.
    let wrong = stage.grant_with(Role::Staff, "not mine", json!({ "code": recovery[1] }));
    refused(&wrong, "invalid_credentials");
    assert_eq!(stage.grant(Role::Teacher, json!({})).status, StatusCode::OK);

    let off = |code: &str| factor(&here, Method::DELETE, json!({ "code": code }));
    refused(&off(&authenticator.wrong_code()), "second_factor_wrong");
    assert_eq!(off(&recovery[1]).status, StatusCode::NO_CONTENT);
    refused(&off(&recovery[2]), "second_factor_missing");
    assert!(is_signed_in(&here));
    assert_eq!(stage.grant(Role::Staff, json!({})).status, StatusCode::OK);
}

#[test]
fn wrong_codes_are_bounded_at_all_processes_but_recovery_codes_open_the_account() {
    let stage = Stage::of(Role::Staff);
    let (authenticator, recovery) = stage.turn_on(&stage.sign_in(Role::Staff, json!({})));
    let wrong = json!({ "code": authenticator.wrong_code() });
    for _ in 0..10 {
        refused(
            &stage.grant(Role::Staff, wrong.clone()),
            "second_factor_wrong",
        );
    }
    let right = json!({ "code": authenticator.code(1) });
    for answer in [
        stage.grant(Role::Staff, wrong),
        stage.grant(Role::Staff, right),
    ] {
        assert_eq!(
            answer.status,
            StatusCode::TOO_MANY_REQUESTS,
            "{}",
            answer.body
        );
    }
    let recovered = stage.grant(Role::Staff, json!({ "code": recovery[0] }));
    assert_eq!(recovered.status, StatusCode::OK, "{}", recovered.body);
    // PostgreSQL rounds to microseconds.
    stage.clock.advance(Duration::from_secs(60 * 60 + 1));
    let later = stage.grant(Role::Staff, json!({ "code": authenticator.code(0) }));
    assert_eq!(later.status, StatusCode::OK, "{}", later.body);
}

#[test]
fn tries_of_codes_count_as_those_of_passwords() {
    let stage = Stage::of(Role::Staff);
    let (authenticator, _) = stage.turn_on(&stage.sign_in(Role::Staff, json!({})));
    let limited = world().server_with(Settings {
        clock: stage.clock.clone(),
        identity: IdentitySettings {
            password_attempts: std::num::NonZeroU32::new(3),
            ..identity()
        },
        ..Settings::local(Location::Memory)
    });
    let signed_in = stage.sign_in(Role::Staff, json!({ "code": authenticator.code(0) }));
    let http = signed_in.at(&limited.url());
    let off = || {
        factor(
            &http,
            Method::DELETE,
            json!({ "code": authenticator.wrong_code() }),
        )
    };
    for _ in 0..3 {
        refused(&off(), "second_factor_wrong");
    }
    assert_eq!(off().status, StatusCode::TOO_MANY_REQUESTS);
}

#[test]
fn of_sign_ins_with_one_code_at_once_one_gets_a_token() {
    let stage = Stage::of(Role::Staff);
    let (authenticator, recovery) = stage.turn_on(&stage.sign_in(Role::Staff, json!({})));
    for code in [&authenticator.code(0), &recovery[0]] {
        let try_it = || stage.grant(Role::Staff, json!({ "code": code })).status;
        let tried = frontdesk_tests::blocking::at_once([try_it; 4]);
        let got = tried.iter().filter(|status| status.is_success()).count();
        assert_eq!(got, 1, "{tried:?}");
    }
}

#[test]
fn an_organisation_can_require_it_of_owners_and_admins() {
    let stage = Stage::of(Role::Admin);
    let mut admin = stage.sign_in(Role::Admin, json!({}));
    stage.require();
    // A sign-in of before lasts as long as its access token.
    let refreshed = admin.refresh(None, &admin.refresh_token);
    assert_eq!(
        refreshed.status,
        StatusCode::BAD_REQUEST,
        "{}",
        refreshed.body
    );
    assert!(
        refreshed
            .body
            .to_string()
            .contains("requires a second factor"),
        "{}",
        refreshed.body
    );
    assert_eq!(stage.grant(Role::Staff, json!({})).status, StatusCode::OK);

    for more in [
        json!({}),
        json!({ "code": "000000" }),
        json!({ "code": "000000", "enrolment": "x.y" }),
    ] {
        let asked = stage.grant(Role::Admin, more);
        refused(&asked, "second_factor_enrolment");
    }
    let asked = stage.grant(Role::Admin, json!({}));
    let enrolment = &asked.body["enrolment"];
    let authenticator = stage.authenticator(enrolment);
    let record = &enrolment["enrolment"];
    // The record of an account is for no other.
    let owner = stage.grant(
        Role::Owner,
        json!({ "code": authenticator.code(0), "enrolment": record }),
    );
    refused(&owner, "second_factor_enrolment");
    let wrong = json!({ "code": authenticator.wrong_code(), "enrolment": record });
    let wrong = stage.grant(Role::Admin, wrong);
    refused(&wrong, "second_factor_wrong");
    assert_eq!(&wrong.body["enrolment"], enrolment);
    let confirm = json!({ "code": authenticator.code(0), "enrolment": record });
    let on = stage.grant(Role::Admin, confirm.clone());
    admin.take_tokens(&on);
    let recovery = recovery(&on.body);
    assert_eq!(recovery.len(), 8);
    refused(&stage.grant(Role::Admin, confirm), "second_factor_wrong");
    assert_eq!(
        admin.refresh(None, &admin.refresh_token).status,
        StatusCode::OK
    );

    // Required, it is not turned off, not even with a code.
    let off = factor(&admin, Method::DELETE, json!({ "code": recovery[0] }));
    refused(&off, "second_factor_enrolment");
    let again = stage.grant(Role::Admin, json!({ "code": recovery[0] }));
    assert_eq!(again.status, StatusCode::OK, "{}", again.body);
    // A record is not valid for longer than ten minutes.
    let late = stage.grant(Role::Owner, json!({}));
    let late = json!({ "code": "000000", "enrolment": late.body["enrolment"]["enrolment"] });
    stage.clock.advance(Duration::from_secs(10 * 60));
    let late = stage.grant(Role::Owner, late);
    refused(&late, "second_factor_enrolment");
}

#[test]
fn a_setting_that_is_not_known_lets_nobody_through() {
    let stage = Stage::of(Role::Admin);
    let user = stage.organization.user(Role::Admin).0;
    let ids: [&(dyn tokio_postgres::types::ToSql + Sync); 1] = [&user];
    for lose in [
        "delete from app.callers where id = $1",
        "update app.callers set organization = null where id = $1",
        "update app.callers set role = null, level = null where id = $1",
    ] {
        // A caller's row cannot be without a role.
        if world().owner().execute(lose, &ids).is_err() {
            continue;
        }
        refused(
            &stage.grant(Role::Admin, json!({})),
            "second_factor_enrolment",
        );
        let restore = "select app.refresh_caller($1)";
        world().owner().execute(restore, &ids).expect("restored");
    }
    assert_eq!(stage.grant(Role::Admin, json!({})).status, StatusCode::OK);
}

/// Enters a code on the page that asks for one.
fn enter(browser: &mut Browser, page: &Page, code: &str) -> Page {
    assert_eq!(page.status, StatusCode::OK, "{page:?}");
    let (action, flow) = page.form();
    let passed = page.field("passed");
    let mut fields = vec![("flow", &*flow), ("passed", &*passed), ("code", code)];
    let enrolment = page
        .text
        .contains("name=\"enrolment\"")
        .then(|| page.field("enrolment"));
    fields.extend(enrolment.iter().map(|it| ("enrolment", &**it)));
    browser.post(&action, &fields)
}

#[test]
fn a_sign_in_through_the_code_host_asks_for_a_code_too() {
    let stage = Stage::of(Role::Staff);
    let (authenticator, recovery) = stage.turn_on(&stage.sign_in(Role::Staff, json!({})));
    let mut browser = Browser::default();
    let begin = begin_at(&stage.server.url(), &[]);
    let provider = browser.get(begin.as_str()).location();
    let callback = browser.get(provider.as_str()).location();
    let page = browser.get(callback.as_str());
    assert!(page.text.contains("authenticator"), "{}", page.text);
    let wrong = enter(&mut browser, &page, &authenticator.wrong_code());
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text.contains("The code is wrong"), "{}", wrong.text);
    // The page belongs to its browser.
    let stolen = enter(&mut Browser::default(), &page, &recovery[0]);
    assert!(
        stolen.text.contains("did not begin in this browser"),
        "{}",
        stolen.text
    );
    let end = enter(&mut browser, &page, &authenticator.code(0)).location();
    let code = &parameters(&end)["code"];
    let tokens = redeem(&stage.http(), code, VERIFIER);
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    let again = enter(&mut browser, &page, &authenticator.code(0));
    assert_eq!(again.status, StatusCode::BAD_REQUEST, "{again:?}");
    drop(stage.provider);
}

#[test]
fn on_the_page_a_required_factor_is_turned_on_with_a_picture_of_its_key() {
    let stage = Stage::of(Role::Owner);
    stage.require();
    let mut browser = Browser::default();
    let begin = begin_at(&stage.server.url(), &[]);
    let provider = browser.get(begin.as_str()).location();
    let callback = browser.get(provider.as_str()).location();
    let page = browser.get(callback.as_str());
    assert!(page.text.contains("<svg"), "{}", page.text);
    let uri = page.link("open it on this device");
    let key = parameters(&uri.parse().expect("an address"))["secret"].clone();
    assert!(
        page.text.contains(&format!("<b>{key}</b>")),
        "{}",
        page.text
    );
    let authenticator = stage.authenticator(&json!({ "secret": key, "uri": uri }));
    let wrong = enter(&mut browser, &page, &authenticator.wrong_code());
    assert!(wrong.text.contains(&key), "the key stays: {}", wrong.text);
    let codes = enter(&mut browser, &page, &authenticator.code(0));
    assert_eq!(codes.status, StatusCode::OK, "{}", codes.text);
    let end = codes.link("Continue").parse().expect("an address");
    let tokens = redeem(&stage.http(), &parameters(&end)["code"], VERIFIER);
    assert_eq!(tokens.status, StatusCode::OK, "{}", tokens.body);
    let (_, listed) = codes.text.split_once("<pre>").expect("recovery codes");
    let first = listed.lines().next().expect("a code");
    let recovered = stage.grant(Role::Owner, json!({ "code": first }));
    assert_eq!(recovered.status, StatusCode::OK, "{}", recovered.body);
}

#[test]
fn a_new_password_opens_no_account_without_the_code() {
    let stage = Stage::of(Role::Staff);
    let http = stage.sign_in(Role::Staff, json!({}));
    let (_, recovery) = stage.turn_on(&http);
    let email = stage.organization.email(Role::Staff);
    let change = |http: &Http, current: &str, new: &str| {
        let request = http
            .request(Method::PUT, "/auth/v1/user")
            .bearer_auth(&http.token);
        answer_to(request.json(&json!({ "current_password": current, "password": new })))
    };
    assert_eq!(change(&http, PASSWORD, NEW).status, StatusCode::NO_CONTENT);
    refused(
        &stage.grant_with(Role::Staff, NEW, json!({})),
        "second_factor_required",
    );

    let mut owner = stage.organization.sign_in(Role::Owner);
    let issue = json!({ "id": stage.organization.user(Role::Staff) });
    let issued = owner.call(Host::Staff, "issue_password_link", issue);
    let link = issued.output()["link"].as_str().expect("a link").to_owned();
    let set = join(&mut Browser::default(), &link, "a third good password");
    assert_eq!(set.status, StatusCode::OK, "{}", set.text);
    let third = stage.grant_with(Role::Staff, "a third good password", json!({}));
    refused(&third, "second_factor_required");

    let organization = owner.call(Host::Staff, "get_organization", json!({}));
    let slug = organization.output()["organization"]["slug"]
        .as_str()
        .map(str::to_owned);
    let mut database = world().owner();
    run(set_password(&mut database, &email, slug.as_deref(), NEW)).expect("set");
    drop(database);
    refused(
        &stage.grant_with(Role::Staff, NEW, json!({})),
        "second_factor_required",
    );
    let recovered = stage.grant_with(Role::Staff, NEW, json!({ "code": recovery[0] }));
    assert_eq!(recovered.status, StatusCode::OK, "{}", recovered.body);
}

#[test]
fn an_invitation_opens_no_account_without_the_code() {
    let stage = Stage::of(Role::Fellow);
    let [code, _] = run(stage.organization.second_factor(Role::Fellow));
    let email = stage.organization.email(Role::Fellow);
    let mut owner = stage.organization.sign_in(Role::Owner);
    let link = invite(&mut owner, &email, Role::Teacher);
    let joined = join(&mut Browser::default(), &link, PASSWORD);
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    refused(
        &stage.grant(Role::Fellow, json!({})),
        "second_factor_required",
    );
    let signed_in = stage.grant(Role::Fellow, json!({ "code": code }));
    assert_eq!(signed_in.status, StatusCode::OK, "{}", signed_in.body);
}

#[test]
fn an_owner_removes_somebody_s_factor_and_the_history_says_who() {
    let stage = Stage::of(Role::Staff);
    let http = stage.sign_in(Role::Staff, json!({}));
    stage.turn_on(&http);
    let id = json!({ "id": stage.organization.user(Role::Staff) });
    let mut admin = stage.organization.sign_in(Role::Admin);
    let refusal = admin.call(Host::Staff, "remove_second_factor", id.clone());
    assert_eq!(refusal.status, StatusCode::FORBIDDEN, "{}", refusal.body);
    let mut owner = stage.organization.sign_in(Role::Owner);
    let own = json!({ "id": stage.organization.user(Role::Owner) });
    owner
        .call(Host::Staff, "remove_second_factor", own)
        .refuses("invalid_argument", "id");
    let theirs = json!({ "id": Organization::create().user(Role::Staff) });
    owner
        .call(Host::Staff, "remove_second_factor", theirs)
        .refuses("not_found", "id");

    let listed = owner.call(Host::Staff, "list_staff", json!({ "role": "staff" }));
    assert_eq!(listed.output()["staff_users"][0]["has_second_factor"], true);
    let removed = owner.call(Host::Staff, "remove_second_factor", id.clone());
    assert_eq!(removed.output()["staff_user"]["has_second_factor"], false);
    assert!(!is_signed_in(&http));
    assert_eq!(stage.grant(Role::Staff, json!({})).status, StatusCode::OK);
    owner
        .call(Host::Staff, "remove_second_factor", id)
        .refuses("invalid_argument", "id");

    let change = removed.result()["_meta"]["frontdesk/change"].clone();
    let entry = owner.call(Host::Ops, "get_change", json!({ "change_id": change }));
    let entry = entry.output().to_string();
    assert!(entry.contains("remove_second_factor"), "{entry}");
    assert!(
        entry.contains(&stage.organization.user(Role::Owner).to_string()),
        "{entry}"
    );
    let undone = owner.call(Host::Ops, "undo_change", json!({ "change_id": change }));
    assert!(
        undone.tool_error()["message"]
            .to_string()
            .contains("second factor"),
        "{}",
        undone.body
    );
}

#[test]
fn the_operator_removes_the_factor_of_a_last_owner() {
    let stage = Stage::of(Role::Owner);
    let http = stage.sign_in(Role::Owner, json!({}));
    stage.turn_on(&http);
    let email = stage.organization.email(Role::Owner);
    let remove = || run(remove_second_factor(&mut world().owner(), &email, None));
    remove().expect("removed");
    assert!(!is_signed_in(&http));
    assert_eq!(stage.grant(Role::Owner, json!({})).status, StatusCode::OK);
    let again = remove().expect_err("it has none").to_string();
    assert!(again.contains("no second factor"), "{again}");
}
