//! A resource shows a caller what its tool does, and nothing else: kinds × callers, of two organisations.

use std::collections::BTreeSet;

use frontdesk_protocol::mcp::CallMeta;
use frontdesk_protocol::resource::Verb;
use frontdesk_protocol::{Host, Role, calls};
use frontdesk_tests::blocking::{Answer, Http, Organization};
use serde_json::{Map, Value, json};

use crate::access::hosts::{AREAS, Area, Made, offered};
use crate::access::stage::Stage;
use crate::access::who::Who;

/// A resource, and the call that shows the same.
struct Twin {
    uri: String,
    tool: &'static str,
    arguments: Value,
    /// The list in the result; empty for a record.
    list: &'static str,
}

/// The resources of a host for each id, whatever it identifies.
fn twins(area: &Area, ids: &[String]) -> Vec<Twin> {
    let mut twins = Vec::new();
    for (kind, one) in area
        .host
        .kinds()
        .flat_map(|kind| kind.uses.iter().map(move |one| (kind, one)))
    {
        let tool = area.host.tool(one.tool).expect("a tool");
        let schema = tool.input_schema();
        let required: Vec<_> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .collect();
        for id in ids {
            let host = area.host;
            let (uri, argument, list) = match (one.verb, &required[..]) {
                (Verb::Get, []) => (
                    format!("frontdesk://{host}/{}/{id}", kind.singular),
                    one.id,
                    "",
                ),
                (Verb::Get, [only]) if *only == one.id => (
                    format!("frontdesk://{host}/{}/{id}", kind.singular),
                    one.id,
                    "",
                ),
                (Verb::List, [parent]) => {
                    let references = tool.references();
                    let of = references
                        .iter()
                        .find(|(name, _)| parent.as_str() == Some(name));
                    let (_, of) = of.expect("a reference");
                    let argument = kind.fields.parent.expect("a parent");
                    (
                        format!("frontdesk://{host}/{of}/{id}/{}.csv", kind.plural),
                        argument,
                        kind.plural,
                    )
                }
                _ => continue,
            };
            twins.push(Twin {
                uri,
                tool: one.tool,
                arguments: json!({ argument: id }),
                list,
            });
        }
    }
    twins
}

/// What a caller reads of a resource; none if it is not found.
fn read(http: &mut Http, host: Host, uri: &str) -> Option<String> {
    let answer = http.rpc(host, "resources/read", json!({ "uri": uri }));
    match answer.body["result"]["contents"][0]["text"].as_str() {
        Some(text) => Some(text.to_owned()),
        None => {
            assert_eq!(answer.rpc_code(), -32002, "{uri}: {}", answer.body);
            None
        }
    }
}

/// The JSON of the records that a tool shows; `None` without records.
fn shown(answer: &Answer, list: &str) -> Option<Value> {
    let result = &answer.body["result"];
    if result["isError"] != false {
        return None;
    }
    let output = &result["structuredContent"];
    match list {
        "" => {
            let record = output.as_object()?.values().next()?;
            (!record.is_null()).then(|| output.clone())
        }
        list => Some(output[list].clone()),
    }
}

/// Whether a host has no session for a caller, and so neither tools nor resources.
fn is_closed(http: &Http, host: Host) -> bool {
    http.initialize(host, "2025-11-25").status == 403
}

/// Of another organisation, an owner and a fellow stand for all.
fn is_repeated(who: Who) -> bool {
    matches!(who, Who::Theirs(role) if !matches!(role, Role::Owner | Role::Fellow))
}

/// The address of the call that shows the same.
fn called(twin: &Twin, host: Host) -> String {
    let arguments = twin.arguments.as_object().expect("arguments");
    calls::address(host, twin.tool, arguments, &CallMeta::default())
}

/// Where a caller's resources differ from the caller's tool.
fn differs(twin: &Twin, host: Host, http: &mut Http) -> Option<String> {
    let answer = http.call(host, twin.tool, twin.arguments.clone());
    let called = called(twin, host);
    let result = &answer.body["result"];
    let output = (result["isError"] == false).then(|| result["structuredContent"].clone());
    let text = self::read(http, host, &called);
    let text = text.map(|text| serde_json::from_str::<Value>(&text).expect("JSON"));
    if text != output {
        return Some(format!("{called}: {text:?}, but the tool shows {output:?}"));
    }
    let read = read(http, host, &twin.uri);
    let tool = shown(&answer, twin.list);
    let is_same = match (&read, &tool) {
        (None, None) => true,
        (Some(text), Some(tool)) if twin.list.is_empty() => {
            serde_json::from_str::<Value>(text).ok().as_ref() == Some(tool)
        }
        (Some(text), Some(tool)) => {
            let records = tool.as_array().into_iter().flatten();
            let mut ids = records.clone().filter_map(|record| record["id"].as_str());
            ids.all(|id| text.contains(id)) && text.lines().count() == records.count() + 1
        }
        // An empty list can be that of a record that is not there.
        (None, Some(tool)) => tool.as_array().is_some_and(Vec::is_empty),
        (Some(_), None) => false,
    };
    (!is_same).then(|| format!("{}: {read:?}, but {} shows {tool:?}", twin.uri, twin.tool))
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn nobody_reads_more_than_the_tool_shows() {
    let mut wrong = Vec::new();
    let mut kinds = BTreeSet::new();
    let mut stage = Stage::set();
    // One account cannot sign in as often as there are hosts.
    let theirs = Who::all().filter(|who| matches!(who, Who::Theirs(_)) && !is_repeated(*who));
    let theirs: Vec<_> = theirs.map(|who| (who, who.sign_in(&stage))).collect();
    for area in AREAS {
        let made = Made::new(area);
        stage.ours = made.organization;
        let mut owner = made.organization.sign_in(Role::Owner);
        let ids: Vec<String> = made.ids().collect();
        let mut twins = twins(area, &ids);
        twins.retain(|twin| read(&mut owner, area.host, &twin.uri).is_some());
        for who in Who::all().filter(|who| !is_repeated(*who)) {
            let known = theirs.iter().find(|(one, _)| *one == who);
            let mut http = known.map_or_else(|| who.sign_in(&stage), |(_, http)| http.clone());
            if is_closed(&http, area.host) {
                continue;
            }
            let found = twins
                .iter()
                .filter_map(|twin| differs(twin, area.host, &mut http));
            wrong.extend(found.map(|what| format!("{who:?} {what}")));
        }
        kinds.extend(twins.iter().map(|twin| (area.host.area(), twin.tool)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kinds.len() >= 40, "only these were read: {kinds:?}");
}

/// Lists that belong to no record, as resources only by the addresses of their calls.
#[test]
fn nobody_reads_more_of_a_list_than_its_tool_shows() {
    let mut wrong = Vec::new();
    for area in AREAS {
        let made = Made::new(area);
        let tools = area.host.tools();
        let tools = tools.filter(|tool| tool.effect.read_only && tool.structured);
        let tools: Vec<_> = tools
            .filter(|tool| {
                tool.input_schema()["required"]
                    .as_array()
                    .is_none_or(Vec::is_empty)
            })
            .collect();
        for role in Role::ALL {
            let mut http = made.organization.sign_in(role);
            if is_closed(&http, area.host) {
                continue;
            }
            for tool in &tools {
                let answer = http.call(area.host, tool.name, json!({}));
                let result = &answer.body["result"];
                let output =
                    (result["isError"] == false).then(|| result["structuredContent"].clone());
                let uri = calls::address(area.host, tool.name, &Map::new(), &CallMeta::default());
                let text = read(&mut http, area.host, &uri);
                let text = text.map(|text| serde_json::from_str::<Value>(&text).expect("JSON"));
                if text != output {
                    wrong.push(format!(
                        "{role:?} {uri}: {text:?}, but the tool shows {output:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_call_that_writes_is_no_resource() {
    let organization = Organization::create();
    let mut owner = organization.sign_in(Role::Owner);
    let event = organization.event("Open day");
    let write = |tool: &str, host: Host, arguments: Value| {
        let arguments = arguments.as_object().expect("arguments").clone();
        calls::address(host, tool, &arguments, &CallMeta::default())
    };
    let rename = json!({ "id": event, "name": "Renamed" });
    let preview = json!({ "host": "events", "tool": "update_event", "arguments": rename });
    let batch =
        json!({ "calls": [{ "host": "events", "tool": "update_event", "arguments": rename }] });
    for (host, tool, arguments) in [
        (Host::Events, "update_event", rename.clone()),
        (Host::Ops, "preview_call", preview),
        (Host::Ops, "run_batch", batch),
        // Neither of another host, nor of none.
        (Host::Events, "list_tasks", json!({})),
        (Host::Work, "list_tasks", json!({})),
    ] {
        let at = if tool == "list_tasks" {
            Host::Events
        } else {
            host
        };
        assert_eq!(
            read(&mut owner, at, &write(tool, host, arguments)),
            None,
            "{tool}"
        );
    }
    let name = owner.events("get_event", json!({ "id": event }));
    assert_eq!(name.output()["event"]["name"], "Open day");
}

#[test]
fn templates_and_prompts_are_listed_for_those_who_have_their_tools() {
    let organization = Organization::create();
    for role in Role::ALL {
        let mut http = organization.sign_in(role);
        for host in Host::ALL {
            if is_closed(&http, host) {
                continue;
            }
            let tools = offered(host, &mut http);
            let listed = http.rpc(host, "resources/templates/list", json!({}));
            let templates = listed.body["result"]["resourceTemplates"].clone();
            let has = |uri: &str| {
                templates
                    .as_array()
                    .into_iter()
                    .flatten()
                    .any(|one| one["uriTemplate"] == uri)
            };
            for kind in host.kinds() {
                for one in kind.uses.iter().filter(|one| one.verb == Verb::Get) {
                    let uri = format!("frontdesk://{host}/{}/{{{}}}", kind.singular, one.id);
                    assert_eq!(has(&uri), tools.contains(one.tool), "{uri} as {role:?}");
                }
            }
            let listed = http.rpc(host, "prompts/list", json!({}));
            let prompts = listed.body["result"]["prompts"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            assert!(
                prompts.is_empty() || !tools.is_empty(),
                "{host} as {role:?}"
            );
        }
    }
}
