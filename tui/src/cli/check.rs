//! `check`: calls with expectations, from a file that a team keeps beside its server.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use frontdesk::plain;
use frontdesk_client::{CallError, CallResult, Callee, Server, ToolInfo, Watch};
use frontdesk_form::contradictions;
use frontdesk_protocol::mcp::CallMeta;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::callee;
use super::expectation::Expectation;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json};

/// How many contradictions of a result are said.
const CONTRADICTIONS: usize = 5;

/// Makes the calls of a file, and compares their results with what it expects.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// A TOML file: the server, and a [[call]] for each call with its tool, resource or prompt, arguments and expect.
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The host or server, in place of that of the file.
    #[arg(long, value_name = "SERVER", conflicts_with = "command", add = completions::peers())]
    server: Option<String>,
    /// Write the results to this file as JUnit XML.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    reach: Reach,
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    server: Option<String>,
    #[serde(default, rename = "call")]
    calls: Vec<Step>,
}

/// A call, and what it should return.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// For people; default: the tool, resource or prompt.
    name: Option<String>,
    /// One of these three.
    tool: Option<String>,
    /// The address of a resource, which is read.
    resource: Option<String>,
    prompt: Option<String>,
    #[serde(default)]
    arguments: Map<String, Value>,
    /// Values at paths of the result.
    #[serde(default)]
    expect: Map<String, Value>,
    /// The call is refused, with a message that contains this.
    error: Option<String>,
}

/// A call that was made.
struct Made<'a> {
    step: &'a Step,
    took: Duration,
    unmet: Vec<String>,
}

impl Check {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let written = read(&self.file)?;
        let name = match self.reach.command() {
            [] => self.server.clone().or(written.server.clone()),
            _ => None,
        };
        if name.is_none() && self.reach.command().is_empty() {
            let file = self.file.display();
            let message =
                format!("{file} has no `server = \"NAME\"`; give --server NAME or -- COMMAND");
            return Err(Failure::Usage(message));
        }
        let callee = self.reach.callee(options, name.as_deref())?;
        let made = all(&callee, &written.calls, options);
        let made = callee::until_done(&callee, self.reach.timeout, made).await?;
        if options.json() {
            let made: Vec<Value> = made.iter().map(Made::to_json).collect();
            say_json(&Value::Array(made))?;
        }
        if let Some(path) = &self.junit {
            let written = self
                .report(&made)
                .and_then(|report| std::fs::write(path, report));
            written.map_err(|error| Failure::at(path, error))?;
        }
        match made.iter().filter(|it| !it.unmet.is_empty()).count() {
            0 => Ok(()),
            failed => Err(Failure::Unmet(failed, made.len())),
        }
    }

    fn report(&self, made: &[Made<'_>]) -> std::io::Result<String> {
        let file = self.file.display().to_string();
        let mut suite = TestSuite::new(&*file);
        suite.add_test_cases(made.iter().map(|made| made.case(&file)));
        let mut report = Report::new("frontdesk check");
        report.add_test_suite(suite);
        report.to_string().map_err(std::io::Error::other)
    }
}

/// Reads the file.
///
/// # Errors
/// What is wrong with it.
fn read(path: &Path) -> Result<Written, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::at(path, error))?;
    let wrong = |why: String| Failure::Usage(format!("{}: {why}", path.display()));
    let written: Written = toml::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if written.calls.is_empty() {
        return Err(wrong("it has no [[call]]".to_owned()));
    }
    match written
        .calls
        .iter()
        .position(|step| step.target().is_none())
    {
        None => Ok(written),
        Some(at) => {
            let what = "needs a tool, a resource or a prompt; a resource takes no arguments";
            Err(wrong(format!("[[call]] {} {what}", at + 1)))
        }
    }
}

/// Makes the calls one after the other, and says each.
async fn all<'a>(
    callee: &Callee,
    steps: &'a [Step],
    options: &Options,
) -> Result<Vec<Made<'a>>, Failure> {
    let tools = callee
        .tools()
        .await
        .map_err(|error| callee::failure(callee, error))?;
    let (mut made, opened) = (Vec::new(), OnceCell::new());
    for step in steps {
        let tool = tools
            .iter()
            .find(|tool| Some(&tool.name) == step.tool.as_ref());
        if let Some(tool) = tool.filter(|tool| options.read_only() && !tool.read_only) {
            let message = format!("{} writes, and --read-only is given", tool.name);
            return Err(Failure::Usage(message));
        }
        let begun = Instant::now();
        let unmet = step.make(callee, &opened, tool).await;
        let one = Made {
            step,
            took: begun.elapsed(),
            unmet,
        };
        if !options.json() {
            one.say()?;
        }
        made.push(one);
    }
    Ok(made)
}

/// What a step asks for.
enum Target<'a> {
    Tool,
    Resource(&'a str),
    Prompt(&'a str),
}

impl Step {
    /// What it asks for; `None` if it is not exactly one.
    fn target(&self) -> Option<Target<'_>> {
        match (&self.tool, &self.resource, &self.prompt) {
            (Some(_), None, None) => Some(Target::Tool),
            (None, Some(uri), None) if self.arguments.is_empty() => Some(Target::Resource(uri)),
            (None, None, Some(prompt)) => Some(Target::Prompt(prompt)),
            _ => None,
        }
    }

    async fn ask(
        &self,
        callee: &Callee,
        opened: &OnceCell<Server>,
    ) -> Result<CallResult, CallError> {
        let arguments = self.arguments.clone();
        let server = || opened.get_or_try_init(|| callee.server());
        match self.target() {
            Some(Target::Resource(uri)) => server().await?.read(uri).await,
            Some(Target::Prompt(prompt)) => server().await?.prompt(prompt, arguments).await,
            Some(Target::Tool) | None => {
                let tool = self.tool.as_deref().unwrap_or_default();
                let meta = CallMeta::default();
                callee.call(tool, arguments, meta, &Watch::default()).await
            }
        }
    }

    /// Makes the call. Returns how its result differs from what is expected.
    async fn make(
        &self,
        callee: &Callee,
        opened: &OnceCell<Server>,
        tool: Option<&ToolInfo>,
    ) -> Vec<String> {
        if let (Some(name), None) = (&self.tool, tool) {
            return vec![format!("there is no tool {name}")];
        }
        let (structured, value) = match self.ask(callee, opened).await {
            Ok(result) => (result.structured.clone(), result.into_value()),
            Err(error) => (None, Err(error)),
        };
        match (&self.error, value) {
            (Some(expected), Err(error)) => {
                let error = error.to_string();
                let unmet = format!("it is refused with “{error}”, not with “{expected}”");
                (!error.contains(expected.as_str()))
                    .then_some(unmet)
                    .into_iter()
                    .collect()
            }
            (Some(_), Ok(_)) => vec!["it is not refused".to_owned()],
            (None, Err(error)) => vec![error.to_string()],
            (None, Ok(value)) => {
                let schema = tool.and_then(|tool| tool.output_schema.clone());
                let schema = schema.map(Value::Object);
                let wrong = schema.zip(structured);
                let wrong = wrong.map_or_else(Vec::new, |(schema, value)| {
                    contradictions(&schema, &value, CONTRADICTIONS)
                });
                let wrong = wrong
                    .into_iter()
                    .map(|it| format!("the result contradicts the output schema: {it}"));
                let expected = self
                    .expect
                    .iter()
                    .map(|(path, value)| Expectation::new(path, value.clone()));
                expected
                    .filter_map(|it| it.unmet(&value))
                    .chain(wrong)
                    .collect()
            }
        }
    }

    fn title(&self) -> &str {
        let target = [&self.name, &self.tool, &self.resource, &self.prompt];
        let mut names = target.into_iter().flatten();
        names.next().map_or("", String::as_str)
    }
}

impl Made<'_> {
    fn say(&self) -> Result<(), Failure> {
        let word = match self.unmet.is_empty() {
            true => "ok",
            false => "FAILED",
        };
        let took = self.took.as_millis();
        say(&plain(&format!(
            "{word:<8}{}  {took} ms",
            self.step.title()
        )))?;
        self.unmet
            .iter()
            .try_for_each(|unmet| say(&plain(&format!("        {unmet}"))))
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.step.title(), "tool": self.step.tool, "resource": self.step.resource,
            "prompt": self.step.prompt, "ok": self.unmet.is_empty(),
            "took_ms": self.took.as_millis() as u64, "unmet": self.unmet,
        })
    }

    fn case(&self, file: &str) -> TestCase {
        let status = match self.unmet.first() {
            None => TestCaseStatus::success(),
            Some(first) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status
                    .set_message(first.as_str())
                    .set_description(self.unmet.join("\n"));
                status
            }
        };
        let mut case = TestCase::new(self.step.title(), status);
        case.set_classname(file).set_time(self.took);
        case
    }
}
