//! The tools of a host as it lists them to somebody of the staff.

use frontdesk_client::ToolInfo;
use frontdesk_protocol::Host;
use serde_json::Value;

/// The declared tools of the host.
pub(crate) fn tools(host: Host) -> Vec<ToolInfo> {
    let object = |schema: Value| schema.as_object().cloned().unwrap_or_default();
    host.tools()
        .map(|tool| ToolInfo {
            name: tool.name.to_owned(),
            title: Some(tool.title()),
            description: Some(tool.description().to_owned()),
            input_schema: object(tool.input_schema()),
            output_schema: Some(object(tool.output_schema())),
            read_only: tool.effect.read_only,
            destructive: tool.effect.destructive,
            idempotent: tool.effect.idempotent,
            previews: false,
        })
        .collect()
}
