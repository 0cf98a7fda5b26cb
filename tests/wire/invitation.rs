//! Inviting to the staff, from the owner's call to the invited person's first (specification, sections 4.2 and 5).

use std::num::NonZeroU32;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use frontdesk_protocol::id::UserId;
use frontdesk_protocol::{Host, Role};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::identity::{IdentitySettings, OutsideKeys, OutsideProvider, TokenSource};
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{
    Account, Browser, Http, Organization, answer_to, invite, invited, join, world,
};
use frontdesk_tests::builder::PASSWORD;
use frontdesk_tests::code_host::Page;
use frontdesk_tests::world::identity;
use hmac::{Hmac, Mac};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::Sha256;

use super::password::submit;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An owner and the invited address.
struct Stage {
    organization: Organization,
    owner: Http,
    email: String,
}

impl Stage {
    fn set() -> Stage {
        let organization = Organization::create();
        Stage {
            owner: organization.sign_in(Role::Owner),
            email: format!("ana@{}.test", organization.id),
            organization,
        }
    }

    /// Invites the address as a teacher: the invitation and its link.
    fn invite(&mut self) -> (Value, String) {
        let invite = json!({ "email": self.email, "name": "Ana Souza", "role": "teacher" });
        let invited = self.owner.call(Host::Staff, "invite_staff", invite);
        let invited = invited.output();
        let link = invited["link"].as_str().expect("a link").to_owned();
        (invited["invitation"].clone(), link)
    }

    fn status(&mut self) -> Value {
        let listed = self.owner.call(Host::Staff, "list_invitations", json!({}));
        listed.output()["invitations"][0]["status"].clone()
    }
}

/// Asserts that nobody is let in, and the page's text.
#[track_caller]
fn refuses(page: &Page, status: StatusCode, says: &str) {
    assert_eq!(page.status, status, "{}", page.text);
    assert!(
        page.text.contains("Not joined") && page.text.contains(says),
        "{}",
        page.text
    );
}

#[test]
fn the_invited_person_chooses_a_password_and_is_staff() {
    let mut stage = Stage::set();
    let (invitation, link) = stage.invite();
    assert_eq!(
        (&invitation["status"], &invitation["role"]),
        (&json!("open"), &json!("teacher"))
    );
    let page = join(&mut Browser::default(), &link, "a good password");
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(
        page.text.contains(&format!("--email {}", stage.email)),
        "{}",
        page.text
    );
    assert_eq!(stage.status(), "accepted");
    let mut ana = Http::sign_in(&world().url(), &stage.email, "a good password");
    ana.call(Host::Staff, "list_students", json!({})).output();
    let found = json!({ "search": "souza" });
    let found = stage.owner.call(Host::Staff, "list_staff", found);
    let found = &found.output()["staff_users"][0];
    assert_eq!(
        (&found["name"], &found["role"]),
        (&json!("Ana Souza"), &json!("teacher"))
    );
}

#[test]
fn a_link_is_good_once() {
    let mut stage = Stage::set();
    let (invitation, link) = stage.invite();
    join(&mut Browser::default(), &link, "a good password");
    refuses(
        &Browser::default().get(&link),
        StatusCode::GONE,
        "already been used",
    );
    let revoke = json!({ "id": invitation["id"] });
    let late = stage.owner.call(Host::Staff, "revoke_invitation", revoke);
    late.refuses("invalid_argument", "id");
    let again = json!({ "email": stage.email, "name": "Ana", "role": "staff" });
    let again = stage.owner.call(Host::Staff, "invite_staff", again);
    again.refuses("invalid_argument", "email");
}

#[test]
fn a_link_is_good_for_three_days() {
    let mut stage = Stage::set();
    let (_, link) = stage.invite();
    let clock = Clock::system();
    let server = world().server(clock.clone(), 0);
    let link = link.replace(&world().url(), &server.url());
    clock.advance(3 * DAY - Duration::from_secs(60));
    assert_eq!(Browser::default().get(&link).status, StatusCode::OK);
    clock.advance(Duration::from_secs(60));
    refuses(
        &Browser::default().get(&link),
        StatusCode::GONE,
        "has expired",
    );
}

#[test]
fn a_revoked_link_is_refused_even_with_its_page_open() {
    let mut stage = Stage::set();
    let (invitation, link) = stage.invite();
    let mut browser = Browser::default();
    let page = browser.get(&link);
    let revoke = json!({ "id": invitation["id"] });
    let revoked = stage.owner.call(Host::Staff, "revoke_invitation", revoke);
    assert_eq!(revoked.output()["invitation"]["status"], "revoked");
    let sent = submit(&mut browser, &page, "a good password");
    refuses(&sent, StatusCode::GONE, "withdrawn");
    let signed_in = Http::with_token(&world().url(), "");
    let signed_in = signed_in.password_grant(&stage.email, "a good password");
    assert_eq!(signed_in.status, StatusCode::BAD_REQUEST);
}

#[test]
fn inviting_again_ends_the_link_before() {
    let mut stage = Stage::set();
    let (_, first) = stage.invite();
    let (_, second) = stage.invite();
    refuses(
        &Browser::default().get(&first),
        StatusCode::NOT_FOUND,
        "no such",
    );
    assert_eq!(Browser::default().get(&second).status, StatusCode::OK);
}

#[test]
fn an_open_invitation_gets_a_new_link() {
    let mut stage = Stage::set();
    let (invitation, first) = stage.invite();
    let id = json!({ "id": invitation["id"] });
    let expire = "update staff.invitations set expires_at = now() where id = $1::text::uuid";
    let text = invitation["id"].as_str().expect("an id");
    world().owner().execute(expire, &[&text]).expect("an end");
    assert_eq!(stage.status(), "expired");
    let renewed = stage
        .owner
        .call(Host::Staff, "renew_invitation", id.clone());
    let renewed = renewed.output();
    assert_eq!(renewed["invitation"]["status"], "open");
    let page = Browser::default().get(&first);
    refuses(&page, StatusCode::NOT_FOUND, "no such");
    let link = renewed["link"].as_str().expect("a link");
    let joined = join(&mut Browser::default(), link, "a good password");
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    let late = stage.owner.call(Host::Staff, "renew_invitation", id);
    late.refuses("invalid_argument", "id");
    let unknown = json!({ "id": uuid::Uuid::new_v4() });
    let unknown = stage.owner.call(Host::Staff, "renew_invitation", unknown);
    unknown.refuses("not_found", "id");
}

#[test]
fn an_invitation_ends_with_the_rights_of_the_owner_who_made_it() {
    let mut stage = Stage::set();
    let (_, link) = stage.invite();
    let sql = "update staff.users set is_active = false where id = $1";
    let user = stage.organization.user(Role::Owner).0;
    world()
        .owner()
        .execute(sql, &[&user])
        .expect("no longer an owner");
    refuses(
        &Browser::default().get(&link),
        StatusCode::GONE,
        "withdrawn",
    );
    // The list agrees with the page.
    let mut admin = stage.organization.sign_in(Role::Admin);
    for (status, count) in [("revoked", 1), ("open", 0)] {
        let listed = json!({ "status": status });
        let listed = admin.call(Host::Staff, "list_invitations", listed);
        let listed = listed.output()["invitations"].as_array().expect("a list");
        assert_eq!(listed.len(), count, "{status}");
        assert!(listed.iter().all(|one| one["status"] == status));
    }
    // Who is an owner again issues new ones.
    let again = "update staff.users set is_active = true where id = $1";
    (world().owner())
        .execute(again, &[&user])
        .expect("an owner again");
    let page = Browser::default().get(&link);
    refuses(&page, StatusCode::GONE, "withdrawn");
    let (_, renewed) = stage.invite();
    assert_eq!(Browser::default().get(&renewed).status, StatusCode::OK);
}

#[test]
fn an_invitation_ends_with_the_level_of_the_owner_who_made_it() {
    let mut stage = Stage::set();
    stage.organization.level(Role::Owner, 50);
    let (_, link) = stage.invite();
    assert_eq!(Browser::default().get(&link).status, StatusCode::OK);
    stage.organization.level(Role::Owner, 0);
    let page = Browser::default().get(&link);
    refuses(&page, StatusCode::GONE, "withdrawn");
    // A level that is given back does not give back the link.
    stage.organization.level(Role::Owner, 50);
    let page = Browser::default().get(&link);
    refuses(&page, StatusCode::GONE, "withdrawn");
    let (_, renewed) = stage.invite();
    assert_eq!(Browser::default().get(&renewed).status, StatusCode::OK);
}

#[test]
fn the_list_of_invitations_agrees_with_their_pages() {
    let mut stage = Stage::set();
    stage.email = stage.organization.email(Role::Fellow);
    let (_, link) = stage.invite();
    let (fellow, organization) = (
        stage.organization.user(Role::Fellow).0,
        stage.organization.id.0,
    );
    let change = |sql: &str| {
        let owner = world().owner();
        let changed = owner.execute(sql, &[&fellow, &organization]);
        changed.expect("a change");
    };
    assert_eq!(stage.status(), "open");
    for (sql, status, code, says) in [
        (
            "insert into staff.users (id, organization_id, role) values ($1, $2, 'teacher')",
            "taken",
            StatusCode::CONFLICT,
            "already have an account",
        ),
        (
            "update auth.users set is_active = false where id = $1 and organization_id = $2",
            "closed",
            StatusCode::CONFLICT,
            "is closed",
        ),
        (
            "update staff.invitations set expires_at = now() where organization_id = $2 and $1::uuid is not null",
            "expired",
            StatusCode::GONE,
            "has expired",
        ),
    ] {
        change(sql);
        refuses(&Browser::default().get(&link), code, says);
        assert_eq!(stage.status(), status);
    }
}

#[test]
fn an_account_that_has_the_address_joins_with_its_own_password() {
    let mut stage = Stage::set();
    stage.email = stage.organization.email(Role::Fellow);
    let (_, link) = stage.invite();
    let mut browser = Browser::default();
    let wrong = join(&mut browser, &link, "another password");
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    assert!(wrong.text.contains("password is wrong"), "{}", wrong.text);
    assert_eq!(stage.status(), "open");
    let joined = join(&mut browser, &link, PASSWORD);
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    let mut fellow = stage.organization.sign_in(Role::Fellow);
    fellow
        .call(Host::Staff, "list_students", json!({}))
        .output();
}

/// The page of the link, without its varying parts.
fn shown(link: &str, email: &str) -> String {
    let page = Browser::default().get(link);
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let (token, ticket) = (page.field("token"), page.field("ticket"));
    let text = page.text.replace(&token, "").replace(&ticket, "");
    text.replace(email, "")
}

#[test]
fn an_address_known_to_another_organisation_is_like_an_unknown_one() {
    let elsewhere = Organization::create();
    let organization = Organization::create();
    let unknown = format!("ana@{}.test", organization.id);
    let mut owner = organization.sign_in(Role::Owner);
    let expected = invite(&mut owner, &unknown, Role::Staff);
    let expected = shown(&expected, &unknown);
    for role in [Role::Fellow, Role::Teacher] {
        let email = elsewhere.email(role);
        let link = invite(&mut owner, &email, Role::Staff);
        assert_eq!(shown(&link, &email), expected, "{role:?}");
        let joined = join(&mut Browser::default(), &link, "a good password");
        assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
        // Each password opens the account of its own organisation.
        for (password, expected) in [(PASSWORD, elsewhere), ("a good password", organization)] {
            let http = Http::sign_in(&world().url(), &email, password);
            assert_eq!(name_of_organization(&http), expected.name());
        }
    }
}

fn user(http: &Http) -> Value {
    let request = http.request(Method::GET, "/auth/v1/user");
    answer_to(request.bearer_auth(&http.token)).body
}

fn name_of_organization(http: &Http) -> String {
    let name = user(http)["app_metadata"]["organization"].clone();
    name.as_str().expect("a name").to_owned()
}

#[test]
fn an_address_invited_by_one_organisation_can_be_invited_by_others() {
    let email = format!("ana@{}.test", uuid::Uuid::now_v7());
    let organizations = [Organization::create(), Organization::create()];
    invited(&organizations[0], &email, "the squatter's password");
    invited(&organizations[1], &email, "her own password");
    let ana = Http::sign_in(&world().url(), &email, "her own password");
    assert_eq!(name_of_organization(&ana), organizations[1].name());
}

#[test]
fn where_a_password_fits_several_accounts_the_organisation_is_named() {
    let email = format!("ana@{}.test", uuid::Uuid::now_v7());
    let organizations = [Organization::create(), Organization::create()];
    for organization in &organizations {
        invited(organization, &email, PASSWORD);
    }
    let third = Organization::create();
    invited(&third, &email, "another password");
    let http = Http::with_token(&world().url(), "");
    let grant = |password: &str, organization: Option<&str>| {
        let request = http
            .request(Method::POST, "/auth/v1/token?grant_type=password")
            .header("apikey", "demo")
            .json(&json!({ "email": email, "password": password, "organization": organization }));
        answer_to(request)
    };
    let several = grant(PASSWORD, None);
    assert_eq!(several.status, StatusCode::BAD_REQUEST, "{}", several.body);
    assert_eq!(several.body["error_code"], "organization_required");
    let named = several.body["organizations"].as_array().expect("a list");
    let mut named: Vec<_> = named.iter().map(|it| it["name"].as_str()).collect();
    named.sort();
    let mut expected: Vec<_> = organizations.iter().map(|it| it.name()).collect();
    expected.sort();
    assert_eq!(
        named,
        expected.iter().map(|it| Some(&**it)).collect::<Vec<_>>()
    );

    for organization in organizations {
        for name in [
            organization.id.to_string(),
            organization.name().to_uppercase(),
        ] {
            let granted = grant(PASSWORD, Some(&name));
            assert_eq!(granted.status, StatusCode::OK, "{}", granted.body);
            let token = granted.body["access_token"].as_str().expect("a token");
            let http = Http::with_token(&world().url(), token);
            assert_eq!(name_of_organization(&http), organization.name());
        }
    }
    // Organisations for which the password is wrong are not named.
    for name in [third.name(), "Nowhere".to_owned()] {
        let refused = grant(PASSWORD, Some(&name));
        assert_eq!(refused.body["error_code"], "invalid_credentials");
    }
    let wrong = grant("wrong", None);
    assert_eq!(wrong.body["error_code"], "invalid_credentials");
    assert_eq!(wrong.body["organizations"], Value::Null);
}

/// The holder of an account with the address tries passwords until they are refused.
#[test]
fn the_limit_of_password_attempts_reveals_nothing_about_other_organisations() {
    let settings = Settings {
        identity: IdentitySettings {
            password_attempts: NonZeroU32::new(3),
            proxies: 1,
            ..identity()
        },
        clock: Clock::with_manual_limits(),
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let grant = |email: &str, from: u8, cookie: &str, password: &str| {
        let http = Http::with_token(&server.url(), "");
        let request = http
            .request(Method::POST, "/auth/v1/token?grant_type=password")
            .header("apikey", "demo")
            .header("x-forwarded-for", format!("203.0.113.{from}"))
            .header("cookie", cookie)
            .json(&json!({ "email": email, "password": password }));
        answer_to(request)
    };
    let mut seen = Vec::new();
    for is_known_elsewhere in [false, true] {
        let email = format!("ana@{}.test", uuid::Uuid::now_v7());
        invited(&Organization::create(), &email, "the squatter's password");
        if is_known_elsewhere {
            invited(&Organization::create(), &email, "her own password");
        }
        let mine = grant(&email, 1, "", "the squatter's password");
        let cookie = mine.header("set-cookie").split(';').next();
        let cookie = cookie.expect("a cookie").to_owned();
        let mut statuses = Vec::new();
        // The device at both addresses, the known address, strangers.
        for (from, cookie) in [
            (1, &*cookie),
            (2, &cookie),
            (1, ""),
            (2, ""),
            (3, ""),
            (4, ""),
        ] {
            for _ in 0..4 {
                let answer = grant(&email, from, cookie, "guessed");
                statuses.push(answer.status.as_u16());
            }
        }
        seen.push(statuses);
    }
    assert!(seen[0].contains(&400) && seen[0].contains(&429), "{seen:?}");
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn an_accepted_invitation_gives_at_most_the_level_of_the_owner_who_made_it() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    for level in [0, 50, 80, 90, 100] {
        organization.level(Role::Owner, level);
        for role in Role::ALL.into_iter().filter(|role| *role != Role::Fellow) {
            let email = format!("{}{level}@{}.test", role.name(), organization.id);
            let link = invite(&mut owner, &email, role);
            join(&mut Browser::default(), &link, PASSWORD);
            let joined = Http::sign_in(&world().url(), &email, PASSWORD);
            let metadata = &user(&joined)["app_metadata"];
            assert_eq!(metadata["role"], role.name());
            let most = match role {
                Role::Owner => level,
                Role::Admin => level.min(80),
                _ => 0,
            };
            assert_eq!(metadata["level"], most, "{role:?} invited at level {level}");
        }
    }
}

#[test]
fn a_network_may_guess_links_so_often() {
    let settings = Settings {
        identity: IdentitySettings {
            pages_per_minute: NonZeroU32::new(30),
            proxies: 1,
            ..identity()
        },
        clock: Clock::with_manual_limits(),
        ..Settings::local(Location::Memory)
    };
    let server = world().server_with(settings);
    let guess = |from: &str| {
        let token = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let url = format!("{}/auth/v1/invitation?token={token}", server.url());
        let request = reqwest::Client::new().get(url);
        answer_to(request.header("x-forwarded-for", from))
    };
    for _ in 0..3 {
        assert_eq!(guess("203.0.113.1").status, StatusCode::NOT_FOUND);
    }
    let refused = guess("203.0.113.1");
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(guess("203.0.113.2").status, StatusCode::NOT_FOUND);
}

#[test]
fn an_account_without_an_organisation_joins() {
    let mut stage = Stage::set();
    let account = Account::create();
    stage.email = account.email.to_uppercase();
    let (_, link) = stage.invite();
    let joined = join(&mut Browser::default(), &link, PASSWORD);
    assert_eq!(joined.status, StatusCode::OK, "{}", joined.text);
    let mut account = account.sign_in();
    account
        .call(Host::Staff, "list_students", json!({}))
        .output();
}

#[test]
fn a_password_that_is_too_short_is_asked_for_again() {
    let mut stage = Stage::set();
    let (_, link) = stage.invite();
    let page = join(&mut Browser::default(), &link, "1234567");
    assert_eq!(page.status, StatusCode::BAD_REQUEST);
    assert!(page.text.contains("aria-invalid=\"true\""), "{}", page.text);
    assert_eq!(stage.status(), "open");
}

#[test]
fn a_form_from_another_site_or_browser_is_refused() {
    let mut stage = Stage::set();
    let (_, link) = stage.invite();
    let mut browser = Browser::default();
    let page = browser.get(&link);
    let (token, ticket) = (page.field("token"), page.field("ticket"));
    let fields = [
        ("token", &*token),
        ("ticket", &*ticket),
        ("password", "a good password"),
    ];
    let address = page.form_address();
    let elsewhere = ("sec-fetch-site", "cross-site");
    let sent = [
        browser.post_with(&address, &fields, elsewhere),
        Browser::default().post(&address, &fields),
        browser.post(&address, &[fields[0], fields[2]]),
    ];
    for page in sent {
        refuses(&page, StatusCode::BAD_REQUEST, "not opened in this browser");
    }
    assert_eq!(stage.status(), "open");
}

#[test]
fn the_page_needs_no_script_and_is_in_no_frame() {
    let mut stage = Stage::set();
    let (_, link) = stage.invite();
    let page = Browser::default().get(&link);
    let policy = page.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert_eq!(page.header("cache-control"), "no-store");
    assert_eq!(page.header("x-frame-options"), "DENY");
    assert!(!page.text.contains("<script"), "{}", page.text);
}

#[test]
fn an_unknown_link_is_reported_as_such() {
    let address = format!("{}/auth/v1/invitation", world().url());
    let unknown = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for query in [
        String::new(),
        "?token=short".to_owned(),
        format!("?token={unknown}"),
    ] {
        let page = Browser::default().get(&format!("{address}{query}"));
        refuses(&page, StatusCode::NOT_FOUND, "no such invitation");
    }
}

#[test]
fn the_database_holds_no_link() {
    let mut stage = Stage::set();
    let invite = json!({ "email": stage.email, "name": "Ana", "role": "staff" });
    let params = json!({
        "name": "invite_staff", "arguments": invite,
        "_meta": { "idempotencyKey": "1" },
    });
    let invited = stage.owner.rpc(Host::Staff, "tools/call", params);
    let link = invited.output()["link"]
        .as_str()
        .expect("a link")
        .to_owned();
    let (_, token) = link.split_once('=').expect("a token");
    let owner = world().owner();
    let rows = owner
        .query(
            "select row_to_json(i)::text from staff.invitations i where i.organization_id = $1 \
             union all select row_to_json(k)::text from app.idempotency_keys k where k.user_id = $2",
            &[&stage.organization.id.0, &stage.organization.user(Role::Owner).0],
        )
        .expect("rows");
    assert!(!rows.is_empty());
    for row in rows {
        let row: String = row.get(0);
        assert!(!row.contains(token), "{row}");
    }
}

/// A token as the provider with this secret would sign it for this account at this time.
fn token(secret: &str, user: UserId, issued_at: Option<jiff::Timestamp>) -> String {
    let expires_at = jiff::Timestamp::now().as_second() + 60;
    let claims = json!({
        "iss": "elsewhere", "aud": "authenticated", "sub": user, "exp": expires_at,
        "iat": issued_at.map(jiff::Timestamp::as_second),
    });
    let part = |json: Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let signed = format!(
        "{}.{}",
        part(json!({ "alg": "HS256", "typ": "JWT" })),
        part(claims)
    );
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(signed.as_bytes());
    format!(
        "{signed}.{}",
        URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())
    )
}

/// A server that takes the tokens of a provider with this secret.
fn with_outside_tokens(secret: &str) -> Server {
    let settings = Settings {
        identity: IdentitySettings {
            source: TokenSource::Outside(OutsideProvider {
                keys: OutsideKeys::Secret(secret.to_owned()),
                issuer: "elsewhere".to_owned(),
                audience: "authenticated".to_owned(),
            }),
            ..IdentitySettings::default()
        },
        ..Settings::local(Location::Memory)
    };
    world().server_with(settings)
}

#[test]
fn a_deactivated_account_needs_an_outside_token_from_after_its_reactivation() {
    let organization = Organization::create();
    let secret = "a secret of at least thirty-two bytes";
    let server = with_outside_tokens(secret);
    let user = organization.user(Role::Staff);
    // The account exists at the outside provider only.
    let delete = "delete from auth.users where id = $1";
    (world().owner())
        .execute(delete, &[&user.0])
        .expect("no account here");
    let now = jiff::Timestamp::now();
    let ago = now - jiff::SignedDuration::from_secs(30);
    let later = now + jiff::SignedDuration::from_secs(30);
    let tokens = [None, Some(ago), Some(later)];
    let mut callers = tokens.map(|at| Http::with_token(&server.url(), &token(secret, user, at)));
    let mut statuses = || {
        let status = |http: &mut Http| http.initialize(Host::Staff, "2025-11-25").status;
        callers.each_mut().map(status)
    };
    let (ok, refused) = (StatusCode::OK, StatusCode::UNAUTHORIZED);
    assert_eq!(statuses(), [ok, ok, ok]);
    let mut owner = organization.sign_in(Role::Owner);
    for is_active in [false, true] {
        let set = json!({ "id": user, "is_active": is_active });
        owner.call(Host::Staff, "set_staff_active", set).output();
    }
    assert_eq!(statuses(), [refused, refused, ok]);
}

#[test]
fn with_an_outside_provider_nobody_is_invited() {
    let organization = Organization::create();
    let secret = "a secret of at least thirty-two bytes";
    let server = with_outside_tokens(secret);
    let token = token(secret, organization.user(Role::Owner), None);
    let mut owner = Http::with_token(&server.url(), &token);
    let invite = json!({ "email": "ana@example.org", "name": "Ana", "role": "staff" });
    let refused = owner.call(Host::Staff, "invite_staff", invite);
    assert_eq!(refused.tool_error()["code"], "refused");
    let page = format!("{}/auth/v1/invitation?token=x", server.url());
    assert_eq!(Browser::default().get(&page).status, StatusCode::NOT_FOUND);
}
