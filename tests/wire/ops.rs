//! The Platform host: the rules beyond its tables.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::Organization;
use serde_json::{Value, json};

#[test]
fn a_caller_cannot_grant_a_level_above_their_own() {
    let organization = Organization::create();
    organization.level(Role::Admin, 50);
    organization.level(Role::Owner, 60);
    let mut admin = organization.caller(Role::Admin, Host::Ops);
    let level = |role, level| json!({ "id": organization.user(role), "level": level });
    let given = admin.record("set_account_level", level(Role::Fellow, 50));
    assert_eq!(
        (&given["level"], &given["name"]),
        (&json!(50), &json!("Fellow"))
    );
    for (role, refused) in [(Role::Fellow, 51), (Role::Admin, 51), (Role::Owner, 10)] {
        let answer = admin.call("set_account_level", level(role, refused));
        assert_eq!(answer.status, 403, "{role:?}: {}", answer.body);
    }
    let owners = admin.output("list_accounts", json!({ "role": "owner" }));
    assert_eq!(owners["accounts"][0]["level"], 60);
    // The own can be given up, and is gone then.
    admin.output("set_account_level", level(Role::Admin, 20));
    let answer = admin.call("set_account_level", level(Role::Fellow, 20));
    assert_eq!(answer.status, 403);
}

#[test]
fn an_account_without_a_profile_is_given_a_level_all_the_same() {
    let organization = Organization::create();
    organization.level(Role::Owner, 90);
    let mut owner = organization.caller(Role::Owner, Host::Ops);
    let account = organization.user(Role::Staff);
    let before = json!({ "search": organization.email(Role::Staff) });
    let before = owner.output("list_accounts", before);
    assert_eq!(before["accounts"][0]["level"], 0);
    let level = json!({ "id": account, "level": 80 });
    let given = owner.record("set_account_level", level);
    assert_eq!(
        (&given["level"], &given["name"]),
        (&json!(80), &json!("staff"))
    );
    let mut staff = organization.caller(Role::Staff, Host::Learn);
    staff.output("create_course", json!({ "title": "Rust" }));
    let nobody = json!({ "id": uuid::Uuid::now_v7(), "level": 0 });
    owner
        .call("set_account_level", nobody)
        .refuses("not_found", "id");
}

#[test]
fn a_message_is_read_by_its_two_sides() {
    let organization = Organization::create();
    let mut staff = organization.caller(Role::Staff, Host::Ops);
    let machine = organization.user(Role::Automation);
    let message =
        |to: &Value| json!({ "recipient_id": to, "subject": "Import", "body": "Please." });
    let sent = staff.record("send_agent_message", message(&json!(machine)));
    for (role, side, count) in [
        (Role::Staff, "sent", 1),
        (Role::Staff, "received", 0),
        (Role::Automation, "sent", 0),
        (Role::Automation, "received", 1),
        (Role::Owner, "sent", 0),
        (Role::Owner, "received", 0),
    ] {
        let mut reader = organization.caller(role, Host::Ops);
        let read = reader.output("list_agent_messages", json!({ "side": side }));
        let messages = read["messages"].as_array().expect("messages");
        assert_eq!(messages.len(), count, "{side} as {role:?}");
        assert!(messages.iter().all(|one| *one == sent), "{read}");
    }
    let fellow = json!(organization.user(Role::Fellow));
    let named = staff.record("send_agent_message", message(&fellow));
    assert_eq!(named["recipient_name"], "Fellow");
    assert_eq!(
        named["sender_name"], "staff",
        "the role of an account without a profile"
    );
    let stranger = Organization::create();
    let others = json!(stranger.user(Role::Automation));
    staff
        .call("send_agent_message", message(&others))
        .refuses("not_found", "recipient_id");
    let own = json!(organization.user(Role::Staff));
    staff
        .call("send_agent_message", message(&own))
        .refuses("invalid_argument", "recipient_id");
}

#[test]
fn a_sandbox_ends_once_by_who_made_it_or_who_manages() {
    let organization = Organization::create();
    let mut teacher = organization.caller(Role::Teacher, Host::Ops);
    let mut staff = organization.caller(Role::Staff, Host::Ops);
    let mut owner = organization.caller(Role::Owner, Host::Ops);
    let one = teacher.record("create_sandbox", json!({ "name": "One" }));
    assert_eq!(one["status"], "running");
    let end = json!({ "id": one["id"] });
    assert_eq!(staff.call("end_sandbox", end.clone()).status, 403);
    let ended = teacher.record("end_sandbox", end.clone());
    assert_eq!(ended["status"], "ended");
    let again = owner.record("end_sandbox", end);
    assert_eq!(again, ended);
    let two = teacher.make("create_sandbox", json!({ "name": "Two" }));
    owner.output("end_sandbox", json!({ "id": two }));
    for expires_at in ["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"] {
        let late = json!({ "name": "Three", "expires_at": expires_at });
        teacher
            .call("create_sandbox", late)
            .refuses("invalid_argument", "expires_at");
    }
    let running = staff.output("list_sandboxes", json!({ "status": "running" }));
    assert_eq!(running["sandboxes"], json!([]));
}

#[test]
fn an_app_and_an_address_are_registered_once() {
    let organization = Organization::create();
    let mut owner = organization.caller(Role::Owner, Host::Ops);
    let app = owner.record("register_app", json!({ "name": "Café Bot" }));
    assert_eq!(app["slug"], "cafe-bot");
    let taken = json!({ "name": "Other", "slug": "cafe-bot" });
    let taken = owner.call("register_app", taken);
    taken.refuses_with(
        "conflict",
        "slug",
        "choose a different slug: “cafe-bot” is in use",
    );
    let stranger = Organization::create();
    let others = json!({ "name": "Spy", "account_id": stranger.user(Role::Automation) });
    owner
        .call("register_app", others)
        .refuses("not_found", "account_id");
    let logo = json!({ "name": "Logo", "kind": "image", "url": "https://example.org/logo.png" });
    owner.output("register_media", logo.clone());
    owner
        .call("register_media", logo)
        .refuses("conflict", "url");
}

#[test]
fn the_address_of_a_sandbox_is_reported_by_machines_and_by_who_made_it() {
    let organization = Organization::create();
    let mut teacher = organization.caller(Role::Teacher, Host::Ops);
    let id = teacher.make("create_sandbox", json!({ "name": "One" }));
    let report = |url: &str| json!({ "id": id, "url": url });
    let mut staff = organization.caller(Role::Staff, Host::Ops);
    let refused = staff.call("report_sandbox", report("https://example.org/a"));
    assert_eq!(refused.status, 403);
    let mut machine = organization.caller(Role::Automation, Host::Ops);
    let reported = machine.record("report_sandbox", report("https://example.org/a"));
    assert_eq!(reported["url"], "https://example.org/a");
    teacher.output("report_sandbox", report("https://example.org/b"));
    teacher.output("end_sandbox", json!({ "id": id }));
    let late = machine.call("report_sandbox", report("https://example.org/c"));
    late.refuses_with(
        "conflict",
        "id",
        "this sandbox has ended: create another one",
    );
}
