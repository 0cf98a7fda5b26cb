//! What a host tells an agent about its caller and itself.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization};
use serde_json::{Value, json};

use crate::wire::sessionless::ask;

fn instructions(caller: &Http, host: Host) -> String {
    let answer = caller.initialize(host, "2025-06-18");
    let text = answer.result()["instructions"].as_str();
    text.expect("instructions").to_owned()
}

/// The day at the hosts, which can end between two looks.
fn today() -> String {
    let zone = jiff::tz::TimeZone::get("America/Sao_Paulo").expect("a zone");
    let now = jiff::Timestamp::now().to_zoned(zone);
    now.date().to_string()
}

#[test]
fn instructions_name_the_caller_and_the_day() {
    let organization = Organization::create();
    let fellow = organization.sign_in(Role::Fellow);
    let before = today();
    let text = instructions(&fellow, Host::Work);
    let after = today();
    let account = organization.user(Role::Fellow).to_string();
    let member = organization.fellow.to_string();
    assert!(text.contains(&before) || text.contains(&after), "{text}");
    for part in [
        "Fellow",
        "fellow",
        "level 0",
        &account,
        &member,
        "America/Sao_Paulo",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Without a session they are the same.
    let discovered = ask(&fellow, Host::Work, "server/discover", json!({}));
    assert_eq!(discovered.result()["instructions"], json!(text));
}

#[test]
fn instructions_name_what_is_irreversible_and_the_sources_of_ids() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let text = instructions(&owner, Host::Work);
    assert!(
        text.contains("delete_task") && text.contains("merge_meetings"),
        "{text}"
    );
    assert!(text.contains("member from list_members (learn)"), "{text}");
    let text = instructions(&owner, Host::Financing);
    assert!(text.contains("post_journal_entry"), "{text}");
    // A fellow is not offered these tools.
    let fellow = organization.sign_in(Role::Fellow);
    let text = instructions(&fellow, Host::Work);
    assert!(
        text.contains("delete_task") && !text.contains("merge_meetings"),
        "{text}"
    );
}

#[test]
fn instructions_are_short() {
    let organization = Organization::create();
    for role in Role::ALL {
        let caller = organization.sign_in(role);
        for host in Host::ALL
            .into_iter()
            .filter(|host| !host.is_for_staff() || role != Role::Fellow)
        {
            let text = instructions(&caller, host);
            let words = text.split_whitespace().count();
            assert!(words < 120, "{host} {role:?}: {words} words: {text}");
        }
    }
}

#[test]
fn the_context_says_the_same_as_data() {
    let organization = Organization::create();
    organization.level(Role::Staff, 50);
    let mut staff = organization.caller(Role::Staff, Host::Ops);
    let context = staff.record("get_context", json!({}));
    assert_eq!(context["account_id"], json!(organization.user(Role::Staff)));
    assert_eq!(
        (&context["role"], &context["level"]),
        (&json!("staff"), &json!(50))
    );
    assert_eq!(context["organization_id"], json!(organization.id));
    assert_eq!(context["time_zone"], "America/Sao_Paulo");
    assert_eq!(
        (&context["page_size"], &context["max_page_size"]),
        (&json!(50), &json!(100))
    );
    let has = |list: &str, entry: Value| {
        let list = context[list].as_array().expect("a list");
        assert!(list.contains(&entry), "{entry} is not in {list:?}");
    };
    has(
        "irreversible",
        json!({ "host": "plans", "tool": "set_plan_tasks" }),
    );
    has(
        "id_sources",
        json!({ "kind": "member", "host": "learn", "tool": "list_members" }),
    );
}
