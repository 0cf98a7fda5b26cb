//! What is made again without an idempotency key is questioned, or refused if it cannot be taken back: every tool that adds
//! something × the ways to make its call again.

use std::collections::BTreeMap;

use frontdesk_protocol::{Declaration, Host, Role};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Map, Value, json};

use crate::access::hosts::{AREAS, Area, Case, Made};
use crate::wire::sessionless::ask_at;

type Way = fn(&mut Http, Host, &str, Value) -> Answer;

/// The ways to make a call again.
const WAYS: [(&str, Way); 5] = [
    ("the same", |http, host, tool, arguments| {
        http.call(host, tool, arguments)
    }),
    ("written otherwise", |http, host, tool, arguments| {
        http.call(host, tool, otherwise(arguments))
    }),
    ("in a batch", |http, host, tool, arguments| {
        let calls = json!([{ "tool": tool, "arguments": arguments }]);
        let batch = json!({ "host": host.area(), "calls": calls });
        http.call(Host::Ops, "run_batch", batch)
    }),
    ("by an agent", |http, host, tool, arguments| {
        let call = json!({ "host": host.area(), "tool": tool, "arguments": arguments });
        let call = json!({ "name": "call_tool", "arguments": call });
        ask_at(http.post_to("agents"), "tools/call", call, &[])
    }),
    ("as previewed, twice", |http, host, tool, arguments| {
        let mut call = json!({ "host": host.area(), "tool": tool, "arguments": arguments });
        let preview = http.call(Host::Ops, "preview_call", call.clone());
        call["expect"] = preview.body["result"]["structuredContent"]["digest"].clone();
        let applied = http.call(Host::Ops, "apply_call", call.clone());
        match is_questioned(&applied) {
            true => http.call(Host::Ops, "apply_call", call),
            false => applied,
        }
    }),
];

/// The same arguments in other words: keys in another order, instants with an offset, texts with spaces around them.
fn otherwise(arguments: Value) -> Value {
    let Value::Object(arguments) = arguments else {
        return arguments;
    };
    let mut other = Map::new();
    for (name, value) in arguments.into_iter().rev() {
        let value = match value.as_str() {
            Some(text) if text.ends_with("00Z") => {
                format!("{}+00:00", text.trim_end_matches('Z')).into()
            }
            Some(_) if name == "name" || name == "title" => {
                format!(" {} ", value.as_str().unwrap_or_default()).into()
            }
            _ => value,
        };
        other.insert(name, value);
    }
    other.into()
}

/// Whether an answer has made nothing, or asks whether it was meant.
fn is_questioned(answer: &Answer) -> bool {
    let result = &answer.body["result"];
    let is_refused = answer.status != 200 || result["isError"] == true;
    let is_questioned = result["structuredContent"]
        .to_string()
        .contains("you made the same call");
    is_refused || is_questioned || result["_meta"]["frontdesk/change"].is_null()
}

/// The tool of a case that adds something each time.
fn adds(area: &Area, case: &Case) -> Option<&'static Declaration> {
    let tool = area.host.tool(case.tool)?;
    let adds = !tool.effect.read_only && !tool.effect.idempotent && !tool.effect.destructive;
    adds.then_some(tool)
}

#[test]
fn what_is_made_again_is_questioned_whichever_way_it_comes() {
    let mut silent = Vec::new();
    let mut tried = 0;
    for area in AREAS {
        let made = Made::new(area);
        let mut people = BTreeMap::new();
        for case in area.cases {
            let Some(tool) = adds(area, case) else {
                continue;
            };
            let by = Role::ALL
                .into_iter()
                .find(|role| case.may.includes(*role, 0));
            let by = by.unwrap_or(Role::Owner);
            let http = people
                .entry(by.name())
                .or_insert_with(|| made.organization.sign_in(by));
            let arguments = (case.arguments)(&made);
            let first = http.call(area.host, tool.name, arguments.clone());
            if first.body["result"]["_meta"]["frontdesk/change"].is_null() {
                continue;
            }
            tried += 1;
            for (way, make) in WAYS {
                let again = make(http, area.host, tool.name, arguments.clone());
                if !is_questioned(&again) {
                    silent.push(format!("{}, {way}: {}", tool.name, again.body));
                }
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    assert!(tried >= 20, "{tried} tools");
}

#[test]
fn what_was_taken_back_or_has_a_key_can_be_made_again() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let project = json!({ "name": "Garden" });
    let is_silent = |answer: &Answer| answer.output()["warnings"].is_null();
    let first = owner.call(Host::Work, "create_project", project.clone());
    let undo = json!({ "change_id": first.result()["_meta"]["frontdesk/change"] });
    owner.call(Host::Ops, "undo_change", undo).output();
    let second = owner.call(Host::Work, "create_project", project.clone());
    assert!(is_silent(&second), "{}", second.body);
    let keyed = json!({ "name": "create_project", "arguments": project, "_meta": { "idempotencyKey": "meant" } });
    let keyed = owner.rpc(Host::Work, "tools/call", keyed);
    assert!(is_silent(&keyed), "{}", keyed.body);
    // The question names the first record.
    let third = owner.call(Host::Work, "create_project", project);
    let said = third.output()["warnings"].to_string();
    assert!(
        said.contains(second.output()["project"]["id"].as_str().expect("an id")),
        "{said}"
    );
}
