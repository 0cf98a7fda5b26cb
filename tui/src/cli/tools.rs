//! `tools` and `describe`: the tools offered to the signed-in account.

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_protocol::Host;
use serde_json::{Map, Value, json};

use super::options::Options;
use super::peer::Peer;
use super::{Failure, completions, say};

/// Lists tools.
#[derive(Debug, Args)]
pub(super) struct Tools {
    /// Only the tools of this host; or of a server, by its configured name or its address.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: Option<String>,
    /// Print a JSON array as listed by the hosts, with a `host` for each tool.
    #[arg(long)]
    json: bool,
}

impl Tools {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let listed = match &self.host {
            Some(name) => {
                let peer = Peer::find(options, name)?;
                let tools = peer.until_done(peer.tools()).await?;
                let named = tools.into_iter().map(|tool| (peer.name().to_owned(), tool));
                named.collect()
            }
            None => of_all_hosts(options).await?,
        };
        if self.json {
            let tools = listed.iter().map(|(host, tool)| to_json(host, tool));
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

/// The tools of all hosts. Hosts that the caller may not use are skipped.
async fn of_all_hosts(options: &Options) -> Result<Vec<(String, ToolInfo)>, Failure> {
    let client = options.client(options.store()?)?;
    let mut listed = Vec::new();
    for host in Host::ALL {
        match client.tools(host).await {
            Ok(tools) => {
                let named = tools.into_iter().map(|tool| (host.area().to_owned(), tool));
                listed.extend(named);
            }
            Err(CallError::Forbidden(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(listed)
}

/// Describes a tool and its arguments.
#[derive(Debug, Args)]
pub(super) struct Describe {
    /// The host; or a server, by its configured name or its address.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: String,
    /// The tool.
    #[arg(value_name = "TOOL", add = completions::tools())]
    tool: String,
    /// Print JSON as listed by the host.
    #[arg(long)]
    json: bool,
}

impl Describe {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let peer = Peer::find(options, &self.host)?;
        let tool = peer.until_done(peer.tool(&self.tool)).await?;
        if self.json {
            return say(&to_json(peer.name(), &tool).to_string());
        }
        for line in page(peer.name(), &tool).lines() {
            say(&plain(line))?;
        }
        Ok(())
    }
}

/// The first sentence of a text, across line breaks.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

fn to_json(host: &str, tool: &ToolInfo) -> Value {
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

/// The description of a tool for people.
fn page(host: &str, tool: &ToolInfo) -> String {
    let effect = match (tool.read_only, tool.destructive, tool.idempotent) {
        (true, ..) => "reads only",
        (false, true, _) => "may remove or overwrite",
        (false, false, true) => "writes; the same call again changes nothing more",
        (false, false, false) => "writes; each call adds another change",
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

/// The type of a schema in short: `integer 1..100`, `default|weekly_leaders`.
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
