//! A tool call as a single `curl` command, in the sessionless revision of the protocol.

use frontdesk_protocol::mcp::{
    META_CAPABILITIES, META_VERSION, METHOD_HEADER, NAME_HEADER, SESSIONLESS, VERSION_HEADER,
};
use serde_json::json;

use super::effect::ToolCall;
use crate::look::safe::safe_json;

/// The environment variable with the token. The token itself is never written into a command.
pub(crate) const TOKEN: &str = "FRONTDESK_TOKEN";

/// The destination and headers of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    /// The MCP endpoint.
    pub(crate) address: String,
    /// The environment variable with the bearer token, if one is sent.
    pub(crate) token: Option<String>,
    /// The names of further headers. Their values can be secret, so variables are used.
    pub(crate) headers: Vec<String>,
}

impl Request {
    /// A request to a host of the service at its MCP endpoint.
    pub(crate) fn to_host(address: String) -> Self {
        Request {
            address,
            token: Some(TOKEN.to_owned()),
            headers: Vec::new(),
        }
    }
}

/// The command, for a POSIX shell.
pub(crate) fn command(call: &ToolCall, request: &Request) -> String {
    let mut params = json!({ "name": call.tool, "arguments": call.arguments });
    params["_meta"] = serde_json::to_value(call.options.meta()).unwrap_or_default();
    params["_meta"][META_VERSION] = SESSIONLESS.into();
    params["_meta"][META_CAPABILITIES] = json!({});
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let mut lines = vec![format!("curl -sS {}", quoted(&request.address))];
    // The shell expands variables in double quotes.
    let secret = |name: &str, before: &str, variable: &str| {
        format!("-H \"{name}: {before}${{{variable}}}\"")
    };
    if let Some(variable) = &request.token {
        lines.push(secret("Authorization", "Bearer ", variable));
    }
    for name in &request.headers {
        lines.push(secret(name, "", &variable_of(name)));
    }
    let mut header = |name: &str, value: &str| {
        lines.push(format!("-H {}", quoted(&format!("{name}: {value}"))));
    };
    header("Content-Type", "application/json");
    header("Accept", "application/json, text/event-stream");
    header(VERSION_HEADER, SESSIONLESS);
    header(METHOD_HEADER, "tools/call");
    header(NAME_HEADER, &header_value(&call.tool));
    lines.push(format!(
        "--data-raw {}",
        quoted(&safe_json(&body.to_string()))
    ));
    lines.join(" \\\n  ")
}

/// The word, quoted for a POSIX shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The variable for the value of a header: `$X_TEAM` for `X-Team`.
fn variable_of(header: &str) -> String {
    let mut name: String = header
        .chars()
        .map(|char| match char.is_ascii_alphanumeric() {
            true => char.to_ascii_uppercase(),
            false => '_',
        })
        .collect();
    if name.starts_with(|char: char| char.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// The name as a header value: other than visible ASCII is base64 between markers.
fn header_value(name: &str) -> String {
    use base64::Engine as _;
    let is_plain = name.bytes().all(|byte| (0x21..0x7f).contains(&byte));
    match is_plain && !name.starts_with("=?") {
        true => name.to_owned(),
        false => {
            let encoded = base64::engine::general_purpose::STANDARD.encode(name);
            format!("=?base64?{encoded}?=")
        }
    }
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::Host;
    use insta::assert_snapshot;
    use serde_json::Value;

    use super::*;
    use crate::app::effects::effect::CallOptions;
    use crate::app::peer::Peer;

    fn call(tool: &str, arguments: Value) -> ToolCall {
        ToolCall {
            peer: Peer::Host(Host::Events),
            tool: tool.to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            options: CallOptions::default(),
            changes_nothing: true,
            by_hand: true,
        }
    }

    #[test]
    fn one_command_calls_a_host() {
        let request = Request::to_host("http://127.0.0.1:4700/events/mcp".to_owned());
        let command = command(&call("list_events", json!({ "search": "it's" })), &request);
        assert_snapshot!(command, @r#"
        curl -sS http://127.0.0.1:4700/events/mcp \
          -H "Authorization: Bearer ${FRONTDESK_TOKEN}" \
          -H 'Content-Type: application/json' \
          -H 'Accept: application/json, text/event-stream' \
          -H 'mcp-protocol-version: 2026-07-28' \
          -H 'mcp-method: tools/call' \
          -H 'mcp-name: list_events' \
          --data-raw '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_events","arguments":{"search":"it'\''s"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
        "#);
    }

    #[test]
    fn secrets_of_a_server_are_named_and_not_written() {
        let request = Request {
            address: "https://tickets.example.org/mcp".to_owned(),
            token: Some("TICKETS_TOKEN".to_owned()),
            headers: vec!["X-Team".to_owned()],
        };
        let command = command(&call("find", json!({})), &request);
        assert!(command.contains("\"Authorization: Bearer ${TICKETS_TOKEN}\""));
        assert!(command.contains("\"X-Team: ${X_TEAM}\""));
    }

    #[test]
    fn what_was_previewed_is_named_in_it() {
        let request = Request::to_host("http://127.0.0.1/work/mcp".to_owned());
        let call = ToolCall {
            options: CallOptions {
                expected_plan: Some("d1".to_owned()),
                ..CallOptions::default()
            },
            ..call("remove", json!({}))
        };
        assert!(command(&call, &request).contains("\"frontdesk/expectedPlan\":\"d1\""));
    }

    #[test]
    fn a_name_that_no_header_carries_is_encoded() {
        assert_eq!(header_value("list_events"), "list_events");
        assert_eq!(header_value("é b"), "=?base64?w6kgYg==?=");
    }
}
