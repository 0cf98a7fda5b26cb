//! Passwords: changing one's own, and the link for a forgotten one.

use std::time::Duration;

use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_tests::blocking::{Answer, Browser, Http, Organization, answer_to, world};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::Page;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const NEW: &str = "another good password";

fn change(http: &Http, current: &str, new: &str) -> Answer {
    let body = json!({ "current_password": current, "password": new });
    let request = http.request(Method::PUT, "/auth/v1/user");
    answer_to(request.bearer_auth(&http.token).json(&body))
}

fn is_signed_in(http: &mut Http) -> bool {
    http.initialize(Host::Events, "2025-11-25").status == StatusCode::OK
}

#[test]
fn who_gives_the_old_password_changes_it_and_ends_the_other_sign_ins() {
    let organization = Organization::create();
    let email = organization.email(Role::Teacher);
    let mut here = organization.sign_in(Role::Teacher);
    let mut elsewhere = organization.sign_in(Role::Teacher);
    let wrong = change(&here, "not mine", NEW);
    assert_eq!(
        (wrong.status, &wrong.body["error_code"]),
        (StatusCode::BAD_REQUEST, &json!("invalid_credentials"))
    );
    let name = email.split_once('@').expect("an address").0;
    for weak in [
        "short",
        "12345678",
        "98765432",
        "ZZZZZZZZ",
        "Password123",
        "frontdesk1",
        &email,
        name,
    ] {
        let weak = change(&here, PASSWORD, weak);
        assert_eq!(weak.body["error_code"], "weak_password", "{}", weak.body);
    }
    assert!(is_signed_in(&mut elsewhere));

    let changed = change(&here, PASSWORD, NEW);
    assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.body);
    assert!(is_signed_in(&mut here) && !is_signed_in(&mut elsewhere));
    let refreshed = elsewhere.refresh(None, &elsewhere.refresh_token);
    assert_eq!(
        refreshed.status,
        StatusCode::BAD_REQUEST,
        "{}",
        refreshed.body
    );
    assert_eq!(
        here.refresh(None, &here.refresh_token).status,
        StatusCode::OK
    );
    assert_eq!(
        here.password_grant(&email, PASSWORD).status,
        StatusCode::BAD_REQUEST
    );
    Http::sign_in(&world().url(), &email, NEW);
    let nobody = change(&Http::with_token(&world().url(), "x"), PASSWORD, NEW);
    assert_eq!(nobody.status, StatusCode::UNAUTHORIZED, "{}", nobody.body);
}

/// The link for a forgotten password of this role.
fn issue(owner: &mut Http, organization: &Organization, role: Role) -> Value {
    let issue = json!({ "id": organization.user(role) });
    owner
        .call(Host::Staff, "issue_password_link", issue)
        .output()
        .clone()
}

fn open(browser: &mut Browser, link: &Value) -> Page {
    browser.get(link["link"].as_str().expect("a link"))
}

/// Submits the form for a password.
pub(super) fn submit(browser: &mut Browser, page: &Page, password: &str) -> Page {
    let (token, ticket) = (page.field("token"), page.field("ticket"));
    let fields = [
        ("token", &*token),
        ("ticket", &*ticket),
        ("password", password),
    ];
    browser.post(&page.form_address(), &fields)
}

#[test]
fn a_forgotten_password_is_set_through_a_link_that_works_once() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    for role in [Role::Teacher, Role::Fellow] {
        let email = organization.email(role);
        let mut thief = organization.sign_in(role);
        let first = issue(&mut owner, &organization, role);
        let link = issue(&mut owner, &organization, role);
        assert_eq!(link["email"], *email);
        let mut browser = Browser::default();
        assert_eq!(
            open(&mut browser, &first).status,
            StatusCode::NOT_FOUND,
            "replaced"
        );
        let page = open(&mut browser, &link);
        assert!(page.text.contains(&email), "{}", page.text);
        let short = submit(&mut browser, &page, "short");
        assert_eq!(short.status, StatusCode::BAD_REQUEST, "{}", short.text);
        let set = submit(&mut browser, &page, NEW);
        assert_eq!(set.status, StatusCode::OK, "{}", set.text);
        assert!(!is_signed_in(&mut thief));
        Http::sign_in(&world().url(), &email, NEW);
        for used in [
            submit(&mut browser, &page, PASSWORD),
            open(&mut browser, &link),
        ] {
            assert_eq!(used.status, StatusCode::GONE, "{}", used.text);
        }
    }
}

#[test]
fn a_link_for_a_password_ends_after_a_day_and_with_the_rights_of_its_owner() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let link = issue(&mut owner, &organization, Role::Staff);
    let clock = Clock::system();
    let server = world().server(clock.clone(), 0);
    clock.advance(DAY + Duration::from_secs(60));
    let late = link["link"]
        .as_str()
        .expect("a link")
        .replace(&world().url(), &server.url());
    let late = Browser::default().get(&late);
    assert_eq!(late.status, StatusCode::GONE, "{}", late.text);
    let sql = "update staff.users set role = 'staff' where id = $1";
    let user = organization.user(Role::Owner).0;
    world().owner().execute(sql, &[&user]).expect("no owner");
    let revoked = open(&mut Browser::default(), &link);
    assert_eq!(revoked.status, StatusCode::GONE, "{}", revoked.text);
    assert!(
        revoked.text.contains("no longer has the rights"),
        "{}",
        revoked.text
    );
}

#[test]
fn a_link_for_a_password_is_only_for_the_own_organisation_and_no_higher_level() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let theirs = json!({ "id": Organization::create().user(Role::Staff) });
    owner
        .call(Host::Staff, "issue_password_link", theirs)
        .refuses("not_found", "id");
    organization.level(Role::Admin, 80);
    let higher = json!({ "id": organization.user(Role::Admin) });
    let higher = owner.call(Host::Staff, "issue_password_link", higher);
    assert_eq!(higher.status, StatusCode::FORBIDDEN, "{}", higher.body);
    let off = json!({ "id": organization.user(Role::Teacher), "is_active": false });
    owner.call(Host::Staff, "set_staff_active", off).output();
    let closed = json!({ "id": organization.user(Role::Teacher) });
    owner
        .call(Host::Staff, "issue_password_link", closed)
        .refuses("invalid_argument", "id");
}

#[test]
fn a_link_for_a_password_ends_when_its_account_or_the_rank_of_its_issuer_changes() {
    type Change = fn(&Organization, &mut Http);
    let activate = |organization: &Organization, owner: &mut Http| {
        for is_active in [false, true] {
            let set = json!({ "id": organization.user(Role::Staff), "is_active": is_active });
            owner.call(Host::Staff, "set_staff_active", set).output();
        }
    };
    let take_and_give_back = |organization: &Organization, _: &mut Http| {
        for is_active in [false, true] {
            let sql = "update staff.users set is_active = $2 where id = $1";
            let issuer = organization.user(Role::Owner).0;
            let set = world().owner().execute(sql, &[&issuer, &is_active]);
            set.expect("a change");
        }
    };
    let changes: [(&str, &str, Change); 6] = [
        ("a higher level", "has ended", |organization, _| {
            organization.level(Role::Staff, 80);
        }),
        ("a higher role", "has ended", |organization, owner| {
            let admin = json!({ "id": organization.user(Role::Staff), "role": "admin" });
            owner.call(Host::Staff, "update_staff_user", admin).output();
        }),
        ("a changed password", "has ended", |organization, _| {
            let staff = organization.sign_in(Role::Staff);
            let changed = change(&staff, PASSWORD, "a password of her own");
            assert_eq!(changed.status, StatusCode::NO_CONTENT, "{}", changed.body);
        }),
        ("deactivated in between", "has ended", activate),
        (
            "its issuer's lower level",
            "no longer has the rights",
            |organization, _| {
                organization.level(Role::Owner, 10);
            },
        ),
        (
            "its issuer deactivated in between",
            "no longer has the rights",
            take_and_give_back,
        ),
    ];
    for (name, says, change) in changes {
        let organization = Organization::create();
        organization.level(Role::Owner, 50);
        organization.level(Role::Staff, 20);
        let mut owner = organization.sign_in(Role::Owner);
        let link = issue(&mut owner, &organization, Role::Staff);
        let mut browser = Browser::default();
        let page = open(&mut browser, &link);
        assert_eq!(page.status, StatusCode::OK, "{name}: {}", page.text);
        change(&organization, &mut owner);
        for ended in [submit(&mut browser, &page, NEW), open(&mut browser, &link)] {
            assert_eq!(ended.status, StatusCode::GONE, "{name}: {}", ended.text);
            assert!(ended.text.contains(says), "{name}: {}", ended.text);
        }
        let taken = owner.password_grant(&organization.email(Role::Staff), NEW);
        assert_eq!(taken.status, StatusCode::BAD_REQUEST, "{name}");
    }
}
