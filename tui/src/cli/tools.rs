//! `tools` and `describe`: what the hosts offer to the one who is signed in.

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{Client, ToolInfo};
use frontdesk_protocol::Host;
use serde_json::{Map, Value, json};

use super::options::Options;
use super::{Failure, completions, say};

/// Lists tools.
#[derive(Debug, Args)]
pub(super) struct Tools {
    /// Only those of this host.
    #[arg(value_name = "HOST", value_parser = completions::host())]
    host: Option<Host>,
    /// As the hosts list them: a JSON array, each tool with its `host`.
    #[arg(long)]
    json: bool,
}

impl Tools {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let client = options.client(options.store()?)?;
        let hosts = match self.host {
            Some(host) => vec![host],
            None => Host::ALL.to_vec(),
        };
        let mut listed = Vec::new();
        for host in hosts {
            match client.tools(host).await {
                Ok(tools) => listed.extend(tools.into_iter().map(|tool| (host, tool))),
                // Asked for all, a person is not shut out by the host that wants staff.
                Err(frontdesk_client::CallError::Forbidden(_)) if self.host.is_none() => {}
                Err(error) => return Err(error.into()),
            }
        }
        if self.json {
            let tools = listed.iter().map(|(host, tool)| to_json(*host, tool));
            return say(&Value::Array(tools.collect()).to_string());
        }
        for (host, tool) in listed {
            let name = format!("{host} {}", tool.name);
            let about = tool.description.unwrap_or_default();
            say(plain(&format!("{name:<40} {}", first_sentence(&about))).trim_end())?;
        }
        Ok(())
    }
}

/// Says what a tool takes.
#[derive(Debug, Args)]
pub(super) struct Describe {
    /// The host.
    #[arg(value_name = "HOST", value_parser = completions::host())]
    host: Host,
    /// The tool.
    #[arg(value_name = "TOOL", add = completions::tools())]
    tool: String,
    /// As the host lists it: JSON.
    #[arg(long)]
    json: bool,
}

impl Describe {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let client = options.client(options.store()?)?;
        let tool = find(&client, self.host, &self.tool).await?;
        if self.json {
            return say(&to_json(self.host, &tool).to_string());
        }
        for line in page(self.host, &tool).lines() {
            say(&plain(line))?;
        }
        Ok(())
    }
}

/// The first sentence of a text, however its lines were broken.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

/// The tool of this name, as the host lists it.
///
/// # Errors
/// [`Failure::Usage`] where the host offers none, naming what is nearest.
pub(super) async fn find(client: &Client, host: Host, name: &str) -> Result<ToolInfo, Failure> {
    let mut tools = client.tools(host).await?;
    if let Some(at) = tools.iter().position(|tool| tool.name == name) {
        return Ok(tools.swap_remove(at));
    }
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_str()).collect();
    let known = match names.as_slice() {
        [] => "it offers you no tools".to_owned(),
        names => format!("it offers you {}", names.join(", ")),
    };
    Err(Failure::Usage(format!(
        "host {host} has no tool `{name}` for you; {known}"
    )))
}

fn to_json(host: Host, tool: &ToolInfo) -> Value {
    json!({
        "host": host,
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
        },
    })
}

/// What a person wants to know before calling it.
fn page(host: Host, tool: &ToolInfo) -> String {
    let effect = match (tool.read_only, tool.destructive, tool.idempotent) {
        (true, ..) => "reads only",
        (false, true, _) => "may remove or overwrite",
        (false, false, true) => "writes; the same call again changes nothing more",
        (false, false, false) => "writes, each time anew",
    };
    let mut page = format!("{host} {}   ({effect})\n", tool.name);
    if let Some(description) = &tool.description {
        page += &format!("{description}\n");
    }
    let empty = Map::new();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object);
    let properties = properties.unwrap_or(&empty);
    let required: Vec<&str> = match tool.input_schema.get("required").and_then(Value::as_array) {
        Some(required) => required.iter().filter_map(Value::as_str).collect(),
        None => Vec::new(),
    };
    let (first, rest): (Vec<_>, Vec<_>) = properties
        .iter()
        .partition(|(name, _)| required.contains(&name.as_str()));
    for (heading, arguments) in [("Required", first), ("Optional", rest)] {
        if arguments.is_empty() {
            continue;
        }
        page += &format!("\n{heading}\n");
        for (name, schema) in arguments {
            let about = schema
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let line = format!("  {name:<34} {:<22} {about}", kind(schema));
            page += line.trim_end();
            page.push('\n');
        }
    }
    page.trim_end().to_owned()
}

/// What a schema takes, in a few words: `integer 1..100`, `default|weekly_leaders`.
fn kind(schema: &Value) -> String {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<_> = words.iter().map(word).collect();
        return words.join("|");
    }
    let mut kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.clone(),
        Some(Value::Array(kinds)) => kinds.iter().map(word).collect::<Vec<_>>().join("|"),
        _ => "any".to_owned(),
    };
    if let Some(format) = schema.get("format").and_then(Value::as_str) {
        kind = format.to_owned();
    }
    let bound = |name| schema.get(name).map(ToString::to_string);
    if let (Some(least), Some(most)) = (bound("minimum"), bound("maximum")) {
        kind += &format!(" {least}..{most}");
    }
    match schema.get("default") {
        Some(default) => format!("{kind} = {}", word(default)),
        None => kind,
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
