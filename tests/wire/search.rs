//! The search over all hosts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Http, Organization};
use serde_json::{Value, json};

/// What is found, as `host kind name context`.
fn found(http: &mut Http, arguments: Value) -> Vec<String> {
    let answer = http.call(Host::Ops, "search", arguments);
    let hits = answer.output()["hits"].as_array().expect("hits").clone();
    let hits = hits.iter().map(|hit| {
        let text = |name: &str| hit[name].as_str().unwrap_or("-").to_owned();
        [text("host"), text("kind"), text("name"), text("context")].join(" ")
    });
    hits.collect()
}

#[test]
fn records_of_all_hosts_are_found_in_one_call_under_the_caller_s_rights() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = json!({
        "name": "Souto's launch", "start_at": "2027-03-05T12:00:00Z",
        "strategy_business_unit_id": organization.business_unit,
    });
    let event = owner.call(Host::Events, "create_event", event);
    let event = &event.output()["event"]["id"];
    let guest = json!({ "event_id": event, "name": "Ana Souto" });
    owner
        .call(Host::Events, "create_event_guest", guest)
        .output();
    let article = json!({ "title": "How Souto works", "content": "x" });
    owner
        .call(Host::Learn, "create_wiki_article", article)
        .output();
    let invoice = json!({
        "billed_to": "Souto", "description": "March", "amount": 2000, "due_on": "2026-03-31",
    });
    owner.call(Host::Staff, "create_invoice", invoice).output();
    let all = found(&mut owner, json!({ "text": "souto" }));
    for one in [
        "events guest Ana Souto Souto's launch",
        "events event Souto's launch -",
        "learn wiki_article How Souto works how-souto-works",
    ] {
        assert!(all.contains(&one.to_owned()), "{one}: {all:?}");
    }
    assert!(
        all.iter().any(|one| one.starts_with("staff invoice ")),
        "{all:?}"
    );
    let guests = found(&mut owner, json!({ "text": "souto", "kind": "guest" }));
    assert_eq!(guests, ["events guest Ana Souto Souto's launch"]);

    let mut teacher = organization.sign_in(Role::Teacher);
    let theirs = found(&mut teacher, json!({ "text": "souto" }));
    assert!(
        !theirs.iter().any(|one| one.starts_with("staff invoice ")),
        "{theirs:?}"
    );
    let mut other = Organization::create().sign_in(Role::Owner);
    assert_eq!(
        found(&mut other, json!({ "text": "souto" })),
        Vec::<String>::new()
    );
}

#[test]
fn an_identifier_comes_first_and_an_unknown_kind_is_answered_with_those_that_are() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let member = owner.call(Host::Learn, "create_member", json!({ "name": "Rui" }));
    let member = &member.output()["member"]["id"];
    let task = json!({
        "name": "Chairs", "stage_id": "spec", "context": {}, "owner_id": member,
    });
    let task = owner.call(Host::Work, "create_task", task);
    let identifier = task.output()["task"]["identifier"]
        .as_str()
        .expect("text")
        .to_owned();
    let text = identifier.to_lowercase();
    let all = found(&mut owner, json!({ "text": text }));
    assert_eq!(all[0], format!("work task Chairs {identifier}"));
    let wrong = owner.call(
        Host::Ops,
        "search",
        json!({ "text": "x", "kind": "person" }),
    );
    wrong.refuses("invalid_argument", "kind");
    assert!(wrong.body.to_string().contains("guest"), "{}", wrong.body);
}
