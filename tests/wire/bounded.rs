//! A refusal has a size that its request cannot move: twice as many keys, items, letters or levels get an answer of the same
//! size. The right comes before the shape.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization, answer_to};
use reqwest::StatusCode;
use serde_json::{Map, Value, json};

/// The most bytes of a refusal.
const MOST: usize = 24_000;
/// The most bytes by which two refusals differ that say the same about other numbers.
const ALIKE: usize = 400;

/// A value of this size.
type Grown = fn(usize) -> Value;

/// How a request grows, and the sizes that are compared.
const GROWTHS: [(&str, Grown, usize); 4] = [
    ("keys", keys, 400),
    (
        "items",
        |n| (0..n).map(|n| json!({ "x": n })).collect(),
        400,
    ),
    ("letters", |n| "é ".repeat(n / 2).into(), 8_000),
    (
        "levels",
        |n| (0..n).fold(json!("x"), |inner, _| json!([inner])),
        50,
    ),
];

fn keys(n: usize) -> Value {
    let keys: Map<_, _> = (0..n).map(|n| (format!("key{n:06}"), json!("x"))).collect();
    keys.into()
}

/// The size of an answer, if it is a refusal.
fn refused(answer: &Answer) -> Option<usize> {
    let result = &answer.body["result"];
    let is_refusal = !answer.body["error"].is_null() || result["isError"] == true;
    is_refusal.then(|| answer.body.to_string().len())
}

/// Sends a request in both sizes.
#[track_caller]
fn bounded(about: &str, n: usize, mut send: impl FnMut(usize) -> Answer) {
    let (small, large) = (send(n), send(2 * n));
    if let (Some(small), Some(large)) = (refused(&small), refused(&large)) {
        assert!(
            large <= small + ALIKE,
            "{about}: {small}, then {large} bytes"
        );
        assert!(large < MOST, "{about}: {large} bytes");
    }
    assert_ne!(large.status, StatusCode::INTERNAL_SERVER_ERROR, "{about}");
}

fn call(caller: &mut Http, host: Host, tool: &str, arguments: Value) -> Answer {
    let params = json!({ "name": tool, "arguments": arguments });
    caller.rpc(host, "tools/call", params)
}

#[test]
fn the_refusal_of_arguments_does_not_grow_with_them() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let first = tool.shape.fields.first().map(|field| field.name);
        for (kind, grown, n) in GROWTHS {
            let about = format!("{} with many {kind}", tool.name);
            let arguments = |n: usize| match (kind, first) {
                ("keys", _) | (_, None) => keys(n),
                (_, Some(first)) => json!({ first: grown(n) }),
            };
            bounded(&about, n, |n| {
                call(&mut owner, tool.host, tool.name, arguments(n))
            });
        }
    }
}

#[test]
fn the_refusal_of_a_parameter_does_not_grow_with_it() {
    const PARAMETERS: [&str; 10] = [
        "uri",
        "name",
        "cursor",
        "ref",
        "argument",
        "arguments",
        "notifications",
        "capabilities",
        "protocolVersion",
        "requestState",
    ];
    const META: [&str; 11] = [
        "idempotencyKey",
        "progressToken",
        "frontdesk/expectedPlan",
        "frontdesk/preview",
        "frontdesk/total",
        "frontdesk/guestsSince",
        "frontdesk/place",
        "frontdesk/unique",
        "frontdesk/was",
        "frontdesk/action",
        "frontdesk/madeBy",
    ];
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let unknown = owner.rpc(Host::Events, "x", json!({}));
    let methods = unknown.body["error"]["message"]
        .as_str()
        .expect("a message");
    let (_, methods) = methods.split_once("has ").expect("the methods");
    let methods: BTreeSet<&str> = methods.split(", ").chain(["initialize", "x"]).collect();
    assert!(methods.len() > 10, "{methods:?}");
    for (kind, grown, n) in GROWTHS {
        for method in &methods {
            for parameter in PARAMETERS {
                bounded(&format!("{method} {parameter} {kind}"), n, |n| {
                    owner.rpc(Host::Events, method, json!({ parameter: grown(n) }))
                });
            }
        }
        for key in META {
            bounded(&format!("_meta {key} {kind}"), n, |n| {
                let arguments = json!({ "name": "Open day", "strategy_business_unit_id": "x" });
                let params = json!({ "name": "create_event", "arguments": arguments,
                    "_meta": { key: grown(n) } });
                owner.rpc(Host::Events, "tools/call", params)
            });
        }
    }
    let n = 8_000;
    bounded("a method", n, |n| {
        owner.rpc(Host::Events, &"m".repeat(n), json!({}))
    });
    bounded("an id", n, |n| {
        let ping = json!({ "jsonrpc": "2.0", "id": "i".repeat(n), "method": "ping" });
        answer_to(owner.post(Host::Events).json(&ping))
    });
    bounded("a key in depth", 60, |n| {
        let deep = (0..n).fold(json!("\0"), |inner, _| json!({ "k".repeat(400): inner }));
        call(
            &mut owner,
            Host::Events,
            "create_event",
            json!({ "name": deep }),
        )
    });
}

#[test]
fn who_may_not_call_a_tool_is_not_told_what_is_wrong_with_large_arguments() {
    let organization = Organization::create();
    let (fellow, teacher) = (Role::Fellow, Role::Teacher);
    let mut callers = [fellow, teacher].map(|role| (role, organization.sign_in(role)));
    let mut tried = 0;
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        // No fellow opens a session at a host that checks roles.
        let (role, caller) = &mut callers[usize::from(tool.host.checks_roles())];
        if tool.audience.contains(*role) {
            continue;
        }
        tried += 1;
        let answer = call(caller, tool.host, tool.name, keys(3_000));
        assert_eq!(
            answer.status,
            StatusCode::FORBIDDEN,
            "{}: {}",
            tool.name,
            answer.body
        );
        assert!(
            !answer
                .body
                .to_string()
                .contains("there is no such argument"),
            "{}",
            tool.name
        );
    }
    assert!(tried > 50, "{tried}");
}
