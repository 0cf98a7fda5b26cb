//! A call as a shell command.

use frontdesk_client::template;
use frontdesk_form::{Form, Path};
use frontdesk_protocol::exact;
use serde_json::{Map, Value};

use crate::app::effects::call::{Method, ToolCall};
use crate::app::effects::curl::quoted;

/// `frontdesk call work list_meeting_series title_contains=weekly limit:=5`
pub(crate) fn command_line(call: &ToolCall, schema: &Map<String, Value>) -> String {
    let peer = quoted(call.peer.name());
    let (command, name) = match &call.options.method {
        Method::Tool => ("call", call.tool.clone()),
        Method::Resources => return format!("frontdesk resources {peer}"),
        Method::Prompts => return format!("frontdesk prompts {peer}"),
        Method::Read => {
            let uri = template::expand(&call.tool, &call.arguments);
            let uri = uri.unwrap_or_else(|_| call.tool.clone());
            return format!("frontdesk read {peer} {}", quoted(&uri));
        }
        Method::Tasks => return "frontdesk tasks".to_owned(),
        Method::TaskResult(id) => return format!("frontdesk tasks {peer} {}", quoted(id)),
        Method::Prompt => ("prompt", call.tool.clone()),
        Method::Complete(_) => ("complete", call.tool.clone()),
    };
    let mut words = vec![
        "frontdesk".to_owned(),
        command.to_owned(),
        peer,
        quoted(&name),
    ];
    let form = Form::new(&Value::Object(schema.clone()));
    for (name, value) in &call.arguments {
        let is_read = |text| form.read(&Path::root().key(name), text) == *value;
        let word = match value {
            Value::String(text) if is_read(text) => format!("{name}={text}"),
            value => format!("{name}:={}", exact::text(value)),
        };
        words.push(quoted(&word));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use frontdesk_protocol::Host;
    use serde_json::json;

    use super::*;
    use crate::app::effects::call::CallOptions;
    use crate::app::peer::Peer;

    fn line(arguments: &Value) -> String {
        let schema = json!({ "properties": {
            "name": { "type": ["string", "null"] },
            "limit": { "type": "integer" },
            "note": { "anyOf": [{ "type": "string" }] },
            "paths": { "anyOf": [{ "type": "string" }, { "type": "array" }] },
            "level": { "enum": ["low", "high"] },
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
        assert_eq!(
            line(&json!({ "level": "low" })),
            "frontdesk call events find level=low"
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
        assert_eq!(
            line(&json!({ "paths": "[1]" })),
            "frontdesk call events find 'paths:=\"[1]\"'"
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
