//! A tool call as a single `curl` command, in the sessionless revision of the protocol.

use std::sync::Arc;

use frontdesk_protocol::mcp::{
    META_CAPABILITIES, META_VERSION, METHOD_HEADER, NAME_HEADER, SESSIONLESS, VERSION_HEADER,
};
use serde_json::json;

use super::job::Job;
use super::platform::Platform;
use super::servers::Request;
use crate::app::effects::call::{Method, ToolCall};
use crate::app::peer::Peer;
use crate::app::reporter::Reporter;
use crate::look::safe::safe_json;

/// Formats a call as a curl command.
#[derive(Debug)]
pub(crate) struct AsCurl(pub(crate) ToolCall);

impl Job for AsCurl {
    type Value = String;
    /// Why the call cannot be made with a single request.
    type Error = String;

    async fn run(
        self: Arc<Self>,
        platform: Platform,
        reporter: Reporter,
    ) -> Result<String, String> {
        let call = &self.0;
        if call.options.method != Method::Tool {
            return Err("it is not a call of a tool".to_owned());
        }
        let request = match &call.peer {
            Peer::Host(host) => Request::to_host(platform.client.addresses().mcp(*host)),
            Peer::Server(name) => platform.servers.request(name, &reporter).await?,
        };
        Ok(command(call, &request))
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
    use crate::app::effects::call::CallOptions;
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
