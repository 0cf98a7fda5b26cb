//! `tools/list`: the tools of a host that the caller's role is offered, as the request's revision
//! writes them.

use std::sync::LazyLock;

use frontdesk_protocol::mcp::{Revision, Version};
use frontdesk_protocol::{Host, Role, Roles};
use serde_json::Value;

/// How a session-less client may keep what it was told: for a minute, and for this caller alone, whose
/// role decides.
pub(super) const CACHED: &str = r#""resultType":"complete","ttlMs":60000,"cacheScope":"private""#;

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
pub(super) fn listing(host: Host, role: Option<Role>, revision: Revision) -> String {
    let tools = &LISTINGS[host as usize];
    let (version, hints) = match revision {
        Revision::Session(version) => (version, String::new()),
        // A tool is written as in the newest of the others.
        Revision::Sessionless => (Version::NEWEST, format!("{CACHED},")),
    };
    let offered: Vec<_> = tools
        .iter()
        .filter(|tool| role.is_some_and(|role| tool.audience.contains(role)))
        .map(|tool| tool.json[version as usize].as_str())
        .collect();
    format!(r#"{{{hints}"tools":[{}]}}"#, offered.join(","))
}
