//! `tools`: the tools offered to the signed-in account.

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{CallError, ToolInfo};
use frontdesk_protocol::Host;
use serde_json::{Value, json};

use super::callee;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json, terminal_width};

/// The width of the column of names.
const NAMES: usize = 40;

/// Lists tools.
#[derive(Debug, Args)]
pub(super) struct Tools {
    /// Only the tools of this host; or of a server, by its configured name or its address.
    #[arg(value_name = "HOST", conflicts_with = "command", add = completions::peers())]
    host: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

impl Tools {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let mut odd = Vec::new();
        let listed = match (&self.host, !self.reach.command().is_empty()) {
            (None, false) => of_all_hosts(options).await?,
            (name, _) => {
                let callee = self.reach.callee(options, name.as_deref())?;
                let tools = async {
                    let tools = callee.tools().await;
                    tools.map_err(|error| callee::failure(&callee, error))
                };
                let tools = callee::until_done(&callee, self.reach.timeout, tools).await?;
                odd = callee.odd_tools();
                let named = tools
                    .into_iter()
                    .map(|tool| (callee.name().to_owned(), tool));
                named.collect()
            }
        };
        callee::left_out(&odd);
        if options.json() {
            let tools = listed.iter().map(|(host, tool)| to_json(host, tool));
            return say_json(&Value::Array(tools.collect()));
        }
        for (host, tool) in listed {
            let name = plain(&format!("{host} {}", tool.name)).into_owned();
            let about = tool.description.unwrap_or_default();
            let about = first_sentence(&plain(&about));
            let line = format!("{name:<NAMES$} {about}");
            match terminal_width() {
                Some(width) if width >= NAMES + NAMES / 2 => {
                    let indent = " ".repeat(NAMES + 1);
                    let options = textwrap::Options::new(width).subsequent_indent(&indent);
                    say(&textwrap::fill(line.trim_end(), options))?;
                }
                _ => say(line.trim_end())?,
            }
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

/// The first sentence of a text, across line breaks.
fn first_sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

pub(super) fn to_json(host: &str, tool: &ToolInfo) -> Value {
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
