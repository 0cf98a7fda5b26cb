//! A tool as a host lists it.

use frontdesk_protocol::Host;
use serde_json::{Map, Value};

/// One entry of `tools/list`.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolInfo {
    /// The name to call it by.
    pub name: String,
    /// The name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// The JSON Schema of its arguments.
    pub input_schema: Map<String, Value>,
    /// The JSON Schema of its result.
    pub output_schema: Option<Map<String, Value>>,
    /// Whether it changes nothing. This and the following are the host's word; where it says
    /// nothing, the protocol's cautious defaults hold.
    pub read_only: bool,
    /// Whether it may remove or overwrite what cannot be had back.
    pub destructive: bool,
    /// Whether the same call again changes nothing more.
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
    /// The tool of one of our hosts, with what its list leaves out for brevity and its declaration has.
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
            // A host of another version may take other arguments.
            let listed = object(declared.to_listing()["inputSchema"].take());
            if listed.as_ref() == Some(&self.input_schema) {
                self.input_schema = object(declared.input_schema()).unwrap_or_default();
            }
        }
        self
    }
}
