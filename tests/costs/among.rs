//! What each call takes in an organisation, by itself or among a thousand others, for `tests/costs/growth`.

use std::collections::BTreeMap;
use std::time::Instant;

use frontdesk_protocol::Role;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Callers, ELSEWHERE, Records, Scale, bare, prepare};
use crate::access::hosts::{AREAS, Area, Made};

/// How often each call is timed.
const TIMES: usize = 9;

/// A call of a tool by a role; a tool can have several.
#[derive(Debug, Serialize)]
struct Timed {
    tool: String,
    role: &'static str,
    arguments: Value,
    /// In microseconds over HTTP.
    p50: u128,
    /// Pages of 8 KiB that its statements touched.
    buffers: i64,
    rows: i64,
}

/// The permitted calls of a tool by this role at level 80; of a list also one with as few arguments as possible.
fn calls_as(area: &Area, records: &Records, tool: &str, role: Role) -> Vec<Value> {
    let made: &Made = &records[&area.host];
    let cases = area.cases.iter().filter(|case| case.tool == tool);
    let cases = cases.filter(|case| case.may.includes(role, 80));
    let mut calls: Vec<_> = cases.map(|case| (case.arguments)(made)).collect();
    let mut elsewhere = area.elsewhere.iter();
    let may_elsewhere = elsewhere.any(|(name, may)| *name == tool && may.includes(role, 80));
    if calls.is_empty() && !may_elsewhere {
        return calls;
    }
    let also = ELSEWHERE
        .iter()
        .filter(|(host, other, _)| (*host, *other) == (area.host, tool));
    calls.extend(also.map(|(.., arguments)| arguments(records)));
    let declared = area.host.tool(tool).expect(tool);
    if tool.starts_with("list_") || declared.effect.read_only && calls.is_empty() {
        let full = calls.first().cloned().unwrap_or(json!({}));
        calls.extend(bare(declared, &full));
    }
    calls.dedup();
    calls
}

/// Times every tool as every role, and returns the refusals besides. Writes are previewed, so each finds the same rows.
fn every_call(scale: &Scale, size: usize, sizes: &str) -> (Vec<Timed>, BTreeMap<String, String>) {
    let (organization, records) = prepare(size, sizes);
    // What is read from here on is read by calls.
    let counted = scale.owner.batch_execute("select pg_stat_reset()");
    counted.expect("a superuser");
    let mut callers = Callers {
        organization,
        scale,
        signed_in: BTreeMap::new(),
        at: BTreeMap::new(),
    };
    let only = std::env::var("FRONTDESK_TOOLS").unwrap_or_default();
    let only: Vec<_> = only.split_whitespace().collect();
    let (mut all, mut refused) = (Vec::new(), BTreeMap::new());
    for area in AREAS {
        for (declared, role) in area
            .host
            .tools()
            .flat_map(|tool| Role::ALL.into_iter().map(move |role| (tool, role)))
        {
            let tool = format!("{}.{}", area.host, declared.name);
            if !only.is_empty() && !only.contains(&tool.as_str()) {
                continue;
            }
            for arguments in calls_as(area, &records, declared.name, role) {
                let caller = callers.at(area.host, role);
                let mut params = json!({ "name": declared.name, "arguments": arguments });
                if !declared.effect.read_only {
                    params["_meta"] = json!({ "frontdesk/preview": true });
                }
                // The first time prepares the statements.
                caller.rpc(area.host, "tools/call", params.clone());
                let cost = match scale.weigh(|| caller.rpc(area.host, "tools/call", params.clone()))
                {
                    Ok(cost) => cost,
                    Err(refusal) => {
                        refused.insert(format!("{tool} as {}", role.name()), refusal);
                        continue;
                    }
                };
                let mut times: Vec<_> = (0..TIMES)
                    .map(|_| {
                        let begun = Instant::now();
                        caller.rpc(area.host, "tools/call", params.clone());
                        begun.elapsed().as_micros()
                    })
                    .collect();
                times.sort_unstable();
                all.push(Timed {
                    tool: tool.clone(),
                    role: role.name(),
                    arguments: params["arguments"].take(),
                    p50: times[TIMES / 2],
                    buffers: cost.buffers,
                    rows: cost.rows,
                });
            }
        }
    }
    (all, refused)
}

#[test]
#[ignore = "run by tests/costs/growth"]
fn every_call_is_timed() {
    if !frontdesk_tests::is_asked_for() {
        return;
    }
    let output = std::env::var("FRONTDESK_COSTS").expect("where the times go");
    let size = std::env::var("FRONTDESK_SIZE").expect("the size of the organisation");
    let sizes = std::env::var("FRONTDESK_SIZES").unwrap_or_default();
    let scale = Scale::new(true);
    let (calls, refused) = every_call(&scale, size.parse().expect("a number"), &sizes);
    let times = json!({ "calls": calls, "refused": refused });
    std::fs::write(output, times.to_string()).expect("a file");
}
