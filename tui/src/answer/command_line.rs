//! A call as a shell command.

use serde_json::{Map, Value};

use crate::app::effects::curl::quoted;
use crate::app::effects::effect::ToolCall;

/// `frontdesk call work list_meeting_series title_contains=weekly limit:=5`
pub(crate) fn command_line(call: &ToolCall, schema: &Map<String, Value>) -> String {
    let mut words = vec![
        "frontdesk".to_owned(),
        "call".to_owned(),
        quoted(call.peer.name()),
        quoted(&call.tool),
    ];
    for (name, value) in &call.arguments {
        let word = match value {
            Value::String(text) if takes_text(schema, name) => format!("{name}={text}"),
            value => format!("{name}:={value}"),
        };
        words.push(quoted(&word));
    }
    words.join(" ")
}

/// Whether `name=value` on the command line is taken as a text.
fn takes_text(schema: &Map<String, Value>, name: &str) -> bool {
    let kind = schema
        .get("properties")
        .and_then(|properties| properties.get(name)?.get("type"));
    match kind {
        None => true,
        Some(Value::String(kind)) => kind == "string",
        Some(kinds) => kinds
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(|kind| kind == "string")),
    }
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::Host;
    use serde_json::json;

    use super::*;
    use crate::app::effects::effect::CallOptions;
    use crate::app::peer::Peer;

    fn line(arguments: &Value) -> String {
        let schema = json!({ "properties": {
            "name": { "type": ["string", "null"] },
            "limit": { "type": "integer" },
            "note": { "anyOf": [{ "type": "string" }] },
        } });
        let call = ToolCall {
            peer: Peer::Host(Host::Events),
            tool: "find".to_owned(),
            arguments: arguments.as_object().cloned().unwrap_or_default(),
            options: CallOptions::default(),
            changes_nothing: true,
            by_hand: true,
        };
        command_line(&call, schema.as_object().unwrap_or(&Map::new()))
    }

    #[test]
    fn a_text_is_written_as_it_is() {
        assert_eq!(
            line(&json!({ "name": "weekly" })),
            "frontdesk call events find name=weekly"
        );
        assert_eq!(
            line(&json!({ "note": "12" })),
            "frontdesk call events find note=12"
        );
    }

    #[test]
    fn everything_else_is_json() {
        assert_eq!(
            line(&json!({ "limit": 5 })),
            "frontdesk call events find limit:=5"
        );
        assert_eq!(
            line(&json!({ "name": null })),
            "frontdesk call events find name:=null"
        );
        // A value that is not a text for the schema is passed as JSON.
        assert_eq!(
            line(&json!({ "limit": "5" })),
            "frontdesk call events find 'limit:=\"5\"'"
        );
    }

    #[test]
    fn a_shell_finds_nothing_to_do_in_it() {
        assert_eq!(
            line(&json!({ "name": "it's $(rm); ok" })),
            "frontdesk call events find 'name=it'\\''s $(rm); ok'"
        );
    }
}
