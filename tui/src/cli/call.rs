//! `call`: any tool, from a script.

mod arguments;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use clap::Args;
use frontdesk::formats::{Format, Paper, Reader, WriteError, change_rows, content_rows};
use frontdesk::plain;
use frontdesk_client::listener::Progress;
use frontdesk_client::{CallError, CallResult};
use frontdesk_protocol::mcp::CallMeta;
use serde_json::{Map, Value};

use super::options::Options;
use super::peer::{CallOutput, Peer};
use super::{Failure, completions};
use arguments::Given;

/// Maximum number of retries after the host asked to wait.
const RETRIES: u32 = 3;
/// Maximum time to wait for a retry.
const LONGEST_WAIT: Duration = Duration::from_secs(90);

/// Calls a tool. Arguments are validated before sending.
#[derive(Debug, Args)]
pub(super) struct Call {
    /// The host; or a server, by its configured name or its address.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: String,
    /// The tool.
    #[arg(value_name = "TOOL", add = completions::tools())]
    tool: String,
    /// name=value converts the value to the type in the tool's schema; name:=json is parsed as
    /// JSON.
    #[arg(value_name = "name=value|name:=json", add = completions::arguments())]
    arguments: Vec<String>,
    /// Read a JSON object of arguments from this file; - is stdin.
    #[arg(long, value_name = "FILE|-")]
    args: Option<String>,
    /// Show what would happen, if the tool supports it.
    #[arg(long)]
    dry_run: bool,
    /// Show what the call would change, and change nothing. Exit code 9 if it would change nothing.
    #[arg(long, conflicts_with_all = ["dry_run", "expect", "all"])]
    preview: bool,
    /// Make the call only if it changes what the preview with this digest has shown.
    #[arg(long, value_name = "DIGEST", conflicts_with = "all")]
    expect: Option<String>,
    /// Output format.
    #[arg(long, short, value_enum, default_value_t = Format::Json)]
    output: Format,
    /// Fetch all pages of a list.
    #[arg(long)]
    all: bool,
}

impl Call {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let given = Given::read(&self.arguments, self.args.as_deref())?;
        let peer = Peer::find(options, &self.host)?;
        let mode = options.read_only();
        peer.until_done(self.made(&peer, given, mode)).await
    }

    async fn made(&self, peer: &Peer, given: Given, read_only: bool) -> Result<(), Failure> {
        let (schema, reads) = match peer.declared(&self.tool) {
            Some(tool) => (tool.input_schema(), tool.effect.read_only),
            None => {
                let tool = peer.tool(&self.tool).await?;
                (Value::Object(tool.input_schema), tool.read_only)
            }
        };
        if read_only && !reads && !self.dry_run && !self.preview {
            let message = format!("{} writes, and --read-only is given", self.tool);
            return Err(Failure::Usage(message));
        }
        if self.preview && reads {
            let message = format!("{} only reads, so there is nothing to preview", self.tool);
            return Err(Failure::Usage(message));
        }
        let mut arguments = given.to_arguments(&schema)?;
        if self.dry_run {
            if schema["properties"].get("dry_run").is_none() {
                let message = format!("{} has no dry run", self.tool);
                return Err(Failure::Usage(message));
            }
            arguments.insert("dry_run".to_owned(), Value::Bool(true));
        }
        let stdout = std::io::stdout();
        let reader = match stdout.is_terminal() {
            true => Reader::Terminal,
            false => Reader::Program,
        };
        let mut paper = Paper::new(self.output, reader, stdout);
        if self.all {
            return self.follow(peer, &schema, arguments, &mut paper).await;
        }
        self.check(peer, &schema, &arguments)?;
        let meta = CallMeta {
            preview: self.preview,
            expected_plan: self.expect.clone(),
            ..CallMeta::default()
        };
        let result = self.call(peer, arguments, meta).await?;
        if self.preview && !result.is_error {
            return self.show_changes(peer, &result, &mut paper);
        }
        let output = CallOutput::try_from(result).map_err(|error| peer.failure(error))?;
        let written = match output {
            CallOutput::Value(value) => paper.whole(&value),
            CallOutput::Content(result) if self.output == Format::Json => {
                paper.whole(&result.received())
            }
            CallOutput::Content(result) => paper.whole(&content_rows(&result.content)),
        };
        written.map_err(not_written)
    }

    /// Writes the changes of a preview.
    fn show_changes(
        &self,
        peer: &Peer,
        result: &CallResult,
        paper: &mut Paper<impl Write>,
    ) -> Result<(), Failure> {
        let changes = result.changes().map_err(|error| peer.failure(error))?;
        let changes = changes.ok_or_else(|| {
            Failure::Call(CallError::Protocol(
                "the preview lists no changes".to_owned(),
            ))
        })?;
        let shown = match self.output {
            Format::Json => serde_json::to_value(&changes).unwrap_or_default(),
            Format::Table | Format::Csv | Format::Markdown => change_rows(&changes),
        };
        paper.whole(&shown).map_err(not_written)?;
        match changes.is_empty() {
            true => Err(Failure::NoChange),
            false => Ok(()),
        }
    }

    /// Writes a list page by page.
    async fn follow(
        &self,
        peer: &Peer,
        schema: &Value,
        mut arguments: Map<String, Value>,
        paper: &mut Paper<impl Write>,
    ) -> Result<(), Failure> {
        let limit = &schema["properties"]["limit"];
        if limit.is_null() || schema["properties"].get("offset").is_none() {
            let message = format!("--all needs a list with pages; {} has none", self.tool);
            return Err(Failure::Usage(message));
        }
        if let Some(most) = limit.get("maximum") {
            arguments.entry("limit").or_insert_with(|| most.clone());
        }
        let mut offset = arguments.get("offset").and_then(Value::as_u64).unwrap_or(0);
        loop {
            arguments.insert("offset".to_owned(), offset.into());
            self.check(peer, schema, &arguments)?;
            let result = self
                .call(peer, arguments.clone(), CallMeta::default())
                .await?;
            let output = CallOutput::try_from(result).map_err(|error| peer.failure(error))?;
            let CallOutput::Value(page) = output else {
                let message = "--all needs a list; this tool returns one record".to_owned();
                return Err(Failure::Usage(message));
            };
            let length = paper.page(&page).map_err(not_written)?;
            if page["has_more"] != Value::Bool(true) || length == 0 {
                return paper.end().map_err(not_written);
            }
            offset += length;
        }
    }

    /// Validates the arguments.
    fn check(
        &self,
        peer: &Peer,
        schema: &Value,
        arguments: &Map<String, Value>,
    ) -> Result<(), Failure> {
        let arguments = Value::Object(arguments.clone());
        match peer.declared(&self.tool) {
            Some(tool) => tool.check(&arguments.to_string()).map_err(|error| {
                let field = error
                    .field
                    .map_or(String::new(), |field| format!("{field} "));
                let hint = error
                    .hint
                    .map_or(String::new(), |hint| format!(" ({hint})"));
                Failure::Usage(format!("{field}{}{hint}", error.message))
            }),
            None => arguments::validate(schema, &arguments),
        }
    }

    /// Makes one call; if the host asks to wait, waits and retries.
    async fn call(
        &self,
        peer: &Peer,
        arguments: Map<String, Value>,
        meta: CallMeta,
    ) -> Result<CallResult, Failure> {
        let mut tries = 0;
        loop {
            let (arguments, meta) = (arguments.clone(), meta.clone());
            let call = peer.call(&self.tool, arguments, meta, |progress| show(&progress));
            match call.await {
                Err(CallError::RateLimited { retry_after } | CallError::Busy { retry_after })
                    if tries < RETRIES && retry_after <= LONGEST_WAIT =>
                {
                    tries += 1;
                    let seconds = retry_after.as_secs();
                    tell(&format!("waiting {seconds} s, as the host asks"));
                    tokio::time::sleep(retry_after).await;
                }
                result => return result.map_err(|error| peer.failure(error)),
            }
        }
    }
}

/// The failure for a result that cannot be written.
fn not_written(error: WriteError) -> Failure {
    match error {
        WriteError::Io(error) => Failure::File("stdout", error),
        WriteError::NoList => {
            Failure::Usage("--all needs a list; this tool returns one record".to_owned())
        }
    }
}

fn show(progress: &Progress) {
    let done = match progress.total {
        Some(total) => format!("{} of {total}", progress.done),
        None => progress.done.to_string(),
    };
    match &progress.message {
        Some(message) => tell(&format!("{done}: {message}")),
        None => tell(&done),
    }
}

/// Shows a message to a person; scripts get none.
fn tell(message: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        // Without stderr the message is dropped.
        let _ = writeln!(stderr, "frontdesk: {}", plain(message));
    }
}
