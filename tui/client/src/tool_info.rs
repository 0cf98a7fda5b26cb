//! A tool as listed by a host.

use frontdesk_protocol::Host;
use serde_json::{Map, Value};

/// An entry of `tools/list`.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// The name for calls.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// The JSON Schema of its result.
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it is read-only. Like the following flags, this is the host's claim; the defaults
    /// are the protocol's cautious ones.
    pub read_only: bool,
    /// Whether it can irreversibly delete or overwrite data.
    pub destructive: bool,
    /// Whether repeating the same call has no further effect.
    pub idempotent: bool,
}

impl From<rmcp::model::Tool> for ToolInfo {
    fn from(tool: rmcp::model::Tool) -> Self {
        let hints = tool.annotations.unwrap_or_default();
        let read_only = hints.read_only_hint.unwrap_or(false);
        ToolInfo {
            name: tool.name.into_owned(),
            title: tool.title.or(hints.title),
            description: tool.description.map(|text| text.into_owned()),
            input_schema: Map::clone(&tool.input_schema),
            output_schema: tool.output_schema.map(|schema| Map::clone(&schema)),
            read_only,
            destructive: !read_only && hints.destructive_hint.unwrap_or(true),
            idempotent: read_only || hints.idempotent_hint.unwrap_or(false),
        }
    }
}

impl ToolInfo {
    /// The tool of a host, completed from its declaration where the list is abbreviated.
    pub(crate) fn of_host(mut self, host: Host) -> Self {
        let object = |schema| match schema {
            Value::Object(schema) => Some(schema),
            _ => None,
        };
        if let Some(declared) = host.tool(&self.name) {
            self.title.get_or_insert_with(|| declared.title());
            if declared.structured && self.output_schema.is_none() {
                self.output_schema = object(declared.output_schema());
            }
            // A host of a different version can have different arguments.
            let listed = object(declared.to_listing()["inputSchema"].take());
            if listed.as_ref() == Some(&self.input_schema) {
                self.input_schema = object(declared.input_schema()).unwrap_or_default();
            }
        }
        self
    }
}
