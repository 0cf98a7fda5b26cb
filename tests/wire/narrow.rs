//! Connections that ask for some tools only.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Value, json};

use super::sessionless::ask_with;

const HEADER: &str = "x-frontdesk-tools";

/// A request of a connection that asks for these tools.
fn narrow(http: &Http, host: Host, words: &str, method: &str, params: Value) -> Answer {
    ask_with(http, host, method, params, &[(HEADER, words)])
}

#[test]
fn each_host_lists_what_is_asked_for_and_nothing_else() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    for words in [
        "read-only",
        "events",
        "read-only, events, work.list_tasks",
        "work.list_tasks,work.update_task",
    ] {
        let named: Vec<_> = words.split(',').map(str::trim).collect();
        let is_read_only = named.contains(&"read-only");
        for host in Host::ALL {
            let area = host.area();
            let is_whole = words == "read-only" || named.contains(&area);
            let is_asked = |name: &str| is_whole || named.contains(&&*format!("{area}.{name}"));
            let expected: Vec<_> = host
                .tools()
                .filter(|tool| tool.audience.contains(Role::Owner))
                .filter(|tool| is_asked(tool.name) && (tool.effect.read_only || !is_read_only))
                .map(|tool| tool.name)
                .collect();
            let listed = narrow(&owner, host, words, "tools/list", json!({}));
            let listed = listed.result()["tools"].as_array().expect("tools").clone();
            let listed: Vec<_> = listed.iter().map(|tool| tool["name"].clone()).collect();
            assert_eq!(listed, expected, "{words} at {host}");
        }
    }
}

#[test]
fn a_hidden_tool_is_reached_by_no_way() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let made = owner.call(Host::Work, "create_project", json!({ "name": "P" }));
    let change = made.result()["_meta"]["frontdesk/change"].clone();
    let project = json!({ "name": "Q" });
    let inner = json!({ "host": "work", "tool": "create_project", "arguments": project });
    let mut applied = inner.clone();
    applied["expect"] = "changes:0000".into();
    let batch =
        json!({ "host": "work", "calls": [{ "tool": "create_project", "arguments": project }] });
    for (words, host, tool, arguments) in [
        ("read-only", Host::Work, "create_project", project.clone()),
        ("events", Host::Work, "create_project", project.clone()),
        (
            "events, work.list_tasks",
            Host::Work,
            "create_project",
            project.clone(),
        ),
        ("ops", Host::Ops, "preview_call", inner.clone()),
        ("read-only", Host::Ops, "preview_call", inner),
        ("ops", Host::Ops, "apply_call", applied),
        ("ops", Host::Ops, "run_batch", batch),
        (
            "ops, work.list_tasks",
            Host::Ops,
            "undo_change",
            json!({ "change_id": change }),
        ),
    ] {
        let params = json!({ "name": tool, "arguments": arguments });
        let answer = narrow(&owner, host, words, "tools/call", params);
        let hidden =
            format!("work.create_project is hidden: this connection asked for “{words}” only");
        assert!(
            answer.body.to_string().contains(&hidden),
            "{words}: {tool}: {}",
            answer.body
        );
    }
    let projects = owner.call(Host::Work, "list_projects", json!({}));
    assert_eq!(
        projects.output()["projects"].as_array().map(Vec::len),
        Some(1)
    );
}

#[test]
fn words_that_name_nothing_are_refused_rather_than_ignored() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    for words in ["", "readonly", "work.drop_all", "events,", "*"] {
        let answer = narrow(&owner, Host::Work, words, "tools/list", json!({}));
        assert_eq!(answer.status, 400, "{words}");
        assert!(
            answer
                .body
                .to_string()
                .contains("neither read-only, nor an area"),
            "{}",
            answer.body
        );
    }
}
