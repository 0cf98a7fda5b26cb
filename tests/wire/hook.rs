//! `POST /engineering/hooks/code-host`: a code host's deliveries about pull requests.

use frontdesk_protocol::Role;
use frontdesk_server::database::Location;
use frontdesk_server::server::{Server, Settings};
use frontdesk_tests::blocking::{Http, Organization, answer_to, world};
use frontdesk_tests::hook::{deliver, pull_request, signature};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

const OLD: &str = "an old secret of the hook";
const NEW: &str = "a new secret of the hook";

/// A server with both secrets.
fn server() -> Server {
    let settings = Settings {
        code_host_hook: [OLD, NEW]
            .map(|secret| secret.parse().expect("a secret"))
            .into(),
        calls_per_minute: 0,
        identity: frontdesk_tests::world::identity(),
        ..Settings::local(Location::Memory)
    };
    world().server_with(settings)
}

/// Gives the fellow's member this login at the code host.
fn login(organization: &Organization) -> String {
    let login = format!("Octo-{}", Uuid::now_v7().simple());
    let sql = "update learn.profiles set code_host_login = $2 where id = $1";
    let owner = world().owner();
    let fellow = organization.user(Role::Fellow).0;
    owner.execute(sql, &[&fellow, &login]).expect("a profile");
    login
}

/// The pull requests of the fellow's week.
fn merged(server: &Server, organization: &Organization) -> Value {
    let mut fellow: Http = organization.sign_in(Role::Fellow).at(&server.url());
    let updates = fellow.call(
        frontdesk_protocol::Host::Work,
        "get_weekly_updates",
        json!({}),
    );
    updates.output()["pull_requests"].clone()
}

#[test]
fn a_login_that_two_organisations_enter_counts_for_the_one_that_has_signed_in_with_it() {
    let server = server();
    let (ours, theirs) = (Organization::create(), Organization::create());
    let login = login(&ours);
    let change = |sql: &str, organization: &Organization| {
        let fellow = organization.user(Role::Fellow).0;
        let changed = world().owner().execute(sql, &[&fellow, &login]);
        changed.expect("a profile");
    };
    change(
        "update learn.profiles set code_host_login = $2 where id = $1",
        &theirs,
    );
    let send = |title: &str| {
        let now = jiff::Timestamp::now().to_string();
        let body = pull_request(&login, title, &now, json!(now)).to_string();
        let sent = deliver(&server.url(), "1", &signature(NEW, &body), &body);
        sent.body["outcome"].clone()
    };
    assert_eq!(send("Claimed by two"), "ignored");
    change("select auth.signed_in_through($1, $2)", &ours);
    assert_eq!(send("Update the README"), "stored");
    assert_eq!(
        merged(&server, &ours)["items"].as_array().map(Vec::len),
        Some(1)
    );
    assert_eq!(merged(&server, &theirs)["items"], json!([]));
}

#[test]
fn a_merged_pull_request_is_in_its_author_s_week_and_delivered_once() {
    let server = server();
    let organization = Organization::create();
    let login = login(&organization);
    let now = jiff::Timestamp::now().to_string();
    let none = merged(&server, &organization);
    assert_eq!(
        (&none["unavailable"], &none["items"]),
        (&json!(false), &json!([]))
    );
    let body =
        pull_request(&login.to_lowercase(), "Update the README", &now, json!(now)).to_string();
    let id = Uuid::now_v7().to_string();
    for outcome in ["stored", "repeated"] {
        let answer = deliver(&server.url(), &id, &signature(NEW, &body), &body);
        assert_eq!(
            (answer.status.as_u16(), &answer.body["outcome"]),
            (200, &json!(outcome))
        );
    }
    // The header is not signed: the same body with another id is the same delivery.
    let other = Uuid::now_v7().to_string();
    let again = deliver(&server.url(), &other, &signature(OLD, &body), &body);
    assert_eq!(again.body["outcome"], "repeated");
    // An earlier delivery that arrives later undoes nothing.
    let earlier = pull_request(&login, "Update", "2026-03-01T15:20:33Z", Value::Null).to_string();
    let id = Uuid::now_v7().to_string();
    let late = deliver(&server.url(), &id, &signature(OLD, &earlier), &earlier);
    assert_eq!(late.body["outcome"], "ignored");
    let told = merged(&server, &organization);
    assert_eq!(told["items"][0]["title"], "Update the README");
    assert_eq!(told["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_delivery_without_a_valid_signature_is_refused_and_changes_nothing() {
    let server = server();
    let organization = Organization::create();
    let login = login(&organization);
    let now = jiff::Timestamp::now().to_string();
    let body = pull_request(&login, "Update the README", &now, json!(now)).to_string();
    let right = signature(OLD, &body);
    for wrong in [
        signature("a secret of somebody else", &body),
        signature(OLD, &format!("{body} ")),
        right.replace("sha256=", "sha1="),
        right[..right.len() - 2].to_owned(),
        "sha256=é".to_owned(),
    ] {
        let Ok(_) = reqwest::header::HeaderValue::from_str(&wrong) else {
            continue;
        };
        let answer = deliver(&server.url(), "a", &wrong, &body);
        assert_eq!(answer.status.as_u16(), 401, "{wrong}");
    }
    assert_eq!(merged(&server, &organization)["items"], json!([]));
    let empty = json!({ "zen": "Keep it logically awesome." }).to_string();
    let answer = deliver(&server.url(), "b", &signature(OLD, &empty), &empty);
    assert_eq!(answer.status.as_u16(), 400);
}

#[test]
fn a_pull_request_counts_when_it_is_delivered_again_after_its_author_is_known() {
    let server = server();
    let organization = Organization::create();
    let now = jiff::Timestamp::now().to_string();
    let login = format!("octo-{}", Uuid::now_v7().simple());
    let body = pull_request(&login, "Hello", &now, json!(now)).to_string();
    let id = Uuid::now_v7().to_string();
    let first = deliver(&server.url(), &id, &signature(OLD, &body), &body);
    assert_eq!(first.body["outcome"], "ignored");
    // The login belongs to a profile without a member.
    let profile = "update learn.profiles set code_host_login = $2, member_id = $3 where id = $1";
    let fellow = organization.user(Role::Fellow).0;
    for (member, outcomes) in [
        (None, ["stored", "stored"]),
        (Some(organization.fellow.0), ["stored", "repeated"]),
    ] {
        let owner = world().owner();
        let known = owner.execute(profile, &[&fellow, &login, &member]);
        assert_eq!(known.expect("a profile"), 1);
        drop(owner);
        for outcome in outcomes {
            let again = deliver(&server.url(), &id, &signature(OLD, &body), &body);
            assert_eq!(again.body["outcome"], outcome, "{member:?}");
        }
    }
    let merged = merged(&server, &organization);
    assert_eq!(merged["items"][0]["title"], "Hello");
}

#[test]
fn the_stored_fields_of_a_pull_request_are_bounded() {
    let server = server();
    let organization = Organization::create();
    let login = login(&organization);
    let now = jiff::Timestamp::now().to_string();
    let good = pull_request(&login, &"é".repeat(100_000), &now, json!(now));
    for (at, wrong) in [
        (
            "/pull_request/html_url",
            json!("http://forge.example.org/pull/2"),
        ),
        ("/pull_request/html_url", json!("javascript:alert(1)")),
        ("/pull_request/html_url", json!("https://")),
        (
            "/pull_request/html_url",
            json!(format!("https://forge.example.org/{}", "x".repeat(2000))),
        ),
        ("/repository/full_name", json!("x".repeat(201))),
        ("/pull_request/user/login", json!("x".repeat(201))),
    ] {
        let mut body = good.clone();
        *body.pointer_mut(at).expect("a field") = wrong;
        let body = body.to_string();
        let id = Uuid::now_v7().to_string();
        let answer = deliver(&server.url(), &id, &signature(OLD, &body), &body);
        assert_eq!(answer.status.as_u16(), 400, "{at}: {}", answer.body);
    }
    assert_eq!(merged(&server, &organization)["items"], json!([]));
    let body = good.to_string();
    let id = Uuid::now_v7().to_string();
    let answer = deliver(&server.url(), &id, &signature(OLD, &body), &body);
    assert_eq!(answer.body["outcome"], "stored");
    let title = &merged(&server, &organization)["items"][0]["title"];
    assert_eq!(title.as_str(), Some("é".repeat(256).as_str()));
}

#[test]
fn deliveries_are_remembered_for_thirty_days() {
    let server = server();
    let organization = Organization::create();
    let login = login(&organization);
    let now = jiff::Timestamp::now().to_string();
    let body = pull_request(&login, "Hello", &now, json!(now)).to_string();
    let other = pull_request(&login, "Other", &now, json!(now)).to_string();
    let digest = Sha256::digest(body.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let id = Uuid::now_v7().to_string();
    for (age, outcome) in [
        ("0 days", "stored"),
        ("29 days", "repeated"),
        ("31 days", "stored"),
    ] {
        let owner = world().owner();
        let sql = "update engineering.deliveries_seen set received_at = now() - $2::text::interval where id = $1";
        owner.execute(sql, &[&digest, &age]).expect("its age");
        drop(owner);
        // Each delivery deletes the expired ones.
        deliver(&server.url(), &id, &signature(OLD, &other), &other);
        let again = deliver(&server.url(), &id, &signature(OLD, &body), &body);
        assert_eq!(again.body["outcome"], outcome, "{age}");
    }
}

#[test]
fn a_server_without_a_secret_refuses_deliveries() {
    let client = reqwest::Client::new();
    let url = format!("{}/engineering/hooks/code-host", world().url());
    let answer = answer_to(client.post(url).body("{}"));
    assert_eq!(answer.status.as_u16(), 404);
}
