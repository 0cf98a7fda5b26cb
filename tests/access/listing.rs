//! `tools/list`: each role is offered exactly the tools that are useful to it.

use frontdesk_tests::blocking::Http;
use std::collections::BTreeSet;

use frontdesk_protocol::Host;
use serde_json::json;

use crate::case::CASES;
use crate::stage::Stage;
use crate::who::Who;

/// The names of the caller's tools in `tools/list`.
pub(crate) fn offered(http: &mut Http) -> BTreeSet<String> {
    let answer = http.rpc(Host::Events, "tools/list", json!({}));
    let tools = answer.result()["tools"].as_array().expect("tools");
    let names = tools.iter().map(|tool| tool["name"].as_str());
    names.map(|name| name.expect("a name").to_owned()).collect()
}

/// The tools with at least one permitted call in the caller's own organisation.
pub(crate) fn useful(who: Who) -> BTreeSet<String> {
    let home = who.role().map(Who::Ours);
    CASES
        .iter()
        .filter(|case| home.is_some_and(|who| case.is_allowed(who)))
        .map(|case| case.tool.to_owned())
        .collect()
}

#[test]
fn everybody_is_offered_exactly_the_tools_that_do_something_for_them() {
    let stage = Stage::set();
    for who in Who::all() {
        let mut http = who.sign_in(&stage);
        assert_eq!(offered(&mut http), useful(who), "{who:?}");
    }
}
