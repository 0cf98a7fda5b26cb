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

impl ToolInfo {
    /// Reads an item of the list.
    ///
    /// # Errors
    /// Why the tool cannot be called.
    pub fn read(tool: &Value) -> Result<Self, &'static str> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let name = text(&tool["name"]).filter(|name| !name.is_empty());
        let name = name.ok_or(match tool {
            Value::Object(_) => "it has no name",
            _ => "it is not an object",
        })?;
        let hints = &tool["annotations"];
        let hint = |name: &str| match &hints[name] {
            Value::Bool(hint) => Some(*hint),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        let read_only = hint("readOnlyHint").unwrap_or(false);
        Ok(ToolInfo {
            name,
            title: text(&tool["title"]).or_else(|| text(&hints["title"])),
            description: text(&tool["description"]),
            input_schema: arguments(&tool["inputSchema"]),
            output_schema: tool["outputSchema"].as_object().cloned(),
            read_only,
            destructive: !read_only && hint("destructiveHint").unwrap_or(true),
            idempotent: read_only || hint("idempotentHint").unwrap_or(false),
            previews: false,
        })
    }

    /// A form with this schema that calls no tool.
    pub fn form(name: &str, schema: &Value) -> Self {
        ToolInfo {
            name: name.to_owned(),
            title: None,
            description: None,
            input_schema: arguments(schema),
            output_schema: None,
            read_only: true,
            destructive: false,
            idempotent: true,
            previews: false,
        }
    }

    /// The tool of a server that announced previews, or did not.
    pub(crate) fn previewed(mut self, is_announced: bool) -> Self {
        self.previews = is_announced && !self.read_only;
        self
    }
}

/// The schema of the arguments, which are an object whatever the server says.
fn arguments(schema: &Value) -> Map<String, Value> {
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    if schema.get("type").is_none_or(|kind| kind != "object") {
        schema.insert("type".to_owned(), "object".into());
    }
    if schema.get("properties").is_some_and(|it| !it.is_object()) {
        schema.remove("properties");
    }
    schema
}
