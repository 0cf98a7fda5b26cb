//! `tools/list` of the work host, as far as it is about meetings.

use std::collections::BTreeSet;

use frontdesk_protocol::{Host, Role};
use serde_json::json;

use super::case::{Act, CASES};
use super::rank::Ranked;
use super::stage::Meetings;
use super::table::{Right, right};
use crate::access::hosts;

/// A listing goes by the role alone, as docs/access.md says: an owner and an admin are offered what
/// changes meetings, whatever their level.
fn expected(ranked: Ranked) -> BTreeSet<String> {
    let Some(role) = ranked.who.role() else {
        return BTreeSet::new();
    };
    let names = CASES.iter().filter(|case| match case.act {
        Act::List => right(role, ranked.level) != Right::Nothing,
        Act::Try(_) | Act::Change(_) => matches!(role, Role::Owner | Role::Admin),
    });
    names.map(|case| case.tool.to_owned()).collect()
}

#[test]
#[ignore = "runs on PostgreSQL; here with --include-ignored"]
fn everybody_is_offered_the_work_tools_of_their_role() {
    let meetings = Meetings::set();
    for ranked in Ranked::all() {
        let mut http = ranked.sign_in(&meetings);
        let answer = http.rpc(Host::Work, "tools/list", json!({}));
        let tools = answer.result()["tools"].as_array().expect("tools");
        let names = tools.iter().map(|tool| tool["name"].as_str());
        let offered: BTreeSet<_> = names
            .map(|name| name.expect("a name").to_owned())
            .filter(|name| {
                hosts::work::AREA
                    .elsewhere
                    .iter()
                    .any(|(one, _)| one == name)
            })
            .collect();
        assert_eq!(offered, expected(ranked), "{ranked:?}");
    }
}
