//! A tool as listed by a host.

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
    /// Whether a call can be previewed: the tool writes, and its server announced the extension.
    pub previews: bool,
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
            previews: false,
        }
    }
}

impl ToolInfo {
    /// The tool of a server that announced previews, or did not.
    pub(crate) fn previewed(mut self, is_announced: bool) -> Self {
        self.previews = is_announced && !self.read_only;
        self
    }
}
