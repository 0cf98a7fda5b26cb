//! A server that starts empty: the link that creates the first organisation and its owner, the page at `/`, and the
//! demo's accounts outside the demo.

use std::time::Duration;

use frontdesk_protocol::Host;
use frontdesk_server::accounts::{list, organization_to_remove, remove_organization};
use frontdesk_server::clock::Clock;
use frontdesk_server::database::Location;
use frontdesk_server::server::{DEMO_PASSWORD, Server, Settings, StartError};
use frontdesk_tests::blocking::{Browser, Http, Organization, answer_to, world};
use frontdesk_tests::code_host::Page;
use frontdesk_tests::world::{PATIENT, identity};
use frontdesk_tests::{prepared, run};
use reqwest::{Method, StatusCode};
use serde_json::json;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn settings(location: Location, clock: &Clock) -> Settings {
    Settings {
        calls_per_minute: 0,
        clock: clock.clone(),
        limits: PATIENT,
        identity: identity(),
        ..Settings::local(location)
    }
}

/// A server on an empty database, and the link.
fn empty(clock: &Clock) -> (Server, String) {
    let database = run(prepared::open()).with_limits(PATIENT);
    let database = database.expect("a pool");
    let server = Server::over(database, settings(Location::Memory, clock));
    let server = run(server).expect("a server");
    let link = run(server.setup_link()).expect("the database answers");
    (server, link.expect("a link").0)
}

/// Submits the form behind the link.
fn submit(browser: &mut Browser, page: &Page, fields: [&str; 5]) -> Page {
    let (token, ticket) = (page.field("token"), page.field("ticket"));
    let names = ["organization", "slug", "name", "email", "password"];
    let hidden = [
        ("token", &*token),
        ("ticket", &*ticket),
        ("time_zone", "America/Sao_Paulo"),
        ("currency", "BRL"),
    ];
    let fields: Vec<_> = hidden
        .into_iter()
        .chain(names.into_iter().zip(fields))
        .collect();
    browser.post(&page.form_address(), &fields)
}

const ANA: [&str; 5] = [
    "São Paulo School",
    "",
    "Ana Souza",
    "ana@example.org",
    "a good password",
];

#[test]
fn clients_learn_that_there_is_no_organisation_yet() {
    let (server, link) = empty(&Clock::system());
    let settings = || {
        let http = Http::with_token(&server.url(), "");
        let asked = http.request(Method::GET, "/auth/v1/settings");
        answer_to(asked.header("apikey", "demo")).body
    };
    assert_eq!(settings()["needs_setup"], true);
    let mut browser = Browser::default();
    let page = browser.get(&link);
    assert!(
        page.text
            .contains("name=\"slug\" value=\"\" maxlength=\"60\"")
    );
    submit(&mut browser, &page, ANA);
    assert_eq!(settings()["needs_setup"], json!(null));
}

#[test]
fn the_first_organisation_and_its_owner_are_created_through_a_link_that_works_once() {
    let (server, link) = empty(&Clock::system());
    let mut browser = Browser::default();
    let page = browser.get(&link);
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    for (wrong, says) in [
        (
            ["", "", "Ana", "ana@example.org", "a good password"],
            "1 to 200 characters",
        ),
        (
            [
                "School",
                "My School",
                "Ana",
                "ana@example.org",
                "a good password",
            ],
            "slug must be",
        ),
        (
            ["School", "", "Ana", "ana@example", "a good password"],
            "name@example.org",
        ),
        (
            ["School", "", "Ana", "ana@example.org", "short"],
            "at least 8 characters",
        ),
    ] {
        let refused = submit(&mut browser, &page, wrong);
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text);
        assert!(refused.text.contains(says), "{}", refused.text);
    }
    let created = submit(&mut browser, &page, ANA);
    assert_eq!(created.status, StatusCode::OK, "{}", created.text);

    let mut ana = Http::sign_in(&server.url(), "ana@example.org", "a good password");
    let request = ana
        .request(Method::GET, "/auth/v1/user")
        .bearer_auth(&ana.token);
    let user = answer_to(request).body;
    let about = &user["app_metadata"];
    assert_eq!(about["organization"], "São Paulo School");
    assert_eq!(about["organization_slug"], "sao-paulo-school");
    assert_eq!(
        (&about["role"], &about["level"]),
        (&json!("owner"), &json!(100))
    );
    assert_eq!(about["member"]["name"], "Ana Souza");
    let task = json!({ "name": "Call", "stage_id": "spec", "context": { "why": "now" } });
    let task = ana.call(Host::Work, "create_task", task);
    assert_eq!(task.output()["task"]["owner_id"], about["member"]["id"]);

    let second = submit(
        &mut browser,
        &page,
        ["Other", "", "Eve", "eve@example.org", "a good password"],
    );
    for used in [second, browser.get(&link)] {
        assert_eq!(used.status, StatusCode::GONE, "{}", used.text);
        assert!(
            used.text.contains("already has an organisation"),
            "{}",
            used.text
        );
    }
    assert_eq!(run(server.setup_link()).expect("an answer"), None);
}

#[test]
fn a_used_link_for_the_first_organisation_stays_used_when_that_is_removed() {
    let (server, link) = empty(&Clock::system());
    let mut browser = Browser::default();
    let page = browser.get(&link);
    let created = submit(&mut browser, &page, ANA);
    assert_eq!(created.status, StatusCode::OK, "{}", created.text);
    run(async {
        let mut owner = server.database().owner().await.expect("the owner");
        let school = organization_to_remove(&mut owner, ANA[0]).await;
        let removed = remove_organization(&owner, &school.expect("an organisation")).await;
        removed.expect("it is removed");
    });
    let eve = ["Other", "", "Eve", "eve@example.org", "a good password"];
    for used in [submit(&mut browser, &page, eve), browser.get(&link)] {
        assert_eq!(used.status, StatusCode::GONE, "{}", used.text);
        assert!(used.text.contains("has been used"), "{}", used.text);
    }
    // A new link, as the next start prints it.
    let next = run(server.setup_link()).expect("an answer");
    let page = browser.get(&next.expect("a link").0);
    let created = submit(&mut browser, &page, eve);
    assert_eq!(created.status, StatusCode::OK, "{}", created.text);
}

#[test]
fn a_link_for_the_first_organisation_is_valid_for_a_day_and_not_forged() {
    let clock = Clock::system();
    let (_server, link) = empty(&clock);
    let mut browser = Browser::default();
    let forged = browser.get(&link.replace("token=", "token=A"));
    assert_eq!(forged.status, StatusCode::NOT_FOUND, "{}", forged.text);
    let page = browser.get(&link);
    clock.advance(DAY);
    let late = submit(&mut browser, &page, ANA);
    assert_eq!(late.status, StatusCode::GONE, "{}", late.text);
    assert!(late.text.contains("has expired"), "{}", late.text);
}

#[test]
fn a_browser_reads_at_the_base_address_what_answers_there() {
    let page = Browser::default().get(&format!("{}/", world().url()));
    assert_ne!(page.status, StatusCode::OK, "without Accept");
    let read = |url: &str| {
        let request = Http::with_token(url, "").request(Method::GET, "/");
        let answer = run(request.header("accept", "text/html").send()).expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        run(answer.text()).expect("a text")
    };
    Organization::create();
    let url = world().url();
    let text = read(&url);
    assert!(
        text.contains(&format!("frontdesk login --url {url}")),
        "{text}"
    );
    assert!(!text.contains("no organisation yet"), "{text}");
    let (server, link) = empty(&Clock::system());
    let text = read(&server.url());
    assert!(text.contains("no organisation yet"), "{text}");
    let (_, token) = link.split_once("token=").expect("a token");
    assert!(!text.contains(token), "{text}");
}

#[test]
fn a_server_outside_the_demo_refuses_the_demo_s_accounts_with_their_known_password() {
    let clock = Clock::system();
    let place = tempfile::tempdir().expect("a directory");
    let place = place.path().join("postgres");
    prepared::copy_to(&place);
    let location = || Location::Directory(place.clone());
    let demo = Settings {
        demo: true,
        ..settings(location(), &clock)
    };
    let demo = run(Server::start(demo)).expect("the demo");
    let accounts = run(async {
        let owner = demo.database().owner().await.expect("the owner");
        list(&owner, Some("casa-aurora")).await.expect("accounts")
    });
    assert_eq!(accounts.len(), 7, "{accounts:?}");
    run(demo.stop()).expect("it stops");
    let refused = run(Server::start(settings(location(), &clock)));
    let Err(StartError::DemoAccounts(accounts)) = refused else {
        panic!("{refused:?}");
    };
    assert!(!accounts.is_empty());
    assert!(
        !accounts
            .iter()
            .any(|account| account.contains(DEMO_PASSWORD))
    );
}
