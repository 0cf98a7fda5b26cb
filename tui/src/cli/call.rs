//! `call`: any tool, from a script.

pub(super) mod arguments;
mod asked;
pub(super) mod asking;
pub(super) mod printing;

use std::cell::Cell;
use std::io::IsTerminal;

use clap::Args;
use frontdesk::formats::{Paper, change_rows};
use frontdesk_client::question::{Decision, Pages};
use frontdesk_client::{CallError, CallResult, Callee, Server};
use frontdesk_form::contradictions;
use frontdesk_protocol::mcp::CallMeta;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::callee;
use super::expectation::Expectation;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, warn};
use arguments::Given;
pub(super) use asked::AskedTool;
use printing::{Printing, Sink, not_written};

/// How many contradictions of a result are said.
const CONTRADICTIONS: usize = 5;

/// Calls a tool. Arguments are validated before sending.
#[derive(Debug, Args)]
#[command(
    override_usage = "frontdesk call [OPTIONS] HOST TOOL [name=value|name:=json]…\n       \
    frontdesk call [OPTIONS] TOOL [name=value|name:=json]… -- COMMAND…"
)]
pub(super) struct Call {
    /// The host; or a server, by its configured name or its address. Left out before `-- COMMAND`.
    #[arg(value_name = "HOST", add = completions::peers())]
    host: String,
    /// The tool.
    #[arg(value_name = "TOOL", required_unless_present = "command", add = completions::tools())]
    tool: Option<String>,
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
    /// PATH=VALUE or PATH:=JSON: exit code 10 if the result has another value there; can be repeated. DIGEST: make the call
    /// only if it changes what the preview with this digest has shown.
    #[arg(long, value_name = "PATH=VALUE|DIGEST", conflicts_with = "all")]
    expect: Vec<String>,
    /// The idempotency key of a write: another call with it, within a day, returns the first result and writes nothing.
    /// Default: a new one for each command, so that a write whose answer is lost is made again safely.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["preview", "all"])]
    key: Option<String>,
    /// Exit code 10 if the result contradicts the output schema of the tool.
    #[arg(long, conflicts_with_all = ["all", "preview"])]
    strict: bool,
    /// Send the arguments as they are, also to a tool that is not listed, so that the server checks them: `name=text`, or
    /// `name:=JSON` for other types. Only for other servers.
    #[arg(long, conflicts_with_all = ["all", "dry_run", "preview", "strict"])]
    unchecked: bool,
    /// Answer a question of the server: name=value or name:=json for a field of its form; can be
    /// repeated.
    #[arg(long = "answer", value_name = "NAME=VALUE")]
    answer: Vec<String>,
    /// Read a JSON object of such answers from this file. - is stdin, and asks if that is a terminal.
    #[arg(long, value_name = "FILE|-")]
    answers: Option<String>,
    /// Fetch all pages of a list.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    reach: Reach,
}

/// A call at its callee.
struct Calling<'a> {
    call: &'a Call,
    asked: AskedTool<'a>,
    /// The digest of the preview whose changes the call should make.
    digest: Option<String>,
    /// What the result should be.
    expected: Vec<Expectation>,
}

impl Call {
    /// The same, with JSON as the default if `is_json`.
    pub(super) fn or_json(mut self, is_json: bool) -> Self {
        self.printing = self.printing.or_json(is_json);
        self
    }

    /// The digest of a preview, and what is expected of the result.
    fn expected(&self) -> Result<(Option<String>, Vec<Expectation>), Failure> {
        let (paths, mut digests): (Vec<_>, Vec<_>) = self
            .expect
            .iter()
            .cloned()
            .partition(|word| word.contains('='));
        if digests.len() > 1 {
            return Err(Failure::Usage("--expect takes one digest".to_owned()));
        }
        let expected = paths
            .iter()
            .map(|word| word.parse().map_err(Failure::Usage));
        Ok((digests.pop(), expected.collect::<Result<_, _>>()?))
    }

    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        // Without a host, the first word is the tool.
        let (host, tool) = match (!self.reach.command().is_empty(), &self.tool) {
            (false, Some(tool)) => (Some(self.host.as_str()), tool.as_str()),
            _ => (None, self.host.as_str()),
        };
        let first = self.tool.iter().filter(|_| host.is_none());
        let given = Given::read(first.chain(&self.arguments), self.args.as_deref())?;
        self.printing.check(self.all)?;
        let (digest, expected) = self.expected()?;
        let callee = &self.reach.callee(options, host)?;
        let stdin = std::io::stdin();
        if self.answers.as_deref() == Some("-") && stdin.is_terminal() {
            asking::on_terminal(to_be_asked(callee)?);
        } else if !self.answer.is_empty() || self.answers.is_some() {
            let answers = Given::read(&self.answer, self.answers.as_deref())?;
            answering(callee, answers)?;
        }
        let is_pending = &Cell::new(false);
        let asked = AskedTool {
            callee,
            tool,
            is_pending,
        };
        let calling = Calling {
            call: self,
            asked,
            digest,
            expected,
        };
        let made = calling.make(&given, options.read_only());
        match callee::within(callee, self.reach.timeout, made).await {
            Err(Failure::Call(CallError::Unreachable { reason, .. })) if is_pending.get() => {
                Err(Failure::Call(CallError::no_answer(format!("it {reason}"))))
            }
            outcome => outcome,
        }
    }
}

impl Calling<'_> {
    async fn make(&self, given: &Given, read_only: bool) -> Result<(), Failure> {
        let (call, tool) = (self.call, self.asked.tool);
        let (schema, reads, output) = match self.asked.callee.declared(tool) {
            _ if call.unchecked && matches!(self.asked.callee, Callee::Host(..)) => {
                let message = "--unchecked is for other servers";
                return Err(Failure::Usage(message.to_owned()));
            }
            _ if call.unchecked => (Value::Bool(true), false, None),
            Some(tool) => (
                tool.input_schema(),
                tool.effect.read_only,
                (call.strict && tool.structured).then(|| tool.output_schema()),
            ),
            None => {
                let tool = callee::tool(self.asked.callee, tool).await;
                let tool = tool.map_err(|failure| self.not_offered(failure))?;
                let output = tool.output_schema.map(Value::Object);
                (Value::Object(tool.input_schema), tool.read_only, output)
            }
        };
        if read_only && !reads && !call.dry_run && !call.preview {
            let message = format!("{tool} writes, and --read-only is given");
            return Err(Failure::Usage(message));
        }
        if call.preview && reads {
            let message = format!("{tool} only reads, so there is nothing to preview");
            return Err(Failure::Usage(message));
        }
        if call.dry_run && schema["properties"].get("dry_run").is_none() {
            return Err(Failure::Usage(format!("{tool} has no dry run")));
        }
        let limit = &schema["properties"]["limit"];
        if call.all && (limit.is_null() || schema["properties"].get("offset").is_none()) {
            let message = format!("--all needs a list with pages; {tool} has none");
            return Err(Failure::Usage(message));
        }
        let mut arguments = self.asked.arguments(given.clone(), &schema).await?;
        if call.dry_run {
            arguments.insert("dry_run".to_owned(), Value::Bool(true));
        }
        self.asked.check(&arguments)?;
        if call.all {
            if let Some(most) = limit.get("maximum") {
                arguments.entry("limit").or_insert_with(|| most.clone());
            }
            let mut paper = call.printing.paper()?;
            self.follow(arguments, reads, &mut paper).await?;
            return call.printing.end(paper);
        }
        let meta = CallMeta {
            preview: call.preview,
            expected_plan: self.digest.clone(),
            idempotency_key: call.key.clone().or_else(|| self.new_key(reads)),
            ..CallMeta::default()
        };
        let result = self.asked.call(arguments, meta, reads).await?;
        if result.is_error {
            for rest in printing::beside_error(&result) {
                warn(&rest);
            }
            return match result.into_value() {
                Ok(_) => Ok(()),
                Err(error) => Err(self.asked.refused(error).await),
            };
        }
        if call.preview {
            return self.show_changes(&result);
        }
        let wrong = output.map_or(Vec::new(), |output| match &result.structured {
            Some(value) => contradictions(&output, value, CONTRADICTIONS),
            None if call.strict => vec!["it has no structured value".to_owned()],
            None => Vec::new(),
        });
        let missing = match self.asked.callee {
            Callee::Host(..) => result.structured.as_ref().and_then(missing),
            Callee::Server(_) => None,
        };
        let unmet = self.unmet(&result);
        call.printing.result(result)?;
        if let Some(missing) = missing {
            return Err(Failure::NotFound(missing));
        }
        for wrong in &wrong {
            warn(&format!(
                "the result contradicts the tool's output schema: {wrong}"
            ));
        }
        unmet.iter().for_each(|unmet| warn(unmet));
        match (call.strict && !wrong.is_empty(), unmet.is_empty()) {
            (true, _) => Err(Failure::Contradiction),
            (false, false) => Err(Failure::Unexpected),
            (false, true) => Ok(()),
        }
    }

    /// How the result differs from what is expected.
    fn unmet(&self, result: &CallResult) -> Vec<String> {
        if self.expected.is_empty() {
            return Vec::new();
        }
        match result.clone().into_value() {
            Ok(value) => (self.expected.iter())
                .filter_map(|it| it.unmet(&value))
                .collect(),
            Err(error) => vec![error.to_string()],
        }
    }

    /// Writes the changes of a preview.
    fn show_changes(&self, result: &CallResult) -> Result<(), Failure> {
        let changes = result
            .changes()
            .map_err(|error| callee::failure(self.asked.callee, error))?;
        let changes = changes.ok_or_else(|| {
            Failure::Call(CallError::Protocol(
                "the preview lists no changes".to_owned(),
            ))
        })?;
        let shown = match self.call.printing.is_json() {
            true => serde_json::to_value(&changes).unwrap_or_default(),
            false => change_rows(&changes),
        };
        self.call.printing.value(&shown)?;
        match changes.is_empty() {
            true => Err(Failure::NoChange),
            false => Ok(()),
        }
    }

    /// Writes a list page by page.
    async fn follow(
        &self,
        mut arguments: Map<String, Value>,
        reads: bool,
        paper: &mut Paper<Sink>,
    ) -> Result<(), Failure> {
        let mut offset = arguments.get("offset").and_then(Value::as_u64).unwrap_or(0);
        loop {
            arguments.insert("offset".to_owned(), offset.into());
            let meta = CallMeta::default();
            let result = self.asked.call(arguments.clone(), meta, reads).await?;
            let page = result
                .into_value()
                .map_err(|error| callee::failure(self.asked.callee, error))?;
            let length = paper.page(&page).map_err(not_written)?;
            if page["has_more"] != Value::Bool(true) || length == 0 {
                return paper.end().map_err(not_written);
            }
            offset += length;
        }
    }

    /// A key for a write at a host.
    fn new_key(&self, reads: bool) -> Option<String> {
        let is_trial = self.call.dry_run || self.call.preview;
        let has_key = !reads && !is_trial && self.asked.callee.host().is_some();
        has_key.then(|| format!("command-{}", Uuid::new_v4()))
    }

    /// A tool that is not offered may be offered to a client that answers questions.
    fn not_offered(&self, failure: Failure) -> Failure {
        match (failure, self.asked.callee) {
            (Failure::Usage(said), Callee::Server(server)) if !server.answers_questions() => {
                Failure::Usage(format!(
                    "{said}; some servers offer more to those who answer questions (`--answers -`)"
                ))
            }
            (failure, _) => failure,
        }
    }
}

/// What a host says about a record that does not exist: its result has a note, and nothing else.
fn missing(result: &Value) -> Option<String> {
    let mut fields = result.as_object()?.iter();
    let is_empty = fields.all(|(name, value)| name == "note" || value.is_null());
    result["note"]
        .as_str()
        .filter(|_| is_empty)
        .map(str::to_owned)
}

/// The server that can ask.
fn to_be_asked(callee: &Callee) -> Result<&Server, Failure> {
    match callee {
        Callee::Server(server) => Ok(server),
        Callee::Host(..) => {
            let message = "--answer and --answers are for other servers; the hosts ask nothing";
            Err(Failure::Usage(message.to_owned()))
        }
    }
}

/// Answers the questions of a server with these values. A question that they do not answer is shown
/// and declined.
fn answering(callee: &Callee, answers: Given) -> Result<(), Failure> {
    to_be_asked(callee)?.answer_with(Pages::Refused, move |question| {
        let declined = |why: &str| {
            warn(&format!("declined “{}”: {why}", question.message));
            Decision::Decline
        };
        let decision = match &question.schema {
            None => {
                let url = question.url.as_deref().unwrap_or("a web page");
                declined(&format!("it is answered at {url}"))
            }
            // Answers to other questions are no yes.
            Some(schema) if asking::has_no_fields(schema) && !answers.are_none() => {
                declined("it asks for a yes; --answers - asks on the terminal")
            }
            Some(schema) => match answers.answering(schema).to_arguments(schema) {
                Ok(content) => Decision::Accept(content),
                Err(why) => declined(&format!("{why}; --answer name=value answers it")),
            },
        };
        Box::pin(std::future::ready(decision))
    });
    Ok(())
}
