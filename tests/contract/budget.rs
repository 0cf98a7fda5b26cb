//! The cost of the lists of tools: agents pay for each token of them, in every conversation. A token is taken for 4 bytes
//! of JSON. Limits are low where a description is wordy; they are raised for facts (types, bounds, words).

use frontdesk_protocol::{Declaration, Host, Role};
use serde_json::{Value, json};

/// The most tokens of the lists of all hosts for an owner: an average for each tool.
const AVERAGE: usize = 136;
/// The most tokens of a host's list.
const HOST: usize = 7600;
/// The most tokens of a tool, and of each of its arguments.
const TOOL: (usize, usize) = (110, 40);

fn tokens(json: &Value) -> usize {
    json.to_string().len().div_ceil(4)
}

/// The tool as it is listed to a client that asks for no output schemas.
fn listed(tool: &Declaration) -> Value {
    let mut listed = tool.to_listing();
    if let Value::Object(listed) = &mut listed {
        listed.shift_remove("outputSchema");
    }
    listed
}

/// The names that a schema declares.
fn names(schema: &Value) -> usize {
    let below = match schema {
        Value::Object(map) => map.values().map(names).sum(),
        Value::Array(several) => several.iter().map(names).sum(),
        _ => 0,
    };
    let own = schema.get("properties").and_then(Value::as_object);
    below + own.map_or(0, |own| own.len())
}

#[test]
fn a_tool_is_listed_in_few_tokens() {
    for tool in Host::ALL.into_iter().flat_map(Host::tools) {
        let listed = listed(tool);
        let most = TOOL.0 + TOOL.1 * names(&listed["inputSchema"]);
        let taken = tokens(&listed);
        assert!(taken <= most, "{tool:?} takes {taken} tokens of {most}");
    }
}

#[test]
fn the_owner_is_listed_all_hosts_in_few_tokens() {
    let (mut all, mut most) = (0, 0);
    for host in Host::ALL {
        let offered = host
            .tools()
            .filter(|tool| tool.audience.contains(Role::Owner));
        let tools: Vec<_> = offered.map(listed).collect();
        let taken = tokens(&json!({ "tools": &tools }));
        assert!(taken <= HOST, "{host} takes {taken} tokens of {HOST}");
        all += taken;
        most += AVERAGE * tools.len();
    }
    assert!(all <= most, "all hosts take {all} tokens of {most}");
}
