//! `tools/list`: the tools of a host that the caller's role is offered, as the session's revision
//! writes them.

use std::sync::LazyLock;

use frontdesk_protocol::mcp::Version;
use frontdesk_protocol::{Host, Role, Roles};
use serde_json::Value;

/// One tool, written for each revision once.
struct Listed {
    audience: Roles,
    json: [String; Version::ALL.len()],
}

static LISTINGS: LazyLock<Vec<Vec<Listed>>> = LazyLock::new(|| {
    let listed = |host: Host| {
        host.tools()
            .map(|tool| Listed {
                audience: tool.audience,
                json: Version::ALL.map(|version| written(tool.to_listing(), version)),
            })
            .collect()
    };
    Host::ALL.into_iter().map(listed).collect()
});

/// The tool without what the revision does not know.
fn written(mut tool: Value, version: Version) -> String {
    if let Value::Object(tool) = &mut tool {
        if !version.has_structured_content() {
            tool.remove("title");
            tool.remove("outputSchema");
        }
        if !version.has_annotations() {
            tool.remove("annotations");
        }
    }
    tool.to_string()
}

/// The result of `tools/list` as JSON text. A caller without a role is offered nothing.
pub(super) fn listing(host: Host, role: Option<Role>, version: Version) -> String {
    let tools = &LISTINGS[host as usize];
    let offered: Vec<_> = tools
        .iter()
        .filter(|tool| role.is_some_and(|role| tool.audience.contains(role)))
        .map(|tool| tool.json[version as usize].as_str())
        .collect();
    format!(r#"{{"tools":[{}]}}"#, offered.join(","))
}
