//! The address with the tools of all hosts.

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Value, json};

use super::sessionless::{ask, ask_at};

/// The longest list in bytes: 2,500 tokens of 4.
const MOST: usize = 10_000;

fn agents(http: &Http, method: &str, params: Value, more: &[(&str, &str)]) -> Answer {
    ask_at(http.post_to("agents"), method, params, more)
}

/// Calls a tool of the address.
fn call(http: &Http, tool: &str, arguments: Value) -> Answer {
    let params = json!({ "name": tool, "arguments": arguments });
    agents(http, "tools/call", params, &[])
}

#[test]
fn a_tool_of_any_host_is_found_described_and_called() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let about = agents(&owner, "server/discover", json!({}), &[]);
    assert!(about.result()["instructions"].is_string());
    let server = &about.result()["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(server["name"], "frontdesk-agents");
    let listed = agents(&owner, "tools/list", json!({}), &[]);
    assert!(listed.result().to_string().len() < MOST, "{}", listed.body);

    let found = call(&owner, "find_tools", json!({ "text": "create a project" }));
    let found = &found.output()["tools"][0];
    assert_eq!(
        (&found["host"], &found["tool"]),
        (&json!("work"), &json!("create_project"))
    );
    let named = json!({ "host": "work", "tool": "create_project" });
    let described = call(&owner, "describe_tool", named.clone());
    let described = described.output();
    assert_eq!(described["arguments"]["required"], json!(["name"]));
    assert_eq!(described["can_be_undone"], true);
    let mut called = named;
    called["arguments"] = json!({ "name": "Hall" });
    let made = call(&owner, "call_tool", called);
    assert_eq!(made.output()["project"]["name"], "Hall");
    let change = made.result()["_meta"]["frontdesk/change"].clone();
    let undone = call(&owner, "undo_change", json!({ "change_id": change }));
    undone.output();
    let projects = owner.call(Host::Work, "list_projects", json!({}));
    assert_eq!(projects.output()["projects"], json!([]));
}

#[test]
fn wrong_arguments_are_refused_as_those_of_other_tools() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    for (tool, arguments, field, example) in [
        ("find_tools", json!({ "query": "x" }), "query", "text"),
        ("find_tools", json!({ "text": 5 }), "text", "text"),
        (
            "find_tools",
            json!({ "text": "x", "host": "y" }),
            "host",
            "host",
        ),
        ("describe_tool", json!({}), "host", "tool"),
        (
            "describe_tool",
            json!({ "host": "y", "tool": "x" }),
            "host",
            "host",
        ),
        ("call_tool", json!({ "host": "work" }), "tool", "host"),
        (
            "call_tool",
            json!({ "host": "work", "tool": "list_tasks", "arguments": "{}" }),
            "arguments",
            "arguments",
        ),
    ] {
        let error = call(&owner, tool, arguments).tool_error();
        assert_eq!(error["code"], "invalid_argument", "{error}");
        assert_eq!(error["field"], field, "{error}");
        assert!(!error["details"]["example"][example].is_null(), "{error}");
        assert!(!error.to_string().contains("at line"), "{error}");
    }
    let unknown = call(&owner, "find_tools", json!({ "query": "x" }));
    let hint = unknown.tool_error()["hint"].clone();
    assert_eq!(hint, "the arguments are text, host");
}

#[test]
fn nobody_may_more_here_than_at_the_hosts() {
    let organization = Organization::create();
    for role in [Role::Fellow, Role::Teacher, Role::Finance] {
        let http = organization.sign_in(role);
        for host in Host::ALL {
            // What writes without an argument would find what the first call has written.
            let tools = host.tools().filter(|tool| {
                tool.effect.read_only || tool.input_schema().get("required").is_some()
            });
            for tool in tools {
                let name = tool.name;
                let direct = json!({ "name": name, "arguments": {} });
                let direct = ask(&http, host, "tools/call", direct);
                let called = json!({ "host": host, "tool": name });
                let called = call(&http, "call_tool", called);
                let outcome = |answer: &Answer| {
                    let error = &answer.body["error"];
                    let result = &answer.body["result"];
                    (
                        answer.status,
                        error["code"].clone(),
                        result["isError"].clone(),
                    )
                };
                assert_eq!(
                    outcome(&called),
                    outcome(&direct),
                    "{host}.{name} as {role:?}"
                );
            }
        }
    }
}

#[test]
fn a_narrowed_connection_is_narrow_here_too() {
    let organization = Organization::create();
    let owner = organization.sign_in(Role::Owner);
    let header = [("x-frontdesk-tools", "read-only, events")];
    let listed = agents(&owner, "tools/list", json!({}), &header);
    let listed = listed.result()["tools"].as_array().expect("tools").clone();
    let listed: Vec<_> = listed.iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(listed, ["find_tools", "describe_tool", "call_tool"]);
    let found = json!({ "name": "find_tools", "arguments": { "text": "guest" } });
    let found = agents(&owner, "tools/call", found, &header);
    for tool in found.output()["tools"].as_array().expect("tools") {
        assert_eq!(
            (&tool["host"], &tool["writes"]),
            (&json!("events"), &json!(false))
        );
    }
    for (host, tool) in [("work", "list_projects"), ("events", "create_event")] {
        let called = json!({ "name": "call_tool", "arguments": { "host": host, "tool": tool } });
        let called = agents(&owner, "tools/call", called, &header);
        let hidden = format!("{host}.{tool} is hidden");
        assert!(called.body.to_string().contains(&hidden), "{}", called.body);
    }
    let elsewhere = agents(
        &owner,
        "tools/call",
        json!({ "name": "list_accounts" }),
        &[],
    );
    assert!(elsewhere.body["error"].is_object(), "{}", elsewhere.body);
}
