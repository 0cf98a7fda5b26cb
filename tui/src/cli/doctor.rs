//! `doctor`: whether a server works, step by step, and what to do where it does not.

mod schemas;

use std::time::{Duration, Instant};

use clap::Args;
use frontdesk::plain;
use frontdesk_client::server::{About, Listing, NoAnswer, Offers, Probe};
use frontdesk_client::{CallError, Callee, Server, ToolInfo, addresses};
use frontdesk_form::contradictions;
use serde_json::{Map, Value, json};

use super::callee;
use super::options::Options;
use super::reach::Reach;
use super::{Failure, completions, say, say_json};

/// How many faults of one kind are named.
const NAMED: usize = 5;

/// The time limit for a list, and for the call.
const ANSWER_WITHIN: Duration = Duration::from_secs(20);

/// Checks a host or a server step by step: connection, sign-in, session, lists, schemas, and one call that only reads.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// The host; or a server, by its configured name or its address. Left out before `-- COMMAND`.
    #[arg(value_name = "SERVER", required_unless_present = "command", conflicts_with = "command", add = completions::peers())]
    server: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Fine,
    /// It works, but not everywhere.
    Doubtful,
    Failed,
    /// There was nothing to check.
    Skipped,
}

/// A check that was made.
#[derive(Debug)]
struct Check {
    name: &'static str,
    verdict: Verdict,
    took: Duration,
    what: String,
    remedy: Option<String>,
}

/// The checks so far.
struct Examination<'a> {
    server: &'a Server,
    is_json: bool,
    begun: Instant,
    checks: Vec<Check>,
}

/// Nothing after a failed check is worth checking.
struct Stop;

type Step<T = ()> = Result<T, Stop>;

impl Doctor {
    pub(super) async fn run(&self, options: &Options) -> Result<(), Failure> {
        let callee = self.reach.callee(options, self.server.as_deref())?;
        let server = callee.server().await;
        let server = &server.map_err(|error| callee::failure(&callee, error))?;
        let callee = Callee::Server(server.clone());
        let mut examination = Examination {
            server,
            is_json: options.json(),
            begun: Instant::now(),
            checks: Vec::new(),
        };
        let examined = async {
            let stopped = examination.all().await.is_err();
            Ok(stopped)
        };
        let outcome = callee::until_done(&callee, self.reach.timeout, examined).await;
        if let Err(failure) = outcome {
            // The time is over, or the user has interrupted it.
            examination.note("time", Verdict::Failed, failure.to_string());
        }
        examination.end()
    }
}

impl Examination<'_> {
    async fn all(&mut self) -> Step {
        let place = self.server.place().to_owned();
        self.note("name", Verdict::Fine, place);
        self.address().await?;
        let about = self.session().await?;
        let tools = self.tools(&about).await?;
        for offers in [Offers::Resources, Offers::Templates, Offers::Prompts] {
            self.offers(&about, offers).await?;
        }
        self.schemas(&tools);
        let called = self.call(&tools).await;
        self.output();
        called
    }

    /// Connection, TLS, redirects and sign-in of a server at an address.
    async fn address(&mut self) -> Step {
        let probe = match self.server.probe().await {
            None => return Ok(()),
            Some(Ok(probe)) => probe,
            Some(Err(NoAnswer::Connection(why))) => {
                let remedy = "Start the server, or correct the address, the port or the proxy (HTTPS_PROXY).";
                return self.stop("connection", why, remedy);
            }
            Some(Err(NoAnswer::Tls(why))) => {
                self.note(
                    "connection",
                    Verdict::Fine,
                    "the other side answers".to_owned(),
                );
                let remedy = "Give the server a certificate for this name that the system trusts, with its whole chain.";
                return self.stop("tls", why, remedy);
            }
            Some(Err(NoAnswer::Token(why))) => {
                return self.stop("sign-in", why, "Set the variable, or sign in again.");
            }
        };
        self.note(
            "connection",
            Verdict::Fine,
            format!("HTTP {}", probe.status),
        );
        self.encryption();
        self.redirect(&probe)?;
        self.sign_in(&probe).await
    }

    fn encryption(&mut self) {
        let place = self.server.place();
        let (verdict, what) = match (place.starts_with("https://"), addresses::is_loopback(place)) {
            (true, _) => (Verdict::Fine, "encrypted, and the certificate is accepted"),
            (false, true) => (Verdict::Fine, "not encrypted, on this machine"),
            (false, false) => (
                Verdict::Doubtful,
                "not encrypted: others on the way read tokens and data",
            ),
        };
        self.note("tls", verdict, what.to_owned());
    }

    fn redirect(&mut self, probe: &Probe) -> Step {
        let Some(to) = probe
            .location
            .as_ref()
            .filter(|_| (300..400).contains(&probe.status))
        else {
            self.note("redirects", Verdict::Fine, "none".to_owned());
            return Ok(());
        };
        let what = format!("HTTP {} leads to {to}", probe.status);
        let remedy =
            format!("Use {to}: the token is not sent elsewhere, and 301 to 303 lose the request.");
        let is_same = to.as_str().starts_with(&origin(self.server.place()));
        match matches!(probe.status, 307 | 308) && is_same {
            true => self.add("redirects", Verdict::Doubtful, what, Some(remedy)),
            false => return self.stop("redirects", what, &remedy),
        }
        Ok(())
    }

    async fn sign_in(&mut self, probe: &Probe) -> Step {
        if probe.status != 401 {
            let what = match probe.had_token {
                true => "the token is not refused",
                false => "not asked for",
            };
            self.note("sign-in", Verdict::Fine, what.to_owned());
            return Ok(());
        }
        match self.server.authorization(probe.challenge.as_deref()).await {
            Ok(found) if found.registers => {
                self.note(
                    "metadata",
                    Verdict::Fine,
                    format!("sign-in at {}", found.issuer),
                );
            }
            Ok(found) => {
                let what = format!("sign-in at {}, which has no registration", found.issuer);
                let remedy =
                    "Register frontdesk there by hand, and set `client_id` in the configuration.";
                self.add("metadata", Verdict::Doubtful, what, Some(remedy.to_owned()));
            }
            Err(why) => {
                let remedy = "Answer 401 with `WWW-Authenticate: Bearer resource_metadata=\"…\"`, and serve that document and \
                     the one of its authorization server; or configure a token.";
                self.add("metadata", Verdict::Doubtful, why, Some(remedy.to_owned()));
            }
        }
        let name = self.server.name();
        match probe.had_token {
            true => self.stop(
                "sign-in",
                "the server refuses the token".to_owned(),
                "Replace the token, or sign in again.",
            ),
            false => {
                let remedy = format!("`frontdesk login --server {name}`, or --token-env VARIABLE.");
                self.stop(
                    "sign-in",
                    "the server demands a sign-in".to_owned(),
                    &remedy,
                )
            }
        }
    }

    async fn session(&mut self) -> Step<About> {
        let about = match self.server.about().await {
            Ok(about) => about,
            Err(error) => {
                let remedy = remedy(&error);
                return self.stop("session", error.to_string(), remedy);
            }
        };
        let how = match about.has_handshake {
            true => "a handshake",
            false => "discovery, without a handshake",
        };
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let (name, version) = (given(&about.name), given(&about.version));
        let shown = name.as_deref().unwrap_or("a server without a name");
        let what = format!("{} by {how}: {shown}", about.protocol);
        let ends = self.server.ends_before();
        let odd = match (ends.first(), self.server.ignores_discovery()) {
            (Some(end), _) => Some(format!("at server/discover {end}, and was started again")),
            (None, true) => Some("it did not answer server/discover".to_owned()),
            (None, false) => None,
        };
        match odd {
            None => self.note("session", Verdict::Fine, what),
            Some(odd) => {
                let what = format!("{what}; {odd}");
                let remedy = "Answer a request that the server does not know with the error -32601, and go on.";
                self.add("session", Verdict::Doubtful, what, Some(remedy.to_owned()));
            }
        }
        let missing = [("name", name), ("version", version)].into_iter();
        let missing = missing.filter(|(_, value)| value.is_none());
        let missing: Vec<_> = missing.map(|(field, _)| field).collect();
        if about.has_handshake && !missing.is_empty() {
            let what = format!("serverInfo has no {}", missing.join(" and no "));
            let remedy = "Give it: strict clients refuse the answer to `initialize`.";
            self.add("info", Verdict::Doubtful, what, Some(remedy.to_owned()));
        }
        Ok(about)
    }

    /// What a process wrote beside its messages.
    fn output(&mut self) {
        let strays = self.server.strays();
        if !strays.is_empty() {
            let what = format!(
                "its stdout has lines that are no messages: {}",
                few(&strays)
            );
            let remedy = "Write them to stderr: strict clients end the session at such a line.";
            self.add("stdout", Verdict::Doubtful, what, Some(remedy.to_owned()));
        }
        let mut words = self.server.words();
        words.retain(|word| !strays.contains(word));
        if !words.is_empty() {
            let what = format!("its last lines: {}", words.join(" / "));
            self.note("stderr", Verdict::Fine, what);
        }
    }

    async fn tools(&mut self, about: &About) -> Step<Vec<Value>> {
        let listed = in_time(self.server.listed_tools()).await;
        let listed = self.answered("tools", listed)?;
        let is_announced = about.capabilities.get("tools").is_some();
        let listed = self.list("tools", is_announced, listed)?;
        Ok(listed.map_or_else(Vec::new, |listed| listed.items))
    }

    async fn offers(&mut self, about: &About, offers: Offers) -> Step {
        let (name, announced) = match offers {
            Offers::Resources => ("resources", "resources"),
            Offers::Templates => ("templates", "resources"),
            Offers::Prompts => ("prompts", "prompts"),
        };
        if about.capabilities.get(announced).is_none() {
            self.note(name, Verdict::Skipped, "not announced".to_owned());
            return Ok(());
        }
        let listed = in_time(self.server.list(offers)).await;
        let listed = self.answered(name, listed)?;
        self.list(name, true, listed).map(drop)
    }

    /// A request that was not answered in time is never answered, or too late for most clients.
    fn answered<T>(&mut self, name: &'static str, answer: Option<T>) -> Step<T> {
        match answer {
            Some(answer) => Ok(answer),
            None => {
                let what = format!("no answer within {} s", ANSWER_WITHIN.as_secs());
                let remedy = "Answer each request, with its id: a result, or the error -32601 for a method that the server does not \
                              know. --trace FILE shows every message.";
                self.stop(name, what, remedy)
            }
        }
    }

    fn list<T>(
        &mut self,
        name: &'static str,
        is_announced: bool,
        listed: Result<Listing<T>, CallError>,
    ) -> Step<Option<Listing<T>>> {
        let listed = match listed {
            Ok(listed) => listed,
            Err(error) => {
                let remedy = remedy(&error);
                return self.stop(name, error.to_string(), remedy);
            }
        };
        let pages = match listed.pages {
            1 => "1 page".to_owned(),
            pages => format!("{pages} pages"),
        };
        let what = format!("{} on {pages}", listed.items.len());
        match (listed.odd.is_empty(), is_announced) {
            (true, true) => self.note(name, Verdict::Fine, what),
            (true, false) if listed.items.is_empty() => {
                self.note(name, Verdict::Skipped, "not announced".to_owned());
            }
            (true, false) => {
                let remedy = format!(
                    "Announce `{name}` among the capabilities: strict clients do not ask otherwise."
                );
                self.add(name, Verdict::Doubtful, what, Some(remedy));
            }
            (false, _) => {
                let odd = few(&listed.odd);
                let remedy = "Correct what is named: other clients refuse the whole list.";
                self.add(
                    name,
                    Verdict::Doubtful,
                    format!("{what}; {odd}"),
                    Some(remedy.to_owned()),
                );
            }
        }
        Ok(Some(listed))
    }

    fn schemas(&mut self, tools: &[Value]) {
        let faults = schemas::faults(tools);
        match faults.is_empty() {
            true => self.note(
                "schemas",
                Verdict::Fine,
                "strict clients accept every tool".to_owned(),
            ),
            false => {
                let remedy =
                    "Correct these tools: strict clients refuse them, some the whole list.";
                self.add(
                    "schemas",
                    Verdict::Doubtful,
                    few(&faults),
                    Some(remedy.to_owned()),
                );
            }
        }
    }

    /// Calls the first tool that only reads and needs no arguments.
    async fn call(&mut self, tools: &[Value]) -> Step {
        let mut read = tools.iter().filter_map(|tool| ToolInfo::read(tool).ok());
        let Some(tool) = read.find(|tool| tool.read_only && needs_nothing(tool)) else {
            let what = "no tool says that it only reads (readOnlyHint) and needs no arguments";
            self.note("call", Verdict::Skipped, what.to_owned());
            return Ok(());
        };
        let called = in_time(self.server.call_raw(&tool.name, Map::new())).await;
        let result = match self.answered("call", called)? {
            Ok(result) => result,
            Err(error) => {
                let remedy = remedy(&error);
                return self.stop("call", format!("{}: {error}", tool.name), remedy);
            }
        };
        let schema = tool.output_schema.clone().map(Value::Object);
        let wrong = match (&schema, &result.structured) {
            (Some(schema), Some(value)) => contradictions(schema, value, NAMED),
            (Some(_), None) if !result.is_error => {
                vec!["the result has no structured value".to_owned()]
            }
            _ => Vec::new(),
        };
        if result.is_error {
            let why = result
                .into_value()
                .err()
                .map_or_else(String::new, |error| error.to_string());
            self.add(
                "call",
                Verdict::Doubtful,
                format!("{} refuses: {why}", tool.name),
                None,
            );
        } else if wrong.is_empty() {
            self.note("call", Verdict::Fine, format!("{} answers", tool.name));
        } else {
            let what = format!("{}: {}", tool.name, few(&wrong));
            let remedy =
                "Return what the output schema declares: strict clients refuse the result.";
            self.add("call", Verdict::Doubtful, what, Some(remedy.to_owned()));
        }
        Ok(())
    }

    fn note(&mut self, name: &'static str, verdict: Verdict, what: String) {
        self.add(name, verdict, what, None);
    }

    fn stop<T>(&mut self, name: &'static str, why: String, remedy: &str) -> Step<T> {
        self.add(name, Verdict::Failed, why, Some(remedy.to_owned()));
        Err(Stop)
    }

    fn add(&mut self, name: &'static str, verdict: Verdict, what: String, remedy: Option<String>) {
        let took = self.begun.elapsed();
        self.begun = Instant::now();
        let check = Check {
            name,
            verdict,
            took,
            what,
            remedy,
        };
        if !self.is_json {
            // If the output is closed, the command fails at its end.
            let _ = check.say();
        }
        self.checks.push(check);
    }

    fn end(&self) -> Result<(), Failure> {
        let failed = self
            .checks
            .iter()
            .find(|check| check.verdict == Verdict::Failed);
        if self.is_json {
            let checks: Vec<Value> = self.checks.iter().map(Check::to_json).collect();
            let whole =
                json!({ "server": self.server.name(), "ok": failed.is_none(), "checks": checks });
            say_json(&whole)?;
        }
        match failed {
            Some(check) => Err(Failure::Unwell(check.name)),
            None => Ok(()),
        }
    }
}

impl Check {
    fn say(&self) -> Result<(), Failure> {
        let took = format!("{} ms", self.took.as_millis());
        let word = self.verdict.word();
        let line = format!("{word:<8} {:<11} {took:>9}  {}", self.name, self.what);
        say(plain(&line).trim_end())?;
        self.remedy
            .iter()
            .try_for_each(|remedy| say(&plain(&format!("{:30} {remedy}", ""))))
    }

    fn to_json(&self) -> Value {
        json!({
            "check": self.name, "result": self.verdict.word(), "took_ms": self.took.as_millis() as u64,
            "what": self.what, "remedy": self.remedy,
        })
    }
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Fine => "ok",
            Verdict::Doubtful => "warning",
            Verdict::Failed => "failed",
            Verdict::Skipped => "skipped",
        }
    }
}

/// The answer, if it comes in time.
async fn in_time<T>(answer: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(ANSWER_WITHIN, answer).await.ok()
}

/// Scheme, host and port of an address.
fn origin(place: &str) -> String {
    let begin = place.find("://").map_or(0, |at| at + 3);
    let end = place[begin..]
        .find('/')
        .map_or(place.len(), |at| begin + at);
    format!("{}/", &place[..end])
}

fn needs_nothing(tool: &ToolInfo) -> bool {
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    required.is_none_or(Vec::is_empty)
}

/// The first few of these, and how many more there are.
fn few(faults: &[String]) -> String {
    let named = faults
        .iter()
        .take(NAMED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join("; ");
    match faults.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}

/// What helps against an error of a server.
fn remedy(error: &CallError) -> &'static str {
    match error {
        CallError::SignedOut(_) => "Sign in, or configure a token.",
        CallError::AccountClosed(_) | CallError::Forbidden(_) => {
            "Give the account of this token the right."
        }
        CallError::Unreachable { .. } => {
            "Run the program by hand and look at its first lines: messages belong on stdout, everything else on stderr. --trace \
             FILE shows every message."
        }
        CallError::RateLimited { .. } | CallError::Busy { .. } => "Wait, and try again.",
        CallError::Protocol(_) | CallError::OutcomeUnknown(_) => {
            "Correct the answer: --trace FILE shows it as it came."
        }
        CallError::Host {
            status: 404 | 405, ..
        } => "Correct the path: the endpoint is usually /mcp.",
        CallError::Tool(_) | CallError::Host { .. } | CallError::Failed(_) => {
            "Look into the server's own log: it answered with an error."
        }
    }
}
