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

    /// The tool of a host, completed from its declaration where the list is abbreviated.
    pub(crate) fn of_host(mut self, host: Host) -> Self {
        let object = |schema| match schema {
            Value::Object(schema) => Some(schema),
            _ => None,
        };
        if let Some(declared) = host.tool(&self.name) {
            self.title.get_or_insert_with(|| declared.title());
            // A host of a different version can have different results and arguments.
            let full = object(declared.output_schema()).filter(|_| declared.structured);
            let listed = self.output_schema.as_ref();
            if full
                .as_ref()
                .is_some_and(|full| listed.is_none_or(|listed| has_results(full, listed)))
            {
                self.output_schema = full;
            }
            let listed = object(declared.listed_arguments());
            if listed.as_ref() == Some(&self.input_schema) {
                self.input_schema = object(declared.input_schema()).unwrap_or_default();
            }
        }
        self
    }
}

/// Whether a result of the full schema has everything that the listed one has.
fn has_results(full: &Map<String, Value>, listed: &Map<String, Value>) -> bool {
    let results = |schema: &Map<String, Value>| schema.get("properties").cloned();
    let (full, listed) = (results(full), results(listed));
    let listed = listed.as_ref().and_then(Value::as_object);
    listed.is_some_and(|listed| {
        let is_known = |name: &String| full.as_ref().is_some_and(|full| full.get(name).is_some());
        listed.keys().all(is_known)
    })
}
