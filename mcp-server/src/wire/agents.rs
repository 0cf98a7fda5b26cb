//! `/agents/mcp`: one connection for an agent, instead of fifteen. It has the tools of the platform host that are about all
//! hosts, and three more, which find, describe and call the tools of any host under the same rights and limits.

use frontdesk_protocol::guide::is_lasting;
use frontdesk_protocol::value::{Arguments, Line, Name};
use frontdesk_protocol::wire::{self, Reader, Schemas, Shape, Table, Wire};
use frontdesk_protocol::{Declaration, Host, Role, ToolError, args};
use serde_json::{Value, json};

use crate::call::{Hosts, parsed};

/// The name of the address.
pub(super) const NAME: &str = "agents";
/// The host of its session and of most of its tools.
pub(super) const HOST: Host = Host::Ops;
/// The tools of that host that it has.
const TOOLS: [&str; 7] = [
    "get_context",
    "search",
    "preview_call",
    "apply_call",
    "run_batch",
    "list_changes",
    "undo_change",
];
/// The tools that a search for them returns.
const MOST_FOUND: usize = 12;

/// A tool that only this address has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    Find,
    Describe,
    Call,
}

/// Finds tools of all hosts by words of their names and descriptions.
#[derive(Debug, Wire)]
#[wire(strict)]
struct Wanted {
    text: Line,
    host: Option<Host>,
}

/// Returns the arguments of a tool as a JSON Schema, and whether it writes and can be undone.
#[derive(Debug, Wire)]
#[wire(strict)]
struct Named {
    host: Area,
    tool: Name,
}

/// Calls a tool of any host. Describe it first; preview a write that reaches others (preview_call).
#[derive(Debug, Wire)]
#[wire(strict)]
pub(super) struct Called {
    pub(super) host: Area,
    pub(super) tool: Name,
    #[wire(default)]
    pub(super) arguments: Arguments,
}

/// A host, without the list of all in the schema: that of [`Wanted`] has it.
#[derive(Debug)]
pub(super) struct Area(pub(super) Host);

impl Wire for Area {
    fn read(value: &Value, reader: &mut Reader) -> Option<Self> {
        Host::read(value, reader).map(Area)
    }

    fn write(&self) -> Value {
        self.0.write()
    }

    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string" })
    }
}

/// Whether the address has this tool of the platform host.
pub(super) fn serves(tool: &str) -> bool {
    TOOLS.contains(&tool)
}

impl Own {
    pub(super) const ALL: [Own; 3] = [Own::Find, Own::Describe, Own::Call];

    pub(super) fn name(self) -> &'static str {
        match self {
            Own::Find => "find_tools",
            Own::Describe => "describe_tool",
            Own::Call => "call_tool",
        }
    }

    /// The tool with this name.
    pub(super) fn of(name: &str) -> Option<Own> {
        Own::ALL.into_iter().find(|own| own.name() == name)
    }

    pub(super) fn is_read_only(self) -> bool {
        self != Own::Call
    }

    /// The table of its arguments.
    fn shape(self) -> &'static Shape {
        match self {
            Own::Find => Wanted::SHAPE,
            Own::Describe => Named::SHAPE,
            Own::Call => Called::SHAPE,
        }
    }

    /// As it is listed.
    pub(super) fn listing(self) -> Value {
        let mut schema = wire::of_arguments(self.shape());
        if let Value::Object(schema) = &mut schema {
            schema.shift_remove("description");
        }
        json!({
            "name": self.name(),
            "description": self.shape().document,
            "inputSchema": schema,
            "annotations": match self.is_read_only() {
                true => json!({ "readOnlyHint": true, "openWorldHint": false }),
                false => json!({ "destructiveHint": true, "openWorldHint": false }),
            },
        })
    }
}

/// Reads the arguments of a tool of this address, JSON text.
///
/// # Errors
/// `invalid_argument`.
pub(super) async fn read<T: Table>(arguments: &str) -> Result<T, ToolError> {
    args::read_from(&parsed(T::SHAPE, arguments).await?)
}

/// The result of [`Own::Find`], JSON text.
///
/// # Errors
/// `invalid_argument`.
pub(super) async fn find(
    hosts: &Hosts,
    role: Option<Role>,
    arguments: &str,
) -> Result<String, ToolError> {
    let wanted: Wanted = read(arguments).await?;
    let text = wanted.text.as_str().to_lowercase();
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|it| it.len() > 2)
        .collect();
    let areas = Host::ALL
        .into_iter()
        .filter(|host| wanted.host.is_none_or(|only| only == *host));
    let mut found: Vec<(usize, &Declaration)> = Vec::new();
    for host in areas {
        for route in hosts.routes(host) {
            let score = score(&route.tool, &words);
            let is_offered = role.is_some_and(|role| route.tool.audience.contains(role));
            if is_offered && (score > 0 || words.is_empty()) {
                found.push((score, &route.tool));
            }
        }
    }
    // Stable: in the order of the hosts and their lists.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let has_more = found.len() > MOST_FOUND;
    let tools = found.into_iter().take(MOST_FOUND).map(|(_, tool)| {
        json!({
            "host": tool.host.area(), "tool": tool.name, "writes": !tool.effect.read_only,
            "description": tool.description(),
        })
    });
    let tools: Vec<Value> = tools.collect();
    let mut result = json!({ "tools": tools, "has_more": has_more });
    if tools.is_empty() {
        let areas = Host::ALL.map(|host| format!("{host} ({})", host.title()));
        result["note"] = format!("no tool fits; the hosts are {}", areas.join(", ")).into();
    }
    Ok(result.to_string())
}

/// How well a tool fits these words: those of its name count most.
fn score(tool: &Declaration, words: &[&str]) -> usize {
    let name = tool.name.to_lowercase();
    let about = [
        &tool.description().to_lowercase(),
        " ",
        &tool.host.title().to_lowercase(),
    ]
    .concat();
    let score = |word: &&str| {
        // “guests” finds “guest”.
        let stem = word
            .strip_suffix('s')
            .filter(|stem| stem.len() > 2)
            .unwrap_or(word);
        let is_of_name = name.split('_').any(|part| part.starts_with(stem));
        3 * usize::from(is_of_name) + usize::from(about.contains(stem))
    };
    words.iter().map(score).sum()
}

/// The result of [`Own::Describe`], JSON text.
///
/// # Errors
/// `invalid_argument` if there is no such tool.
pub(super) async fn describe(hosts: &Hosts, arguments: &str) -> Result<String, ToolError> {
    let named: Named = read(arguments).await?;
    let host = named.host.0;
    let name = named.tool.as_str();
    let Some(route) = hosts.route(host, name) else {
        return Err(ToolError::invalid("tool", hosts.without(host, name)));
    };
    let tool = &route.tool;
    let described = json!({
        "host": host.area(), "tool": tool.name, "description": tool.description(),
        "writes": !tool.effect.read_only, "can_be_undone": !is_lasting(tool),
        "arguments": tool.input_schema(),
    });
    Ok(described.to_string())
}
